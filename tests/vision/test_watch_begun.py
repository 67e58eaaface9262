"""Sets that lie there while the pool is whole: printed on a lid, unless the game's log knows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from watch_pictures import Told, place, row_of

from referee import Deal, Event, Play
from vision.picture import Picture
from vision.readings import PhotoReading
from vision.watch.setup import WatchSetup
from vision.watch.types import TableSeen, WatchNotice
from vision.watch.watcher import Watcher

SETUP = WatchSetup(("Ann", "Ben"), "ru")


class WholePool(Told):
    """A set, and as many backs as lie there before the first draw."""

    def read(self, picture: Picture, *, quick: bool = False) -> PhotoReading:
        backs = tuple(place(30 + 20 * (at % 26), 150 + 60 * (at // 26)) for at in range(78))
        return replace(super().read(picture, quick=quick), face_down_xy_px=backs)


def watched(events: Sequence[Event]) -> tuple[str, list[str]]:
    """Watch a table with one set for a while; return what lies there, and the notices' codes."""
    told = WholePool()
    told.row = [("R10", 60.0), ("B10", 92.0), ("K10", 124.0)]
    watcher = Watcher(told, SETUP, events=events)
    said = [event for at in range(30) for event in watcher.push(row_of(at, at / 10, told))]
    lying = next(event.lying for event in reversed(said) if isinstance(event, TableSeen))
    return str(lying.table), [event.code for event in said if isinstance(event, WatchNotice)]


def test_before_the_first_turn_a_good_set_is_taken_for_print_and_that_is_said_once() -> None:
    assert watched(()) == ("", ["printed-sets"])


def test_a_game_that_goes_on_from_its_log_has_its_sets() -> None:
    """The program was killed in the first round, before anyone had drawn."""
    log = (SETUP.start, Deal(0, 0.0), Play(0, "R10 B10 K10", t_s=1.0))
    assert watched(log) == ("R10 B10 K10", [])
