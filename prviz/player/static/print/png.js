// Convert a document of print/paper.js to a PNG that contains its print resolution.

import { context, h } from "../base/dom.js";

const INCH = 96; // pixels of the document per inch
const METRE = 39.37007874; // inches per metre
const AFTER_HEAD = 33; // bytes of a PNG's signature and first chunk

/** Return a blob with a resolution in dots per inch. @param {Page} page @param {number} dots */
export async function pngOf({ svg, width, height }, dots) {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const scale = dots / INCH;
    const canvas = h("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
    context(canvas).drawImage(image, 0, 0, canvas.width, canvas.height);
    /** @type {Blob | null} */
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!blob) throw new Error("the picture has too many pixels.");
    const bytes = new Uint8Array(await blob.arrayBuffer());
    const size = chunk("pHYs", dots * METRE);
    return new Blob([bytes.subarray(0, AFTER_HEAD), size, bytes.subarray(AFTER_HEAD)], { type: "image/png" });
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * Return the chunk with the resolution in dots per metre (PNG specification, 11.3.5.3).
 * @param {string} name @param {number} dots
 */
function chunk(name, dots) {
  const bytes = new Uint8Array(21), view = new DataView(bytes.buffer);
  view.setUint32(0, 9);
  bytes.set([...name].map((letter) => letter.charCodeAt(0)), 4);
  view.setUint32(8, Math.round(dots));
  view.setUint32(12, Math.round(dots));
  view.setUint8(16, 1); // the unit is the metre
  view.setUint32(17, checksum(bytes.subarray(4, 17)));
  return bytes;
}

/** Return the CRC-32 of bytes. @param {Uint8Array} bytes */
function checksum(bytes) {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ -1) >>> 0;
}
