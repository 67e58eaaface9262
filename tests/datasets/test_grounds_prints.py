"""Printed cloths: what tempts a reader to see tiles where there are none."""

import numpy as np
import pytest

from datasets.grounds_prints import printed_cloth


@pytest.mark.parametrize("seed", range(12))
def test_a_cloth_is_a_picture_with_a_print_on_it(seed: int) -> None:
    cloth = printed_cloth("train").make(np.random.default_rng(seed), 256, 40.0)
    assert cloth.shape == (256, 256, 3)
    assert cloth.dtype == np.float32
    assert 0 <= cloth.min() < cloth.max() <= 1
    # More than threads and folds, which move no tone by a quarter.
    assert np.ptp(cloth, axis=(0, 1)).max() > 0.25


def test_the_same_chance_prints_the_same_and_another_one_something_else() -> None:
    first, again, other = (
        printed_cloth("train").make(np.random.default_rng(seed), 128, 30.0) for seed in (1, 1, 2)
    )
    assert (first == again).all()
    assert np.abs(first - other).mean() > 0.01


def test_motifs_are_about_as_large_as_tiles() -> None:
    """One ground in ten: with larger texels, the same share of it is printed."""
    shares = []
    for texel in (12.0, 48.0):
        cloth = printed_cloth("train").make(np.random.default_rng(7), 384, texel)
        shares.append(float((np.abs(np.diff(cloth, axis=1)).max(axis=2) > 0.1).mean() * texel))
    assert shares[1] == pytest.approx(shares[0], rel=0.8)
