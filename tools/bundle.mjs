// Build the player's scripts: `npm run build` writes prviz/player/static/dist, `-- --watch` builds
// again after every change. dist/ is committed, so prviz runs without Node.js.

import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as esbuild from "esbuild";

const STATIC = "prviz/player/static";
const DIST = join(STATIC, "dist");
const LICENCE = /^licen[cs]e([-.]\w+)*$/i;
const PACKAGE = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const OPTIONAL = ["canvg", "dompurify", "html2canvas"]; // jsPDF loads these for features that we do not use

const shared = {
  bundle: true, minify: true, charset: "utf8", target: "es2023", legalComments: "none", metafile: true,
  outdir: DIST, loader: { ".css": "text" }, external: OPTIONAL, logLevel: "info",
  plugins: [{ name: "notices", setup: (build) => build.onEnd(describe) }],
};
const player = { ...shared, entryPoints: { player: `${STATIC}/index.js` }, format: "iife", globalName: "prviz" };
const parts = { ...shared, format: "esm", entryPoints: {
  font: `${STATIC}/print/font.json`, pdf: `${STATIC}/print/pdf.js`, video: `${STATIC}/take/video.js`,
} };
const worker = { ...shared, format: "iife", entryPoints: {
  gif: `${STATIC}/take/gif.js`, live: `${STATIC}/live/worker.js`, site: `${STATIC}/site/index.js`,
  runner: `${STATIC}/class/runner.js`,
} };
const pages = { ...shared, format: "esm", entryPoints: {
  phone: `${STATIC}/class/phone.js`, panel: `${STATIC}/class/panel.js`, notes: `${STATIC}/class/notes.js`,
} };
const builds = [player, parts, worker, pages];
const notices = new Map(); // licences of all packages by name

/** Add each package's licence to the scripts that contain the package; then write the list of licences
 * and the hash of the sources. */
async function describe({ metafile, errors }) {
  if (errors.length) return;
  for (const [path, { inputs }] of Object.entries(metafile.outputs)) {
    const names = new Set(Object.keys(inputs).map((input) => PACKAGE.exec(input)?.[1]).filter(Boolean));
    for (const name of names) notices.set(name, await noticeOf(name));
    const texts = [...names].sort().map((name) => notices.get(name)).map(({ head, text }) => `${head}\n${text}`);
    if (texts.length) await appendFile(path, `/*!\n${texts.join("\n").replaceAll("*/", "* /")}*/\n`);
  }
  const all = [...notices.keys()].sort().map((name) => notices.get(name)).map(({ head, whole }) => `${head}\n${whole}`);
  const font = await readFile(join(STATIC, "print/font-licence.txt"), "utf8");
  const rule = `${"-".repeat(80)}\n`;
  await writeFile(join(DIST, "THIRD_PARTY.txt"), ["gif.js, pdf.js and video.js contain the packages below. font.js contains the font below.\n",
    ...all, `DejaVu Sans (a subset)\n\n${font}`].join(rule));
  await writeFile(join(DIST, "SOURCES.sha256"), `${await hash()}\n`);
}

/** Return a package's name and licence. For a long licence (MPL-2.0), `text` is only its web address,
 * for the scripts. */
async function noticeOf(name) {
  const folder = join("node_modules", name);
  const { version, license, repository } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const file = (await readdir(folder)).find((entry) => LICENCE.test(entry));
  const whole = file ? `${(await readFile(join(folder, file), "utf8")).trim()}\n` : "";
  const source = (repository?.url ?? repository ?? "").replace(/^git\+|\.git$/g, "");
  const head = `${name} ${version} (${license}), source: ${source}\n`;
  return { head, whole, text: license === "MPL-2.0" ? "https://mozilla.org/MPL/2.0/\n" : whole };
}

/** Return the SHA-256 of all sources of the scripts; tests/player/test_bundle.py compares it with the file. */
async function hash() {
  const entries = await readdir(STATIC, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !path.startsWith(DIST) && /\.(css|js|json)$/.test(path));
  const found = createHash("sha256");
  for (const path of [...paths.sort(), "package-lock.json", "tools/bundle.mjs"]) found.update(await readFile(path));
  return found.digest("hex");
}

await rm(DIST, { recursive: true, force: true });
await mkdir(DIST, { recursive: true });
if (process.argv.includes("--watch")) {
  for (const options of builds) await (await esbuild.context(options)).watch();
} else {
  for (const options of builds) await esbuild.build(options);
}
