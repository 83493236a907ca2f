// Unpack gzip, and join bytes.

/** Bytes from base64 of gzip, as in a stand-alone page. @param {string} text */
export async function unpack(text) {
  const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return new Response(unpacked(packed)).arrayBuffer();
}

/** Return a stream of unpacked gzip. @param {BlobPart} packed */
export function unpacked(packed) {
  return new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
}

/**
 * Join bytes and texts, without a Blob: WebKit cannot read those in the worker of a page from a disk.
 * @param {(ArrayBufferView | string)[]} parts
 */
export function joined(parts) {
  const encoder = new TextEncoder();
  const bytes = parts.map((part) => (typeof part === "string" ? encoder.encode(part) : new Uint8Array(part.buffer, part.byteOffset, part.byteLength)));
  const all = new Uint8Array(bytes.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const each of bytes) {
    all.set(each, at);
    at += each.length;
  }
  return all;
}
