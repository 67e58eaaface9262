"""Whose play a changed table is: by the hands that came, by the pool, by the order of play."""

from __future__ import annotations

from referee import Question
from vision.watch.doubts import same_table
from vision.watch.finding import Finding
from vision.watch.seats import are_from_one_place
from vision.watch.sight import LastPlay, Sight
from vision.watch.turn_book import TurnBook

__all__ = ["TurnWhose"]

_IN_VAIN = 2
"""So often has it been asked whether who played drew first, and stood, before nobody is asked that any more."""
_MOST_OF_IT = 0.7
"""Share of a pool that is in view where it lies side by side."""
_LEAST_TURN_S = 1.0
"""Nobody's turn is shorter."""


class TurnWhose(TurnBook):
    """Says for whom a table is judged, with the draws that must have gone before it."""

    def _whose(self, sight: Sight, finding: Finding) -> Finding:
        """Say whose play it is, and ask where it may have begun in the turn before.

        So may one that is only no opening, and one that takes away what was laid since that turn perhaps ended.
        """
        theirs = self._theirs(sight, finding)
        seat = self._acting
        if theirs.asks_only("has-opened?") and (opened := self._opened_by_hands(seat)) is not None:
            theirs = self._find(self._baseline, sight.lying, seat=seat, opened=opened)
        if theirs.verdict != "illegal" or not self._ends_by_itself:
            return theirs
        if self._has_laid_before(sight, seat):
            return self._asked_whose_turn(seat, theirs)
        for lying, since in self._ended_sooner:
            begun = theirs.is_no_opening and self._find(lying, sight.lying, seat=seat).verdict == "legal"
            if (begun or same_table(lying, sight.lying)) and self._actors.may_have_gone_on(since):
                return self._asked_whose_turn(seat, theirs)
        return theirs

    def _has_laid_before(self, sight: Sight, seat: int) -> bool:
        """True where it is wrong only for who has not opened, and hands from there have laid before.

        By another name, perhaps: after draws that went unseen names, and the places learnt by them, are wrong.
        """
        if self.court.has_opened(seat) is not False or not self._actors.have_laid_before:
            return False
        return self._find(self._baseline, sight.lying, seat=seat, opened=True).verdict != "illegal"

    def _theirs(self, sight: Sight, finding: Finding) -> Finding:
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
        if (mended := self._mended_by(actor, sight, finding)) is not None:
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
        next_one = actor is not None and self._last_turn[0] == actor and self._after(actor) == seat
        if actor is not None and next_one and self._actors.rather_began(seat, actor):
            return self._drew_first(sight, finding)
        if actor is not None and (theirs := self._by_hands(seat, actor, sight, finding)) is not None:
            return theirs
        self._overruled = actor is not None and self._actors.places.knows(seat)
        return self._by_pool(seat, sight, finding)

    def _mended_by(self, actor: int | None, sight: Sight, finding: Finding) -> Finding | None:
        """Say what the last play is, where its player has made it another, legal one since.

        One that nobody was asked about only where what lies there would be a fault by it, whoever laid it.
        """
        last = self._last_play
        if last is None:
            return None
        if actor is None and self._goes_on_with(last, sight):
            actor = last.seat
        if actor is None or actor != last.seat or actor == self.court.seat:
            return None
        if not last.asked:
            theirs = self._find(self._baseline, sight.lying, seat=actor)
            if not finding.verdict == theirs.verdict == "illegal":
                return None
        mended = self._find(last.before.lying, sight.lying, seat=actor, opened=last.had_opened)
        if mended.verdict != "legal" or not mended.played:
            return None
        self._mends = mended
        return mended

    def _goes_on_with(self, last: LastPlay, sight: Sight) -> bool:
        """True where some of what was asked about is taken away, by hands from where those came who laid it."""
        taken = last.asked and not last.laid <= sight.lying.keys
        return taken and are_from_one_place(self._actors.changes, last.came)

    def _after_visits(self, seat: int, sight: Sight, finding: Finding) -> Finding | None:
        """Say what lies there for whom those leave it who came in the order of play, with no pool in view."""
        if not self._setup.automatic or self._draws.would_tell:
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
        if actor is None or not self._actors.places.told_apart or not self._actors.are_hardly(seat):
            return self._if_it_was_theirs(sight, finding)
        self._instead = actor
        return self._find(self._baseline, sight.lying, seat=actor)

    def _by_hands(self, seat: int, actor: int, sight: Sight, finding: Finding) -> Finding | None:
        """Say what it is for the ``actor`` whose hands came, if those before may have drawn; else None."""
        players, sure = len(self._setup.players), self._actors.places.tells_apart(seat, actor)
        passed = (actor - seat) % players
        theirs = self._find(self._baseline, sight.lying, seat=actor)
        all_came = all(self._actors.came_for_nothing((seat + turn) % players) for turn in range(passed))
        went_on = self._last_turn in ((actor, "play"), (actor, "draw")) and not all_came
        # A round of draws that no back and no hand tells of is less likely than a hand from an odd corner.
        none_went = self._draws.none_went(sight, as_far_as_seen=went_on) or self._nobody_came
        none_went = none_went and not self._pool_may_hide(passed, sight)
        at_once = self._last_turn[0] == actor and self._too_soon_for(passed)
        if at_once or (sure and went_on and self._draws.none_went(sight, as_far_as_seen=True)):
            return self._goes_on(seat, actor, finding, theirs)
        if not none_went or sure:
            self._unseen = passed
            drew = self._draws.went_beyond(sight, passed) and self._actors.came_for_nothing(actor)
            return self._asked_whether_drew(actor, theirs) if drew and theirs.verdict != "illegal" else theirs
        if not all_came or (theirs.verdict == "illegal" and finding.verdict != "illegal"):
            return None
        self._unseen = passed
        return theirs

    def _pool_may_hide(self, draws: int, sight: Sight) -> bool:
        """True where so many hands have come for nothing, to a pool of which many lie under others.

        Unless it has shown nearly every draw of many.
        """
        in_part = (sight.lying.backs or 0) < _MOST_OF_IT * self.court.state.pool
        return in_part and not self._draws.shows_all and self._draws.most_unseen >= draws

    def _too_soon_for(self, turns: int) -> bool:
        """True where all hands came from one place, sooner than others can have had so many turns."""
        came = [*self._actors.visits, *self._actors.changes]
        alone = bool(came) and self._actors.all_came_from_there
        return alone and min(reach.begin_s for reach in came) - self._start_s < _LEAST_TURN_S * turns

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
        went = self._draws.one_went_first(sight)
        own = self._actors.is_rather(seat) or self._actors.is_sooner_than(seat, (seat + 1) % players)
        if went and own:
            return self._drew_first(sight, finding)
        least, most = (1, 1) if went else (0, self._draws.most_unseen)
        if least == 0 and (finding.verdict == "legal" or finding.asks_only("has-opened?")):
            return finding
        shown = self._draws.would_tell and self._actors.is_rather(seat)
        if least == 0 and (shown or self._draws.none_went(sight, as_far_as_seen=True)):
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

    @property
    def _nobody_came(self) -> bool:
        """True where a pool was in view, and no hands came in this turn before those that changed the table."""
        return self._draws.would_tell and not self._draws.visits_s and not self._actors.visits

    def _if_it_was_theirs(self, sight: Sight, finding: Finding) -> Finding:
        """Ask whose turn it was where draws may have gone unseen, and for one who has opened it is no fault."""
        seat = self.court.seat
        if finding.verdict != "illegal" or seat is None:
            return finding
        told = self._draws.would_tell and not self._draws.most_unseen
        alone = not self._draws.visits_s or self._actors.all_came_from_there
        sure = told or (self._draws.none_went(sight) and alone)
        others = self._actors.places.tell_apart or not told
        if sure and not (others and self._actors.are_sooner_anothers(seat)):
            return finding
        if self._find(self._baseline, sight.lying, opened=True).verdict == "illegal":
            return finding
        may_be = [other for other in range(len(self._setup.players)) if not self._actors.surely_not(other)]
        if self._actors.have_never_laid or all(self.court.has_opened(other) is False for other in may_be):
            return finding  # a fault, whoever laid it
        return self._asked_whose_turn(seat, finding)

    def _asked_whose_turn(self, seat: int, finding: Finding) -> Finding:
        name = self._setup.players[seat]
        return finding.asking(Question("whose-turn?", answers=("yes", "no"), args=(("player", name),)))

    def _drew_first(self, sight: Sight, finding: Finding) -> Finding:
        """Say where the hands that changed the table have taken a back from the pool before.

        A fault is told only of a player of whom surely all hands were where it lay, and where it was seen to
        have gone before the play, or only hands before it were there; else it is asked. Where draws are told,
        what went with the play itself is none.
        """
        if finding.verdict == "illegal" or not finding.played or not self._draws.went_before_play(sight):
            return finding
        seat = self.court.seat
        assert seat is not None
        gone = self._draws.gone(sight)
        places = [back.place for back in gone]
        if self._setup.draws_told and self._actors.directed and not self._actors.some_came_to(places):
            return finding
        by_heap = any(back.of_heap for back in gone)
        known = [] if by_heap else places
        surely_theirs = self._actors.all_were(seat, known, self._draws.went_s)
        surely_theirs = surely_theirs and self._seat_that_put_back is None
        surely_first = not self._draws.seen_late or self._actors.were_there_first(seat, places)
        if self._drew_in_vain >= _IN_VAIN:
            return finding
        # A heap that was pushed aside looks otherwise, too: it has to have shown the draws of a whole game.
        believed = not (self._drew_in_vain or (by_heap and not self._draws.shows_all))
        if surely_theirs and surely_first and believed and not self._draws.went_with_others:
            return self._find(self._baseline, sight.lying, drew=True, seat=seat)
        return self._asked_whether_drew(seat, finding)

    def _asked_whether_drew(self, seat: int, finding: Finding) -> Finding:
        name = self._setup.players[seat]
        return finding.asking(Question("drew-first?", answers=("yes", "no"), args=(("player", name),)))
