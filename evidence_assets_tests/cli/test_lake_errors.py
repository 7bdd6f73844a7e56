"""What the command says of a lake that it cannot read or write: the whole text, without a stack trace."""

from __future__ import annotations

import errno
import tempfile
from pathlib import Path

import pyarrow as pa
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from evidence_assets.cli.main import main
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.locations import default_root
from evidence_assets.lake.schemas import ARTICLES, PREDICTIONS, QUESTIONS, Table
from evidence_assets_tests.testing.commands import failed
from evidence_assets_tests.testing.newer_lake import (
    Change,
    column_more,
    renamed,
    with_column,
    write_newer,
)
from evidence_assets_tests.testing.tiny_lake import ARMS, build_tiny_lake, experiment_partition

WRITING_COMMANDS = [
    ["demo", "quiz"],
    ["demo-lm"],
    ["ask", "Which hive gave more?", "--table", "hives.csv"],
    ["prepare", "--corpus", "small"],
    ["ablate", "quiz", "uscrake/full@extractive"],
    ["pages"],
    ["pages", "--again"],
    ["retract", "vole.md", "--apply"],
    ["prune"],
    ["migrate"],
    ["catalogue"],
]


@pytest.mark.parametrize("command", WRITING_COMMANDS, ids=" ".join)
def test_a_lake_that_cannot_be_written(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    def refuse(**_: object) -> object:
        raise OSError(errno.EROFS, "Read-only file system")

    (folder / "hives.csv").write_text("Hive,Honey\nA,40\nB,18\n", encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    assert failed(capsys, *command) == (
        1,
        f"{folder}/lake: the lake cannot be written: Read-only file system; "
        "remedy: give yourself the right to write there, or set EVIDENCE_LAKE to a folder of your own\n",
    )


def test_what_would_change_is_told_of_a_lake_that_cannot_be_written(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Lake, "check_writable", lambda _: pytest.fail("nothing is to be written"))
    assert main(["prune", "--dry-run"]) == 0
    assert main(["retract", "--edited"]) == 0
    assert main(["status"]) == 0
    assert capsys.readouterr().err == ""


def test_a_lake_of_a_kind_that_nothing_opens(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVIDENCE_LAKE", "floppy://a/lake")
    for command in (["demo", "quiz"], ["scores", "quiz"]):
        assert failed(capsys, *command) == (
            1,
            "floppy://a/lake cannot be opened: Protocol not known: floppy; remedy: name a folder or a store, "
            "s3://bucket/folder, or install what opens such addresses\n",
        )


def test_a_store_that_lets_nobody_in(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> bool:
        raise ConnectionError("no credentials")

    monkeypatch.setenv("EVIDENCE_LAKE", "memory://lake")
    monkeypatch.setattr(MemoryFileSystem, "exists", refuse)
    for command in (["demo", "quiz"], ["scores", "quiz"]):
        assert failed(capsys, *command) == (
            1,
            "memory:///lake cannot be reached: no credentials; remedy: give the store's credentials and "
            "address in the environment, or set EVIDENCE_LAKE to another place\n",
        )


@pytest.mark.parametrize(
    ("command", "table", "place"),
    [
        (["scores", "quiz"], QUESTIONS, {"benchmark": "quiz"}),
        (["retract", "vole.md"], ARTICLES, {"corpus": "small", "shard": "notes"}),
    ],
)
def test_a_damaged_file_of_the_lake(
    folder: Path, capsys: pytest.CaptureFixture[str], command: list[str], table: Table, place: dict[str, str]
) -> None:
    lake = Lake(str(folder / "lake"))
    lake.write(table, place, table.schema.empty_table())
    file = Path(lake.file(table, place))
    file.write_bytes(file.read_bytes()[:100])
    assert failed(capsys, *command) == (
        1,
        f"{file}: the file cannot be read: Parquet magic bytes not found in footer. Either the file is "
        "corrupted or this is not a parquet file; remedy: materialise the partition anew, in Dagster or by "
        "evidence-assets demo BENCHMARK --again\n",
    )


@pytest.mark.parametrize(
    ("change", "unknown"),
    [
        (column_more, "column mood is unknown here"),
        (renamed("question_id", "asked"), "column asked is unknown here"),
        (
            with_column("predicted_index", lambda count: pa.array(["second"] * count)),
            "column predicted_index is string, not int32",
        ),
    ],
    ids=["more", "renamed", "other type"],
)
def test_an_answer_that_a_later_version_wrote(
    folder: Path, capsys: pytest.CaptureFixture[str], change: Change, unknown: str
) -> None:
    tiny = build_tiny_lake(str(folder / "lake"))
    place = experiment_partition(ARMS[0])
    file = write_newer(tiny.lake, PREDICTIONS, place, change)
    message = f"{file}: a later version wrote the file: {unknown}; remedy: use that version or one after it\n"
    assert failed(capsys, "trace", tiny.predictions[ARMS[0], "heart"]) == (1, message)


def test_a_partition_that_a_later_version_wrote_in_place_of_a_recorded_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lake, place = Lake(str(folder / "lake")), {"benchmark": "quiz"}
    lake.record(lake.write(QUESTIONS, place, QUESTIONS.schema.empty_table()), [], "run", "1")
    file = write_newer(lake, QUESTIONS, place, column_more)
    content = file.read_bytes()
    for command in (["status"], ["demo", "quiz"]):
        status, message = failed(capsys, *command)
        assert status == 1
        assert message.endswith(
            f"{file}: a later version wrote the file: column mood is unknown here; remedy: use that version "
            "or one after it\n"
        )
        assert "Traceback" not in message
    assert file.read_bytes() == content


EVERY_COMMAND = [
    ["check"],
    ["status"],
    ["demo", "quiz"],
    ["ask", "What does a vole eat?"],
    ["prepare", "--corpus", "small"],
    ["trace", "x"],
    ["show", "x"],
    ["scores", "quiz"],
    ["pages"],
    ["prune"],
    ["catalogue"],
    ["migrate"],
    ["retract", "x"],
    ["export", "quiz", "uscrake/full@extractive", "crate"],
    ["ui"],
]


@pytest.mark.parametrize("below", ["", "/lake", "/lake/of/mine"])
@pytest.mark.parametrize("command", EVERY_COMMAND, ids=lambda command: command[0])
def test_a_lake_where_a_file_stands(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    command: list[str],
    below: str,
) -> None:
    file = folder / "facts.tsv"
    monkeypatch.setenv("EVIDENCE_LAKE", f"{file}{below}")
    assert failed(capsys, *command) == (
        1,
        f"{file}{below}: {file} is a file, and no folder; remedy: set EVIDENCE_LAKE to a folder that is "
        "there, or that can be made\n",
    )


@pytest.mark.parametrize(
    ("lake", "problem"),
    [
        ("~nobody-of-that-name/lake", "there is no such user's home; remedy: give the whole path, from / on"),
        (
            "/x" + "x" * 300,
            "File name too long; remedy: set EVIDENCE_LAKE to a folder that is there, or that can be made",
        ),
    ],
)
def test_a_lake_that_can_be_nowhere(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, lake: str, problem: str
) -> None:
    monkeypatch.setenv("EVIDENCE_LAKE", lake)
    for command in (["check"], ["status"], ["trace", "x"]):
        assert failed(capsys, *command) == (1, f"{lake}: {problem}\n")


@pytest.mark.parametrize(
    "command",
    [
        ["trace", "x"],
        ["show", "x"],
        ["scores", "quiz"],
        ["pages"],
        ["gate", "gates.yaml"],
        ["export", "quiz", "uscrake/full@extractive", "crate"],
        ["export-reader", "x", "reader"],
        ["retract", "x"],
        ["prune"],
        ["migrate"],
    ],
    ids=lambda command: command[0],
)
def test_a_mistyped_lake_is_not_taken_for_an_empty_one(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.chdir(folder)
    (folder / "gates.yaml").write_text(
        "gates: [{system: s, arm: a, benchmark: b, least: {accuracy: 0}}]", encoding="utf-8"
    )
    monkeypatch.setenv("EVIDENCE_LAKE", "lak")
    assert failed(capsys, *command) == (
        1,
        f"there is no lake at {folder}/lak, which EVIDENCE_LAKE names; remedy: set it to the folder or "
        "the URI of one, unset it for the project's own, or make one there: evidence-assets demo\n",
    )
    assert not (folder / "lak").exists()


def test_status_of_a_lake_that_is_not_there_says_so_beside_what_is_missing(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("EVIDENCE_LAKE", "lak")
    assert main(["status"]) == 0
    shown = capsys.readouterr()
    assert shown.err.startswith(f"note: there is no lake at {folder}/lak, which EVIDENCE_LAKE names; remedy:")
    assert " missing" in shown.out
    assert not (folder / "lak").exists()


def test_a_project_s_lake_may_be_made_later(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for lake in ("", str(folder / "data_lake")):
        monkeypatch.chdir(folder)
        monkeypatch.setenv("EVIDENCE_LAKE", lake)
        assert main(["status"]) == 0


def test_a_variable_of_blanks_names_no_lake(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("EVIDENCE_LAKE", " ")
    assert default_root() == str(folder / "data_lake")


def test_a_cache_where_a_file_stands(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = folder / "facts.tsv"
    monkeypatch.setenv("EVIDENCE_CACHE", f"{file}/cache")
    assert failed(capsys, "demo", "quiz") == (
        1,
        f"{file}/cache: {file} is a file, and no folder; remedy: set EVIDENCE_CACHE to a folder that is "
        "there, or that can be made\n",
    )
