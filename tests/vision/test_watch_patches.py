"""How places of tiles looked before, and whether they look so still."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.readings import Corners
from vision.watch.patches import SAME_LIGHT, HomePicture, PatchMemory, is_light_alone

PLACES = [
    np.array([[x, 40], [x + 40, 40], [x + 40, 96], [x, 96]], np.float32) for x in range(20, 20 + 60 * 9, 60)
]


def drawn(figures: str) -> NDArray[np.uint8]:
    """A row of tiles that show these figures, from the left."""
    image: NDArray[np.uint8] = np.full((140, 600, 3), 90, np.uint8)
    for place, figure in zip(PLACES, figures, strict=False):
        (left, top), (right, bottom) = place[0].astype(int), place[2].astype(int)
        cv2.rectangle(image, (left, top), (right, bottom), (200, 225, 235), cv2.FILLED)
        cv2.putText(image, figure, (left + 8, bottom - 12), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (30, 30, 30), 3)
    return image


def picture(figures: str, shaded: int = 0) -> HomePicture:
    """A row of tiles that show these figures; a hand's shadow lies over the first of them."""
    image = drawn(figures)
    for place in PLACES[:shaded]:
        (left, top), (right, bottom) = place[0].astype(int), place[2].astype(int)
        image[top - 10 : bottom + 10, left - 10 : right + 10] //= 2
    grain = np.random.default_rng(len(figures) + shaded).normal(0, 2, image.shape)
    return HomePicture(np.asarray(np.clip(image + grain, 0, 255), np.uint8), np.eye(3))


def test_another_figure_shows_though_most_places_lay_in_a_hand_s_shadow_before() -> None:
    """The joker that an 11 took the place of stayed the joker (cutout-11794)."""
    memory = PatchMemory()
    seen: list[Corners] = list(PLACES)
    memory.see(seen, picture("123456789"))
    memory.keep(seen)
    memory.see(seen, picture("123456789", shaded=6))
    memory.keep(seen)
    memory.see(seen, picture("123456782"))
    assert not memory.untouched(seen[8])
    assert memory.untouched(seen[7])


def test_a_tile_goes_after_a_look_in_which_a_hand_was_beside_it() -> None:
    """The fourth of a group that was put back stayed there, hidden; the next two were accused (AM's am03)."""

    def shown(tiles: str, hand: bool = False) -> HomePicture:
        image = drawn(tiles)
        if hand:
            for corner, far in (((184, 0), (260, 140)), ((140, 0), (260, 36)), ((140, 100), (260, 140))):
                cv2.rectangle(image, corner, far, (10, 20, 250), cv2.FILLED)
        return HomePicture(image, np.eye(3))

    memory, seen = PatchMemory(), list(PLACES[:3])
    for hand in (False, False, True):
        memory.see(seen, shown("123", hand))
        memory.keep(seen)
    memory.see(seen[:2], shown("12"))
    assert memory.gone(seen[2], shown("12"))
    assert not memory.gone(seen[1], shown("12"))


def test_a_tile_that_was_taken_from_a_row_with_its_side_may_have_gone_and_one_under_a_mug_may_not() -> None:
    """The end of a run made a group elsewhere, on a checked cloth, and was in both (composer AV's av03)."""

    def shown(tiles: str, mug: bool = False) -> HomePicture:
        image = drawn(tiles)
        for place in PLACES[: len(tiles)]:
            (left, top), (right, bottom) = place[0].astype(int), place[2].astype(int)
            cv2.rectangle(image, (left, bottom), (right + 8, bottom + 10), (150, 160, 165), cv2.FILLED)
            cv2.rectangle(image, (right, top), (right + 8, bottom), (150, 160, 165), cv2.FILLED)
        if mug:
            middle = PLACES[2].mean(axis=0).astype(int)
            cv2.circle(image, (int(middle[0]), int(middle[1])), 48, (40, 60, 30), cv2.FILLED)
        return HomePicture(image, np.eye(3))

    memory, seen = PatchMemory(), list(PLACES[:3])
    for _ in range(2):
        memory.see(seen, shown("123"))
        memory.keep(seen)
    memory.see(seen[:2], shown("12"))
    assert not memory.gone(seen[2], shown("12"), covered=True)
    assert memory.may_have_gone(seen[2], shown("12"))
    assert not memory.may_have_gone(seen[2], shown("12", mug=True))
    assert not memory.may_have_gone(seen[2], shown("123"))


@pytest.mark.parametrize(("wide", "partly"), [(22, True), (60, False)])
def test_under_a_finger_a_part_of_the_tile_is_as_it_was_and_under_a_hand_none(wide: int, partly: bool) -> None:
    """Somebody pointed at a tile: it had gone, and who had laid it was not known any more (cv03)."""

    def shown(tiles: str, pointing: bool = False) -> HomePicture:
        image = drawn(tiles)
        if pointing:
            middle = int(PLACES[1][:, 0].mean())
            cv2.rectangle(
                image, (middle - wide // 2, 30), (middle + wide // 2, 139), (90, 120, 190), cv2.FILLED
            )
        return HomePicture(image, np.eye(3))

    memory, seen = PatchMemory(), list(PLACES[:3])
    memory.see(seen, shown("123"))
    memory.keep(seen)
    now = shown("123", pointing=True)
    memory.see([seen[0], seen[2]], now)
    assert memory.is_partly_there(seen[1], now) is partly
    assert not memory.is_partly_there(seen[1], shown("1")), "it was taken away"


@pytest.mark.parametrize(
    ("columns", "gain", "table", "told"),
    [(10, 0.55, None, True), (20, 1.6, None, True), (20, 1.0, (60, 90, 50), False), (20, 0.55, None, False)],
    ids=[
        "a shadow's edge",
        "out of the shadow",
        "a back that was taken",
        "all of it darker, as a bare table is",
    ],
)
def test_the_edge_of_a_shadow_changes_a_part_and_no_hue(
    columns: int, gain: float, table: tuple[int, int, int] | None, told: bool
) -> None:
    """Backs at the edge of a head's shadow were drawn again and again (bc02)."""
    old = np.full((24, 20, 3), (120, 129, 132), np.float32)
    new = old.copy()
    new[:, :columns] = np.float32(table) if table else old[:, :columns] * gain
    assert is_light_alone(old, new, SAME_LIGHT, 10.0) is told


def looks_otherwise_around_the_first(laid: NDArray[np.float32], now: NDArray[np.float32]) -> bool:
    """What is told of the first of two tiles seen in a picture, (140, 600, 3), that are not in another."""
    memory = PatchMemory()
    before, after = (HomePicture(np.asarray(image, np.uint8), np.eye(3)) for image in (laid, now))
    memory.see(PLACES[:2], before)
    memory.keep(PLACES[:2])
    memory.see([], after)
    return memory.is_otherwise_around(PLACES[0], after)


@pytest.mark.parametrize(("smooth", "otherwise"), [(False, False), (True, True)])
def test_a_cloth_that_shows_its_figure_has_nothing_over_it_in_whatever_light(
    smooth: bool, otherwise: bool
) -> None:
    """A set taken back from a checked cloth under moving leaves was hidden for good (composer BT's bt02)."""
    rows, columns = np.indices((140, 600)) // 24
    cloth = np.repeat(((rows + columns) % 2 * 120 + 80)[..., None], 3, axis=2).astype(np.float32)
    laid = cloth.copy()
    tiles = drawn("12")
    for place in PLACES[:2]:
        (left, top), (right, bottom) = place[0].astype(int), place[2].astype(int)
        laid[top:bottom, left:right] = tiles[top:bottom, left:right]
    shade = 0.85 + 0.1 * np.sin(np.arange(600) / 40)[None, :, None]
    now = np.full_like(cloth, 140) if smooth else cloth * shade
    assert looks_otherwise_around_the_first(laid, now) == otherwise


def test_a_pale_sleeve_over_a_white_cloth_is_as_smooth_as_that_and_lies_over_it_all_the_same() -> None:
    """White tiles on white have hardly any figure around them that could tell."""
    laid = np.full((140, 600, 3), 215, np.float32)
    for place in PLACES[:2]:
        (left, top), (right, bottom) = place[0].astype(int), place[2].astype(int)
        laid[top:bottom, left:right] = 230
    sleeve = np.full_like(laid, 200) + 8 * np.sin(np.arange(600) / 3)[None, :, None]
    assert looks_otherwise_around_the_first(laid, sleeve)
