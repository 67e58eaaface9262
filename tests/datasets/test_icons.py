"""A font of icons out of a collection of SVG paths."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from datasets import assets
from datasets.icons import FIRST_ICON, font_of_icons
from datasets.jokers import HELDOUT_JOKERS, draw_joker

# CI installs the extra; who only plays or reviews has no use for it.
_fonts_are_made = pytest.mark.skipif(
    importlib.util.find_spec("fontTools") is None, reason="needs the training extra: fontTools"
)

_RING = "M256 16a240 240 0 1 0 0 480a240 240 0 1 0 0-480zM256 96a160 160 0 1 1 0 320a160 160 0 1 1 0-320z"
_UPPER_LEFT = "M16 16h300v120H136v180H16z"
_INKS = ((0.8, 0.1, 0.1), (0.1, 0.1, 0.1))


def _package(folder: Path, **paths: str) -> Path:
    icons = {name.replace("_", "-"): {"body": f'<path fill="x" d="{path}"/>'} for name, path in paths.items()}
    (folder / "icons.json").write_text(json.dumps({"height": 512, "icons": icons}))
    return folder


def _drawn(font: Path, code: int) -> np.ndarray:
    canvas = Image.new("L", (100, 100))
    face = ImageFont.truetype(str(font), 100)
    ImageDraw.Draw(canvas).text((0, 100), chr(code), fill=255, font=face, anchor="ls")
    return np.asarray(canvas) > 127


@_fonts_are_made
def test_icons_are_drawn_as_their_paths_say(tmp_path: Path) -> None:
    font = tmp_path / "icons.woff"
    assert font_of_icons(_package(tmp_path, a_ring=_RING, b_corner=_UPPER_LEFT), font) == 2
    ring, corner = _drawn(font, FIRST_ICON), _drawn(font, FIRST_ICON + 1)
    # The ring is hollow; the corner fills the upper left, not the lower right.
    assert not ring[50, 50]
    assert ring[50, 10]
    assert ring[10, 50]
    assert corner[10, 10]
    assert not corner[55, 55]


@_fonts_are_made
@pytest.mark.parametrize(
    "name",
    ["sun", "forward-sun", "crown", "old-king", "wizard-face", "card-10-clubs", "dice-six-faces-two", "d12"],
)
def test_numerals_and_held_out_jokers_are_left_out(name: str, tmp_path: Path) -> None:
    package = _package(tmp_path, **{name: _RING, "abstract-001": _RING, "sunken-eye": _RING})
    assert font_of_icons(package, tmp_path / "icons.woff") == 2


@_fonts_are_made
@pytest.mark.parametrize("path", ["M240 0h30v512h-30z", "M0 0h512v512H0z", "M250 250h10v12h-10z"])
def test_a_bar_a_full_square_and_a_speck_are_no_jokers(path: str, tmp_path: Path) -> None:
    assert font_of_icons(_package(tmp_path, a=path, b=_RING), tmp_path / "icons.woff") == 1


def test_without_a_collection_an_icon_joker_is_drawn_all_the_same() -> None:
    assert "icon" not in HELDOUT_JOKERS
    assert draw_joker("icon", 3, 64, _INKS, committed_only=True)[1].max() > 0.9


@_fonts_are_made
def test_an_icon_joker_is_drawn_from_a_collection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = draw_joker("icon", 3, 64, _INKS, committed_only=True)[1]
    fonts = tmp_path / "fonts"
    fonts.mkdir()
    (tmp_path / "package").mkdir()
    package = _package(tmp_path / "package", **{f"abstract-{k:04d}": _RING for k in range(3600)})
    font_of_icons(package, fonts / "icons.woff")
    (fonts / "manifest.tsv").write_text("header\nicons.woff\ticons\ticons\ticons\tCC0-1.0\t0\n")
    monkeypatch.setenv("TILEREF_ASSETS", str(tmp_path))
    assets._read_manifests.cache_clear()
    drawn = draw_joker("icon", 3, 64, _INKS)[1]
    assets._read_manifests.cache_clear()
    assert drawn.max() > 0.9
    assert not np.array_equal(drawn, plain)
    assert not assets.symbol_fonts("icons", committed_only=True)
