"""Whose turn it is, by the hands that come: the end of a turn when the next player's come, and unseen draws."""

from __future__ import annotations

from referee import Question
from vision.watch.court import Finding
from vision.watch.doubts import goes_on, same_table, went_from
from vision.watch.reach import Reach
from vision.watch.seats import RATHER, SURE
from vision.watch.sight import Ripe, Sight
from vision.watch.turn_book import TurnBook
from vision.watch.types import WatchEvent
from vision.watch.unseen import MOST_FINED

__all__ = ["DONE_S", "TurnHands"]

DONE_S = 2.0
"""Whoever leaves a legal table clear for so long is done: a hand that rests over it after that ends nothing."""

_RIPE_S = 0.6
"""For so long a legal table has to lie still, if the next player's hands are to end the turn."""
_LAY_LONG_S = 8.0
"""Where a legal table lay for so long, hands that change it are its player's only if that is sure."""
_CROSSING_FRAMES = 3
"""Frames in which hands have to cross the rim before it counts whose they are."""


class TurnHands(TurnBook):
    """Follows who reaches in."""

    @property
    def _ends_by_itself(self) -> bool:
        """True where turns end without a button, and none was pressed."""
        return self._setup.automatic and self._button is None

    def _ripens(self, now_s: float) -> None:
        """Hands come again: a legal table that lay clear and still for a moment may be the turn's last.

        One that has to be asked about lies longer, for the looks that it takes.
        """
        now = self._now
        if now is None or self._before is None or self.state == "quiet":
            return
        waited_s = now_s - now.still_since_s
        read = now.still_since_s >= self._still_since_s - 1e-6
        verdict = self._finding.verdict if self._finding is not None else None
        if not now.clear:
            if self.state == "changed" and verdict == "legal" and read and waited_s >= _RIPE_S:
                self._beneath = Ripe(now, self._came_to_rest_s, now.still_since_s, waited_s)
            return
        done = verdict == "legal" or (verdict == "ask" and waited_s >= self._settings.settle_s)
        done |= verdict == "illegal" and self._takes_back_what_was_asked(now)
        restored = self.state == "foul" and same_table(now.lying, self._before.lying)
        if read and (done or restored) and waited_s >= _RIPE_S:
            ripe = self._ripe
            unchanged = ripe is not None and same_table(ripe.sight.lying, now.lying)
            since_s = ripe.since_s if ripe is not None and unchanged else now.still_since_s
            self._ripe = Ripe(now, self._came_to_rest_s, since_s, now_s - since_s)

    def reaching(self, reach: Reach) -> list[WatchEvent]:
        """Hands are on their way in: those of the next player end the turn that is ripe."""
        ripe = self._ripe or self._beneath
        if not self._ends_by_itself or reach.frames < _CROSSING_FRAMES:
            return []
        acting, following = self._acting, (self._acting + 1) % len(self._setup.players)
        if ripe is not None and self._actors.is_anothers(reach, acting, following):
            return self._end_ripe(ripe)
        if not self._looked and self._actors.comes_next(reach, acting, following):
            self.next_comes_s = reach.begin_s
        return []

    def left_to_next(self, begin_s: float) -> list[WatchEvent]:
        """The next player's hands came at ``begin_s``, and the table was read as they came: it was left so."""
        now, self.next_comes_s = self._now, None
        if now is None or now.still_since_s < begin_s or not self._ends_by_itself or self.state == "quiet":
            return []
        restored = self.state == "foul" and self._put_right(now)[0]
        legal = self.state == "changed" and self._finding is not None and self._finding.verdict == "legal"
        if not (legal or restored):
            return []
        ripe, end_s = self._ripe, begin_s
        if ripe is not None and ripe.waited_s >= DONE_S and same_table(ripe.sight.lying, now.lying):
            end_s = ripe.end_s
        return self._end_ripe(Ripe(now, end_s, begin_s, 0.0))

    def _over_by_now(self, sight: Sight) -> list[WatchEvent]:
        """The table has changed: one that was legal for long enough was the last, if others came since.

        So it was where a back is gone since: nobody draws after a turn.
        """
        ripe, self._beneath = self._ripe, None
        if ripe is None or not self._ends_by_itself:
            return []
        if same_table(sight.lying, ripe.sight.lying):
            if not self._draws.one_went_since(ripe.sight, sight):
                return []
            said = self._end_ripe(ripe)
            return said + self._drew(sight, sight.still_since_s) if self.state == "quiet" else said
        if not sight.clear and went_from(ripe.sight.lying, sight.lying):
            return []  # a hand of the table's colour rests over what seems to be gone
        lay_s = ripe.waited_s
        if self._now is not None and same_table(self._now.lying, ripe.sight.lying):
            # Whoever came before this look has left it as it was.
            lay_s = max(lay_s, self._now.lying.t_s - ripe.since_s)
        if self._actors.two_came and lay_s >= self._settings.settle_s:
            return []  # whose hands changed it, those that come next tell
        self._ripe = None
        # Whoever has put a fault back has no turn any more, unless it is surely they who lay another set.
        is_put_back = self.state == "foul" and same_table(ripe.sight.lying, self._baseline)
        lay_long = lay_s >= _LAY_LONG_S and self._actors.places.well_known
        if self._actors.still_acts(self._acting, SURE if is_put_back or lay_long else RATHER):
            return []
        if lay_s < self._settings.settle_s and not (is_put_back or self._next_laid(ripe, sight)):
            return []
        return self._end_ripe(ripe)

    def _next_laid(self, ripe: Ripe, sight: Sight) -> bool:
        """True where hands that are hardly the acting seat's have laid what is legal for the next player."""
        if self.state != "changed" or not self._actors.hardly_acts(self._acting):
            return False
        following = (self._acting + 1) % len(self._setup.players)
        return goes_on(self.court, self._baseline, ripe.sight.lying, sight.lying, following)

    def _drew_by_now(self, sight: Sight) -> list[WatchEvent]:
        """Others came since a back was seen to go, or to take it: that draw is over by now."""
        now = self._now
        if self.state != "quiet" or now is None or not self._ends_by_itself:
            return []
        moved = sight.still_since_s > now.still_since_s + 1e-6
        if now.lying.pool_unsure or not moved:
            return []
        others = self._actors.others_came_last(self._acting) or self._next_drew(self._draws.ends_s(now))
        if not others and not self._draws_again(now, sight):
            return []
        return self._drew_so_far(now, but_last=self._plays_after_drawing(now, sight))

    def _plays_after_drawing(self, now: Sight, sight: Sight) -> bool:
        """True where the hands that took the last of several backs have changed the table since."""
        ends_s = self._draws.ends_s(now)
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
        if finding.verdict == "illegal" and not self._takes_back_what_was_asked(ripe.sight):
            return []
        return self._play(ripe.sight, ripe.end_s, finding)

    def _takes_back_what_was_asked(self, now: Sight) -> bool:
        """True where the last play, about which its player was asked, is surely taken back by that player."""
        last = self._last_play
        if last is None or not last.asked or not self._takes_back(now):
            return False
        return self._actors.surely_changed_it(last.seat, self._start_s)

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
        following = (acting + 1) % len(self._setup.players)
        if not goes_on(self.court, self._baseline, suspect.sight.lying, now.lying, following):
            return []
        if suspect.finding.verdict != "illegal":
            return self._play(suspect.sight, suspect.end_s, suspect.finding)
        at_fault = tuple(dict.fromkeys(tile for problem in suspect.finding.problems for tile in problem.tiles))
        question = Question("really-so?", at_fault or suspect.finding.played, ("yes", "no"))
        return self._play(suspect.sight, suspect.end_s, suspect.finding.asking(question))

    def reached(self, reach: Reach, *, touched: bool = True) -> list[WatchEvent]:
        """Hands are gone again, or rest; without ``touched`` only the camera or the light was what moved."""
        self._touched = touched
        said = self.reaching(reach)
        self.next_comes_s = None
        ripe = self._ripe
        if ripe is not None and self._ends_by_itself:
            lay_long = ripe.waited_s >= self._settings.settle_s
            if lay_long and self._actors.rather_anothers(reach, self._acting):
                said += self._end_ripe(ripe)
        self._actors.reached(reach)
        self._stirred = [*([] if self._looked else self._stirred), reach.stirred]
        self._looked = False
        return said

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

    def _whose(self, sight: Sight, finding: Finding) -> Finding:
        """Say what is to be said where draws may have gone by unseen, and with them whose turn it is.

        Hands that come from another player's place tell, but not against a pool that has lost nothing, while
        the places are new or tell nobody apart, unless those whose turn it was came before, may have drawn from
        a heap, and nobody is accused by that. Else a back that was gone before the table changed is the draw of
        the player before. Without that, hands that came for nothing may have drawn: then a table that is legal
        for a later player is that player's. What is wrong only if its player had not opened, which nobody told,
        speaks for no such draws. With no pool in view those who came for nothing in the order of play drew,
        whatever lies there.
        """
        self._unseen, self._instead, self._mends, self._overruled = 0, None, None, False
        seat, actor = self.court.seat, self._actors.seat
        if (mended := self._mended_by(actor, sight)) is not None:
            return mended
        if seat is None:
            return finding
        if (later := self._after_visits(seat, sight, finding)) is not None:
            return later
        own = actor == seat or (actor is None and self._actors.foremost == seat)
        if own or not self._setup.automatic:
            # Who ends turns with the button tells whose they are, whatever hands were seen.
            return self._drew_first(sight, finding)
        if self._setup.draws_told:
            return self._where_told(seat, actor, sight, finding)
        if actor is not None and (theirs := self._by_hands(seat, actor, sight, finding)) is not None:
            return theirs
        self._overruled = actor is not None and self._actors.places.knows(seat)
        return self._by_pool(seat, sight, finding)

    def _mended_by(self, actor: int | None, sight: Sight) -> Finding | None:
        """Say what the last play is, which was asked about, where its player has made it legal since."""
        last = self._last_play
        if last is None or not last.asked or actor is None or actor != last.seat or actor == self.court.seat:
            return None
        mended = self._find(last.before.lying, sight.lying, seat=actor, opened=last.had_opened)
        if mended.verdict != "legal" or not mended.played:
            return None
        self._mends = mended
        return mended

    def _after_visits(self, seat: int, sight: Sight, finding: Finding) -> Finding | None:
        """Say what lies there for whom those leave it who came in the order of play, with no pool in view."""
        if not self._setup.automatic or self._draws.would_tell(sight):
            return None
        players, passed = len(self._setup.players), len(self._actors.came_in_turn(seat))
        theirs = finding
        if passed % players:
            theirs = self._find(self._baseline, sight.lying, seat=(seat + passed) % players)
        if not passed or (theirs.verdict != "legal" and finding.verdict == "legal"):
            return None
        self._unseen = passed
        return theirs

    def _where_told(self, seat: int, actor: int | None, sight: Sight, finding: Finding) -> Finding:
        """Say whose play it is where every draw is told: another's only where a turn was missed."""
        places = self._actors.places
        told_apart = places.well_known and places.tell_apart
        if actor is None or not told_apart or not self._actors.are_hardly(seat):
            return self._if_it_was_theirs(sight, finding)
        self._instead = actor
        return self._find(self._baseline, sight.lying, seat=actor)

    def _by_hands(self, seat: int, actor: int, sight: Sight, finding: Finding) -> Finding | None:
        """Say what it is for the ``actor`` whose hands came, if those before may have drawn; else None."""
        places, players = self._actors.places, len(self._setup.players)
        passed = (actor - seat) % players
        none_went = self._draws.none_went(sight) or self._nobody_came(sight)
        sure = places.well_known and places.tell_apart
        theirs = self._find(self._baseline, sight.lying, seat=actor)
        if sure and self._draws.none_went(sight) and self._last_turn in ((actor, "play"), (actor, "draw")):
            return self._goes_on(seat, actor, finding, theirs)
        if not none_went or sure:
            self._unseen = passed
            drew = self._draws.went_beyond(sight, passed) and self._actors.came_for_nothing(actor)
            return self._asked_whether_drew(actor, theirs) if drew and theirs.verdict != "illegal" else theirs
        all_came = all(self._actors.came_for_nothing((seat + turn) % players) for turn in range(passed))
        if not all_came or (theirs.verdict == "illegal" and finding.verdict != "illegal"):
            return None
        self._unseen = passed
        return theirs

    def _goes_on(self, seat: int, actor: int, finding: Finding, theirs: Finding) -> Finding:
        """Say what it is for the ``actor``, whose turn was told too early: nobody has drawn since."""
        if theirs.verdict == "illegal" and finding.verdict == "legal":
            return self._asked_whose_turn(seat, finding)
        self._instead = actor
        drew = self._last_turn[1] == "draw" and theirs.verdict != "illegal"
        return self._asked_whether_drew(actor, theirs) if drew else theirs

    def _by_pool(self, seat: int, sight: Sight, finding: Finding) -> Finding:
        """Say for whom the draws leave it that a pool shows, or that may have gone unseen."""
        players, places = len(self._setup.players), self._actors.places
        went = self._draws.went_first and self._draws.one_went(sight)
        if went and self._actors.is_rather(seat):
            return self._drew_first(sight, finding)
        least, most = (1, 1) if went else (0, self._draws.most_unseen)
        if least == 0 and (finding.verdict == "legal" or finding.asks_only("has-opened?")):
            return finding
        shown = self._draws.would_tell(sight) and self._actors.is_rather(seat)
        if least == 0 and (shown or self._draws.none_went(sight)):
            return self._if_it_was_theirs(sight, finding)  # the pool shows no draw
        for unseen in range(max(least, 1), min(most, players - 1) + 1):
            later = (seat + unseen) % players
            if not least and places.knows(later) and self._actors.is_rather_not(later):
                continue
            other = self._find(self._baseline, sight.lying, seat=later)
            if other.verdict == "legal" or unseen == least:
                self._unseen = unseen
                return other
        return self._if_it_was_theirs(sight, finding)

    def _nobody_came(self, sight: Sight) -> bool:
        """True where a pool is in view, and no hands came in this turn before those that changed the table."""
        return self._draws.would_tell(sight) and not self._draws.visits_s and not self._actors.visits

    def _if_it_was_theirs(self, sight: Sight, finding: Finding) -> Finding:
        """Ask whose turn it was where draws may have gone unseen, and for one who has opened it is no fault."""
        seat = self.court.seat
        if finding.verdict != "illegal" or seat is None:
            return finding
        told = self._draws.would_tell(sight) and not self._draws.most_unseen
        sure = told or (self._draws.none_went(sight) and not self._draws.visits_s)
        others = self._actors.places.tell_apart or not told
        if sure and not (others and self._actors.is_rather_not(seat)):
            return finding
        if self._find(self._baseline, sight.lying, opened=True).verdict == "illegal":
            return finding
        may_be = [other for other in range(len(self._setup.players)) if not self._actors.surely_not(other)]
        if all(self.court.has_opened(other) is False for other in may_be):
            return finding  # a fault, whoever laid it
        return self._asked_whose_turn(seat, finding)

    def _asked_whose_turn(self, seat: int, finding: Finding) -> Finding:
        name = self._setup.players[seat]
        return finding.asking(Question("whose-turn?", answers=("yes", "no"), args=(("player", name),)))

    def _drew_first(self, sight: Sight, finding: Finding) -> Finding:
        """Say where the hands that changed the table have taken a back from the pool before.

        A fault is told only of a player of whom all hands in this turn surely were, and where a back was seen
        to have gone before the play; else it is asked.
        """
        if finding.verdict == "illegal" or not finding.played or not self._draws.went_before_play(sight):
            return finding
        seat = self.court.seat
        assert seat is not None
        surely_theirs = self._actors.all_were(seat, self._draws.went_s) and self._seat_that_put_back is None
        if surely_theirs and not (self._draws.seen_late or self._draws.went_with_others):
            return self._find(self._baseline, sight.lying, drew=True, seat=seat)
        return self._asked_whether_drew(seat, finding)

    def _asked_whether_drew(self, seat: int, finding: Finding) -> Finding:
        name = self._setup.players[seat]
        return finding.asking(Question("drew-first?", answers=("yes", "no"), args=(("player", name),)))
