"""The sun throws hard shadows of heads that sway: over the table, over tiles and over the pool."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from pool_pictures import HEIGHT, HOME, WIDTH, quad

from vision.readings import Corners
from vision.sources.frame import Frame
from vision.watch.cover import Ground
from vision.watch.gate import Gate
from vision.watch.patches import HomePicture
from vision.watch.pool import PoolKeeper
from vision.watch.pool_colours import BackColours
from vision.watch.settings import WatchSettings
from vision.watch.sun_light import SunLight
from vision.watch.tracks import Fate

SIZE_WH = (640, 360)
SHADE = np.array([0.46, 0.42, 0.38], np.float32)
"""What is left of the light in a shadow, BGR: the sky's, which is bluer."""
BACKS = [(330 + 32 * column, 40 + 42 * row) for row in range(6) for column in range(5)]
CLOTH = (190, 170, 160)


def table(shadow_xy: tuple[float, float], backs: Sequence[tuple[int, int]] = ()) -> NDArray[np.uint8]:
    """A plain cloth with backs, and the hard shadow of a head and its shoulders, in from the right."""
    image = np.full((SIZE_WH[1], SIZE_WH[0], 3), CLOTH, np.float32)
    for x, y in backs:
        cv2.rectangle(image, (x, y), (x + WIDTH, y + HEIGHT), (190, 215, 220), cv2.FILLED)
        cv2.rectangle(image, (x, y), (x + WIDTH, y + HEIGHT), (140, 155, 160), 1)
    shade = np.zeros(image.shape[:2], np.float32)
    x, y = (int(v) for v in shadow_xy)
    cv2.ellipse(shade, (x, y), (46, 40), 0, 0, 360, 1, -1, cv2.LINE_AA)
    cv2.ellipse(shade, (x + 190, y), (150, 90), 0, 0, 360, 1, -1, cv2.LINE_AA)
    image *= 1 - cv2.GaussianBlur(shade, (0, 0), 2)[..., None] * (1 - SHADE)
    noise = np.random.default_rng(len(backs)).normal(0, 1.5, image.shape)
    return np.asarray(np.clip(image + noise, 0, 255), np.uint8)


def arm(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A brown arm that reaches in from below."""
    return np.asarray(cv2.rectangle(image.copy(), (180, 200), (225, 360), (70, 100, 160), cv2.FILLED))


class Pool:
    """Backs in the shadow of a head, and a finder that passes over those on which the shadow's edge lies."""

    def __init__(self) -> None:
        self.keeper, self.sun = PoolKeeper(), SunLight()

    def look(self, shadow_xy: tuple[float, float], lying: list[tuple[int, int]]) -> tuple[int | None, int]:
        image = table(shadow_xy, lying)
        found = []
        for x, y in lying:
            part = image[y + 4 : y + HEIGHT - 4, x + 4 : x + WIDTH - 4].mean(axis=2)
            if part.std() < 12:
                found.append((x, y))
        self.sun.passes()

        def bare(homes: list[Corners]) -> list[Fate]:
            return ["bare"] * len(homes)

        self.keeper.update([quad(at) for at in found], bare, HomePicture(image, HOME), sun=self.sun)
        return self.keeper.count, self.keeper.taken


def swaying(looks: int) -> list[tuple[float, float]]:
    return [(400 + 30 * np.sin(k), 160 + 25 * np.cos(1.7 * k)) for k in range(looks)]


def drawn_after(looks: int, drawn: int) -> tuple[int | None, int]:
    """Return what is counted and taken three looks after a back was drawn, which had been seen in so many."""
    pool = Pool()
    for at in swaying(looks):
        pool.look(at, BACKS)
    left = [place for place in BACKS if place != BACKS[drawn]]
    return [pool.look(at, left) for at in swaying(looks + 3)[looks:]][-1]


def test_backs_that_a_shadow_falls_on_and_leaves_are_not_taken() -> None:
    pool = Pool()
    for at in swaying(12):
        count, taken = pool.look(at, BACKS)
    assert (count, taken) == (len(BACKS), 0)


@pytest.mark.parametrize("drawn", [7, 12, 22, 29])
def test_a_back_that_is_drawn_meanwhile_is(drawn: int) -> None:
    """In the shade or out of it: the cloth shows, which is as dark there as everything else."""
    assert drawn_after(6, drawn) == (len(BACKS) - 1, 1)


@pytest.mark.parametrize("drawn", [7, 8, 12, 13])
def test_a_back_drawn_early_was_not_pushed_to_where_a_shadows_edge_lay(drawn: int) -> None:
    """One on which the edge lay is found only now, and looks otherwise: it has not come from there (21857)."""
    assert drawn_after(3, drawn)[1] == 1


@pytest.mark.parametrize(("from_xy", "drawn"), [((400, 160), 12), ((400, 160), 17), ((420, 200), 17)])
def test_a_back_that_goes_while_a_head_leans_in_is_seen_to(from_xy: tuple[float, float], drawn: int) -> None:
    """So many backs look otherwise then that no difference in light tells any more; colours do (21846)."""
    pool = Pool()
    for at in [*swaying(6), from_xy, from_xy]:
        pool.look(at, BACKS)
    left = [place for place in BACKS if place != BACKS[drawn]]
    for _ in range(3):
        count, taken = pool.look((300, 160), left)
    assert (count, taken) == (len(left), 1)


def test_where_the_ground_shows_rather_than_a_back_its_place_lies_bare() -> None:
    back, cloth = (np.full((24, 20, 3), colour, np.float32) for colour in ((190, 215, 220), CLOTH))
    known = BackColours()
    known.see([back, back * 0.4] * 6, np.ones(3, np.float32), lambda: [cloth, cloth * 0.4] * 6)
    sleeve = np.full((24, 20, 3), (40, 60, 160), np.float32)
    assert [known.bared(place) for place in (cloth, cloth * 0.4, back, back * 0.4, sleeve)] == [
        True, True, False, False, False,
    ]  # fmt: skip
    known.see([back] * 6, np.ones(3, np.float32), lambda: [back] * 6)
    assert not known.bared(back)


def ground(*shadows: tuple[float, float]) -> Ground:
    known = Ground()
    for at in shadows:
        for _ in range(4):
            known.learn(table(at), [], HOME)
    return known


def test_a_shadow_that_has_moved_is_nothing_that_reaches_in() -> None:
    """What it leaves is as bright as the rest, and what it falls on as dark as it was where it left."""
    known = ground((400, 120), (400, 120))
    moved = table((370, 200))
    known.occluders(moved, [], HOME)
    known.learn(moved, [], HOME)
    over = known.occluders(table((340, 230)), [], HOME)
    assert (over.reaching_in, over.standing) == (False, False)


def test_an_arm_beside_it_still_does() -> None:
    known = ground((400, 120), (400, 120))
    known.occluders(table((370, 200)), [], HOME)
    over = known.occluders(arm(table((340, 230))), [], HOME)
    assert over.reaching_in
    rows, columns = np.nonzero(over.mask)
    assert columns.max() * over.mask_scale < 240
    assert rows.min() * over.mask_scale > 180


def test_a_black_sleeve_and_a_sheet_of_paper_are_no_sun() -> None:
    """One takes light and the other gives it, but the paper is brighter than anything the sun lights."""
    known = ground((2000, 0))
    image = table((2000, 0))
    cv2.rectangle(image, (100, 150), (180, 360), (60, 54, 50), cv2.FILLED)
    cv2.rectangle(image, (300, 50), (400, 150), (255, 250, 245), cv2.FILLED)
    known.occluders(image, [], HOME)
    assert not known.sun.is_out
    assert known.occluders(image, [], HOME).reaching_in


def frames(gate: Gate, pictures: list[NDArray[np.uint8]], start: int) -> list[bool]:
    looks = [gate.look(Frame.of_bgr(start + k, (start + k) / 10, one)) for k, one in enumerate(pictures)]
    return [look.moving or look.shaking or look.light for look in looks]


def told_sun() -> SunLight:
    sun = SunLight()
    bodies = np.array([[190, 215, 220]] * 4, np.float32)
    sun.learn_from_bodies(np.concatenate([bodies, bodies * SHADE]))
    return sun


def test_a_shadow_that_sways_moves_nothing_once_the_sun_is_known() -> None:
    sway = [table((420 + 6 * k, 150 + 3 * k)) for k in range(12)]
    still = [table((420, 150))] * 10
    known, unknown = Gate(WatchSettings()), Gate(WatchSettings())
    known.heed(told_sun())
    for gate in (known, unknown):
        frames(gate, still, 0)
    assert not any(frames(known, sway, 10))
    assert any(frames(unknown, sway, 10))


def test_a_hand_under_that_shadow_does() -> None:
    gate = Gate(WatchSettings())
    gate.heed(told_sun())
    frames(gate, [table((420, 150))] * 10, 0)
    reach = [arm(table((420 + 6 * k, 150))) for k in range(8)]
    assert any(frames(gate, reach, 10))


def test_a_sun_that_is_not_seen_any_more_is_forgotten() -> None:
    sun = told_sun()
    assert sun.is_out
    for _ in range(60):
        sun.passes()
    assert not sun.is_out
    apart = np.full((4, 4, 3), (-0.1, 0.1, 0.6), np.float32)
    assert not sun.explains(apart, np.full((4, 4), 0.08, np.float32)).any()


@pytest.mark.parametrize(("shown", "is_back"), [(0.65, True), (0.35, False)])
def test_a_place_of_which_a_back_takes_up_the_greater_part_may_have_been_found_amiss(
    shown: float, is_back: bool
) -> None:
    """The finder put its outline half beside it, where a shadow's edge crossed it (21843)."""
    back, cloth = (np.full((24, 20, 3), colour, np.float32) for colour in ((190, 215, 220), CLOTH))
    known = BackColours()
    known.see([back] * 6, np.ones(3, np.float32), lambda: [cloth] * 6)
    place = back.copy()
    place[7 + round(10 * shown) :] = CLOTH
    assert known.shown_by(place, in_sun=True) is is_back
    assert not known.shown_by(place)


def test_out_of_the_sun_a_place_of_the_grounds_colours_shows_no_back() -> None:
    """Grey marble in dim light has mixtures of the backs' greys, and noise now and then their own (11825)."""
    back, ground = (np.full((24, 20, 3), level, np.float32) for level in (150, 130))
    known = BackColours()
    known.see([back] * 6 + [back - 40] * 6, np.ones(3, np.float32), lambda: [ground] * 6)
    bare, half = ground.copy(), ground.copy()
    bare[7:9], half[7:13] = 150, 150
    assert known.shown_by(bare, in_sun=True)
    assert not known.shown_by(bare)
    assert known.shown_by(half)
