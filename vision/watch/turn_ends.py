"""The end of a turn written down, and the state from which the next one begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vision.watch.doubts import same_table
from vision.watch.finding import Finding
from vision.watch.reach import Reach
from vision.watch.sight import Sight, turn_record
from vision.watch.turn_past import TurnPast
from vision.watch.types import Action, Logged, LyingTable, TurnEnded, WatchEvent, WatchNotice

__all__ = ["TurnEnds"]

_STANDS_OVER = 2
"""After so many draws nobody takes a play back any more."""


class TurnEnds(TurnPast):
    """Writes turns down; *what* a turn was is its heir's to say."""

    def _end(
        self,
        action: Action,
        end_s: float,
        now: Sight,
        finding: Finding,
        seat: int | None,
        *,
        inferred: bool = False,
        foul: bool = False,
        stands: bool = True,
        shown_before: Sight | None = None,
    ) -> list[WatchEvent]:
        """Write down a turn, and begin the next one; a play that does not stand is being taken back."""
        before = shown_before or self._before
        assert before is not None
        logged, numbers = self._logged()
        self._number += 1
        end_s = max(end_s, self._start_s)
        record = turn_record(
            self._number,
            seat,
            (self._start_s, end_s),
            action,
            (before, now),
            finding,
            numbers,
            inferred=inferred,
        )
        self._ended_sooner = self._may_have_ended_sooner(now, seat) if action == "play" and not foul else []
        self._stops = []
        visits = tuple(self._actors.visits)
        self._laid_alone = self._actors.were_alone
        if finding.played and stands and not foul:
            self._actors.places.laid(self._actors.changes)
        if not foul and action in ("play", "draw", "pass"):
            self._doubtful = [play for play in self._doubtful if play.seat != seat]
        if not inferred:
            told = self._draws.would_tell
            certain = (told or self._is_in_order(seat)) and not self._overruled
            # A draw from a pool out of view may show no hand: those that came may have been for the crisps.
            certain = certain and (bool(self._actors.changes) or self._draws.pool_in_view)
            if certain and not told and action == "play":
                self._draws.order_is_known()
            self._actors.turn_over(seat, (self._start_s, end_s), certain=certain)
            self._overruled = False
        if action == "put-back":  # whoever put it back may press the button for it, too, or has pressed it
            self._ended_by_itself_s = self._clock_s
            if self._button is not None and self._button.kind == "end-turn":
                self._button = None
        self._start_s = end_s
        self._old_strays = self._strays
        self._seat_that_put_back = seat if action == "put-back" else None
        self._last_turn = seat, action
        if action in ("play", "put-back"):
            # One that is put back was a fault; one that stands was none, and the pool seemed to lose a tile.
            self._drew_in_vain += self._asked_whether_last_drew and action == "play"
            self._asked_whether_last_drew = any(q.code == "drew-first?" for q in finding.questions)
        self._suspect = self._torn = self._hasty = self._ripe = self._beneath = None
        self._finding = self._instead = None
        self._mends = None
        stood = self._stood or self._last_play
        if action != "draw" or stood is None or (stood.draws == _STANDS_OVER and not stood.asked):
            self._stood = self._last_play = None
        else:
            stood = replace(stood, drew=(*stood.drew, *visits), draws=stood.draws + 1)
            # Who was asked about a play may take it back, even over a draw.
            self._stood, self._last_play = (None, stood) if stood.asked else (stood, None)
        if not foul:
            self._laid_so_far = frozenset()
            self._before, self._still_at_end_s = now, now.still_since_s
            if not inferred:
                self._never_in_view = now.lying.hidden
            asked = [tile for question in finding.questions for tile in question.tiles]
            self._hidden_asked = any(tile.hidden for tile in asked)
            self.state = "quiet"
            drew, fined = action == "draw", action == "put-back"
            self._draws.turn_begins(now, explained=int(drew), fined=fined, unshown=drew and inferred)
        else:
            self._seat_of_foul = seat
        return [*logged, TurnEnded(record)]

    def _may_have_ended_sooner(self, now: Sight, seat: int | None) -> list[tuple[LyingTable, Sequence[Reach]]]:
        """Return with which tables the turn may have ended, as far as hands tell, and those that came since.

        The next player, who may have opened so, is not said to have not.
        """
        if seat is None:
            return []
        changes = self._actors.changes
        sooner: list[tuple[LyingTable, Sequence[Reach]]] = []
        for lying, came in self._stops:
            if not same_table(lying, now.lying) and self._actors.may_not_be(seat, changes[came:]):
                sooner.append((lying, changes[came:]))
        following = self._after(seat)
        for lying, since in sooner:
            if self._find(lying, now.lying, seat=following).verdict == "legal":
                self.court.may_have_opened(following, since)
        return sooner

    def _is_in_order(self, seat: int | None) -> bool:
        """True where it is known whose turn it was though no pool tells of draws: by hands, or as none came."""
        if seat is None:
            return False
        return self._actors.seat == seat or not (self._draws.unexplained or self._actors.came_in_turn(seat))

    def _logged(self) -> tuple[list[WatchEvent], range]:
        fresh, numbers = self.court.take_fresh()
        return [Logged(event) for event in fresh], numbers

    def _notice(self, code: str, message: str) -> WatchNotice:
        return WatchNotice(self._now.lying.t_s if self._now else 0.0, code, message)
