// A PDF of one page: its objects, streams and the table of where they are (ISO 32000-1).

const ENCODER = new TextEncoder();

export class Pdf {
  /** `font` as print/type.js has it; `size`: of the page in points. */
  constructor(font, size) {
    Object.assign(this, { font, size });
    this.objects = []; // text or bytes each
    this.resources = { ExtGState: new Map(), XObject: new Map() };
    this.used = new Map(); // glyph → character, of those that stand in the page
  }

  add(body) {
    this.objects.push(body);
    return this.objects.length; // numbers begin with 1
  }

  /** The name of a state in which what is painted lets the ground through. */
  opacity(fill, stroke) {
    const states = this.resources.ExtGState;
    const key = `<< /Type /ExtGState /ca ${fill} /CA ${stroke} >>`;
    if (!states.has(key)) states.set(key, { name: `G${states.size + 1}`, number: this.add(key) });
    return states.get(key).name;
  }

  /** The name of a picture of RGBA bytes. */
  async picture(key, { width, height, data }, smooth) {
    const names = this.resources.XObject;
    if (names.has(key)) return names.get(key).name;
    const rgb = new Uint8Array(3 * width * height), alpha = new Uint8Array(width * height);
    for (let i = 0; i < alpha.length; i++) {
      rgb.set(data.subarray(4 * i, 4 * i + 3), 3 * i);
      alpha[i] = data[4 * i + 3];
    }
    const about = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8`
      + ` /Interpolate ${smooth}`;
    let mask = "";
    if (alpha.some((value) => value < 255)) {
      mask = ` /SMask ${this.add(await stream(`${about} /ColorSpace /DeviceGray`, alpha))} 0 R`;
    }
    const number = this.add(await stream(`${about} /ColorSpace /DeviceRGB${mask}`, rgb));
    names.set(key, { name: `I${number}`, number });
    return `I${number}`;
  }

  /** The code of a character in the font, in hexadecimal; null if it has none. */
  code(character) {
    const found = this.font.table.get(character);
    if (!found) return null;
    this.used.set(found.glyph, { character, width: found.width });
    return found.glyph.toString(16).padStart(4, "0");
  }

  /** The file. */
  async bytes(content, title, creator) {
    const [width, height] = this.size.map(short);
    const page = this.add(await stream("", ENCODER.encode(content)));
    const font = await this.addFont();
    const named = Object.entries(this.resources).map(([kind, found]) => {
      const entries = [...found.values()].map(({ name, number }) => `/${name} ${number} 0 R`);
      return `/${kind} << ${entries.join(" ")} >>`;
    });
    const pages = this.objects.length + 2;
    this.add(`<< /Type /Page /Parent ${pages} 0 R /MediaBox [0 0 ${width} ${height}] /Contents ${page} 0 R `
      + `/Resources << /Font << /F1 ${font} 0 R >> ${named.join(" ")} >> >>`);
    this.add(`<< /Type /Pages /Kids [${pages - 1} 0 R] /Count 1 >>`);
    const root = this.add(`<< /Type /Catalog /Pages ${pages} 0 R /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>`);
    const made = new Date().toISOString().replace(/[-:T]/g, "").slice(0, 14);
    const info = this.add(`<< /Title ${utf16(title)} /Creator ${utf16(creator)} /CreationDate (D:${made}Z) >>`);
    return this.file(root, info);
  }

  /** The font, of which all is in the file; what was written can be copied out of it again. */
  async addFont() {
    const { name, ascent, descent, box, packed, length } = this.font;
    const base = `/PRVIZA+${name}`; // six letters say that it is a part of the font
    const used = [...this.used].sort(([a], [b]) => a - b);
    const file = this.add(join([`<< /Length ${packed.length} /Length1 ${length} /Filter /FlateDecode >>\nstream\n`,
      packed, "\nendstream"]));
    const about = this.add(`<< /Type /FontDescriptor /FontName ${base} /Flags 32 /FontBBox [${box.join(" ")}] /ItalicAngle 0 `
      + `/Ascent ${ascent} /Descent ${descent} /CapHeight 729 /StemV 90 /FontFile2 ${file} 0 R >>`);
    const widths = used.map(([glyph, { width }]) => `${glyph} [${width}]`).join(" ");
    const glyphs = this.add(`<< /Type /Font /Subtype /CIDFontType2 /BaseFont ${base} /CIDToGIDMap /Identity /DW 600 `
      + `/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor ${about} 0 R /W [${widths}] >>`);
    const meaning = this.add(await stream("", ENCODER.encode(unicode(used))));
    return this.add(`<< /Type /Font /Subtype /Type0 /BaseFont ${base} /Encoding /Identity-H /DescendantFonts [${glyphs} 0 R] `
      + `/ToUnicode ${meaning} 0 R >>`);
  }

  file(root, info) {
    const parts = [Uint8Array.from([...ENCODER.encode("%PDF-1.7\n%"), 0xe2, 0xe3, 0xcf, 0xd3, 10])];
    const places = [];
    let at = parts[0].length;
    this.objects.forEach((body, i) => {
      places.push(at);
      const whole = join([`${i + 1} 0 obj\n`, body, "\nendobj\n"]);
      parts.push(whole);
      at += whole.length;
    });
    const rows = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`);
    parts.push(`xref\n0 ${places.length + 1}\n0000000000 65535 f \n${rows.join("")}`
      + `trailer\n<< /Size ${places.length + 1} /Root ${root} 0 R /Info ${info} 0 R >>\nstartxref\n${at}\n%%EOF\n`);
    return join(parts);
  }
}

/** A number as a PDF takes it: without an exponent. */
export function short(value) {
  return String(Math.round(1000 * value) / 1000);
}

/** Which characters the glyphs stand for (Adobe Technical Note 5411), a hundred at a time. */
function unicode(used) {
  const hex = (number) => number.toString(16).padStart(4, "0");
  const blocks = [];
  for (let i = 0; i < used.length; i += 100) {
    const some = used.slice(i, i + 100).map(([glyph, { character }]) => `<${hex(glyph)}> <${hex(character.codePointAt(0))}>`);
    blocks.push(`${some.length} beginbfchar\n${some.join("\n")}\nendbfchar\n`);
  }
  return "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo << /Registry (Adobe) "
    + "/Ordering (UCS) /Supplement 0 >> def\n/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n1 begincodespacerange\n"
    + `<0000> <ffff>\nendcodespacerange\n${blocks.join("")}endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n`;
}

/** A text string, in which every character may stand. */
function utf16(text) {
  const units = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i).toString(16).padStart(4, "0"));
  return `<feff${units.join("")}>`;
}

async function stream(about, bytes) {
  const packing = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  const packed = new Uint8Array(await new Response(packing).arrayBuffer());
  return join([`<< ${about} /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`, packed, "\nendstream"]);
}

function join(parts) {
  const pieces = parts.map((part) => (typeof part === "string" ? ENCODER.encode(part) : part));
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
