"""What keeping a match begins with: players, edition, draw for the start, deal, or a game under way."""

from __future__ import annotations

from dataclasses import replace

from referee.axes import AXES
from referee.editions import VARIANTS, edition
from referee.errors import RefereeError
from referee.events import Deal, DrawForStart, StartMatch, TakeOver
from referee.gamestate import GameState, Outcome, Phase
from referee.messages import Problem, Question
from referee.seen import parse_tiles
from referee.table import Table, parse_table

__all__ = ["Beginnings", "RefusedEvent"]


class RefusedEvent(RefereeError):
    """An event that does not count, with the faults that say why."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(", ".join(problem.code for problem in problems))
        self.problems = problems


class Beginnings:
    """Takes the events before a turn can be played."""

    def __init__(self, state: GameState, number: int) -> None:
        self._state = state
        self._number = number

    def _fine(self, *problems: Problem) -> Outcome:
        return Outcome(self._number, "legal", problems)

    def _need(self, phase: Phase) -> None:
        if self._state.phase != phase:
            raise RefusedEvent(Problem(f"not-{phase}"))

    def _need_turn(self, seat: int) -> None:
        self._need("playing")
        if seat != self._state.turn:
            raise RefusedEvent(Problem("not-your-turn", args=(("player", self._name(seat)),)))

    def _name(self, seat: int | None) -> str:
        players = self._state.players
        return players[seat] if seat is not None and seat < len(players) else f"seat {seat}"

    def _start(self, event: StartMatch) -> tuple[GameState, Outcome]:
        self._need("no-match")
        rules = edition(event.edition).rules
        if event.variant is not None:
            if event.variant not in VARIANTS:
                raise RefusedEvent(Problem("unusable-event", args=(("why", f"no variant {event.variant!r}"),)))
            rules = rules.with_house_rules(VARIANTS[event.variant])
        rules = rules.with_house_rules(dict(event.rules))
        if not 2 <= len(event.players) <= rules.players_max:
            raise RefusedEvent(Problem("wrong-number-of-players", args=(("most", rules.players_max),)))
        if len(event.players) * rules.rack_size > rules.inventory.total:
            raise RefusedEvent(Problem("box-too-small"))
        state = GameState("set-up", event.players, rules, event.games, event.to_points)
        agreed = dict(event.rules)
        questions = tuple(
            _set_up_question(axis) for axis in edition(event.edition).set_up if axis not in agreed
        )
        return state, Outcome(self._number, "ask" if questions else "legal", questions=questions)

    def _draw_for_start(self, event: DrawForStart) -> tuple[GameState, Outcome]:
        self._need("set-up")
        state = self._state
        due = state.drawing or tuple(range(len(state.players)))
        seats = due if event.seats is None else event.seats
        if sorted(seats) != sorted(due) or len(event.tiles) != len(seats):
            names = ", ".join(self._name(seat) for seat in due)
            raise RefusedEvent(Problem("wrong-draw-for-start", args=(("players", names),)))
        drawn = [parse_tiles(text) for text in event.tiles]
        if any(len(tiles) != 1 or not tiles[0].is_sure for tiles in drawn):
            raise RefusedEvent(Problem("wrong-draw-for-start", args=(("players", "everyone"),)))
        if any(tiles[0].tile.is_joker for tiles in drawn):
            # No sheet says what a joker counts here: those who drew it draw again, if the players agree.
            return state, Outcome(self._number, "ask", questions=(Question("joker-drawn-for-start"),))
        numbers = [tiles[0].tile.number or 0 for tiles in drawn]
        best = tuple(seat for seat, number in zip(seats, numbers, strict=True) if number == max(numbers))
        if len(best) > 1:
            return replace(state, drawing=best), self._fine()
        return replace(state, drawing=(), starter=best[0]), self._fine()

    def _deal(self, event: Deal) -> GameState:
        self._need("set-up")
        state = self._state
        if state.match_over:
            raise RefusedEvent(Problem("match-over"))
        starter = state.starter if event.starter is None else event.starter
        if starter is None or starter >= len(state.players):
            raise RefusedEvent(Problem("no-starter"))
        size = state.rules.rack_size
        return replace(
            state,
            phase="playing",
            starter=starter,
            drawing=(),
            turn=starter,
            turn_began_s=event.t_s,
            table=Table(),
            racks=(size,) * len(state.players),
            opened=(False,) * len(state.players),
            pool=state.rules.inventory.total - size * len(state.players),
            river=(),
            passes=0,
            turns_without_pool=0,
            out=None,
            declared=None,
        )

    def _take_over(self, event: TakeOver) -> GameState:
        """Begin in the middle of a game, whatever was kept of it."""
        state = self._state
        if state.phase == "no-match":
            raise RefusedEvent(Problem("not-set-up"))
        seats = len(state.players)
        held = event.tiles_held or (state.rules.rack_size,) * seats
        if event.seat >= seats or len(event.opened) != seats or len(held) != seats:
            raise RefusedEvent(Problem("wrong-number-of-racks", args=(("players", seats),)))
        table = parse_table(event.table)
        left = state.rules.inventory.total - sum(held) - sum(1 for _ in table.tiles()) - len(state.river)
        return replace(
            state,
            phase="playing",
            starter=event.seat if state.starter is None else state.starter,
            drawing=(),
            turn=event.seat,
            turn_began_s=event.t_s,
            table=table,
            racks=held,
            opened=event.opened,
            pool=max(left, 0) if event.pool is None else event.pool,
            passes=0,
            turns_without_pool=0,
            out=None,
            declared=None,
        )


def _set_up_question(axis: str) -> Question:
    """What to ask before the first game where the edition's sheet is unclear."""
    takes = AXES[axis]
    answers = tuple(str(word) for word in takes.values if word is not None)
    return Question("set-up?", answers=answers, args=(("axis", axis), ("meaning", takes.meaning)))
