"""Motifs of a tablecloth that read as tiles are none: nothing has changed there since the beginning (l03)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from watch_looks import look, quad, row
from watch_pictures import Told, place, row_of

from referee import Tile
from vision.picture import Picture
from vision.readings import PhotoReading, SetReading, TileReading
from vision.settings import ReadSettings
from vision.sources.frame import Frame
from vision.watch.eye import Eye
from vision.watch.patches import HomePicture
from vision.watch.reach import ANYWHERE, Touch
from vision.watch.scenery import Scenery
from vision.watch.settings import WatchSettings
from vision.watch.setup import WatchSetup
from vision.watch.track import top_of

MOTIFS = [("J", 60.0), ("R4", 420.0), ("J", 560.0)]
LAID = [("R6", 200.0), ("R7", 230.0), ("R8", 260.0)]


class WithLeaflet(Told):
    """Finds a pool of backs too, and a small legal set that is printed on a leaflet."""

    leaflet_xy = 420, 250

    def read(self, picture: Picture, *, quick: bool = False) -> PhotoReading:
        reading = super().read(picture, quick=quick)
        lie, (x, y) = len(reading.tiles), self.leaflet_xy
        small = place(0, 0) * 0.6
        printed = [
            TileReading(Tile.parse(name), 0.999, False, small + np.float32([x + 18 * at, y]))
            for at, name in enumerate(("O3", "O4", "O5"))
        ]
        return replace(
            reading,
            tiles=(*reading.tiles, *printed),
            sets=(*reading.sets, SetReading((lie, lie + 1, lie + 2))),
            face_down_xy_px=tuple(place(30 + 32 * at, y) for at in range(6) for y in (220, 270)),
        )


class WithFarPool(Told):
    """Finds a pool of small backs in one corner, their corners to within a pixel."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        wrong_by = np.random.default_rng(seed).uniform(0.93, 1.07, 12)
        at = [(30 + 32 * k, y) for k in range(6) for y in (220, 270)]
        middle = place(0, 0).mean(axis=0)
        self.backs = tuple(
            np.float32((place(0, 0) - middle) * wrong + middle + xy)
            for xy, wrong in zip(at, wrong_by, strict=True)
        )

    def read(self, picture: Picture, *, quick: bool = False) -> PhotoReading:
        return replace(super().read(picture, quick=quick), face_down_xy_px=self.backs)


class WithNarrowPool(WithFarPool):
    """Finds a pool of two columns, of which one is found larger: a shadow lies along it."""

    def __init__(self, larger: float) -> None:
        super().__init__(0)
        wrong = {30: 1.0, 62: larger}
        middle = place(0, 0).mean(axis=0)
        self.backs = tuple(
            np.float32((place(0, 0) - middle) * wrong[x] + middle + (x, y))
            for x in wrong
            for y in range(20, 340, 50)
        )


class Table:
    """A table whose cloth has motifs that are read as tiles, though nothing is drawn for them."""

    def __init__(self, told: Told | None = None) -> None:
        self.told, self.drawn = told or Told(), Told()
        self.eye = Eye(self.told, WatchSetup(("Ann", "Ben"), "ru"), WatchSettings(), ReadSettings())
        self._at = 0

    def shows(
        self,
        laid: list[tuple[str, float]],
        motifs: list[tuple[str, float]] = MOTIFS,
        light: float = 1.0,
        touch: Touch = ANYWHERE,
    ) -> str:
        """Look twice, and return the table; ``touch``: where hands may have been before."""
        self.drawn.row = laid
        self.told.row = sorted([*laid, *motifs], key=lambda one: one[1])
        for again in (False, True):
            frame = row_of(self._at, float(self._at), self.drawn)
            image = np.clip(frame.image_bgr * light, 0, 255).astype(np.uint8)
            glimpse = self.eye.look(Frame.of_bgr(self._at, float(self._at), image), touch=touch, afresh=again)
            self._at += 1
        assert glimpse.lying is not None
        return str(glimpse.lying.table)


@pytest.mark.parametrize("light", [1.0, 0.8])
def test_motifs_of_the_cloth_are_no_tiles_whenever_they_are_found(light: float) -> None:
    table = Table()
    assert table.shows([], MOTIFS[:2]) == ""
    assert table.shows(LAID, light=light) == "R6 R7 R8"
    assert table.shows(LAID, MOTIFS[1:], light=light) == "R6 R7 R8"


def test_a_tile_that_is_laid_over_a_motif_is_one() -> None:
    table = Table()
    table.shows([])
    over = [("O10", 390.0), ("O11", 420.0), ("O12", 450.0)]
    assert table.shows(over, [MOTIFS[0], MOTIFS[2]]) == "O10 O11 O12"


def test_sets_that_lie_there_at_the_beginning_stay_with_a_tile_that_was_missed_at_first() -> None:
    table = Table()
    whole = [*LAID, ("R9", 290.0)]
    table.drawn.row, table.told.row = whole, LAID
    table.eye.look(row_of(0, 0.0, table.drawn))
    assert table.shows(whole) == "R6 R7 R8 R9"


def test_a_tile_that_lay_alone_at_first_belongs_to_the_row_that_is_laid_on() -> None:
    """Watching began as the first of a set was laid."""
    table = Table()
    table.shows(LAID[:1])
    assert table.shows(LAID) == "R6 R7 R8"


def test_a_set_that_the_first_looks_missed_is_one_when_it_is_found() -> None:
    """A camera that had not focussed yet, in the middle of a game."""
    table = Table()
    table.drawn.row = LAID
    table.eye.look(row_of(0, 0.0, table.drawn), afresh=False)
    assert table.shows(LAID) == "R6 R7 R8"


def test_a_motif_that_a_tile_half_covers_is_still_none() -> None:
    """What the tile covers of it is not compared (composer T's t02: a flower beside a group was its joker)."""
    table = Table()
    table.shows([])
    beside = [("O10", 434.0), ("O11", 464.0), ("O12", 494.0)]
    assert table.shows(beside, [("J", 418.0)]) == "O10 O11 O12"


LID = [("K7", 420.0), ("B8", 450.0), ("O9", 480.0), ("R10", 510.0)]


def test_what_is_printed_on_a_lid_is_no_set_wherever_the_lid_is_pushed() -> None:
    """Composer AI's ai02: four tiles on the lid of the box were a faulty opening before anybody had moved."""
    table = Table()
    assert table.shows(LID, []) == ""
    assert table.shows([*LAID, *LID], []) == "R6 R7 R8"
    pushed = [(name, x + 40) for name, x in LID]
    assert table.shows([*LAID, *pushed], []) == "R6 R7 R8"


def test_a_set_of_tiles_that_are_printed_on_the_lid_too_is_one() -> None:
    """Composer AM's am03: R10 R11 R12 lay on the table as on the lid, beside a row of others."""
    lid = row("K7 B8 O9", 1, 1), row("R10 R11 R12", 4.5, 1)
    scenery = Scenery(whole_pool=4)
    before = np.random.default_rng(1).integers(0, 255, (360, 640, 3), np.uint8)
    at_start = replace(look(*lid), backs=tuple(quad(x, 6.0) for x in range(4)))
    for _ in range(2):
        assert scenery.without(at_start, HomePicture(before, np.eye(3)), again=False).faces == ()
    now = before.copy()
    now[140:260] = 255 - now[140:260]
    laid = row("R10 R11 R12", 2, 4)
    shown = scenery.without(look(*lid, laid), HomePicture(now, np.eye(3)), again=False)
    assert shown.faces == tuple(laid)


@pytest.mark.parametrize("uncovered", [True, False])
def test_what_shows_where_a_back_was_taken_up_is_no_tile(uncovered: bool) -> None:
    """Composer AL's al02: a flower of the cloth under a back of the pool was a joker that somebody laid."""
    before, now = (np.random.default_rng(seed).integers(0, 255, (360, 640, 3), np.uint8) for seed in (1, 2))
    scenery, flower = Scenery(), row("J", 3, 3)
    scenery.without(look(), HomePicture(before, np.eye(3)), again=False)
    taken_up = [face.home for face in flower] if uncovered else []
    scenery.without(look(), HomePicture(now, np.eye(3)), again=False, uncovered=taken_up)
    shown = scenery.without(look(flower), HomePicture(now, np.eye(3)), again=False)
    assert len(shown.faces) == (not uncovered)


def test_a_faulty_set_of_a_game_that_is_under_way_is_no_lid() -> None:
    table = Table()
    assert table.shows([("R6", 200.0), ("R7", 230.0), ("B8", 260.0)], []) == "R6 R7 B8"


def test_a_set_that_is_printed_much_smaller_than_the_pools_tiles_is_none_wherever_it_is_pushed() -> None:
    """Composer AK's ak01: the rules of the game lay on the table, with five sets on them."""
    told = WithLeaflet()
    table = Table(told)
    assert table.shows([], []) == ""
    assert table.shows(LAID, []) == "R6 R7 R8"
    told.leaflet_xy = 480, 200
    assert table.shows(LAID, []) == "R6 R7 R8"


@pytest.mark.parametrize("seed", range(12))
def test_far_from_the_pool_its_backs_do_not_tell_how_large_tiles_are(seed: int) -> None:
    """Composer AV's av03: 18 backs in a corner made the farthest of 15 sets one that was printed."""
    far = [("R6", 540.0), ("R7", 570.0), ("R8", 600.0)]
    assert Table(WithFarPool(seed)).shows(far, []) == "R6 R7 R8"


@pytest.mark.parametrize("larger", [0.97, 1.03])
def test_a_narrow_pool_does_not_tell_how_large_tiles_are_far_beside_it(larger: float) -> None:
    """In our 11862 a pool at the rim made four sets of five ones that were printed, half as large."""
    far = [("R6", 540.0), ("R7", 570.0), ("R8", 600.0)]
    assert Table(WithNarrowPool(larger)).shows(far, []) == "R6 R7 R8"


def test_before_the_first_turn_a_legal_row_is_printed_too() -> None:
    """The pool is whole: the box of the game stands there, with sets on its lid (composer AM's am03)."""
    scenery = Scenery(whole_pool=4)
    first = look(row("R6 R7 R8", 0, 0))
    at_start = replace(first, backs=tuple(quad(x, 4.0) for x in range(4)))
    picture = HomePicture(np.random.default_rng(1).integers(0, 255, (360, 640, 3), np.uint8), np.eye(3))
    assert scenery.without(at_start, picture, again=False).faces == ()
    assert scenery.took_sets_for_print
    assert scenery.without(replace(at_start, backs=at_start.backs[1:]), picture, again=False).faces == ()
    under_way = Scenery(whole_pool=5)
    assert len(under_way.without(at_start, picture, again=False).faces) == 3
    assert not under_way.took_sets_for_print


def test_numbers_that_change_though_nothing_has_reached_in_are_on_a_screen() -> None:
    """Composer AI's ai03: a phone on the table showed other numbers now and then."""
    table, alone = Table(), Touch(())
    assert table.shows([("R8", 420.0), ("B5", 450.0)], []) == ""
    assert table.shows([("R8", 420.0), ("B11", 450.0)], [], touch=alone) == ""
    assert table.shows([*LAID, ("K3", 420.0), ("B2", 450.0)], []) == "R6 R7 R8"


@pytest.mark.parametrize("looks_again", ["R8", "K2"], ids=["as it did", "like a screen"])
def test_what_is_laid_over_a_motif_is_on_no_screen(looks_again: str) -> None:
    table = Table()
    assert table.shows([("R8", 420.0)], []) == ""
    assert table.shows([(looks_again, 420.0)], [], touch=Touch(())) == ""
    assert table.shows([("K3", 390.0), ("K4", 420.0), ("K5", 450.0)], []) == "K3 K4 K5"


@pytest.mark.parametrize(("flowers", "left"), [(3, "K3 J K5 R7"), (1, "J K3 J K5 R7")])
def test_where_more_jokers_lie_about_than_a_game_has_they_are_flowers(flowers: int, left: str) -> None:
    """Composer BR's br02: those beside the sets of a game that was under way were tiles."""
    scenery = Scenery()
    lie = row("K3 J K5", 1, 1), row("R7", 9, 1), *(row("J", 3.0 * at + 1, 4) for at in range(flowers))
    chance = np.random.default_rng(3)
    for _ in range(2):
        changing = chance.integers(0, 255, (360, 640, 3), np.uint8)
        shown = scenery.without(look(*lie), HomePicture(changing, np.eye(3)), again=False)
    read = sorted(str(top_of(face.listed)[0]) for face in shown.faces if face.listed)
    assert read == sorted(left.split())
    one = scenery.without(look(row("J", 12, 4)), HomePicture(changing, np.eye(3)), again=False)
    assert len(one.faces) == (flowers < 3), "the others are under hands now"


@pytest.mark.parametrize("lay_there", [False, True])
def test_a_joker_that_comes_to_lie_beside_numbers_is_no_flower(lay_there: bool) -> None:
    """In dg02 the finder made it no one row with them, and with fifteen flowers in view it was not seen."""
    scenery, flowers = Scenery(), [row("J", 3.0 * at + 1, 6) for at in range(3)]
    before = np.random.default_rng(5).integers(0, 255, (360, 640, 3), np.uint8)
    joker = row("J", 3, 2)
    first = [*flowers, joker] if lay_there else flowers
    scenery.without(look(*first), HomePicture(before, np.eye(3)), again=False)
    now = before.copy()
    left_px = 175 if lay_there else 120
    now[:220, left_px:] = 255 - now[:220, left_px:]
    laid = row("B4 O4", 4, 2)
    shown = scenery.without(look(*flowers, joker, laid), HomePicture(now, np.eye(3)), again=False)
    assert shown.faces == ((*laid,) if lay_there else (*joker, *laid))
