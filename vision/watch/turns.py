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

from dataclasses import replace

import numpy as np

from referee import Problem, Question
from vision.watch.doubts import changed_places, same_in_view, same_table, trusted
from vision.watch.finding import Finding
from vision.watch.sight import Sight
from vision.watch.steady import steadied
from vision.watch.strays import strays, without_alone, without_strays
from vision.watch.turn_busy import TurnBusy
from vision.watch.types import (
    LyingTable,
    Signal,
    TableSeen,
    WatchEvent,
)

__all__ = ["TurnKeeper"]


_TO_THINK = 3.0
"""So many times as long sets may lie torn apart with nothing laid, before their player is taken to be done."""
_TO_LAY_MORE = 2.0
"""The same where tiles of a set lie, and more may come. If they are put back, it was a foul all the same."""


class TurnKeeper(TurnBusy):
    """Follows the turns of a game."""

    @property
    def wants_more(self) -> bool:
        """True where another look should come before anything is said."""
        if self._now is None or self._before is None:
            return False
        if self.state == "quiet":
            # Who told of a draw need not wait for the pool to show it: the looks after that tell.
            told = self._button is not None and self._button.kind == "draw"
            seems = self._draws.one_went(self._now, or_seems_to=True)
            went = seems or self._draws.awaits_drawn_tile(self._now)
            open_yet = self._number == 0 or self._now.lying.tiles_unsure or (went and not told)
            doubt = self._strayed or (seems and not self._draws.one_went(self._now))
            enough = self._settings.looks_in_doubt if doubt else self._settings.looks
            return self._now.looks < enough and (open_yet or self._strayed)
        unsure = self._finding is not None and self._finding.verdict != "legal"
        if self.hurried:
            seems_gone = self._now.lying.tiles_unsure
            unsure |= seems_gone or self._draws.seems_to_have_gone_first(self._now)
            return self._now.looks < (3 if seems_gone and self.state == "foul" else 2 if unsure else 1)
        enough = self._settings.looks_in_doubt if unsure else self._settings.looks
        return self._now.looks < enough or self._agreed < self._settings.looks

    @property
    def hurried(self) -> bool:
        """True where someone pressed the button and waits: fewer looks, each at once after the other."""
        return self._button is not None

    @property
    def pressed_s(self) -> float | None:
        """When the button was pressed that still waits; None where none does."""
        return self._button.t_s if self._button is not None else None

    @property
    def is_legal(self) -> bool:
        """True where the table has changed and lies legally, as far as it is seen."""
        now = self._now
        return self.state != "quiet" and now is not None and self._put_right(now)[1] == "legal"

    # --- what comes in -----------------------------------------------------------------------------------

    def saw(self, sight: Sight) -> list[WatchEvent]:
        """Take in a reading of the table."""
        said: list[WatchEvent] = []
        shown, moved, seemed_gone = sight, False, False
        if self._before is None:
            self._aside = self._aside or strays(sight.lying, LyingTable(sight.lying.t_s))
        else:
            self._joins(sight)
        self._aside |= self._never_laid(sight.lying)
        self._looked = True
        self._never_in_view -= sight.lying.in_view
        sight = replace(sight, lying=without_alone(sight.lying, self._aside))
        if self._before is None:
            said += self._begin(sight)
        else:
            shown = replace(sight, lying=steadied(self._before.lying, sight.lying))
            sight = replace(sight, lying=without_strays(shown.lying, self._before.lying))
            self._strays = shown.lying.keys - sight.lying.keys
            self._strayed = not self._strays <= self._old_strays
            sight = self._without_left_over(sight)
            if self._now is not None and (places := changed_places(self._now.lying, sight.lying)):
                moved = True
                seemed_gone = self._seemed_gone(self._now, sight) and self._actors.changed_earlier(places)
                if not seemed_gone:
                    self._actors.changed_at(places, more_move=self._moving)
            said += self._found_gone(sight)
            said += self._went_unseen(sight)
            said += self._without_ghosts(sight)
            self._unread_went(sight)
            said += self._drew_by_now(sight)
            said += self._over_by_now(sight)
            said += self._left_low(sight)
            said += self._let_stand(sight)
        if self._now is not None and sight.lying.taken > self._now.lying.taken:
            self._fined_s = sight.still_since_s
        anew = self._now is None or not same_table(sight.lying, self._now.lying)
        # Whose turn it is was still busy, where the table lies so already.
        touched = self._touched and not anew
        busy = touched and (moved or self._may_be_busy(sight)) and self._actors.still_acts(self._acting)
        perhaps = self.state == "changed" and not moved
        again = touched and not (moved or busy) and self._came_back_soon
        lain = sight
        if seemed_gone and self._now is not None:
            lain = replace(sight, still_since_s=self._now.still_since_s)
        self._rest.saw(lain, anew=anew, busy=busy, perhaps=perhaps, again=again)
        if anew or touched:
            self._alone_since_s = sight.still_since_s
        first = self._lay_at_first
        if anew or first is None or sight.still_since_s <= first.still_since_s + 1e-6:
            self._lay_at_first = sight
        self._agreed = 1 if anew else self._agreed + 1
        alike = self._now is not None and same_in_view(self._now.lying, sight.lying)
        self._alike = self._alike + 1 if alike else 1
        self._lay_clear = sight.clear or (self._lay_clear and not anew)
        self._now = sight
        assert self._before is not None
        same = same_table(sight.lying, self._before.lying)
        self._actors.looked(changed=not same, anew=anew)
        if same and self.state != "foul":
            told = self._was_put_back(sight) if self.state == "changed" else []
            said += told
            if not told:
                self.state = "quiet"
                self._finding = self._mends = self._instead = None
                self._unseen = 0  # whoever it was laid a try, and has taken it back
                self._draws.nothing_changed(sight)
                if sight.clear:
                    # Nothing has changed: the newest reading of the same table is the best one.
                    self._before = sight
                    said += self._was_faulty(sight)
        else:
            if self.state == "quiet":
                self.state = "changed"
                self._draws.table_changed(sight)
            self._finding = self._find(self._before.lying, sight.lying)
            if self.state == "changed":
                self._draws.lies_changed(sight, same_hands=self._actors.same_hands_changed_it_last)
                self._finding = self._whose(sight, self._finding)
                self._pays_meanwhile(sight)
        said.append(self._seen(shown))
        return said

    def moves(self, now_s: float) -> None:
        """Something begins to move."""
        self._moving, self._told_unpressed = True, False
        self._ripens(now_s)
        self._suspects(now_s)

    def tick(self, now_s: float, still_since_s: float | None) -> list[WatchEvent]:
        """Time goes by; ``still_since_s`` is None while something moves."""
        self._clock_s = now_s
        self._moving = still_since_s is None
        self._still_since_s = still_since_s if still_since_s is not None else np.inf
        now, before = self._now, self._before
        if now is None or before is None:
            return []
        read = still_since_s is not None and now.still_since_s >= still_since_s - 1e-6
        if self._button is not None:
            waited = now_s - self._button.t_s
            settled = read and now.clear and not self.wants_more
            if settled or (read and self._told_at_rest(now)) or waited >= self._grace_s:
                return self._pressed(now)
            return []
        said = self._out_of_time(now_s, now, read)
        if said or not read or self.wants_more or not (self._setup.automatic or self._is_seen_untold(now)):
            return said
        assert still_since_s is not None
        waited_s = now_s - still_since_s
        if not now.clear and self.state != "quiet":
            # What lies over the table elsewhere, a mug at the rim, hides no fault that was seen to go.
            long = self.state == "foul" and waited_s >= self._settings.foul_settle_s
            if long and self._put_right(now)[0]:
                said += self._put_back(now, self._came_to_rest_s, restored=True)
            return said
        said = self._by_itself(now_s, waited_s, now)
        self._told_unpressed |= bool(said) and self._setup.only_plays_told
        return said

    def _is_seen_untold(self, now: Sight) -> bool:
        """True where only ends of plays are told, and what may end is no play: a draw, or a putting-back."""
        if not self._setup.only_plays_told:
            return False
        return self.state == "quiet" or (self.state == "foul" and self._put_right(now)[0])

    def signal(self, signal: Signal) -> list[WatchEvent]:
        """Someone pressed a button."""
        if self._now is None or self._before is None:
            return []
        if signal.kind == "end-turn":
            doubled = signal.t_s - self._ended_by_itself_s < self._settings.button_after_s
            # Nobody has moved since a draw, or a putting-back, was told by what was seen: it is that one's end.
            if (doubled or self._told_unpressed) and self.state == "quiet":
                return []
        said: list[WatchEvent] = []
        self._start_s = min(self._start_s, signal.t_s)  # pressed before anything was in view
        again = self._button is not None and signal.kind == self._button.kind  # because nothing was said yet
        if not again:
            if self._button is not None:
                said += self._pressed(self._now)  # the turn before waits for hands to go, and play goes on
            if signal.kind != "end-turn" and self.state != "quiet":
                said += self._close_before(signal)
            self._button = signal
        return said + self.tick(signal.t_s, self._still_since_s if not self._moving else None)

    def _told_at_rest(self, now: Sight) -> bool:
        """True where a draw or a pass was told, and all lies as before, whoever rests a hand beside it."""
        told = self._button is not None and self._button.kind != "end-turn"
        return told and self.state == "quiet" and not (now.clear or self._strayed or now.lying.hidden)

    @property
    def _grace_s(self) -> float:
        """How long hands may hide the table after the button: longer where what they hide may make it legal."""
        s, now = self._settings, self._now
        if self._button is None or self._button.kind != "end-turn" or now is None:
            return s.button_grace_s
        if now.clear and (self._moving or not self.wants_more):  # else the next look comes at once
            return s.button_grace_s
        if self._goes_back_after_press(now):
            return 2 * s.covered_grace_s  # whoever takes it back has shown what it was, once it lies clear
        return s.button_grace_s if self.is_legal else s.covered_grace_s

    def finish(self, now_s: float) -> list[WatchEvent]:
        """No more pictures come: a button that waits counts, and a finished turn ends."""
        if self._now is None:
            return []
        if self._button is not None:
            return self._pressed(self._now)
        if not self._now.clear or not (self._setup.automatic or self._setup.only_plays_told):
            return []
        if self.state == "quiet":
            return self._drew_so_far(self._now) or self._drew_unseen()
        if not self._setup.automatic:
            return []
        if self.state == "foul" or (self._finding is not None and self._finding.verdict != "illegal"):
            return self._by_itself(now_s, self._settings.foul_settle_s, self._now)
        return []

    # --- how turns end -----------------------------------------------------------------------------------

    def _by_itself(self, now_s: float, waited_s: float, now: Sight) -> list[WatchEvent]:
        """End the turn where the table says so."""
        s = self._settings
        assert self._before is not None
        end_s = self._came_to_rest_s
        if self.state == "quiet":
            return self._drew_so_far(now) if waited_s >= self._pause_s else []
        if self.state == "foul":
            restored, verdict = self._put_right(now)
            pays = not restored and self._has_cost(now)
            if waited_s >= (self._pay_s if pays else self._pause_s) and verdict == "legal":
                return self._put_back(now, end_s, restored=restored)
            if waited_s >= s.foul_settle_s and verdict == "ask":
                return self._put_back(now, end_s, restored=restored)
            if waited_s >= s.foul_settle_s:
                if lies := self._left_faulty(now):
                    said = self._play_on(lies, now)
                    assert self._finding is not None
                    return said + self._play(now, end_s, self._finding)
                if self._passed_over(now):
                    return self._go_on_beside(now)
                if self._still_faulty is None or not same_table(now.lying, self._still_faulty.lying):
                    self._still_faulty = now
            return self._drew_over_it(now) if waited_s >= s.settle_s else []
        assert self._finding is not None
        legal = self._finding.verdict == "legal"
        alone = self._actors.only_came(self._acting) or self._only_own_came
        alone = alone and now.still_since_s <= self._rest.since_s + 1e-6
        drawn = self._draws.one_went(now) and not self._draws.went_first and not self._pays_for_suspect(now)
        if legal and not alone and drawn:
            # Nobody draws and plays: the play was over, and the next player has drawn.
            said = self._play(now, min(end_s, now.still_since_s), self._finding)
            return said + self._drew(now, now.still_since_s)
        settle_s = self._pause_s
        since_s = self._rest.since_s
        fault = self._suspect if legal and self._pays_for_suspect(now) else None
        pays = fault is not None and self._draws.some_went_between(fault.sight, now)
        moved_s = self._actors.others_were_there_s(self._acting, since_s) if legal and not pays else None
        if moved_s is not None:
            waited_s = max(waited_s, now_s - since_s - moved_s)  # whoever that was has left it as it was
        if pays:
            settle_s = self._pay_s
        elif not legal:
            settle_s = s.settle_s if self._takes_any_back(now) else s.foul_settle_s
            if self._finding.is_half_done:
                settle_s *= _TO_THINK
            elif self._finding.is_begun or self._finding.is_low_opening:
                settle_s *= _TO_LAY_MORE
        if waited_s >= settle_s:
            self._ended_by_itself_s = now_s
            return self._play(now, end_s, self._finding)
        return []

    @property
    def _pay_s(self) -> float:
        """How long a legal table lies after a fault that was paid for: who pays takes all back."""
        return self._settings.foul_settle_s * _TO_LAY_MORE

    def _out_of_time(self, now_s: float, now: Sight, read: bool) -> list[WatchEvent]:
        """Call the time, where the players agreed on one."""
        limit = self._setup.turn_seconds
        if limit is None or self.state == "foul" or self.court.over or now_s < self._start_s + limit:
            return []
        settled = read and now.clear and not (self._strayed and self.wants_more)
        if not settled and now_s < self._start_s + limit + self._settings.time_out_grace_s:
            return []
        end_s = self._start_s + limit
        finding = Finding("legal") if self.state == "quiet" else self._find(self._baseline, now.lying)
        if not now.clear:
            finding = finding.unclear
        table = trusted(now.lying, self._baseline)
        seat = self.court.seat
        self.court.timed_out(table, end_s)
        if finding.verdict != "illegal":
            return self._end("time-out", end_s, now, finding, seat)
        said = self._end("time-out", end_s, now, finding, seat, foul=True)
        self._foul_lies(now)
        return said

    def _seen(self, sight: Sight) -> TableSeen:
        finding = self._finding or Finding("legal")
        problems: tuple[Problem, ...] = finding.problems
        questions: tuple[Question, ...] = finding.questions
        return TableSeen(
            sight.lying, finding.verdict, problems, questions, finding.opening_points, sight.image_bgr
        )
