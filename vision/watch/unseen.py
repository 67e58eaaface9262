"""Draws that nobody told of: from the backs in view, and from hands that came and changed nothing."""

from __future__ import annotations

from vision.watch.sight import Sight
from vision.watch.types import GoneBack

__all__ = ["MOST_FINED", "DrawKeeper"]

_POOL = 4
"""So many backs must have been in view at once: fewer are no pool."""
_MISCOUNTED = 2
"""So often has a pool that draws are told of lost more than these, and it is not believed any more."""
_MANY, _FEW = 6, 0.1
"""So many draws tell whether a pool shows them, and this share of them may be missing."""
MOST_FINED = 3
"""Tiles that a fault costs in any edition."""


class DrawKeeper:
    """Keeps what speaks for draws since the turn began."""

    def __init__(self, told: bool) -> None:
        """``told``: draws are told by a button or by signals, and nothing is concluded here."""
        self._told = told
        self.left: int | None = None
        """How many the pool must have had to begin with, where every rack was counted then."""
        self._taken: int | None = None
        self._due: int | None = None
        self._still_since_s = 0.0
        self._unexplained = 0
        self._draws = 0
        self._unshown = 0
        """Draws that were told, and no back was seen to go."""
        self._beyond = self._miscounted = 0
        """How many more went than draws were told, and how often that was so without any fault."""
        self.visits_s: list[float] = []
        """When hands were gone again that had come and left the table as it was."""
        self._fewer_first = False
        self.seen_late = False
        """True where it was seen to be gone only after that, and the hands alone say that it went before."""
        self._was_whole = False
        self.went_with_others = False
        """True where others had gone before it, and the hands alone say who took which."""
        self._went_by_change: int | None = None
        self._most = 0
        self.went_s: float | None = None
        """When a back was first seen to be gone in this turn, before the table changed."""
        self._over_s, self._went_under_hand = 0.0, False
        """When the hand that was over the table then was gone, and whether it still is there."""
        self._seemed_since_s: float | None = None
        """Since which look in this turn one has gone, or seems to have."""
        self._seemed_looks = 0
        """Looks in a row, without anything moving, in which no back had gone for sure."""
        self._gone_s: list[float] = []
        """For every back that has gone in this turn, since when nothing moved in the look that showed it."""

    def turn_begins(
        self, sight: Sight, explained: int = 0, *, fined: bool = False, unshown: bool = False
    ) -> None:
        """A turn begins with this table.

        ``explained`` is how many of the visits until now are known to have been draws; ``fined`` tells whether
        more may have been drawn that nobody tells of; ``unshown`` whether no back was seen to go.
        """
        self._draws += explained
        self._unshown += unshown
        beyond = sight.lying.taken - self._draws
        if (
            self._told
            and beyond > max(self._beyond, 0)
            and not (fined or self._fewer_first or sight.lying.pool_unsure)
        ):
            self._miscounted += 1
        # A back that was just told to be drawn may be on its way yet, and is no less beyond what was told.
        self._beyond = max(beyond, self._beyond) if explained else beyond
        self._unexplained = max(self._unexplained + len(self.visits_s) - explained, 0)
        before = self._taken if self._taken is not None else self._due
        # A fault costs more than is told: then what is due is known only from the pool.
        as_told = explained == 1 and before is not None and before + 1 == self._draws
        self._due = self._draws if as_told else None
        self._taken = None if self._told and sight.lying.pool_unsure else sight.lying.taken
        self._most = max(self._most, sight.lying.backs or 0)
        self._still_since_s = sight.still_since_s
        self.visits_s = []
        self._fewer_first = self.seen_late = self._was_whole = self.went_with_others = False
        self.went_s = self._went_by_change = self._seemed_since_s = None
        self._over_s, self._went_under_hand = 0.0, False
        self._gone_s = []

    def begun_by_drawing(self, went_s: float, *, surely: bool) -> None:
        """The last of several backs that have gone was taken, as it seems, in the turn that begins.

        ``went_s`` is when the hands that came last were gone: unless one went ``surely`` with them alone, those
        before may have taken all of them.
        """
        if self._taken is not None:
            self._taken -= 1
        self._unexplained = max(self._unexplained - 1, 0)
        self.visits_s, self.went_s, self.went_with_others = [went_s], went_s, not surely
        self._gone_s, self._seemed_looks = [went_s], 0

    def order_is_known(self) -> None:
        """Whose turn it was is known now, whatever draws went unseen before."""
        self._unexplained, self.visits_s = 0, []

    @property
    def went_first(self) -> bool:
        """True where a back was gone before the table was seen changed, and nobody tells of draws."""
        return self._fewer_first and not self._told

    @property
    def unexplained(self) -> bool:
        """True where draws may have gone by unseen before this turn began."""
        return self._unexplained > 0

    def drawn_tile_may_be_on_its_way(self) -> None:
        """What the pool shows now may be from before the draw that was just told."""
        self._taken = None

    def nothing_changed(self, sight: Sight) -> None:
        """The table lies as it did when the turn began."""
        self._most = max(self._most, sight.lying.backs or 0)
        if self._taken is None and not sight.lying.pool_unsure:
            self._taken = sight.lying.taken
        if sight.still_since_s > self._still_since_s + 1e-6:
            self._still_since_s = sight.still_since_s
            self.visits_s.append(sight.still_since_s)
        self._fewer_first = False
        if self._taken is not None:
            went = max(sight.lying.taken - self._taken, 0)
            self._gone_s = [*self._gone_s, *[sight.still_since_s] * went][:went]
        if not self.one_went(sight, or_seems_to=True):
            self.went_s = self._seemed_since_s = None
        elif self.went_s is None or (self._seemed_looks > 1 and sight.still_since_s > self.went_s):
            self.went_s = sight.still_since_s  # what only seemed to have gone, and was looked at twice, had not
            self._seemed_since_s = self._seemed_since_s or self.went_s
            self._went_under_hand, self._over_s = not sight.clear, self.went_s
        elif self._went_under_hand and sight.still_since_s > self._over_s:
            self._went_under_hand, self._over_s = not sight.clear, sight.still_since_s
        self._seemed_looks = 0 if self.one_went(sight) else sight.looks

    def table_changed(self, sight: Sight) -> None:
        """The table is seen changed for the first time in this turn."""
        if self._taken is None:
            self._taken = self._due
        self._fewer_first = self.one_fewer(sight, or_seems_to=True)
        self._was_whole = self.seen_late = False
        self._went_by_change = None if self._taken is None else sight.lying.taken - self._taken

    def lies_changed(self, sight: Sight, *, same_hands: bool) -> None:
        """The table is seen changed, by the ``same_hands`` that came in this turn, and nobody has come since.

        What they have taken from the pool went before the play, where it was not seen whole beside it.
        """
        whole = sight.clear and not sight.lying.pool_unsure and not self.one_fewer(sight)
        self._was_whole = self._was_whole or whole
        if same_hands and not self._was_whole and self.one_fewer(sight):
            self.seen_late = self.seen_late or not self._fewer_first
            self._fewer_first = True

    @property
    def would_tell(self) -> bool:
        """True where a draw in this turn would be known of: told, or seen in a pool that was in view before."""
        return self._told or self.pool_in_view

    def went_before_play(self, sight: Sight) -> bool:
        """True where a back went in this turn before the table was changed, whatever is told of draws.

        Where draws are told and not more went than that, it may be one of theirs that was missed until now; and
        a pool that has lost more than was told of now and then, as stacks seem to, tells of nothing.
        """
        known = self._told and (sight.lying.taken <= self._draws or self._miscounted >= _MISCOUNTED)
        return self._fewer_first and self.one_fewer(sight) and not known

    def went_beyond(self, sight: Sight, draws: int) -> bool:
        """True where the pool had lost one more than so many draws as the table was first seen changed."""
        return self._pool_tells and self._went_by_change == draws + 1 and not sight.lying.pool_unsure

    def seems_to_have_gone_first(self, sight: Sight) -> bool:
        """True where a back seems to have gone before the table was changed, and another look would tell."""
        return self._fewer_first and sight.lying.pool_unsure

    def awaits_drawn_tile(self, sight: Sight) -> bool:
        """True where the back that was told to be drawn seems to be gone, and another look would tell."""
        return self._told and self._taken is None and sight.lying.pool_unsure

    def one_fewer(self, sight: Sight, *, or_seems_to: bool = False) -> bool:
        """True where the pool in view has lost exactly one tile in this turn, whatever is told of draws."""
        if self._taken is None or not self.pool_in_view:
            return False
        return sight.lying.taken == self._taken + 1 or (or_seems_to and sight.lying.pool_unsure)

    def one_went(self, sight: Sight, *, or_seems_to: bool = False) -> bool:
        """True where the pool in view has lost exactly one tile in this turn, and nobody tells of draws."""
        return not self._told and self.one_fewer(sight, or_seems_to=or_seems_to)

    def one_went_first(self, sight: Sight) -> bool:
        """True where the pool has lost one before the table was changed, whatever has gone since."""
        if not self.went_first:
            return False
        since = self._went_by_change == 1 and self._taken is not None and sight.lying.taken > self._taken
        return self.one_went(sight) or (since and self._pool_tells)

    def gone(self, sight: Sight) -> tuple[GoneBack, ...]:
        """Return the backs that have gone in this turn."""
        return () if self._taken is None else sight.lying.taken_from[self._taken :]

    def ends_s(self, sight: Sight) -> list[float]:
        """When the draws were over of which missing backs tell in this look, where nobody tells of draws.

        More backs than hands that came went in one hand, or were pushed: those are one draw. Each went with
        the last hands before it was seen to be gone, but for those that took the next one.
        """
        if self._taken is None or not self._pool_tells or sight.lying.taken <= self._taken:
            return []
        went = min(sight.lying.taken - self._taken, len(self.visits_s))
        if went <= 1:
            return [sight.still_since_s if self.went_s is None else max(self.went_s, self._over_s)]
        seen_s = [*self._gone_s, *[sight.still_since_s] * went][:went]
        ends_s: list[float] = []
        left = self.visits_s
        for gone_s in reversed(seen_s):
            at = max((k for k, visit_s in enumerate(left) if visit_s <= gone_s), default=None)
            if at is None:
                break  # it went in one hand with the one after it, or before anyone was seen to come
            ends_s.insert(0, left[at])
            left = left[:at]
        return ends_s or [self.visits_s[-1]]

    def seemed_gone_by(self, went_s: float) -> float:
        """When a back that had gone by ``went_s`` seemed to be gone first: looks until then could not tell."""
        return went_s if self._seemed_since_s is None else min(went_s, self._seemed_since_s)

    @property
    def nothing_moved(self) -> bool:
        """True where nothing has moved in this turn, and nobody tells of draws."""
        return not (self._told or self.visits_s)

    @property
    def nobody_came(self) -> bool:
        """True where nothing has moved in this turn, and nobody who came before it may have drawn unseen."""
        return self.nothing_moved and (self.shows_all or not self._unexplained)

    def were_dealt(self, sight: Sight) -> bool:
        """True where more backs went in one hand than any draw or fault takes: racks are filled."""
        went = 0 if self._taken is None else sight.lying.taken - self._taken
        return self._pool_tells and went > MOST_FINED * max(len(self.visits_s), 1)

    def none_went(self, sight: Sight, *, as_far_as_seen: bool = False) -> bool:
        """True where a pool in view surely lost nothing before the table changed, and nobody tells of draws.

        Only one that has shown a draw before is trusted to show them. ``as_far_as_seen``: where hands may be
        over it, so that only the next clear look is sure.
        """
        taken = sight.lying.taken
        settled = taken > 0 and taken == self._taken and not sight.lying.pool_unsure
        # What went since it was seen whole beside the changed table was no draw before that.
        settled |= self._was_whole and bool(self._taken)
        enough = (sight.lying.backs or 0) >= _POOL or self._is_all_that_was_left
        return settled and (sight.clear or as_far_as_seen) and not self._told and enough

    def one_went_since(self, then: Sight, now: Sight) -> bool:
        """True where the pool in view has lost one tile between two looks, and nobody tells of draws."""
        return self._pool_tells and not then.lying.pool_unsure and now.lying.taken == then.lying.taken + 1

    def some_went_since(self, then: Sight, now: Sight) -> bool:
        """True where backs went between two looks for sure, and nobody tells of draws."""
        return self._pool_tells and not now.lying.pool_unsure and now.lying.taken > then.lying.taken

    def went_between(self, then: Sight, now: Sight) -> int | None:
        """How many backs went between two looks; None where no pool in view tells that."""
        if not self.pool_in_view or now.lying.backs is None:
            return None
        return now.lying.taken - then.lying.taken

    def some_went_between(self, then: Sight, now: Sight) -> bool:
        """True where a pool in view tells that backs went between two looks, whatever is told of draws."""
        return bool(self.went_between(then, now))

    @property
    def shows_all(self) -> bool:
        """True where the pool in view has shown nearly every draw of many."""
        return self._pool_tells and self._draws >= _MANY and self._unshown <= _FEW * self._draws

    @property
    def pool_in_view(self) -> bool:
        """True where so many backs were in view once that they were a pool, or all that was left of it."""
        return self._most >= _POOL or self._is_all_that_was_left

    @property
    def _is_all_that_was_left(self) -> bool:
        return self._most > 0 and self._most == self.left

    @property
    def _pool_tells(self) -> bool:
        """True where nobody tells of draws, and there was a pool in view."""
        return not self._told and self.pool_in_view

    @property
    def most_unseen(self) -> int:
        """How many draws may have gone by unseen."""
        return 0 if self._told else self._unexplained + len(self.visits_s)
