"""Where a turn ends because of the hands that come: the next player's, or those that leave a draw behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee import Question
from vision.watch.doubts import goes_on, same_table, went_from
from vision.watch.reach import Reach
from vision.watch.rest import BETWEEN_S
from vision.watch.seats import LEAST_FRAMES, RATHER, SURE
from vision.watch.sight import Ripe, Sight
from vision.watch.turn_whose import TurnWhose
from vision.watch.types import WatchEvent
from vision.watch.unseen import MOST_FINED

__all__ = ["DONE_S", "TurnHands"]

DONE_S = 2.0
"""Whoever leaves a legal table clear for so long is done: a hand that rests over it after that ends nothing."""

_RIPE_S = 0.4
"""For so long a legal table has to lie still, if the next player's hands are to end the turn."""
_TAKEN_BACK_S = 1.2
"""The same where a play that passed is taken back: whoever lifts tiles for a moment lays them again."""
_UNSEEN_BACK_S = 1.0
"""And where nobody saw whose hands took back what was asked about."""
_LAY_LONG_S = 8.0
"""Where a legal table lay for so long, hands that change it are its player's only if that is sure."""
_CROSSING_FRAMES = 3
"""Frames in which hands have to cross the rim before it counts whose they are."""


class TurnHands(TurnWhose):
    """Follows who reaches in."""

    def _ripens(self, now_s: float) -> None:
        """Hands come again: a legal table that lay clear and still for a moment may be the turn's last.

        One that has to be asked about lies longer.
        """
        now = self._now
        if now is None or self._before is None or self.state == "quiet":
            return
        waited_s = now_s - now.still_since_s
        read = now.still_since_s >= self._still_since_s - 1e-6
        verdict = self._finding.verdict if self._finding is not None else None
        restored = self.state == "foul" and same_table(now.lying, self._before.lying)
        if not now.clear:
            done = restored or (self.state == "changed" and self._is_as_it_may_be)
            if done and read and waited_s >= _RIPE_S:
                self._beneath = Ripe(now, self._came_to_rest_s, now.still_since_s, waited_s)
            return
        done = self._is_as_it_may_be or self._may_be_asked(waited_s)
        done |= verdict == "illegal" and self._surely_takes_back(now)
        passed = verdict == "illegal" and not (self._last_play is not None and self._last_play.asked)
        unseen = verdict == "illegal" and not self._actors.directed
        least_s = _TAKEN_BACK_S if passed else _UNSEEN_BACK_S if unseen else _RIPE_S
        lay_so = waited_s >= least_s or (not (passed or unseen) and self._agreed >= self._settings.looks)
        if read and (done or restored) and lay_so:
            ripe = self._ripe
            unchanged = ripe is not None and same_table(ripe.sight.lying, now.lying)
            since_s = ripe.since_s if ripe is not None and unchanged else now.still_since_s
            self._ripe = Ripe(now, self._came_to_rest_s, since_s, now_s - since_s)
            if self.state == "changed" and verdict == "legal" and not unchanged:
                self._stops.append((now.lying, len(self._actors.changes)))

    def _may_be_asked(self, waited_s: float) -> bool:
        """True where the table has to be asked about, and lay so for the looks that this takes.

        Nearly all of them do, where it is the tiles that could not be read.
        """
        finding = self._finding
        if finding is None or finding.verdict != "ask":
            return False
        looked = not finding.may_be_foul and self._agreed >= self._settings.looks_in_doubt - 1
        return looked or waited_s >= self._settings.settle_s

    @property
    def _is_as_it_may_be(self) -> bool:
        """True where the table is legal, whoever has opened: another look would not tell that."""
        finding = self._finding
        return finding is not None and (finding.verdict == "legal" or finding.asks_only("has-opened?"))

    def reaching(self, reach: Reach) -> list[WatchEvent]:
        """Hands are on their way in: those of the next player end the turn that is ripe."""
        ripe = self._ripe or self._beneath
        if not self._ends_by_itself or reach.frames < _CROSSING_FRAMES or self._one_seems_gone:
            return []
        acting = self._seat_at(ripe.sight) if ripe is not None else self._acting
        following = self._after(acting)
        puts_back = self.state == "foul"
        if self._comes_to_pay(reach):
            return []  # what they take tells
        if self._now is not None and not self._now.clear and self._actors.was_at_rest(reach):
            return []  # the arm that lies there moves on
        if ripe is not None and self._actors.is_anothers(reach, acting, following, puts_back=puts_back):
            changed = self._now is not None and not same_table(self._now.lying, ripe.sight.lying)
            return [] if changed and self._went_on_since(ripe, acting) else self._end_before_now(ripe)
        # Where two people's hands were there at once, one of them may go on.
        unseen = not (self._looked or self._actors.two_came)
        if unseen and self._actors.comes_next(reach, acting, following):
            self.next_comes_s, self._next_after_s = reach.begin_s, self._start_s
            self._next_was_there = self._actors.goes_on(reach)
        return []

    @property
    def _one_seems_gone(self) -> bool:
        """True where a tile was not found where the ground shows, and the next look will tell."""
        now = self._now
        if now is None or not now.clear or now.looks >= self._settings.looks_in_doubt:
            return False
        return bool(now.lying.seem_gone & now.lying.keys)

    def _seemed_gone(self, before: Sight, now: Sight) -> bool:
        """True where all that lies otherwise are tiles that seemed to be gone ``before``, in a clear look."""
        gone = before.lying.keys - now.lying.keys
        same = not now.lying.keys - before.lying.keys
        return before.clear and same and bool(gone) and gone <= before.lying.seem_gone

    def _went_on_since(self, ripe: Ripe, acting: int) -> bool:
        """True where the table is not legal any more, and those who did that were rather whose turn it was."""
        return not self._is_as_it_may_be and self._actors.changed_it_since(acting, ripe.since_s)

    def left_to_next(self, begin_s: float) -> list[WatchEvent]:
        """The next player's hands came at ``begin_s``, and the table was read as they came: it was left so."""
        now, self.next_comes_s = self._now, None
        if now is None or now.still_since_s < begin_s or not self._ends_by_itself or self.state == "quiet":
            return []
        if self._next_was_there or self._start_s != self._next_after_s:
            return []  # nobody else was there since, or since a draw that is told only now: it is their own
        restored = self.state == "foul" and self._put_right(now)[0]
        legal = self.state == "changed" and self._finding is not None and self._finding.verdict == "legal"
        if not (legal or restored):
            return []
        ripe, end_s = self._ripe, begin_s
        if ripe is not None and same_table(ripe.sight.lying, now.lying):
            if ripe.waited_s >= DONE_S:
                end_s = ripe.end_s
            elif begin_s - ripe.end_s <= BETWEEN_S:  # whoever came between may have been at it still, or not
                end_s = (ripe.end_s + begin_s) / 2
        return self._end_ripe(Ripe(now, end_s, begin_s, 0.0))

    def _over_by_now(self, sight: Sight) -> list[WatchEvent]:
        """The table has changed: one that was legal for long enough was the last, if others came since.

        So it was where a back is gone since: nobody draws after a turn.
        """
        beneath, self._beneath = self._beneath, None
        if self._ripe is None and beneath is not None and not beneath.sight.lying.hidden:
            self._ripe = beneath  # a hand rested beside all that lies there
        ripe = self._ripe
        if ripe is None or not self._ends_by_itself:
            return []
        if same_table(sight.lying, ripe.sight.lying):
            if not self._draws.one_went_since(ripe.sight, sight):
                return []
            fault = self.state == "foul" or self._takes_any_back(sight) or self._pays_for_suspect(sight)
            if fault and not self._others_drew(ripe.sight):
                return []  # what the fault costs
            asked = self._finding is not None and self._finding.verdict == "ask"
            if asked and self._actors.still_acts(self._acting):
                return []  # what it costs, if it was a fault: whether it is put back tells
            said = self._end_ripe(ripe)
            return said + self._drew(sight, sight.still_since_s) if self.state == "quiet" else said
        if not sight.clear and went_from(ripe.sight.lying, sight.lying):
            return []  # a hand of the table's colour rests over what seems to be gone
        lay_s = ripe.waited_s
        if self._now is not None and same_table(self._now.lying, ripe.sight.lying):
            # Whoever came before this look has left it as it was.
            lay_s = max(lay_s, self._now.lying.t_s - ripe.since_s)
        if (first_s := self._actors.first_hand_s) is not None:
            lay_s = max(lay_s, first_s - ripe.since_s)  # a knock of the camera lays nothing
        acting = self._seat_at(ripe.sight)
        if self._actors.two_came and lay_s >= self._settings.settle_s:
            if not self._actors.none_was(acting):
                return []  # whose hands changed it, those that come next tell
            self._ripe = None
            return self._end_ripe(ripe)
        self._ripe = None
        # Whoever has put a fault back has no turn any more, unless it is surely they who lay another set: so it
        # is where they do that without a pause.
        is_put_back = self.state == "foul" and same_table(ripe.sight.lying, self._baseline)
        mends_on = self._mends is not None and sight.lying.keys <= ripe.sight.lying.keys
        is_put_back |= acting != self._acting and not mends_on
        lay_long = lay_s >= _LAY_LONG_S and self._actors.places.well_known
        if self._actors.still_acts(acting, SURE if is_put_back or lay_long else RATHER):
            if lay_s >= self._settings.settle_s and self._actors.came_from_nowhere:
                self._ripe = ripe  # those that come next tell
            return []
        if not is_put_back and self._went_on_since(ripe, acting):
            return []  # before those who came last, who have left it so
        following = self._after(acting)
        if is_put_back and self._actors.went_straight_on(following) and self._actors.still_acts(acting):
            return []
        if lay_s < self._settings.settle_s and not (is_put_back or self._next_laid(ripe, sight)):
            return []
        return self._end_ripe(ripe)

    def _others_drew(self, right: Sight) -> bool:
        """True where others drew since a fault was put ``right``: surely they, if it has cost nothing yet."""
        if self._is_unpaid(right) and self._may_pay(self._actors.since_look):
            return False
        return self._actors.others_came(self._seat_at(right), surely=not self._has_cost(right))

    def _next_laid(self, ripe: Ripe, sight: Sight) -> bool:
        """True where hands that are hardly the acting seat's have laid what is legal for the next player."""
        if self.state != "changed" or not self._actors.hardly_acts(self._acting):
            return False
        following = self._after(self._acting)
        return goes_on(self.court, self._baseline, ripe.sight.lying, sight.lying, following)

    def _drew_by_now(self, sight: Sight) -> list[WatchEvent]:
        """Others came since a back was seen to go, or to take it: that draw is over by now."""
        now = self._now
        if self.state != "quiet" or now is None or not self._ends_by_itself:
            return []
        moved = sight.still_since_s > now.still_since_s + 1e-6
        if now.lying.pool_unsure or not moved or self._is_fined(sight):
            return []
        ends_s = self._draw_ends_s(now)
        others = self._actors.others_came(self._acting) or self._drawn_before(ends_s, now) > 0
        if others or self._draws_again(now, sight):
            return self._drew_so_far(now, but_last=self._plays_after_drawing(now, sight))
        if self._all_drew(ends_s):
            return self._drew_so_far(now)
        own = not same_table(now.lying, sight.lying) and self._actors.still_acts(self._acting)
        if own or self._seat_that_put_back is not None or len(ends_s) < 2:
            return []
        return self._drew_so_far(now, but_last=True)  # nobody draws twice

    def _all_drew(self, ends_s: Sequence[float]) -> bool:
        """True where the last of several draws surely was its player's, and the one after has come since."""
        following = (self._acting + len(ends_s)) % len(self._setup.players)
        last = (following - 1) % len(self._setup.players)
        return (
            len(ends_s) > 1
            and self._actors.took_it(last, ends_s[-1])
            and self._actors.still_acts(following, SURE)
        )

    def _plays_after_drawing(self, now: Sight, sight: Sight) -> bool:
        """True where the hands that took the last of several backs have changed the table since."""
        ends_s = self._draw_ends_s(now)
        if len(ends_s) < 2 or same_table(now.lying, sight.lying):
            return False
        last = (self._acting + len(ends_s) - 1) % len(self._setup.players)
        return self._actors.took_it(last, ends_s[-1]) and self._actors.still_acts(last, SURE)

    def _draws_again(self, now: Sight, sight: Sight) -> bool:
        """True where another back goes after the first, and no fault is to be paid for: nobody draws twice.

        A pool that only seems to have changed tells that where nothing was laid meanwhile.
        """
        if self._seat_that_put_back is not None or not self._draws.one_went(now):
            return False
        if self._actors.only_visited(self._acting):
            return False
        seems = sight.lying.pool_unsure and same_table(now.lying, sight.lying)
        return seems or self._draws.one_went_since(now, sight)

    def _drew_over_it(self, now: Sight) -> list[WatchEvent]:
        """Another player has drawn while a faulty table lies as it did: the game goes on over it.

        Where no hands were seen that laid it, more backs have to go than any fault costs.
        """
        foul = self._foul
        lies = self._still_faulty or foul
        if foul is None or lies is None or not same_table(now.lying, lies.lying):
            return []
        if not self._draws.some_went_since(lies, now):
            return []
        no_fine = not self._actors.directed and (self._draws.went_between(foul, now) or 0) > MOST_FINED
        if not (no_fine or self._actors.others_came(self._acting)):
            return []
        return self._play_on(lies, now) + self._drew(now, now.still_since_s)

    def _end_ripe(self, ripe: Ripe) -> list[WatchEvent]:
        if self.state == "foul":
            self._finding = self._find(self._baseline, ripe.sight.lying)
            restored, verdict = self._put_right(ripe.sight)
            return self._put_back(ripe.sight, ripe.end_s, restored=restored) if verdict != "illegal" else []
        finding = self._whose(ripe.sight, self._find(self._baseline, ripe.sight.lying))
        if finding.verdict == "illegal" and not self._surely_takes_back(ripe.sight):
            return []
        return self._play(ripe.sight, ripe.end_s, finding)

    def _end_before_now(self, ripe: Ripe) -> list[WatchEvent]:
        """End the turn with what was ripe; what has come to lie there since is the next player's."""
        now, late = self._now, self._suspect
        said = self._end_ripe(ripe)
        if not said or self.state != "quiet" or now is None or same_table(now.lying, self._baseline):
            return said
        self.state = "changed"
        self._draws.table_changed(now)
        self._finding = self._whose(now, self._find(self._baseline, now.lying))
        if late is not None and not late.lay_by(ripe.sight):
            finding, acting = self._judge_again(late, self._acting), self._acting
            theirs = replace(late, finding=finding, acting=acting, by=None, out_of_turn=False, came=())
            self._suspect = theirs if finding.verdict != "legal" else None
        return said

    def _surely_takes_back(self, now: Sight) -> bool:
        """True where the last play is surely taken back by its player, whom nobody has told of any fault.

        One that was asked about is so as long as nobody's place is known, and where nobody saw from where the
        hands came: nobody is accused by that.
        """
        last = self._last_play
        if self._takes_back_stood(now):
            return True
        if last is None or not self._takes_back(now):
            return False
        if last.asked and not (self._actors.places.well_known and self._actors.directed):
            return True
        return self._actors.surely_changed_it(last.seat, self._start_s)

    def _seat_at(self, sight: Sight) -> int:
        """Whose hands have left the table so: whose turn it is, but for a play that is taken back or mended."""
        last, now = self._last_play or self._stood, self._now
        if self.state != "changed" or last is None or last.seat is None:
            return self._acting
        mends = self._mends is not None and now is not None and same_table(sight.lying, now.lying)
        return last.seat if mends or self._surely_takes_back(sight) else self._acting

    def _let_stand(self, now: Sight) -> list[WatchEvent]:
        """Another player has laid legally beside a table against the rules that nobody called in time.

        Those at the table let it stand, so the turn was over; what was seen of it is asked.
        """
        suspect = self._open_suspect(now)
        if suspect is None or not self._ends_by_itself or self.state != "changed":
            return []
        acting = self._acting
        if not self._actors.others_came(acting):
            return []
        following = self._after(acting)
        if not goes_on(self.court, self._baseline, suspect.sight.lying, now.lying, following):
            return []
        if suspect.finding.verdict != "illegal":
            return self._play(suspect.sight, suspect.end_s, suspect.finding)
        question = Question("really-so?", suspect.finding.at_fault or suspect.finding.played, ("yes", "no"))
        return self._play(suspect.sight, suspect.end_s, suspect.finding.asking(question))

    def _left_low(self, sight: Sight) -> list[WatchEvent]:
        """A back is gone, or others came where no pool would tell: a low opening gets no more tiles."""
        now, finding = self._now, self._finding
        if self.state != "changed" or now is None or finding is None or not self._ends_by_itself:
            return []
        if not (finding.verdict == "illegal" and finding.is_low_opening and now.clear):
            return []
        came_s = self._actors.first_hand_s
        lay_s = (sight.still_since_s if came_s is None else came_s) - now.still_since_s
        looked = self._agreed >= self._settings.looks_in_doubt and lay_s >= self._settings.foul_settle_s
        if not looked or not same_table(now.lying, sight.lying) or self._takes_any_back(now):
            return []
        came = not self._draws.pool_in_view and self._actors.others_came(self._acting)
        if not (came or self._draws.one_went_since(now, sight)):
            return []
        return self._play(now, self._came_to_rest_s, finding)

    def reached(self, reach: Reach, *, touched: bool = True) -> list[WatchEvent]:
        """Hands are gone again, or rest; without ``touched`` only the camera or the light was what moved."""
        self._touched = touched
        said = self.reaching(reach)
        self.next_comes_s = None
        ripe = self._ripe
        waits = self._one_seems_gone or self._comes_to_pay(reach)
        if ripe is not None and self._ends_by_itself and not waits:
            lay_long = ripe.waited_s >= self._settings.settle_s
            if lay_long and self._actors.rather_anothers(reach, self._seat_at(ripe.sight)):
                said += self._end_before_now(ripe)
        # A knock or a flicker is no answer to whose hands those before it were.
        if touched or reach.frames >= LEAST_FRAMES or reach.stirred is not None:
            self._actors.reached(reach)
        if reach.frames >= LEAST_FRAMES or reach.stirred is None:
            self._rest.hands_gone(reach.end_s)
        self._stirred = [*([] if self._looked else self._stirred), reach.stirred]
        self._looked = False
        return said

    def _pays_for_suspect(self, now: Sight) -> bool:
        """True where what lay against the rules is being put back: a back that goes now is what it costs."""
        suspect = self._open_suspect(now)
        return suspect is not None and suspect.was_taken_back(now)

    def stirred_unseen(self) -> None:
        """The table is looked at while hands still move over it: they may have been anywhere."""
        self._touched, self._stirred, self._looked = True, [None], False

    @property
    def _came_to_rest_s(self) -> float:
        """When a turn that ends by itself ended: soon after its table first lay so, whatever moved since."""
        return self._rest.over_s(self._settings.settle_s / 2)

    @property
    def _pause_s(self) -> float:
        """How long a legal table lies until the turn is over: longer where the next player can be told."""
        s = self._settings
        told_apart = self._actors.places.well_known or self._actors.directed
        return max(s.settle_s, s.pause_s) if told_apart else s.settle_s
