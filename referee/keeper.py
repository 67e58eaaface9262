"""Takes one event of a match after the other: what it changes, and what is to be said of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeVar

from referee.errors import RefereeError
from referee.events import (
    Count,
    Deal,
    Declare,
    Draw,
    DrawForStart,
    Event,
    Pass,
    Play,
    Racks,
    StartMatch,
    TakeOver,
    TimeOut,
)
from referee.gamestate import GameState, Outcome
from referee.keeper_start import Beginnings, RefusedEvent
from referee.match import GameResult
from referee.messages import Problem, Question
from referee.rack import check_total
from referee.rack_remarks import rack_remarks, rack_size_differs
from referee.scoring import ScoreSheet, score_sheet
from referee.seen import SeenTile, parse_tiles
from referee.table import Table, parse_table
from referee.timeouts import TimeoutJudgement, judge_timeout
from referee.turns import TurnJudgement, judge_turn

__all__ = ["Keeper"]

_T = TypeVar("_T")


class Keeper(Beginnings):
    """Takes one event."""

    def take(self, event: Event) -> tuple[GameState, Outcome]:
        """The state after ``event``, and what is to be said of it."""
        try:
            state, outcome = self._taken(event)
        except RefusedEvent as refused:
            return self._state, Outcome(self._number, "illegal", refused.problems)
        except RefereeError as error:
            unusable = Problem("unusable-event", args=(("why", str(error)),))
            return self._state, Outcome(self._number, "illegal", (unusable,))
        total = state.rules.inventory.total
        under_way = state.phase in ("playing", "ended")
        if under_way and state.tiles not in (total, self._state.tiles):
            lost = Problem("not-conserved", args=(("count", state.tiles), ("total", total)))
            outcome = replace(outcome, problems=(*outcome.problems, lost))
        return state, outcome

    def _taken(self, event: Event) -> tuple[GameState, Outcome]:
        match event:
            case StartMatch():
                return self._start(event)
            case DrawForStart():
                return self._draw_for_start(event)
            case Deal():
                return self._deal(event), self._fine()
            case TakeOver():
                return self._take_over(event), self._fine()
            case Play():
                return self._play(event)
            case Draw():
                return self._draw(event)
            case Pass():
                return self._pass(event)
            case TimeOut():
                return self._time_out(event)
            case Declare():
                return self._declare(event)
            case Racks():
                return self._racks(event)
            case Count():
                return self._count(event)
        raise RefusedEvent(Problem("nothing-to-correct", args=(("number", self._number),)))

    # --- in a game ---------------------------------------------------------------------------------------

    def _play(self, event: Play) -> tuple[GameState, Outcome]:
        self._need_turn(event.seat)
        state = self._state
        rack = None if event.rack is None else parse_tiles(event.rack)
        taken = self._taken_from_river(event)
        held = rack if rack is None or not taken else (*rack, taken[0])
        judged = judge_turn(
            state.table,
            parse_table(event.table),
            opened=state.opened[event.seat],
            rules=state.rules,
            rack=held,
        )
        if judged.verdict == "legal" and not judged.played and not judged.gone:
            raise RefusedEvent(Problem("no-play"))
        return self._played(event, parse_table(event.table), judged, rack, taken)

    def _taken_from_river(self, event: Play) -> tuple[SeenTile, ...]:
        """What a play takes up from the river: the key tile, and all that was laid after it."""
        if event.river_from is None:
            return ()
        if self._state.rules.river != "yes" or event.river_from >= len(self._state.river):
            raise RefusedEvent(Problem("no-such-river-tile"))
        return self._state.river[event.river_from :]

    def _played(
        self,
        event: Play | TimeOut,
        table: Table,
        judged: TurnJudgement,
        rack: Sequence[SeenTile] | None = None,
        taken: tuple[SeenTile, ...] = (),
    ) -> tuple[GameState, Outcome]:
        """Take a judged play: apply it unless it is a fault."""
        state, seat = self._state, event.seat
        faults = list(judged.problems)
        own = len(judged.played)
        if taken:
            own -= 1
            if taken[0].candidates not in [seen.candidates for seen in judged.played]:
                faults.append(Problem("key-not-played", (taken[0],)))
        size = state.racks[seat]
        if own > size:
            faults.append(Problem("more-than-rack", judged.played, (("held", size),)))
        notes = self._clock(event.t_s)
        if rack is not None and len(rack) != size:
            notes.append(rack_size_differs(self._name(seat), len(rack), size))
        verdict = event.ruling or ("illegal" if faults else judged.verdict)
        if verdict == "illegal":
            faults = faults or [Problem("ruled-illegal")]
            told = tuple(faults + notes)
            return state, Outcome(self._number, "illegal", told, judged.questions, turn=judged)
        left = max(0, size - own) + max(0, len(taken) - 1)
        if state.declared == seat and left:
            notes.append(Problem("declared-too-early", args=(("player", self._name(seat)), ("left", left))))
        played = replace(
            state,
            table=table,
            racks=_changed(state.racks, seat, left),
            opened=_changed(state.opened, seat, state.opened[seat] or bool(judged.played)),
            river=state.river[: len(state.river) - len(taken)],
            passes=0,
        )
        if left == 0:
            after = replace(played, phase="ended", turn=None, out=seat)
        else:
            after = self._next_turn(played, event.t_s)
        questions = () if event.ruling else judged.questions
        return after, Outcome(
            self._number, "ask" if questions else "legal", tuple(notes), questions, turn=judged
        )

    def _draw(self, event: Draw) -> tuple[GameState, Outcome]:
        self._need_turn(event.seat)
        state = self._state
        if not state.pool:
            raise RefusedEvent(Problem("pool-empty"))
        discard = parse_tiles(event.discard or "")
        if len(discard) != (1 if state.rules.river == "yes" else 0):
            raise RefusedEvent(Problem("wrong-discard"))
        drawn = min(state.rules.draw, state.pool)
        size = state.racks[event.seat] + drawn - len(discard)
        after = replace(
            state,
            racks=_changed(state.racks, event.seat, size),
            pool=state.pool - drawn,
            river=(*state.river, *discard),
            passes=0,
        )
        return self._next_turn(after, event.t_s), self._fine(*self._clock(event.t_s))

    def _pass(self, event: Pass) -> tuple[GameState, Outcome]:
        self._need_turn(event.seat)
        if self._state.pool and event.ruling != "legal":
            raise RefusedEvent(Problem("pool-not-empty", args=(("pool", self._state.pool),)))
        notes = tuple(self._clock(event.t_s))
        questions: tuple[Question, ...] = ()
        if self._state.rules.pool_empty == "must-play" and event.ruling is None:
            args = (("player", self._name(event.seat)),)
            questions = (Question("must-play?", answers=("yes", "no"), args=args, lean="legal"),)
        elif event.ruling == "illegal":
            raise RefusedEvent(Problem("ruled-illegal"))
        after = replace(self._state, passes=self._state.passes + 1)
        outcome = Outcome(self._number, "ask" if questions else "legal", notes, questions)
        return self._next_turn(after, event.t_s), outcome

    def _time_out(self, event: TimeOut) -> tuple[GameState, Outcome]:
        self._need_turn(event.seat)
        state = self._state
        now = parse_table(event.table)
        judged = judge_timeout(
            now,
            state.table if event.known else None,
            opened=state.opened[event.seat],
            rules=state.rules,
            pool=state.pool,
            own=parse_tiles(event.own),
        )
        if judged.kind == "accepted" or (judged.kind == "open" and event.ruling != "illegal"):
            turn = judge_turn(state.table, now, opened=state.opened[event.seat], rules=state.rules)
            return self._played(event, now, turn)
        return self._put_back(event, judged)

    def _put_back(self, event: TimeOut, judged: TimeoutJudgement) -> tuple[GameState, Outcome]:
        """The table is put back, and the penalty drawn."""
        state = self._state
        penalty, questions = judged.penalty, judged.questions
        if judged.kind == "open":
            penalty, questions = state.rules.timeout_restorable, ()
        if penalty is None or judged.kind == "open":
            wanted = event.penalty if penalty is None else penalty
            questions = questions if wanted is None else ()
            penalty = min(wanted or 0, state.pool)
        strays = len(judged.strays)
        to_rack = strays if judged.strays_to == "rack" else 0
        after = replace(
            state,
            table=state.table if judged.table is None else judged.table,
            racks=_changed(state.racks, event.seat, state.racks[event.seat] + penalty + to_rack),
            pool=state.pool + strays - to_rack - penalty,
            passes=0,
        )
        outcome = Outcome(self._number, "ask" if questions else "legal", (), questions, judged.notes)
        return self._next_turn(after, event.t_s), outcome

    def _declare(self, event: Declare) -> tuple[GameState, Outcome]:
        state = self._state
        if state.phase == "ended" and state.out == event.seat:
            return replace(state, declared=event.seat), self._fine()
        self._need_turn(event.seat)
        return replace(state, declared=event.seat), self._fine()

    def _clock(self, t_s: float | None) -> list[Problem]:
        """A note where the turn took longer than it may; it stops nothing, a time-out is called by people."""
        if t_s is None:
            return []
        left = self._state.seconds_left(t_s)
        if left is None or left >= 0:
            return []
        return [Problem("overtime", args=(("seconds", f"{-left:.1f}"),))]

    def _next_turn(self, after: GameState, t_s: float | None) -> GameState:
        """Hand the turn on, or end the game as the rules for an empty pool say."""
        seats = len(after.players)
        without = after.turns_without_pool + (self._state.pool == 0)
        taken = without if after.rules.pool_empty == "one-turn" else after.passes
        if taken >= seats:
            return replace(after, phase="ended", turn=None, turns_without_pool=without)
        turn = ((after.turn or 0) + 1) % seats
        return replace(after, turn=turn, turn_began_s=t_s, turns_without_pool=without, declared=None)

    # --- after a game, and at any time -------------------------------------------------------------------

    def _racks(self, event: Racks) -> tuple[GameState, Outcome]:
        self._need("ended")
        state = self._state
        racks = [parse_tiles(text) for text in event.racks]
        if len(racks) != len(state.players):
            raise RefusedEvent(Problem("wrong-number-of-racks", args=(("players", len(state.players)),)))
        notes = list(dict.fromkeys(chain.from_iterable(rack_remarks(state, racks))))
        if state.out is not None and not state.pool and not state.river:
            check = check_total(state.table, racks, state.rules.inventory)
            if check.outcome == "mismatch":
                notes.append(Problem(check.note.code, check.note.tiles, check.note.args))
        sheet = score_sheet(racks, state.rules, opened=state.opened, tie_winner=event.winner)
        scores = _sure_scores(sheet)
        if sheet.winner is None or scores is None:
            question = sheet.question or Question("racks-in-doubt")
            return state, Outcome(self._number, "ask", tuple(notes), (question,), sheet=sheet)
        result = GameResult(scores, sheet.winner)
        after = replace(state, phase="set-up", starter=None, results=(*state.results, result))
        return after, Outcome(self._number, "legal", tuple(notes), sheet=sheet)

    def _count(self, event: Count) -> tuple[GameState, Outcome]:
        self._need("playing" if self._state.phase != "ended" else "ended")
        state = self._state
        if event.what == "rack" and (event.seat is None or event.seat >= len(state.players)):
            raise RefusedEvent(Problem("whose-rack"))
        kept = {"pool": state.pool, "river": len(state.river)}.get(event.what, 0)
        kept = state.racks[event.seat] if event.what == "rack" and event.seat is not None else kept
        if kept == event.tiles:
            return state, self._fine()
        args = (("where", event.what), ("counted", event.tiles), ("kept", kept))
        differs = Problem("count-differs", args=args)
        if not event.agreed or event.what == "river":
            return state, Outcome(self._number, "illegal", (differs,))
        if event.what == "pool":
            return replace(state, pool=event.tiles), self._fine(differs)
        assert event.seat is not None
        racks = _changed(state.racks, event.seat, event.tiles)
        return replace(state, racks=racks, pool=max(0, state.pool + kept - event.tiles)), self._fine(differs)


def _changed(values: tuple[_T, ...], at: int, value: _T) -> tuple[_T, ...]:
    return (*values[:at], value, *values[at + 1 :])


def _sure_scores(sheet: ScoreSheet) -> tuple[int, ...] | None:
    """The scores as numbers; None where doubtful tiles leave one open."""
    scores = [line.score.least for line in sheet.lines if line.score is not None and line.score.is_sure]
    return tuple(scores) if len(scores) == len(sheet.lines) else None
