"""Backs of a pool that are read again, and weak ones that touch sure ones."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.test_find import QUAD, ScriptedModel, coordinates
from vision.pool import backs_among, crowd_again, in_blocks, without_blocks
from vision.readings import FoundTile
from vision.recall import Recall

CELL = np.float32([[0, 0], [28, 0], [28, 40], [0, 40]])


def block(columns: int, rows: int, ground: int = 60) -> tuple[NDArray[np.uint8], list[FoundTile]]:
    """Return a picture of a close block of white backs with faint edges, and all of them as sure finds."""
    image = np.random.default_rng(1).normal(ground, 12, (480, 640, 3)).clip(0, 255).astype(np.uint8)
    backs = []
    for k in range(columns * rows):
        quad = CELL + np.float32([100 + 30 * (k % columns), 80 + 42 * (k // columns)])
        (x0, y0), (x1, y1) = quad.min(0).astype(int), quad.max(0).astype(int)
        image[y0 - 1 : y1 + 1, x0 - 1 : x1 + 1] = 226
        image[y0:y1, x0:x1] = 230
        backs.append(FoundTile(quad, 0.8, True, (0, 0, 0, 0)))
    return image, backs


class Blind:
    """A finder that sees nothing and remembers what it was shown."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, ...]] = []

    def raw(self, image_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
        self.asked.append(image_bgr.shape)
        return np.zeros((15, 0), np.float32)


def test_weak_backs_count_where_they_touch_sure_ones_of_a_pool() -> None:
    """A chain of weak ones beside four sure ones; none far away, of another size, or where there is no pool."""

    def back(x: float, y: float, score: float, times: float = 1.0) -> FoundTile:
        quad = np.float32([[0, 0], [40, 0], [40, 56], [0, 56]]) * times + np.float32([x, y])
        return FoundTile(quad, score, True)

    sure = [back(40 * k, 0, 0.6) for k in range(4)]
    weak = [back(160, 0, 0.25), back(200, 0, 0.21)]
    strange = [back(400, 0, 0.4), back(40, 56, 0.4, times=2.0)]
    found = backs_among([*weak, *strange, *sure], 0.5)
    assert len(found) == len(sure) + len(weak)
    assert max(quad[:, 0].max() for quad in found) == 240
    assert len(backs_among([*weak, *sure[1:]], 0.5)) == 3
    assert backs_among([], 0.5) == []


def test_squares_of_a_cloth_are_no_backs_of_a_pool_of_smaller_ones() -> None:
    """However sure, and however many; with no pool to compare with, what is found counts."""

    def back(x: float, score: float, side: float) -> FoundTile:
        return FoundTile(CELL / 28 * side + np.float32([x, 0]), score, True)

    pool = [back(60 * k, 0.7, 28 + k) for k in range(5)]  # seen from low: the near ones are larger
    squares = [back(400 + 150 * k, score, 70) for k, score in enumerate((0.8, 0.4, 0.4, 0.4, 0.4, 0.4))]
    assert len(backs_among([*pool, *squares], 0.5)) == len(pool)
    assert len(backs_among([*pool[:2], squares[0]], 0.5)) == 3
    # Far ones of a long pool, seen from low, are smaller, and backs all the same.
    far = [back(60 * k, 0.7, 16) for k in range(3)]
    assert len(backs_among([*far, *pool], 0.5)) == 8


def test_a_weak_back_amid_a_row_of_sure_ones_makes_a_pool_with_them() -> None:
    """Four in a row, one of which was seen less surely; not where two were, nor where it lies apart."""

    def row(*scores: float, apart: float = 0) -> list[FoundTile]:
        quad = np.float32([[0, 0], [40, 0], [40, 56], [0, 56]])
        shifted = (np.float32([40 * k + (apart if k == 3 else 0), 0]) for k in range(len(scores)))
        return [FoundTile(quad + xy, score, True) for xy, score in zip(shifted, scores, strict=True)]

    assert len(backs_among(row(0.7, 0.6, 0.45, 0.6), 0.5)) == 4
    assert len(backs_among(row(0.7, 0.45, 0.45, 0.6), 0.5)) == 2
    assert len(backs_among(row(0.7, 0.6, 0.6, 0.45, apart=60), 0.5)) == 3


def test_a_close_pool_of_which_few_backs_are_sure_is_looked_at_nearer() -> None:
    wh = (800, 600)
    quads = [QUAD / 4 + np.float32([300 + 10 * (k % 5), 200 + 14 * (k // 5)]) for k in range(10)]
    model = ScriptedModel(wh, [(quad, (0.0, 0.7, 0.0)) for quad in quads])
    faint = [FoundTile(quad, 0.3, True, (0, 0, 0, 0)) for quad in quads[:4]]
    closer = crowd_again(coordinates(*wh), faint, [], model, sure=0.5, score=0.2)
    assert len(closer) == 10
    assert all(back.face_down for back in closer)
    assert max(model.asked[0]) > 4 * np.ptp(np.stack(quads), axis=(0, 1)).max(), (
        "enlarged, with what lies around"
    )


def test_a_pool_of_which_every_back_was_found_is_not_looked_at_again() -> None:
    image, backs = block(5, 4)
    for known in ([], backs[:1], backs):
        model = Blind()
        ground = image if len(known) != 1 else block(1, 1)[0]
        assert crowd_again(ground, known, [], model, sure=0.5, score=0.2) == []
        assert model.asked == []


@pytest.mark.parametrize("known", [[0, 1, 5, 6], [0, 4, 19], [2]])
def test_a_pool_with_places_in_which_nothing_was_found_is_looked_at_nearer(known: list[int]) -> None:
    image, backs = block(5, 4)
    model = Blind()
    assert crowd_again(image, [backs[k] for k in known], [], model, sure=0.5, score=0.2) == []
    assert len(model.asked) == 1, "and once only where that shows nothing"
    assert max(model.asked[0]) > 200


def test_a_back_of_which_little_is_in_the_picture_says_nothing_of_the_places_beside_it() -> None:
    image, _ = block(1, 1)
    model = Blind()
    cut = FoundTile(CELL + np.float32([-40, -60]), 0.8, True, (0, 0, 0, 0))
    assert crowd_again(image, [cut], [], model, sure=0.5, score=0.2) == []
    assert model.asked == []


def test_places_that_hold_tiles_showing_their_faces_are_no_part_of_a_pool() -> None:
    image, backs = block(5, 4)
    model = Blind()
    crowd_again(image, backs[:5], backs[5:], model, sure=0.5, score=0.2)
    assert model.asked == []


def test_of_a_nearer_look_only_blocks_of_backs_count() -> None:
    _, backs = block(5, 2)
    alone = FoundTile(CELL + np.float32([400, 300]), 0.9, True, (0, 0, 0, 0))
    large = FoundTile(3 * CELL + np.float32([100, 164]), 0.9, True, (0, 0, 0, 0))
    assert in_blocks([alone, *backs, large]) == backs
    assert in_blocks(backs[:4]) == backs[:4]
    assert in_blocks([*backs[:2], backs[4]]) == []
    assert in_blocks([*backs[:2], *backs[3:5]]) == []


def test_a_nearer_look_goes_on_while_it_shows_more() -> None:
    wh = (800, 600)
    quads = [QUAD / 2 + np.float32([40 + 20 * k, 200]) for k in range(30)]
    model = ScriptedModel(wh, [(quad, (0.0, 0.7, 0.0)) for quad in quads])
    one = [FoundTile(quads[0], 0.9, True, (0, 0, 0, 0))]
    found = crowd_again(coordinates(*wh), one, [], model, sure=0.5, score=0.2)
    assert 10 < len(found) <= 30
    assert 2 <= len(model.asked) <= 3


def test_a_close_block_of_which_a_film_shows_nothing_is_looked_for_and_kept_in_mind() -> None:
    """In a film only; a tile that was found there, or a few backs that make no pool, are none of it."""
    wh = (800, 600)
    quads = [QUAD / 2 + np.float32([40 + 20 * k, 200]) for k in range(10)]
    picture, model = coordinates(*wh), ScriptedModel(wh, [(quad, (0.0, 0.7, 0.0)) for quad in quads])
    assert crowd_again(picture, [], [], model, sure=0.5, score=0.2) == []
    recall = Recall()
    for _ in range(6):
        recall.see(picture)
        assert len(crowd_again(picture, [], [], model, sure=0.5, score=0.2, recall=recall)) == 10
    few = ScriptedModel(wh, [(quad, (0.0, 0.7, 0.0)) for quad in quads[:3]])
    assert crowd_again(picture, [], [], few, sure=0.5, score=0.2, recall=Recall()) == []
    faces = [FoundTile(quad, 0.9, False, (0, 0, 0, 0)) for quad in quads]
    assert crowd_again(picture, [], faces, model, sure=0.5, score=0.2, recall=Recall()) == []


@pytest.mark.parametrize("in_film", [True, False])
def test_a_close_block_that_was_taken_for_one_tile_is_the_backs_that_it_holds(in_film: bool) -> None:
    """Of a game that began with the pool alone on the table five draws were missed (11896)."""
    wh = (800, 600)
    quads = [QUAD / 2 + np.float32([200 + 20 * (k % 5), 200 + 28 * (k // 5)]) for k in range(50)]
    corners = np.concatenate(quads)
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    large = FoundTile(np.float32([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]), 0.7, True, (0, 0, 0, 0))
    model = ScriptedModel(wh, [(quad, (0.0, 0.7, 0.0)) for quad in quads])
    recall = Recall() if in_film else None
    if recall is not None:
        recall.see(coordinates(*wh))
    found = crowd_again(coordinates(*wh), [large], [], model, sure=0.5, score=0.2, recall=recall)
    assert len(found) == 50
    assert without_blocks([large, found[0]], found) == [found[0]]
