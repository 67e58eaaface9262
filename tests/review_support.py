"""A game by script: a recording of drawn tables, and a watcher that sees the turns it was told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import TracebackType

import cv2
import numpy as np

from referee import Deal, Draw, Event, Play, SeenTile, StartMatch, Table, judge_turn, parse_table
from referee.difference import added_and_gone
from vision.sources.frame import Frame, SourceNotice
from vision.watch.setup import WatchSetup
from vision.watch.types import (
    Action,
    HandsOver,
    Logged,
    LyingSet,
    LyingTable,
    LyingTile,
    Signal,
    TableSeen,
    TurnEnded,
    TurnRecord,
    WatchEvent,
    WatchNotice,
)

SIZE_WH = (640, 360)
TILE_WH = (26, 36)


def lying_table(t_s: float, table: Table) -> LyingTable:
    """The table laid out in rows; the same tile keeps its key where it keeps its set and place."""
    tiles, sets = [], []
    x, y = 20.0, 20.0
    width, height = TILE_WH
    for row, one in enumerate(table.sets):
        if x + len(one) * width > SIZE_WH[0] - 20:
            x, y = 20.0, y + height + 20
        keys = []
        for at, seen in enumerate(one):
            left = x + at * width
            corners = np.array(
                [[left, y], [left + width - 2, y], [left + width - 2, y + height], [left, y + height]],
                np.float32,
            )
            key = row * 20 + at
            tiles.append(LyingTile(key, seen, corners, 0.99))
            keys.append(key)
        sets.append(LyingSet(tuple(keys)))
        x += len(one) * width + 20
    return LyingTable(t_s, tuple(tiles), tuple(sets))


def drawn(lying: LyingTable) -> np.ndarray:
    """A picture of the table."""
    image = np.full((SIZE_WH[1], SIZE_WH[0], 3), (70, 95, 60), np.uint8)
    for tile in lying.tiles:
        points = tile.corners_xy_px.astype(np.int32)
        cv2.fillPoly(image, [points], (225, 240, 245))
        left, low = int(points[0][0]) + 2, int(points[2][1]) - 12
        cv2.putText(
            image, str(tile.seen), (left, low), cv2.FONT_HERSHEY_SIMPLEX, 0.38, (40, 30, 30), 1, cv2.LINE_AA
        )
    return image


def turn(
    number: int,
    seat: int | None,
    end_s: float,
    action: Action,
    before: str,
    after: str,
    *,
    setup: WatchSetup,
    opened: bool = True,
    took_s: float = 2.0,
    inferred: bool = False,
) -> TurnRecord:
    """A turn, judged by the referee; without a change of the table it is legal."""
    was, now = parse_table(before), parse_table(after)
    judged = judge_turn(was, now, opened=opened, rules=setup.rules)
    put_back = action == "put-back"
    lying_before, lying_after = lying_table(end_s - took_s, was), lying_table(end_s, now)
    played: tuple[SeenTile, ...] = () if put_back else added_and_gone(was, now)[0]
    return TurnRecord(
        turn=number,
        seat=seat,
        start_s=end_s - took_s,
        end_s=end_s,
        action=action,
        inferred=inferred,
        before=was,
        after=now,
        played=played,
        verdict="legal" if put_back else judged.verdict,
        problems=() if put_back else judged.problems,
        questions=() if put_back else judged.questions,
        lying_before=lying_before,
        lying_after=lying_after,
        picture_before=drawn(lying_before),
        picture_after=drawn(lying_after),
        opening_points=None if put_back else judged.opening_points,
    )


def a_game(setup: WatchSetup) -> list[TurnRecord]:
    """Six turns: an opening of 33, one of 28, its put-back, a draw, an addition, a run with a doubt."""
    opening = "R11 B11 K11"
    low = f"{opening} | R9 K9 O9 | J"
    more = f"{opening} O11"
    doubt = f"{more} | B10 B11/B12 B12"
    return [
        turn(1, 0, 2.0, "play", "", opening, setup=setup, opened=False),
        turn(2, 1, 4.0, "play", opening, low, setup=setup, opened=False),
        turn(3, 1, 6.0, "put-back", low, opening, setup=setup, opened=False),
        turn(4, 1, 8.0, "draw", opening, opening, setup=setup, opened=False, inferred=True),
        turn(5, 0, 10.0, "play", opening, more, setup=setup),
        turn(6, 1, 12.0, "play", more, doubt, setup=setup, opened=False),
    ]


def logged(record: TurnRecord, setup: WatchSetup) -> list[Event]:
    """What the log says of a turn."""
    events: list[Event] = [StartMatch(setup.players, setup.edition), Deal(0)] if record.turn == 1 else []
    assert record.seat is not None
    if record.action == "play":
        events.append(Play(record.seat, str(record.after), t_s=record.end_s))
    if record.action == "draw":
        events.append(Draw(record.seat, t_s=record.end_s))
    return events


class ScriptedRecording:
    """Ten pictures a second, for as long as the script lasts."""

    live = False

    def __init__(self, duration_s: float, start_s: float = 0.0, *, cut_off: bool = False) -> None:
        self.duration_s: float | None = duration_s
        self._start_s = start_s
        self._cut_off = cut_off

    def frames(self) -> Iterator[Frame | SourceNotice]:
        image = np.zeros((SIZE_WH[1], SIZE_WH[0], 3), np.uint8)
        assert self.duration_s is not None
        for index in range(round(self._start_s * 10), round(self.duration_s * 10) + 1):
            yield Frame.of_bgr(index, index / 10, image)
        if self._cut_off:
            yield SourceNotice(
                self.duration_s, "cut-off", "The recording ends in the middle; what came before counts."
            )

    def close(self) -> None:
        """Nothing is open."""

    def __enter__(self) -> ScriptedRecording:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class ScriptedWatcher:
    """Sees the script's turns at their times, those before the first picture left out."""

    def __init__(self, setup: WatchSetup, script: Sequence[TurnRecord], events: Sequence[Event] = ()) -> None:
        self.setup = setup
        self.events = tuple(events)
        self.signals: list[Signal] = []
        self._left = list(script)
        self._begun = False

    def push(self, frame: Frame) -> list[WatchEvent]:
        happened: list[WatchEvent] = []
        if not self._begun:
            self._begun = True
            self._left = [record for record in self._left if record.end_s > frame.t_s]
        while self._left and self._left[0].end_s <= frame.t_s:
            record = self._left.pop(0)
            assert record.lying_after is not None
            happened += [HandsOver(record.start_s + 0.1, True), HandsOver(record.end_s, False)]
            happened.append(TableSeen(record.lying_after, record.verdict))
            happened.append(TurnEnded(record))
            happened += [Logged(event) for event in logged(record, self.setup)]
        return happened

    def notice(self, notice: SourceNotice) -> list[WatchEvent]:
        return [WatchNotice(notice.t_s, notice.code, notice.message)]

    def signal(self, signal: Signal) -> list[WatchEvent]:
        self.signals.append(signal)
        return []

    def finish(self) -> list[WatchEvent]:
        return []
