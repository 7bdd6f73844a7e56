"""A lake whose store is away, or forbids, while a command works: told with the remedy, and gone on from."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from evidence_assets.cli.main import main
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import MATERIALIZATIONS, QUESTIONS, TABLES_BY_NAME
from evidence_assets.lake.store_failures import AWAY, REFUSES
from evidence_assets_tests.testing.faulty_store import Faults, faulty_store, little_patience
from evidence_assets_tests.testing.table_rows import table_of

pytestmark = pytest.mark.integration

_ROOTS = itertools.count()
DEMO = ["demo", "quiz", "--arms", "no_evidence@option_cosine"]
COMMANDS = (["trace", "x"], ["status"], ["scores", "quiz"], DEMO)


@pytest.fixture(scope="module")
def store() -> Iterator[Faults]:
    with faulty_store("lake") as faults:
        yield faults


@pytest.fixture
def faults(store: Faults, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Faults]:
    """The sound project, its lake in a store."""
    uri = f"s3://lake/{next(_ROOTS)}"
    monkeypatch.setenv("EVIDENCE_LAKE", uri)
    monkeypatch.setenv("EVIDENCE_CACHE", str(folder / "cache"))
    store.heal()
    Lake(uri).write(QUESTIONS, {"benchmark": "another"}, table_of(QUESTIONS))
    yield store
    store.heal()


def made(uri: str) -> dict[str, bytes]:
    """The bytes of every partition of a lake but the records, which hold times; every file is read whole."""
    lake = Lake(uri)
    files = {}
    for table in TABLES_BY_NAME.values():
        for place in lake.partitions(table):
            lake.read(table, place)
            if table is not MATERIALIZATIONS:
                path = lake.file(table, place)
                files[path.removeprefix(lake.path)] = bytes(lake.filesystem.cat_file(path))
    return files


@pytest.mark.parametrize("after", [0, 4])
@pytest.mark.parametrize("problem", [AWAY, REFUSES])
def test_every_command_tells_of_a_store_that_is_away_or_forbids(
    faults: Faults, capsys: pytest.CaptureFixture[str], problem: str, after: int
) -> None:
    with little_patience():
        for command in COMMANDS:
            faults.away(after) if problem == AWAY else faults.expired(after)
            assert main(command) == 1, command
            message = capsys.readouterr().err
            assert f"{problem} (" in message, command
            assert "s3://lake/" in message
            assert message.count("start the same again: what was made stays") == 1
            assert "Traceback" not in message


def test_credentials_that_expire_in_the_middle_of_a_run_lose_nothing(
    faults: Faults,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as local:
        local.setenv("EVIDENCE_LAKE", str(folder / "unbroken"))
        assert main(DEMO) == 0
    uri = f"s3://lake/{next(_ROOTS)}"
    monkeypatch.setenv("EVIDENCE_LAKE", uri)
    faults.expired(after=100)
    with little_patience():
        assert main(DEMO) == 1
    faults.heal()
    message = capsys.readouterr().err
    assert f"{uri}: {REFUSES} (" in message
    assert "Traceback" not in message
    unbroken = made(str(folder / "unbroken"))
    begun = made(uri)
    assert begun.items() <= unbroken.items(), "what stands is whole"
    assert len(begun) < len(unbroken)
    assert main(DEMO) == 0
    assert made(uri) == unbroken
