"""Stacks of backs: the lower one lies a little off the one that was taken from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from pool_pictures import PLACES, look, picture

from vision.readings import Corners
from vision.watch.pool import PoolKeeper
from vision.watch.pool_backs import Back, BackLook, PoolSizes
from vision.watch.pool_heap import HeapKeeper
from vision.watch.pool_stacks import lie_off, lowered

WIDTH = 50.0
ROWS = [(60.0 * column, 80.0 * row) for row in range(5) for column in range(5)]


def quad(x: float, y: float, width: float = WIDTH) -> Corners:
    return np.array([[x, y], [x + width, y], [x + width, y + 68], [x, y + 68]], np.float32)


def look_at(off: Mapping[int, float], shift: float = 0.0) -> BackLook:
    """A look at 25 stacks, of which some lie so many pixels to the right of where they lay."""
    chance = np.random.default_rng(len(off))
    quads = [
        quad(x + shift + off.get(at, 0.0) + chance.normal(0, 0.3), y + shift) for at, (x, y) in enumerate(ROWS)
    ]
    return BackLook(quads, None, WIDTH)


def looked_at(looks: Sequence[BackLook], *, touched: bool = True, calm: bool = True) -> list[int | None]:
    """The place of the back that each look says was taken off another; None where none was."""
    backs = [Back(quad(x, y), None) for x, y in ROWS]
    for back in backs:
        back.early = True
    found = [(back, at) for at, back in enumerate(backs)]
    told = [lowered(found, look, lambda _: touched, lambda _: calm) for look in looks]
    return [None if back is None else backs.index(back) for back in told]


@pytest.mark.parametrize("off_px", [3.5, 12.0])
def test_the_one_that_lies_off_in_two_looks_is_another_one(off_px: float) -> None:
    """In bn02 it lay off by 0.06 to 0.15 widths, and all others by less than 0.03."""
    looks = [look_at({}), look_at({7: off_px}), look_at({7: off_px}), look_at({7: off_px})]
    assert looked_at(looks) == [None, None, 7, None]


@pytest.mark.parametrize(
    ("off", "touched", "calm"),
    [
        ({7: 1.5}, True, True),
        ({7: 6.0, 8: 6.0}, True, True),
        ({7: 6.0}, False, True),
        ({7: 6.0}, True, False),
        ({7: 35.0}, True, True),
    ],
    ids=["too little", "two were pushed", "nobody was there", "another has gone", "it was pushed away"],
)
def test_others_were_not_taken(off: Mapping[int, float], touched: bool, calm: bool) -> None:
    looks = [look_at({}), *[look_at(off)] * 3]
    assert looked_at(looks, touched=touched, calm=calm) == [None] * 4


def test_a_camera_that_was_knocked_shifts_all_of_them() -> None:
    assert looked_at([look_at({}), *[look_at({}, shift=9.0)] * 3]) == [None] * 4


def test_what_only_seemed_to_lie_off_once_was_not_taken() -> None:
    assert looked_at([look_at({}), look_at({7: 6.0}), look_at({}), look_at({})]) == [None] * 4


def test_a_find_that_wavers_to_both_sides_is_the_same_back() -> None:
    """In bq02 it lay 0.08 widths to one side, then 0.05 to the other."""
    assert looked_at([look_at({}), look_at({7: 4.0}), look_at({7: -3.0}), look_at({7: 4.0})]) == [None] * 4


class Shown:
    """A picture in which every place looks the same, by its grey level."""

    def __init__(self, level: float) -> None:
        self._patch = np.full((24, 20, 3), level, np.float32)

    def patches(self, homes: Sequence[Corners]) -> list[NDArray[np.float32]]:
        return [self._patch] * len(homes)

    def shows(self, home: Corners) -> bool:
        return True


@pytest.mark.parametrize(("rested", "off"), [(True, 3), (False, 0)])
def test_of_a_row_that_was_put_straight_several_lie_off(rested: bool, off: int) -> None:
    """Nobody drew (ci03); amid a heap, where finds waver, some never lay at rest (cj02)."""
    backs = [Back(quad(x, y), None) for x, y in ROWS]
    for back in backs:
        back.early, back.at_rest = True, np.zeros((4, 4, 3), np.float32) if rested else None
    found = [(back, at) for at, back in enumerate(backs)]
    assert len(lie_off(found, look_at({5: 6.0, 6: 5.5, 7: 6.0, 8: 3.0}))) == off


@pytest.mark.parametrize(
    ("off_px", "level", "taken"), [(6.0, 201.0, None), (6.0, 212.0, 7), (2.9, 204.0, None), (2.9, 206.0, 7)]
)
def test_a_stack_that_looks_as_it_did_before_hands_came_has_lost_none(
    off_px: float, level: float, taken: int | None
) -> None:
    """In bt01 the find changed from the upper back to the stack, in cb02 by 0.06 widths amid a heap."""
    backs = [Back(quad(x, y), None) for x, y in ROWS]
    for back in backs:
        back.early = True
    found = [(back, at) for at, back in enumerate(backs)]
    lowered(found, replaced(look_at({}), Shown(200.0)), lambda _: False, lambda _: True)
    for _ in range(2):
        told = lowered(found, replaced(look_at({7: off_px}), Shown(level)), lambda _: True, lambda _: True)
    assert (None if told is None else backs.index(told)) == taken


class Sloping(Shown):
    """A picture that grows brighter to the right: places that lie apart look apart."""

    def patches(self, homes: Sequence[Corners]) -> list[NDArray[np.float32]]:
        return [np.full((24, 20, 3), 4 * home[0, 0], np.float32) for home in homes]


def test_a_find_that_wavers_over_what_looks_the_same_shows_no_other_back() -> None:
    """In cz01 it lay 0.09 widths off without anything having changed, and was a draw."""
    backs = [Back(quad(x, y), None) for x, y in ROWS]
    looks = [replaced(look_at({7: off_px}), Sloping(0.0)) for off_px in (2.0, -4.0, -4.0)]
    for seen, touched in zip(looks, (False, True, True), strict=True):
        for back, home in zip(backs, seen.quads, strict=True):
            back.early, back.home = True, home
        found = [(back, at) for at, back in enumerate(backs)]
        assert lowered(found, seen, lambda _, so=touched: so, lambda _: True) is None


def replaced(look: BackLook, shown: Shown) -> BackLook:
    return BackLook(look.quads, shown, look.width)


@pytest.mark.parametrize(("whole", "taken"), [(36, 1), (18, 0), (None, 0)])
def test_only_a_pool_of_which_half_is_out_of_view_lies_in_stacks(
    whole: int | None, taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A single back that was nudged is none that was taken; what a heap says of it is left out here."""
    monkeypatch.setattr(HeapKeeper, "most_gone", lambda *_: 0)
    pool = PoolKeeper(whole)
    nudged = [(x + 3 * (at == 7), y) for at, (x, y) in enumerate(PLACES)]
    for lie in (PLACES, PLACES, nudged, nudged, nudged):
        seen = look(pool, picture(lie), lie)
    assert seen == (18, taken)


def test_a_stack_of_a_block_that_was_pushed_is_lower_once_one_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that had been pushed lay off from where they had lain, and hid that (cl01)."""
    monkeypatch.setattr(HeapKeeper, "most_gone", lambda *_: 0)
    pool = PoolKeeper(36)
    pushed = [(x + 15 * (y > 60), y) for x, y in PLACES]
    lower = [(x + 3 * (at == 7), y) for at, (x, y) in enumerate(pushed)]
    taken = [look(pool, picture(lie), lie)[1] for lie in (PLACES, PLACES, pushed, lower, lower)]
    assert taken == [0, 0, 0, 0, 1]


def test_what_a_heap_tells_a_look_later_is_the_same_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A back was taken off another, and the place looked otherwise, too: one draw became two (cj03)."""
    tells, changes = iter((0, 0, 0, 0, 1)), iter((False, False, True, True, False))
    changing = [False]

    def most_gone(*_: object) -> int:
        changing[0] = next(changes)
        return next(tells)

    monkeypatch.setattr(HeapKeeper, "most_gone", most_gone)
    monkeypatch.setattr(HeapKeeper, "changing", property(lambda _: changing[0]))
    pool = PoolKeeper(36)
    nudged = [(x + 3 * (at == 7), y) for at, (x, y) in enumerate(PLACES)]
    taken = [look(pool, picture(lie), lie)[1] for lie in (PLACES, PLACES, nudged, nudged, nudged)]
    assert taken == [0, 0, 0, 1, 1]


def test_what_is_larger_than_the_backs_of_the_first_look_is_none() -> None:
    """The white squares of a cloth beside the pool (bn03)."""
    sizes = PoolSizes([quad(x, y) for x, y in ROWS])
    assert sizes.fit(quad(320, 0, 1.1 * WIDTH))
    assert not sizes.fit(quad(320, 0, 1.4 * WIDTH))
    assert PoolSizes([quad(x, y) for x, y in ROWS[:5]]).fit(quad(320, 0, 3 * WIDTH))
