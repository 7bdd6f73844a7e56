"""A store that is busy, slow, away or forbids: what was asked is done, or told; nothing is half written."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import botocore.exceptions
import pytest
from s3fs.utils import FileExpired

from evidence_assets.audit.integrity import check_rows
from evidence_assets.lake import catalogue, records
from evidence_assets.lake.conditional_writes import read_unreplaced
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import REJECTED_RECORDS
from evidence_assets.lake.store_failures import AWAY, REFUSES, StoreError, store_failure
from evidence_assets_tests.testing.faulty_store import Faults, faulty_store, little_patience
from evidence_assets_tests.testing.table_rows import rejections

_ROOTS = itertools.count()
SOURCES = ("a", "b", "c")
PLACE = {"source": "a"}


@pytest.fixture(scope="module")
def store() -> Iterator[Faults]:
    with faulty_store("lake") as faults:
        yield faults


@pytest.fixture
def faults(store: Faults) -> Iterator[Faults]:
    store.heal()
    store.failed = 0
    yield store
    store.heal()


@pytest.fixture(scope="module")
def made(store: Faults) -> Lake:
    """A lake with its catalogue, which nothing changes."""
    lake = Lake("s3://lake/made")
    make(lake)
    catalogue.build(lake)
    return lake


@pytest.fixture
def lake(faults: Faults) -> Lake:
    return Lake(f"s3://lake/{next(_ROOTS)}")


def make(lake: Lake) -> None:
    for source in SOURCES:
        written = lake.write(REJECTED_RECORDS, {"source": source}, rejections(source, "1", "2"))
        lake.record(written, [], "run", "1")


def content(lake: Lake) -> dict[str, bytes]:
    """The bytes of every partition's file."""
    files = (lake.file(REJECTED_RECORDS, place) for place in lake.partitions(REJECTED_RECORDS))
    return {path.removeprefix(lake.path): lake.filesystem.cat_file(path) for path in files}


@pytest.mark.integration
@pytest.mark.parametrize(
    "fault",
    [
        {"share": 0.2, "statuses": (500, 503)},
        {"share": 0.4, "statuses": (500,), "replies": ("PUT",)},
        {"seconds": 0.05},
    ],
    ids=["a fifth of 500 and 503", "replies lost after their PUT", "slow"],
)
def test_what_a_store_does_in_the_end_is_what_was_asked(
    lake: Lake, faults: Faults, tmp_path: Path, fault: dict[str, Any]
) -> None:
    for name, value in fault.items():
        setattr(faults, name, value)
    make(lake)
    assert len(lake.partitions(REJECTED_RECORDS)) == len(SOURCES)
    assert sorted(row["partition"] for row in records.all_records(lake)) == [f"source={s}" for s in SOURCES]
    assert bool(faults.failed) == ("share" in fault)
    faults.heal()
    beside = Lake(str(tmp_path))
    make(beside)
    assert content(lake) == content(beside)


@pytest.mark.integration
def test_a_query_of_a_busy_store_is_answered(made: Lake, faults: Faults) -> None:
    faults.share, faults.statuses = 0.2, (500, 503)
    while not faults.failed:
        with catalogue.connect(made) as connection:
            assert connection.execute("SELECT count(*) FROM rejected_records").fetchone() == (6,)


READS: dict[str, Callable[[Lake], object]] = {
    "the partitions": lambda lake: lake.partitions(REJECTED_RECORDS),
    "a partition": lambda lake: lake.read(REJECTED_RECORDS, PLACE),
    "whether one is damaged": lambda lake: lake.undamaged(REJECTED_RECORDS, PLACE),
    "a check of one": lambda lake: list(check_rows(lake, REJECTED_RECORDS, PLACE)),
    "the records": records.all_records,
    "a write": lambda lake: lake.write(REJECTED_RECORDS, PLACE, rejections("a", "3")),
}


@pytest.mark.parametrize("asked", READS)
@pytest.mark.parametrize("problem", [AWAY, REFUSES])
def test_a_store_that_stays_away_or_refuses_is_told_of_whatever_is_asked(
    made: Lake, faults: Faults, asked: str, problem: str
) -> None:
    before = content(made)
    with little_patience():
        unwilling = Lake(made.uri)
        faults.away() if problem == AWAY else faults.expired()
        with pytest.raises((OSError, StoreError)) as caught:
            READS[asked](unwilling)
        faults.heal()
    failure = store_failure(caught.value, made.uri)
    assert failure is not None
    assert str(failure).startswith(made.uri)
    assert f": {problem} (" in str(failure)
    assert str(failure).endswith("; then start the same again: what was made stays")
    assert failure.is_away == (problem == AWAY)
    assert content(Lake(made.uri)) == before


@pytest.mark.integration
@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_query_tells_of_the_store_and_not_of_what_duckdb_made_of_it(
    made: Lake, faults: Faults, after: int
) -> None:
    with little_patience(), pytest.raises(StoreError, match=f"^{made.uri}: {AWAY} "):  # noqa: SIM117
        with catalogue.connect(Lake(made.uri)) as connection:
            faults.away(after)
            connection.execute("SELECT * FROM rejected_records").fetchall()


def test_a_busy_store_is_not_taken_for_a_replaced_file(made: Lake) -> None:
    path = made.file(REJECTED_RECORDS, PLACE)
    asked = []

    def read(error: OSError) -> Callable[[Any], object]:
        def fail(file: Any) -> object:
            asked.append(file)
            raise error

        return fail

    with pytest.raises(OSError, match="reduce"):
        read_unreplaced(made.filesystem, path, read(OSError(16, "Please reduce your request rate.")))
    assert len(asked) == 1
    with pytest.raises(FileExpired):
        read_unreplaced(made.filesystem, path, read(FileExpired(path, "tag")))
    assert len(asked) == 6, "a file that was replaced is opened again"


def answered(status: int, code: str, message: str = "said") -> Exception:
    response = {
        "Error": {"Code": code, "Message": message},
        "ResponseMetadata": {"HTTPStatusCode": status},
    }
    error: Exception = botocore.exceptions.ClientError(response, "GetObject")
    return error


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (answered(503, "SlowDown"), f"{AWAY} (SlowDown: said)"),
        (answered(403, "AccessDenied"), f"{REFUSES} (AccessDenied: said)"),
        (answered(400, "400", "Bad Request"), f"{REFUSES} (400: Bad Request)"),
        (answered(404, "NoSuchBucket"), "the store has no such bucket (NoSuchBucket: said)"),
        (botocore.exceptions.NoCredentialsError(), f"{REFUSES} (Unable to locate credentials)"),
        (botocore.exceptions.EndpointConnectionError(endpoint_url="http://x"), f"{AWAY} (Could not connect"),
        (answered(404, "NoSuchKey"), None),
        (answered(412, "PreconditionFailed"), None),
        (answered(501, "NotImplemented"), None),
        (FileNotFoundError("gone"), None),
    ],
)
def test_each_answer_of_a_store_is_told_as_what_it_is(error: Exception, told: str | None) -> None:
    failure = store_failure(error, "s3://bucket/lake")
    if told is None:
        assert failure is None
    else:
        assert str(failure).startswith(f"s3://bucket/lake: {told}")


def test_what_tells_its_own_remedy_or_is_of_no_store_is_left() -> None:
    own = LookupError("s3://other/file: cannot be opened; remedy: name another")
    own.__cause__ = answered(503, "SlowDown")
    assert store_failure(own, "s3://bucket/lake") is None
    assert store_failure(answered(503, "SlowDown"), "/local/lake") is None
