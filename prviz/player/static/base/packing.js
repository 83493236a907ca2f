// What gzip has packed.

/** Bytes from base64 of gzip, as the stand-alone page holds them. @param {string} text */
export async function unpack(text) {
  const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return new Response(unpacked(packed)).arrayBuffer();
}

/** A stream of what gzip has packed. @param {BlobPart} packed */
export function unpacked(packed) {
  return new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
}
