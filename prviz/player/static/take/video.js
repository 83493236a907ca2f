// @ts-nocheck -- a library is to replace this module
// A video: the browser's encoder, and what it makes put into a file.

import { BT709, i420 } from "./yuv.js";
import { webm } from "./webm.js";

const CODECS = { "vp09.00.41.08": "V_VP9", vp8: "V_VP8" }; // the better one first
const KEYS = 5000; // milliseconds from one picture that needs none before it to the next
const AHEAD = 4; // pictures that wait for the encoder
const RATE = 2.3; // bits a pixel and second: 10 s of 720 × 720 fit in 1.5 MB

/** The codec that a browser has for pictures of a size, as its configuration; or null. */
export async function codecFor(width, height, milliseconds) {
  for (const codec of Object.keys(CODECS)) {
    const config = { codec, width, height, framerate: 1000 / milliseconds,
      bitrate: Math.round(RATE * width * height), bitrateMode: "variable", latencyMode: "quality" };
    const found = await VideoEncoder.isConfigSupported(config).catch(() => null);
    if (found?.supported) return config;
  }
  return null;
}

export class Video {
  /** Pictures of one size, each for so many `milliseconds`. */
  constructor({ config, milliseconds }) {
    Object.assign(this, { config, milliseconds });
    this.begin();
  }

  /** From the first picture on. */
  begin() {
    this.close();
    this.pictures = [];
    this.times = 0; // pictures given to the encoder
    this.shots = []; // and which of those added each is
    this.added = 0;
    this.failed = null;
    this.encoder = new VideoEncoder({
      output: (chunk) => {
        const bytes = new Uint8Array(chunk.byteLength);
        chunk.copyTo(bytes);
        this.pictures.push({ bytes, key: chunk.type === "key", at: chunk.timestamp / 1000 });
      },
      error: (error) => {
        this.failed = error;
        this.wake?.();
      },
    });
    this.encoder.ondequeue = () => this.wake?.();
    this.encoder.configure(this.config);
  }

  sample() {} // it has all colours

  /** A picture that stays so many times as long. */
  async add(pixels, times) {
    const { width, height } = this.config;
    const data = i420(pixels, width, height);
    for (let i = 0; i < times; i++) {
      await this.ready();
      const at = this.times * this.milliseconds;
      const frame = new VideoFrame(data, { format: "I420", codedWidth: width, codedHeight: height,
        timestamp: 1000 * at, duration: 1000 * this.milliseconds, colorSpace: BT709 });
      this.encoder.encode(frame, { keyFrame: at % KEYS === 0 });
      frame.close();
      this.shots.push(this.added);
      this.times++;
    }
    this.added++;
  }

  /** Until the encoder keeps up. */
  async ready() {
    while (!this.failed && this.encoder.encodeQueueSize > AHEAD) {
      await new Promise((resolve) => (this.wake = resolve));
    }
    if (this.failed) throw this.failed;
  }

  /** The bytes that each of those added has taken. */
  async sizes() {
    await this.encoder.flush();
    const sizes = new Array(this.added).fill(0);
    this.pictures.forEach(({ bytes }, i) => (sizes[this.shots[i]] += bytes.length));
    return sizes;
  }

  async finish() {
    await this.encoder.flush();
    const { codec, width, height } = this.config;
    return webm({ codec: CODECS[codec], width, height, colours: BT709, each: this.milliseconds, pictures: this.pictures });
  }

  close() {
    if (this.encoder && this.encoder.state !== "closed") this.encoder.close();
  }
}
