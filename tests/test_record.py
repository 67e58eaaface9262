"""The dated record of measurements: entries, their tables, and what evaluate puts in."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tileref.cli import main
from tileref.commands.evaluate import watching_figures
from tileref.record import RecordError, append_record, read_record, record_markdown
from vision.evaluation.games_summary import games_json
from vision.picture import Picture
from vision.readings import PhotoReading


def test_entries_come_back_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "record.jsonl"
    first = append_record(
        file, "speed", ["bench", "--runs", "20"], {"whole, ms": 371.2}, today=date(2026, 11, 21)
    )
    second = append_record(
        file, "games", ["evaluate", "--games", str(tmp_path / "tune")], {"F1": 0.99, "none": None}
    )
    assert read_record(file) == (first, second)
    assert first.date == "2026-11-21"
    assert second.command == "tileref evaluate --games tune"  # no folder of this machine
    assert first.machine["cores"] >= 1
    assert len(first.weights) == 8


def test_tables_show_the_newest_first_and_every_figure(tmp_path: Path) -> None:
    file = tmp_path / "record.jsonl"
    for day, figures in ((1, {"F1": 0.5}), (2, {"F1": 0.75, "doubts": "3 of 9"})):
        append_record(file, "photographs", ["evaluate", "photos"], figures, today=date(2026, 1, day))
    text = record_markdown(read_record(file))
    rows = [line for line in text.splitlines() if line.startswith("| 2026")]
    assert ["2026-01-02" in rows[0], "2026-01-01" in rows[1]] == [True, True]
    assert "| 0.75 | 3 of 9 |" in rows[0]
    assert "| 0.5 | - |" in rows[1]


@pytest.mark.parametrize("line", ["no JSON", "{}", '{"date": "2026-01-01"}', "[]"])
def test_what_is_no_entry_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "record.jsonl"
    append_record(file, "speed", [], {})
    with file.open("a") as lines:
        lines.write(line + "\n")
    with pytest.raises(RecordError, match="line 2"):
        read_record(file)


def test_files_that_cannot_be_used_are_told(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be read"):
        read_record(tmp_path / "none")
    with pytest.raises(RecordError, match="cannot be written"):
        append_record(tmp_path / "none" / "record.jsonl", "speed", [], {})


class _Blind:
    def read(self, picture: Picture) -> PhotoReading:
        return PhotoReading(picture.size_wh, "empty")


def test_evaluate_records_what_came_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "record.jsonl"
    main(["evaluate", "--rendered", "1", "--record", str(file)], lambda settings, box: _Blind())
    assert "F1" in capsys.readouterr().out
    (entry,) = read_record(file)
    assert entry.what == "rendered"
    assert entry.command == "tileref evaluate --rendered 1 --record record.jsonl"
    assert (entry.figures["pictures"], entry.figures["wrong, unflagged"]) == (1, 0)


def test_games_are_recorded_by_every_measure() -> None:
    figures = watching_figures(games_json([]))
    assert figures["games"] == 0
    assert any(str(value) == "0 of 0" for value in figures.values())
