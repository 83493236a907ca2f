// Lempel, Ziv and Welch's code as a GIF has it: codes of 3 to 12 bits, in blocks of up to 255 bytes.

const LONGEST = 12; // bits of a code
const MOST = 1 << LONGEST;
const BLOCK = 255;

/** Codes into bits, the lowest first, and bits into blocks with their length before them. */
class Blocks {
  constructor(bytes) {
    this.bytes = bytes;
    this.block = new Uint8Array(BLOCK);
    this.filled = 0;
    this.held = 0; // bits that are no byte yet
    this.bits = 0; // and how many
  }

  put(code, width) {
    this.held |= code << this.bits;
    this.bits += width;
    while (this.bits >= 8) {
      this.byte(this.held & 255);
      this.held >>>= 8;
      this.bits -= 8;
    }
  }

  byte(value) {
    this.block[this.filled++] = value;
    if (this.filled === BLOCK) this.flush();
  }

  flush() {
    if (!this.filled) return;
    this.bytes.push(this.filled);
    this.bytes.append(this.block.subarray(0, this.filled));
    this.filled = 0;
  }

  end() {
    if (this.bits) this.byte(this.held & 255);
    this.flush();
    this.bytes.push(0);
  }
}

export class Lzw {
  constructor() {
    this.next = new Uint16Array(MOST << 8); // the code of a string and one more index; 0: none yet
  }

  /** Write indices into a palette of 2 ** `depth` colours, `depth` 2 to 8, to some bytes. */
  write(bytes, indices, depth) {
    const { next } = this;
    const clear = 1 << depth, end = clear + 1;
    const blocks = new Blocks(bytes);
    bytes.push(depth);
    let width = depth + 1, free = end + 1;
    next.fill(0);
    blocks.put(clear, width);
    let string = indices[0];
    for (let i = 1; i < indices.length; i++) {
      const longer = (string << 8) | indices[i];
      if (next[longer]) {
        string = next[longer];
        continue;
      }
      blocks.put(string, width);
      string = indices[i];
      if (free < MOST) {
        if (free === 1 << width) width++; // whoever reads is one string behind
        next[longer] = free++;
      } else { // the table is full
        blocks.put(clear, width);
        next.fill(0);
        width = depth + 1;
        free = end + 1;
      }
    }
    blocks.put(string, width);
    if (free === 1 << width && width < LONGEST) width++;
    blocks.put(end, width);
    blocks.end();
  }
}
