"""What is read out of damaged files, and how its records are stored: nothing that is read may fail later."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from evidence_assets.corpus.articles import ArticleRows
from evidence_assets.graphs.concepts.nodes import concept_rows
from evidence_assets.graphs.concepts.triples import TripleCollector
from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import (
    ARTICLES,
    GRAPH_CONCEPTS,
    QUESTIONS,
    REJECTED_RECORDS,
    TABLES,
    TRIPLES,
)
from evidence_assets.sources.articles import registry as articles
from evidence_assets.sources.graphs import registry as graphs
from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.sources.questions.rows import question_rows
from evidence_assets.sources.records import Question, RejectedRecord, TableRecord
from evidence_assets.sources.rejections import Rejections, how_many, rejected_rows
from evidence_assets.sources.shards import Shard
from evidence_assets.sources.specifications import ArticleSource, BenchmarkSource
from evidence_assets.sources.tables.registry import read_tables
from evidence_assets.tables.hygiene import EmptyTableError
from evidence_assets.tables.table_rows import record_rows
from evidence_assets.text.verbalisation import NamesReadOut
from evidence_assets_tests.fuzz import samples
from evidence_assets_tests.fuzz.samples import Sample


@dataclass(frozen=True)
class Target:
    """One reader: its sample, and what reads a URI and stores all that comes of it; how many that are."""

    name: str
    sample: Sample
    read: Callable[[str], tuple[int, int]]


def _stored_rejections(rejected: Iterable[RejectedRecord]) -> int:
    records = list(rejected)
    for record in records:
        assert record.record.strip(), record
        assert record.reason.strip(), record
        assert record.remedy.strip(), record
    conform(rejected_rows("source", "uri", records), REJECTED_RECORDS)
    return how_many(records)


def _articles(name: str, sample: Sample) -> Callable[[str], tuple[int, int]]:
    source = ArticleSource(name="s", uri="u", format=name, licence="l")

    def read(uri: str) -> tuple[int, int]:
        shard = Shard("c.s", "c", source, uri, "u")
        rows = ArticleRows(articles.reader(name)(uri, sample.fields), shard)
        stored = sum(conform(batch, ARTICLES).num_rows for batch in rows)
        return stored, _stored_rejections(rows.rejected)

    return read


def _graph(name: str, sample: Sample) -> Callable[[str], tuple[int, int]]:
    def read(uri: str) -> tuple[int, int]:
        collector = TripleCollector("kg", NamesReadOut())
        collector.add(graphs.reader(name)(uri, sample.fields), "s", "l")
        concepts = concept_rows("kg", collector.merge().concepts)
        triples = [conform(rows, TRIPLES).num_rows for _, rows in collector.tables()]
        return conform(concepts, GRAPH_CONCEPTS).num_rows + sum(triples), _stored_rejections(
            collector.rejected
        )

    return read


def _questions(name: str, sample: Sample) -> Callable[[str], tuple[int, int]]:
    source = BenchmarkSource(reader=name, uri="u", split=sample.split, corpus="c")

    def read(uri: str) -> tuple[int, int]:
        tables = []

        def noted() -> Iterator[Question | RejectedRecord]:
            for record in BENCHMARKS[name].reader(uri, sample.split):
                if isinstance(record, Question):
                    tables.append(record.table)
                yield record

        rows, rejected = question_rows(noted(), "b", source)
        _stored_tables(tables)
        return conform(rows, QUESTIONS).num_rows, _stored_rejections(rejected)

    return read


def _tables(uri: str) -> tuple[int, int]:
    rejected = Rejections()

    def usable() -> Iterator[TableRecord]:
        for record in read_tables(uri):
            if isinstance(record, RejectedRecord):
                rejected.add(record)
            else:
                yield record

    stored = _stored_tables(usable())
    return stored, _stored_rejections(rejected)


def _stored_tables(tables: Iterable[TableRecord | None]) -> int:
    stored = 0
    for table in tables:
        if table is not None:
            try:
                stored += conform(record_rows("s", [table]), TABLES).num_rows
            except EmptyTableError:
                continue
    return stored


def _targets() -> Iterator[Target]:
    # A reader of several forms has a sample of each, named in brackets behind it.
    for name, sample in samples.ARTICLES.items():
        yield Target(f"articles {name}", sample, _articles(name.partition(" (")[0], sample))
    for name, sample in samples.GRAPHS.items():
        yield Target(f"graphs {name}", sample, _graph(name.partition(" (")[0], sample))
    for name, sample in samples.QUESTIONS.items():
        yield Target(f"questions {name}", sample, _questions(name.partition(" (")[0], sample))
    for name, sample in samples.TABLES.items():
        yield Target(f"tables {name}", sample, _tables)


TARGETS: Mapping[str, Target] = {target.name: target for target in _targets()}
