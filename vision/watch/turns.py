"""Where one turn ends and the next begins: from tables in time to judged turns.

States and what leads out of them::

    quiet    the table is as it was when the turn began
      -> changed   it is read in another state
      -> quiet     a draw or a pass: the button, a signal, or a back fewer in the pool; the next turn begins
    changed  tiles were laid or moved
      -> quiet     the turn ends (the button, or clear and still for long enough) and nothing is illegal
      -> foul      it ends illegal, or its time runs out
      -> quiet     the table is as before again: nothing has happened
    foul     an illegal table is being put back, by the same player
      -> quiet     it lies as before the turn, or legally: the next turn begins
      -> quiet     the players go on without putting it back: it counts as it lies, and is not judged again

Nothing here sees a picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from referee import Event, Problem, Question
from vision.watch.court import Court, Finding
from vision.watch.doubts import find, goes_on, same_table, trusted
from vision.watch.setup import WatchSetup
from vision.watch.sight import Sight, Suspect, turn_record
from vision.watch.turn_settings import TurnSettings
from vision.watch.types import (
    Action,
    Logged,
    LyingTable,
    Signal,
    TableSeen,
    TurnEnded,
    WatchEvent,
    WatchNotice,
)
from vision.watch.unseen import DrawKeeper

__all__ = ["TurnKeeper"]

State = Literal["quiet", "changed", "foul"]


class TurnKeeper:
    """Follows the turns of a game."""

    def __init__(self, setup: WatchSetup, settings: TurnSettings, events: Sequence[Event] = ()) -> None:
        """Begin a game, or go on with the one that ``events`` tell of."""
        self._setup, self._settings = setup, settings
        self.court = Court(setup, events)
        self.state: State = "quiet"
        self._resumed = bool(events)
        self._number = 0
        self._start_s = 0.0
        self._lies_so_since_s = 0.0
        self._before: Sight | None = None
        self._now: Sight | None = None
        self._finding: Finding | None = None
        self._foul: Sight | None = None
        self._seat_of_foul: int | None = None
        self._warned = False
        self._accepted: frozenset[int] = frozenset()
        """Tiles of sets that were asked about, or called illegal and left: not judged while they lie so."""
        self._suspect: Suspect | None = None
        self._button: Signal | None = None
        self._draws = DrawKeeper(setup.draws_told)
        self._unseen = 0
        """Draws that must have gone before the table that lies there, unseen."""
        self._ended_by_itself_s = -1e9
        self._moving = False
        self._still_since_s = 0.0

    @property
    def wants_more(self) -> bool:
        """True where another look should come before anything is said."""
        if self._now is None or self._before is None:
            return False
        if self.state == "quiet":
            open_yet = self._number == 0 or self._draws.one_went(self._now, or_seems_to=True)
            return self._now.looks < self._settings.looks and open_yet
        unsure = self._finding is not None and self._finding.verdict != "legal"
        enough = self._settings.looks_in_doubt if unsure else self._settings.looks
        return bool(self._now.looks < enough)

    # --- what comes in -----------------------------------------------------------------------------------

    def saw(self, sight: Sight) -> list[WatchEvent]:
        """Take in a reading of the table."""
        said: list[WatchEvent] = []
        if self._before is None:
            said += self._begin(sight)
        if self._now is None or not same_table(sight.lying, self._now.lying):
            self._lies_so_since_s = sight.still_since_s
        self._now = sight
        assert self._before is not None
        same = same_table(sight.lying, self._before.lying)
        if same and self.state != "foul":
            told = self._was_put_back(sight) if self.state == "changed" and sight.clear else []
            said += told
            if not told:
                self.state = "quiet"
                self._finding = None
                self._draws.nothing_changed(sight)
                if sight.clear:
                    # Nothing has changed: the newest reading of the same table is the best one.
                    self._before = sight
        else:
            if self.state == "quiet":
                self.state = "changed"
                self._draws.table_changed(sight)
            self._finding = self._find(self._before.lying, sight.lying)
            if self.state == "changed":
                self._finding = self._whose(sight, self._finding)
        said.append(self._seen(sight))
        return said

    def moves(self, now_s: float) -> None:
        """Something begins to move."""
        now = self._now
        self._moving = True
        if (
            self.state == "changed"
            and self._finding is not None
            and self._finding.verdict == "illegal"
            and now is not None
            and now.clear
            and now.still_since_s >= self._still_since_s - 1e-6
            and now_s - now.still_since_s >= self._settings.settle_s
            and (self._suspect is None or self._suspect.gives_way_to(now, self._finding))
        ):
            self._suspect = Suspect(now, len(self._finding.played), self._came_to_rest_s)

    def tick(self, now_s: float, still_since_s: float | None) -> list[WatchEvent]:
        """Time goes by; ``still_since_s`` is None while something moves."""
        self._moving = still_since_s is None
        self._still_since_s = still_since_s if still_since_s is not None else np.inf
        now, before = self._now, self._before
        if now is None or before is None:
            return []
        read = still_since_s is not None and now.still_since_s >= still_since_s - 1e-6
        if self._button is not None:
            waited = now_s - self._button.t_s
            if (read and now.clear and not self.wants_more) or waited >= self._settings.button_grace_s:
                return self._pressed(now)
            return []
        said = self._out_of_time(now_s, now, read)
        if said or not read or not now.clear or self.wants_more or not self._setup.automatic:
            return said
        assert still_since_s is not None
        return self._by_itself(now_s, now_s - still_since_s, now)

    def signal(self, signal: Signal) -> list[WatchEvent]:
        """Someone pressed a button."""
        if self._now is None or self._before is None:
            return []
        if signal.kind == "end-turn":
            doubled = signal.t_s - self._ended_by_itself_s < self._settings.button_after_s
            if doubled and self.state == "quiet":
                return []
        said: list[WatchEvent] = []
        if signal.kind != "end-turn" and self.state != "quiet":
            said += self._close_before(signal)
        self._button = signal
        return said + self.tick(signal.t_s, self._still_since_s if not self._moving else None)

    def finish(self, now_s: float) -> list[WatchEvent]:
        """No more pictures come: a button that waits counts, and a finished turn ends."""
        if self._now is None:
            return []
        if self._button is not None:
            return self._pressed(self._now)
        if self.state == "quiet" or not self._now.clear or not self._setup.automatic:
            return []
        if self.state == "foul" or (self._finding is not None and self._finding.verdict != "illegal"):
            return self._by_itself(now_s, self._settings.foul_settle_s, self._now)
        return []

    # --- how turns end -----------------------------------------------------------------------------------

    def _begin(self, sight: Sight) -> list[WatchEvent]:
        self._before = sight
        self._start_s = sight.lying.t_s if not self._resumed else sight.still_since_s
        self._draws.turn_begins(sight)
        self.court.open(sight.lying.table, self._start_s)
        return self._logged()[0]

    def _by_itself(self, now_s: float, waited_s: float, now: Sight) -> list[WatchEvent]:
        """End the turn where the table says so."""
        s = self._settings
        assert self._before is not None
        end_s = self._came_to_rest_s
        if self.state == "quiet":
            if waited_s >= s.settle_s and self._draws.one_went(now):
                return self._drew(now, now.still_since_s)
            return []
        if self.state == "foul":
            restored = same_table(now.lying, self._before.lying)
            verdict = self._finding.verdict if self._finding is not None else "illegal"
            if waited_s >= s.settle_s and (restored or verdict == "legal"):
                return self._put_back(now, end_s, restored=restored)
            if waited_s >= s.foul_settle_s and verdict == "ask":
                return self._put_back(now, end_s, restored=restored)
            if waited_s >= s.foul_settle_s and self._foul is not None and self._goes_on(now):
                said = self._play_on(self._foul, now)
                assert self._finding is not None
                return said + self._play(now, end_s, self._finding)
            return []
        assert self._finding is not None
        legal = self._finding.verdict == "legal"
        if legal and self._draws.one_went(now) and not self._draws.went_first:
            # Nobody draws and plays: the play was over, and the next player has drawn.
            said = self._play(now, min(end_s, now.still_since_s), self._finding)
            return said + self._drew(now, now.still_since_s)
        if waited_s >= (s.settle_s if legal else s.foul_settle_s):
            self._ended_by_itself_s = now_s
            return self._play(now, end_s, self._finding)
        return []

    def _drew(self, now: Sight, end_s: float, *, inferred: bool = False) -> list[WatchEvent]:
        seat = self.court.seat
        self.court.drew(end_s)
        return self._end("draw", end_s, now, Finding("legal"), seat, inferred=inferred)

    def _whose(self, sight: Sight, finding: Finding) -> Finding:
        """Say what is to be said where draws may have gone by unseen, and with them whose turn it is.

        A back that was gone before the table changed is the draw of the player before. Without that, hands
        that came for nothing may have drawn: then a table that is legal for a later player is that player's.
        """
        self._unseen = 0
        seat = self.court.seat
        if seat is None or not self._setup.automatic:
            return finding
        went = self._draws.went_first and self._draws.one_went(sight)
        least, most = (1, 1) if went else (0, self._draws.most_unseen)
        if least == 0 and finding.verdict == "legal":
            return finding
        players = len(self._setup.players)
        for unseen in range(max(least, 1), min(most, players - 1) + 1):
            other = self._find(self._baseline, sight.lying, seat=(seat + unseen) % players)
            if other.verdict == "legal" or unseen == least:
                self._unseen = unseen
                return other
        return finding

    def _pressed(self, now: Sight) -> list[WatchEvent]:
        """The button was pressed, and the table is as clear as it gets."""
        signal, self._button = self._button, None
        assert signal is not None
        assert self._before is not None
        end_s = signal.t_s
        said: list[WatchEvent] = []
        if self.state == "foul":
            restored = same_table(now.lying, self._before.lying)
            if restored or (self._finding is not None and self._finding.verdict != "illegal"):
                if signal.kind == "end-turn":
                    return self._put_back(now, end_s, restored=restored)
                said = self._put_back(now, min(self._came_to_rest_s, end_s), restored=restored)
            elif signal.kind == "end-turn" and not self._warned and not self._goes_on(now):
                self._warned = True
                return [
                    self._notice("not-put-back", "The table is not put back yet, and not legal as it lies.")
                ]
            elif signal.kind == "end-turn" and self._foul is not None:
                said = self._play_on(self._foul, now)
            else:
                said = self._play_on(now, now)
        return said + self._turn_pressed(signal, now, end_s)

    def _turn_pressed(self, signal: Signal, now: Sight, end_s: float) -> list[WatchEvent]:
        assert self._before is not None
        if self.state == "changed":
            drew = signal.kind == "draw"
            finding = self._find(self._before.lying, now.lying, drew=drew)
            return self._play(now, end_s, finding)
        drawn = signal.kind == "draw" or (signal.kind == "end-turn" and bool(self.court.state.pool))
        seat = self.court.seat
        inferred = signal.kind == "end-turn" and not self._draws.one_went(now)
        (self.court.drew if drawn else self.court.passed)(end_s)
        said = self._end("draw" if drawn else "pass", end_s, now, Finding("legal"), seat, inferred=inferred)
        self._draws.turn_begins(None)  # the drawn tile may still be on its way
        return said

    def _close_before(self, signal: Signal) -> list[WatchEvent]:
        """A draw or a pass is told while a turn before it has not ended by itself yet."""
        now = self._now
        assert now is not None
        assert self._before is not None
        if not self._setup.automatic:
            return []
        end_s = min(self._came_to_rest_s, signal.t_s)
        if self.state == "foul":
            restored = same_table(now.lying, self._before.lying)
            if restored or (self._finding is not None and self._finding.verdict == "legal"):
                return self._put_back(now, end_s, restored=restored)
            return []
        if self._finding is not None and self._finding.verdict != "illegal":
            return self._play(now, end_s, self._finding)
        return []

    @property
    def _came_to_rest_s(self) -> float:
        """When a turn that ends by itself ended: soon after its table first lay so, whatever moved since."""
        return self._lies_so_since_s + self._settings.settle_s / 2

    def _play(self, now: Sight, end_s: float, finding: Finding) -> list[WatchEvent]:
        said = self._unseen_draws()
        seat = self.court.seat
        if finding.verdict == "illegal":
            self.court.fouled(trusted(now.lying, self._baseline), end_s)
            said += self._end("play", end_s, now, finding, seat, foul=True)
            self._foul, self.state, self._warned = now, "foul", False
            return said
        self.court.played(trusted(now.lying, self._baseline), finding, end_s)
        if finding.verdict == "ask":
            # What was asked once is not held against those who come after.
            self._accepted |= self._laid(now)
        return said + self._end("play", end_s, now, finding, seat)

    def _unseen_draws(self) -> list[WatchEvent]:
        """Write down the draws that must have gone before the table that lies there."""
        unseen, self._unseen = self._unseen, 0
        visits_s, before, state = self._draws.visits_s, self._before, self.state
        assert before is not None
        said: list[WatchEvent] = []
        for at in range(unseen):
            end_s = visits_s[at] if at < len(visits_s) else self._start_s
            said += self._drew(before, end_s, inferred=True)
        self.state = state
        return said

    def _laid(self, now: Sight) -> frozenset[int]:
        """Tiles of all sets that did not lie so when the turn began."""
        old = {frozenset(one.keys) for one in self._baseline.sets}
        return frozenset(key for one in now.lying.sets if frozenset(one.keys) not in old for key in one.keys)

    def _put_back(self, now: Sight, end_s: float, *, restored: bool) -> list[WatchEvent]:
        """The faulty table has been put back, or made legal."""
        foul = self._foul
        assert foul is not None
        table = trusted(now.lying, self._baseline)
        finding = Finding("legal") if restored or self._finding is None else self._finding
        if self.court.seat == self._seat_of_foul:
            self.court.put_back(trusted(foul.lying, self._baseline), table, end_s, restored=restored)
        elif not restored:
            # After a time-out the log has moved on already, as if all had been put back.
            self.court.resynchronise(table, end_s)
        said = self._end("put-back", end_s, now, finding, self._seat_of_foul, shown_before=foul)
        self._foul, self._warned = None, False
        return said

    def _goes_on(self, now: Sight) -> bool:
        """True where the faulty table was left so, and the next player has made a turn."""
        if self._foul is None:
            return False
        return goes_on(self.court, self._baseline, self._foul.lying, now.lying, self._next_seat)

    @property
    def _next_seat(self) -> int:
        seat = self._seat_of_foul
        return ((seat if seat is not None else self.court.seat or 0) + 1) % len(self._setup.players)

    def _play_on(self, lies: Sight, now: Sight) -> list[WatchEvent]:
        """Nobody put the table back: it counts as it ``lies``, and the next player's turn is under way."""
        old = {frozenset(one.keys) for one in self._baseline.sets}
        left = {key for one in lies.lying.sets if frozenset(one.keys) not in old for key in one.keys}
        self._accepted |= left
        self.court.left_lying(
            trusted(lies.lying, self._baseline), self._start_s, self._seat_of_foul, self._next_seat
        )
        self._before, self._foul, self._warned, self._suspect = lies, None, False, None
        same = same_table(now.lying, lies.lying)
        self.state = "quiet" if same else "changed"
        self._finding = None if same else self._find(lies.lying, now.lying)
        said = self._logged()[0]
        message = "The table was not put back, and the game went on: it counts as it lies."
        return [*said, self._notice("played-on", message)]

    def _find(
        self, before: LyingTable, after: LyingTable, *, drew: bool = False, seat: int | None = None
    ) -> Finding:
        return find(self.court, before, after, drew=drew, accepted=self._accepted, seat=seat)

    def _was_put_back(self, now: Sight) -> list[WatchEvent]:
        """The table lies as before again: what lay there illegally for a while was a foul after all."""
        suspect, self._suspect = self._suspect, None
        if suspect is None:
            return []
        finding = self._find(self._baseline, suspect.sight.lying)
        if finding.verdict != "illegal":
            return []
        said = self._play(suspect.sight, suspect.end_s, finding)
        self._now = now
        return said

    def _out_of_time(self, now_s: float, now: Sight, read: bool) -> list[WatchEvent]:
        """Call the time, where the players agreed on one."""
        limit = self._setup.turn_seconds
        if limit is None or self.state == "foul" or now_s < self._start_s + limit:
            return []
        if not (read and now.clear) and now_s < self._start_s + limit + self._settings.time_out_grace_s:
            return []
        end_s = self._start_s + limit
        finding = Finding("legal") if self.state == "quiet" else self._find(self._baseline, now.lying)
        table = trusted(now.lying, self._baseline)
        seat = self.court.seat
        if finding.verdict == "illegal":
            self.court.timed_out(table, end_s)
            said = self._end("time-out", end_s, now, finding, seat, foul=True)
            self._foul, self.state = now, "foul"
            return said
        self.court.timed_out(table, end_s)
        return self._end("time-out", end_s, now, finding, seat)

    # --- bookkeeping -------------------------------------------------------------------------------------

    @property
    def _baseline(self) -> LyingTable:
        assert self._before is not None
        return self._before.lying

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
        shown_before: Sight | None = None,
    ) -> list[WatchEvent]:
        """Write down a turn, and begin the next one."""
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
        self._start_s = end_s
        self._suspect = None
        self._finding = None
        if not foul:
            self._before = now
            self.state = "quiet"
            self._draws.turn_begins(now, explained=int(action == "draw"))
        else:
            self._seat_of_foul = seat
        return [*logged, TurnEnded(record)]

    def _logged(self) -> tuple[list[WatchEvent], range]:
        fresh, numbers = self.court.take_fresh()
        return [Logged(event) for event in fresh], numbers

    def _seen(self, sight: Sight) -> TableSeen:
        finding = self._finding or Finding("legal")
        problems: tuple[Problem, ...] = finding.problems
        questions: tuple[Question, ...] = finding.questions
        return TableSeen(
            sight.lying, finding.verdict, problems, questions, finding.opening_points, sight.image_bgr
        )

    def _notice(self, code: str, message: str) -> WatchNotice:
        return WatchNotice(self._now.lying.t_s if self._now else 0.0, code, message)
