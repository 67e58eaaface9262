"""The reviews of this installation: begun, stopped, looked at. One runs at a time."""

from __future__ import annotations

import json
import re
import secrets
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from referee import Note
from vision.review.report import clock
from web.desk.telling import Teller
from web.errors import NotFound, WrongMoment
from web.store.database import Database

__all__ = ["Reviews"]

_ID: Final = re.compile(r"[0-9a-f]{16}")
_PICTURE: Final = re.compile(r"turn-\d{1,6}-(before|after)\.jpg")
_MOST_LINE: Final = 100_000


class Reviews:
    """Reviews, each in a folder of its own with a name made here."""

    def __init__(
        self,
        database: Database,
        folder: Path,
        settings: Mapping[str, Any],
        now: Callable[[], float],
        command: tuple[str, ...] = (sys.executable, "-m", "web.review.work"),
    ) -> None:
        """Keep reviews in ``folder``; those that a crash interrupted are shown as stopped.

        ``settings`` are the values of the rooms that a review goes through, as ``web.review.work`` takes them.
        """
        self._database, self._folder, self._settings, self._now = database, folder, settings, now
        self._command = command
        self._lock = threading.RLock()
        self._process: subprocess.Popen[bytes] | None = None
        self._running: str | None = None
        self._closed = False
        for review_id, plain in self._all():
            if plain["state"] in ("running", "waiting"):
                self._change(review_id, state="stopped")
        self._remove_ownerless()

    def _remove_ownerless(self) -> None:
        """Remove folders that an upload which broke off left behind."""
        known = {review_id for review_id, _ in self._all()}
        for path in self._folder.glob("*"):
            if _ID.fullmatch(path.name) and path.name not in known:
                shutil.rmtree(path, ignore_errors=True)

    # --- what there is -------------------------------------------------------------------------------------

    def _all(self) -> list[tuple[str, dict[str, Any]]]:
        rows = self._database.rows("SELECT id, review FROM reviews ORDER BY started_at DESC, id")
        return [(row["id"], json.loads(row["review"])) for row in rows]

    def _get(self, review_id: str) -> dict[str, Any]:
        rows = self._database.rows("SELECT review FROM reviews WHERE id = ?", (review_id,))
        if not _ID.fullmatch(review_id) or not rows:
            raise NotFound("no-such-review")
        plain: dict[str, Any] = json.loads(rows[0]["review"])
        return plain

    def _change(self, review_id: str, **changes: Any) -> None:
        with self._lock, self._database.transaction() as connection:
            row = connection.execute("SELECT review FROM reviews WHERE id = ?", (review_id,)).fetchone()
            if row is not None:
                plain = {**json.loads(row["review"]), **changes}
                connection.execute("UPDATE reviews SET review = ? WHERE id = ?", (_json(plain), review_id))

    def listed(self, teller: Teller) -> list[dict[str, Any]]:
        """Return all reviews, the newest first, without their turns."""
        return [self._shown(review_id, plain, teller) for review_id, plain in self._all()]

    def one(self, review_id: str, teller: Teller) -> dict[str, Any]:
        """Return a review with its turns; NotFound where there is none."""
        plain = self._get(review_id)
        return {**self._shown(review_id, plain, teller), "turns": self._turns(review_id)}

    def _shown(self, review_id: str, plain: Mapping[str, Any], teller: Teller) -> dict[str, Any]:
        why = plain.get("why")
        report = self._folder / review_id / "report.html"
        return {
            "id": review_id,
            "name": plain["name"],
            "players": plain["players"],
            "edition": plain["edition"],
            "state": plain["state"],
            "started_at": plain["started_at"],
            "progress": plain["progress"],
            "reached_s": plain["reached_s"],
            "duration_s": plain["duration_s"],
            "told": teller.said(Note("review-failed", args=(("why", why),))) if why else None,
            "report": f"/review/{review_id}/report" if report.is_file() else None,
        }

    def _turns(self, review_id: str) -> list[dict[str, Any]]:
        """The turns that the review's own folder tells of."""
        try:
            state = json.loads((self._folder / review_id / "review.json").read_text("utf-8"))
        except (OSError, ValueError):
            return []
        return [self._turn(review_id, turn) for turn in state.get("turns", [])]

    def _turn(self, review_id: str, turn: Mapping[str, Any]) -> dict[str, Any]:
        def picture(name: str | None) -> str | None:
            return f"/review/{review_id}/{name}" if name else None

        def told(kind: str, one: Mapping[str, Any]) -> dict[str, Any]:
            return {
                "kind": kind,
                "code": one["code"],
                "args": dict(one.get("args", ())),
                "tiles": list(one["tiles"]),
                "text": one["message"],
                "answers": list(one.get("answers", ())),
            }

        def sets(rows: list[list[dict[str, Any]]]) -> list[list[dict[str, Any]]]:
            return [
                [{"text": tile["text"], "marks": tile["marks"], "corners": tile["corners_xy"]} for tile in one]
                for one in rows
            ]

        return {
            "number": turn["turn"],
            "seat": turn["seat"],
            "player": turn["player"] or "",
            "start_s": turn["start_s"],
            "end_s": turn["end_s"],
            "start": clock(turn["start_s"]),
            "end": clock(turn["end_s"]),
            "action": turn["action"],
            "inferred": turn["inferred"],
            "verdict": turn["verdict"],
            "told": [told("problem", one) for one in turn["faults"]]
            + [told("question", one) for one in turn["questions"]],
            "before": sets(turn["sets_before"]),
            "after": sets(turn["sets_after"]),
            "played": turn["played"],
            "put_back": turn["put_back"],
            "opening_points": turn["opening_points"],
            "picture_before": picture(turn["picture_before"]),
            "picture_after": picture(turn["picture_after"]),
        }

    def file(self, review_id: str, name: str) -> Path:
        """Return the path of a review's report, or of a picture; NotFound for any other name."""
        self._get(review_id)
        folder = self._folder / review_id
        if name == "report":
            path = folder / "report.html"
        elif _PICTURE.fullmatch(name):
            path = folder / "pictures" / name
        else:
            raise NotFound("no-such-page")
        if not path.is_file():
            raise NotFound("no-such-page")
        return path

    # --- what is done --------------------------------------------------------------------------------------

    def folder_for_upload(self) -> tuple[str, Path]:
        """Make a folder for a new review; return its id and the folder."""
        review_id = secrets.token_hex(8)
        folder = self._folder / review_id
        folder.mkdir(parents=True)
        return review_id, folder

    def forget_upload(self, review_id: str) -> None:
        """Remove the folder of a review that was not begun."""
        shutil.rmtree(self._folder / review_id, ignore_errors=True)

    def begin(self, review_id: str, recording: Path, name: str, game: Mapping[str, Any]) -> None:
        """Begin a review, or let it wait for the one that runs."""
        folder = self._folder / review_id
        job = {"recording": str(recording), "called": name, "settings": self._settings, **game}
        (folder / "job.json").write_text(_json(job), "utf-8")
        plain = {
            "name": name,
            "players": list(game["players"]),
            "edition": game["edition"],
            "state": "waiting",
            "started_at": self._now(),
            "from_s": game["from_s"],
            "progress": 0.0,
            "reached_s": game["from_s"],
            "duration_s": None,
            "why": None,
        }
        with self._database.transaction() as connection:
            connection.execute("INSERT INTO reviews VALUES (?, ?, ?)", (review_id, self._now(), _json(plain)))
        self._next()

    def resume(self, review_id: str) -> None:
        """Let a review that was stopped go on."""
        if self._get(review_id)["state"] not in ("stopped", "failed"):
            raise WrongMoment("wrong-phase")
        self._change(review_id, state="waiting", why=None)
        self._next()

    def stop(self, review_id: str) -> None:
        """Stop a review; what it has found so far stays."""
        plain = self._get(review_id)
        with self._lock:
            if plain["state"] in ("waiting", "running"):
                self._change(review_id, state="stopped")
            process = self._process if self._running == review_id else None
        if process is not None:
            process.terminate()

    def delete(self, review_id: str) -> None:
        """Remove a review with all its files."""
        self._get(review_id)
        with self._lock:
            process = self._process if self._running == review_id else None
            with self._database.transaction() as connection:
                connection.execute("DELETE FROM reviews WHERE id = ?", (review_id,))
        if process is not None:
            process.kill()
            process.wait(10)
        shutil.rmtree(self._folder / review_id, ignore_errors=True)

    def stop_all(self) -> None:
        """Stop what runs: the program ends."""
        with self._lock:
            self._closed = True
            process, running = self._process, self._running
            if running is not None:
                self._change(running, state="stopped")
        if process is not None:
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()

    def _next(self) -> None:
        """Let the next review that waits run, where none does."""
        with self._lock:
            if self._running is not None:
                return
            waiting = [review_id for review_id, plain in reversed(self._all()) if plain["state"] == "waiting"]
            if not waiting:
                return
            self._running = waiting[0]
            self._change(waiting[0], state="running")
            root = Path(__file__).resolve().parents[2]
            self._process = subprocess.Popen(
                [*self._command, str(self._folder / waiting[0])],
                cwd=root,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        threading.Thread(
            target=self._listen, args=(waiting[0], self._process), name="review", daemon=True
        ).start()

    def _listen(self, review_id: str, process: subprocess.Popen[bytes]) -> None:
        """Follow one review to its end."""
        done, why = False, None
        assert process.stdout is not None
        with process.stdout as lines:
            for line in iter(lambda: lines.readline(_MOST_LINE), b""):
                try:
                    told = json.loads(line)
                except ValueError:
                    continue
                if self._closed:
                    break
                if told.get("kind") == "progress":
                    duration = told["duration_s"]
                    share = _share(self._get(review_id).get("from_s", 0.0), told["reached_s"], duration)
                    self._change(
                        review_id, progress=round(share, 4), reached_s=told["reached_s"], duration_s=duration
                    )
                elif told.get("kind") == "failed":
                    why = str(told["why"])
                elif told.get("kind") == "done":
                    done = True
        status = process.wait()
        with self._lock:
            self._process, self._running = None, None
            if self._closed:
                return
            known = dict(self._all()).get(review_id)
            if known is not None and known["state"] == "running":
                if done:
                    self._change(review_id, state="done", progress=1.0)
                else:
                    why = why or f"the review ended with status {status}"
                    self._change(review_id, state="failed", why=self._as_sent(review_id, known["name"], why))
        self._next()

    def _as_sent(self, review_id: str, name: str, why: str) -> str:
        """What went wrong, the recording called as people call it: where it is kept means nothing to them."""
        job = json.loads((self._folder / review_id / "job.json").read_text("utf-8"))
        return why.replace(job["recording"], name)


def _share(from_s: float, reached_s: float, to_s: float | None) -> float:
    """How much is done of a review that began in the recording at ``from_s``, and ends at ``to_s``."""
    return min(1.0, (reached_s - from_s) / (to_s - from_s)) if to_s and to_s > from_s else 0.0


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
