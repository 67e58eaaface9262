"""What a tile is called, after many looks, where it is half covered, and what is no tile."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from watch_looks import WIDTH, always, face, look, quad, row, table

from referee import ALL_TILES, SeenTile, Tile, parse_tiles
from vision.watch.evidence import Evidence
from vision.watch.lay import SetKeeper, lying_table
from vision.watch.look import SeenFace, without_gaps
from vision.watch.strays import strays, without_strays
from vision.watch.tracks import Tracker
from vision.watch.types import LyingSet, LyingTable, LyingTile

tiles = st.sampled_from(ALL_TILES)


def best_number(listed: dict[Tile, float]) -> float:
    return max(sum(listed[tile] for tile in listed if tile.number == other.number) for other in listed)


@given(
    st.lists(st.dictionaries(tiles, st.floats(0.001, 0.999), min_size=1, max_size=4), min_size=1, max_size=9)
)
def test_evidence_is_a_probability_and_forgets_no_candidate(looks: list[dict[Tile, float]]) -> None:
    """But those of faint looks, where two were clear."""
    evidence = Evidence()
    for listed in looks:
        evidence.add(listed)
    shares = dict(evidence.posterior())
    clear = [listed for listed in looks if best_number(listed) >= 0.5]
    assert set(shares) == {tile for listed in (clear if len(clear) > 1 else looks) for tile in listed}
    assert evidence.looks + evidence.blind == len(looks)
    assert 0 < sum(shares.values()) <= 1 + 1e-9
    assert evidence.seen(0.9, 0.01).candidates <= set(shares) | set(ALL_TILES)


@given(st.integers(1, 12))
def test_agreeing_looks_make_surer_and_a_single_contradiction_a_doubt(count: int) -> None:
    six, nine = parse_tiles("R6 R9")
    evidence = Evidence()
    before = 0.0
    for _ in range(count):
        evidence.add({six.tile: 0.8, nine.tile: 0.2})
        assert evidence.best()[0] == six.tile
        assert evidence.best()[1] >= before
        before = evidence.best()[1]
    alone = Evidence()
    alone.add({six.tile: 0.97, nine.tile: 0.03})
    alone.add({nine.tile: 0.97, six.tile: 0.03})
    assert not alone.seen(0.9, 0.01).is_sure
    assert alone.seen(0.9, 0.01) == SeenTile.of([six.tile, nine.tile])


@pytest.mark.parametrize("first", [True, False], ids=["before", "after"])
def test_faint_looks_under_a_hand_say_nothing_beside_clear_ones(first: bool) -> None:
    """Four of them told a black 3 from itself for three clear looks more (ct03)."""
    under_a_hand = {
        seen.tile: share for seen, share in zip(parse_tiles("J O2 O3"), (0.38, 0.23, 0.1), strict=True)
    }
    in_view = {parse_tiles("K3")[0].tile: 0.999}
    looks = [*[under_a_hand] * 4, in_view, in_view]
    evidence = Evidence()
    for listed in looks if first else reversed(looks):
        evidence.add(listed)
    assert str(evidence.seen(0.95, 0.01)) == "K3"
    assert (evidence.looks, evidence.blind) == (2, 4)


@pytest.mark.parametrize(
    ("faint", "clear"),
    [({"B12": 0.48, "K12": 0.45}, {"K12": 0.985, "B12": 0.01}), ({"R6": 0.45, "R9": 0.4}, {"B8": 0.97})],
    ids=["a number that is sure", "one look"],
)
def test_one_clear_look_among_many_that_doubt_is_a_doubt(
    faint: dict[str, float], clear: dict[str, float]
) -> None:
    evidence = Evidence()
    for listed in (*[faint] * 8, clear, *[faint] * 10):
        evidence.add({Tile.parse(name): share for name, share in listed.items()})
    assert not evidence.seen(0.95, 0.01).is_sure


def test_a_face_that_was_never_read_may_be_anything() -> None:
    evidence = Evidence()
    evidence.add(None)
    assert str(evidence.seen(0.9, 0.01)) == "??"
    assert evidence.best() == (None, pytest.approx(0.0))


def test_weak_looks_do_not_rename_a_tile_that_is_well_known() -> None:
    """A mug covers the lower half of an orange 13 for many looks: it reads 12, never surely."""
    evidence_of = Tracker()
    whole = row("K13 O13 R13", 0, 0)
    for _ in range(3):
        evidence_of.update(look(whole), always("bare"))
    half = [
        whole[0],
        replace(whole[1], listed={parse_tiles("O12")[0].tile: 0.86, parse_tiles("O6")[0].tile: 0.04}),
        whole[2],
    ]
    for _ in range(20):
        evidence_of.update(look(half), always("bare"))
    assert sorted(str(track.evidence.best()[0]) for track in evidence_of.lying()) == ["K13", "O13", "R13"]


@pytest.mark.parametrize(("worth", "other"), [(0.96, True), (0.84, False)])
def test_a_well_known_tile_is_another_after_three_clear_looks_alike(worth: float, other: bool) -> None:
    """A joker was put back where the six lay; it never reads quite surely, but always the same."""
    tracker = Tracker()
    for _ in range(4):
        (old,) = tracker.update(look(row("K6", 0, 0)), always("bare"))
    joker = replace(row("J", 0, 0)[0], listed={parse_tiles("J")[0].tile: worth})
    touched, untouched = (lambda home: False), (lambda home: True)
    assert tracker.update(look([joker]), always("taken"), touched) == [old]
    assert tracker.update(look([joker]), always("taken"), untouched) == [old]
    assert tracker.unsure is other
    (now,) = tracker.update(look([joker]), always("taken"), untouched)
    assert (now != old) is other
    assert (tracker.tracks[old].state == "gone") is other


@pytest.mark.parametrize(("own", "other"), [(0.01, True), (0.05, False)])
def test_a_well_known_tile_is_another_where_three_looks_all_but_exclude_it(own: float, other: bool) -> None:
    tracker = Tracker()
    for _ in range(4):
        (old,) = tracker.update(look(row("K10", 0, 0)), always("bare"))
    listed = {parse_tiles("J")[0].tile: 0.9, parse_tiles("K10")[0].tile: own}
    joker = replace(row("J", 0, 0)[0], listed=listed)
    for untouched in (False, True, True):
        (now,) = tracker.update(look([joker]), always("taken"), lambda home, same=untouched: same)
    assert (now != old) is other


def test_a_tile_that_took_anothers_place_is_another_at_the_second_look() -> None:
    tracker = Tracker()
    (old,) = tracker.update(look(row("R4", 0, 0)), always("bare"))
    for _ in range(3):
        assert tracker.update(look(row("R4", 0, 0)), always("bare")) == [old]
    touched, untouched = (lambda home: False), (lambda home: True)
    assert tracker.update(look(row("R5", 0, 0)), always("taken"), touched) == [old]
    (new,) = tracker.update(look(row("R5", 0, 0)), always("taken"), untouched)
    assert new != old
    assert tracker.tracks[old].state == "gone"
    assert tracker.tracks[new].evidence.best()[0] == Tile.parse("R5")


@pytest.mark.parametrize("laid", ["K2 B2 R2", "B2 R2 K2", "K2 R2 B2"])
def test_tiles_of_one_number_laid_in_each_others_places_take_their_names_along(laid: str) -> None:
    """In grey, in which it is told what is untouched, they look alike."""
    tracker, names = Tracker(), ["B2", "K2", "R2"]
    for _ in range(4):
        before = dict(zip(names, tracker.update(look(row(" ".join(names), 0, 0)), always("bare")), strict=True))
    for _ in range(3):
        after = tracker.update(look(row(laid, 0, 0)), always("bare"), lambda home: True)
        assert after == [before[name] for name in laid.split()]
    assert [str(tracker.tracks[key].evidence.best()[0]) for key in after] == laid.split()


def test_a_tile_out_of_a_rows_middle_lets_the_next_ones_come_up_with_their_names() -> None:
    """In grey the red 10 looks like the orange one that is laid in its place."""
    tracker = Tracker()
    for _ in range(4):
        blue, black, red = tracker.update(look(row("B10 K10 R10", 0, 0)), always("bare"))
    laid = look(row("B10 R10 O10", 0, 0), row("K8 K9 K10", 0, 2))
    after = tracker.update(laid, always("bare"), lambda home: True)
    assert (after[0], after[1], after[5]) == (blue, red, black)
    assert str(tracker.tracks[after[2]].evidence.best()[0]) == "O10"


@pytest.mark.parametrize(("copies", "moved"), [(2, True), (4, False)])
def test_a_covered_tile_of_which_the_box_holds_no_more_than_are_in_view_was_moved(
    copies: int, moved: bool
) -> None:
    """A mug came to stand where it lay; laid elsewhere, it is half under that, too, and reads less surely."""
    tracker = Tracker(copies=lambda tile: copies)
    before = row("R9 R10 R11", 0, 0), row("R10 R11 R12", 0, 5)
    keys = tracker.update(look(*before), always("bare"))
    tracker.update(look(before[0][:2], before[1]), always("covered"))
    now = tracker.update(
        look(before[0][:2], before[1], [face("R11 R1", 6, 0, 0.95), face("K11", 7, 0)]), always("covered")
    )
    assert now[:5] == [*keys[:2], *keys[3:]]
    assert (now[5] == keys[2]) is moved
    assert [track.key for track in tracker.lying() if track.state == "hidden"] == ([] if moved else [keys[2]])


def test_a_gap_among_backs_is_no_tile() -> None:
    gap = SeenFace(None, quad(1, 0), quad(1, 0))
    unread = SeenFace(None, quad(6, 5), quad(6, 5))
    seen = replace(look([gap], [unread], row("R6 R7", 1, 2)), backs=(quad(0, 0), quad(2, 0)))
    left = without_gaps(seen, ())
    assert [face is unread or face.listed is not None for face in left.faces] == [True, True, True]
    assert left.sets == (((0,), False), ((1, 2), False))
    assert without_gaps(replace(seen, backs=()), (quad(2, 0),)).sets == left.sets
    assert without_gaps(replace(seen, backs=()), ()).sets == seen.sets


def test_unreadable_ones_in_a_row_over_backs_are_no_tiles() -> None:
    """White backs under a lamp come out as faces with nothing to read; a set laid there has a sure tile."""
    backs = tuple(quad(at, 0) for at in range(5))
    glare = [SeenFace(None, quad(at, 0.1), quad(at, 0.1)) for at in range(3)]
    guessed = [face("K1", 0, 0.1, 0.5), face("K11", 1, 0.1, 0.5)]
    laid = [face("R6", 0, 0.1), face("R7", 1, 0.1), SeenFace(None, quad(2, 0.1), quad(2, 0.1))]
    for among in (glare, guessed):
        assert without_gaps(look(among, row("B1 B2", 0, 5)), backs).sets == (((0, 1), False),)
    assert without_gaps(look(laid), backs).sets == (((0, 1, 2), False),)


@pytest.mark.parametrize("looks", [2, 4])
@pytest.mark.parametrize(
    ("left", "right", "same"), [(-25, 0, True), (0, 25, True), (-16, 25, True), (-25, 25, False)]
)
def test_what_is_left_of_a_covered_tile_is_that_tile_whatever_it_reads(
    left: int, right: int, same: bool, looks: int
) -> None:
    """A mug stands on a half of the 12: a 1 is left, surely. A whole tile in its place is another one."""
    tracker = Tracker()
    for _ in range(looks):
        keys = tracker.update(look(row("B11 B12 B13", 0, 0)), always("covered"))
    seen = face("B1", 1, 0)
    home = seen.home.copy()
    home[[0, 3], 0], home[[1, 2], 0] = WIDTH + left, WIDTH + right
    rest = replace(seen, home=home, corners_xy_px=home)
    for _ in range(10):
        now = tracker.update(look([face("B11", 0, 0), rest]), always("covered"))
    assert (now == keys[:2]) is same
    assert (str(tracker.tracks[now[1]].evidence.best()[0]) == "B12") is same


@pytest.mark.parametrize("joined", [True, False])
def test_a_tile_against_which_a_mug_came_to_stand_keeps_its_name(joined: bool) -> None:
    """The mug stands on the 1 of the 12, whose outline is found whole all the same: it reads as a sure 2."""
    tracker = Tracker()
    for _ in range(4):
        keys = tracker.update(look(row("B12 K12 R12", 0, 0)), always("bare"))
    for _ in range(6):
        now = tracker.update(
            look([face("B2", 0, 0), *row("K12 R12", 1, 0)]),
            always("bare"),
            joined=lambda home: joined and home[:, 0].mean() < WIDTH / 2,
        )
        assert (tracker.misread == {keys[0]}) is joined
    assert (now == keys) is joined
    assert str(tracker.tracks[now[0]].evidence.best()[0]) == ("B12" if joined else "B2")


def test_a_tile_that_is_covered_in_part_and_still_read_has_not_been_moved() -> None:
    """A mug stands on the lower fourth of the 11: what is left of its row is still one row."""
    tracker, keeper = Tracker(), SetKeeper()
    whole = look(row("B11 B12 B13", 0, 0))
    for _ in range(4):
        table(tracker, keeper, whole)
    seen = face("B11", 0, 0)
    home = seen.home.copy()
    home[[2, 3], 1] -= 0.25 * (home[2, 1] - home[1, 1])
    part = replace(seen, home=home, corners_xy_px=home)
    cut = look([part], [face("B12", 1, 0), face("B13", 2, 0)])
    assert table(tracker, keeper, cut) == "B11 B12 B13"
    assert not any(track.moved for track in tracker.tracks.values())


def test_a_tile_that_is_half_covered_is_no_other_tile_that_cannot_be_seen() -> None:
    tracker = Tracker()
    keys = tracker.update(look(row("O13", 0, 0), row("O6", 5, 2)), always("covered"))
    for _ in range(4):
        assert tracker.update(look(row("O13", 0, 0), row("O6", 5, 2)), always("covered")) == keys
    # A mug stands on the six and on the lower half of the thirteen, which now looks like a twelve.
    for _ in range(3):
        assert tracker.update(look([face("O12 O6", 0, -0.25, 0.95)]), always("covered")) == keys[:1]
    assert [str(tracker.tracks[key].evidence.best()[0]) for key in keys] == ["O13", "O6"]
    assert tracker.tracks[keys[1]].state == "hidden"


@pytest.mark.parametrize(("clearest", "counts"), [(0.7, False), (0.97, True)])
def test_two_things_side_by_side_that_never_read_clearly_are_no_play(clearest: float, counts: bool) -> None:
    """Composer AI's ai02: two dice."""
    tracker, keeper = Tracker(), SetKeeper()
    for _ in range(4):
        seen = look(row("B8 B9 B10", 0, 0), [face("R1 R4", 5, 0, clearest), face("R2 R3", 6, 0, 0.65)])
        sets = keeper.update(seen, tracker.update(seen, always("bare")), tracker)
    lying = lying_table(0.0, tracker, sets, None, bar=0.9, alternative_bar=0.01)
    assert len(without_strays(lying, LyingTable(0.0)).tiles) == (5 if counts else 3)


@pytest.mark.parametrize(("clearest", "passes"), [(0.7, True), (0.91, True), (0.97, False)])
def test_what_lies_alone_has_to_be_read_clearly_once_however_often_it_is_seen(
    clearest: float, passes: bool
) -> None:
    """A mug's handle reads as a 1 in every look, and in none of them clearly."""
    tracker, sets = Tracker(), SetKeeper()
    for at in range(8):
        seen = look(row("B8 B9 B10", 0, 0), [face("R1", 5, 0, clearest if at == 4 else 0.65)])
        rows = sets.update(seen, tracker.update(seen, always("bare")), tracker)
    lying = lying_table(0.0, tracker, rows, None, bar=0.9, alternative_bar=0.02)
    assert all(tile.seen.is_sure for tile in lying.tiles)
    assert bool(strays(lying, LyingTable(0.0))) is passes


@pytest.mark.parametrize(("away", "left"), [(0.3, 0), (0.7, 2)])
def test_what_reads_now_here_and_now_a_little_beside_is_no_tile(away: float, left: int) -> None:
    """Writing on a score pad reads as a joker (composer AY's second); tiles do not lie over each other."""
    first = np.array([[0, 0], [30, 0], [30, 40], [0, 40]], np.float32)
    writing = tuple(
        LyingTile(
            key,
            SeenTile.sure(Tile.parse("J")),
            first + np.float32([0, 40 * away * key]),
            0.999,
            5,
            clearest=0.98,
        )
        for key in range(2)
    )
    lying = LyingTable(0.0, writing, tuple(LyingSet((tile.key,)) for tile in writing))
    assert len(without_strays(lying, LyingTable(0.0)).tiles) == left
    assert len(without_strays(lying, lying).tiles) == 2, "what lay there before the turn stays"


def test_what_seems_covered_amid_its_row_was_moved_where_the_box_holds_no_more_of_it() -> None:
    """A joker is taken from a set of three and laid elsewhere; the next tile's shadow falls where it lay."""
    tracker = Tracker(copies=lambda tile: 2)
    keys = tracker.update(look(row("B1 K1 J", 0, 0), [face("J", 5, 3)]), always("bare"))
    after = look(row("B1 K1", 0, 0), [face("J", 5, 3)], [face("J", 9, 4)])
    assert tracker.update(after, always("covered")) == [keys[0], keys[1], keys[3], keys[2]]


@pytest.mark.parametrize(("p", "backs", "stays"), [(0.5, 3, False), (0.97, 3, True), (0.5, 2, True)])
def test_what_may_read_as_a_tile_amid_the_backs_of_a_heap_is_one_of_them(
    p: float, backs: int, stays: bool
) -> None:
    """The shadow of the next one looked like a 1: it lay there alone for the rest of the game (cw02)."""
    around = [quad(0.9, 0), quad(-0.3, 0.9), quad(0.4, -1.1)][:backs]
    seen = replace(look([face("K1 K7", 0, 0, p)], row("B1 B2", 0, 5)), backs=tuple(around))
    assert len(without_gaps(seen, ()).faces) == (3 if stays else 2)
