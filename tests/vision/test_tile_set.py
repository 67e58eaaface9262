"""A learnt tile set: its file, its rows, and what is refused rather than guessed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tiles import JOKER, Colour, Tile
from tileref.cli import main
from vision.classify import FaceReadings
from vision.picture import picture_from_array
from vision.readings import FoundTile
from vision.rectify import Pyramid
from vision.tile_set import TileSet, TileSetError, load_tile_set, save_tile_set
from vision.tile_set_labels import LaidPhoto, name_faces
from vision.tile_set_learn import learn_tile_set
from vision.tile_set_rows import find_rows
from vision.user_data import tile_set_path, tile_sets_folder

FEATURES = 6
WIDTH, HEIGHT = 40.0, 56.0
RED, BLUE, BLACK, ORANGE = Colour.RED, Colour.BLUE, Colour.BLACK, Colour.ORANGE


def a_set(seed: int = 0) -> TileSet:
    rng = np.random.default_rng(seed)
    number = rng.normal(size=(FEATURES + 1, 14)).astype(np.float32)
    return TileSet("kitchen", "abc", number, rng.normal(size=(FEATURES + 1, 4)).astype(np.float32), 2, 53)


def quad(x: float, y: float, turn: float = 0.0) -> np.ndarray:
    """The corners of a tile around (x, y), from its own upper left."""
    local = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2 * [WIDTH, HEIGHT]
    c, s = np.cos(turn), np.sin(turn)
    return (local @ np.array([[c, s], [-s, c]]) + [x, y]).astype(np.float32)


class Drawn:
    """A picture in which each tile's middle is a grey that says what it is, and a reader of such greys."""

    can_learn = True
    sha256 = "abc"

    def __init__(self, wrong: dict[Tile, Tile] | None = None) -> None:
        self.wrong = wrong or {}

    def photo(
        self, rows: Sequence[Sequence[Tile]], turn: float = 0.0, skip: Sequence[tuple[int, int]] = ()
    ) -> LaidPhoto:
        """Rows of tiles, all turned by ``turn``; the finder misses the places in ``skip``."""
        image = np.full((900, 900, 3), 255, np.uint8)
        quads, fresh = [], []
        for line, row in enumerate(rows):
            for place, tile in enumerate(row):
                at = np.array([(place - 6) * 44.0, (line - 1) * 70.0])
                c, s = np.cos(turn), np.sin(turn)
                corners = quad(*(np.array([[c, -s], [s, c]]) @ at + 450), turn)
                cv2.fillConvexPoly(image, np.round(corners).astype(np.int32), (0, tile.index * 4, 0))
                # An arrow that points up: the lower half is brighter in red.
                half = np.stack(
                    [(corners[0] + corners[3]) / 2, (corners[1] + corners[2]) / 2, corners[2], corners[3]]
                )
                cv2.fillConvexPoly(image, np.round(half).astype(np.int32), (0, tile.index * 4, 255))
                (fresh if (line, place) in skip else quads).append(corners)
        missing = np.stack(fresh) if fresh else np.zeros((0, 4, 2), np.float32)

        def fill(expected: np.ndarray) -> np.ndarray | None:
            near = [q for q in missing if np.linalg.norm(q.mean(axis=0) - expected.mean(axis=0)) < 12]
            return (
                np.roll(near[0], -int((np.linalg.norm(near[0] - expected[0], axis=1)).argmin()), axis=0)
                if near
                else None
            )

        # The finder's first corner may be any of the four.
        found = np.stack([np.roll(q, k % 4, axis=0) for k, q in enumerate(quads)])
        return LaidPhoto("photo", Pyramid(image), find_rows(found, np.ones(len(found)), fill))

    def read(self, crops: np.ndarray) -> FaceReadings:
        number, colour = np.full((len(crops), 15), 1e-4), np.full((len(crops), 4), 1e-3)
        for k, crop in enumerate(crops):
            above, below = crop[20, 24], crop[44, 24]
            index = round(float(crop[32, 24, 1]) / 4)
            if index > 52 or below[2] < above[2]:
                number[k, 14] = 1
                continue
            tile = JOKER if index == 52 else Tile([RED, BLUE, BLACK, ORANGE][index // 13], index % 13 + 1)
            tile = self.wrong.get(tile, tile)
            number[k, 13 if tile.number is None else tile.number - 1] = 1
            if tile.colour is not None:
                colour[k, "RBKO".index(tile.colour.letter)] = 1
        number /= number.sum(axis=1, keepdims=True)
        colour /= colour.sum(axis=1, keepdims=True)
        return FaceReadings(number, colour, colour, np.tile([1.0, 0, 0, 0], (len(crops), 1)))


def rows(*colours: Colour, jokers: int = 0) -> list[list[Tile]]:
    laid = [[Tile(colour, number) for number in range(1, 14)] for colour in colours]
    return [*laid, [JOKER] * jokers] if jokers else laid


def named(drawn: Drawn, *photos: LaidPhoto, **options: Any) -> list[tuple[Colour, ...]]:
    done = name_faces(photos, drawn, **options)
    for one in done:
        # What was named is what is drawn there, the right way up.
        truth = Drawn().read(one.pyramid.crops(one.quads))
        for k, tile in enumerate(one.tiles):
            assert truth.number[k].argmax() == (13 if tile.number is None else tile.number - 1)
            assert tile.colour is None or "RBKO"[truth.colour[k].argmax()] == tile.colour.letter
    return [one.rows for one in done]


@settings(deadline=None, max_examples=40)
@given(st.permutations([RED, BLUE, BLACK, ORANGE]), st.floats(0, 6.28))
def test_rows_in_any_order_and_any_way_round_are_named(order: list[Colour], turn: float) -> None:
    drawn = Drawn()
    one, two = drawn.photo(rows(*order[:2]), turn), drawn.photo(rows(*order[2:], jokers=1), turn + 1)
    assert named(drawn, one, two) == [tuple(order[:2]), tuple(order[2:])]


def test_all_faces_in_one_photograph() -> None:
    drawn = Drawn()
    assert named(drawn, drawn.photo(rows(BLACK, ORANGE, RED, BLUE, jokers=2))) == [(BLACK, ORANGE, RED, BLUE)]


def test_a_joker_behind_the_last_row_and_a_tile_that_the_finder_missed() -> None:
    drawn = Drawn()
    laid = rows(BLUE, RED)
    laid[1].append(JOKER)
    photos = drawn.photo(rows(BLACK, ORANGE), skip=[(0, 4), (1, 0), (1, 12)]), drawn.photo(laid)
    assert named(drawn, *photos) == [(BLACK, ORANGE), (BLUE, RED)]


def test_what_the_net_misreads_alone_is_named_by_its_place() -> None:
    drawn = Drawn({Tile(RED, 8): Tile(RED, 3), JOKER: Tile(BLUE, 7)})
    assert named(drawn, drawn.photo(rows(RED, BLUE)), drawn.photo(rows(BLACK, ORANGE, jokers=1))) == [
        (RED, BLUE),
        (BLACK, ORANGE),
    ]


@pytest.mark.parametrize(
    ("laid", "message"),
    [
        (rows(RED, BLUE, BLACK, ORANGE), "No joker was seen"),
        (rows(RED, BLUE, BLACK, jokers=1), "none is orange"),
        ([*rows(RED, BLUE, BLACK), rows(ORANGE)[0][:11], [JOKER]], "11 tiles of row 4"),
        ([[JOKER]], "no row of tiles"),
    ],
)
def test_what_is_not_whole_is_refused(laid: list[list[Tile]], message: str) -> None:
    drawn = Drawn()
    with pytest.raises(TileSetError, match=message):
        named(drawn, drawn.photo(laid))


def test_tiles_in_each_others_places_are_refused() -> None:
    laid = rows(RED, BLUE, BLACK, ORANGE, jokers=1)
    laid[1][4], laid[1][8] = laid[1][8], laid[1][4]
    drawn = Drawn()
    with pytest.raises(TileSetError, match="B5 and B9 seem to lie in each other's places"):
        named(drawn, drawn.photo(laid))


def test_a_shuffled_row_is_refused() -> None:
    laid = rows(RED, BLUE, BLACK, ORANGE, jokers=1)
    laid[2] = [laid[2][k] for k in np.random.default_rng(1).permutation(13)]
    drawn = Drawn()
    with pytest.raises(TileSetError, match="Row 3 of photo does not read as 1 to 13"):
        named(drawn, drawn.photo(laid))


def test_colours_that_look_alike_are_asked_for() -> None:
    same = {Tile(ORANGE, number): Tile(RED, number) for number in range(1, 14)}
    drawn = Drawn({**same, **{Tile(RED, n): Tile(RED, n) for n in range(1, 14)}})
    photo = drawn.photo(rows(RED, BLUE, BLACK, ORANGE, jokers=1))
    with pytest.raises(TileSetError, match="--colours"):
        named(drawn, photo)
    assert named(drawn, photo, colours=[RED, BLUE, BLACK, ORANGE]) == [(RED, BLUE, BLACK, ORANGE)]
    with pytest.raises(TileSetError, match="3 colours were named for 4 rows"):
        named(drawn, photo, colours=[RED, BLUE, BLACK])


class DrawnReader:
    """Finds and reads drawn pictures; misreads what its classifier does, until it is taught."""

    def __init__(self, classifier: TaughtByDrawings) -> None:
        self.classifier = classifier

    def find(self, pyramid: Pyramid) -> list[FoundTile]:
        grey = (pyramid.level(0)[..., 0] == 0).astype(np.uint8)
        _, _, boxes, _ = cv2.connectedComponentsWithStats(grey)
        return [
            FoundTile(
                np.array([[x, y], [x + w - 1, y], [x + w - 1, y + h - 1], [x, y + h - 1]], np.float32), 0.9
            )
            for x, y, w, h, _ in boxes[1:]
        ]

    def refined(self, pyramid: Pyramid, tiles: Sequence[FoundTile]) -> list[FoundTile]:
        return []


class TaughtByDrawings(Drawn):
    """Its features say what a face is; its own logits take every 8 for a 3, and every joker for a 7."""

    def logits(self, crops: np.ndarray) -> dict[str, np.ndarray]:
        truth = Drawn().read(crops)
        readings = self.read(crops)
        return {
            "features": np.c_[truth.number[:, :14], truth.colour].astype(np.float32),
            "number": np.log(readings.number + 0.02).astype(np.float32),
            "colour": np.log(readings.colour + 0.02).astype(np.float32),
        }


def test_what_was_misread_is_read_right_once_it_is_learnt() -> None:
    wrong = {Tile(colour, 8): Tile(colour, 3) for colour in (RED, BLUE, BLACK, ORANGE)} | {JOKER: Tile(BLUE, 7)}
    drawn = TaughtByDrawings(wrong)
    image = drawn.photo(rows(RED, BLUE, BLACK, ORANGE, jokers=1)).pyramid.level(0)
    reader = DrawnReader(drawn)
    learnt = learn_tile_set([("photo", picture_from_array(image, "photo"))], reader, "kitchen")
    assert learnt.rows == (("photo", (RED, BLUE, BLACK, ORANGE), 1),)
    assert {(str(a), str(b)) for a, b in learnt.misread} == {(str(a), str(b)) for a, b in wrong.items()}
    quads = np.stack([tile.corners_xy_px for tile in reader.find(Pyramid(image))])
    crops = Pyramid(image).crops(quads)
    true, after = Drawn().read(crops).number.argmax(axis=1), learnt.tile_set.adjusted(drawn.logits(crops))
    assert (drawn.logits(crops)["number"].argmax(axis=1) == true).sum() == 53 - 5
    assert (after["number"].argmax(axis=1) == true).all()


def test_photographs_without_colour_and_weights_without_features_are_refused() -> None:
    drawn = TaughtByDrawings()
    reader = DrawnReader(drawn)
    image = drawn.photo(rows(RED, BLUE, BLACK, ORANGE, jokers=1)).pyramid.level(0)
    grey = np.repeat(image.mean(axis=2, keepdims=True), 3, axis=2).astype(np.uint8)
    with pytest.raises(TileSetError, match="photo has no colours"):
        learn_tile_set([("photo", picture_from_array(grey, "photo"))], reader, "kitchen")
    drawn.can_learn = False
    with pytest.raises(TileSetError, match="too old to learn"):
        learn_tile_set([("photo", picture_from_array(image, "photo"))], reader, "kitchen")


def test_the_command_says_what_is_wrong_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photo = tmp_path / "blank.png"
    photo.write_bytes(cv2.imencode(".png", np.full((90, 120, 3), 200, np.uint8))[1].tobytes())
    assert main(["learn", str(photo), "--name", "a:b"]) == 2
    assert "names no tile set" in capsys.readouterr().err
    assert main(["learn", str(photo), "--name", "kitchen", "--out", str(tmp_path / "kitchen")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not list(tmp_path.glob("*.tileset"))
    assert main(["read", str(photo), "--tile-set", str(tmp_path / "none.tileset")]) == 2
    assert "There is no tile set" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main(["learn", str(photo), "--name", "x", "--colours", "R,G"])


def test_a_profile_survives_its_file(tmp_path: Path) -> None:
    kept = a_set()
    size = save_tile_set(kept, tmp_path / "deep" / "kitchen.tileset")
    again = load_tile_set(tmp_path / "deep" / "kitchen.tileset")
    assert size == (tmp_path / "deep" / "kitchen.tileset").stat().st_size
    assert (again.name, again.classifier_sha256, again.photographs, again.faces) == ("kitchen", "abc", 2, 53)
    step = np.abs(kept.number).max(axis=0) / 127
    assert (np.abs(again.number - kept.number) <= step).all()


def test_a_profile_adds_to_numbers_and_colours_and_leaves_the_rest() -> None:
    kept, rng = a_set(), np.random.default_rng(1)
    shapes = {"features": FEATURES, "number": 15, "colour": 4, "turn": 4}
    logits = {name: rng.normal(size=(3, n)).astype(np.float32) for name, n in shapes.items()}
    out = kept.adjusted(logits)
    assert np.array_equal(out["number"][:, 14], logits["number"][:, 14])
    assert np.array_equal(out["turn"], logits["turn"])
    own = np.c_[logits["features"], np.ones(3)]
    assert np.allclose(out["number"][:, :14] - logits["number"][:, :14], own @ kept.number, atol=1e-5)
    assert np.allclose(out["colour"] - logits["colour"], own @ kept.colour, atol=1e-5)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "something"}, {"number": {}},
        {"number": {"shape": [7, 14], "scale": [1.0] * 14, "weights": "?"}},
        {"colour": {"shape": [7, 3], "scale": [1.0] * 3, "weights": ""}}, {"faces": None},
        {"number": {"shape": [10**9, 14], "scale": [1.0] * 14, "weights": ""}},
    ],
)  # fmt: skip
def test_a_damaged_profile_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    path = tmp_path / "x.tileset"
    save_tile_set(a_set(), path)
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **change}), "utf-8")
    with pytest.raises(TileSetError, match="no tile set, or damaged"):
        load_tile_set(path)


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_break_the_loader(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("x") / "x.tileset"
    path.write_bytes(data)
    with pytest.raises(TileSetError):
        load_tile_set(path)


def test_names_and_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert tile_set_path("my kitchen") == tile_sets_folder() / "my kitchen.tileset"
    assert tile_set_path("here/x.tileset") == Path("here/x.tileset")
    for name in ("", "..", "a:b", "x" * 80):
        with pytest.raises(TileSetError, match="names no tile set"):
            tile_set_path(name)
    with pytest.raises(TileSetError, match="There is no tile set"):
        load_tile_set(tile_set_path("nobody"))
