"""What became of the last play: whether a table, or a back that went, is its taking back, or what it costs."""

from __future__ import annotations

from collections.abc import Sequence

from vision.watch.comers import HARDLY
from vision.watch.doubts import same_table
from vision.watch.finding import Finding
from vision.watch.reach import Reach
from vision.watch.seats import (
    RATHER,
    SURE,
    are_from_elsewhere,
    are_from_one_place,
    are_same_hands,
    is_ones,
)
from vision.watch.sight import LastPlay, Sight
from vision.watch.turn_state import TurnState
from vision.watch.unseen import MOST_FINED

__all__ = ["TurnPast"]

_PAYS_S, _SOON_S, _AT_ONCE_S = 3.0, 1.5, 0.8
"""So soon after all lies as before, whoever had laid against the rules comes to draw what that costs; so soon
hardly anybody else comes, and so soon nobody."""


class TurnPast(TurnState):
    """Tells a play that is taken back, by whatever name, from tiles that are missing."""

    def _takes_back(self, now: Sight, by: int | None = None) -> bool:
        """True where the table lies as before the last play, and nobody else's hands did that for sure.

        ``by``: whose hands those were, where others have come since. A play that stood as somebody else drew is
        not taken back any more.
        """
        last = self._last_play
        if last is None or self.court.someone_is_out or not same_table(now.lying, last.before.lying):
            return False
        drawn = self._draws.went_first and self._draws.one_went(now)
        stood = drawn and last.seat is not None and self._actors.others_came_for_nothing(last.seat)
        if stood and not (are_from_one_place(self._actors.visits, last.came) or self._is_fined(now)):
            return False
        who = self._actors.seat if by is None else by
        if who is None or who == last.seat or not self._actors.places.well_known:
            return True
        if self._was_paid_for(last, now):
            return True
        if not last.came:
            return self._may_have_laid(last, who, by)
        return by is None and are_from_one_place(list(filter(is_ones, self._actors.changes)), last.came)

    def _may_have_laid(self, last: LastPlay, who: int, by: int | None) -> bool:
        """True where a play of which nobody saw whose hands laid it may be that seat's, by the arms there were.

        Where nobody is named, ``by``, it is told by where the hands came from that change the table now.
        """
        shares = [self._actors.places.shares([arm]) for arm in last.arms if is_ones(arm)]
        own = last.seat is not None and any(of_arm[last.seat] > RATHER for of_arm in shares)
        if not own or len(shares) < len(last.arms):
            return True  # who laid it was out of view
        if by is None:
            return not are_from_elsewhere(self._actors.changes, last.arms)
        return max(of_arm[who] for of_arm in shares) >= HARDLY

    def _was_paid_for(self, last: LastPlay, now: Sight) -> bool:
        """True where the last play was asked about, and whoever takes it back took backs: it was their own."""
        paid = last.asked and 0 < len(self._draws.gone(now)) <= MOST_FINED
        actors = self._actors
        return paid and are_from_one_place(actors.changes, (*actors.visits, *actors.changes))

    def _doubted(self, finding: Finding, now: Sight) -> Finding:
        """Ask about tiles that are gone where who laid them may have taken them back: that is no theft."""
        gone = self._baseline.keys - now.lying.keys
        if not (finding.is_theft and gone):
            return finding
        last = self._last_play or self._stood
        plays = [*self._doubtful, *([last] if last is not None else [])]
        if not any(gone <= play.laid and self._may_take_back(play) for play in plays):
            return finding
        return finding.unclear

    def _may_take_back(self, play: LastPlay) -> bool:
        """True where hands that changed the table came from just where some came that made a play.

        Who has surely drawn since, and is another, has let it stand where it was not asked about.
        """
        if not play.asked:
            others = (reach for reach in play.drew if not are_same_hands(reach, play.came))
            if any(self._actors.places.seat_of([reach]) not in (None, play.seat) for reach in others):
                return False
        unseen = play.asked and not (play.came and self._actors.directed)
        return unseen or any(are_same_hands(reach, play.came) for reach in self._actors.changes)

    def _takes_any_back(self, now: Sight) -> bool:
        """True where it is the last play that is taken back, or one over which only draws were told."""
        return self._takes_back(now) or self._takes_back_stood(now)

    def _takes_back_stood(self, now: Sight) -> bool:
        """True where the table lies as before the last play, which passed, and the hands that made it did that.

        They drew since: what it costs, told as others' draws, where names are wrong.
        """
        stood = self._stood
        if stood is None or self.court.someone_is_out or not self._ends_by_itself:
            return False
        if not same_table(now.lying, stood.before.lying):
            return False
        return are_from_one_place((*self._actors.changes, *stood.drew), stood.came)

    def _takes_several_back(self, now: Sight) -> LastPlay | None:
        """Return the first of several plays of which all that they laid is off the table again.

        Nobody steals just that: they were parts of one turn, told too early, whoever's it was taken for.
        """
        if not self._plays:
            return None
        *several, last = self._plays
        for play in reversed(several):
            # What lay so before the last play, too, was one play that is taken away.
            if same_table(now.lying, play.before.lying):
                return None if same_table(last.before.lying, play.before.lying) else play
        return None

    def _is_fined(self, now: Sight) -> bool:
        """True where what went is what the last play costs, which was asked about.

        That is where nothing is left in view of it, unless it was surely the next player who drew; where some
        of it is taken away, and who drew came from where those came who laid it; and where it was surely its
        player who came.
        """
        last, then = self._last_play, self._now
        if last is None or not last.asked or last.seat is None or then is None:
            return False
        laid = last.laid
        if not laid or self._last_turn != (last.seat, "play"):
            return False
        ends_s = self._draws.ends_s(then)
        following = self._after(last.seat)
        next_drew = any(self._actors.took_it(following, went_s) for went_s in ends_s)
        if not laid <= now.lying.keys and are_from_one_place(self._actors.took(ends_s), last.came):
            return not next_drew
        if not laid.isdisjoint(now.lying.in_view):
            return bool(ends_s) and all(self._actors.took_it(last.seat, went_s) for went_s in ends_s)
        return not next_drew

    def _may_be_anothers(self, last: LastPlay, by: int | None) -> bool:
        """True where hands took the last play back that were rather not its player's, nor surely another's."""
        unknown = by is None and self._actors.seat is None and self._actors.places.well_known
        return unknown and last.seat is not None and self._actors.is_rather_not(last.seat)

    def _is_unpaid(self, right: Sight | None) -> bool:
        """True where a fault was put ``right``, and nothing has been drawn for it, as far as a pool shows."""
        foul = self._foul
        if self.state != "foul" or right is None or foul is None or self._foul_by_drawing:
            return False
        return same_table(right.lying, self._baseline) and self._draws.went_between(foul, right) == 0

    def _has_cost(self, now: Sight | None) -> bool:
        """True where backs have gone since a fault by ``now``, as far as a pool shows."""
        foul = self._foul
        return now is not None and foul is not None and self._draws.some_went_between(foul, now)

    def _comes_to_pay(self, reach: Reach) -> bool:
        """True where these hands, with those that they followed at once, may pay for a fault."""
        return self._is_unpaid(self._now) and self._may_pay(self._actors.with_those_before(reach))

    def _may_pay(self, came: Sequence[Reach]) -> bool:
        """True where those who ``came`` soon after a fault was put right may pay for it yet.

        Also from elsewhere than that player lays, for who draws comes in nearer to the pool; but not from where
        the next player rather does, or surely, where they came soon, nor, while nobody knows where that is,
        from the other side of the table.
        """
        if not came:
            return False
        after_s, places = came[0].begin_s - self._rest.last_s, self._actors.places
        if after_s >= _PAYS_S or (not places.knows(self._next_seat) and self._actors.came_opposite(came)):
            return False
        if after_s < _AT_ONCE_S:
            return True
        return places.shares(came)[self._next_seat] < (SURE if after_s < _SOON_S else RATHER)
