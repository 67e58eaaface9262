"""Fouls that are put back before anyone calls them, told afterwards."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from referee import Question
from vision.watch.doubts import same_table
from vision.watch.finding import Finding
from vision.watch.pace import MOST_ODDS
from vision.watch.seats import SURE
from vision.watch.sight import Sight, Suspect, only_adds_single_tiles
from vision.watch.turn_tables import TurnTables
from vision.watch.types import WatchEvent
from vision.watch.unseen import MOST_FINED

__all__ = ["TurnFouls"]

_LEFT_TORN_S = 4.5
"""For so long sets lie torn apart, nothing laid, before it is asked whether they were left so: who thought came
back after 3.8 s at most in 35 films, and who had done after 5.1 s at least."""
_RATHER_LEFT = 3.0
"""So many times as likely as a pause within a turn is what a fault lies that rather was left so."""
_AS_USUAL = 0.75
"""Share of the usual pause between two turns for which a fault lies at least that was left so."""


class TurnFouls(TurnTables):
    """Remembers what lay against the rules for a while in this turn."""

    def _suspects(self, now_s: float) -> None:
        """What is against the rules lay clear for a while: it was a foul, if all of it is put back now.

        So it is where a tile may have been drawn before playing, where it depends on whose turn it was, or
        where a tile may be another one; that stays a question. Who ends turns with the button may try things
        out and take them back, until it is pressed.
        """
        now, finding = self._now, self._finding
        if self.state != "changed" or now is None or finding is None:
            return
        told_s = self._pressed_over_s(now)
        told = told_s is not None
        if not (self._setup.automatic or told):
            return
        if self.court.over:
            return
        if not (finding.verdict == "illegal" or finding.may_be_foul):
            return
        if now.still_since_s < self._still_since_s - 1e-6:
            return
        takes_back = self._takes_any_back(now)
        if not (told or takes_back):
            self._may_be_paid_for(now_s, now, finding)
        if finding.is_half_done and not told:
            self._may_be_left_torn(now_s, now, finding)
            return
        if now.seen_whole and not now.clear and self._actors.still_acts(self._acting):
            now = replace(now, seen_whole=False)
        # What hides tiles may prove to be a mug that was put down; a hand beside them may hold what is missing.
        is_held_over = not (now.is_open or now.lying.hidden or told)
        s = self._settings
        if takes_back:
            return  # the last play is being taken back
        changed_s = self._actors.changed_s(self._acting)
        since_s = now.still_since_s if changed_s is None else min(changed_s, now.still_since_s)
        rest_s = self._rest.since_s
        if only_adds_single_tiles(self._baseline, now.lying) and self._actors.still_acts(self._acting, SURE):
            gone_s = self._actors.gone_s  # whoever comes to a tile alone lays more
            since_s, rest_s = max(since_s, gone_s), max(rest_s, gone_s)
        lay_s = now_s - min(rest_s, since_s)
        # Whose own hands go on over it thinks yet, or has taken what it costs.
        laid = self._laid(now)
        amiss = [tile.corners_xy_px for tile in now.lying.tiles if tile.key in laid]
        own_gone_s = -inf if self._draws.gone(now) else self._actors.own_gone_s(self._acting, amiss)
        left_s = min(lay_s, now_s - own_gone_s)
        in_passing = left_s >= s.foul_settle_s and self._agreed >= s.looks_in_doubt
        # Sets that were cut and joined again were a thought, unless that lay as long as a fault is left lying.
        least_s = s.foul_settle_s if finding.is_only_rearranged else s.settle_s
        lay_so = told or in_passing or (now_s - since_s >= least_s and not is_held_over)
        before = self._suspect
        if before is not None and same_table(before.sight.lying, now.lying):
            seen = before  # whoever came has left it so
            fewer_hidden = now.lying.hidden < before.sight.lying.hidden
            if (now.is_open or fewer_hidden) and not before.sight.is_open:
                # They hid some of it when it had lain so for long enough.
                told_then = finding if now.is_open else before.finding
                seen = replace(before, sight=_with_pool_of(before.sight, now), finding=told_then)
            self._suspect = replace(seen, lay_s=max(before.lay_s, lay_s))
        elif lay_so and (before is None or before.gives_way_to(self._baseline, now, finding)):
            end_s = self._came_to_rest_s if told_s is None else told_s
            came_s = None if now.clear else self._actors.came_s
            clear_s = lay_s if came_s is None else min(lay_s, came_s - self._rest.since_s)
            hasty = self._hasty
            if hasty is not None and same_table(hasty.sight.lying, now.lying):
                now = _with_pool_of(hasty.sight, now)  # its price may have gone since
            lies = self._suspect_of(now, finding, lay_s)
            self._suspect = replace(lies, end_s=end_s, told=told, clear_s=clear_s)

    def _may_be_left_torn(self, now_s: float, now: Sight, finding: Finding) -> None:
        """Sets lie torn apart, and nobody has come for a while: whoever did that may have done."""
        lay_s = now_s - self._alone_since_s
        if now.clear and lay_s >= _LEFT_TORN_S:
            asked = finding.asking(Question("really-so?", finding.at_fault, ("yes", "no")))
            self._torn = self._suspect_of(now, asked, lay_s)

    def _may_be_paid_for(self, now_s: float, now: Sight, finding: Finding) -> None:
        """What is against the rules lies clear, however shortly: a fault, if those hands pay for it."""
        # What one look could not see, and the next one saw to be gone, was in neither.
        agreed = max(self._agreed, self._alike) >= self._settings.looks
        lies_sure = now.is_open and not now.lying.hidden and agreed
        if finding.verdict != "illegal" or not lies_sure:
            return
        before, clear_s = self._hasty, now_s - now.still_since_s
        was_left = self._actors.odds_of_end(clear_s) >= _RATHER_LEFT
        if before is not None and same_table(before.sight.lying, now.lying):
            # What has gone since the first look was taken over it; the longest time tells whether it was left.
            longer = replace(before, clear_s=max(before.clear_s, clear_s), was_left=before.was_left or was_left)
            self._hasty, self._hasty_lay = longer, now
            return
        # Torn sets may be a step of the putting-back.
        if before is None or (not finding.is_half_done and before.gives_way_to(self._baseline, now, finding)):
            lies = self._suspect_of(now, finding, now_s - self._rest.since_s)
            self._hasty, self._hasty_lay = replace(lies, clear_s=clear_s, was_left=was_left), now
            self._hasty_paid = False

    def _suspect_of(self, now: Sight, finding: Finding, lay_s: float) -> Suspect:
        """Return what lies there as what may be a fault of those whose turn it seems to be."""
        end_s, seat, came = self._came_to_rest_s, self._actors.seat, tuple(self._actors.changes)
        return Suspect(now, finding, end_s, lay_s, seat, self._acting, self._instead is not None, came=came)

    def _pays_meanwhile(self, now: Sight) -> None:
        """A back goes while tiles laid against the rules are being taken back: nobody else draws amid that.

        Whoever only moved tiles may give up, draw, and join them again.
        """
        hasty = self._hasty
        if hasty is None or not (hasty.finding.played or hasty.finding.gone) or now.lying.pool_unsure:
            return
        if self._hasty_lay is not None and not same_table(now.lying, hasty.sight.lying):
            self._hasty_paid |= self._draws.some_went_between(self._hasty_lay, now)

    def _drew_so_far(self, now: Sight, *, but_last: bool = False) -> list[WatchEvent]:
        """Write down the draws that missing backs tell of.

        Whoever left sets torn apart, put them together, and then took a back, may have paid for that; and
        whoever took as many as a fault costs has paid for what lay there, however shortly.
        """
        if paid := self._paid_at_once(now):
            return paid
        torn, ends_s = self._torn, []
        if torn is not None and self._actors.came_for_nothing(torn.acting) and not self.court.over:
            ends_s = self._draw_ends_s(now)
        if torn is None or not ends_s or self._actors.others_came_for_nothing(torn.acting):
            return super()._drew_so_far(now, but_last=but_last)
        return self._told_late(torn, torn.finding, now, ends_s[-1])

    def _paid_at_once(self, now: Sight) -> list[WatchEvent]:
        """Tell a fault that those who made it took back at once and paid for: nobody draws thrice in a turn.

        Whoever only draws once, and had a tile of the table for a moment, laid one to others that it does not
        fit, or left it for as long as players here leave what they have done, is asked whether that was one.
        """
        hasty = self._hasty
        went = None if hasty is None else self._draws.went_between(hasty.sight, now)
        if hasty is None or not went:
            return []
        left_so = hasty.clear_s >= _AS_USUAL * self._actors.pace.usual_pause_s or hasty.was_left
        if went != MOST_FINED and not (left_so or hasty.finding.gone or self._was_laid_amiss(hasty)):
            return []
        ends_s = self._draw_ends_s(now)
        if not ends_s:
            return []
        said = self._was_hasty(now, ends_s[-1], surely=went == MOST_FINED)
        return said + (self._put_back(now, ends_s[-1], restored=True) if self.state == "foul" else [])

    def _was_laid_amiss(self, hasty: Suspect) -> bool:
        """True where a tile was laid to a set of the table that it never fits: nobody thinks with that."""
        lay, odd = self._baseline.keys, hasty.finding.misfits
        laid = {tile.key for tile in hasty.sight.lying.tiles if tile.key not in lay and tile.seen in odd}
        return any(row & laid and len(row & lay) > 1 for row in hasty.sight.lying.rows)

    def _was_hasty(self, now: Sight, paid_s: float, *, surely: bool = True) -> list[WatchEvent]:
        """Tell what lay there, however shortly, where only those hands came until it had been paid for."""
        hasty, self._hasty = self._hasty, None
        if hasty is None or self.court.over or not same_table(now.lying, self._baseline):
            return []
        finding = self._judge_again(hasty, hasty.acting)
        they = self._actors.only_came_since(hasty.end_s, hasty.came, until_s=paid_s)
        surely |= they and self._actors.pace.odds(hasty.clear_s) >= MOST_ODDS
        if not (they or surely):  # who draws comes in nearer to the pool
            following = self._after(hasty.acting)
            they = self._actors.rather_came_since(hasty.acting, following, hasty.end_s, until_s=paid_s)
        if not they or finding.verdict != "illegal":
            return []
        return self._told_late(hasty, finding if surely else finding.unclear, now, paid_s)

    def _pressed_over_s(self, now: Sight) -> float | None:
        """When the button was pressed that ends a turn with the table as it lies now; None where none was."""
        button = self._button
        if button is None or button.kind != "end-turn" or button.t_s < now.still_since_s:
            return None
        return button.t_s

    def _was_put_back(self, now: Sight) -> list[WatchEvent]:
        """The table lies as before again: what lay there illegally for a while was a foul after all."""
        suspect, self._suspect = self._open_suspect(now), None
        if suspect is None:
            return self._was_hasty(now, now.still_since_s) if self._hasty_paid else []
        finding = suspect.finding
        if finding.verdict == "illegal" or self._was_paid(suspect, now):
            again = self._judge_again(suspect, suspect.acting)
            # Hands told then that they had not opened.
            told = again.asks_only("has-opened?") and not finding.questions
            if finding.verdict == "illegal" != again.verdict and not told:
                return []
            finding = again if again.verdict == "illegal" else finding
        if not suspect.told and self._actors.pace.odds(suspect.clear_s) < 1:
            finding = finding.unclear  # players here think for as long
        return self._told_late(suspect, finding, now, now.still_since_s)

    def _told_late(self, suspect: Suspect, finding: Finding, now: Sight, end_s: float) -> list[WatchEvent]:
        """Tell what lay there, after all; what was no fault for sure was taken back by ``end_s``."""
        self._was_in_turn_of(suspect)  # whatever was concluded of a later table
        self._actors.changes = list(suspect.came)
        said = self._play(suspect.sight, suspect.end_s, finding, suspect.by, stands=False)
        self._now = now
        if suspect.told:
            self._button = None
        if self.state != "foul" and self._last_play is not None:
            said += self._taken_back(self._last_play, now, end_s, Finding("legal"))
        return said

    def _was_paid(self, suspect: Suspect, now: Sight) -> bool:
        """True where it was asked whose turn that was, and the hands that laid it have paid, and taken it back.

        Nobody pays for a turn that was their own.
        """
        if not suspect.finding.asks_only("whose-turn?"):
            return False
        paid = self._draws.went_between(suspect.sight, now) or 0
        return 0 < paid <= MOST_FINED and self._actors.only_came_since(suspect.end_s, suspect.came)

    def _goes_back_after_press(self, now: Sight) -> bool:
        """True where the button was pressed over a fault, and some of that is taken back by ``now``."""
        suspect = self._suspect
        return suspect is not None and suspect.told and suspect.was_taken_back(now)

    def _was_pressed_over(self, now: Sight) -> list[WatchEvent]:
        """Say what the button was pressed over, where that is being put back by now."""
        suspect, self._suspect = self._suspect, None
        assert suspect is not None
        finding = self._judge_again(suspect, suspect.acting)
        open_ = suspect.lay_open(now)
        said = self._play(suspect.sight, suspect.end_s, finding if open_ else finding.unclear)
        self._now = now
        return said


def _with_pool_of(then: Sight, now: Sight) -> Sight:
    """Return what is seen ``now``, beside the pool as it was seen ``then``."""
    return replace(now, lying=replace(now.lying, taken=then.lying.taken, taken_from=then.lying.taken_from))
