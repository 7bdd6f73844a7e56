"""What a step writes of an asset whose one partition is several of the lake's."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pytest

from evidence_assets.lake.ids import combined_hash
from evidence_assets.lake.lake import Lake, Partition, PartitionVersion
from evidence_assets.lake.parquet import TableContractError
from evidence_assets.lake.schemas import ARTICLES, MATERIALIZATIONS, TRIPLES
from evidence_assets.orchestration.lake_resource import Step

Parts = list[tuple[Partition, pa.Table]]


def rows(relation: str, *heads: str) -> pa.Table:
    stated = [
        {
            "triple_id": f"{relation}/{head}",
            "kg": "k",
            "head": head,
            "relation": relation,
            "tail": "thing",
            "weight": None,
            "sources": [],
        }
        for head in heads
    ]
    return pa.Table.from_pylist(stated, schema=TRIPLES.schema)


def place(relation: str) -> dict[str, str]:
    return {"kg": "k", "relation": relation}


def parts(**heads: str) -> Parts:
    return [(place(relation), rows(relation, *named)) for relation, named in heads.items()]


def noted(lake: Lake) -> dict[str, dict[str, object]]:
    found = [
        row
        for one in lake.partitions(MATERIALIZATIONS)
        for row in lake.read(MATERIALIZATIONS, one).to_pylist()
    ]
    return {row["partition"]: row for row in found}


def test_every_part_is_written_and_recorded_with_what_was_read(lake: Lake) -> None:
    lake.note_source("facts.tsv", "abc")
    step = Step(lake, "run 1", "v1")
    assert step.write_each(TRIPLES, iter(parts(HasA="ab", IsA="c"))) == 3
    assert lake.partitions(TRIPLES) == [place("HasA"), place("IsA")]
    materializations = noted(lake)
    assert materializations.keys() == {"kg=k/relation=HasA", "kg=k/relation=IsA"}
    for row in materializations.values():
        assert (row["table"], row["run_id"], row["code_version"]) == ("triples", "run 1", "v1")
        assert row["upstream"] == [{"table": "source_files", "partition": "facts.tsv", "content_hash": "abc"}]


def test_the_data_version_is_the_hash_of_all_parts(lake: Lake) -> None:
    step = Step(lake, "run 1", "v1")
    step.write_each(TRIPLES, parts(HasA="ab", IsA="c"))
    versions = [lake.version(TRIPLES, place(relation)).content_hash for relation in ("HasA", "IsA")]
    assert step.hashes == {"triples": combined_hash(versions)}
    shown = step.metadata["triples"]
    sizes = [lake.filesystem.size(lake.file(TRIPLES, place(relation))) for relation in ("HasA", "IsA")]
    assert shown == {
        "dagster/row_count": 3,
        "bytes": sum(sizes),
        "partitions_written": 2,
        "content_hash": step.hashes["triples"],
        "changed": True,
    }


def test_the_same_parts_again_change_nothing(lake: Lake) -> None:
    first, again = Step(lake, "run 1", "v1"), Step(lake, "run 2", "v1")
    first.write_each(TRIPLES, parts(HasA="ab", IsA="c"))
    again.write_each(TRIPLES, parts(HasA="ba", IsA="c"))
    assert again.hashes == first.hashes
    assert again.metadata["triples"]["changed"] is False
    assert {row["run_id"] for row in noted(lake).values()} == {"run 1"}


@pytest.mark.parametrize(
    "changed",
    [
        parts(HasA="ab", IsA="d"),
        parts(HasA="ab"),
        parts(HasA="ab", IsA="c", PartOf="e"),
        parts(HasA="a", IsA="bc"),
        parts(HasA="ab", MadeOf="c"),
    ],
    ids=["other row", "part less", "part more", "moved", "renamed"],
)
def test_any_other_part_is_another_version(lake: Lake, changed: Parts) -> None:
    first, then = Step(lake, "run 1", "v1"), Step(lake, "run 2", "v1")
    first.write_each(TRIPLES, parts(HasA="ab", IsA="c"))
    then.write_each(TRIPLES, changed)
    assert then.hashes != first.hashes


def test_parts_are_made_one_after_the_other(lake: Lake) -> None:
    """A graph of millions of triples is written relation by relation: it never stands in memory twice."""
    written: list[int] = []

    def lazily() -> Iterator[tuple[Partition, pa.Table]]:
        for number, part in enumerate(parts(A="a", B="b", C="c")):
            written.append(len(lake.partitions(TRIPLES)))
            assert number == written[-1]
            yield part

    Step(lake, "run", "v1").write_each(TRIPLES, lazily())
    assert written == [0, 1, 2]


def test_a_table_is_not_its_own_upstream(lake: Lake) -> None:
    step = Step(lake, "run", "v1")
    lake.reads[PartitionVersion("articles", "shard=a", "1")] = None
    lake.reads[PartitionVersion("triples", "kg=k/relation=Old", "2")] = None
    step.write_each(TRIPLES, parts(IsA="a"))
    [row] = noted(lake).values()
    assert row["upstream"] == [{"table": "articles", "partition": "shard=a", "content_hash": "1"}]


def test_rows_of_another_part_are_refused(lake: Lake) -> None:
    step = Step(lake, "run", "v1")
    with pytest.raises(TableContractError, match=r"rows of relation=.*'IsA'.*relation=HasA"):
        step.write_each(TRIPLES, [(place("HasA"), rows("IsA", "a"))])
    assert step.hashes == {}
    with pytest.raises(ValueError, match="is partitioned by"):
        step.write_each(ARTICLES, [(place("HasA"), rows("IsA", "a"))])


def test_what_is_still_being_counted_is_shown_once_at_the_end(lake: Lake) -> None:
    step = Step(lake, "run", "v1")
    counted = {"calls": 0}
    step.show_at_end(lambda: dict(counted))
    step.show_at_end(lambda: {"other": "| a |"}, asset="second")
    step.write_each(TRIPLES, parts(IsA="a"))
    counted["calls"] = 3
    assert "calls" not in step.metadata["triples"]
    step.end()
    assert step.metadata["triples"]["calls"] == 3
    assert step.metadata["second"]["other"].value == "| a |"
    counted["calls"] = 4
    step.end()
    assert step.metadata["triples"]["calls"] == 3
