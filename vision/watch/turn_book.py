"""What follows from the end of a turn: the log, the record, and the state from which the next turn begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from referee import Question, Verdict
from vision.watch.doubts import goes_on, in_bad_sets, same_table, trusted
from vision.watch.finding import Finding
from vision.watch.reach import Reach
from vision.watch.rest import BETWEEN_S, between_s
from vision.watch.seats import are_from_one_place, is_ones
from vision.watch.sight import LastPlay, Sight, Suspect
from vision.watch.turn_ends import TurnEnds
from vision.watch.types import WatchEvent
from vision.watch.unseen import MOST_FINED, DrawKeeper

__all__ = ["TurnBook"]

_PASSED_OVER_S, _PASSED_OVER_TILES = 20.0, 3
"""For so long a faulty table lies, and so many tiles are laid soundly beside it, before it is given up."""


class TurnBook(TurnEnds):
    """Ends turns; *when* one ends is its heir's to say."""

    def _play(
        self, now: Sight, end_s: float, finding: Finding, by: int | None = None, *, stands: bool = True
    ) -> list[WatchEvent]:
        if self.court.over and finding.verdict != "legal":
            return []  # the table is cleared, racks are laid out: only a legal play goes on with the game
        last = self._last_play
        # A tile that was asked about, and is back where it lay, is no legal play of whoever comes next.
        if last is not None and (finding.verdict != "legal" or last.asked) and self._takes_back(now, by):
            if not self._may_be_anothers(last, by):
                return self._taken_back(last, now, end_s, Finding("legal"))
            if finding.verdict == "illegal":
                finding = finding.asking(Question("really-so?", finding.gone, ("yes", "no")))
        if self._mends is not None and finding is self._mends:
            assert last is not None
            return self._taken_back(last, now, end_s, finding)
        if finding.verdict == "illegal":
            stood = self._stood if self._takes_back_stood(now) else self._takes_several_back(now)
            if stood is not None:
                return self._taken_back(stood, now, end_s, Finding("legal"))
        suspect, self._suspect = self._open_suspect(now), None
        if finding.verdict == "legal" and suspect is not None and suspect.was_taken_back(now):
            foul = self._doubted(self._judge_again(suspect, suspect.acting), suspect.sight)
            if foul.verdict == "illegal":
                followed = self._put_back_before_next(suspect, now)
                self._was_in_turn_of(suspect)
                said = self._play(suspect.sight, suspect.end_s, foul)
                self._finding = finding
                if followed is None:
                    return said + self._put_back(now, end_s, restored=False)
                restored, (laid, theirs), hands = followed
                said += self._put_back(restored, restored.still_since_s, restored=True)
                self._actors.changes = hands
                return said + self._play(laid, min(end_s, hands[-1].end_s), theirs)
        finding = self._doubted(finding, now)
        said = self._unseen_draws() + self._missed_turn()
        seat = self.court.seat
        assert self._before is not None
        asked = finding.verdict == "ask"
        came = tuple(filter(is_ones, self._actors.changes))
        arms = () if came else tuple(arm for reach in self._actors.changes for arm in reach.each)
        play = LastPlay(
            self._before, seat, self.court.has_opened(seat),
            laid=now.lying.keys - self._baseline.keys, asked=asked, came=came, arms=arms,
        )  # fmt: skip
        if finding.verdict == "illegal":
            if seat is not None and self._has_surely_not_opened(seat):
                self.court.has_not_opened(seat)
            self.court.fouled(trusted(now.lying, self._baseline), end_s)
            said += self._end("play", end_s, now, finding, seat, foul=True)
            self._foul_lies(now)
            self._foul_by_drawing = finding.is_after_drawing
            return said
        self.court.played(trusted(now.lying, self._baseline), finding, end_s)
        if seat is not None and self._ends_by_itself:
            laid_by, rather = self._actors.changes, self._actors.rather_than(seat)
            if self._actors.may_not_be(seat, laid_by):
                self.court.may_be_two(seat, finding, laid_by)
            self.court.may_be_others(seat, play.had_opened, rather, laid_by)
        self._not_held_against_others(finding, now)
        said += self._end("play", end_s, now, finding, seat, stands=stands)
        if asked:
            self._doubtful.append(play)
        self._last_play = play
        self._plays.append(play)
        return said

    def _open_suspect(self, now: Sight) -> Suspect | None:
        """Return what lay against the rules for a while in this turn by ``now``, if no hand lay over it."""
        suspect = self._suspect
        return suspect if suspect is not None and suspect.lay_by(now) and suspect.lay_open(now) else None

    def _put_back_before_next(
        self, suspect: Suspect, now: Sight
    ) -> tuple[Sight, tuple[Sight, Finding], list[Reach]] | None:
        """Return a table that was put back, where the next player has laid since, unseen.

        With it what that one had laid before anyone else came, what is said of that, and the hands that did so.
        None where it may be the same player who laid otherwise.
        """
        first = self._lay_at_first
        laid = first if first is not None and same_table(first.lying, now.lying) else now
        if (suspect.sight.lying.keys - self._baseline.keys) & laid.lying.keys:
            return None
        following = self._after(suspect.acting)
        theirs = self._find(self._baseline, laid.lying, seat=following)
        left = self._actors.left_it_to(suspect.acting, following, suspect.end_s)
        if theirs.verdict != "legal" or left is None or self._before is None:
            return None
        (put_back_s, hands), pool = left, laid.lying
        lay = replace(
            self._before.lying, t_s=put_back_s, backs=pool.backs, taken=pool.taken, taken_from=pool.taken_from
        )
        return replace(self._before, lying=lay, still_since_s=put_back_s), (laid, theirs), hands

    def _foul_lies(self, now: Sight) -> None:
        """A table against the rules was called; what becomes of it is not known yet."""
        self._foul, self._still_faulty, self.state, self._warned = now, None, "foul", False
        self._fined_s = now.still_since_s
        self._foul_by_drawing = False

    def _was_in_turn_of(self, suspect: Suspect) -> None:
        """It is the turn that the suspect was taken for, whoever came since that was concluded."""
        seat, acting = self.court.seat, suspect.acting
        self._unseen, self._instead = 0, None
        if seat is None or acting == seat:
            return
        if suspect.out_of_turn:
            self._instead = acting
        else:
            self._unseen = (acting - seat) % len(self._setup.players)

    def _taken_back(self, last: LastPlay, now: Sight, end_s: float, finding: Finding) -> list[WatchEvent]:
        """The last play is put back by its player: the table lies as before it, or as another, legal play."""
        had_opened = True if finding.played else last.had_opened
        # What its own hands drew is what it costs, and was nobody else's turn.
        fined = last.seat is not None and are_from_one_place(last.drew, last.came)
        following = self._after(last.seat or 0) if fined else None
        self.court.took_back(trusted(now.lying, last.before.lying), end_s, last.seat, had_opened, following)
        said = self._end("put-back", end_s, now, finding, last.seat)
        self._last_play = last if last.asked and finding.played else None  # the rest of it may follow
        return said

    def _unseen_draws(self) -> list[WatchEvent]:
        """Write down the draws that must have gone before the table that lies there."""
        unseen, self._unseen = self._unseen, 0
        visits_s, before, state = self._draws.visits_s, self._before, self.state
        assert before is not None
        if unseen and self.court.seat is not None:
            went_s, in_turn_s = self._draws.ends_s(before), self._actors.came_in_turn(self.court.seat)
            if self._draws.went_first and len(went_s) == unseen:
                visits_s = went_s  # later hands may have been at anything
            elif len(in_turn_s) >= unseen:
                visits_s = in_turn_s
        said: list[WatchEvent] = []
        # Of turns that left nothing to see nobody knows when they were: evenly until somebody came.
        start_s, came_s = self._start_s, max(self._actors.came_first_s, self._start_s)
        for at in range(unseen):
            between_s = start_s + (came_s - start_s) * (at + 1) / (unseen + 1)
            end_s = visits_s[at] if at < len(visits_s) else between_s
            said += self._drew(before, end_s, inferred=True)
        self.state = state
        return said

    def _drew_unseen(self) -> list[WatchEvent]:
        """Write down the draws of those who came in the order of play, where no pool and nobody tells."""
        seat, before = self.court.seat, self._before
        if seat is None or before is None or self._draws.would_tell:
            return []
        self._unseen = len(self._actors.came_in_turn(seat))
        return self._unseen_draws()

    def _missed_turn(self) -> list[WatchEvent]:
        """Go on with the player who plays, where a turn before was missed or had not ended; none is made up."""
        seat, self._instead = self._instead, None
        if seat is None or seat == self.court.seat:
            return []
        self.court.resynchronise(trusted(self._baseline, self._baseline), self._start_s, seat)
        code, message = "turn-missed", f"A turn was missed: {self._setup.players[seat]} plays."
        if not self._setup.draws_told:
            code, message = "goes-on", f"That turn was told too early: {self._setup.players[seat]} goes on."
        return [*self._logged()[0], self._notice(code, message)]

    def _drew(self, now: Sight, end_s: float, *, inferred: bool = False) -> list[WatchEvent]:
        seat = self.court.seat
        # Where whose turn it would be draws, no rack was empty: it holds what nobody saw drawn.
        if self.court.someone_is_out and not self._actors.took_it(seat, end_s):
            return []
        if inferred and now.lying.backs == 0 and self._draws.pool_in_view:  # nothing was left to draw
            self.court.passed(end_s)
            return self._end("pass", end_s, now, Finding("legal"), seat, inferred=True)
        self.court.drew(end_s)
        return self._end("draw", end_s, now, Finding("legal"), seat, inferred=inferred)

    def _drew_so_far(self, now: Sight, *, but_last: bool = False) -> list[WatchEvent]:
        """Write down the draws that missing backs tell of.

        Where whose turn it was had reached in before, and then a later player's hands took the one back that
        is missing, those before it were not seen. ``but_last``: the last of several is no turn yet, since
        whoever drew goes on.
        """
        if not self._number and self._draws.were_dealt(now):
            self._draws = DrawKeeper(self._setup.draws_told)
            self._draws.turn_begins(now)
            self._actors.visits = []
            return []
        if self._is_fined(now):
            return []
        played_alone = self._last_turn[1] == "play" and self._laid_alone and self._draws.nobody_came
        paid = self._last_turn[1] == "put-back" and self._draws.nothing_moved
        if paid and self._draws.gone(now):
            self.court.may_hold_more(self._last_turn[0])
        if played_alone or paid:
            self._draws.turn_begins(now)  # it went with the turn that is over, or not at all
            return []
        ends_s = self._draw_ends_s(now)
        said: list[WatchEvent] = []
        late = [reach for reach in self._actors.visits if but_last and reach.end_s > ends_s[-2]]
        places = [back.place for back in self._draws.gone(now)]
        own = but_last and self._actors.last_took_one(ends_s[-2], places)
        last_s = ends_s[-1] if but_last else 0.0
        if fine := self._fine_in(ends_s):
            self.court.may_hold_more(self._seat_that_put_back)
            if fine == len(ends_s):
                self._draws.turn_begins(now, explained=fine)
                return []
            ends_s = ends_s[fine:]
        if unseen := self._drawn_before(ends_s, now):
            self._unseen = unseen
            said += self._unseen_draws()
        for nth, end_s in enumerate(ends_s[:-1] if but_last else ends_s):
            is_last = nth == len(ends_s) - 1
            said += self._drew(now, self._drawn_by_s(self._acting, end_s) if is_last else end_s)
        if but_last and not self.court.someone_is_out:
            self._draws.begun_by_drawing(last_s, surely=own)
            self._actors.visits = late
        return said

    def _fine_in(self, ends_s: Sequence[float]) -> int:
        """Return how many of these draws, the first ones, are what a fault costs that was put back."""
        mender = self._seat_that_put_back
        if mender in (None, self._acting):
            return 0
        first = takewhile(lambda went_s: self._mender_took_it(mender, went_s), ends_s[:MOST_FINED])
        return len(list(first))

    def _mender_took_it(self, mender: int | None, went_s: float) -> bool:
        """True where who put a fault back took what had gone by ``went_s``, or nobody came since."""
        nobody_came = went_s <= self._start_s
        return nobody_came or self._actors.took_rather(mender, self._acting, went_s)

    def _draw_ends_s(self, now: Sight) -> list[float]:
        """Return when the draws were over of which missing backs tell; one alone where only one player came.

        What seemed to be gone before the next player's hands came, they did not take.
        """
        ends_s = self._draws.ends_s(now)
        if len(ends_s) == 1 and self._next_took_it(ends_s[0], now):
            seemed_s = self._draws.seemed_gone_by(ends_s[0])
            return [seemed_s] if self._actors.took([seemed_s]) else ends_s
        return ends_s[-1:] if self._actors.only_visited(self._acting) else ends_s

    def _next_took_it(self, went_s: float, now: Sight) -> bool:
        """True where the next player's hands took what had gone by ``went_s``, after those whose turn it was.

        Of a pool that has shown all draws these have to have been where backs have gone: others fidget.
        """
        pool = [back.place for back in now.lying.taken_from] if self._draws.shows_all else None
        return self._actors.next_took_it(self._acting, self._after(self._acting), went_s, pool)

    def _drawn_by_s(self, seat: int, went_s: float) -> float:
        """Return when a draw was over: the middle, where its player's hands came back at once."""
        until_s = self._actors.stayed_until_s(seat, went_s)
        return between_s(went_s, until_s) if 0 < until_s - went_s <= BETWEEN_S else went_s

    def _drawn_before(self, ends_s: Sequence[float], now: Sight) -> int:
        """Return how many draws went unseen in this turn before the one that a missing back tells of."""
        if len(ends_s) != 1:
            return 0
        if self._next_took_it(ends_s[0], now):
            return 1
        if self._draws.shows_all or self._seat_that_put_back is not None:
            return 0
        return self._actors.came_round(self._acting, ends_s[0])

    def _laid(self, now: Sight) -> frozenset[int]:
        """Tiles of all sets that did not lie so when the turn began."""
        return frozenset(key for row in now.lying.rows - self._baseline.rows for key in row)

    def _not_held_against_others(self, finding: Finding, now: Sight) -> None:
        """What was asked about once is not held against those who come after."""
        if any(question.tiles for question in finding.questions):
            self._accepted |= self._laid(now)

    def _put_back(self, now: Sight, end_s: float, *, restored: bool) -> list[WatchEvent]:
        """The faulty table has been put back, or made legal."""
        foul = self._foul
        assert foul is not None
        table = trusted(now.lying, self._baseline)
        finding = Finding("legal") if restored or self._finding is None else self._finding
        penalty = self._draws.went_between(foul, now)
        if penalty and restored:
            paid = [back.place for back in now.lying.taken_from[len(foul.lying.taken_from) :]]
            until_s = self._actors.were_there_until_s(self._seat_of_foul, paid, (end_s, self._fined_s))
            end_s = end_s if until_s is None else until_s
        if self.court.seat == self._seat_of_foul:
            lay = trusted(foul.lying, self._baseline)
            drew = self._foul_by_drawing
            self.court.put_back(lay, table, end_s, restored=restored, penalty=penalty, drew=drew)
        elif not restored:
            # After a time-out the log has moved on already, as if all had been put back.
            self.court.resynchronise(table, end_s)
        self._not_held_against_others(finding, now)
        said = self._end("put-back", end_s, now, finding, self._seat_of_foul, shown_before=foul)
        if penalty or not restored:
            # What the fault costs is drawn, or it was made right: another back is the next turn's.
            self._seat_that_put_back = None
        self._foul, self._warned = None, False
        return said

    def _put_right(self, now: Sight) -> tuple[bool, Verdict]:
        """Return whether a faulty table lies as before the turn again, and the verdict on it as it lies."""
        restored = same_table(now.lying, self._baseline)
        if restored:
            return True, "legal"
        return False, self._finding.verdict if self._finding is not None else "illegal"

    def _left_faulty(self, now: Sight) -> Sight | None:
        """Return the faulty table that was left as it lay then, where the next player has made a turn."""
        for lies in (self._foul, self._still_faulty):
            if lies is not None and goes_on(self.court, self._baseline, lies.lying, now.lying, self._next_seat):
                return lies
        return None

    def _passed_over(self, now: Sight) -> bool:
        """True where others have long gone on beside what was called faulty, though it does not lie as it did.

        It was no fault, perhaps no tile; to wait for its putting-back would lose the rest of the game.
        """
        foul = self._foul
        if foul is None or now.still_since_s - foul.still_since_s < _PASSED_OVER_S:
            return False
        laid = now.lying.in_view - foul.lying.keys - self._baseline.keys
        sound = laid - in_bad_sets(now.lying, self.court.rules.sets)
        return len(sound) >= _PASSED_OVER_TILES and self._actors.others_came(self._acting)

    def _go_on_beside(self, now: Sight) -> list[WatchEvent]:
        """Take the table as it lies, and whoever comes after the last that laid for the next."""
        return self._play_on(now, now, self._actors.places.seat_of(self._actors.changes[-1:]))

    def _play_on(self, lies: Sight, now: Sight, after: int | None = None) -> list[WatchEvent]:
        """Nobody put the table back: it counts as it ``lies``, and the next player's turn is under way.

        ``after``: who has laid last, where that is another than whom the fault was called on.
        """
        following = self._next_seat if after is None else self._after(after)
        self._accepted |= self._laid(lies)
        self._actors.places.laid(())
        self.court.went_unjudged(
            trusted(lies.lying, self._baseline), self._start_s, self._seat_of_foul, following
        )
        self._before, self._foul, self._warned, self._suspect = lies, None, False, None
        self._laid_so_far = frozenset()
        self._never_in_view = lies.lying.hidden - now.lying.in_view
        same = same_table(now.lying, lies.lying)
        self.state = "quiet" if same else "changed"
        self._finding = None if same else self._find(lies.lying, now.lying)
        said = self._logged()[0]
        message = "The table was not put back, and the game went on: it counts as it lies."
        return [*said, self._notice("played-on", message)]

    def _nothing_seen(self, now: Sight, end_s: float) -> list[WatchEvent]:
        """A turn was ended that was no draw, and nothing is seen of it: a mug may hide what was laid."""
        seat = self.court.seat
        args = () if seat is None else (("player", self._setup.players[seat]),)
        asked = Finding("ask", questions=(Question("nothing-seen?", answers=("yes", "no"), args=args),))
        table = trusted(self._baseline, self._baseline)
        self._actors.places.laid(())
        self.court.went_unjudged(table, end_s, seat, self._next_seat)
        return self._end("unknown", end_s, now, asked, seat)
