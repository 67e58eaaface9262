"""Fouls that are put back before anyone calls them, told afterwards."""

from __future__ import annotations

from vision.watch.court import Finding
from vision.watch.sight import Sight, Suspect
from vision.watch.turn_tables import TurnTables
from vision.watch.types import WatchEvent

__all__ = ["TurnFouls"]

_FOULS_PERHAPS = frozenset({"drew-first?", "whose-turn?", "really-so?"})
"""Questions about a table that was a foul if the answer is no."""


class TurnFouls(TurnTables):
    """Remembers what lay against the rules for a while in this turn."""

    def _suspects(self, now_s: float) -> None:
        """What is against the rules lay clear for a while: it was a foul, if all of it is put back now.

        So it is where a tile may have been drawn before playing, where it depends on whose turn it was, or
        where a tile may be another one; that stays a question. Who ends turns with the button may try things
        out and take them back.
        """
        now, finding = self._now, self._finding
        if not self._setup.automatic or self.state != "changed" or now is None or finding is None:
            return
        if self.court.over:
            return
        asked = any(question.code in _FOULS_PERHAPS for question in finding.questions)
        if not (finding.verdict == "illegal" or asked) or finding.is_half_done:
            return
        if not (now.clear or now.lying.hidden) or now.still_since_s < self._still_since_s - 1e-6:
            return  # what hides tiles may prove to be a mug that was put down
        s = self._settings
        if self._takes_back(now):
            return  # the last play is being taken back
        changed_s = self._actors.changed_s(self._acting)
        since_s = now.still_since_s if changed_s is None else min(changed_s, now.still_since_s)
        lay_s = now_s - min(self._rest.since_s, since_s)
        in_passing = lay_s >= s.foul_settle_s and self._agreed >= s.looks_in_doubt
        lay_so = now_s - since_s >= s.settle_s or in_passing
        before = self._suspect
        if lay_so and (before is None or before.gives_way_to(self._baseline, now, finding)):
            rested_s, by, without = self._came_to_rest_s, self._actors.seat, self._instead is not None
            self._suspect = Suspect(now, finding, rested_s, lay_s, by, self._acting, without)

    def _was_put_back(self, now: Sight) -> list[WatchEvent]:
        """The table lies as before again: what lay there illegally for a while was a foul after all."""
        suspect, self._suspect = self._open_suspect(now), None
        if suspect is None:
            return []
        finding = suspect.finding
        if finding.verdict == "illegal":
            finding = self._judge_again(suspect, self._acting)
            if finding.verdict != "illegal":
                return []
        else:
            self._was_in_turn_of(suspect)  # whatever was concluded of a later table
        said = self._play(suspect.sight, suspect.end_s, finding, suspect.by)
        self._now = now
        if self.state != "foul" and self._last_play is not None:
            said += self._taken_back(self._last_play, now, now.still_since_s, Finding("legal"))
        return said
