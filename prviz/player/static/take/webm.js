// A film of pictures that a browser has encoded, as a WebM file: Matroska's elements, each an id, a
// size and what it holds. All sizes are known, so that any player can go to any second of it.

import { Bytes } from "./bytes.js";

const ID = {
  EBML: 0x1a45dfa3, EBMLVersion: 0x4286, EBMLReadVersion: 0x42f7, EBMLMaxIDLength: 0x42f2,
  EBMLMaxSizeLength: 0x42f3, DocType: 0x4282, DocTypeVersion: 0x4287, DocTypeReadVersion: 0x4285,
  Segment: 0x18538067, Info: 0x1549a966, TimestampScale: 0x2ad7b1, Duration: 0x4489,
  MuxingApp: 0x4d80, WritingApp: 0x5741,
  Tracks: 0x1654ae6b, TrackEntry: 0xae, TrackNumber: 0xd7, TrackUID: 0x73c5, TrackType: 0x83,
  FlagLacing: 0x9c, CodecID: 0x86, DefaultDuration: 0x23e383, Video: 0xe0, PixelWidth: 0xb0, PixelHeight: 0xba,
  Colour: 0x55b0, MatrixCoefficients: 0x55b1, Range: 0x55b9, TransferCharacteristics: 0x55ba, Primaries: 0x55bb,
  Cues: 0x1c53bb6b, CuePoint: 0xbb, CueTime: 0xb3, CueTrackPositions: 0xb7, CueTrack: 0xf7, CueClusterPosition: 0xf1,
  Cluster: 0x1f43b675, Timestamp: 0xe7, SimpleBlock: 0xa3,
};
const SIZE = 8; // bytes in which sizes are written
const MILLISECOND = 1e6; // in nanoseconds, the unit of times
const LONGEST = 30000; // milliseconds of a cluster: times in it have two bytes
const KEY = 0x80; // of a picture that needs none before it
const UID = 1;
// Numbers of ITU-T H.273 for what encoders call so; 2 says nothing.
const MATRICES = { bt709: 1, bt470bg: 5, smpte170m: 6 }, TRANSFERS = { bt709: 1, smpte170m: 6, "iec61966-2-1": 13 };
const PRIMARIES = { bt709: 1, bt470bg: 5, smpte170m: 6 };

/**
 * The file. `pictures` are {bytes, key, at} in order, `at` in milliseconds, the first of them a key;
 * `codec` is Matroska's name, such as "V_VP9", `colours` a VideoColorSpace, and `each` how long a
 * picture stays.
 */
export function webm({ codec, width, height, colours, each, pictures }) {
  const until = pictures.at(-1).at + each;
  const head = element("EBML", [
    number("EBMLVersion", 1), number("EBMLReadVersion", 1), number("EBMLMaxIDLength", 4),
    number("EBMLMaxSizeLength", 8), text("DocType", "webm"), number("DocTypeVersion", 4), number("DocTypeReadVersion", 2),
  ]);
  const info = element("Info", [number("TimestampScale", MILLISECOND), float("Duration", until),
    text("MuxingApp", "prviz"), text("WritingApp", "prviz")]);
  const tracks = element("Tracks", [element("TrackEntry", [
    number("TrackNumber", 1), number("TrackUID", UID), number("TrackType", 1), number("FlagLacing", 0),
    text("CodecID", codec), number("DefaultDuration", Math.round(each * MILLISECOND)),
    element("Video", [number("PixelWidth", width), number("PixelHeight", height), ...colour(colours)]),
  ])]);
  const groups = clusters(pictures);
  const cues = (from) => { // the places of the clusters, which lie after this
    let at = from;
    return element("Cues", groups.map(({ first, bytes }) => {
      const place = element("CueTrackPositions", [number("CueTrack", 1), number("CueClusterPosition", at)]);
      at += bytes.length;
      return element("CuePoint", [number("CueTime", first), place]);
    }));
  };
  const before = info.length + tracks.length;
  const index = cues(before + cues(0).length); // numbers have one size, so it is as long
  const segment = element("Segment", [info, tracks, index, ...groups.map(({ bytes }) => bytes)]);
  return joined([head, segment]);
}

/** How colours are written: players guess otherwise, and make black of what is dark. */
function colour(space) {
  if (!space) return [];
  const { matrix, transfer, primaries, fullRange } = space;
  return [element("Colour", [number("MatrixCoefficients", MATRICES[matrix] ?? 2), number("Range", fullRange ? 2 : 1),
    number("TransferCharacteristics", TRANSFERS[transfer] ?? 2), number("Primaries", PRIMARIES[primaries] ?? 2)])];
}

/** Pictures from one key to the next, but no longer than times in them can tell: {first, bytes}. */
function clusters(pictures) {
  const groups = [];
  for (const picture of pictures) {
    const open = groups.at(-1);
    if (!open || picture.key || picture.at - open[0].at > LONGEST) groups.push([picture]);
    else open.push(picture);
  }
  return groups.map((group) => {
    const first = Math.round(group[0].at);
    const blocks = group.map(({ bytes, key, at }) => {
      const after = Math.round(at) - first;
      return element("SimpleBlock", [[0x81, after >> 8, after & 255, key ? KEY : 0], bytes]);
    });
    return { first, bytes: element("Cluster", [number("Timestamp", first), ...blocks]) };
  });
}

function element(name, parts) {
  const content = joined(parts);
  return joined([bigEndian(ID[name]), [0x01, ...bigEndian(content.length, SIZE - 1)], content]);
}

function number(name, value) {
  return element(name, [bigEndian(value, SIZE)]);
}

function float(name, value) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return element(name, [bytes]);
}

function text(name, value) {
  return element(name, [new TextEncoder().encode(value)]);
}

/** The bytes of a number, the highest first: so many, or as many as it has. */
function bigEndian(value, size = Math.ceil(Math.log2(value + 1) / 8)) {
  return Array.from({ length: size }, (_, i) => Math.floor(value / 256 ** (size - 1 - i)) % 256);
}

function joined(parts) {
  const bytes = new Bytes();
  for (const part of parts) bytes.append(part);
  return bytes.done();
}
