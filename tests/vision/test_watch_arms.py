"""Which of the hands that came did it: those that were where the table lies otherwise."""

from __future__ import annotations

import math

import numpy as np
import pytest
from test_watch_reach import arm, sensed
from watch_desk import ANN, BEN, CAT, CATS, OPENING, THREE, Desk, arm_from, places_at, three_who_have_opened

from vision.readings import Corners
from vision.watch.actors import Actors
from vision.watch.reach import Arm, Reach, Stirred
from vision.watch.reach_sense import ReachSense

CELL_PX = 10.0


def spot(x: float, y: float) -> Corners:
    return np.array([[x, y], [x + 2, y], [x + 2, y + 3], [x, y + 3]], np.float32)


def over(by: float, *rows: int, share: float = 1.0) -> Arm:
    """An arm that was over these rows of the desk's table, and nowhere else."""
    swept = np.zeros((80, 80), np.bool_)
    for row in rows:
        swept[9 * row : 9 * row + 6, 0:40] = True
    return Arm(by, share, 9, swept, np.zeros_like(swept), CELL_PX)


@pytest.fixture
def seated() -> Desk:
    return three_who_have_opened()


def test_each_of_two_arms_was_only_where_it_moved() -> None:
    near, far = arm("near", at=0.2), arm("far", at=0.8)
    reach = sensed(*[near | far] * 4)
    assert [one.share for one in reach.arms] == pytest.approx([0.5, 0.5])
    below, above = sorted(reach.arms, key=lambda one: -math.sin(one.from_rad))
    left, right = spot(12, 30), spot(48, 3)
    assert (below.was_at([left]), below.was_at([right])) == (True, False)
    assert (above.was_at([left]), above.was_at([right])) == (False, True)
    told = reach.at([right])
    assert told is not None
    assert (told.from_rad, told.share) == (above.from_rad, 1.0)
    assert reach.at([spot(30, 17)]) is None


def test_of_arms_that_touch_nobody_says_which_one_is_where() -> None:
    """They are still two people's."""
    crossed = arm("near", depth=20, at=0.5) | arm("left", depth=32, at=0.5)
    apart = arm("near", depth=10, at=0.5)
    reach = sensed(*[crossed] * 4, *[apart] * 4)
    assert reach.share < 0.8
    assert reach.at([spot(3, 17)]) is reach
    told = reach.at([spot(30, 30)])
    assert told is not None
    assert told.from_rad == pytest.approx(math.pi / 2, abs=0.3)


def test_who_leans_in_while_another_plays_has_not_played(seated: Desk) -> None:
    """Ann has played and rests a hand on the table; Ben lays beside it."""
    seated.changes(f"{CATS} | R1 R2 R3", 2, by=ANN)
    both = [over(ANN, 1, share=0.6), over(BEN, 4, share=0.4)]
    seated.moves(by=ANN, share=0.6, arms=both)
    seated.lies(f"{CATS} | R1 R2 R3 | B4 B5 B6", 5)
    assert seated.short[3:] == [(0, "play", "legal"), (1, "play", "legal")]


def test_a_single_frame_is_nobodys_hand() -> None:
    known = places_at(ANN, BEN, CAT)
    assert known.shares([Reach(0.0, 1.0, BEN, 1.0, 1)]) == pytest.approx([1 / 3] * 3)


def test_a_draw_is_over_when_the_next_player_plays_though_hands_of_the_first_came_again(seated: Desk) -> None:
    seated.changes(CATS, 2, by=ANN, backs=19)
    for by in (ANN, ANN, BEN):
        seated.moves(0.5, by=by)
    seated.lies(f"{CATS} | R1 R2", 6, backs=19)
    assert seated.short[3:] == [(0, "draw", "legal"), (1, "play", "illegal")]


def test_a_foul_that_is_taken_back_was_that_of_who_laid_it(seated: Desk) -> None:
    """Ann and Ben let their turns go by unseen; Cat fouls, and Ann leans in as Cat mends it."""
    seated.changes(f"{CATS} | R1 R2", 3, by=CAT)
    seated.moves(0.5, by=ANN)
    seated.changes(f"{CATS} | B1 B2 B3", 5, by=CAT)
    assert seated.short[-2:] == [(2, "play", "illegal"), (2, "put-back", "legal")]


@pytest.mark.parametrize(("by", "seat"), [(ANN + 1.0, 0), (BEN, 1)])
def test_where_draws_are_told_a_turn_is_missed_only_if_the_hands_cannot_be_whose_turn_it_is(
    by: float, seat: int
) -> None:
    """One pair of hands is surely Ben's; the other is Ben's too, or comes from between Ann and Ben."""
    desk = Desk(players=THREE, draws_told=True, places=places_at(ANN, BEN, CAT), opened=(True, True, True))
    desk.lies(OPENING, 2)
    desk.moves(by=BEN)
    desk.moves(by=by)
    desk.lies(f"{OPENING} | R1 R2 R3", 5)
    assert [turn.seat for turn in desk.turns] == [seat]


def test_a_foul_lies_there_since_its_hands_are_gone_whoever_leaned_in_after_them(seated: Desk) -> None:
    foul = f"{CATS} | R1 R2"
    seated.moves(by=ANN, arms=[over(ANN, 3)])
    seated.moves(1.5, by=BEN, arms=[over(BEN, 6)])
    seated.lies(foul, 0.6)
    seated.moves(by=ANN, arms=[over(ANN, 3)])
    seated.lies(CATS, 4)
    assert seated.short[3:5] == [(0, "play", "illegal"), (0, "put-back", "legal")]


def test_turns_that_nobody_saw_are_passes_where_nothing_is_left_to_draw(seated: Desk) -> None:
    seated.lies(CATS, 2, backs=0)
    seated.pool = 0
    seated.changes(f"{CATS} | R1 R2 R3", 5, by=CAT)
    assert [(turn.seat, turn.action) for turn in seated.turns[-3:]] == [(0, "pass"), (1, "pass"), (2, "play")]


def test_what_appears_where_nothing_has_moved_is_no_tile(seated: Desk) -> None:
    """A speck of the cloth, or a gap among backs, that reads as a tile in the light of another moment."""
    far, near = np.zeros((80, 80), np.bool_), np.zeros((80, 80), np.bool_)
    far[60:70, 0:40] = near[45:51, 0:40] = True
    seated.moves(by=ANN, stirred=Stirred(far, CELL_PX))
    seated.lies(f"{CATS} | R1 R2 R3 | B4", 5)
    assert seated.short[3:] == [(0, "play", "legal")]
    seated.moves(by=BEN, stirred=Stirred(near, CELL_PX))
    seated.lies(f"{CATS} | R1 R2 R3 | B4 | B5", 6)
    assert [str(tile) for tile in seated.turns[4].played] == ["B5"]
    assert seated.turns[4].verdict == "illegal", "it lies where hands were"


def test_a_tile_seen_badly_at_first_is_still_one_when_hands_have_been_elsewhere(seated: Desk) -> None:
    here, there = np.zeros((80, 80), np.bool_), np.zeros((80, 80), np.bool_)
    here[27:33, 0:40] = there[60:70, 60:70] = True
    seated.moves(by=ANN, stirred=Stirred(here, CELL_PX))
    seated.lies(f"{CATS} | B4", 0.4, confidence=0.9)
    seated.moves(by=BEN, stirred=Stirred(there, CELL_PX))
    seated.lies(f"{CATS} | B4", 6)
    assert seated.short[-1][1:] == ("play", "illegal")


def test_a_camera_whose_pictures_change_their_size_begins_a_reach_anew() -> None:
    small, large = np.ones((20, 30), np.bool_), np.ones((40, 60), np.bool_)
    sense = ReachSense()
    sense.moving(0.0, small, small)
    sense.moving(0.1, large, large)
    reach = sense.still()
    assert reach is not None
    assert reach.begin_s == 0.1


def test_whose_own_hands_are_busy_beside_it_has_left_no_foul(seated: Desk) -> None:
    """Only where others leaned in has what lies there lain since its hands were gone."""
    foul = f"{CATS} | R1 R2"
    for row, table in ((3, foul), (6, foul), (3, CATS)):
        seated.moves(1.2, by=ANN, arms=[over(ANN, row)])
        seated.lies(table, 0.4 if table == foul else 4)
    assert len(seated.turns) == 3


def test_a_foul_taken_back_is_as_much_whose_turn_it_was_as_a_play() -> None:
    """Draws are told; one pair of hands is surely Ben's, the other may be Ann's, whose turn it is."""
    desk = Desk(players=THREE, draws_told=True, places=places_at(ANN, BEN, CAT), opened=(True, True, True))
    desk.lies(OPENING, 2)
    desk.moves(by=BEN)
    desk.moves(by=ANN + 1.0)
    desk.lies(f"{OPENING} | R1 R2", 3)
    desk.changes(f"{OPENING} | B1 B2 B3", 5, by=ANN)
    assert desk.short == [(0, "play", "illegal"), (0, "put-back", "legal")]


def test_hands_count_once_though_only_the_second_look_shows_what_they_did() -> None:
    actors = Actors(places_at(ANN, BEN, CAT))
    ann, ben = (Reach(at, at + 1, by, 1.0, 9, (over(by, row),)) for at, by, row in ((0, ANN, 1), (1, BEN, 4)))
    for reach in (ann, ben):
        actors.reached(reach)
    actors.looked(changed=False)
    actors.changed_at([np.array([[0, 360], [50, 360], [50, 428], [0, 428]], np.float32)])
    actors.looked(changed=True)
    assert actors.visits == [ann]
    assert [reach.from_rad for reach in actors.changes] == [BEN]


def test_where_no_pool_was_ever_in_view_it_is_not_empty() -> None:
    """A single tile that lay on its face for a moment is no pool."""
    desk = Desk(pool=None, players=THREE, places=places_at(ANN, BEN, CAT), opened=(True, True, True))
    desk.lies(OPENING, 1)
    for backs in (1, 0):
        desk.lies(OPENING, 1, backs=backs)
    desk.pool = 0
    desk.changes(f"{OPENING} | R1 R2 R3", 5, by=CAT)
    assert [turn.action for turn in desk.turns] == ["draw", "draw", "play"]


@pytest.mark.parametrize("more_move", [True, False])
def test_hands_that_were_nowhere_near_left_it_so_where_others_move_over_it_at_the_look(more_move: bool) -> None:
    """Ann takes a mug away, and Ben lays beside it while the table is looked at (11765)."""
    actors = Actors(places_at(ANN, BEN, CAT))
    ann = Reach(0, 1, ANN, 1.0, 9, (over(ANN, 1),))
    actors.reached(ann)
    far = [np.array([[0, 360], [50, 360], [50, 428], [0, 428]], np.float32)]
    actors.changed_at(far, more_move=more_move)
    actors.looked(changed=True)
    assert (actors.visits, actors.changes) == (([ann], []) if more_move else ([], [ann]))


def test_an_arm_that_lies_along_the_rim_of_the_next_players_side_and_rests_is_no_other_one_as_it_moves_on() -> (
    None
):
    """Its elbow and its shadow cross the rim where the next player sits (composer DK's third)."""
    desk = Desk(players=THREE, places=places_at(ANN, BEN, CAT), opened=(True, True, True))
    desk.lies("R1 R2 R3", 2)
    desk.changes("R1 R2 R3 | B5 B6 B7", 0.8, by=ANN)
    along = [arm_from(ANN + 0.5, 0.6), arm_from(BEN - 0.4, 0.4)]
    desk.moves(by=ANN + 0.5, share=0.5, arms=along)
    desk.lies("R1 R2 R3 | B5 B6 B7", 0.8, clear=False)
    desk.moves(by=BEN - 0.2, arms=[arm_from(BEN - 0.2)])
    desk.moves(by=ANN + 0.5, share=0.5, arms=along)
    desk.lies("R1 R2 R3 | B5 B6 B7 B8", 6)
    assert desk.short == [(0, "play", "legal")]
    assert "B8" in str(desk.turns[0].after)
