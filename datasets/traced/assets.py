"""The fonts and light probes of path-traced pictures, and the command that collects them.

``python -m datasets.traced.assets`` fetches packages through npm into ``.assets/traced`` (100 MB). Nothing of
it is copied into the project. Fonts: ``@fontsource``, OFL-1.1, Roboto Slab Apache-2.0. Light probes:
``@pmndrs/assets``, Poly Haven's, CC0.
"""

from __future__ import annotations

import base64
import subprocess
from functools import cache
from pathlib import Path
from typing import Final

from PIL import ImageFont

from datasets.assets import assets_dir

__all__ = ["INDOOR", "OUTDOOR", "collect", "emoji", "font", "probe"]

FONTS: Final = (
    "alfa-slab-one", "anton", "baloo-2", "bree-serif", "caveat", "comfortaa", "dosis", "fredoka",
    "josefin-sans", "kalam", "lato", "libre-baskerville", "m-plus-rounded-1c", "montserrat", "noto-emoji",
    "nunito", "oswald", "patrick-hand", "playfair-display", "poppins", "quicksand", "roboto-slab",
    "rubik", "varela-round",
)  # fmt: skip
PACKAGES: Final = (*(f"@fontsource/{name}@5.3" for name in FONTS), "@pmndrs/assets@1.7")

INDOOR: Final = ("apartment", "lobby", "hall", "lab", "studio", "warehouse", "workshop", "bridge", "esplanade")
"""Light probes taken indoors or under a roof."""
OUTDOOR: Final = ("city", "dawn", "forest", "park", "sunset", "venice", "sunrise", "sky")
"""Light probes taken in the open."""


def _modules() -> Path:
    return assets_dir() / "traced" / "node_modules"


def collect() -> Path:
    """Fetch what is missing; return the folder. CalledProcessError where npm fails."""
    folder = assets_dir() / "traced"
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "package.json").exists():
        (folder / "package.json").write_text('{"private": true}', encoding="utf-8")
    command = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", *PACKAGES]
    subprocess.run(command, cwd=folder, check=True)
    return folder


@cache
def font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """Return a font such as ``nunito-900`` at ``size`` pixels; FileNotFoundError where it is not installed."""
    family, weight = name.rsplit("-", 1)
    return ImageFont.truetype(
        str(_modules() / f"@fontsource/{family}/files/{family}-latin-{weight}-normal.woff"), size
    )


@cache
def emoji(sign: str, size: int) -> ImageFont.FreeTypeFont:
    """Return the part of Noto Emoji (one ink, no colours) that holds ``sign``; KeyError where none does."""
    missing = None
    for path in sorted(
        (_modules() / "@fontsource/noto-emoji/files").glob("noto-emoji-[0-9]*-700-normal.woff2")
    ):
        found = ImageFont.truetype(str(path), size)
        mask = bytes(found.getmask(sign))
        missing = bytes(found.getmask("\ue123"))
        if mask not in (missing, b"") and any(mask):
            return found
    raise KeyError(sign)


@cache
def probe(name: str) -> bytes:
    """Return a light probe as the bytes of an OpenEXR file."""
    text = (_modules() / f"@pmndrs/assets/hdri/{name}.exr.js").read_text(encoding="ascii")
    return base64.b64decode(text.split("base64,", 1)[1].split("'", 1)[0])


if __name__ == "__main__":
    print(collect())
