// Types shared by the modules, for `tsc --checkJs`; not used at run time.

/** The bundler turns a style sheet into text. */
declare module "*.css" {
  const text: string;
  export default text;
}

/** Registries that outlive a render, and entry points for tests. */
declare var __prvizPlayheads: Map<string, { call: number; index: number; mode: Mode }> | undefined;
declare var __prvizBookmarks: Map<string, number[]> | undefined;
declare var __prvizTheatres: Map<string, import("./player.js").Entry> | undefined;
declare var __prvizZooms: Map<string, any> | undefined;
declare var __prvizNotebook: Set<any> | undefined;
declare var __prvizTour: any;
declare var prvizData: Record<string, any> | undefined;
declare var prviz: typeof import("./index.js");
declare var livePage: any;
declare var __prvizPath: string | undefined;
declare var Plotly: any;
/** The export of `gif.js` outside a worker. */
declare var prvizGif: typeof import("./take/gif.js").Gif;

declare module "gifenc" {
  type Colour = number[];
  export function quantize(rgba: Uint8Array, colours: number): Colour[];
  export function nearestColorIndex(palette: Colour[], colour: Colour): number;
  export function GIFEncoder(): {
    writeFrame(indices: Uint8Array, width: number, height: number, options: Record<string, any>): void;
    bytesView(): Uint8Array;
    bytes(): Uint8Array<ArrayBuffer>;
    finish(): void;
  };
}

/** A level of the schedule, as in `prviz.engine.schedule.Level`; `repeats` is 0 for no limit. */
interface Level { size?: number | "auto" | null; repeats?: number; probability?: number | null; alpha?: number; subset?: string }

/** A field of a frame: `type` in NumPy's notation, `count` values from byte `offset` on. */
interface Field { name: string; type: string; offset: number; count: number }

/** The description of a run and of its frames: `layout_json` of prviz/player/pictures/frames.py. */
interface Layout {
  title: string;
  noun: [one: string, many: string];
  cost: string;
  optimiser: string;
  variables: number;
  levels: Level[];
  best_known?: number | null;
  solved_within?: number | null;
  rounding?: number;
  iteration?: string;
  chance_of?: string;
  /** Names of both searches, if the second search does not make full restarts. */
  names?: { partial: string; full: string };
  frame_bytes: number;
  fields: Field[];
  layers: any[];
  world: { x: [number, number]; y: [number, number] };
  assets?: string[];
  recorded?: string | null;
  algorithm: string[];
  [other: string]: any;
}

/** One decoded step of a call. The table in prviz/player/pictures/frames.py explains the fields. */
interface Frame {
  call: number;
  sub: number;
  iteration: number;
  event: number;
  level: number;
  line: number;
  flags: number;
  cost: number;
  best: number;
  iterations: number;
  seconds: number;
  checkpoints: Float64Array | number[];
  counters: Uint32Array | number[];
  chosen: number[];
  last: boolean;
  newBest: boolean;
  [channel: string]: any;
}

/** The progress of a search, from the server; `outcomes` has one byte per requested call. */
interface Head {
  state: string;
  calls: number;
  total?: number;
  outcomes: Uint8Array;
  bests?: Best[];
  best?: number;
  full?: number | null;
  seconds?: number;
  hash?: string;
  message?: string;
  remaking?: boolean;
  [other: string]: any;
}

/** A call that found a new best, and its cost. */
type Best = [call: number, cost: number];

/** The contents of the first picture. */
interface Opening {
  layout: Layout;
  head: Head;
  frames: ArrayBuffer;
  [other: string]: any;
}

/** The source of a run: see run/source.js. */
interface Source {
  id: string;
  first: number;
  fixed?: boolean;
  ahead?: number;
  held?: Set<number> | null;
  opening(): Promise<Opening>;
  asset(name: string): Promise<ArrayBuffer>;
  frames(call: number, count: number): Promise<ArrayBuffer>;
  keyframes(since: number): Promise<{ generation: string | number | null; buffer: ArrayBuffer }>;
  progress(since: number): Promise<Head>;
  full?(): Promise<ArrayBuffer>;
  command(name: string): Promise<void>;
  curve(): Promise<any>;
  /** The address of Plotly's script. */
  plotly(): string | null | Promise<string>;
  links(): any;
  close(): void;
  script?(): Promise<Script>;
  next?(): Promise<(Source & { opened: Opening | null }) | null>;
  redraw?(text: string): Promise<Source>;
}

/** A component of Streamlit. */
interface Component<Data> {
  parentElement: HTMLElement;
  data: Data;
  key: string;
  setTriggerValue?(name: "event", event: { name: string }): void;
}

type Theatre = ReturnType<typeof import("./stage/theatre.js").mount>;

/** Controls that a link hides or locks, separated by commas. */
interface Held { hide?: string; lock?: string }

/** Two calls: the run plays from the end of one to the end of the other. */
interface Onward { from: number; until: number }

/** Data from a page to its player. */
interface PageOptions {
  /** The calls to play; at the end, the page gets the event "seen". */
  onward?: Onward | null;
  params?: Record<string, string>;
  /** The address of the page. */
  page?: string | null;
  /** Names of other methods that the curve shows. */
  beside?: string;
  /** The reason why no search can start. */
  hindered?: string;
  /** A message about missing data, which replaces the picture. */
  missing?: string;
  /** Whether a recording is shown until Run is pressed, and a function that then makes the source of the live run. */
  preview?: boolean;
  live?: (() => Source) | null;
  /** Whether Algorithm 1 is open. */
  lines?: boolean;
  held?: Held;
  controls?: [name: string, label: string][];
  /** Calls that a link has bookmarked. */
  moments?: string;
  autoplay?: boolean;
}

/** Python code that repeats a run. */
interface Script { name: string; python: string; notebook: string }

type Fetch = (name: string) => Promise<ArrayBuffer>;

/** A run whose picture is shown. */
interface ShownRun {
  projector: import("./run/projector.js").Projector;
  layout: Layout;
  assets: Assets;
  fetch: Fetch;
}

/** The look of a picture: its colours and its visible part. */
interface Look { colours: Colours; zoom: number; centre: Point }

/** A figure in Plotly's format. */
interface PlotlyFigure { data: any[]; layout: Record<string, any> }

/** Draw a figure `width` pixels wide on a canvas context; return its height. */
type Paint = (g: Canvas, width: number, colours: Colours) => number;

/** A figure to print, which is painted or plotted. */
interface PrintFigure {
  name: string;
  file: string;
  words?: { title: string; below: string[] };
  legend?: LegendEntry[];
  paint?: Paint;
  plot?(width: number): PlotlyFigure & { Plotly: any; height: number };
}

/** A printed figure as an SVG document, and its size in pixels. */
interface Page { svg: string; width: number; height: number }

interface PrintFont { base64: string; characters: Set<string> }

/** An encoder of films; its pixels are 32-bit, red in the lowest byte. */
interface Encoder {
  sample(pixels: Uint32Array<ArrayBuffer>): unknown;
  begin(): unknown;
  /** Add a picture for a multiple of the period. */
  add(pixels: Uint32Array<ArrayBuffer>, times: number): Promise<unknown>;
  /** Return the bytes of each picture. */
  sizes(): Promise<number[]>;
  finish(): Promise<Uint8Array<ArrayBuffer>>;
  close(): void;
}

/** A call of a film, with the skipped calls before it and times in milliseconds. */
interface FilmCall { call: number; time: number; left: LeftOut | null; gap: number; hold: number }

/** A picture of a film: its position in the animation, and its number of repetitions. */
interface Shot { scene: number; call: number; index: number; t: number; left: LeftOut | null; times: number }

/** A replay in a page. The outcomes cover the whole run, or only the stored calls. */
interface Inlined {
  layout: Layout;
  assets: Record<string, ArrayBuffer>;
  frames: ArrayBuffer;
  progress: { calls: number; [other: string]: any };
  outcomes: Uint8Array;
  curve: any;
}

/** A failed request. If `gone`, the run has expired, so retrying is useless. */
interface Failure extends Error {
  gone?: boolean;
}

/** A listener for failed requests; `pause` is the time in milliseconds until the next attempt. */
type OnTrouble = (error: Failure, pause: number) => void;

type Direction = 1 | -1;

/** "live" follows the search; "playing" shows every call. */
type Mode = "paused" | "story" | "playing" | "live";

/** The position in a call where a seek ends. */
type Where = "start" | "decision" | "end" | number | ((frames: Frame[]) => number);

/** A line of Algorithm 1, counted from 1, on a level. */
interface Line { line: number; level: number }

/** A call of a story, shown for `time` milliseconds. */
interface Episode { call: number; time: number; end?: boolean; still?: boolean }

/** The position in a story. */
interface Told { call: number; time: number; reverted: boolean; improved: boolean; middle: boolean }

/** Calls that a story skips, and how many of them were kept, new bests and restarts. */
interface LeftOut { calls: number; kept: number; bests: number; restarts: number }

/** A range of calls. */
interface CallRange { first: number; last: number }

/** Full restarts beside a search: their work, and a frame of each new best. */
interface FullRestarts {
  calls: number;
  iterations: number;
  seconds: number;
  frames: Frame[];
}

type Axis = "iterations" | "seconds";

/** Two frames and the position between them. */
interface Moment {
  before: Frame;
  after: Frame;
  /** From 0 to 1. */
  t: number;
  /** The configuration before the call. */
  start: Frame;
  /** The configuration before the redraw. */
  origin: Frame | null;
  /** The frames since the redraw. */
  way: Frame[];
}

/** A moment, or null if there is none yet. */
type Shown = Moment | { [part in keyof Moment]?: undefined };

type Canvas = CanvasRenderingContext2D & { vector?: boolean };
type Assets = Record<string, ArrayBuffer>;

/** A rectangle in pixels. */
interface Box { x: number; y: number; width: number; height: number }

/** A shape in SVG, its word, and text that is added if there is space. */
type LegendEntry = string[];

/** A choice by pointer and keys in a picture. */
interface Choice {
  node: HTMLElement;
  click(x: number, y: number): void;
  key(key: string): string | null;
  close(): boolean;
  focus(on: boolean): void;
  follow(frame: Frame): void;
}

/** A layer of a picture, which the head of scene/layers.js explains. */
interface Layer {
  legend: LegendEntry[];
  draw(g: Canvas, view: PictureView, moment: Shown): void;
  put?(others: Uint16Array): void;
  shape?(room: number): number;
  hint?(x: number, y: number): string;
  tool?: { label: string; title: string; press(moment: Shown): boolean };
  choice?: Choice;
}

type MakeLayer = (spec: any, assets: Assets, fetch: Fetch, wake: () => void) => Layer;

/** Attributes of a node. Names that begin with "on" are listeners. True sets an empty attribute, false omits it. */
interface Attributes {
  onclick?: (event: MouseEvent) => void;
  onpointermove?: (event: PointerEvent) => void;
  onmousedown?: (event: MouseEvent) => void;
  onpointerdown?: (event: PointerEvent) => void;
  onkeydown?: (event: KeyboardEvent) => void;
  onchange?: (event: Event) => void;
  oninput?: (event: Event) => void;
  onclose?: (event: Event) => void;
  [name: string]: any;
}

type Point = [x: number, y: number];

/** The transformation from the unit square of the world to pixels: View in scene/scene.js. */
interface PictureView {
  x(u: number): number;
  y(v: number): number;
  width: number;
  height: number;
  ratio: number;
  zoom: number;
  aspect: number;
  colours: Colours;
  theme: string;
  readonly scale: number;
  readonly marks: number;
  least?: number; // smallest size of labels, as a multiple of the font size
  readonly key: string;
}

/** Colours of the theme, by name, with the font and its size in pixels. */
interface Colours { font: string; small: number; [shade: string]: any }
