// The formats of films, and the reasons why some are unavailable.

import { RemoteGif } from "./remote.js";
import { hasPart, loadPart } from "../base/parts.js";

const SHORT = 80, SHORTER = 40; // milliseconds per picture, multiples of 10 for GIFs
/** @type {Codec[]} */
const CODECS = [{ name: "vp9", full: "vp09.00.41.08" }, { name: "vp8", full: "vp8" }]; // the better codec first
const RATE = 2.3; // bits per pixel and second: 10 s of 720 × 720 fit in 1.5 MB

/** @typedef {{name: "vp9" | "vp8", full: string}} Codec name in Mediabunny and in browsers */
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
 * Return the browser's codec for pictures of a size; undefined if it has none.
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

/** Return the reason why this browser cannot make a video; empty if it can. */
export async function whyNoVideo() {
  if (!hasPart("video.js")) return "This file cannot record videos.";
  if (!globalThis.isSecureContext) return "Browsers record videos only on pages served by https or from this computer.";
  if (!globalThis.VideoEncoder) return "This browser cannot record videos.";
  return (await codecFor(720, 720)) ? "" : "This browser cannot record WebM videos.";
}
