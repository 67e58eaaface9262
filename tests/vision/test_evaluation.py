import csv
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from cli_support import Desk, FakeReader
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from datasets.labels import LabelledPicture, LabelledTile
from referee.tiles import Tile
from tileref.cli import main
from vision.errors import PictureError
from vision.evaluation.failures import Failures, edge_width
from vision.evaluation.gallery import Gallery
from vision.evaluation.matching import corner_errors, match
from vision.evaluation.run import EvaluationError, evaluate_folder, evaluate_pictures
from vision.evaluation.score import score
from vision.evaluation.summary import Totals, wilson
from vision.evaluation.truth import PictureTruth
from vision.readings import PhotoReading, SetReading, TileReading
from vision.rectify import Pyramid

SIZE = (400, 300)


def quad(column: float, row: float = 0, wide: float = 30, high: float = 40) -> np.ndarray:
    x, y = 20 + column * 30, 20 + row * 60
    return np.array([[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]], np.float32)


def true_tile(name: str | None, column: float, row: int = 0, **more: float) -> LabelledTile:
    return LabelledTile(Tile.parse(name) if name else None, quad(column, row), **more)


def read_tile(name: str, corners: np.ndarray, doubt: bool = False) -> TileReading:
    return TileReading(Tile.parse(name), 0.5 if doubt else 0.99, doubt, corners)


def truth(*tiles: LabelledTile, sets: tuple[tuple[int, ...], ...] | None = None, **more) -> PictureTruth:
    return PictureTruth("p", SIZE, tiles, "table", sets, place="desk", **more)


def reading(*tiles: TileReading, sets: tuple[tuple[int, ...], ...] = (), **more) -> PhotoReading:
    return PhotoReading(SIZE, "table", tiles, tuple(SetReading(one) for one in sets), **more)


def three() -> PictureTruth:
    return truth(*(true_tile(name, k) for k, name in enumerate(("B4", "B5", "B6"))), sets=((0, 1, 2),))


def perfect(of: PictureTruth) -> PhotoReading:
    tiles = tuple(read_tile(str(tile.tile), tile.corners_xy_px) for tile in of.tiles)
    return reading(*tiles, sets=of.sets or ())


def scored(of: PictureTruth, what: PhotoReading):
    return score(of, what)[0]


def test_a_perfect_reading_is_right_in_every_stage():
    one = scored(three(), perfect(three()))
    assert (one.found, one.right, one.missed, one.false, one.turned) == (3, 3, 0, 0, 0)
    assert one.all_tiles_right
    assert one.all_sets_right
    assert one.layout_right
    assert one.kind_right
    assert one.corner_figures() == (0.0, 0.0)
    assert Totals([one]).f1 == Totals([one]).f1_sure == Totals([one]).f1_found == 1.0


def test_a_wrong_number_a_wrong_colour_and_a_right_doubt_are_told_apart():
    read = perfect(three())
    names = [("B4", True), ("R5", False), ("B9", False)]
    tiles = [
        read_tile(name, t.corners_xy_px, doubt) for (name, doubt), t in zip(names, read.tiles, strict=True)
    ]
    one = scored(three(), replace(read, tiles=tuple(tiles)))
    assert [t.number_right for t in one.tiles] == [True, True, False]
    assert [t.colour_right for t in one.tiles] == [True, False, True]
    assert (one.right, one.sure_right, one.wrong_sure, one.doubts, one.doubts_right) == (1, 0, 2, 1, 1)
    assert not one.all_tiles_right
    assert one.all_sets_right  # sets are judged by position
    totals = Totals([one])
    # F1 = 2 · right / (true + read) = 2 · 1 / (3 + 3), and nothing where doubts count as wrong.
    assert (totals.f1, totals.f1_sure, totals.f1_found) == (pytest.approx(1 / 3), 0.0, 1.0)


def test_a_missed_tile_spoils_the_sets_but_not_the_layout_of_what_was_found():
    read = perfect(three())
    one = scored(three(), replace(read, tiles=read.tiles[:2], sets=(SetReading((0, 1)),)))
    assert (one.missed, one.right) == (1, 2)
    assert not one.all_sets_right
    assert one.layout_right
    assert Totals([one]).f1 == pytest.approx(2 * 2 / (3 + 2))


def test_a_false_tile_spoils_tiles_and_sets():
    read = perfect(three())
    tiles = (*read.tiles, read_tile("K1", quad(8)))
    one = scored(three(), replace(read, tiles=tiles, sets=(SetReading((0, 1, 2)), SetReading((3,)))))
    assert (one.false, one.false_read, one.right) == (1, 1, 3)
    assert not one.all_tiles_right
    assert not one.all_sets_right
    assert one.layout_right


def test_an_unreadable_face_is_found_and_stands_in_its_set():
    read = perfect(three())
    faces = (read.tiles[0], read.tiles[2])
    gap = replace(read, tiles=faces, unreadable=(read.tiles[1].corners_xy_px,), sets=(SetReading((0, -1, 1)),))
    one = scored(three(), gap)
    assert (one.found, one.right, one.read, one.doubts, one.wrong_sure) == (3, 2, 2, 1, 0)
    assert one.all_sets_right


def test_a_reversed_or_divided_set_is_not_right():
    read = perfect(three())
    for sets in (((2, 1, 0),), ((0, 1), (2,)), ()):
        one = scored(three(), replace(read, sets=tuple(SetReading(s) for s in sets)))
        assert one.all_tiles_right
        assert not one.all_sets_right
        assert one.sets_right == 0


def test_cut_tiles_never_count_whether_read_or_not():
    cut = truth(
        true_tile("B4", 0), true_tile("B5", 1, numeral_visible=0.0), true_tile("B6", 2),
        sets=((0, 1, 2),), ignore_xy_px=(quad(6),),
    )  # fmt: skip
    read = reading(
        *(read_tile(name, quad(k)) for name, k in (("B4", 0), ("K9", 1), ("B6", 2), ("J", 6))),
        sets=((0, 1, 2), (3,)),
    )
    without = reading(*(read.tiles[k] for k in (0, 2)), sets=((0, 1),))
    for one in (scored(cut, read), scored(cut, without)):
        assert (one.true, one.read, one.right, one.missed, one.false) == (2, 2, 2, 0, 0)
        assert one.all_tiles_right
        assert one.all_sets_right


def test_backs_are_matched_to_backs_only():
    backs = truth(true_tile(None, 0), true_tile(None, 3), true_tile("B4", 6), sets=((2,),))
    read = reading(
        read_tile("K1", quad(3)), read_tile("B4", quad(6)), sets=((1,), (0,)), face_down_xy_px=(quad(0),)
    )
    one = scored(backs, read)
    assert (one.true, one.false, one.backs_true, one.backs_read, one.backs_right) == (1, 1, 2, 1, 1)


def test_a_tile_read_upside_down_is_turned_whatever_its_corners():
    read = perfect(three())
    over = read_tile("B4", np.roll(read.tiles[0].corners_xy_px, 2, axis=0))
    one = scored(three(), replace(read, tiles=(over, *read.tiles[1:])))
    assert one.turned == 1
    assert one.corner_figures() == (0.0, 0.0)
    assert scored(replace(three(), upright=False), replace(read, tiles=(over, *read.tiles[1:]))).turned == 0


def test_unknown_truth_stays_unknown():
    one = scored(replace(three(), sets=None, kind=None), perfect(three()))
    assert one.kind_right is None
    assert not one.all_sets_right
    assert Totals([one]).tables == []


def test_a_picture_that_cannot_be_read_counts_as_read_empty():
    one, _ = score(three(), None, "It is damaged.")
    assert (one.missed, one.right, one.kind_read, one.error) == (3, 0, "error", "It is damaged.")
    assert not one.all_tiles_right


def test_parts_of_a_tile_and_several_in_one_are_told_apart():
    found = [quad(0), quad(1), quad(0, wide=12, high=16), quad(0, wide=90)]
    matches = match(found, [quad(0), quad(1)], [], SIZE)
    assert matches.true_of == {0: 0, 1: 1}
    assert (matches.split, matches.merged) == ({2}, {3})


def test_overlap_is_measured_inside_the_frame():
    hangs_over = np.array([[-40, 0], [40, 0], [40, 60], [-40, 60]], np.float32)
    clipped = np.array([[0, 0], [40, 0], [40, 60], [0, 60]], np.float32)
    assert match([clipped], [hangs_over], [], SIZE).true_of == {0: 0}
    outside = hangs_over - np.float32([200, 0])
    assert match([outside], [hangs_over], [], SIZE).ignored == {0}


def test_corner_error_is_in_tile_widths_over_corners_in_the_frame():
    mean, most, turn = corner_errors(quad(0) + np.float32([3, 0]), quad(0), SIZE)
    assert (mean, most, turn) == (pytest.approx(0.1), pytest.approx(0.1), 0)
    at_border = quad(0) - np.float32([40, 0])
    mean, most, _ = corner_errors(at_border + np.float32([[50, 0], [0, 0], [3, 0], [50, 0]]), at_border, SIZE)
    assert (mean, most) == (pytest.approx(0.05), pytest.approx(0.1))
    assert np.isnan(corner_errors(quad(0), quad(0) - 500, SIZE)[0])


def test_wilson_gives_the_published_interval():
    # Newcombe (1998), Statistics in Medicine 17, table I, method 3: 81 of 263, and 0 of 20.
    assert wilson(81, 263) == (pytest.approx(0.2553, abs=1e-4), pytest.approx(0.3662, abs=1e-4))
    assert wilson(0, 20) == (0.0, pytest.approx(0.1611, abs=1e-4))
    assert wilson(0, 0) == (0.0, 1.0)
    with pytest.raises(ValueError, match="no share"):
        wilson(3, 2)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_share_and_mirrors(counts):
    right, of = counts
    low, high = wilson(right, of)
    assert 0 <= low <= right / of <= high <= 1
    assert wilson(of - right, of) == (pytest.approx(1 - high), pytest.approx(1 - low))


@given(st.permutations(range(6)), st.lists(st.booleans(), min_size=6, max_size=6))
def test_the_order_of_what_was_found_changes_nothing(order, kept):
    true = truth(*(true_tile(f"K{k + 1}", k) for k in range(6)), sets=(tuple(range(6)),))
    chosen = [k for k in order if kept[k]]
    tiles = [read_tile(f"K{k + 1}", quad(k)) for k in chosen]
    one = scored(true, reading(*tiles, sets=(tuple(chosen.index(k) for k in sorted(chosen)),)))
    assert (one.found, one.missed) == (len(chosen), 6 - len(chosen))
    assert one.layout_right
    assert one.all_sets_right == (len(chosen) == 6)


def labelled_picture() -> LabelledPicture:
    tiles = [true_tile(name, k, set_index=0, place=2 - k) for k, name in enumerate(("B6", "B5", "J"))]
    outside_play = true_tile("R1", 7)
    return LabelledPicture(np.zeros((300, 400, 3), np.uint8), (*tiles, outside_play), (), "table")


def test_rendered_pictures_are_scored_in_the_order_of_their_places():
    outside = read_tile("R1", quad(7))
    read = reading(
        *(read_tile(name, quad(k)) for k, name in enumerate(("B6", "B5", "J"))), outside, sets=((2, 1, 0), (3,))
    )
    outcome = evaluate_pictures([("one", labelled_picture())], lambda picture: read)
    (one,) = outcome.scores
    assert (one.true, one.read, one.right) == (3, 3, 3)
    assert one.all_sets_right
    assert one.place == "rendered"


def test_the_gallery_sorts_failures_by_kind(tmp_path):
    tiles = (
        read_tile("B9", quad(0)), read_tile("R5", quad(1) + np.float32([5, 0])),
        read_tile("B2", np.roll(quad(2), 2, axis=0)), read_tile("K8", quad(9)),
    )  # fmt: skip
    gallery = Gallery()
    evaluate_pictures([("one", labelled_picture())], lambda picture: reading(*tiles), gallery)
    names = {path.stem for path in gallery.write(tmp_path)}
    assert names == {"number", "colour", "corners", "upside-down", "joker", "false", "sets"}
    with Image.open(tmp_path / "number.png") as sheet:
        assert sheet.size[0] > 100
    assert "| design |" in (tmp_path / "failures.md").read_text("utf-8")
    with (tmp_path / "failures.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len([t for t in labelled_picture().tiles if t.set_index is not None or t.face_down])


def test_every_tile_meets_the_first_stage_that_failed_it():
    tiles = [true_tile(n, k) for k, n in enumerate(("B4", "B5", "B6", "J", "R1", "K7", "O2"))]
    back, cut = true_tile(None, 8, visible=1.0), true_tile("R9", 10, numeral_visible=0.3)
    of = truth(*tiles, back, cut, true_tile(None, 9))
    half = quad(6) * np.float32([1, 0.4]) + np.float32([0, 14])
    read = reading(
        read_tile("B4", quad(0)), read_tile("B5", quad(1), doubt=True), read_tile("R6", quad(2)),
        read_tile("K3", quad(3)), read_tile("R3", quad(4)), read_tile("O2", half),
        face_down_xy_px=(quad(5), quad(8)),
    )  # fmt: skip
    failures = Failures()
    one, matches = score(of, read)
    failures.add(Pyramid(np.full((300, 400, 3), 200, np.uint8)), of, read, one, matches)
    assert [fate.stage for fate in failures.fates] == [
        "right", "doubt", "colour", "joker", "number", "taken for a back", "split", "back", "back not found",
    ]  # fmt: skip
    row = next(line for line in failures.tables().splitlines() if line.startswith("| 24 to 40 px"))
    assert row.split("|")[2].strip() == "9"


def test_a_blurred_face_has_wider_edges():
    face = np.full((64, 48, 3), 240, np.uint8)
    face[10:50, 20:28] = 20
    soft = cv2.GaussianBlur(face, (0, 0), 3)
    assert edge_width(face) < 3 < 5 < edge_width(np.asarray(soft, np.uint8)) < 48
    assert edge_width(np.full((64, 48, 3), 9, np.uint8)) == 48


def folder_of_three(tmp_path: Path) -> Path:
    folder = tmp_path / "set"
    (folder / "images").mkdir(parents=True)
    records = []
    for name, place in (("a", "desk"), ("b", "desk"), ("c", "rug")):
        Image.new("RGB", SIZE, (90, 120, 90)).save(folder / "images" / f"{name}.png")
        tiles = [{"tile": t, "corners": (quad(k) / SIZE).tolist()} for k, t in enumerate(("B4", "B5", "B6"))]
        part = "train" if name == "a" else "test"
        records.append(
            {"name": name, "size": SIZE, "kind": "table", "place": place, "scene": name, "split": part,
             "tiles": tiles, "sets": [[0, 1, 2]]}
        )  # fmt: skip
    (folder / "truth.jsonl").write_text("\n".join(map(json.dumps, records)))
    return folder


def test_the_command_prints_a_summary_and_writes_a_line_a_photograph(tmp_path, capsys):
    folder, out = folder_of_three(tmp_path), tmp_path / "out"
    shows = dict.fromkeys(("a.png", "b.png"), perfect(three())) | {"c.png": reading(sets=())}
    status = main(
        ["evaluate", str(folder), "--out", str(out), "--gallery", str(out / "failures")],
        lambda settings, inventory: FakeReader(shows),
    )
    printed = capsys.readouterr().out
    assert status == 0
    assert printed == (out / "summary.md").read_text(encoding="utf-8")
    assert "| **all** | 3 | 9 | 0.8000 |" in printed  # 2 · 6 / (9 + 6)
    assert "66.7% (2/3; 21%-94%)" in printed
    rows = list(csv.DictReader((out / "photos.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["tiles_right"] for row in rows] == ["3", "3", "0"]
    assert [row["all_sets_right"] for row in rows] == ["1", "1", "0"]
    assert (out / "failures" / "missed.png").exists()


def test_parts_and_limits_choose_photographs(tmp_path):
    folder = folder_of_three(tmp_path)
    read = perfect(three())
    assert [s.name for s in evaluate_folder(folder, lambda p: read, split="test").scores] == ["b", "c"]
    assert [s.name for s in evaluate_folder(folder, lambda p: read, limit=2).scores] == ["a", "b"]
    (folder / "truth.jsonl").write_text((folder / "truth.jsonl").read_text().replace('"train"', '"test"'))
    with pytest.raises(EvaluationError, match="no photographs of the part 'train'"):
        evaluate_folder(folder, lambda p: read, split="train")


def test_a_reader_that_refuses_one_photograph_does_not_stop_the_others(tmp_path):
    def read(picture):
        if picture.path.endswith("b.png"):
            raise PictureError("It is damaged.")
        return perfect(three())

    outcome = evaluate_folder(folder_of_three(tmp_path), read)
    assert [s.right for s in outcome.scores] == [3, 0, 3]
    assert "- b: It is damaged." in outcome.summary


def test_the_command_refuses_what_is_not_labelled_in_one_line(desk: Desk, tmp_path):
    for folder in (tmp_path / "nowhere", tmp_path):
        status, out, err = desk.run("evaluate", str(folder))
        assert status == 2
        assert not out
        assert err.startswith("tileref: ")
        assert len(err.splitlines()) == 1
    with pytest.raises(SystemExit) as stopped:
        desk.run("evaluate", str(tmp_path), "--limit", "0")
    assert stopped.value.code == 2


def test_the_command_of_a_clone_finds_the_clone_from_any_folder(tmp_path):
    """Installed editable by go.py, it said that it works only in a clone."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-m", "tileref", "evaluate", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "labelled photographs" in done.stderr
    assert "works only in" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_an_installed_program_says_that_it_needs_a_clone(desk: Desk, tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("vision.evaluation")]:
        monkeypatch.delitem(sys.modules, name)
    # The import system takes None for "not installed".
    for name in ("datasets.photos", "datasets.labels"):
        monkeypatch.setitem(sys.modules, name, None)
    status, _, err = desk.run("evaluate", str(tmp_path))
    assert status == 2
    assert "clone of the repository" in err
