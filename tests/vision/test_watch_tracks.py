"""Tiles keep their identity, their sets and their place in memory."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from watch_looks import always, face, look, quad, row, table

from vision.watch.lay import SetKeeper
from vision.watch.look import SeenFace
from vision.watch.pool import PoolKeeper
from vision.watch.tracks import Tracker


def test_a_tile_keeps_its_key_where_it_lies_and_where_it_is_moved_to() -> None:
    tracker = Tracker()
    keys = tracker.update(look(row("R6 R7 R8", 0, 0)), always("bare"))
    assert tracker.update(look(row("R6 R7 R8", 0.05, 0)), always("bare")) == keys
    moved = tracker.update(look(row("R6 R7", 0, 0), [face("R8", 5, 3)]), always("bare"))
    assert moved == keys


@pytest.mark.parametrize(
    ("before", "after", "stays"),
    [
        ("B1 K1 J", "B1 _ J", True),
        ("B1 J K1", "B1 J _", True),
        ("K3 K4 K1 K5", "K3 K4 _ K5", True),
        ("B1 O1 R1 K1", "B1 O1 R1 _", False),
        ("B1 K1 J", "B1 _ _", True),
        ("B1 K1", "B1 _", False),
    ],
    ids=[
        "out of the middle", "one of three", "out of a longer row", "the fourth of a group",
        "with the next one covered", "of two",
    ],
)  # fmt: skip
def test_the_twin_of_a_tile_that_something_covers_amid_its_row_is_another_tile(
    before: str, after: str, stays: bool
) -> None:
    """A mug is put down on the K1 of a set, and a K1 is laid elsewhere in the same moment."""
    tracker = Tracker()
    key = tracker.update(look(row(before, 0, 0)), always("bare"))[before.split().index("K1")]
    left = [face(text, at, 0) for at, text in enumerate(after.split()) if text != "_"]
    keys = tracker.update(look(left, [face("K1", 9, 4)]), always("covered"))
    assert (tracker.tracks[key].state == "hidden") is stays
    assert (keys[-1] == key) is not stays


@pytest.mark.parametrize(
    ("faces", "tiles"),
    [
        ([*row("R1 R2 J", 6, 1), *row("B10 B11", 2, 4.4)], 5),
        ([*row("R1 K5 J", 6, 1), *row("R2 B11 K2", 2, 4.4)], 8),
    ],
    ids=["a row moved as a whole", "another that lies elsewhere"],
)
def test_what_a_hand_covered_goes_along_with_its_row(faces: list[SeenFace], tiles: int) -> None:
    """Another row was laid over its place since, and the tile was remembered beneath that (az02)."""
    tracker = Tracker()
    tracker.update(look(row("R1 R2 J", 2, 4)), always("covered"))
    tracker.update(look(row("R1", 2, 4)), always("covered"))
    tracker.update(look(faces), always("covered"))
    assert len(tracker.lying()) == tiles


def test_the_last_of_three_that_is_pushed_aside_is_no_twin() -> None:
    """It lies over a part of its own place, so that this looks covered (11512)."""
    tracker = Tracker()
    keys = tracker.update(look(row("R3 R4 R5", 0, 0)), always("bare"))
    pushed = look([face("R3", 0, 0), face("R4", 1, 0)], [face("R5", 2.6, 0)])
    assert tracker.update(pushed, always("covered")) == keys


def test_a_tile_taken_out_of_the_middle_of_its_row_left_a_bare_place() -> None:
    tracker = Tracker()
    keys = tracker.update(look(row("K3 K4 K5", 0, 0)), always("bare"))
    after = look([face("K3", 0, 0)], [face("K5", 2, 0)], [face("K4", 9, 4)])
    assert tracker.update(after, always("bare"))[-1] == keys[1]


def test_two_alike_are_two_tiles() -> None:
    tracker = Tracker()
    one, other = tracker.update(look([face("R6", 0, 0)], [face("R6", 5, 0)]), always("bare"))
    assert one != other
    assert tracker.update(look([face("R6", 5, 0)], [face("R6", 0, 0)]), always("bare")) == [other, one]


def test_a_covered_tile_is_hidden_and_a_bare_place_is_believed_the_second_time() -> None:
    for fate, states, unsure in (
        ("covered", ["hidden"] * 3, [False] * 3),
        ("unsure", ["hidden"] * 3, [False] * 3),
        ("bare", ["hidden", "gone", "gone"], [True, False, False]),
    ):
        tracker = Tracker()
        tracker.update(look(row("R6 R7 R8", 0, 0)), always("bare"))
        seen, another_look_tells = [], []
        for _ in range(3):
            tracker.update(look([face("R6", 0, 0)], [face("R8", 2, 0)]), always(fate))  # type: ignore[arg-type]
            seen.append(tracker.tracks[2].state)
            another_look_tells.append(tracker.unsure)
        assert seen == states, fate
        assert another_look_tells == unsure, fate


def test_what_was_remembered_comes_back_as_the_same_tile() -> None:
    tracker = Tracker()
    keys = tracker.update(look(row("R6 R7 R8", 0, 0)), always("bare"))
    for _ in range(3):
        tracker.update(look(row("R6 R7", 0, 0)), always("bare"))
    assert tracker.tracks[keys[2]].state == "gone"
    assert tracker.update(look(row("R6 R7", 0, 0), [face("R8", 9, 2)]), always("bare")) == keys
    tracker.update(look(row("R6 R7", 0, 0)), always("bare"))
    tracker.update(look(row("R6 R7", 0, 0)), always("bare"))
    tracker.settle()
    assert keys[2] not in tracker.tracks


def test_one_misreading_in_place_changes_nothing_and_two_are_believed() -> None:
    tracker = Tracker()
    (key,) = tracker.update(look([face("R6", 0, 0)]), always("bare"))
    assert tracker.update(look([face("R9", 0, 0)]), always("bare")) == [key]
    assert tracker.update(look([face("R6", 0, 0)]), always("bare")) == [key]
    assert str(tracker.tracks[key].evidence.seen(0.9, 0.01)) == "R6"
    tracker.update(look([face("R9", 0, 0)]), always("bare"))
    (other,) = tracker.update(look([face("R9", 0, 0)]), always("bare"))
    assert other != key


def test_a_row_relaid_by_nearly_a_tile_is_not_half_covered() -> None:
    """The six comes to lie where the seven lay, and reads weakly; the seven is seen elsewhere."""
    tracker = Tracker()
    for _ in range(5):
        six, seven = tracker.update(look(row("O6 O7", 0, 0)), always("bare"))
    relaid = [face("O6 O5", 0.85, 0, p=0.96), face("O7", 1.85, 0)]
    assert tracker.update(look(relaid), always("bare")) == [six, seven]


def test_a_row_relaid_by_just_a_tile_takes_its_names_along() -> None:
    """An orange twelve is laid where the red one lay, which reads a little as the red one, too."""
    tracker = Tracker()
    for _ in range(5):
        keys = tracker.update(look(row("R12 B12 K12", 0, 0)), always("bare"))
    relaid = [face("O12 R12", 0, 0, p=0.993), *row("K12 B12 R12", 1, 0)]
    again = tracker.update(look(relaid), always("bare"))
    assert again[1:] == [keys[2], keys[1], keys[0]]
    assert again[0] not in keys


def test_a_row_relaid_by_nearly_a_tile_under_a_hand_keeps_its_names() -> None:
    """Each tile comes to lie where the next one lay, and reads surely: none is taken for a misreading."""
    tracker = Tracker()
    for _ in range(5):
        keys = tracker.update(look(row("O2 O3 O4 O5 O6 O7", 0, 0)), always("bare"))
    tracker.update(look(), always("covered"))
    relaid = tracker.update(look(row("O1 O2 O3 O4 O5 O6 O7", -0.1, 0)), always("taken"))
    assert relaid[1:] == keys


def test_a_joker_that_is_put_back_where_a_seven_lay_is_no_seven_in_the_next_look() -> None:
    """It was not found gone at once, and the picture was just what it had been a look before (cj02)."""
    tracker = Tracker()
    for text in ("J", "J", "J", "O7", "O7", "O7"):
        tracker.update(look(row(f"K7 B7 {text}", 0, 0)), always("bare"))
    back = [*row("K7 B7", 0, 0), face("J", 2.01, 0)]
    joker = tracker.update(look(back), always("bare"))[2]
    nearer_to_the_seven = [*row("K7 B7", 0, 0), face("J", 2, 0)]
    assert tracker.update(look(nearer_to_the_seven), always("bare"), lambda home: True)[2] == joker


def test_a_tile_that_reads_otherwise_once_keeps_its_name_where_its_twin_is_moved() -> None:
    """What is shown elsewhere is the twin, which was in view."""
    tracker = Tracker()
    for _ in range(5):
        keys = tracker.update(look(row("R4 R5 R6", 0, 0), row("B6 R6 K6", 0, 4)), always("bare"))
    misread = look(
        [*row("R4 R5", 0, 0), face("R9", 2, 0)], [face("B6", 0, 4), face("K6", 2, 4)], [face("R6", 3.4, 5.5)]
    )
    again = tracker.update(misread, always("bare"))
    assert again == [*keys[:3], keys[3], keys[5], keys[4]]


def test_an_eight_that_looks_like_the_nine_before_it_is_an_eight_where_it_surely_reads_so() -> None:
    """A row of small tiles moved on by one: no pixel has changed much where the nine lay."""
    tracker = Tracker()
    for _ in range(5):
        keys = tracker.update(look(row("R7 R8 R9", 0, 0)), always("bare"))
    again = tracker.update(look(row("R7 R8 R8 R9", 0, 0)), always("bare"), lambda home: True)
    assert again[3] == keys[2]
    assert again[2] not in keys


def test_the_other_copy_laid_elsewhere_takes_no_name_from_a_half_covered_tile() -> None:
    tracker = Tracker()
    for _ in range(5):
        keys = tracker.update(look(row("O6 O7 O8", 0, 0)), always("covered"))
    nudged = [face("O6", 0.2, 0), face("K3 K8", 1.2, 0, p=0.95), face("O8", 2.2, 0)]
    seen = tracker.update(look(nudged, row("O7 B7 R7", 6, 3)), always("covered"))
    assert seen[:3] == keys
    assert str(tracker.tracks[keys[1]].evidence.seen(0.9, 0.01)) == "O7"


def test_a_moved_tile_in_doubt_is_the_one_that_left() -> None:
    tracker = Tracker()
    keys = tracker.update(look([face("R6 R9", 0, 0)], [face("B1", 3, 0)]), always("bare"))
    again = tracker.update(look([face("B1", 3, 0)], [face("R9 R6", 7, 2, 0.6)]), always("bare"))
    assert again == [keys[1], keys[0]]
    assert str(tracker.tracks[keys[0]].evidence.seen(0.9, 0.01)) == "R6"


def test_a_set_stays_whole_under_a_hand() -> None:
    tracker, keeper = Tracker(), SetKeeper()
    assert table(tracker, keeper, look(row("R4 R5 R6 R7 R8", 0, 0))) == "R4 R5 R6 R7 R8"
    split = look(row("R4 R5", 0, 0), row("R7 R8", 3, 0))
    assert table(tracker, keeper, split) == "R4 R5 ~R6 R7 R8"
    grown = look(row("R4 R5", 0, 0), row("R7 R8 R9", 3, 0))
    assert table(tracker, keeper, grown) == "R4 R5 ~R6 R7 R8 R9"


def test_what_a_mug_hides_stays_in_its_set_where_the_next_tile_is_half_covered() -> None:
    """Its handle lies over the blue one, which seems pushed aside (11883)."""
    tracker, keeper = Tracker(), SetKeeper()
    for _ in range(3):
        assert table(tracker, keeper, look(row("R1 B1 O1", 0, 0))) == "R1 B1 O1"
    covered = look([face("R1", 0, 0), face("B1", 0.82, 0)])
    for _ in range(3):
        assert table(tracker, keeper, covered) == "R1 B1 ~O1"
    apart = look([face("R1", 0, 0), face("B1", 0.82, 0)], [face("O1", 2, 0)])
    assert table(tracker, keeper, apart) == "R1 B1 | O1", "and is seen to lie apart where it does"


def test_a_cut_is_voted_on_until_a_tile_is_moved() -> None:
    tracker, keeper = Tracker(), SetKeeper()
    apart = look(row("R4 R5 R6", 0, 0), row("B4 B5 B6", 3.3, 0))
    joined = look([*row("R4 R5 R6", 0, 0), *row("B4 B5 B6", 3.3, 0)])
    for _ in range(2):
        assert table(tracker, keeper, apart) == "R4 R5 R6 | B4 B5 B6"
    moved = look([*row("R4 R5 R6", 0, 0), *row("B4 B5 B6", 3.0, 0)])
    assert table(tracker, keeper, moved).count("|") == 0
    assert table(tracker, keeper, joined).count("|") == 0


def test_a_gap_that_was_read_often_enough_is_not_read_otherwise_in_doubt() -> None:
    """bx01: as more neat sets were laid elsewhere, the gap in a crooked one came to look like a cut."""
    tracker, keeper = Tracker(), SetKeeper()
    whole = look([*row("B10 K10", 0, 0), face("R10", 2.2, 0)], doubts=[True])
    cut = [row("B10 K10", 0, 0), [face("R10", 2.2, 0)]]
    for _ in range(5):
        assert table(tracker, keeper, whole) == "B10 K10 R10"
    for _ in range(15):
        assert table(tracker, keeper, look(*cut, doubts=[True, True])) == "B10 K10 R10"
    for _ in range(8):
        told = table(tracker, keeper, look(*cut))
    assert told == "B10 K10 | R10"


def test_a_tile_that_a_sleeve_pushed_aside_stays_in_its_set() -> None:
    """Composer AI's ai03: a cat's paw; the joker beside it was exchanged later."""
    tracker, keeper = Tracker(), SetKeeper()
    for _ in range(3):
        assert table(tracker, keeper, look(row("R11 R12 R13", 0, 0))) == "R11 R12 R13"
    for _ in range(8):
        pushed = look([face("R11", -0.4, 0.2)], row("R12 R13", 1, 0))
        assert table(tracker, keeper, pushed) == "R11 R12 R13"
    for _ in range(2):
        taken = look([face("R11", -0.4, 0.2)], row("B12 R13", 1, 0), [face("R12", 7, 4)])
        told = table(tracker, keeper, taken)
    assert told == "R11 B12 R13 | R12"


@pytest.mark.parametrize(
    ("left", "told"),
    [
        ([face("R11", -1.2, 0)], "R11 | R12 R13 R10"),
        ([face("R11", -0.58, 0)], "R11 | R12 R13 R10"),
        ([face("R9", -1.45, 0), face("R11", -0.45, 0)], "R9 R11 | R12 R13 R10"),
    ],
    ids=["laid elsewhere", "left beside it (11887)", "another set's"],
)
def test_a_tile_that_was_not_just_pushed_aside_has_left_its_set(left: list[SeenFace], told: str) -> None:
    tracker, keeper = Tracker(), SetKeeper()
    for _ in range(3):
        table(tracker, keeper, look(row("R11 R12 R13 R10", 0, 0)))
    for _ in range(3):
        lies = table(tracker, keeper, look(left, row("R12 R13 R10", 1, 0)))
    assert lies == told


def test_a_tile_laid_where_another_lay_is_another_though_the_place_rests_since() -> None:
    """AH's ah03: the look that saw the place change read it a little less surely than those after it."""
    tracker = Tracker()
    for _ in range(5):
        keys = tracker.update(look(row("R7 B7 K7", 0, 0)), always("bare"))
    unsure = look([face("O7 R7", 0, 0, p=0.94)], row("B7 K7", 1, 0))
    tracker.update(unsure, always("bare"), untouched=lambda home: False)
    for _ in range(3):
        seen = tracker.update(look(row("O7 B7 K7", 0, 0)), always("bare"), untouched=lambda home: True)
    assert seen[0] != keys[0]
    assert str(tracker.tracks[seen[0]].evidence.seen(0.9, 0.01)) == "O7"


def test_backs_are_counted_through_a_hand_and_a_draw() -> None:
    pool, six = PoolKeeper(), [quad(at * 1.2, 0) for at in range(6)]
    assert pool.count is None
    for _ in range(2):
        pool.update(six, always("bare"))
    assert pool.count == 6
    pool.update(six[:2], always("covered"))
    assert pool.count == 6
    for _ in range(2):
        pool.update(six[:5], always("bare"))
    assert pool.count == 5
    pool.update([*six[:4], quad(5, 1.5)], always("bare"))
    assert pool.count == 5, "pushed aside is not drawn"


def test_a_tile_in_the_place_of_one_that_was_found_too_large_is_no_part_of_that() -> None:
    """Composer AK's ak02: a 3 in a joker's place, whose edges had been found outside of the tile's."""
    tracker, keeper = Tracker(), SetKeeper()
    beside = row("B1 B2", 0, 0), row("K4 K5 K6", 0, 3)
    joker = face("J", 2, 0)
    middle = joker.home.mean(axis=0)
    large = replace(joker, home=middle + (joker.home - middle) * 1.2)
    for _ in range(3):
        assert table(tracker, keeper, look([*beside[0], large], beside[1])) == "B1 B2 J | K4 K5 K6"
    for _ in range(3):
        shown = table(tracker, keeper, look([*beside[0], face("B3", 2, 0)], beside[1]), "taken")
    assert shown == "B1 B2 B3 | K4 K5 K6"


def test_what_a_mug_leaves_of_a_tile_stays_that_tile_however_surely_it_reads() -> None:
    tracker, keeper = Tracker(), SetKeeper()
    beside = row("B10 B11", 0, 0), row("K4 K5 K6", 0, 3)
    whole = face("B12", 2, 0)
    for _ in range(3):
        table(tracker, keeper, look([*beside[0], whole], beside[1]))
    rest = whole.home * np.float32([0.5, 1]) + np.float32([whole.home[0, 0] / 2, 0])
    left = replace(face("B1", 2, 0), home=rest)
    for _ in range(4):
        shown = table(tracker, keeper, look([*beside[0], left], beside[1]))
    assert shown == "B10 B11 B12 | K4 K5 K6"


@pytest.mark.parametrize(
    ("reads", "stays"),
    [("B12 K12", False), ("B12 B11", True), ("K11 R11", True), ("B1 K1", True)],
    ids=[
        "another number, its colour in doubt",
        "perhaps itself",
        "in another colour",
        "what a finger leaves of it",
    ],
)
def test_a_whole_tile_in_the_shade_is_another_by_its_number(reads: str, stays: bool) -> None:
    """Its row was moved on by nearly a tile; whether it is blue is not sure, that it is a 12 is (21861)."""
    tracker = Tracker()
    for _ in range(5):
        keys = tracker.update(look(row("B9 B10 B11 R1 R2 R3", 0, 0)), always("bare"))
    for _ in range(3):
        lies = [*row("B9 B10", 0, 0), face(reads, 2.03, 0, 0.8), *row("R1 R2 R3", 3, 0)]
        again = tracker.update(look(lies), always("bare"))
    assert (again[2] == keys[2]) is stays
