"""Look-alikes of tiles: they carry no label, spare the truth of tiles, and held-out kinds stay apart."""

from __future__ import annotations

import numpy as np
import pytest

from datasets import negatives, negatives_grounds
from datasets.negatives_sheet import Pens
from datasets.negatives_things import Place
from datasets.render import render_picture
from datasets.scene import Scene

SMALL = (480, 360)


pytestmark = pytest.mark.usefixtures("no_photographed_grounds")


def _kinds(picture_families: dict[str, str]) -> set[str]:
    told = picture_families.get("negatives", "")
    return set(told.split("+")) if told else set()


def _seeds_of(part: str, count: int) -> list[int]:
    """Return the first seeds whose pictures give look-alikes that part."""
    drawn = (
        seed for seed in range(500) if negatives.draw_part(np.random.default_rng([seed, 61]), "train") == part
    )
    return [next(drawn) for _ in range(count)]


@pytest.mark.parametrize("split", ["train", "heldout"])
def test_a_table_of_look_alikes_is_labelled_as_nothing(split: str) -> None:
    shown: set[str] = set()
    for seed in range(4):
        picture = render_picture(seed, split=split, profile=negatives.ALONE, size_wh=SMALL)
        assert (picture.tiles, picture.racks_xy_px, picture.kind) == ((), (), "empty")
        assert picture.image_bgr.shape == (360, 480, 3)
        assert all(quad.shape == (4, 2) and quad.dtype == np.float32 for quad in picture.decoys_xy_px)
        shown |= _kinds(picture.families)
    assert shown
    assert all((kind in negatives.HELD_OUT) == (split == "heldout") for kind in shown)


def test_the_same_seed_gives_the_same_look_alikes() -> None:
    first, second, other = (
        render_picture(seed, profile=negatives.ALONE, size_wh=SMALL) for seed in (3, 3, 4)
    )  # fmt: skip
    assert np.array_equal(first.image_bgr, second.image_bgr)
    assert not np.array_equal(first.image_bgr, other.image_bgr)


def test_held_out_kinds_and_grounds_are_real_and_some_are_left() -> None:
    assert set(negatives.KINDS) > negatives.HELD_OUT
    assert set(negatives_grounds.GROUNDS) > negatives_grounds.HELD_OUT
    rng = np.random.default_rng(0)
    for split, held in (("train", False), ("heldout", True)):
        drawn = {negatives_grounds.sample(rng, split).name for _ in range(40)}
        assert {name in negatives_grounds.HELD_OUT for name in drawn} == {held}


def test_training_pictures_get_look_alikes_and_held_out_ones_stay_as_they_were() -> None:
    parts = [negatives.draw_part(np.random.default_rng([seed, 61]), "train") for seed in range(2000)]
    assert 0.07 < parts.count("alone") / 2000 < 0.11
    assert 0.2 < parts.count("beside") / 2000 < 0.3
    assert {negatives.draw_part(np.random.default_rng([s, 61]), "heldout") for s in range(200)} == {"none"}
    assert not _kinds(render_picture(_seeds_of("beside", 1)[0], split="heldout", size_wh=SMALL).families)
    alone = render_picture(_seeds_of("alone", 1)[0], size_wh=SMALL)
    assert alone.families["profile"] == negatives.ALONE
    assert not alone.tiles


def test_look_alikes_lie_beside_the_tiles() -> None:
    """What tempts a finder is never noted where a tile is."""
    met = 0
    for seed in _seeds_of("beside", 4):
        with_them = render_picture(seed, size_wh=SMALL)
        if not with_them.tiles:
            continue
        for quad in with_them.decoys_xy_px:
            met += 1
            low, high = quad.min(axis=0), quad.max(axis=0)
            for tile in with_them.tiles:
                middle = tile.corners_xy_px.mean(axis=0)
                assert tile.visible < 0.2 or not ((middle > low) & (middle < high)).all()
    assert met


@pytest.mark.parametrize("name", list(negatives.KINDS))
def test_every_kind_can_be_laid(name: str) -> None:
    place = Place(Scene(), Pens(np.random.default_rng(7), "final", 7), 2.0, -1.0, 0.4)
    negatives.KINDS[name].put(place)
    assert place.scene.solids
    assert all(corners.shape == (4, 3) for _, corners in place.decoys)
    spots = np.array([solid.middle()[:2] for solid in place.scene.solids])
    assert np.abs(spots - [2.0, -1.0]).max() < 25
