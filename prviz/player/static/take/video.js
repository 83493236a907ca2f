// A WebM video by Mediabunny, with the browser's encoder.

import { BufferTarget, Output, VideoSample, VideoSampleSource, WebMOutputFormat } from "mediabunny";
import { BT709, i420 } from "./yuv.js";

const KEYS = 5; // seconds between keyframes

export class Video {
  /**
   * All pictures have one size, and each lasts a multiple of `milliseconds`; `codec` is a Codec of formats.js.
   * @param {{codec: import("./formats.js").Codec, width: number, height: number, bitrate: number, milliseconds: number}} options
   */
  constructor({ codec, width, height, bitrate, milliseconds }) {
    this.codec = codec;
    this.width = width;
    this.height = height;
    this.bitrate = bitrate;
    this.seconds = milliseconds / 1000;
    /** @type {Output<WebMOutputFormat, BufferTarget> | null} */ this.output = null;
    /** @type {VideoSampleSource | null} */ this.source = null;
    this.times = 0; // pictures passed to the encoder
    /** @type {number[]} */ this.shots = []; // for each encoded frame, the index of its added picture; a picture is encoded one or more times
    /** @type {number[]} */ this.taken = []; // size of each added picture in bytes
  }

  /** Begin the file. */
  async begin() {
    this.close();
    this.times = 0;
    this.shots = [];
    this.taken = [];
    const { codec: { name, full }, bitrate, seconds } = this;
    this.source = new VideoSampleSource({ codec: name, fullCodecString: full, bitrate, bitrateMode: "variable",
      latencyMode: "quality", keyFrameInterval: KEYS,
      onEncodedPacket: ({ byteLength, timestamp }) => {
        this.taken[this.shots[Math.round(timestamp / seconds)]] += byteLength;
      } });
    this.output = new Output({ format: new WebMOutputFormat(), target: new BufferTarget() });
    this.output.addVideoTrack(this.source, { frameRate: 1 / seconds });
    await this.output.start();
  }

  sample() {} // a video needs no palette

  /** Add a picture with a duration. @param {Uint32Array} pixels @param {number} times */
  async add(pixels, times) {
    const { width, height, seconds } = this;
    const data = i420(pixels, width, height);
    const shot = this.taken.push(0) - 1;
    for (let i = 0; i < times; i++) {
      this.shots.push(shot);
      const sample = new VideoSample(data, { format: "I420", codedWidth: width, codedHeight: height,
        timestamp: this.times++ * seconds, duration: seconds, colorSpace: BT709 });
      await this.source?.add(sample); // wait for the encoder
      sample.close();
    }
  }

  /** Return the size of each added picture in bytes. */
  async sizes() {
    await this.output?.finalize();
    return this.taken;
  }

  async finish() {
    await this.output?.finalize();
    return new Uint8Array(this.output?.target.buffer ?? []);
  }

  close() {
    if (this.output?.state === "started") this.output.cancel();
  }
}
