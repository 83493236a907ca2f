// Unpack gzip, and join bytes.

/** Return the bytes of compressed base64 text, which stand-alone pages contain. @param {string} text */
export async function unpack(text) {
  const letters = atob(text), packed = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) packed[i] = letters.charCodeAt(i);
  const { readable, writable } = new DecompressionStream("gzip"); // uses no Blob, for the reason in `joined`
  const writer = writable.getWriter();
  writer.write(packed).then(() => writer.close()).catch(() => {}); // reading throws the same error
  return new Response(readable).arrayBuffer();
}

/** Return a stream of decompressed data. @param {BlobPart} packed */
export function unpacked(packed) {
  return new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
}

/**
 * Join bytes and texts, without a Blob: WebKit cannot read Blobs in a worker if the page is a file on a disk.
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
