"""What the rules say while a game is watched, and the log that is kept of it.

All judging is ``referee``'s. Here it is only asked: softly first, so that what was not seen surely becomes a
question and never an accusation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from referee import (
    Count,
    Deal,
    Draw,
    Event,
    GameState,
    Outcome,
    Pass,
    Play,
    Question,
    Table,
    TakeOver,
    TimeOut,
    judge_turn,
    replay,
)
from referee.keeper import Keeper
from vision.watch.finding import Finding
from vision.watch.reach import Reach
from vision.watch.seats import is_ones
from vision.watch.setup import WatchSetup

__all__ = ["Court"]


class Court:
    """Keeps the state of the match that is watched, and writes its log."""

    def __init__(self, setup: WatchSetup, events: Sequence[Event] = ()) -> None:
        """Begin a match, or go on with the one that ``events`` tell of."""
        self.setup = setup
        self.rules = setup.rules
        self._events: list[Event] = list(events)
        self._fresh: list[Event] = []
        self._opened: dict[int, bool | None] = {}
        self._laid_by: dict[int, list[Reach]] = {}
        """All hands that may have opened for a seat of which that is not known."""
        self._told_as: dict[int, Sequence[Reach]] = {}
        """Those whose opening was told as that seat's."""
        self.state: GameState = replay(self._events).state if events else GameState()
        self._rack_doubt: set[int] = set()
        """Seats whose racks may hold more tiles than are kept here."""
        self._pool_doubt = False
        """True where the pool may hold more tiles than are kept here."""
        self._next_if_not_over: int | None = None
        if events:
            self._opened = dict(enumerate(self.state.opened))

    # --- state -------------------------------------------------------------------------------------------

    @property
    def seat(self) -> int | None:
        """Whose turn it is, or would be if a game that is over in the log goes on all the same."""
        return self.state.turn if self.state.turn is not None else self._next_if_not_over

    @property
    def over(self) -> bool:
        """True where the game has ended; somebody may know better, and play on."""
        return self.state.phase == "ended"

    @property
    def someone_is_out(self) -> bool:
        """True where it has ended because a rack is empty."""
        return self.over and self.state.out is not None

    def take_fresh(self) -> tuple[list[Event], range]:
        """Return the events since the last call, and their numbers in the log."""
        fresh, self._fresh = self._fresh, []
        end = len(self._events)
        return fresh, range(end - len(fresh), end)

    def open(self, table: Table, t_s: float) -> None:
        """Begin: with a deal on an empty table, else by taking over what lies there."""
        if self.state.phase == "no-match":
            self._log(self.setup.start)
        if self.state.phase == "playing":
            if _sets(self.state.table) != _sets(table):
                self.resynchronise(table, t_s)
            return
        mid_game = any(table.sets) or self.setup.opened is not None or self.setup.rack_sizes is not None
        if not mid_game:
            self._opened = dict.fromkeys(range(len(self.setup.players)), False)
            self._log(Deal(0, t_s))
            return
        opened = self.setup.opened or (None,) * len(self.setup.players)
        self._opened = dict(enumerate(opened))
        sizes = self.setup.rack_sizes or (None,) * len(self.setup.players)
        held = tuple(self.rules.rack_size if size is None else size for size in sizes)
        self._rack_doubt = {at for at, size in enumerate(sizes) if size is None}
        self._log(TakeOver(str(table), 0, tuple(flag is not False for flag in opened), held, None, t_s))

    def resynchronise(self, table: Table, t_s: float, seat: int | None = None) -> None:
        """Take the table as it lies for what is so: nothing is judged by it."""
        turn = (self.seat if seat is None else seat) or 0
        opened = tuple(self._opened.get(at) is not False for at in range(len(self.setup.players)))
        held = tuple(max(size, 1) for size in self.state.racks) or None
        self._rack_doubt = set(range(len(self.setup.players)))
        self._log(TakeOver(str(table), turn, opened, held, self.state.pool, t_s))

    def went_unjudged(self, table: Table, t_s: float, seat: int | None, next_seat: int) -> None:
        """A turn is over that nobody judged: whether ``seat`` has opened by it is not known."""
        if seat is not None and not self._opened.get(seat):
            self._opened_is(seat, None)
        self.resynchronise(table, t_s, next_seat)

    def may_have_opened(self, seat: int, came: Sequence[Reach] | None = None) -> None:
        """A play that was told as another player's may have been this one's opening.

        ``came``: all hands that may have laid it; None where nobody knows.
        """
        if self._opened.get(seat) is False:
            self._opened[seat], self._laid_by[seat] = None, []
        if came is None:
            self._laid_by.pop(seat, None)
        elif seat in self._laid_by:
            self._laid_by[seat] += came

    def may_have_laid(self, seat: int) -> Sequence[Reach] | None:
        """Return all hands that may have opened for a seat of which that is not known, if it is known whose."""
        return self._laid_by.get(seat) if self._opened.get(seat) is None else None

    def told_as(self, seat: int) -> Sequence[Reach]:
        """Return the hands whose opening was told as this seat's, where it may be another's."""
        return self._told_as.get(seat, ()) if self._opened.get(seat) is None else ()

    def has_not_opened(self, seat: int) -> None:
        """None of the hands that may have opened for this seat were its own."""
        self._opened_is(seat, False)

    def _opened_is(self, seat: int, opened: bool | None) -> None:
        """Keep whether a seat has opened, whoever may have laid for it before."""
        self._opened[seat] = opened
        self._laid_by.pop(seat, None)
        self._told_as.pop(seat, None)

    def may_be_others(
        self, seat: int, had_opened: bool | None, others: Sequence[int], came: Sequence[Reach]
    ) -> None:
        """A play that was told as one player's came from hands, all that laid it, that were rather others'."""
        if others and not had_opened:
            self._opened_is(seat, None)
            self._told_as[seat] = tuple(filter(is_ones, came))
        for other in others:
            self.may_have_opened(other, came)

    def may_be_two(self, seat: int, finding: Finding, came: Sequence[Reach]) -> None:
        """A play that was told as one player's, and that hands laid who ``came``, may be two players' openings.

        So it is if it is worth as much.
        """
        if (finding.opening_points or 0) >= 2 * self.rules.opening_points:
            for other in range(len(self.setup.players)):
                if other != seat:
                    self.may_have_opened(other, came)

    def has_opened(self, seat: int | None) -> bool | None:
        """Return whether a player has opened; None where that is not known."""
        return None if seat is None else self._opened.get(seat)

    def took_back(
        self, table: Table, t_s: float, seat: int | None, had_opened: bool | None, following: int | None = None
    ) -> None:
        """The last play was taken back; whose turn it is stays, or it is the ``following`` seat's."""
        if seat is not None:
            self._opened[seat] = had_opened
            self._told_as.pop(seat, None)
        self.resynchronise(table, t_s, following)

    # --- judging -----------------------------------------------------------------------------------------

    def judge(
        self,
        before: Table,
        after: Table,
        *,
        drew: bool = False,
        seat: int | None = None,
        opened: bool | None = None,
    ) -> Finding:
        """Say what the rules say of a turn; both ways where it is not known who opened.

        ``seat`` and ``opened`` stand for what is kept here.
        """
        seat = self.seat if seat is None else seat
        if opened is None and seat is not None:
            opened = self._opened.get(seat)
        if opened is not None:
            return Finding.of(judge_turn(before, after, opened=opened, rules=self.rules, drew=drew))
        yes = Finding.of(judge_turn(before, after, opened=True, rules=self.rules, drew=drew))
        no = Finding.of(judge_turn(before, after, opened=False, rules=self.rules, drew=drew))
        if yes.verdict == no.verdict:
            return yes
        name = self.setup.players[seat] if seat is not None else "?"
        return yes.asking(Question("has-opened?", answers=("yes", "no"), args=(("player", name),)))

    # --- the log -----------------------------------------------------------------------------------------

    def played(self, after: Table, finding: Finding, t_s: float) -> None:
        """A turn has ended, legal or to be asked about: it counts until it is ruled otherwise."""
        seat = self._seat(t_s, self.state.table)
        own = len(finding.played)
        kept = self.state.racks[seat]
        if own > kept or (own == kept and seat in self._rack_doubt):
            # Tiles that nobody saw drawn: the rack was larger than kept.
            self._log(Count("rack", own + 1, seat, agreed=True))
        play = Play(seat, str(after), t_s=t_s)
        if self._said(play).verdict == "illegal":
            # Here it is a question or known better; the log must not accuse.
            play = replace(play, ruling="legal")
        self._log(play)
        if finding.played:
            self._opened[seat] = True

    def fouled(self, after: Table, t_s: float) -> None:
        """A turn has ended against the rules: it goes on until the table is put back."""
        play = Play(self._seat(t_s, self.state.table), str(after), t_s=t_s)
        if self._said(play).verdict != "illegal":
            play = replace(play, ruling="illegal")  # for what the log does not tell of: a tile drawn before
        self._log(play)

    def put_back(
        self,
        foul: Table,
        now: Table,
        t_s: float,
        *,
        restored: bool,
        penalty: int | None = None,
        drew: bool = False,
    ) -> None:
        """The table has been put back after a foul; the turn is over.

        ``penalty``: how many tiles were seen to be drawn for it; None where nobody could see that. ``drew``:
        the fault was to play after a draw, and with the play taken back the turn is that draw.
        """
        seat = self._seat(t_s, now)
        if not restored:
            finding = self.judge(self.state.table, now)
            self.played(now, finding, t_s)
            return
        if drew:
            self.drew(t_s)
            if penalty:
                self._log(Count("rack", self.state.racks[seat] + penalty, seat, agreed=True))
            return
        before = self.state.table
        lost = Counter(before.tiles()) - Counter(foul.tiles())
        held = self.state.racks[seat]
        self._log_time_out(TimeOut(seat, str(before if lost else foul), penalty=penalty, t_s=t_s))
        cost = self.state.racks[seat] - held
        # Some sheets are silent on what a foul costs, and where they are not, people settle it otherwise.
        if penalty is None and not cost:
            self._rack_doubt.add(seat)
        elif penalty is not None and cost != penalty:
            self._rack_doubt.add(seat)
            self._log(Count("rack", held + penalty, seat, agreed=True))
        if self.state.turn == seat or _sets(self.state.table) != _sets(before):
            self.resynchronise(before, t_s, (seat + 1) % len(self.setup.players))

    def may_hold_more(self, seat: int | None) -> None:
        """A player has drawn what the log does not tell of: a rack that seems empty may not be."""
        if seat is not None:
            self._rack_doubt.add(seat)

    def timed_out(self, now: Table, t_s: float) -> None:
        """A player's time has run out."""
        seat = self._seat(t_s, self.state.table)
        before = self.state.table
        outcome = self._log_time_out(TimeOut(seat, str(now), t_s=t_s))
        if outcome.verdict == "illegal" or self.state.turn == seat:
            self.resynchronise(before, t_s, (seat + 1) % len(self.setup.players))

    def drew(self, t_s: float) -> None:
        """A player has drawn."""
        seat = self._seat(t_s, self.state.table)
        if not self.state.pool:
            self._log(Count("pool", self.rules.draw, agreed=True))
        self._log(Draw(seat, t_s=t_s))
        if self._pool_doubt:
            self._pool_is_less_by_guess()

    def passed(self, t_s: float) -> None:
        """A player has passed."""
        seat = self._seat(t_s, self.state.table)
        self._log(Pass(seat, ruling="legal" if self.state.pool else None, t_s=t_s))

    def _log_time_out(self, event: TimeOut) -> Outcome:
        """Log a time-out; what it cost by the sheet is a guess where nobody saw it drawn."""
        pool = self.state.pool
        outcome = self._log(event)
        if event.penalty is None and self.state.pool < pool:
            self._pool_is_less_by_guess()
        return outcome

    def _pool_is_less_by_guess(self) -> None:
        """Keep one tile in a pool of which nobody saw how many were drawn: it must not end the game."""
        self._pool_doubt = True
        if not self.state.pool and self.state.phase == "playing":
            self._log(Count("pool", 1, agreed=True))

    def _seat(self, t_s: float, table: Table) -> int:
        """Whose turn it is; a game that was thought over goes on."""
        if self.state.turn is None:
            self.resynchronise(table, t_s)
        assert self.state.turn is not None
        return self.state.turn

    def _said(self, event: Event) -> Outcome:
        """What would be said of an event."""
        return Keeper(self.state, len(self._events)).take(event)[1]

    def _log(self, event: Event) -> Outcome:
        before = self.state.turn
        self.state, outcome = Keeper(self.state, len(self._events)).take(event)
        if not self.over:
            self._next_if_not_over = None
        elif before is not None:
            self._next_if_not_over = (before + 1) % len(self.setup.players)
        self._events.append(event)
        self._fresh.append(event)
        return outcome


def _sets(table: Table) -> Counter[tuple[str, ...]]:
    """The sets without their order, as what they read."""
    return Counter(tuple(sorted(str(seen) for seen in tiles)) for tiles in table.sets)
