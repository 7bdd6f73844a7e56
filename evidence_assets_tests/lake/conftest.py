"""Fixtures of the lake's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import Table
from evidence_assets_tests.testing.object_store import object_store
from evidence_assets_tests.testing.tiny_lake import TinyLake, build_tiny_lake


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> TinyLake:
    """A lake with known answers, shared by a module's tests, which only read it."""
    return build_tiny_lake(str(tmp_path_factory.mktemp("tiny") / "lake"))


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(str(tmp_path / "lake"))


@pytest.fixture
def words() -> Table:
    """A table of the tests' own: a key of two columns, one partition column, an optional payload."""
    schema = pa.schema(
        [
            pa.field("word", pa.string(), nullable=False),
            pa.field("number", pa.int32(), nullable=False),
            pa.field("shelf", pa.string(), nullable=False),
            pa.field("note", pa.string()),
        ]
    )
    return Table("words", "Words on shelves.", schema, ("word", "number"), ("shelf",))


@pytest.fixture(scope="module")
def s3_client() -> Iterator[object]:
    with object_store("lake") as client:
        yield client
