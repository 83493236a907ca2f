// What a film can be made as, and why not.

import { RemoteGif } from "./remote.js";
import { hasPart, loadPart } from "../base/parts.js";

const SHORT = 80, SHORTER = 40; // milliseconds of a picture: GIFs count in hundredths of a second
/** @type {Codec[]} */
const CODECS = [{ name: "vp9", full: "vp09.00.41.08" }, { name: "vp8", full: "vp8" }]; // the better one first
const RATE = 2.3; // bits a pixel and second: 10 s of 720 × 720 fit in 1.5 MB

/** @typedef {{name: "vp9" | "vp8", full: string}} Codec as Mediabunny and as browsers call it */
/** @typedef {{name: string, suffix: string, type: string, milliseconds: number, hindered(): Promise<string>, open(size: {width: number, height: number}): Promise<Encoder>}} Format */

/** @type {Record<string, Format>} */
export const FORMATS = {
  gif: {
    name: "GIF", suffix: "gif", type: "image/gif", milliseconds: SHORT,
    hindered: async () => "",
    open: ({ width, height }) => new RemoteGif({ width, height, milliseconds: SHORT }).open(),
  },
  video: {
    name: "Video", suffix: "webm", type: "video/webm", milliseconds: SHORTER,
    hindered: whyNoVideo,
    open: async ({ width, height }) => {
      const { Video } = await loadPart("video.js");
      return new Video({ codec: await codecFor(width, height), width, height, bitrate: bitrateOf(width, height),
        milliseconds: SHORTER });
    },
  },
};

const bitrateOf = (/** @type {number} */ width, /** @type {number} */ height) => Math.round(RATE * width * height);

/**
 * The codec that a browser has for pictures of a size; undefined where it has none.
 * @param {number} width @param {number} height @returns {Promise<Codec | undefined>}
 */
async function codecFor(width, height) {
  for (const codec of CODECS) {
    const config = { codec: codec.full, width, height, bitrate: bitrateOf(width, height) };
    const found = await VideoEncoder.isConfigSupported(config).catch(() => null);
    if (found?.supported) return codec;
  }
  return undefined;
}

/** Why this browser can't make a video here; empty where it can. */
export async function whyNoVideo() {
  if (!hasPart("video.js")) return "This file makes no videos.";
  if (!globalThis.isSecureContext) return "A browser makes videos only on pages that come by https, or from this computer.";
  if (!globalThis.VideoEncoder) return "This browser can't make videos.";
  return (await codecFor(720, 720)) ? "" : "This browser can't make WebM videos.";
}
