"""How the turn under way stands: what was seen and concluded of it, and whose it is."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Literal

from referee import Event
from vision.watch.actors import Actors
from vision.watch.court import Court
from vision.watch.doubts import find
from vision.watch.finding import Finding
from vision.watch.reach import Reach, Stirred
from vision.watch.rest import RestKeeper
from vision.watch.seats import SeatPlaces, are_from_elsewhere, are_from_one_place, is_ones
from vision.watch.setup import WatchSetup
from vision.watch.sight import LastPlay, Ripe, Sight, Suspect
from vision.watch.turn_settings import TurnSettings
from vision.watch.types import Action, LyingTable, Signal
from vision.watch.unseen import DrawKeeper

__all__ = ["State", "TurnState"]

State = Literal["quiet", "changed", "foul"]

_REMEMBERED = 4
"""So many plays back a table is known again."""


class TurnState:
    """Keeps how the turn under way stands; what ends it, and what follows, is its heirs' to say."""

    def __init__(
        self,
        setup: WatchSetup,
        settings: TurnSettings,
        events: Sequence[Event] = (),
        places: SeatPlaces | None = None,
    ) -> None:
        """Begin a game, or go on with the one that ``events`` tell of; ``places`` outlives this keeper."""
        self._setup, self._settings = setup, settings
        self.court = Court(setup, events)
        self.state: State = "quiet"
        self._resumed = bool(events)
        self._number = 0
        self._start_s = 0.0
        self._rest = RestKeeper()
        self._alone_since_s = 0.0
        """Since when the table has lain so, and no hands have come to it."""
        self._still_at_end_s = -1e9
        """Since when nothing had moved as the last turn ended."""
        self._hidden_asked = False
        """Whether the last turn left a question about tiles out of view."""
        self._never_in_view: frozenset[int] = frozenset()
        """Tiles that were out of view as the last turn ended, and have been ever since."""
        self._unseen_since_s: float | None = None
        """Since when something that was laid in this turn or the last one has been out of view."""
        self._before: Sight | None = None
        self._now: Sight | None = None
        self._finding: Finding | None = None
        self._foul: Sight | None = None
        self._still_faulty: Sight | None = None
        """What became of it, where that lay still for long and is against the rules, too."""
        self._fined_s = 0.0
        """Since when nothing moved in the look that was the first to show the last back gone."""
        self._seat_of_foul: int | None = None
        self._foul_by_drawing = False
        """Whether the fault is a play after a draw: then all that was laid has to be taken back."""
        self._warned = False
        self._accepted: frozenset[int] = frozenset()
        """Tiles of sets that were asked about, called illegal and left, or faulty when watching began: not
        judged while they lie so."""
        self._doubtful: list[LastPlay] = []
        """Plays that were asked about, whose players have had no turn since: they may take them back."""
        self._laid_so_far: frozenset[frozenset[int]] = frozenset()
        """Sets of several tiles that lay on the table in this turn."""
        self._left_over: frozenset[int] = frozenset()
        """What was taken back with them: while it lies alone and out of view, it is gone."""
        self._aside: frozenset[int] = frozenset()
        """What lay alone from the beginning and could not be read: while it lies alone, no tile of the game."""
        self._stirred: list[Stirred | None] = []
        """Where hands were since the last look, and before it while nothing has moved since."""
        self._looked = False
        self.next_comes_s: float | None = None
        """Since when the next player's hands come in, over a table that nobody has looked at since the last."""
        self._next_after_s = 0.0
        """When the turn began after which those come."""
        self._next_was_there = False
        """Whether they, and nobody else, have been there already since that look."""
        self._touched = True
        """Whether hands may have been what moved last."""
        self._told_unpressed = False
        """Whether the last turn was seen, where only plays are told, and nothing has moved since."""
        self._met: frozenset[int] = frozenset()
        """What was seen in the last look, tile or not."""
        self._strays = self._old_strays = frozenset[int]()
        """What may be tiles and was not seen well enough to count: in the last look, when the turn began."""
        self._strayed = False
        """True where something of these is new in this turn."""
        self._told_faulty = False
        self._suspect: Suspect | None = None
        self._lay_at_first: Sight | None = None
        """The table as it lies, as it was last looked at before anything moved again."""
        self._torn: Suspect | None = None
        """Sets that lay torn apart in this turn for long, and nothing was laid."""
        self._hasty: Suspect | None = None
        """What lay against the rules in this turn, for however short a while."""
        self._hasty_lay: Sight | None = None
        """The last look at it."""
        self._hasty_paid = False
        """Whether a back went while it was being taken back."""
        self._last_play: LastPlay | None = None
        self._plays: deque[LastPlay] = deque(maxlen=_REMEMBERED)
        """The last plays that passed, the last one last."""
        self._stood: LastPlay | None = None
        """The last play, where it passed and only draws were told since."""
        self._button: Signal | None = None
        self._draws = DrawKeeper(setup.draws_told)
        self._actors = Actors(places or SeatPlaces(len(setup.players)))
        self._stops: list[tuple[LyingTable, int]] = []
        """Legal tables that lay clear in this turn, and after how many reaches that changed it."""
        self._ended_sooner: list[tuple[LyingTable, Sequence[Reach]]] = []
        """With which of them the last turn may have ended, as far as hands tell, and those that came since."""
        self._ripe: Ripe | None = None
        self._beneath: Ripe | None = None
        """The same where hands rest over a part of it."""
        self._unseen = 0
        """Draws that must have gone before the table that lies there, unseen."""
        self._mends: Finding | None = None
        """What is to be said of it, where whoever was asked about the last play has made it another one."""
        self._instead: int | None = None
        """Whose turn it must be, where the seat that the log has is not the one that plays."""
        self._overruled = False
        """True where the pool in view was believed against the hands: no place is learnt."""
        self._drew_in_vain, self._asked_whether_last_drew = 0, False
        """How many plays stood though it was asked whether who played drew first, and whether the last was."""
        self._last_turn: tuple[int | None, Action] = (None, "unknown")
        """Whose turn the last one was, and what it was."""
        self._laid_alone = False
        """Whether the hands that made the last turn were one person's, and nobody else's beside them."""
        self._seat_that_put_back: int | None = None
        """Whose turn the last one was, where a table was put back and no tile was seen to be drawn for it."""
        self._ended_by_itself_s = -1e9
        """When a turn was last told without a button that may still be pressed for it."""
        self._clock_s = 0.0
        """When time was last seen to go by."""
        self._agreed = self._alike = 0
        """How many looks in a row have shown the table as it lies now, and how many the same tiles in view."""
        self._lay_clear = False
        """Whether one of these looks was clear."""
        self._moving = False
        self._still_since_s = 0.0

    def goes_on_from(self, other: TurnState) -> None:
        """Take over what another keeper of this game knows to be no tile of it, or has not seen."""
        self._never_in_view = other._never_in_view
        self._aside, self._left_over = other._aside | other._left_over, frozenset()
        self._told_faulty = other._told_faulty

    @property
    def _ends_by_itself(self) -> bool:
        """True where turns end without a button, and none was pressed."""
        return self._setup.automatic and self._button is None

    @property
    def _baseline(self) -> LyingTable:
        assert self._before is not None
        return self._before.lying

    @property
    def _next_seat(self) -> int:
        seat = self._seat_of_foul
        return self._after(seat if seat is not None else self.court.seat or 0)

    def _after(self, seat: int) -> int:
        """Whose turn follows a seat's."""
        return (seat + 1) % len(self._setup.players)

    @property
    def _acting(self) -> int:
        """Whose turn is under way, with the draws that went by unseen."""
        if self.state == "foul" and self._seat_of_foul is not None:
            return self._seat_of_foul
        if self._instead is not None:
            return self._instead
        return ((self.court.seat or 0) + self._unseen) % len(self._setup.players)

    def _find(
        self,
        before: LyingTable,
        after: LyingTable,
        *,
        drew: bool = False,
        seat: int | None = None,
        opened: bool | None = None,
    ) -> Finding:
        drew = drew or (self.state == "foul" and self._foul_by_drawing)
        return find(
            self.court, before, after,
            drew=drew, accepted=self._accepted, unseen=self._never_in_view, seat=seat, opened=opened,
        )  # fmt: skip

    def _opened_by_hands(self, seat: int) -> bool | None:
        """Say whether those who changed the table have opened, where it is not known of the seat.

        They have where the opening that was told as its own came from where they come from now.
        """
        if are_from_one_place(self._actors.changes, self.court.told_as(seat)):
            return True
        return False if self._has_surely_not_opened(seat) else None

    def _has_surely_not_opened(self, seat: int) -> bool:
        """True where all hands that may have opened for this seat came from elsewhere than its own do now.

        Not where those may be another's, who has laid before or whose they sooner are. Where it was seen of
        several of its hands, it need not have been of all.
        """
        laid, actors = self.court.may_have_laid(seat), self._actors
        if laid is None or actors.have_laid_before or actors.are_sooner_anothers(seat):
            return False
        seen = list(filter(is_ones, actors.changes))
        return are_from_elsewhere(seen if len(seen) > 1 else actors.changes, laid)

    def _judge_again(self, suspect: Suspect, seat: int) -> Finding:
        """Judge what lay against the rules for a while, as that seat's."""
        drew = suspect.finding.is_after_drawing
        return self._find(self._baseline, suspect.sight.lying, drew=drew, seat=seat)
