"""What a command shows while it works, and where what runs log is kept."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer import Exit

from evidence_assets import progress
from evidence_assets.cli import terminal
from evidence_assets.cli.runs import INTERRUPTED, report_runs
from evidence_assets.lake.lake import Lake
from evidence_assets.orchestration.changed_sources import in_one_line
from evidence_assets.progress import run_begins, step_begins, told


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
    monkeypatch.setenv("EVIDENCE_LAKE", "/the/lake")
    terminal.show_debug(False)
    return tmp_path


def work() -> Iterator[tuple[str, str, float]]:
    run_begins("rank_chunks", "coverage|quiz", 1, 2)
    print("DEBUG of a library", file=sys.stderr)
    os.write(2, b"DEBUG of a compiled one\n")
    step_begins("ranked_chunks")
    told("questions")(20, 80)
    time.sleep(0.25)
    yield "rank_chunks", "coverage|quiz", 12.34
    run_begins("run_uscrake", "full|quiz", 2, 2)
    yield "run_uscrake", "full|quiz", 0.04


def test_long_work_is_told_while_it_is_done(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.1)
    report_runs(Lake(str(home)), work())
    lines = capsys.readouterr().out.splitlines()
    told_of = [line for line in lines if line.startswith("  ... ")]
    assert told_of
    assert told_of[0] == (
        "  ...     run 1 of 2, rank_chunks coverage|quiz: ranked_chunks: 20 of 80 questions"
    )
    assert [line for line in lines if line not in told_of][:2] == [
        "  12.3 s  rank_chunks              coverage|quiz",
        "   0.0 s  run_uscrake              full|quiz",
    ]
    assert lines[-2].endswith("in all (2 runs); the lake is at /the/lake")
    assert len(told_of) < 5, "only so often"


def test_runs_that_were_skipped_are_told_in_the_last_line(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [("ingest_corpus", "notes", 1.0), ("run_uscrake", "full|quiz", None), ("x", "y", None)]
    report_runs(Lake(str(home)), iter(runs))
    [made, last] = capsys.readouterr().out.strip().splitlines()
    assert "ingest_corpus" in made
    assert "in all (1 run, 2 skipped: what they read came out as it was); the lake is at " in last


def test_what_runs_log_is_in_a_file(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    report_runs(Lake(str(home)), work())
    shown = capfd.readouterr()
    assert shown.err == ""
    assert "DEBUG" not in shown.out
    logged = (home / "logs" / "runs.log").read_text(encoding="utf-8")
    assert sorted(logged.splitlines()) == ["DEBUG of a compiled one", "DEBUG of a library"]


def test_the_log_is_shown_on_request(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    terminal.show_debug(True)
    report_runs(Lake(str(home)), work())
    assert "DEBUG of a library" in capfd.readouterr().err
    assert not (home / "logs").exists()


def test_a_run_that_fails_tells_where_its_log_is(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def fails() -> Iterator[tuple[str, str, float]]:
        yield "ingest_corpus", "notes", 1.0
        raise RuntimeError("job index_corpus, partition small: no article; remedy: add some")

    with pytest.raises(RuntimeError) as raised:
        report_runs(Lake(str(home)), fails())
    assert str(raised.value) == (
        f"job index_corpus, partition small: no article; remedy: add some\nthe log is in {home}/logs/runs.log"
    )
    assert "ingest_corpus" in capsys.readouterr().out
    print("errors are shown again", file=sys.stderr)
    assert capsys.readouterr().err == "errors are shown again\n"


@pytest.mark.parametrize(
    ("again", "command"), [(False, "the same command"), (True, "the same command without --again")]
)
def test_an_interrupted_command_tells_what_goes_on_from_there(
    home: Path, capsys: pytest.CaptureFixture[str], again: bool, command: str
) -> None:
    def is_interrupted() -> Iterator[tuple[str, str, float]]:
        yield "ingest_corpus", "notes", 1.0
        raise KeyboardInterrupt

    with pytest.raises(Exit) as raised:
        report_runs(Lake(str(home)), is_interrupted(), again)
    assert raised.value.exit_code == INTERRUPTED
    assert capsys.readouterr().err == f"ended: what was made stays, and {command} goes on from there\n"


def test_a_pipe_gets_whole_lines_without_colours(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.show_rows([("a", "b" * 200), ("longer", "c")])
    assert capsys.readouterr().out == f"a       {'b' * 200}\nlonger  c\n"


def test_names_of_sources_change_nothing_around_them(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "a\x1b[31m\u202eb"
    terminal.show_rows([("stale", name)])
    report_runs(Lake(str(home)), iter([("ingest_corpus", name, 1.0)]))
    print(in_one_line([f"file {name} changed"]))
    printed = capsys.readouterr().out
    assert printed.count(r"a\x1b[31m\u202eb") == 3
    assert "\x1b" not in printed
    assert "\u202e" not in printed


def test_nothing_to_list_is_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.show_rows([])
    assert capsys.readouterr().out == ""
