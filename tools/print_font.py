"""Make the font of printed figures, a part of DejaVu Sans: `python -m tools.print_font FILE.ttf`.

Needs fontTools: `pip install fonttools`. A PDF must embed its font, because no font is installed on
every machine.
"""

from __future__ import annotations

import base64
import gzip
import io
import json
import sys
from pathlib import Path

from prviz.player.export.bundle import STATIC

FONT = STATIC / "print" / "font.json"
#: Latin, Greek, superscript and subscript digits, arrows, and the signs that our texts use.
RANGES = (
    *((0x20, 0x7E), (0xA0, 0x17F), (0x391, 0x3C9), (0x3D0, 0x3D6), (0x2010, 0x2027)),
    *((0x202F, 0x2033), (0x2070, 0x208E), (0x2090, 0x209C), (0x20AC, 0x20AC), (0x2190, 0x2195)),
    *((0x2200, 0x2213), (0x2218, 0x221E), (0x2227, 0x222B), (0x2248, 0x2248), (0x2260, 0x2265)),
    *((0x2282, 0x2287), (0x22C5, 0x22C5), (0x27F2, 0x27F3)),
)


def subset(path: Path):
    """Return the font with only the characters of RANGES, without hinting and layout features."""
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    font = TTFont(path, recalcTimestamp=False)
    options = Options(hinting=False, layout_features=[], name_IDs=["*"], notdef_outline=True)
    options.drop_tables += ["GPOS", "GSUB", "GDEF", "kern", "FFTM"]
    part = Subsetter(options)
    part.populate(unicodes=[code for low, high in RANGES for code in range(low, high + 1)])
    part.subset(font)
    return font


def described(font) -> dict[str, str]:
    """Return the font's characters and its compressed file, in the player's format."""
    file = io.BytesIO()
    font.save(file)
    return {
        "characters": "".join(map(chr, font.getBestCmap())),
        "gzip": base64.b64encode(gzip.compress(file.getvalue(), 9, mtime=0)).decode("ascii"),
    }


if __name__ == "__main__":
    made = described(subset(Path(sys.argv[1])))
    FONT.write_text(json.dumps(made, ensure_ascii=False) + "\n", "utf-8")
    print(f"{FONT.name}: {len(made['characters'])} characters, {FONT.stat().st_size:,} bytes")
