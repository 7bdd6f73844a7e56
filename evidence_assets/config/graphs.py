"""Problems of a graph as a whole: no triple is left of it, or its templates name relations that it lacks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from evidence_assets.sources.project import Project
from evidence_assets.sources.records import RejectedRecord, Triple, UnusableSourceError
from evidence_assets.sources.rejections import how_many
from evidence_assets.sources.specifications import ConfigurationError
from evidence_assets.sources.uris import is_remote
from evidence_assets.text.suggestions import nearest

if TYPE_CHECKING:
    from evidence_assets.graphs.concepts.triples import TripleCollector
    from evidence_assets.sources.specifications import GraphSource

# A graph of fewer records is read to its end; of a larger one nothing is said that its rest may gainsay.
_MOST_NOTED = 100_000
_SHOWN = 3


@dataclass(frozen=True)
class _Look:
    """A graph that was read to its end.

    `relations`: triples by relation; `rejected`: what is not used; `dangling`: of that, the concepts that
    triples name and their source does not describe.
    """

    relations: Counter[str]
    statements: int
    rejected: Sequence[RejectedRecord]
    dangling: Sequence[RejectedRecord]


def graph_problems(project: Project, name: str, most: int) -> Iterator[str]:
    """Yield why a graph's files cannot be read to their end, or why no triple is left of what they state.

    `most`: records that are read; of a graph that has as many nothing is known. Neither is it of one with a
    source on another machine, or that merges a harvest.
    """
    graph = project.graph(name)
    try:
        look = None if graph.harvests else _looked_at(project, graph, most)
    except UnusableSourceError as error:
        yield f"graphs.{name}: {error}"
        return
    if look is not None and not look.statements:
        yield _empty(name, graph, look)


def _empty(name: str, graph: GraphSource, look: _Look) -> str:
    uris = ", ".join(source.uri for source in graph.sources)
    if not look.rejected:
        return f"graphs.{name}: no triple in {uris}; remedy: put some there, or name the file that holds them"
    first = look.rejected[0]
    return (
        f"graphs.{name}: no triple is left of {uris}; the first that is left out, {first.record}: "
        f"{first.reason}; remedy: {first.remedy}"
    )


def graph_notes(project: Project, name: str) -> Iterator[str]:
    """Yield which concepts a graph's triples name and its sources do not describe, and what templates lack.

    Of a graph's own templates: which relations they name and it lacks, and which it has and they lack.
    Where no triple is left of a graph that is too large for `graph_problems`, that alone is noted.
    """
    from evidence_assets.text.verbalisation import is_file, templates

    graph, place = project.graph(name), f"graphs.{name}.templates"
    try:
        look = _looked_at(project, graph, _MOST_NOTED)
    except UnusableSourceError:
        # That a file breaks off is told of the file.
        return
    if look is not None and not look.statements and not graph.harvests:
        yield _empty(name, graph, look)
        return
    if look is not None and look.dangling:
        yield _dangling(name, look.dangling)
    if look is None or not graph.templates:
        return
    sentences = templates(graph.templates)
    if is_file(graph.templates):
        stated = {*look.relations, *(project.seeded_relations() if graph.harvests else ())}
        lacking = [_with_nearest(relation, stated) for relation in sentences if relation not in stated]
        if lacking:
            yield (
                f"{place}: {graph.templates} names what no triple of the graph has: {_listed(lacking)}; "
                "remedy: name relations as the graph's files do, or remove them"
            )
    unread = [
        f"{relation} ({count:,})" for relation, count in look.relations.items() if relation not in sentences
    ]
    if unread:
        in_a_file = is_file(graph.templates)
        remedy = "add a sentence for each" if in_a_file else "name a YAML file of your own that has some"
        yield (
            f"{place}: {graph.templates} has no sentence for {_listed(unread)}, whose triples are left out; "
            f"remedy: {remedy}, or leave `templates` out"
        )


def node_labels(project: Project, name: str) -> frozenset[str]:
    """Return what a graph's nodes are called; nothing of one that is large or not to be known here.

    Neither is that of one with a source on another machine, or that merges a harvest.
    """
    graph = project.graph(name)
    if graph.harvests:
        return frozenset()
    try:
        collected = _collected(project, graph, _MOST_NOTED)
    except UnusableSourceError:
        # That a file breaks off is told of the file.
        return frozenset()
    if collected is None:
        return frozenset()
    collector, _ = collected
    return frozenset(
        label
        for _, rows in collector.tables()
        for end in ("head", "tail")
        for label in rows.column(end).to_pylist()
    )


def _dangling(name: str, dangling: Sequence[RejectedRecord]) -> str:
    first, count = dangling[0], how_many(dangling)
    ends = f"{count:,} concepts that their sources do not describe are named as ends, and their triples are"
    if count == 1:
        ends = "a concept that its source does not describe is named as an end, and its triples are"
    return (
        f"graphs.{name}: {ends} left out; the first, {first.record}: {first.reason}; remedy: {first.remedy}"
    )


def _with_nearest(relation: str, known: Iterable[str]) -> str:
    near = nearest(relation, known, 1)
    return f"{relation} (is it {near[0]}?)" if near else relation


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more:,} more" if more > 0 else "")


def _looked_at(project: Project, graph: GraphSource, most: int) -> _Look | None:
    """Return what the files of a graph state, read as its stage reads them; None where that is not known.

    Raises:
        UnusableSourceError: a file cannot be read to its end.
    """
    collected = _collected(project, graph, most)
    if collected is None:
        return None
    collector, relations = collected
    return _Look(relations, collector.statements, collector.rejected, collector.dangling)


def _collected(
    project: Project, graph: GraphSource, most: int
) -> tuple[TripleCollector, Counter[str]] | None:
    """Return a graph's statements, merged, and its triples by relation; None where that is not known.

    Raises:
        UnusableSourceError: a file cannot be read to its end.
    """
    from evidence_assets.graphs.concepts.triples import TripleCollector
    from evidence_assets.text.verbalisation import TemplateError, templates

    relations: Counter[str] = Counter()
    try:
        collector = TripleCollector("", templates(graph.templates))
        left = _added(project, graph, collector, relations, most)
    except (ConfigurationError, TemplateError):
        # What cannot be located or named is told of the name.
        return None
    if left <= 0:
        return None
    collector.merge()
    return collector, relations


def _added(
    project: Project, graph: GraphSource, collector: TripleCollector, relations: Counter[str], most: int
) -> int:
    """Add the sources of a graph to a collector; return how many more records it might take.

    Raises:
        ConfigurationError: a source cannot be located.
        UnusableSourceError: it cannot be read, here or at all.
    """
    from evidence_assets.sources.graphs.registry import READERS

    left = most

    def counted(records: Iterable[Any]) -> Iterator[Any]:
        nonlocal left
        for record in records:
            left -= 1
            if isinstance(record, Triple):
                relations[record.relation] += 1
            yield record

    for source in graph.sources:
        uri = project.locate(source.uri)
        if source.format not in READERS or is_remote(uri):
            return 0
        records = READERS.reader(source.format)(uri, source.fields)
        collector.add(counted(islice(records, left)), source.name, source.licence)
    return left
