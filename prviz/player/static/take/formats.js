// What a film can be made as, and why not.

import { RemoteGif } from "./remote.js";
import { Video, codecFor } from "./video.js";

const SHORT = 80, SHORTER = 40; // milliseconds of a picture: GIFs count in hundredths of a second

export const FORMATS = {
  gif: {
    name: "GIF", suffix: "gif", type: "image/gif", milliseconds: SHORT,
    hindered: async () => "",
    open: ({ width, height }) => new RemoteGif({ width, height, hundredths: SHORT / 10 }).open(),
  },
  video: {
    name: "Video", suffix: "webm", type: "video/webm", milliseconds: SHORTER,
    hindered: whyNoVideo,
    open: async ({ width, height }) => new Video({
      config: await codecFor(width, height, SHORTER), milliseconds: SHORTER }),
  },
};

/** Why this browser can't make a video here; empty where it can. */
export async function whyNoVideo() {
  if (!globalThis.isSecureContext) return "A browser makes videos only on pages that come by https, or from this computer.";
  if (!globalThis.VideoEncoder) return "This browser can't make videos.";
  return (await codecFor(720, 720, SHORTER)) ? "" : "This browser can't make WebM videos.";
}
