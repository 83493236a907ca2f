// Convert pixels to the format of videos: luma per pixel, chroma per 2 × 2 pixels, in the limited range that every
// player expects (ITU-R BT.709). Browsers would convert to the full range, but some players then clip dark pixels to
// black.

/** @type {VideoColorSpaceInit} */
export const BT709 = { matrix: "bt709", transfer: "bt709", primaries: "bt709", fullRange: false };

// Weights of red, green and blue in the luma of the limited range (219 of 255 levels), times 2 ** 16 and rounded.
const [RED, GREEN, BLUE] = [0.2126, 0.7152, 0.0722].map((share) => Math.round(share * (219 / 255) * 65536));
const ROUND = 1 << 15;
const OF_BLUE = 224 / 255 / 1.8556, OF_RED = 224 / 255 / 1.5748; // factors of blue − luma and of red − luma

/**
 * Convert 32-bit pixels with red in the lowest byte to I420; width and height must be even.
 * @param {Uint32Array} pixels @param {number} width @param {number} height
 */
export function i420(pixels, width, height) {
  const size = width * height;
  const planes = new Uint8Array((size * 3) / 2);
  for (let i = 0; i < size; i++) {
    const p = pixels[i];
    planes[i] = 16 + ((RED * (p & 255) + GREEN * ((p >> 8) & 255) + BLUE * ((p >> 16) & 255) + ROUND) >> 16);
  }
  for (let y = 0, u = size, v = (size * 5) / 4; y < height; y += 2) {
    for (let i = y * width, end = i + width; i < end; i += 2, u++, v++) {
      const four = [pixels[i], pixels[i + 1], pixels[i + width], pixels[i + width + 1]];
      let red = 0, green = 0, blue = 0;
      for (let k = 0; k < 4; k++) {
        red += four[k] & 255;
        green += (four[k] >> 8) & 255;
        blue += (four[k] >> 16) & 255;
      }
      const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      planes[u] = Math.round(128 + ((blue - light) * OF_BLUE) / 4);
      planes[v] = Math.round(128 + ((red - light) * OF_RED) / 4);
    }
  }
  return planes;
}
