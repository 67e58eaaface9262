"""Pictures seen again in other light: the truth stays, and the light differs from place to place."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.labels import LabelledPicture, LabelledTile
from datasets.mixed_light import in_mixed_light
from referee.tiles import Tile

QUAD = np.array([[20, 20], [60, 20], [60, 76], [20, 76]], np.float32)
GREY = LabelledPicture(
    np.full((120, 160, 3), 128, np.uint8), (LabelledTile(Tile.parse("R5"), QUAD),), (), "table", seed=3
)


@pytest.mark.parametrize("seed", range(6))
def test_the_same_state_gives_the_same_light_and_the_truth_stays(seed: int) -> None:
    one, other = (in_mixed_light(GREY, np.random.default_rng(seed)) for _ in range(2))
    assert np.array_equal(one.image_bgr, other.image_bgr)
    assert one.image_bgr.shape == GREY.image_bgr.shape
    assert one.image_bgr.dtype == np.uint8
    assert one.tiles is GREY.tiles
    assert (one.kind, one.seed) == ("table", 3)


def test_light_comes_from_somewhere_and_has_a_colour() -> None:
    seen = [in_mixed_light(GREY, np.random.default_rng(seed)).image_bgr.astype(float) for seed in range(40)]
    corners = np.array([[i[:20, :20].mean(), i[:20, -20:].mean(), i[-20:, :20].mean()] for i in seen])
    assert (np.ptp(corners, axis=1) > 20).mean() > 0.4, "many are lit from one side, or in one place"
    tints = np.array([np.ptp(i.mean(axis=(0, 1))) for i in seen])
    assert (tints > 15).mean() > 0.4, "many lights have a colour"
    assert 60 < np.mean([i.mean() for i in seen]) < 200
