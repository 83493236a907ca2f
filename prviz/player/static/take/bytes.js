// A row of bytes that grows.

export class Bytes {
  constructor() {
    this.room = new Uint8Array(1 << 16);
    this.length = 0;
  }

  push(...values) {
    this.need(values.length);
    for (const value of values) this.room[this.length++] = value;
  }

  append(bytes) {
    this.need(bytes.length);
    this.room.set(bytes, this.length);
    this.length += bytes.length;
  }

  text(text) {
    this.append(new TextEncoder().encode(text));
  }

  /** A number of two bytes, the lower first. */
  short(value) {
    this.push(value & 255, value >> 8);
  }

  need(more) {
    if (this.length + more <= this.room.length) return;
    const roomier = new Uint8Array(2 * (this.length + more));
    roomier.set(this.room.subarray(0, this.length));
    this.room = roomier;
  }

  done() {
    return this.room.slice(0, this.length);
  }
}
