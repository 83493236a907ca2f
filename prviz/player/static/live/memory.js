// The memory of a WebAssembly module, with the records that prviz/live_page/memory.py describes.

/** @typedef {{path: string, type: string, at: [items: number, itemBytes: number, data: number, shape: number, strides: number], shape: (number | string)[], from?: number, bytes?: number}} ArrayPlan */
/** @typedef {{numbers: string, arrays: ArrayPlan[], places?: Record<string, number>}} RecordPlan places: offsets of numbers that the page sets */
/** @typedef {BigInt64Array | BigUint64Array | Float64Array | Float32Array | Int32Array | Int8Array | Uint32Array | Uint16Array | Uint8Array} Numbers */

/** @type {Record<string, any>} */
const ARRAYS = { f8: Float64Array, f4: Float32Array, i8: BigInt64Array, u8: BigUint64Array, i4: Int32Array, u4: Uint32Array,
  u2: Uint16Array, i1: Int8Array, u1: Uint8Array, b1: Uint8Array };

export class Memory {
  /** @param {any} exports the module's exports @param {Uint8Array} content the content of the arrays */
  constructor(exports, content) {
    this.exports = exports;
    this.content = content;
    /** @type {Map<string, {type: string, at: number, length: number}>} arrays by record and path */ this.arrays = new Map();
  }

  /** Return the end of the reserved memory. */
  get end() {
    return this.exports.reserve(0);
  }

  /** Copy a range of the memory. @param {number} from @param {number} to */
  copy(from, to) {
    return new Uint8Array(this.exports.memory.buffer).slice(from, to);
  }

  /** @param {number} at @param {Numbers} values */
  write(at, values) {
    new Uint8Array(this.exports.memory.buffer).set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at);
  }

  /** Return an array of a record. Do not store the view, because it becomes invalid when the memory grows. @param {string} path @returns {any} */
  view(path) {
    const { type, at, length } = /** @type {{type: string, at: number, length: number}} */ (this.arrays.get(path));
    return new ARRAYS[type](this.exports.memory.buffer, at, length);
  }

  /** Write a record and its arrays to memory. @param {string} name @param {RecordPlan} plan @param {Record<string, number>} lengths lengths by name */
  place(name, { numbers, arrays }, lengths) {
    const bytes = Uint8Array.from(numbers.match(/../g) ?? [], (pair) => parseInt(pair, 16));
    const record = this.exports.reserve(bytes.length);
    this.write(record, bytes);
    for (const plan of arrays) this.placeArray(name, record, plan, lengths);
    return record;
  }

  /** @param {string} name @param {number} record @param {ArrayPlan} plan @param {Record<string, number>} lengths */
  placeArray(name, record, { path, type, at, shape: dimensions, from, bytes: filled }, lengths) {
    const itemBytes = ARRAYS[type].BYTES_PER_ELEMENT;
    const shape = dimensions.map((dimension) => (typeof dimension === "number" ? dimension : lengths[dimension]));
    const length = shape.reduce((items, dimension) => items * dimension, 1);
    const data = this.exports.reserve(length * itemBytes);
    if (from !== undefined) this.write(data, this.content.subarray(from, from + (filled ?? length * itemBytes)));
    this.arrays.set(`${name}.${path}`, { type, at: data, length });
    const view = new DataView(this.exports.memory.buffer, record);
    const put = (/** @type {number} */ place, /** @type {number} */ number) => view.setBigInt64(place, BigInt(number), true);
    const [items, bytes, pointer, shapes, strides] = at;
    put(items, length);
    put(bytes, itemBytes);
    view.setUint32(pointer, data, true);
    let stride = itemBytes;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      put(shapes + 8 * axis, shape[axis]);
      put(strides + 8 * axis, stride);
      stride *= shape[axis];
    }
  }
}
