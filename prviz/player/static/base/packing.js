// Unpack gzip.

/** Bytes from base64 of gzip, as in a stand-alone page. @param {string} text */
export async function unpack(text) {
  const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return new Response(unpacked(packed)).arrayBuffer();
}

/** Return a stream of unpacked gzip. @param {BlobPart} packed */
export function unpacked(packed) {
  return new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
}
