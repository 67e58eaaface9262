"""Path-traced pictures: what is laid, and the truth that goes with it, without the renderer itself."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from PIL import ImageFont

from datasets.photos import load_photos
from datasets.traced import assets
from datasets.traced.designs import FAMILIES
from datasets.traced.layouts import lay_rack, lay_table
from datasets.traced.make import main
from datasets.traced.scene import Scene
from referee.seen import SeenTile
from referee.sets import judge_set
from referee.tiles import Tile

FONT = Path(assets.__file__).parents[1] / "fonts" / "arvo-700.woff"


class Tracer:
    """Traces nothing: a grey picture in which every point is seen."""

    made = 0

    def __init__(self, scene: Scene) -> None:
        self._size = (scene.camera.height, scene.camera.width, 3)

    def render(self, passes: int, seed: int) -> np.ndarray:
        Tracer.made += 1
        rng = np.random.default_rng(seed)
        return (0.3 + 0.2 * rng.random(self._size)).astype(np.float32)

    def sees(self, points: np.ndarray, normals: np.ndarray) -> np.ndarray:
        return np.ones(len(points), bool)


@pytest.fixture
def untraced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures with one font for everything, and without Mitsuba."""
    adapter = ModuleType("datasets.traced.adapter")
    adapter.Tracer = Tracer  # a stand-in for a module that needs the extra
    monkeypatch.setitem(sys.modules, "datasets.traced.adapter", adapter)
    monkeypatch.setattr(assets, "font", lambda name, size: ImageFont.truetype(str(FONT), size))
    monkeypatch.setattr(assets, "emoji", lambda sign, size: ImageFont.truetype(str(FONT), size))
    Tracer.made = 0


@pytest.mark.parametrize("seed", range(12))
def test_the_sets_of_a_table_are_legal(seed: int) -> None:
    rng = np.random.default_rng(seed)
    design = FAMILIES["seen"][seed % len(FAMILIES["seen"])]
    layout = lay_table(rng, design, ["rows", "scatter", "heap", "close"][seed % 4])
    assert sorted(k for group in layout.sets for k in group) == [
        k for k, placed in enumerate(layout.placed) if placed.tile is not None
    ]
    for group in layout.sets:
        tiles = [str(layout.placed[k].tile) for k in group]
        if len(tiles) >= 3:
            assert judge_set([SeenTile.sure(Tile.parse(tile)) for tile in tiles]).verdict == "legal", tiles


def test_a_rack_has_its_tiles_in_one_or_two_rows() -> None:
    layout = lay_rack(np.random.default_rng(4), FAMILIES["unseen"][0])
    assert 1 <= len(layout.sets) <= 2
    assert layout.rack
    assert sum(map(len, layout.sets)) == len(layout.placed)


def test_no_design_is_of_both_families() -> None:
    seen, unseen = ({design.name for design in FAMILIES[family]} for family in ("seen", "unseen"))
    assert len(seen) == len(unseen) == 8
    assert not seen & unseen


def test_a_series_is_a_folder_of_labelled_photographs_and_is_gone_on_with(
    tmp_path: Path, untraced: None
) -> None:
    asked = ["--out", str(tmp_path), "--seed", "5", "--designs", "seen"]
    assert main([*asked, "--count", "2"]) == 0
    assert Tracer.made == 2
    assert main([*asked, "--count", "3"]) == 0
    assert Tracer.made == 3
    photos = load_photos(tmp_path)
    assert [photo.name for photo in photos] == ["s05000", "s05001", "s05002"]
    assert [photo.kind for photo in photos] == ["table", "table", "rack"]
    for photo in photos:
        # Hardly any ink stands out of the grey: faces that nobody could read are to be ignored.
        assert len(photo.ignore_xy_px) > len(photo.tiles)
        quads = [*photo.ignore_xy_px, *(tile.corners_xy_px for tile in photo.tiles)]
        for (ax, ay), (bx, by), (cx, cy), (dx, dy) in quads:
            assert (cx - ax) * (dy - by) - (cy - ay) * (dx - bx) > 0, "corners run clockwise"
    (tmp_path / "STOP").touch()
    assert main([*asked, "--count", "9"]) == 0
    assert Tracer.made == 3


def test_the_same_seed_makes_the_same_picture(tmp_path: Path, untraced: None) -> None:
    for name in ("a", "b"):
        main(["--out", str(tmp_path / name), "--seed", "6", "--designs", "unseen", "--count", "1"])
    one, other = (tmp_path / name for name in ("a", "b"))
    assert (one / "truth.jsonl").read_text() == (other / "truth.jsonl").read_text()
    assert (one / "images/u06000.jpg").read_bytes() == (other / "images/u06000.jpg").read_bytes()
    assert json.loads((one / "truth.jsonl").read_text())["split"] == "test"
