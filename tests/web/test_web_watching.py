"""The table through a camera: what a watcher says becomes states and events, in the desk's own time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

import cv2
import numpy as np
import pytest
from cli_support import corners_at
from web_support import House, begin, house_in, picture_bgr

from referee import Draw, Event, Play, TimeOut, parse_table, replay
from vision.errors import CameraMissingError, SourceError
from vision.sources.frame import Frame, SourceNotice
from vision.watch.setup import WatchSetup
from vision.watch.turn_settings import TurnSettings
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
)
from web.desk.desk import Desk
from web.live.picture import LivePicture, encode, multipart, table_alone
from web.live.tools import WatchTools

OPENING = "R10 B10 K10"


def lying(text: str, t_s: float = 0.0, backs: int | None = 40) -> LyingTable:
    """A table as a camera sees it; a tile keeps its key as long as it keeps its place."""
    table = parse_table(text)
    tiles, sets = [], []
    for row, members in enumerate(table.sets):
        sets.append(LyingSet(tuple(row * 20 + at for at in range(len(members)))))
        for at, seen in enumerate(members):
            others = tuple((type(seen).sure(tile), 0.4) for tile in sorted(seen.candidates)[1:])
            tiles.append(LyingTile(row * 20 + at, seen, corners_at(at, row), 0.9, 2, others))
    return LyingTable(t_s, tuple(tiles), tuple(sets), backs)


class Film:
    """A source that shows what the test tells it: a picture a moment, and notices."""

    live = True
    duration_s: float | None = None

    def __init__(self) -> None:
        self.items: list[SourceNotice] = []
        self.frozen = False
        self.fails: str | SourceError | None = None
        self._closed = threading.Event()

    def frames(self) -> Iterator[Frame | SourceNotice]:
        if self.fails:
            raise self.fails if isinstance(self.fails, SourceError) else SourceError(self.fails)
        began, index = time.monotonic(), 0
        while not self._closed.wait(0.005):
            while self.items:
                yield self.items.pop(0)
            if self.frozen:
                continue
            yield Frame.of_bgr(index, time.monotonic() - began, picture_bgr())
            index += 1

    def close(self) -> None:
        self._closed.set()

    def __enter__(self) -> Film:
        return self

    def __exit__(self, k: type[BaseException] | None, e: BaseException | None, t: TracebackType | None) -> None:
        self.close()


class Scene:
    """What lies before the camera, and every watcher that looked at it."""

    def __init__(self, house: House) -> None:
        self.house, self.text = house, ""
        self.film = Film()
        self.watchers: list[TextWatcher] = []
        self.put_back = False
        self.logs_taken = 0
        self.may_read, self.reads = threading.Event(), threading.Event()
        self.may_read.set()
        house.site.watch._tools = WatchTools(lambda text: self.film, self.make)

    def make(self, setup: WatchSetup, events: Sequence[Event]) -> TextWatcher:
        self.watchers.append(TextWatcher(self, setup, events))
        return self.watchers[-1]

    def lay(self, text: str) -> None:
        self.text = text
        self.until(lambda: self.house.referee.state["table"]["notation"] == str(parse_table(text)))

    def until(self, true: Callable[[], bool]) -> None:
        end = time.monotonic() + 10
        while not true():
            assert time.monotonic() < end, self.house.referee.state
            time.sleep(0.01)

    def state_where(self, true: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The state in which this is true first: what the page shows then, not what it shows a moment later."""
        states: list[dict[str, Any]] = []

        def held() -> bool:
            states.append(self.house.referee.state)
            return true(states[-1])

        self.until(held)
        return states[-1]


class TextWatcher:
    """Sees the scene's text, and ends a turn at the button; its log is its own, as the real one's is."""

    def __init__(self, scene: Scene, setup: WatchSetup, events: Sequence[Event]) -> None:
        self.scene, self.setup, self.events = scene, setup, list(events)
        self.seen: str | None = None

    def push(self, frame: Frame) -> list[WatchEvent]:
        shown = self.scene.text
        if shown == self.seen:
            return []
        if shown == "broken":
            raise RuntimeError("a fault of the program")
        self.scene.reads.set()
        self.scene.may_read.wait(10)
        self.seen = shown
        table = lying(self.seen, frame.t_s)
        return [HandsOver(frame.t_s, False), TableSeen(table, "legal", image_bgr=frame.image_bgr)]

    def notice(self, notice: SourceNotice) -> list[WatchEvent]:
        return []

    def take_log(self, events: Sequence[Event]) -> list[WatchEvent]:
        self.events = list(events)
        self.scene.logs_taken += 1
        return []

    def signal(self, signal: Signal) -> list[WatchEvent]:
        state = replay(self.events).state
        assert state.turn is not None
        after = parse_table(self.seen or "")
        event: Event = (
            Draw(state.turn, t_s=signal.t_s)
            if signal.kind == "draw"
            else Play(state.turn, str(after), t_s=signal.t_s)
        )
        if self.scene.put_back:
            event = TimeOut(state.turn, str(after), t_s=signal.t_s)
        self.events.append(event)
        action: Action = "put-back" if self.scene.put_back else "play"
        record = TurnRecord(
            1, state.turn, 0.0, signal.t_s, action, False, state.table, after, (), "legal",
            lying_after=lying(self.seen or ""), picture_after=picture_bgr(),
        )  # fmt: skip
        return [Logged(event), TurnEnded(record)]


@pytest.fixture
def scene(house: House) -> Scene:
    made = Scene(house)
    begin(house.referee)
    house.referee.do("camera", source="0")
    made.until(lambda: house.referee.state["camera"]["state"] == "running")
    made.until(lambda: made.logs_taken > 0)  # the empty table lies as the log says
    return made


def test_a_turn_is_read_ended_by_the_button_and_kept_with_its_picture(scene: Scene) -> None:
    me = scene.house.referee
    scene.lay(OPENING)
    table = me.state["table"]
    assert table["source"] == "camera"
    assert table["sets"][0]["state"] == "good"
    corners = table["sets"][0]["tiles"][0]["corners"]
    assert np.allclose(corners, corners_at(0, 0) / (400, 300), atol=1e-4)
    assert all(tile["new"] for tile in table["sets"][0]["tiles"])
    assert me.state["help"]["opening"] == {"points": 30, "needed": 30}
    scene.house.clock.later(12)
    assert me.do("end-turn")["waiting"] is True
    state = scene.state_where(lambda state: state["turn"]["seat"] == 1)
    assert state["camera"]["waiting"] is False  # in the very state that has the next turn
    entry = state["history"][0]
    assert entry["event"] == {"event": "play", "seat": 0, "table": OPENING, "t_s": 12.0}  # the desk's own time
    # How the table lay before the turn that begins now can be laid over the picture.
    scene.until(lambda: [one["text"] for one in me.state["before"]["lying"]] == OPENING.split())
    picture = me.get(entry["picture"])
    assert picture.content_type == "image/jpeg"
    image = cv2.imdecode(np.frombuffer(picture.get_data(), np.uint8), cv2.IMREAD_COLOR)
    assert np.abs(image[250, 350].astype(int) - 90).max() < 6  # beyond the tiles all is grey: no rack in view


@pytest.mark.parametrize("undone", [False, True])
def test_whoever_sees_the_next_turn_sees_no_button_waiting(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, undone: bool
) -> None:
    """With the log followed by the watcher, and with the desk judging by itself after an undo."""
    me, says = scene.house.referee, Desk.camera

    def says_late(desk: Desk, *said: Any, **changes: Any) -> None:
        if "waiting" in changes:
            time.sleep(0.1)
        says(desk, *said, **changes)

    monkeypatch.setattr(Desk, "camera", says_late)
    scene.lay(OPENING)
    if undone:
        me.do("end-turn")
        scene.until(lambda: me.state["turn"]["seat"] == 1 and not me.state["camera"]["waiting"])
        me.do("undo")
    assert me.do("end-turn")["waiting"] is True
    state = scene.state_where(lambda state: state["turn"]["seat"] == 1)
    assert state["camera"]["waiting"] is False


def test_a_reading_put_right_is_what_is_judged(scene: Scene) -> None:
    me = scene.house.referee
    scene.lay("R10 B10 K10/K9")
    (question,) = [one for one in me.state["questions"] if one["id"].startswith("t")]
    assert question["answers"] == ["K9", "K10"]
    me.do("answer", id=question["id"], answer="K10")
    assert me.state["table"]["notation"] == OPENING
    me.do("end-turn")
    scene.until(lambda: me.state["turn"]["seat"] == 1)
    assert me.state["history"][0]["event"]["table"] == OPENING


def test_after_an_undo_the_desk_judges_the_table_as_it_comes_to_rest(scene: Scene) -> None:
    me = scene.house.referee
    scene.lay(OPENING)
    me.do("end-turn")
    scene.until(lambda: me.state["turn"]["seat"] == 1)
    me.do("undo")
    assert me.state["turn"]["seat"] == 0
    # The table does not lie as the log says, so the watcher's own log does not count; its patience does.
    taken = scene.logs_taken
    scene.may_read.clear()
    scene.reads.clear()
    scene.text = f"{OPENING} | B3 B4"
    assert scene.reads.wait(10)
    assert me.do("end-turn")["waiting"] is True
    scene.text = f"{OPENING} | B3 B4 B5"
    scene.may_read.set()
    state = scene.state_where(lambda state: state["turn"]["seat"] == 1)
    assert state["last_turn"]["verdict"] == "legal"
    assert state["history"][0]["picture"]
    assert state["camera"]["waiting"] is False
    scene.until(lambda: scene.logs_taken > taken)  # and from here the watcher goes on, with the desk's log
    events = scene.watchers[-1].events
    assert [type(e).__name__ for e in events] == ["StartMatch", "Deal", "Play", "Correct", "Play"]


def test_a_step_that_is_restored_is_followed_at_once(scene: Scene) -> None:
    me = scene.house.referee
    scene.lay(OPENING)
    me.do("end-turn")
    scene.until(lambda: me.state["turn"]["seat"] == 1)
    taken = scene.logs_taken
    me.do("undo")
    me.do("restore", number=2)
    scene.until(lambda: scene.logs_taken > taken)
    assert me.do("draw")["waiting"] is True
    scene.until(lambda: me.state["turn"]["seat"] == 0)


def test_a_picture_from_before_the_button_is_not_judged(scene: Scene) -> None:
    me = scene.house.referee
    scene.may_read.clear()
    scene.reads.clear()
    scene.text = "R10 B10"
    assert scene.reads.wait(10)  # reading this takes a while: meanwhile the last tile is laid
    scene.text = OPENING
    assert me.do("end-turn")["waiting"] is True
    scene.may_read.set()
    scene.until(lambda: me.state["turn"]["seat"] == 1)
    assert me.state["last_turn"]["verdict"] == "legal"
    assert me.state["history"][0]["event"]["table"] == OPENING


def test_a_button_is_not_waited_for_without_end_where_no_picture_comes(scene: Scene) -> None:
    me = scene.house.referee
    scene.lay(OPENING)
    scene.film.frozen = True
    time.sleep(0.05)
    run = scene.house.site.watch._run
    assert run is not None
    run._tools = replace(run._tools, patience_s=0.1)
    assert me.do("end-turn")["waiting"] is True
    scene.until(lambda: me.state["camera"]["waiting"] is False)
    assert "press again" in me.state["camera"]["told"]["text"]
    assert me.do("end-turn")["verdict"] == "legal"


def test_a_button_whose_turn_was_taken_back_meanwhile_ends_nothing(scene: Scene) -> None:
    me = scene.house.referee
    me.do("draw")
    scene.until(lambda: me.state["turn"]["seat"] == 1)
    scene.film.frozen = True
    time.sleep(0.05)
    assert me.do("pass")["waiting"] is True
    me.do("undo")
    assert me.state["camera"]["waiting"] is False
    scene.film.frozen = False
    scene.lay("")
    assert me.state["turn"]["seat"] == 0


def test_putting_back_is_not_announced_as_time_that_is_up(scene: Scene) -> None:
    me = scene.house.referee
    scene.put_back = True
    me.do("end-turn")
    scene.until(lambda: me.state["turn"]["seat"] == 1)
    said = [note.code for _, note in scene.house.site.hub.said_since(0)]
    assert "was-put-back" in said
    assert "timed-out" not in said


def test_drawing_for_a_foul_is_not_the_draw_of_the_next_player(scene: Scene) -> None:
    me = scene.house.referee
    scene.lay("R1 B1 K1")
    me.do("end-turn")
    scene.until(lambda: (me.state["last_turn"] or {}).get("verdict") == "illegal")
    scene.put_back = True
    scene.lay("")
    me.do("draw")
    scene.until(lambda: me.state["turn"]["seat"] == 1)
    assert [(one["kind"], one["puts_back"]) for one in me.state["history"][:2]] == [
        ("time-out", True),
        ("play", False),
    ]
    assert me.state["last_turn"]["puts_back"]


def test_what_camera_and_referee_say_comes_in_the_language_of_the_page(scene: Scene) -> None:
    me = scene.house.referee
    me.post("/language", {"language": "ru"})
    scene.film.items.append(SourceNotice(1.0, "frozen", "The camera gives the same picture over and over."))
    scene.until(lambda: (me.state["camera"]["told"] or {}).get("args", {}).get("notice") == "frozen")
    assert me.state["camera"]["told"]["text"] == "Камера даёт одну и ту же картинку."
    me.do("end-turn", table="R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 J")
    text = me.state["last_turn"]["table"]["sets"][0]["told"][0]["text"]
    assert "13" in text
    assert not any("a" <= letter <= "z" for letter in text)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_fault_of_the_program_while_reading_is_told_and_the_game_goes_on(scene: Scene) -> None:
    me = scene.house.referee
    scene.text = "broken"
    scene.until(lambda: me.state["camera"]["state"] == "lost")
    assert me.state["camera"]["told"]["code"] == "went-wrong"
    assert me.do("end-turn", table=OPENING)["verdict"] == "legal"
    assert "waiting" not in me.do("draw")


def test_a_lost_camera_is_told_and_the_game_goes_on_without(scene: Scene) -> None:
    me = scene.house.referee
    scene.film.items.append(SourceNotice(1.0, "unplugged", "Camera 0 gives no picture."))
    scene.until(lambda: (me.state["camera"]["told"] or {}).get("args", {}).get("notice") == "unplugged")
    me.do("camera", source=None)
    state = me.state
    assert state["camera"]["state"] == "off"
    assert state["table"]["source"] == "log"
    assert me.do("end-turn", table=OPENING)["verdict"] == "legal"


def test_a_camera_that_cannot_be_opened_is_told_in_a_sentence(house: House) -> None:
    me = house.referee
    made = Scene(house)
    made.film.fails = "Camera 3 cannot be opened."
    begin(me, source="3")
    made.until(lambda: me.state["camera"]["state"] == "lost")
    assert me.state["camera"]["told"]["text"] == "Camera 3 cannot be opened."


@pytest.mark.parametrize(
    ("language", "begins"), [("en", "Camera 3 cannot"), ("ru", "Камера 3 не"), ("uk", "Камера 3 не")]
)
def test_a_missing_camera_is_told_in_the_language_of_the_page(house: House, language: str, begins: str) -> None:
    me = house.referee
    made = Scene(house)
    made.film.fails = CameraMissingError(3)
    begin(me, source="3")
    me.post("/language", {"language": language})
    made.until(lambda: me.state["camera"]["state"] == "lost")
    assert me.state["camera"]["told"]["text"].startswith(begins)


def test_a_page_can_be_the_camera(house: House) -> None:
    me = house.referee
    made = Scene(house)
    begin(me)
    jpeg = encode(picture_bgr(), 400)
    around = {
        "headers": {"X-CSRF-Token": me.token, "Accept": "application/json"},
        "base_url": "http://localhost:8377",
    }
    assert me.client.post("/camera/frame", data=jpeg, content_type="image/jpeg", **around).status_code == 409
    me.do("camera", source="browser")
    for _ in range(3):
        assert (
            me.client.post("/camera/frame", data=jpeg, content_type="image/jpeg", **around).status_code == 200
        )
        time.sleep(0.02)
    made.until(lambda: me.state["camera"]["state"] == "running")
    assert (
        me.client.post("/camera/frame", data=b"no picture", content_type="image/jpeg", **around).status_code
        == 400
    )
    assert me.client.post("/camera/frame", data=jpeg, content_type="text/html", **around).status_code == 400
    huge = jpeg + b"\0" * 4_000_001
    assert me.client.post("/camera/frame", data=huge, content_type="image/jpeg", **around).status_code == 413
    assert me.get("/live.jpg").content_type == "image/jpeg"


@pytest.mark.parametrize(
    ("source", "given", "again"),
    [("browser", None, "browser"), ("given", "film.mp4", None), ("given", "http://127.0.0.1:9/", "given")],
)
def test_a_camera_is_on_again_after_a_restart_and_a_recording_is_not(
    tmp_path: Path, source: str, given: str | None, again: str | None
) -> None:
    with house_in(tmp_path, given_source=given) as house:
        Scene(house)
        begin(house.referee, source=source)
    with house_in(tmp_path, given_source=given) as house:
        assert house.referee.state["camera"]["source"] == again
        assert house.referee.state["phase"] == "playing"
        house.referee.do("camera", source=None)
    with house_in(tmp_path, given_source=given) as house:
        assert house.referee.state["camera"]["source"] is None


def test_spectators_see_the_table_alone() -> None:
    image = picture_bgr()
    image[:, :] = (1, 2, 3)
    area = np.array([[100, 100], [200, 100], [200, 200], [100, 200]], np.float32)
    shown = table_alone(image, area, [])
    assert shown is not None
    assert tuple(shown[150, 150]) == (1, 2, 3)
    assert tuple(shown[50, 50]) == (90, 90, 90)
    assert table_alone(image, None, []) is None
    tile = table_alone(image, None, [corners_at(2, 2)])
    assert tile is not None
    assert (tile == (1, 2, 3)).all(axis=2).sum() < 0.05 * 400 * 300


def test_the_live_picture_reaches_every_watcher_and_ends_with_it() -> None:
    live = LivePicture()
    live.show(b"first")
    parts = [multipart(live.frames()) for _ in range(2)]
    for part in parts:
        assert b"first" in next(part)
    assert live.watchers == 2
    live.show(b"second")
    for part in parts:
        assert b"second" in next(part)
    live.close()
    for part in parts:
        assert next(part).endswith(b"--\r\n")
        assert list(part) == []
    assert live.watchers == 0


def test_a_press_is_waited_for_longer_than_the_watcher_waits_for_hands(tmp_path: Path) -> None:
    house = House(tmp_path, turns=TurnSettings(covered_grace_s=20.0))
    try:
        assert house.site.watch._tools.patience_s > 20.0
    finally:
        house.close()
