"""Reviews in the background: each in a process, followed to its end, kept, removed."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import pytest
from web_support import House, house_in, picture_bgr
from werkzeug.test import TestResponse

from web.config import WebConfig
from web.live.picture import encode

WORKER = """
import json, sys, time
from pathlib import Path
folder = Path(sys.argv[1])
recording = json.loads((folder / "job.json").read_text())["recording"]
name = Path(recording).name
def tell(**what): print(json.dumps(what), flush=True)
tell(kind="progress", reached_s=5.0, duration_s=20.0)
print("not JSON at all", flush=True)
if "slow" in name: time.sleep(60)
if "bad" in name:
    tell(kind="failed", why=f"{recording} is damaged.")
    sys.exit(2)
if "crash" in name: sys.exit(9)
tile = {"text": "R10", "corners_xy": [[0, 0], [1, 0], [1, 1], [0, 1]], "marks": ["new"]}
turn = dict(turn=1, seat=0, player="Ann", start_s=2.4, end_s=3610.95, action="play", inferred=False, before="",
    after="R10", played=["R10"], verdict="illegal", opening_points=None, put_back=["Take R10 back."],
    faults=[dict(code="too-few", tiles=["R10"], message="R10 is not enough for a set.")], questions=[],
    sets_before=[], sets_after=[[tile]], picture_before=None, picture_after="pictures/turn-001-after.jpg")
(folder / "pictures").mkdir(exist_ok=True)
(folder / "pictures" / "turn-001-after.jpg").write_bytes(b"jpeg")
(folder / "review.json").write_text(json.dumps({"turns": [turn]}))
(folder / "report.html").write_text("<p>report</p>")
tell(kind="done")
"""


@pytest.fixture
def reviewing(tmp_path: Path) -> Iterator[House]:
    videos = tmp_path / "videos"
    videos.mkdir()
    for name in ("good.mp4", "bad.mp4", "crash.mp4", "slow.mp4", "secret.txt"):
        (videos / name).write_bytes(b"video")
    with house_in(tmp_path / "data", recordings=videos) as house:
        house.site.reviews._command = (sys.executable, "-c", WORKER)
        yield house


def wait_for(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def begin_review(house: House, name: str) -> str:
    response = house.referee.post("/review", {"name": name, "players": ["Ann", "Ben"], "edition": "ru"})
    assert response.status_code == 200, response.get_data(as_text=True)
    return str(response.get_json()["id"])


def told(house: House, review_id: str) -> dict[str, Any]:
    found: dict[str, Any] = house.referee.get(f"/review/{review_id}.json").get_json()
    return found


def test_a_named_recording_is_reviewed_to_its_report(reviewing: House) -> None:
    review_id = begin_review(reviewing, "good.mp4")
    wait_for(lambda: told(reviewing, review_id)["state"] == "done")
    review = told(reviewing, review_id)
    assert (review["progress"], review["duration_s"]) == (1.0, 20.0)
    (turn,) = review["turns"]
    assert turn["told"][0]["code"] == "too-few"
    assert turn["after"][0][0]["marks"] == ["new"]
    assert (turn["start"], turn["end"]) == ("0:02", "1:00:11")  # as in the report: rounded, not cut off
    me = reviewing.referee
    with me.get(turn["picture_after"]) as picture:
        assert picture.get_data() == b"jpeg"
    with me.get(review["report"]) as report:
        assert "attachment" in report.headers["Content-Disposition"]
    assert me.get(f"/review/{review_id}").status_code == 200
    assert me.get(f"/review/{review_id}/pictures/job.json").status_code == 404
    me.post(f"/review/{review_id}/delete", {})
    assert me.get(f"/review/{review_id}.json").status_code == 404
    assert not (reviewing.folder / "reviews" / review_id).exists()


def test_folders_may_be_named_from_where_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("videos").mkdir()
    Path("videos/good.mp4").write_bytes(b"video")
    with house_in(Path("data"), recordings=Path("videos")) as house:
        house.site.reviews._command = (sys.executable, "-c", WORKER)
        review_id = begin_review(house, "good.mp4")
        wait_for(lambda: told(house, review_id)["state"] == "done")
        with house.referee.get(told(house, review_id)["report"]) as report:
            assert report.status_code == 200
        job = json.loads((tmp_path / "data" / "reviews" / review_id / "job.json").read_text())
        assert Path(job["recording"]).is_absolute()


@pytest.mark.parametrize(("name", "why"), [("bad.mp4", " bad.mp4 is damaged."), ("crash.mp4", "status 9")])
def test_a_review_that_fails_says_why(reviewing: House, name: str, why: str) -> None:
    review_id = begin_review(reviewing, name)
    wait_for(lambda: told(reviewing, review_id)["state"] == "failed")
    assert why in told(reviewing, review_id)["told"]["text"]


def test_a_review_of_a_part_begins_and_ends_where_it_is_told(reviewing: House) -> None:
    game = {"name": "slow.mp4", "players": ["Ann", "Ben"], "edition": "ru", "from": "0:02", "to": "1:02:30.5"}
    review_id = str(reviewing.referee.post("/review", game).get_json()["id"])
    job = json.loads((reviewing.folder / "reviews" / review_id / "job.json").read_text("utf-8"))
    assert (job["from_s"], job["to_s"]) == (2.0, 3750.5)
    wait_for(lambda: told(reviewing, review_id)["progress"] > 0)
    assert told(reviewing, review_id)["progress"] == pytest.approx((5 - 2) / (20 - 2), abs=1e-4)


@pytest.mark.parametrize(
    ("times", "code"),
    [
        ({"from": "soon"}, "bad-moment"),
        ({"to": "1:2:3:4"}, "bad-moment"),
        ({"from": "95", "to": "1:35"}, "ends-first"),
    ],
)
def test_a_time_that_is_none_begins_nothing(reviewing: House, times: dict[str, str], code: str) -> None:
    game = {"name": "good.mp4", "players": ["Ann", "Ben"], "edition": "ru", **times}
    response = reviewing.referee.post("/review", game)
    assert (response.status_code, response.get_json()["error"]["code"]) == (400, code)
    assert not list((reviewing.folder / "reviews").glob("*"))


def test_one_at_a_time_and_each_can_be_stopped(reviewing: House) -> None:
    slow, good = begin_review(reviewing, "slow.mp4"), begin_review(reviewing, "good.mp4")
    wait_for(lambda: told(reviewing, slow)["progress"] == 0.25)
    assert told(reviewing, good)["state"] == "waiting"
    reviewing.referee.post(f"/review/{slow}/stop", {})
    wait_for(lambda: told(reviewing, good)["state"] == "done")
    assert told(reviewing, slow)["state"] == "stopped"


def test_an_upload_is_kept_under_a_name_made_here(reviewing: House) -> None:
    me = reviewing.referee
    response = me.client.post(
        "/review",
        data={
            "recording": (io.BytesIO(b"video"), "../../evil name.mp4"),
            "players": "Ann,Ben",
            "edition": "ru",
        },
        headers={"X-CSRF-Token": me.token, "Accept": "application/json"},
        base_url="http://localhost:8377",
    )
    review_id = response.get_json()["id"]
    assert response.get_json()["review"]["name"] == "evil name.mp4"
    wait_for(lambda: told(reviewing, review_id)["state"] == "done")
    assert (reviewing.folder / "reviews" / review_id / "recording.mp4").read_bytes() == b"video"


def send_recording(house: House, data: bytes) -> TestResponse:
    fields = {"players": "Ann,Ben", "edition": "ru"}
    parts = [f'--edge\r\nContent-Disposition: form-data; name="{n}"\r\n\r\n{v}\r\n' for n, v in fields.items()]
    head = '--edge\r\nContent-Disposition: form-data; name="recording"; filename="good.mp4"\r\n\r\n'
    body = "".join(parts).encode() + head.encode() + data + b"\r\n--edge--\r\n"
    return house.referee.client.post(
        "/review",
        data=body,
        content_type="multipart/form-data; boundary=edge",
        headers={"X-CSRF-Token": house.referee.token, "Accept": "application/json"},
        base_url="http://localhost:8377",
    )


def test_a_large_upload_needs_no_other_disk_than_that_of_the_data(
    reviewing: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = []

    def noted(mode: str, dir: Path) -> IO[bytes]:
        folders.append(dir)
        return TemporaryFile(mode, dir=dir)

    monkeypatch.setattr("web.security.uploads.TemporaryFile", noted)
    response = send_recording(reviewing, b"v" * 600_000)
    assert response.status_code == 200
    review_id = response.get_json()["id"]
    assert (reviewing.folder / "reviews" / review_id / "recording.mp4").stat().st_size == 600_000
    assert folders == [reviewing.folder / "uploads"]


def test_an_upload_that_the_disk_refuses_is_told_and_leaves_nothing(
    reviewing: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: object, path: object, *more: object) -> None:
        Path(str(path)).write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("werkzeug.datastructures.FileStorage.save", full)
    response = send_recording(reviewing, b"video")
    assert response.status_code == 500
    assert response.get_json()["error"]["code"] == "store-unusable"
    assert list((reviewing.folder / "reviews").iterdir()) == []


def test_what_an_upload_left_that_a_crash_broke_off_is_removed(tmp_path: Path) -> None:
    left = tmp_path / "reviews" / "0123456789abcdef"
    left.mkdir(parents=True)
    (left / "recording.mp4").write_bytes(b"half")
    with house_in(tmp_path):
        assert not left.exists()


@pytest.mark.parametrize(
    "name", ["secret.txt", "../data/tileref.db", "/etc/passwd", "none.mp4", "", "good.mp4/.."]
)
def test_only_recordings_of_the_one_folder_can_be_named(reviewing: House, name: str) -> None:
    response = reviewing.referee.post("/review", {"name": name, "players": ["Ann", "Ben"]})
    assert response.status_code == 404


def test_a_review_that_a_crash_interrupted_can_go_on(reviewing: House) -> None:
    review_id = begin_review(reviewing, "good.mp4")
    wait_for(lambda: told(reviewing, review_id)["state"] == "done")
    reviewing.site.reviews._change(review_id, state="running")  # as a killed program leaves it
    with house_in(reviewing.folder) as again:
        again.site.reviews._command = reviewing.site.reviews._command
        assert told(again, review_id)["state"] == "stopped"
        assert again.referee.post(f"/review/{review_id}/resume", {}).status_code == 200
        wait_for(lambda: told(again, review_id)["state"] == "done")
        assert again.referee.post(f"/review/{review_id}/resume", {}).status_code == 409


@pytest.mark.parametrize(("frames", "ends"), [(3, "done"), (0, "failed")])
def test_the_work_is_done_in_a_process_of_its_own(tmp_path: Path, frames: int, ends: str) -> None:
    stills, folder = tmp_path / "stills", tmp_path / "review"
    stills.mkdir()
    folder.mkdir()
    for number in range(frames):
        (stills / f"{number}.jpg").write_bytes(encode(picture_bgr(), 400))
    called = "the final of May.mp4"
    job = {"recording": str(stills), "called": called, "settings": WebConfig(tmp_path).review_settings()}
    game = {"players": ["Ann", "Ben"], "edition": "ru", "variant": None, "rules": {}, "automatic": True}
    (folder / "job.json").write_text(json.dumps({**job, **game}))
    worker = [sys.executable, "-m", "web.review.work", str(folder)]
    run = subprocess.run(worker, cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=60)
    last = json.loads(run.stdout.splitlines()[-1])
    assert (last["kind"], run.stderr) == (ends, "")
    assert (folder / "report.html").is_file() == (ends == "done")
    if ends == "done":
        assert called in (folder / "report.html").read_text("utf-8")
    else:
        assert last["why"].endswith(".")
