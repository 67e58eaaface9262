"""Draws from a heap, of which the finder sees a part: the heap's picture tells (k01, k02, l02, l04, n04)."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.picture import Picture
from vision.readings import Corners, PhotoReading, as_corners
from vision.settings import ReadSettings
from vision.sources.frame import Frame
from vision.watch.eye import Eye
from vision.watch.patches import HomePicture
from vision.watch.pool import PoolKeeper
from vision.watch.pool_heap import HeapKeeper
from vision.watch.reach import ANYWHERE, FROM_THE_BEGINNING, Touch
from vision.watch.settings import WatchSettings
from vision.watch.setup import WatchSetup
from vision.watch.tracks import Fate

Back = tuple[float, float, float]
"""Its middle, and its angle in degrees."""
Backs = list[Back]
"""Backs that lie over each other; the last one lies on top."""


def quad(back: Back) -> Corners:
    x, y, angle = back
    return np.asarray(cv2.boxPoints(((x, y), (30, 40), angle)), np.float32)


def covered(homes: Sequence[Corners]) -> list[Fate]:
    """Nothing bare is to be seen."""
    return ["covered"] * len(homes)


def heap(seed: int = 3) -> Backs:
    rng = np.random.default_rng(seed)
    return [(float(x), float(y), float(a)) for x, y, a in rng.uniform((120, 80, 0), (260, 200, 180), (40, 3))]


DARK_WOOD, BIRCH, FELT, MARBLE = (45, 65, 95), (140, 172, 182), (45, 95, 30), (185, 200, 205)


def picture(
    backs: Backs, tiles: Sequence[Back] = (), gain: float = 1.0, wood: tuple[int, int, int] = DARK_WOOD
) -> NDArray[np.uint8]:
    """A wooden table with blank tiles, each with its edge and its shadow, and a sensor's noise."""
    image = np.full((300, 400, 3), wood, np.float32)
    for back in [*backs, *tiles]:
        corners = quad(back)
        cv2.fillPoly(image, [np.int32(corners + 4)], (25, 35, 50))
        shade = 1 - 0.08 * np.sin(back[0])
        cv2.fillPoly(image, [np.int32(corners)], tuple(shade * np.array([195.0, 212.0, 218.0])))
        cv2.polylines(image, [np.int32(corners)], True, (120, 130, 135), 2)
    noise = np.random.default_rng(len(backs)).normal(0, 2, image.shape)
    return np.asarray(np.clip(image * gain + noise, 0, 255), np.uint8)


class Watched:
    """A heap of which the finder sees every third back, never the one that is taken."""

    def __init__(self) -> None:
        self.backs, self.pool = heap(), PoolKeeper()
        self.found = [quad(back) for back in self.backs[:-4:2]]
        for _ in range(3):
            self.look(picture(self.backs))

    def look(self, image: NDArray[np.uint8], faces: Sequence[Back] = ()) -> int:
        """Take a picture in, and return how many were seen to go."""
        places = HomePicture(image, np.eye(3))
        self.pool.update(self.found, covered, places, [quad(face) for face in faces])
        return self.pool.taken


@pytest.fixture
def watched() -> Watched:
    return Watched()


@pytest.mark.parametrize("gain", [1.0, 0.9])
def test_a_back_that_goes_from_a_heap_is_seen_in_the_second_look(watched: Watched, gain: float) -> None:
    for drawn in (1, 2, 3):
        left = picture(watched.backs[:-drawn], gain=gain)
        assert watched.look(left) == drawn - 1
        assert watched.pool.unsure
        assert watched.look(left) == drawn
        assert watched.look(left) == drawn


def test_nothing_goes_where_a_shadow_falls_on_the_heap(watched: Watched) -> None:
    image = picture(watched.backs)
    shaded = image.copy()
    shaded[110:160, 150:200] = (0.7 * shaded[110:160, 150:200]).astype(np.uint8)
    assert [watched.look(shaded) for _ in range(3)] == [0, 0, 0]
    assert [watched.look(image) for _ in range(3)] == [0, 0, 0]


def test_nothing_goes_where_a_mugs_shadow_falls_on_light_wood_beside_the_heap() -> None:
    """Its hue is not far from the backs', and nearer to the table's own (composer AW's second)."""
    backs, keeper = heap(), HeapKeeper()
    found = [quad(back) for back in backs]
    bare = picture(backs, wood=BIRCH)
    shadow = np.zeros(bare.shape[:2], np.float32)
    cv2.ellipse(shadow, (300, 130), (26, 22), 0, 0, 360, 1.0, cv2.FILLED)
    shadow = np.asarray(1 - 0.35 * cv2.GaussianBlur(shadow, (0, 0), 6))
    shaded = np.asarray(bare * shadow[..., None], np.uint8)
    for image in (*[bare] * 2, *[shaded] * 4, *[bare] * 4):
        now = HomePicture(image, np.eye(3))
        assert keeper.most_gone(found, found, (), now, covered, lambda _: True) == 0
    left = picture(backs[:-1], wood=BIRCH)
    went = [
        keeper.most_gone(found[:-1], found, (), HomePicture(left, np.eye(3)), covered, lambda _: True)
        for _ in range(2)
    ]
    assert went == [0, 1]


def test_nothing_goes_where_a_hand_rests_on_the_heap() -> None:
    backs, keeper = heap(), HeapKeeper()
    found = [quad(back) for back in backs[:-4:2]]
    under = picture(backs)
    cv2.rectangle(under, (170, 0), (200, 140), (90, 120, 190), cv2.FILLED)
    for image in (*[picture(backs)] * 2, *[under] * 4, *[picture(backs)] * 4):
        now = HomePicture(image, np.eye(3))
        went = keeper.most_gone(found, found, (), now, covered, lambda _: True)
        assert (went, keeper.unsure) == (0, False)


def test_nothing_goes_where_a_hand_rested_while_the_heap_was_seen_to_lie_otherwise_elsewhere() -> None:
    """Fingers of the backs' tone rested at the rim when a third look showed the other place alike (cd01)."""
    backs, keeper = heap(), HeapKeeper()
    found = [quad(back) for back in backs]
    plain = picture(backs, wood=FELT)
    stirred = plain.copy()
    stirred[110:160, 130:180] = (0.7 * stirred[110:160, 130:180]).astype(np.uint8)
    fingers = stirred.copy()
    cv2.rectangle(fingers, (262, 170), (288, 210), (120, 150, 190), cv2.FILLED)
    told = []
    for image in (*[plain] * 2, *[stirred] * 2, fingers, *[stirred] * 3):
        now = HomePicture(image, np.eye(3))
        told.append(
            keeper.most_gone(found, found, (), now, lambda homes: ["bare"] * len(homes), lambda _: True)
        )
    assert told == [0] * len(told)


@pytest.mark.parametrize("seed", [2, 6, 10])
def test_nothing_goes_where_two_backs_of_a_heap_were_nudged_apart_from_each_other(seed: int) -> None:
    """Neither is the only place that looks otherwise, nor is the second once the first is known."""
    backs, keeper = heap(seed), HeapKeeper()
    (x, y, a), (u, v, b) = backs[-1], backs[-2]
    nudged = [*backs[:-2], (u - 7, v + 5, b + 20), (x + 8, y - 6, a - 25)]
    found = [quad(back) for back in backs]
    for shown in (*[backs] * 2, *[nudged] * 8):
        now = HomePicture(picture(shown), np.eye(3))
        assert keeper.most_gone(found, found, (), now, covered, lambda _: True) == 0


def test_a_place_of_which_one_look_leaves_open_what_lies_there_asks_for_another() -> None:
    """A back was drawn from over two others; the next hand came, and nobody had looked again (cf01)."""
    backs, one, keeper = heap(), (300.0, 140.0, 20.0), HeapKeeper()
    found = [quad(back) for back in backs]
    known = [*found, quad(one)]
    lies, left = picture([*backs, one], wood=FELT), picture(backs, wood=FELT)
    told: list[tuple[int, bool]] = []
    fates: list[Fate] = ["unsure", "bare", "bare"]
    for image, fate in zip([*[lies] * 2, *[left] * 3], ["bare", "bare", *fates], strict=True):
        now = HomePicture(image, np.eye(3))
        went = keeper.most_gone(found, known, (), now, lambda _, fate=fate: [fate], lambda _: True)
        told.append((went, keeper.unsure))
    assert told == [(0, False), (0, False), (0, True), (0, True), (1, False)]


@pytest.mark.parametrize(("by_px", "which"), [(12.0, (7, 11, 15)), (18.0, (7, 11))])
def test_backs_that_are_pushed_out_of_a_block_on_pale_marble_were_not_drawn(
    by_px: float, which: tuple[int, ...]
) -> None:
    """The pool is larger than what is in view, so that others might lie under these (ch03)."""
    block = [(100.0 + 31 * column, 80.0 + 41 * row, 0.0) for row in range(5) for column in range(4)]
    pushed = [(x + by_px, y, a) if k in which else (x, y, a) for k, (x, y, a) in enumerate(block)]
    pool = PoolKeeper(whole=78)
    taken = []
    for backs in (block, block, block, pushed, pushed, pushed, pushed[:-1], pushed[:-1], pushed[:-1]):
        places = HomePicture(picture(backs, wood=MARBLE), np.eye(3))
        pool.update([quad(back) for back in backs], lambda homes: ["bare"] * len(homes), places)
        taken.append(pool.taken)
    assert taken == [0] * 7 + [1] * 2


class Finds:
    """Finds the backs of the heap, and nothing else."""

    def read(self, picture: Picture, *, quick: bool = False) -> PhotoReading:
        backs = tuple(as_corners(quad(back)) for back in heap()[:-4:2])
        return PhotoReading((400, 300), "table", face_down_xy_px=backs)


@pytest.mark.parametrize(("touch", "taken"), [(FROM_THE_BEGINNING, 0), (ANYWHERE, 1)])
def test_nothing_goes_before_anything_has_moved(touch: Touch, taken: int) -> None:
    """A film's first pictures are coarse, and one place of a heap looked otherwise in the third (ce02)."""
    backs = heap()
    eye = Eye(Finds(), WatchSetup(("Ann", "Ben"), "ru"), WatchSettings(), ReadSettings())
    for at, shown in enumerate((backs, backs, backs[:-1], backs[:-1], backs[:-1])):
        lying = eye.look(Frame.of_bgr(at, 0.4 * at, picture(shown)), touch=touch).lying
    assert lying is not None
    assert lying.taken == taken


def test_a_tile_that_is_laid_beside_the_heap_is_no_draw(watched: Watched) -> None:
    tile = [(290.0, 140.0, 0.0)]
    assert [watched.look(picture(watched.backs, tile), tile) for _ in range(3)] == [0, 0, 0]


def stacks(high: int) -> Backs:
    """Stacks, seen from aside; one of them, at a corner, so many tiles high."""
    others = [(float(100 + 34 * column), float(150 + 44 * row), 0.0) for row in range(2) for column in range(4)]
    return [*others, *((210.0 + 7 * level, 100.0 - 2 * level, 0.0) for level in range(high))]


def test_of_a_stack_the_upper_one_is_seen_to_go_by_the_table_beside_the_next() -> None:
    """The next one has its outline, a little off, and is found in its place (n04)."""
    keeper = HeapKeeper()
    went = []
    for high in (4, 4, 4, 3, 3, 3):
        backs = stacks(high)
        found = [quad(back) for back in (*backs[:8], backs[-1])]
        now = HomePicture(picture(backs), np.eye(3))
        went.append(keeper.most_gone(found, found, (), now, covered, lambda _: True))
    assert went == [0, 0, 0, 0, 1, 0]


def test_the_uppermost_at_the_heaps_edge_goes_with_the_shadow_it_threw_on_the_table() -> None:
    """The shadow was a large part of what looked otherwise, and had been no back (bi01)."""
    wine, below = (46, 40, 112), [*stacks(0), (206.0, 238.0, 20.0), (172.0, 236.0, -10.0)]
    top = (190.0, 250.0, 5.0)
    alone = picture([*below, top], wood=wine)
    shadow = np.zeros(alone.shape[:2], np.uint8)
    cv2.fillConvexPoly(shadow, np.int32(quad(top) + np.float32([-14, 24])), 1)
    cv2.fillConvexPoly(shadow, np.int32(quad(top)), 0)
    with_shadow = np.where(shadow[..., None] > 0, (0.5 * alone).astype(np.uint8), alone)
    gone = picture(below, wood=wine)
    found = [quad(back) for back in below]
    keeper = HeapKeeper()
    went = []
    for image in (with_shadow, with_shadow, gone, gone):
        now = HomePicture(image, np.eye(3))
        went.append(keeper.most_gone(found, found, (), now, covered, lambda _: True))
    assert went == [0, 0, 0, 1]


def test_a_heap_tells_from_where_the_last_one_went() -> None:
    """Else the pool would count it once more when its place is seen to be bare (o04)."""
    backs, keeper = heap(), HeapKeeper()
    found = [quad(back) for back in backs[:-4:2]]
    for lying in (backs, backs, backs[:-1], backs[:-1]):
        keeper.most_gone(found, found, (), HomePicture(picture(lying), np.eye(3)), covered, lambda _: True)
    far = max(backs, key=lambda back: np.hypot(back[0] - backs[-1][0], back[1] - backs[-1][1]))
    assert keeper.went_from(quad(backs[-1]))
    assert not keeper.went_from(quad(far))
