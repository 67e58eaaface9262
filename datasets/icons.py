"""Makes a font of a collection of icons, so that jokers can show thousands of drawings.

The collection comes as one JSON of SVG paths (an Iconify package). Names that say a numeral, a die, a card or
one of the jokers kept out of training are left out, and what is too thin, too wide or too full for a joker.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

__all__ = ["FIRST_ICON", "font_of_icons"]

FIRST_ICON: Final = 0xF0000
"""Code of the first icon; the others follow."""

_LEFT_OUT: Final = re.compile(
    r"\b(sun|sunrise|sunset|sunbeams|sunflower|crown|crowned|king|queen|prince|emperor|empress|pope|wizard|mage"
    r"|magician|beard|clock|watch|stopwatch|sundial|dice|dices|domino|card|rank|battery|tally|level|abacus|eight"
    r"|seven|yin|d\d+|[a-z]*\d+[a-z]*)\b"
)
_STILL_IN: Final = re.compile(r"^(abstract|tarot|skateboarding)-")
_ASPECT: Final = (0.6, 1.6)
_FULL: Final = (0.12, 0.8)


def _fit(name: str) -> bool:
    words = name.replace("-", " ")
    if _STILL_IN.match(name):
        words = re.sub(r"\d+", "", words)
    return _LEFT_OUT.search(words) is None


def font_of_icons(package: Path, target: Path) -> int:
    """Write the icons of an Iconify ``package`` as the font ``target`` (woff); return how many.

    Raises OSError or ValueError for a package that is none.
    """
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.areaPen import AreaPen
    from fontTools.pens.boundsPen import BoundsPen
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.recordingPen import RecordingPen
    from fontTools.pens.transformPen import TransformPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen
    from fontTools.svgLib.path import parse_path

    told = json.loads((package / "icons.json").read_text(encoding="utf-8"))
    side = int(told.get("height", 512))
    glyphs = {".notdef": TTGlyphPen(None).glyph()}
    codes: dict[int, str] = {}
    for name, icon in sorted(told["icons"].items()):
        paths = re.findall(r'\sd="([^"]+)"', icon["body"])
        if len(paths) != 1 or not _fit(name):
            continue
        drawn = RecordingPen()
        parse_path(paths[0], drawn)
        # A filled path is closed, whether it says so or not.
        drawn.value = [("closePath", ()) if what == "endPath" else (what, to) for what, to in drawn.value]
        bounds, area = BoundsPen(None), AreaPen(None)
        drawn.replay(bounds)
        drawn.replay(area)
        if bounds.bounds is None:
            continue
        wide, tall = bounds.bounds[2] - bounds.bounds[0], bounds.bounds[3] - bounds.bounds[1]
        full = abs(area.value) / side**2
        if not (_ASPECT[0] < wide / max(tall, 1) < _ASPECT[1] and _FULL[0] < full < _FULL[1]):
            continue
        pen = TTGlyphPen(None)
        # SVG's y runs down, a font's up.
        drawn.replay(TransformPen(Cu2QuPen(pen, 0.6), (2, 0, 0, -2, 0, 2 * side)))
        codes[FIRST_ICON + len(codes)] = name
        glyphs[name] = pen.glyph()
    font = FontBuilder(2 * side, isTTF=True)
    font.setupGlyphOrder(list(glyphs))
    font.setupCharacterMap(codes)
    font.setupGlyf(glyphs)
    font.setupHorizontalMetrics(dict.fromkeys(glyphs, (2 * side, 0)))
    font.setupHorizontalHeader(ascent=2 * side, descent=0)
    font.setupOS2(sTypoAscender=2 * side)
    font.setupPost(keepGlyphNames=False)
    font.font.flavor = "woff"
    font.save(target)
    return len(codes)
