"""What a sound configuration leaves out of its files, and what of its questions is not scored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from evidence_assets.config.files import LOOKED_AT, article_sources, records_of
from evidence_assets.config.graphs import graph_notes, node_labels
from evidence_assets.config.keyed_nodes import keys_of_nodes, told_without_node, without_node
from evidence_assets.sources.project import Project
from evidence_assets.sources.records import RejectedRecord, UnusableSourceError
from evidence_assets.sources.rejections import kind_of_reason
from evidence_assets.sources.uris import is_remote

if TYPE_CHECKING:
    import pyarrow as pa

# Of what was left out, so many reasons are told.
_REASONS = 3


def notes(project: Project) -> Iterator[str]:
    """Yield what a sound configuration leaves out of its files, and which benchmarks are not scored.

    Of each source and benchmark the first records are looked at; addresses of other machines are not asked,
    which is told of each.
    """
    yield from _article_notes(project)
    for name, graph in project.sources.graphs.items():
        for statements in graph.sources:
            place = f"graphs.{name}.sources.{statements.name}"
            yield from _elsewhere(project, place, statements.uri)
            yield from _left_out(place, records_of(statements, [project.locate(statements.uri)]))
        yield from graph_notes(project, name)
    # Several benchmarks may ask one graph.
    labels_of = cache(partial(node_labels, project))
    for name in project.named_benchmarks:
        yield from _question_notes(project, name, labels_of)


def _article_notes(project: Project) -> Iterator[str]:
    """Yield what of each source of articles the lake leaves out, by what its stage accepts of each shard."""
    from evidence_assets.corpus.articles import ArticleRows
    from evidence_assets.sources.retractions import ARTICLE

    for place, source, shards in article_sources(project, project.sources.corpora):
        yield from _elsewhere(project, place, source.uri)
        rejected, count = [], 0
        try:
            for shard in shards:
                records = list(islice(records_of(source, [shard.uri]), LOOKED_AT - count))
                rows = ArticleRows(records, shard, project.retractions.of(ARTICLE, shard.key))
                for _ in rows:
                    pass
                rejected += rows.rejected
                count += len(records)
        except UnusableSourceError as error:
            yield f"{place}: {error}"
            continue
        yield from _rejections(place, rejected, count)


def _elsewhere(project: Project, place: str, uri: str) -> Iterator[str]:
    """Yield that nobody looked at a source on another machine: whether it can be read is not known."""
    if is_remote(project.locate(uri)):
        yield (
            f"{place}: {uri} is on another machine, and was not looked at; remedy: none needed if the "
            "address is right: what cannot be read there is told when it is read"
        )


def _left_out(place: str, records: Iterable[object]) -> Iterator[str]:
    """Yield how many of a source's first records are rejected, or why its file breaks off among them."""
    try:
        looked_at = list(islice(records, LOOKED_AT))
    except UnusableSourceError as error:
        yield f"{place}: {error}"
        return
    rejected = [record for record in looked_at if isinstance(record, RejectedRecord)]
    yield from _rejections(place, rejected, len(looked_at))


def _rejections(place: str, rejected: Sequence[RejectedRecord], count: int) -> Iterator[str]:
    """Yield how many of so many records were rejected, and one by one the first for a few reasons."""
    if not rejected:
        return
    of_all = f"the first {count:,}" if count == LOOKED_AT else f"{count:,}"
    firsts: dict[str, RejectedRecord] = {}
    for record in rejected:
        firsts.setdefault(kind_of_reason(record.reason), record)
    shown = [f"{first.record}: {first.reason}; remedy: {first.remedy}" for first in firsts.values()]
    yield f"{place}: {len(rejected):,} of {of_all} records left out; the first, {shown[0]}"
    yield from (f"{place}: for another reason, {first}" for first in shown[1:_REASONS])
    if (further := len(shown) - _REASONS) > 0:
        yield f"{place}: other reasons: {further}"


def _question_notes(
    project: Project, name: str, labels_of: Callable[[str], Collection[str]]
) -> Iterator[str]:
    """Yield what of a benchmark's first records is left out, and what of them lacks a key, node or table.

    `labels_of`: of the nodes of a graph, by its name; none where they are not known.
    """
    from evidence_assets.sources.questions.registry import BENCHMARKS
    from evidence_assets.sources.questions.rows import question_files, question_rows
    from evidence_assets.systems.registry import SYSTEMS
    from evidence_assets.systems.system import TABLES

    source, place = project.benchmark(name), f"benchmarks.{name}"
    located = project.locate(source.uri)
    if is_remote(located):
        yield from _elsewhere(project, place, source.uri)
        return
    reader = BENCHMARKS[source.reader].reader
    records = (record for uri in question_files(located) for record in reader(uri, source.split))
    try:
        rows, rejected = question_rows(islice(records, LOOKED_AT), name, source)
    except UnusableSourceError as error:
        yield f"{place}: {error}"
        return
    yield from _rejections(place, rejected, rows.num_rows + len(rejected))
    yield from _key_notes(place, rows.to_pylist())
    yield from _alike_notes(place, rows.to_pylist())
    yield from _node_notes(project, name, rows, labels_of)
    has_tables = BENCHMARKS[source.reader].store is not None or any(rows.column("table_id").to_pylist())
    of_tables = [
        system.name for system in SYSTEMS if system.needs == TABLES and system.name in source.systems
    ]
    if of_tables and not has_tables:
        yield (
            f"{place}: no question is about a table, and {', '.join(of_tables)} reads tables; remedy: name "
            'its file in each question ("table": "cases.csv"), or other systems'
        )


def _key_notes(place: str, questions: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield how many questions have no key, where any could have one."""
    keyless = [
        row["question_id"] for row in questions if not row["answers"] and row["answerable"] is not False
    ]
    remedy = "remedy: give keys (answer_index, or answers) if there are any"
    if len(keyless) == len(questions):
        yield f"{place}: no question has a key, and what is answered is not scored; {remedy}"
    elif keyless:
        yield (
            f"{place}: {len(keyless):,} of {len(questions):,} questions have no key, and are not scored; the "
            f"first, {keyless[0]}; {remedy}"
        )


def _node_notes(
    project: Project, name: str, questions: pa.Table, labels_of: Callable[[str], Collection[str]]
) -> Iterator[str]:
    """Yield how many keys name no node of the benchmark's graph, where a system answers by nodes."""
    from evidence_assets.systems.registry import SYSTEMS
    from evidence_assets.systems.system import GRAPH

    kg, systems = project.graph_of(name), project.benchmark(name).systems
    if kg is None or not any(system.needs == GRAPH and system.name in systems for system in SYSTEMS):
        return
    # Most questions offer options: their graphs need not be read.
    keys = keys_of_nodes(questions)
    labels = labels_of(kg) if keys else ()
    if labels and (answers := without_node(keys, labels)):
        yield f"benchmarks.{name}: {told_without_node(answers, kg)}"


def _alike_notes(place: str, questions: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield how many questions have options that say the same, as the readers of public sets keep them."""
    from evidence_assets.sources.questions.validation import alike_options

    alike = [row["question_id"] for row in questions if alike_options(row["options"])]
    if alike:
        yield (
            f"{place}: {len(alike):,} of {len(questions):,} questions have two options that are alike, and "
            f"are scored all the same; the first, {alike[0]}; remedy: none needed of a public set; mend "
            "others, or leave them out (alike_options: rejected, in the mapping)"
        )
