"""Path-traced pictures: what is laid, and the truth that goes with it, without the renderer itself."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from types import ModuleType
from typing import Literal

import numpy as np
import pytest
from PIL import ImageFont

from datasets.photos import load_photos
from datasets.traced import around, assets
from datasets.traced.around import MORE_GROUNDS, MORE_THINGS, kind_of
from datasets.traced.designs import FAMILIES
from datasets.traced.layouts import lay_rack, lay_table
from datasets.traced.make import main
from datasets.traced.meshes import Part
from datasets.traced.scene import Scene, make_scene
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


def _points(parts: list[Part]) -> np.ndarray:
    return np.concatenate([part.mesh.points for part in parts])


def _print(scene: Scene) -> list[tuple[float, object]]:
    """All that a picture's parts are, in brief."""
    return [
        (
            float(part.mesh.points.sum()),
            part.material.albedo
            if isinstance(part.material.albedo, tuple)
            else int(part.material.albedo.sum()),
        )
        for part in scene.parts
    ]


@pytest.mark.parametrize("make", [make for makers in MORE_THINGS.values() for make in makers])
def test_a_thing_lies_on_the_table_and_has_a_things_size(make: Callable, untraced: None) -> None:
    for seed in range(3):
        parts = make(np.random.default_rng(seed))
        points = _points(parts)
        low, size = points.min(0), np.ptp(points, axis=0)
        assert -0.01 < low[2] < 1.5
        assert 6 < size[:2].max() < 900
        assert 0.2 < size[2] < 90
        for part in parts:
            assert np.isfinite(part.mesh.points).all()
            assert np.isfinite(part.mesh.normals).all()
            assert part.mesh.faces.min() >= 0
            assert part.mesh.faces.max() < len(part.mesh.points) == len(part.mesh.normals) == len(part.mesh.uv)


@pytest.mark.parametrize("make", [make for makers in MORE_GROUNDS.values() for make in makers])
def test_a_ground_is_a_picture(make: Callable, untraced: None) -> None:
    material = make(np.random.default_rng(2), 400.0)
    assert material.albedo.ndim == 3
    assert material.albedo.dtype == np.uint8
    assert material.albedo.std() > 2


def test_what_lies_about_to_measure_with_is_never_trained_on() -> None:
    for choices, each in ((MORE_THINGS, (16, 16)), (MORE_GROUNDS, (3, 4))):
        train, heldout = ({make.__name__ for make in choices[choice]} for choice in ("train", "heldout"))
        assert (len(train), len(heldout)) == each
        assert not train & heldout


@pytest.mark.parametrize("choice", ["train", "heldout"])
def test_a_choice_draws_from_its_own_things_alone(
    choice: Literal["train", "heldout"], untraced: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = set()

    def noted(make: Callable) -> Callable:
        @wraps(make)
        def call(*asked: object) -> object:
            drawn.add(make.__name__)
            return make(*asked)

        return call

    own = {make.__name__ for kind in (MORE_THINGS, MORE_GROUNDS) for make in kind[choice]}
    for name in ("MORE_THINGS", "MORE_GROUNDS"):
        makers = {key: tuple(map(noted, those)) for key, those in getattr(around, name).items()}
        monkeypatch.setattr(around, name, makers)
    monkeypatch.setattr("datasets.traced.scene.make_thing", None)
    monkeypatch.setattr("datasets.traced.scene.make_hand", None)
    assert [make_scene(index, 5, "seen", clutter=choice).kind for index in (0, 4, 14)] == [
        "table",
        "empty",
        "empty",
    ]
    assert len(drawn) > 6
    assert drawn <= own
    one, again = (make_scene(4, 8, "unseen", clutter=choice) for _ in range(2))
    assert _print(one) == _print(again)


def test_two_in_five_pictures_to_train_on_are_empty_and_one_in_five_to_measure_with() -> None:
    for choice, empty in (("train", 24), ("heldout", 12)):
        kinds = [kind_of(index, choice) for index in range(60)]
        assert kinds.count("empty") == empty
        assert 0 < kinds.count("rack") < kinds.count("table")


def test_the_usual_things_lie_about_where_nothing_is_asked(
    untraced: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Hands need the extra.
    monkeypatch.setattr("datasets.traced.scene.make_hand", lambda rng: [])
    for index in (0, 1):
        usual = make_scene(index, 7, "unseen")
        assert _print(usual) == _print(make_scene(index, 7, "unseen", clutter="usual"))
        assert _print(usual) != _print(make_scene(index, 7, "unseen", clutter="train"))


def test_a_series_may_have_other_things_about(tmp_path: Path, untraced: None) -> None:
    asked = ["--seed", "5", "--designs", "seen", "--count", "2"]
    assert main([*asked, "--out", str(tmp_path), "--clutter", "train"]) == 0
    assert [photo.kind for photo in load_photos(tmp_path)] == ["table", "empty"]
