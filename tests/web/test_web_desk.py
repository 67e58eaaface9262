"""Whatever is asked in whatever order: states can be shown, and the kept log gives the same state again."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from web_support import WallClock

from referee import ENGLISH, Note, replay, replay_json
from web.desk.actions import act
from web.desk.body import Body
from web.desk.desk import Desk
from web.desk.ledger import Ledger
from web.desk.snapshot import snapshot
from web.desk.telling import english
from web.desk.timing import DEFAULTS
from web.desk.who import Who
from web.desk.words import ENGLISH_OF_DESK, ERRORS, SAID
from web.errors import StoreError, WebError
from web.store.database import Database
from web.store.kept import Kept
from web.store.matches import MatchStore
from web.store.pictures import PictureStore

REFEREE = Who("referee")

ALL_OUT = "R10 B10 K10 O10 | R1 R2 R3 R4 R5 | B1 B2 B3 B4 B5"
"""A full rack, laid at once."""

TABLES = st.sampled_from(
    [
        "",
        "R10 B10 K10",
        "R10 B10 K10 O10",
        "R10 B10 R10",
        "R10 B10 K10/K9",
        "R10 ~B10 K10",
        "R11 B11 J",
        "R1 R2 R3",
        "R10 B10 K10 | R1 R2 R3",
        "R1 R2 R3 R4 R5 R6 R7 | B1 B2 B3 B4 B5 B6 B7",
        "R1 R2 R3 R4 R5 | B1 B2 B3 B4 B5 | O9 K9 B9 R9",
        "R3 R5 R4",
        "?? ?? ??",
        "R99",
    ]
)
SEATS = st.integers(0, 1)
NUMBERS = st.integers(0, 12)


def asking(name: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    """An action with its body."""
    return st.tuples(st.just(name), st.fixed_dictionaries(fields))


EVENTS = st.one_of(
    st.none(),
    st.fixed_dictionaries({"event": st.just("play"), "seat": SEATS, "table": TABLES}),
    st.fixed_dictionaries({"event": st.just("draw"), "seat": SEATS}),
)
PLAYING = st.one_of(
    asking("end-turn", table=TABLES),
    asking("table", table=TABLES),
    *(
        asking(name)
        for name in ("end-turn", "draw", "draw", "pass", "declare", "time-out", "undo", "next-turn")
    ),
    asking("wait", seconds=st.floats(0, 100)),
)
PUTTING_RIGHT = st.one_of(
    asking("restore", number=NUMBERS),
    asking("correct", number=NUMBERS, to=EVENTS),
    asking("rule", number=NUMBERS, ruling=st.sampled_from(["legal", "illegal"])),
    asking("answer-any", pick=NUMBERS),
    asking("tile-any", pick=NUMBERS),
    asking("count", what=st.sampled_from(["pool", "rack"]), tiles=NUMBERS, seat=SEATS),
    *(asking(name) for name in ("pause", "resume", "extend")),
)
FINISHING = st.one_of(
    asking("rack", seat=SEATS, tiles=st.sampled_from(["", "K1 J", "K1/K2", "R5 R6"])),
    asking("rack-tile", seat=SEATS, at=NUMBERS, tile=st.just("O3")),
    asking("rack-accept", seat=SEATS),
    asking("racks", racks=st.sampled_from([["", "K1 J"], ["", ""], ["K1", "R1"], ["", "K1/K2"]])),
    asking("cell", game=st.just(0), seat=SEATS, points=st.integers(-50, 50)),
    asking("game-scores", scores=st.just([None, -5]), winner=SEATS),
    asking("deal", starter=SEATS),
    asking("draw-for-start", tiles=st.just(["R3", "B4"])),
)
GAMES = st.lists(
    st.tuples(
        st.just([("deal", {"starter": 0})]),
        st.lists(st.one_of(PLAYING, PLAYING, PUTTING_RIGHT), max_size=10),
        st.sampled_from([[], [("end-turn", {"table": ALL_OUT})], [("end-turn", {"table": ALL_OUT})]]),
        st.lists(st.one_of(FINISHING, PUTTING_RIGHT), max_size=6),
    ).map(lambda parts: [one for part in parts for one in part]),
    max_size=3,
).map(lambda games: [one for game in games for one in game])
"""Games that mostly come to their end, and the racks after them."""


class Table:
    """A desk without a server."""

    def __init__(self, folder: Path) -> None:
        self.clock = WallClock()
        self.database = Database(folder / "games.db")
        self.store = MatchStore(self.database)
        self.said: list[Note] = []
        self.desk = self.opened()

    def opened(self) -> Desk:
        def publish(version: int, said: Any) -> None:
            self.said.extend(said)

        return Desk(self.store, Kept(self.database), publish, self.clock, DEFAULTS)

    def act(self, name: str, body: dict[str, Any]) -> WebError | None:
        """Carry out an action; return why it was refused."""
        try:
            self.do(name, body)
        except WebError as error:
            return error
        return None

    def do(self, name: str, body: dict[str, Any]) -> None:
        if name == "wait":
            self.clock.later(body["seconds"])
            return
        if name == "answer-any":
            asked = [one for one in self.shown(REFEREE)["questions"] if one["answers"]]
            if not asked:
                return
            one = asked[body["pick"] % len(asked)]
            answer = one["answers"][body["pick"] % len(one["answers"])]
            name, body = "answer", {"id": one["id"], "answer": answer}
        if name == "tile-any":
            keys = [tile["key"] for one in self.shown(REFEREE)["table"]["sets"] for tile in one["tiles"]]
            name, body = "tile", {"key": keys[body["pick"] % len(keys)] if keys else "x", "tile": "R10"}
        act(self.desk, name, Body(body), REFEREE)

    def shown(self, who: Who) -> dict[str, Any]:
        plain = snapshot(self.desk.view(), who, english, self.clock())
        again: dict[str, Any] = json.loads(json.dumps(plain, allow_nan=False))
        return again


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    mode=st.sampled_from(["full", "full", "full", "clock"]),
    edition=st.sampled_from(["ru", "ua", "he", "cards"]),
    actions=GAMES,
)
def test_every_state_can_be_shown_and_is_what_the_log_says(
    mode: str, edition: str, actions: list[tuple[str, dict[str, Any]]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        table = Table(Path(folder))
        table.act("start", {"players": ["Ann", "Ben"], "edition": edition, "mode": mode})
        versions = [table.desk.version]
        for name, body in actions:
            before = table.desk.match
            refused = table.act(name, body)
            if refused is not None:
                assert 400 <= refused.status < 500
                assert str(refused)
                assert table.desk.match.ledger.entries == before.ledger.entries  # nothing refused is written
            versions.append(table.desk.version)
            spectator = table.shown(Who("spectator"))
            assert spectator["racks"] == []
            assert spectator["can"] == []
        shown = table.shown(REFEREE)
        match = table.desk.match
        kept = replay(match.ledger.events)
        assert match.ledger.state == kept.state
        assert match.ledger.outcomes == kept.outcomes
        assert match.ledger == Ledger.of(match.ledger.entries)
        assert versions == sorted(versions)
        stored = table.store.load(match.id)
        assert replay_json(replay([entry.event for entry in stored.entries])) == replay_json(kept)
        again = table.opened()
        again.open(match.id, table.clock())
        table.desk = again
        reopened = table.shown(REFEREE)
        for name in shown:
            if name not in ("version", "now_s"):
                assert reopened[name] == shown[name], name
        for note in table.said:
            assert english(note.code, dict(note.args), "")
        table.database.close()


@given(
    steps=st.lists(
        st.tuples(st.sampled_from(["wait", "pause", "resume", "extend", "anchor"]), st.floats(0, 100)),
        max_size=20,
    )
)
def test_the_clock_only_goes_forward_and_stands_still_in_pauses(steps: list[tuple[str, float]]) -> None:
    from web.desk.clock import Clock

    clock, now, told = Clock(0.0), 0.0, 0.0
    for step, amount in steps:
        if step == "wait":
            now += amount
            if not clock.running:
                assert clock.t_s(now) == told
        elif step == "pause":
            clock = clock.paused(now)
        elif step == "resume":
            clock = clock.resumed(now)
        elif step == "extend":
            left = clock.in_turn_s(0.0, now)
            clock = clock.extended(amount, now)
            assert clock.in_turn_s(0.0, now) == pytest.approx(left - amount, abs=0.01)
        else:
            clock = Clock.from_json(json.loads(json.dumps(clock.anchored(now).to_json())))
        assert clock.t_s(now) >= told - 1e-3
        told = clock.t_s(now)


def test_codes_of_the_desk_are_said_once_and_whole() -> None:
    assert not set(SAID) & set(ERRORS)
    assert not set(ENGLISH_OF_DESK) & set(ENGLISH)
    for code, sentence in ENGLISH_OF_DESK.items():
        assert sentence.endswith((".", "!", "?", "}")), code


# --- what is kept --------------------------------------------------------------------------------------------


def test_events_cannot_be_changed_or_removed(tmp_path: Path) -> None:
    import sqlite3

    table = Table(tmp_path)
    table.act("start", {"players": ["Ann", "Ben"]})
    for statement in ("UPDATE events SET event = '{}'", "DELETE FROM events", "DELETE FROM matches"):
        with pytest.raises(sqlite3.IntegrityError), table.database.transaction() as connection:
            connection.execute(statement)
    assert len(table.store.load(table.desk.match.id).entries) == 1
    table.database.close()


def write_two(writing: Any) -> None:
    writing.note(0, {"kind": "cell"})
    writing.note(1, {"kind": {1, 2}})  # no JSON


def test_a_transaction_that_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.act("start", {"players": ["Ann", "Ben"]})
    match = table.desk.match
    with pytest.raises(TypeError), table.store.write(match.id, 1.0) as writing:
        write_two(writing)
    assert table.store.load(match.id).notes == ()
    table.database.close()


def test_a_full_disk_is_told_and_what_was_there_stays(tmp_path: Path) -> None:
    database = Database(tmp_path / "games.db")
    kept = Kept(database)
    kept.set("before", 1)
    (pages,) = database.rows("PRAGMA page_count")[0]
    database.rows(f"PRAGMA max_page_count={pages}")
    with pytest.raises(StoreError, match="full"):
        kept.set("large", "x" * 100_000)
    database.rows("PRAGMA max_page_count=100000")
    kept.set("after", 2)
    assert [kept.get(name) for name in ("before", "large", "after")] == [1, None, 2]
    database.close()


def test_a_newer_store_is_refused(tmp_path: Path) -> None:
    database = Database(tmp_path / "games.db")
    with database.transaction() as connection:
        connection.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(StoreError, match="newer version"):
        Database(tmp_path / "games.db")


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / "games.db").write_bytes(b"this is no database, " * 100)
    with pytest.raises(StoreError, match="cannot be used"):
        Database(tmp_path / "games.db")


def test_pictures_keep_within_room_and_age(tmp_path: Path) -> None:
    database = Database(tmp_path / "games.db")
    pictures = PictureStore(database, tmp_path / "pictures")
    day = 86400.0
    names = [pictures.add(b"x" * 100, "table", None, at * day) for at in range(10)]
    assert pictures.keep_within(1e9, 5.5, 9 * day) == 4  # those of days 0 to 3
    assert pictures.keep_within(350, 100, 9 * day) == 3  # room for three
    left = {path.stem for path in (tmp_path / "pictures").iterdir()}
    assert left == set(names[7:])
    assert pictures.total_bytes() == 300
    assert pictures.read(names[9]) == (b"x" * 100, "table")
    database.close()
