"""What a button, or a line of a signals file, ends: a play, a putting back, a draw or a pass."""

from __future__ import annotations

from dataclasses import replace

from vision.watch.finding import Finding
from vision.watch.sight import Sight
from vision.watch.turn_fouls import TurnFouls
from vision.watch.types import Signal, WatchEvent

__all__ = ["TurnButton"]


class TurnButton(TurnFouls):
    """Does what is told, with the table as clear as it gets by then."""

    def _pressed(self, now: Sight) -> list[WatchEvent]:
        """The button was pressed, and the table is as clear as it gets."""
        said = self._told_by_button(now)
        self._ended_by_itself_s = -1e9
        return said

    def _told_by_button(self, now: Sight) -> list[WatchEvent]:
        signal, self._button = self._button, None
        assert signal is not None
        assert self._before is not None
        end_s, self._stops = signal.t_s, []  # where the turn ended is told
        said: list[WatchEvent] = []
        if self.state == "foul":
            restored, verdict = self._put_right(now)
            if verdict != "illegal":
                if signal.kind == "end-turn":
                    return self._put_back(now, end_s, restored=restored)
                said = self._put_back(now, min(self._came_to_rest_s, end_s), restored=restored)
            elif signal.kind == "end-turn":
                left = self._left_faulty(now)
                if left is None and not self._warned:
                    self._warned = True
                    message = "The table is not put back yet, and not legal as it lies."
                    return [self._notice("not-put-back", message)]
                said = self._play_on(left or self._foul or now, now)
            else:
                said = self._play_on(now, now)
        return said + self._turn_pressed(signal, now, end_s)

    def _turn_pressed(self, signal: Signal, now: Sight, end_s: float) -> list[WatchEvent]:
        assert self._before is not None
        said: list[WatchEvent] = []
        if self.state == "changed" and signal.kind == "end-turn" and self._goes_back_after_press(now):
            return self._was_pressed_over(now)
        if self.state == "changed" and self._mends is not None and signal.kind != "end-turn":
            said += self._play(now, min(self._came_to_rest_s, end_s), self._mends)
        if self.state == "changed" and signal.kind == "draw" and now.clear:
            said += self._close_before(signal)  # what lies there may have come into view only since it was told
        if self.state == "changed":
            finding = self._find(self._before.lying, now.lying, drew=signal.kind == "draw")
            if signal.kind == "end-turn":
                finding = self._whose(now, finding)
            if now.clear or signal.kind == "end-turn" or finding.played:
                return self._play(now, end_s, finding if now.clear else finding.unclear)
            # Somebody told of a draw or a pass, and what is missing may lie under the hands that are there.
            now = replace(now, lying=self._before.lying)
        if signal.kind == "end-turn" and self.court.someone_is_out:
            return said
        seen_to_go = self._draws.one_fewer(now, or_seems_to=True)
        if signal.kind == "end-turn" and self._setup.draws_told_apart and not seen_to_go:
            return said + self._nothing_seen(now, end_s)
        drawn = signal.kind == "draw" or (signal.kind == "end-turn" and bool(self.court.state.pool))
        seat = self.court.seat
        inferred = signal.kind == "end-turn" and not self._draws.one_went(now)
        (self.court.drew if drawn else self.court.passed)(end_s)
        said += self._end("draw" if drawn else "pass", end_s, now, Finding("legal"), seat, inferred=inferred)
        self._draws.drawn_tile_may_be_on_its_way()
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
            restored, verdict = self._put_right(now)
            if verdict == "legal":
                return self._put_back(now, end_s, restored=restored)
            return []
        if self._finding is not None and self._finding.verdict != "illegal":
            return self._play(now, end_s, self._finding)
        return []
