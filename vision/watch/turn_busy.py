"""Whether hands that left the table as it was belonged to the turn all the same, which ends only after them."""

from __future__ import annotations

from vision.watch.comers import SOON_S
from vision.watch.doubts import same_table
from vision.watch.seats import SURE
from vision.watch.sight import Sight
from vision.watch.turn_button import TurnButton
from vision.watch.turn_hands import DONE_S
from vision.watch.turn_reaches import ALONE

__all__ = ["TurnBusy"]

_AT_ONCE_S = 1.0
"""Hands that come so soon after the ones before may be at the same turn, whoever's they are."""


class TurnBusy(TurnButton):
    """Tells hands at work from those that rest, fidget, or reach for something else."""

    def _may_be_busy(self, sight: Sight) -> bool:
        """True where hands that left the table as it was may have belonged to the turn all the same.

        Once a faulty table is put right, that is so only if they took from the pool what it cost: not where the
        pool is out of view, and hands that take from it are so, too.
        """
        now, foul = self._now, self._foul
        if self.state != "foul" or now is None or foul is None:
            return self._hand_rested(sight)
        right = self._put_right(now)[1] == "legal" and self._lay_clear
        came_s = self._actors.first_hand_s
        lay_long = came_s is not None and came_s - self._rest.since_s >= DONE_S
        paid = self._has_cost(now)
        right = right and (lay_long or paid or not self._actors.went_straight_on(self._next_seat))
        drew = self._draws.went_between(now, sight) if self._draws.pool_in_view else 0
        return not right or drew is None or bool(drew)

    @property
    def _came_back_soon(self) -> bool:
        """True where hands came at once, or surely those of whose turn it is, who had hardly left.

        Who has put a fault back and not paid draws next, and may come in nearer to the pool: who is hardly the
        next player will do. So will who comes from where all came who changed the table in this turn.
        """
        came_s = self._actors.first_hand_s
        if came_s is None:
            return False
        after_s = came_s - self._rest.last_s
        if after_s < _AT_ONCE_S:
            return True
        if after_s >= SOON_S:
            return False
        unpaid = self.state == "foul" and not self._has_cost(self._now)
        if unpaid and self._actors.were_hardly(self._next_seat):
            return True
        own = self._actors.still_acts(self._acting, SURE)
        return own or self._actors.went_back_there(self._next_seat)

    @property
    def _only_own_came(self) -> bool:
        """True where those since the last look came from where the others did, hardly the next player's."""
        following, actors = self._after(self._acting), self._actors
        if not actors.places.knows(following) or any(reach.share < ALONE for reach in actors.since_look):
            return False
        return actors.were_hardly(following) and actors.went_back_there(following)

    def _hand_rested(self, sight: Sight) -> bool:
        """True where a hand lay over a changed table until now, which was not clear for long before."""
        if self.state != "changed" or (self._ripe is not None and self._ripe.waited_s >= DONE_S):
            return False
        faulty = self._suspect
        if faulty is not None and faulty.clear_s >= DONE_S and same_table(faulty.sight.lying, sight.lying):
            return False
        return self._now is not None and not self._now.clear and sight.clear
