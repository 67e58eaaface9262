"""A picture is read again wherever it shows something else, however pale and small."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from watch_pictures import Told, place, row_of

from referee import Tile
from vision.picture import Picture
from vision.readings import PhotoReading, SetReading, TileReading, as_corners
from vision.settings import ReadSettings
from vision.sources.frame import Frame
from vision.watch.eye import Eye
from vision.watch.settings import WatchSettings
from vision.watch.setup import WatchSetup

HELD = ["R3", "B11", "O6", "B8", "K1", "R7", "K9", "B13"]
"""What stands on a rack whose faces the camera sees."""


class Blind:
    """Reads nothing in any picture."""

    def read(self, picture: Picture, *, quick: bool = False) -> PhotoReading:
        height, width = picture.image_bgr.shape[:2]
        return PhotoReading((width, height), "table")


class Sighted:
    """Reads a run of red tiles, as many as are whole in what it is shown."""

    def read(self, picture: Picture, *, quick: bool = False) -> PhotoReading:
        image = picture.image_bgr
        pale = np.abs(image.astype(int) - (225, 235, 240)).sum(axis=2) < 3
        shapes, _ = cv2.findContours(pale.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        boxes = sorted(box for box in map(cv2.boundingRect, shapes) if box[2] >= 30 and box[3] >= 40)
        tiles = tuple(
            TileReading(Tile.parse(f"R{3 + at}"), 0.999, False, place(x + 15, y))
            for at, (x, y, _, _) in enumerate(boxes)
        )
        sets = (SetReading(tuple(range(len(tiles)))),) if tiles else ()
        return PhotoReading((image.shape[1], image.shape[0]), "table", tiles, sets)


def frame(at: int, seed: int, *, tile: bool = False, light: float = 1.0) -> Frame:
    """A pale cloth with a shade of its own; a far, pale tile of 11 x 13 pixels lies on it, or does not."""
    x, y = np.meshgrid(np.arange(640), np.arange(360))
    cloth = 118 + 12 * np.sin(x / 90) + 8 * np.cos(y / 70)
    image = np.repeat(cloth[..., None], 3, axis=2)
    if tile:
        cv2.rectangle(image, (400, 90), (410, 102), (130, 132, 134), cv2.FILLED)
    noise = np.random.default_rng(seed).normal(0, 3, image.shape)
    return Frame.of_bgr(at, float(at), np.asarray(np.clip(image * light + noise, 0, 255), np.uint8))


@pytest.fixture
def eye() -> Eye:
    """An eye that has seen the bare cloth."""
    looks = Eye(Blind(), WatchSetup(("Ann", "Ben"), "ru"), WatchSettings(), ReadSettings())
    assert looks.look(frame(0, seed=1)).lying is not None
    return looks


@pytest.mark.parametrize("light", [1.0, 1.05, 0.95])
def test_a_picture_that_shows_the_same_is_not_read_again(eye: Eye, light: float) -> None:
    assert eye.same_as_last(frame(1, seed=2, light=light)) is not None


@pytest.mark.parametrize("light", [1.0, 1.05])
def test_a_pale_far_tile_on_a_pale_cloth_is_something_else(eye: Eye, light: float) -> None:
    assert eye.same_as_last(frame(1, seed=2, tile=True, light=light)) is None


@pytest.mark.parametrize(("aside", "left"), [(19.0, "B6 B7"), (28.0, "B6 B7 ~R9")])
def test_no_tile_is_remembered_under_two_others_that_lie_over_its_place(aside: float, left: str) -> None:
    """A row was relaid by half a tile under an arm that stays; with 28 pixels there is room for the tile."""
    told = Told()
    looks = Eye(told, WatchSetup(("Ann", "Ben"), "ru"), WatchSettings(), ReadSettings())
    looks.look(row_of(0, 0.0, told))
    told.row = [("R9", 300.0), ("K2", 500.0)]
    for at in range(1, 3):
        looks.look(row_of(at, at, told), afresh=at > 1)
    told.row = [("B6", 300 - aside), ("B7", 300 + aside), ("K2", 500.0)]
    gap = round(aside) - 15
    lying = looks.look(row_of(3, 3.0, told, (300 - gap, 300 + gap))).lying
    assert lying is not None
    assert sorted(str(tile.seen) for tile in lying.tiles if str(tile.seen) != "K2") == sorted(left.split())


def test_a_tile_under_a_finger_that_is_narrower_lies_there_yet() -> None:
    """The row had lain on a bare cloth; who pointed at it wore a sleeve of the cloth's colour (cv03)."""
    told = Told()
    looks = Eye(told, WatchSetup(("Ann", "Ben"), "ru"), WatchSettings(), ReadSettings())
    looks.look(row_of(0, 0.0, told))
    row = [("R5", 268.0), ("K5", 300.0), ("O5", 332.0)]
    told.row = list(row)
    for at in range(1, 4):
        looks.look(row_of(at, at, told), afresh=at > 1)
    pointing = row_of(4, 4.0, told, (294, 306), (100, 140)).image_bgr
    told.row = [row[0], row[2]]
    for at in range(4, 6):
        lying = looks.look(Frame.of_bgr(at, float(at), pointing), afresh=at > 4).lying
    assert lying is not None
    assert sorted(str(tile.seen) for tile in lying.tiles) == ["O5", "R5", "~K5"]
    for at in range(6, 8):
        bare = looks.look(row_of(at, at, told), afresh=at > 6).lying
    assert bare is not None
    assert sorted(str(tile.seen) for tile in bare.tiles) == ["O5", "R5"]


def test_what_was_taken_for_tiles_is_let_go_once_rows_show_that_it_has_not_their_size() -> None:
    """Keys of a lit phone lay there as a pair for two minutes, and each table with them was faulty (ai03)."""

    class Keys(Told):
        """Reads two small keys besides, once they are lit."""

        lit = False

        def read(self, picture: Picture, *, quick: bool = False) -> PhotoReading:
            reading = super().read(picture, quick=quick)
            if not self.lit:
                return reading
            keys = tuple(
                TileReading(Tile.parse(name), 0.99, False, place(x, 200) * np.float32([1, 0.4]))
                for name, x in (("R2", 40.0), ("B5", 72.0))
            )
            pair = SetReading((len(reading.tiles), len(reading.tiles) + 1))
            return replace(reading, tiles=(*reading.tiles, *keys), sets=(*reading.sets, pair))

    def shown(at: int) -> Frame:
        image = row_of(at, at, told).image_bgr
        for x in (40, 72) if told.lit else ():
            cv2.rectangle(image, (x - 15, 80), (x + 15, 96), (225, 235, 240), cv2.FILLED)
        return Frame.of_bgr(at, float(at), image)

    told = Keys()
    told.row = [(f"K{2 + at}", 250.0 + 32 * at) for at in range(3)]
    looks = Eye(told, WatchSetup(("Ann", "Ben"), "ru"), WatchSettings(), ReadSettings())
    looks.look(shown(0))
    told.lit = True
    for at in range(1, 3):
        few = looks.look(shown(at), afresh=at > 1).lying
    assert few is not None
    assert len(few.tiles) == 5, "few tiles do not tell"
    told.row = [(f"K{2 + at}", 250.0 + 32 * at) for at in range(8)]
    for at in range(3, 5):
        more = looks.look(shown(at), afresh=at > 3).lying
    assert more is not None
    assert [str(tile.seen) for tile in more.tiles] == [f"K{2 + at}" for at in range(8)]


def test_an_arm_that_comes_in_over_an_open_rack_is_seen_to_come_in() -> None:
    """Where the rack stands nothing is foreign, and the arm begins only beyond it."""
    told = Told(top=312)
    held = [(name, 260.0 + 32 * at) for at, name in enumerate(HELD)]
    told.row = list(held)
    looks = Eye(told, WatchSetup(("Ann", "Ben"), "ru"), WatchSettings(), ReadSettings())
    for at in range(3):
        shown = looks.look(row_of(at, at, told))
        assert shown.clear
    assert shown.lying is not None
    assert not shown.lying.tiles, "they are none of the table's"
    told.row = [one for one in held if not 330 < one[1] < 430]
    assert not looks.look(row_of(3, 3.0, told, (340, 420), (120, 360))).clear
    told.row = list(held)
    assert looks.look(row_of(4, 4.0, told)).clear


def test_what_lies_beyond_the_area_s_border_is_read_with_the_set_that_crosses_it() -> None:
    """One tile of four lies within the area; half a set would be called illegal."""
    told = Told()
    told.row = [(f"R{3 + at}", 200.0 + 32 * at) for at in range(4)]
    area = as_corners([(60, 0), (240, 0), (240, 359), (60, 359)])
    setup = WatchSetup(("Ann", "Ben"), "ru", area_xy_px=area)
    lying = Eye(Sighted(), setup, WatchSettings(), ReadSettings()).look(row_of(0, 0.0, told)).lying
    assert lying is not None
    assert [str(tile.seen) for tile in lying.tiles] == ["R3", "R4", "R5", "R6"]


@pytest.mark.parametrize(("x", "may"), [(32.0, True), (300.0, False), (640.0 - 96, True)])
def test_a_set_at_the_picture_s_border_may_go_on_beyond_it(x: float, may: bool) -> None:
    told = Told()
    told.row = [(f"R{3 + at}", x + 32 * at) for at in range(3)]
    eye = Eye(told, WatchSetup(("Ann", "Ben"), "ru"), WatchSettings(), ReadSettings())
    lying = eye.look(row_of(0, 0.0, told)).lying
    assert lying is not None
    assert [one.may_go_on for one in lying.sets] == [may]


@pytest.mark.parametrize(
    ("turn_deg", "right_px", "far"), [(1.0, 40, False), (170.0, 0, True)], ids=["bumped", "turned round"]
)
def test_it_is_told_how_far_a_camera_was_moved(turn_deg: float, right_px: float, far: bool) -> None:
    """Hands come from where they came before, unless it is far (11774)."""
    told = Told()
    told.row = [("K2", 260.0), ("K3", 292.0), ("K4", 324.0)]
    eye = Eye(told, WatchSetup(("Ann", "Ben"), "ru"), WatchSettings(), ReadSettings())
    before = row_of(0, 0.0, told)
    assert eye.look(before).shift == 0
    way = cv2.getRotationMatrix2D((320, 180), turn_deg, 1.0)
    way[0, 2] += right_px
    image = cv2.warpAffine(before.image_bgr, way, (640, 360), borderMode=cv2.BORDER_REFLECT)
    glimpse = eye.look(Frame.of_bgr(1, 1.0, np.asarray(image, np.uint8)))
    assert glimpse.place == "moved"
    assert (glimpse.shift > 0.1) is far


BACKS = [(120 + 60 * column, 60 + 70 * row) for row in range(3) for column in range(5)]


class Pool:
    """Reads the backs that it is told of, each by its upper left corner."""

    def __init__(self) -> None:
        self.backs = list(BACKS)

    def read(self, picture: Picture, *, quick: bool = False) -> PhotoReading:
        height, width = picture.image_bgr.shape[:2]
        quads = tuple(place(x + 15, y) for x, y in self.backs)
        return PhotoReading((width, height), "table", face_down_xy_px=quads)


def pool_on_pale_cloth(at: int, *, arm: bool = False) -> Frame:
    """A pale cloth with white backs, and an arm whose sleeve is as pale as the cloth, with folds."""
    image = np.full((360, 640, 3), (186, 190, 192), np.float32)
    for x, y in BACKS:
        cv2.rectangle(image, (x + 2, y + 3), (x + 33, y + 43), (150, 152, 154), cv2.FILLED)
        cv2.rectangle(image, (x, y), (x + 30, y + 40), (226, 235, 240), cv2.FILLED)
    if arm:
        cv2.rectangle(image, (212, 0), (298, 112), (188, 191, 193), cv2.FILLED)
        for y in range(6, 112, 14):
            cv2.line(image, (212, y), (298, y + 6), (130, 133, 135), 4)
        cv2.rectangle(image, (222, 112), (292, 190), (90, 120, 170), cv2.FILLED)
    noise = np.random.default_rng(at).normal(0, 2, image.shape)
    return Frame.of_bgr(at, float(at), np.asarray(np.clip(image + noise, 0, 255), np.uint8))


def test_a_sleeve_as_pale_as_the_cloth_takes_no_back_along() -> None:
    """Its folds look like the cloth, and the hand beside them says that they are none of it (bp03)."""
    pool = Pool()
    looks = Eye(pool, WatchSetup(("Ann", "Ben"), "ru"), WatchSettings(), ReadSettings())
    for at in range(4):
        looks.look(pool_on_pale_cloth(at), afresh=at > 0)
    pool.backs = [(x, y) for x, y in BACKS if not (200 < x < 280 and y < 190)]
    for at in range(4, 7):
        lying = looks.look(pool_on_pale_cloth(at, arm=True), afresh=at > 4).lying
    assert lying is not None
    assert lying.taken == 0


def test_what_leans_in_with_the_tables_own_look_hides_tiles_until_something_moves_again() -> None:
    """A head as brown as the wood covered a set: it was taken back, by what lay there (11857)."""
    told = Told()
    told.row = [("R7", 300.0), ("R8", 332.0), ("R9", 364.0), ("K2", 560.0)]
    looks = Eye(told, WatchSetup(("Ann", "Ben"), "ru"), WatchSettings(), ReadSettings())
    for at in range(3):
        looks.look(row_of(at, at, told), afresh=at > 0)
    told.row = [("K2", 560.0)]

    def shown(at: int, *, afresh: bool) -> list[str]:
        image = row_of(at, at, told).image_bgr.copy()
        head = image[200:340, 40:230].copy()
        image[60:200, 240:430] = head
        lying = looks.look(Frame.of_bgr(at, float(at), image), afresh=afresh).lying
        assert lying is not None
        return sorted(str(tile.seen) for tile in lying.tiles)

    for at in range(3, 6):
        assert shown(at, afresh=at > 3) == ["~R7", "~R8", "~R9"]
    for at in range(6, 8):
        left = shown(at, afresh=at > 6)
    assert left == []


@pytest.mark.parametrize(("second", "whole"), [((500, 560), True), ((40, 100), False)])
def test_a_table_is_seen_whole_part_by_part_where_no_hand_stays_over_one_place(
    second: tuple[int, int], whole: bool
) -> None:
    told = Told()
    looks = Eye(told, WatchSetup(("Ann", "Ben"), "ru"), WatchSettings(), ReadSettings())
    for at in range(3):
        looks.look(row_of(at, at, told))
    told.row = [("R3", 300.0), ("R4", 331.0), ("R5", 362.0)]
    first = looks.look(row_of(3, 3.0, told, (40, 100)))
    assert (first.clear, first.seen_whole) == (False, False)
    then = looks.look(row_of(4, 5.0, told, second))
    assert (then.clear, then.seen_whole) == (False, whole)
    told.row = []
    after = [looks.look(row_of(at, at + 2.0, told, second)).seen_whole for at in range(5, 9)]
    assert not after[-1], "of another table what lies behind that hand was not seen"
