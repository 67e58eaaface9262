"""The fonts that tile faces are drawn with, and the command that collects them.

``python -m datasets.assets`` fetches the packages named in ``fonts/wanted.tsv`` through npm and apt, cuts each
font down to the glyphs that tiles need, drops those that do not look like a tile's figures, and writes them to
``.assets/fonts`` with a manifest (about 2 MB in all). Without that cache, the few fonts committed under
``datasets/fonts`` are used. Needs ``fonttools[woff]``, npm and, for the Debian fonts, apt-get.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from datasets.icons import font_of_icons

__all__ = ["Font", "assets_dir", "collect", "font_family_is_heldout", "font_family_is_reserved", "fonts"]
__all__ += ["symbol_fonts"]

_HERE: Final = Path(__file__).resolve().parent
COMMITTED: Final = _HERE / "fonts"
"""Folder of the fonts that come with the repository."""
WANTED: Final = COMMITTED / "wanted.tsv"
"""Table of what to collect: source, package, style, clan, files."""

_FIGURES: Final = "0123456789AJQKOER.JOKERjoker"
_ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.&-"
JOKER_SYMBOLS: Final = (
    "☺☻★☀☾♛♚☠⚝✪✿❀☯⚡♞🃏🤡😀😁😂😃😄😆😈😉😊😋😎😏😛😜🤓🤠🦊🐱🐵🐸🐻🦁🐼🐯🐰🦉👑🎭🌞🌝🌛💀👽👻🤖🧙🦄🐉"
)
"""Symbols that some joker faces show, where a symbol font holds them."""
_HOLES: Final = {"0": (1,), "1": (0,), "2": (0,), "3": (0,), "4": (0, 1), "5": (0,), "6": (1,), "7": (0,)} | {
    "8": (2,),
    "9": (1,),
}
_PICTURES: Final = frozenset({"symbols", "icons"})
_LOGO_STYLES: Final = frozenset({"serif", "slab", "hand", "display", "rounded"})


@dataclass(frozen=True, slots=True)
class Font:
    """One face of a font, cut down to what tiles need."""

    path: Path
    """The file."""
    name: str
    """Its own name with the weight, ``inter-700``."""
    clan: str
    """The family in the widest sense: fonts that share their figures share a clan. Splits go by clan."""
    style: str
    """Class: grotesque, humanist, geometric, rounded, condensed, din, slab, serif, mono, hand, display,
    stencil, symbols, icons."""
    licence: str
    """SPDX name, or the package whose copyright file tells."""
    letters: bool
    """True when it holds the whole Latin alphabet, for words."""


def assets_dir() -> Path:
    """Return the folder for collected assets: ``TILEREF_ASSETS``, else ``.assets`` beside the packages."""
    return Path(os.environ.get("TILEREF_ASSETS", _HERE.parent / ".assets"))


def font_family_is_heldout(clan: str) -> bool:
    """Tell whether a clan is kept out of training: every seventh by its name's digest, so lists may grow."""
    return _digest(clan)[0] % 7 == 0


def font_family_is_reserved(clan: str) -> bool:
    """Tell whether a clan is one of the half of the held-out ones that no weights ever learn."""
    return font_family_is_heldout(clan) and _digest(clan)[1] % 2 == 0


def _digest(clan: str) -> bytes:
    return hashlib.sha1(clan.encode(), usedforsecurity=False).digest()


@lru_cache(maxsize=4)
def _read_manifests(folders: tuple[Path, ...]) -> tuple[Font, ...]:
    found: dict[str, Font] = {}
    for folder in folders:
        manifest = folder / "manifest.tsv"
        if not manifest.is_file():
            continue
        for line in manifest.read_text(encoding="utf-8").splitlines()[1:]:
            file, name, clan, style, licence, letters = line.split("\t")
            found.setdefault(name, Font(folder / file, name, clan, style, licence, letters == "1"))
    return tuple(found[name] for name in sorted(found))


def _folders(committed_only: bool) -> tuple[Path, ...]:
    return (COMMITTED,) if committed_only else (COMMITTED, assets_dir() / "fonts")


_SPLITS: Final[Mapping[str, Callable[[str], bool]]] = MappingProxyType(
    {
        "train": lambda clan: not font_family_is_heldout(clan),
        "heldout": font_family_is_heldout,
        "final": lambda clan: True,
        "ship": lambda clan: not font_family_is_reserved(clan),
        "reserved": font_family_is_reserved,
    }
)
"""Whether a clan belongs to a split of ``design_families.Split``."""


@lru_cache(maxsize=16)
def _of_split(folders: tuple[Path, ...], split: str) -> tuple[Font, ...]:
    return tuple(
        font for font in _read_manifests(folders) if font.style not in _PICTURES and _SPLITS[split](font.clan)
    )


def fonts(split: str = "final", *, committed_only: bool = False) -> tuple[Font, ...]:
    """Return the numeral fonts of a split, see ``design_families.Split``, by name.

    Raises ValueError for another split.
    """
    if split not in _SPLITS:
        raise ValueError(f"a split is {', '.join(_SPLITS)}, not {split!r}")
    return _of_split(_folders(committed_only), split)


def symbol_fonts(style: str = "symbols", *, committed_only: bool = False) -> tuple[Font, ...]:
    """Return the fonts that hold pictures instead of figures, ``symbols`` or ``icons``; maybe none."""
    return tuple(font for font in _read_manifests(_folders(committed_only)) if font.style == style)


# ---------------------------------------------------------------- collecting


def _npm_files(folder: Path) -> list[tuple[str, Path]]:
    """Return (weight, file) of a fontsource package: bold, the heaviest and a medium, upright, Latin."""
    pattern = re.compile(r"-(latin|symbols|0)-(\d+)-normal\.woff$")
    by_weight: dict[int, Path] = {}
    for file in sorted((folder / "files").glob("*-normal.woff")):
        match = pattern.search(file.name)
        if match:
            by_weight[int(match.group(2))] = file
    heavy = [w for w in by_weight if w >= 500] or sorted(by_weight)[-1:]
    chosen = {max(heavy), min(heavy, key=lambda w: abs(w - 700)), min(heavy, key=lambda w: abs(w - 500))}
    return [(str(weight), by_weight[weight]) for weight in sorted(chosen)]


def _lining_figures(font: object) -> None:
    """Let the digits be lining ones where the font's own are old-style and it has the others."""
    from fontTools.ttLib import TTFont

    assert isinstance(font, TTFont)
    if "GSUB" not in font or font["GSUB"].table.FeatureList is None:
        return
    table = font["GSUB"].table
    swaps: dict[str, str] = {}
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag == "lnum":
            for index in record.Feature.LookupListIndex:
                for sub in table.LookupList.Lookup[index].SubTable:
                    swaps.update(getattr(getattr(sub, "ExtSubTable", sub), "mapping", {}))
    for cmap in font["cmap"].tables:
        for digit in range(ord("0"), ord("9") + 1):
            if digit in cmap.cmap:
                cmap.cmap[digit] = swaps.get(cmap.cmap[digit], cmap.cmap[digit])


def _cut(source: Path, target: Path, text: str) -> None:
    """Write the part of ``source`` that draws ``text`` as a woff without hints or layout tables."""
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    options = Options(hinting=False, layout_features=[], name_IDs=[0, 13, 14], notdef_outline=False)
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "STAT", "DSIG", "BASE", "kern", "meta", "FFTM"]
    options.ignore_missing_unicodes = True
    font = TTFont(source, lazy=True)
    _lining_figures(font)
    subsetter = Subsetter(options)
    subsetter.populate(text=text)
    subsetter.subset(font)
    font.flavor = "woff"
    font.save(target)
    font.close()


def _ink(font: ImageFont.FreeTypeFont, text: str) -> np.ndarray:
    canvas = Image.new("L", (400, 400))
    ImageDraw.Draw(canvas).text((100, 300), text, fill=255, font=font, anchor="ls")
    return np.asarray(canvas) > 127


def _pieces(mask: np.ndarray, connectivity: int) -> int:
    """Count connected parts, specks of a few pixels aside."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=connectivity)
    return int((stats[1:, cv2.CC_STAT_AREA] > 25).sum())


def looks_like_figures(path: Path, *, stencil: bool = False) -> str | None:
    """Return why a font cannot stand on a tile (old-style, slashed, outlined figures), or None if it can."""
    font = ImageFont.truetype(str(path), 150)
    heights = []
    for digit, holes in _HOLES.items():
        ink = _ink(font, digit)
        if ink.sum() < 200:
            return f"no {digit}"
        rows = np.flatnonzero(ink.any(axis=1))
        heights.append(rows[-1] - rows[0])
        parts, gaps = _pieces(ink, 8), _pieces(~ink, 4) - 1
        if not stencil and (parts != 1 or gaps not in holes):
            return f"{digit} has {parts} parts and {gaps} holes"
    if max(heights) > 1.2 * min(heights):
        return "figures of uneven height"
    return None


def _sources(work: Path) -> Iterator[tuple[str, str, str, str, Path]]:
    """Fetch all packages below ``work``; yield (name, clan, style, licence, file)."""
    rows = [line.split("\t") for line in WANTED.read_text(encoding="utf-8").splitlines()[1:]]
    npm = [row for row in rows if row[0] == "npm"]
    apt = [row for row in rows if row[0] == "apt"]
    (work / "package.json").write_text('{"name": "fonts", "version": "1.0.0"}')
    npm_command = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    for start in range(0, len(npm), 60):
        subprocess.run([*npm_command, *(row[1] for row in npm[start : start + 60])], cwd=work, check=True)
    for _, package, style, clan, _files in npm:
        folder = work / "node_modules" / package
        licence = str(json.loads((folder / "package.json").read_text(encoding="utf-8")).get("license", "?"))
        if style == "icons":
            font_of_icons(folder, work / f"{clan}.woff")
            yield clan, clan, style, licence, work / f"{clan}.woff"
            continue
        for weight, file in _npm_files(folder):
            yield f"{package.split('/')[1]}-{weight}", clan, style, licence, file
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        print("apt-get is missing here: the Debian fonts are left out", file=sys.stderr)
        return
    for package in sorted({row[1] for row in apt}):
        if subprocess.run(["apt-get", "download", package], cwd=work, check=False).returncode:
            print(f"{package} could not be fetched; run apt-get update first", file=sys.stderr)
    for deb in sorted(work.glob("*.deb")):
        subprocess.run(["dpkg-deb", "-x", deb.name, str(work / deb.name.split("_")[0])], cwd=work, check=True)
    for _, package, style, clan, files in apt:
        for name in files.split():
            for file in sorted((work / package).rglob(name))[:1]:
                yield file.stem.lower().replace(" ", "-"), clan, style, f"Debian {package}", file


def collect(target: Path) -> tuple[int, int]:
    """Fetch and cut all wanted fonts into ``target``; return how many were kept and how many refused.

    Raises subprocess.CalledProcessError when a package client fails.
    """
    target.mkdir(parents=True, exist_ok=True)
    lines, refused, with_letters = ["file\tname\tclan\tstyle\tlicence\tletters"], 0, set()
    with tempfile.TemporaryDirectory(prefix="fonts-") as work:
        for name, clan, style, licence, file in _sources(Path(work)):
            letters = style in _LOGO_STYLES and clan not in with_letters
            text = JOKER_SYMBOLS if style == "symbols" else _ALPHABET if letters else _FIGURES
            path = target / f"{name}.woff"
            if style == "icons":
                shutil.copy(file, path)
            else:
                _cut(file, path, text)
            why = None if style in _PICTURES else looks_like_figures(path, stencil=style == "stencil")
            if why is not None:
                path.unlink()
                refused += 1
                print(f"left out {name}: {why}")
                continue
            if letters:
                with_letters.add(clan)
            lines.append("\t".join((path.name, name, clan, style, licence, str(int(letters)))))
    (target / "manifest.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(lines) - 1, refused


def main() -> None:
    """Collect the fonts into the assets folder."""
    parser = argparse.ArgumentParser(description="Collect the fonts for rendered tiles into .assets/fonts.")
    parser.add_argument("--out", type=Path, default=assets_dir() / "fonts", help="folder to fill")
    kept, refused = collect(parser.parse_args().out)
    print(f"{kept} fonts kept, {refused} left out")


if __name__ == "__main__":
    main()
