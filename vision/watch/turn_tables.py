"""What of a reading is the table that the turn is about: specks, tiles that have gone, how it lay at first."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from vision.watch.doubts import in_bad_sets, only_hidden_went, same_table, unread
from vision.watch.finding import Finding
from vision.watch.sight import Sight
from vision.watch.strays import left_over, without, without_alone, without_rows
from vision.watch.turn_hands import TurnHands
from vision.watch.types import LyingTable, WatchEvent

__all__ = ["TurnTables"]


class TurnTables(TurnHands):
    """Tells what lies on the table from what only seems to."""

    def _begin(self, sight: Sight) -> list[WatchEvent]:
        self._before = sight
        self._start_s = sight.lying.t_s if not self._resumed else sight.still_since_s
        self._draws.turn_begins(sight)
        self.court.open(sight.lying.table, self._start_s)
        if not self._resumed and self._setup.racks_counted:
            self._draws.left = self.court.state.pool
        self._still_at_end_s = sight.still_since_s
        if sight.lying.tiles:
            self._actors.places.laid(())
        self._accepted = in_bad_sets(sight.lying, self.court.rules.sets)
        return self._logged()[0]

    def _joins(self, sight: Sight) -> None:
        """What seemed to lie alone in the first look lies in a set, and nothing has moved: so it did then."""
        joined = self._aside & sight.lying.keys - sight.lying.alone
        if not joined:
            return
        self._aside -= joined
        if not self._number and self.state == "quiet" and sight.still_since_s <= self._still_at_end_s + 1e-6:
            self._before = replace(sight, lying=without_alone(sight.lying, self._aside))

    def _never_laid(self, lying: LyingTable) -> frozenset[int]:
        """What is new, lies alone, and came where nothing has moved since the last look: a speck, no tile."""
        fresh, self._met = lying.alone - self._met, lying.keys
        if self._before is None or not self._stirred:
            return frozenset()
        places = {tile.key: tile.corners_xy_px for tile in lying.tiles if tile.key in fresh}
        return frozenset(
            key
            for key, quad in places.items()
            if not any(stirred is None or stirred.at(quad) for stirred in self._stirred)
        )

    def _was_faulty(self, sight: Sight) -> list[WatchEvent]:
        """What is not legal when watching begins is nobody's fault: the looks before the first turn tell."""
        if self._number:
            return []
        self._accepted = in_bad_sets(sight.lying, self.court.rules.sets)
        if not self._accepted or self._told_faulty or sight.looks < self._settings.looks:
            return []
        self._told_faulty = True
        message = "What is not legal on the table from the beginning counts as it lies."
        return [self._notice("faulty-before", message)]

    def _found_gone(self, sight: Sight) -> list[WatchEvent]:
        """A tile that was out of view at the turn's end has gone by then, where nothing has moved since.

        So it has where it was asked about then and was not seen since: those who come after did not take it.
        """
        before = self._before
        if before is None or self.state != "quiet" or self.court.someone_is_out:
            return []
        if sight.still_since_s > self._still_at_end_s + 1e-6 and not self._hidden_asked:
            return []
        if not only_hidden_went(before.lying, sight.lying):
            return []
        last = self._last_play
        if last is not None and same_table(sight.lying, last.before.lying):
            self._now = sight
            return self._taken_back(last, sight, sight.still_since_s, Finding("legal"))
        self._before = sight
        return self._accept(in_bad_sets(sight.lying, self.court.rules.sets))

    def _accept(self, faulty: frozenset[int]) -> list[WatchEvent]:
        """What a tile that went unseen has left behind is held against nobody after that."""
        if faulty <= self._accepted:
            return []
        self._accepted |= faulty
        message = "A tile has left the table in the turn before, and what is left of its set is not legal."
        return [self._notice("left-faulty", message)]

    def _unread_went(self, sight: Sight) -> None:
        """What was never read and has gone was no tile, where none has come: a gap between two rows."""
        before = self._before
        if before is None or sight.lying.keys - before.lying.keys:
            return
        if went := unread(before.lying) - sight.lying.keys:
            self._before = replace(before, lying=without(before.lying, went))

    def _without_ghosts(self, sight: Sight) -> list[WatchEvent]:
        """What was hidden when its twin was laid in the last play, and is gone now, was that twin, moved."""
        before, last, lay = self._before, self._last_play, self._baseline
        went = (lay.hidden & self._never_in_view) - sight.lying.keys
        if last is None or before is None or not went:
            return []
        old = last.before.lying.keys
        twins = Counter(tile.seen.candidates for tile in lay.tiles if tile.key not in old)
        ghosts = set()
        for tile in lay.tiles:
            if tile.key in went & old and len(tile.seen.candidates) == 1 and twins[tile.seen.candidates]:
                twins[tile.seen.candidates] -= 1
                ghosts.add(tile.key)
        if not ghosts:
            return []
        rest, rules = without(lay, ghosts), self.court.rules.sets
        self._before = replace(before, lying=rest)
        return self._accept(in_bad_sets(rest, rules) - in_bad_sets(lay, rules))

    def _went_unseen(self, sight: Sight) -> list[WatchEvent]:
        """What the last play was asked about went out of view, and is gone now: its player had taken it back.

        Who lays tiles after that is not charged with it.
        """
        last, before, since_s = self._last_play, self._before, self._unseen_since_s
        if before is None or self.state == "foul":
            return []
        lay = last.before if last is not None and self.state == "quiet" else before
        if sight.lying.hidden <= lay.lying.keys:
            self._unseen_since_s = None
        elif since_s is None:
            self._unseen_since_s = sight.still_since_s
        if last is None or not last.asked or self.state != "quiet":
            return []
        if since_s is not None and sight.still_since_s <= since_s + 1e-6:
            return []  # two looks were needed to see what hands have just taken
        went = before.lying.hidden - sight.lying.keys
        if not went or not same_table(rest := without(before.lying, went), last.before.lying):
            return []
        end_s = before.still_since_s if since_s is None else since_s
        return self._taken_back(last, replace(before, lying=rest), end_s, Finding("legal"))

    def _without_left_over(self, sight: Sight) -> Sight:
        """Leave out what was taken back with its set, though its place does not look bare."""
        hidden = sight.lying.hidden
        self._left_over &= hidden
        old = self._baseline.keys
        if sight.clear:
            self._left_over |= left_over(sight.lying, self._laid_so_far)
            in_view = (frozenset(one.keys) for one in sight.lying.sets if hidden.isdisjoint(one.keys))
            self._laid_so_far |= {keys for keys in in_view if len(keys) > 1}
        self._left_over -= old
        return replace(sight, lying=without_rows(sight.lying, self._left_over))
