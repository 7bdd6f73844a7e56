"""Problems of a configuration's names: what it names that does not exist, or names twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from evidence_assets.sources.reader_specifications import ReaderSource
from evidence_assets.sources.specifications import (
    ArticleSource,
    BenchmarkSource,
    GraphSource,
    Sources,
    StatementSource,
)

if TYPE_CHECKING:
    from evidence_assets.systems.system import System

# Who answers without a language model.
_TAKEN = ("extractive", "nearest", "cloze")
_NONE = "(there are none)"


def name_problems(sources: Sources) -> Iterator[str]:
    """Yield what of a configuration's names cannot be used: the field, the problem and the remedy."""
    from evidence_assets.sources.articles.registry import READERS

    for name, corpus in sources.corpora.items():
        yield from _source_problems(f"corpora.{name}", corpus.sources, READERS)
    for name, graph in sources.graphs.items():
        yield from _graph_problems(f"graphs.{name}", graph, sources)
    yield from _harvest_problems(sources)
    for name in sources.generators:
        if name.startswith(_TAKEN):
            yield (
                f"generators.{name}: the name says that no language model answers; remedy: name it otherwise"
            )
    for name, benchmark in sources.benchmarks.items():
        yield from _benchmark_problems(f"benchmarks.{name}", benchmark, sources)
    for name, recipe in sources.readers.items():
        yield from _trained_reader_problems(f"readers.{name}", recipe, sources)
    for name in sorted({*sources.readers} & {*sources.prepared_readers}):
        yield f"prepared_readers.{name}: a recipe in readers has that name; remedy: rename one of both"


def _repeated(names: Iterable[str]) -> str:
    """Return the names that stand more than once, with commas between them."""
    return ", ".join(name for name, count in Counter(names).items() if count > 1)


def _source_problems(
    place: str, sources: Sequence[ArticleSource | StatementSource], readers: Collection[str]
) -> Iterator[str]:
    if twice := _repeated(source.name for source in sources):
        yield f"{place}.sources: a name is used twice: {twice}; remedy: give each source a name of its own"
    for source in sources:
        if source.format not in readers:
            yield (
                f"{place}.sources.{source.name}.format: {source.format!r} is none of "
                f"{', '.join(sorted(readers))}; remedy: name one of them"
            )


def _graph_problems(place: str, graph: GraphSource, sources: Sources) -> Iterator[str]:
    from evidence_assets.sources.graphs.registry import READERS

    yield from _source_problems(place, graph.sources, READERS)
    yield from _template_problems(f"{place}.templates", graph.templates)
    if not graph.sources and not graph.harvests:
        yield f"{place}: it has no source; remedy: name sources, harvests, or both"
    harvested = [] if sources.harvest is None else sources.harvest.arms
    if unknown := [arm for arm in graph.harvests if arm not in harvested]:
        yield (
            f"{place}.harvests: {', '.join(unknown)} is none of harvest.arms, "
            f"{', '.join(harvested) or '(there is no harvest)'}; remedy: add it there, or remove it here"
        )


def _template_problems(place: str, name: str) -> Iterator[str]:
    from evidence_assets.text.verbalisation import NAMES, TEMPLATE_SETS, TemplateError, is_file, schema_text

    if not is_file(name):
        if name not in ("", *TEMPLATE_SETS, NAMES):
            yield (
                f"{place}: {name!r} is none of {', '.join((*TEMPLATE_SETS, NAMES))}, nor a file ending in "
                ".yaml; remedy: name one, or leave `templates` out"
            )
        return
    # The project's own are not opened here: loading a configuration is to be quick.
    try:
        schema = schema_text(name)
    except TemplateError as error:
        yield f"{place}: {error}"
        return
    if schema is not None:
        from evidence_assets.kgqa.graph.schema import SchemaError, load_schema

        try:
            load_schema(*schema)
        except SchemaError as error:
            yield f"{place}: {error}"


def _benchmark_problems(place: str, benchmark: BenchmarkSource, sources: Sources) -> Iterator[str]:
    from evidence_assets.systems.registry import SYSTEMS
    from evidence_assets.systems.system import TABLES

    yield from _reader_problems(f"{place}.reader", benchmark.reader)
    named: dict[str, tuple[str | None, str, Collection[str]]] = {
        "corpus": (benchmark.corpus, "corpora", sources.corpora),
        "training": (benchmark.training, "benchmarks", sources.benchmarks),
        "graph": (benchmark.graph, "graphs", sources.graphs),
    }
    for field, (name, section, there_are) in named.items():
        if name is not None and name not in there_are:
            yield (
                f"{place}.{field}: {name!r} is none of the {section} {', '.join(there_are) or _NONE}; "
                f"remedy: add it to {section}, or name another"
            )
    # What is asked of tables comes with them.
    over_tables = [system.name for system in SYSTEMS if system.needs == TABLES]
    others = {system.name for system in SYSTEMS} - {*over_tables}
    if benchmark.corpus is None and benchmark.graph is None and others & {*benchmark.systems}:
        yield (
            f"{place}: it names nothing to ask; remedy: name a corpus, a graph, or both; or say that it is "
            f"about tables (systems: [{', '.join(over_tables)}])"
        )


def system_problems(
    sources: Sources, systems: Mapping[str, System], benchmarks: Collection[str] | None = None
) -> Iterator[str]:
    """Yield which benchmarks (default: all) name systems that there are not, or that need what they lack."""
    from evidence_assets.systems.system import CORPUS, GRAPH

    for name, benchmark in sources.benchmarks.items():
        if benchmarks is not None and name not in benchmarks:
            continue
        if unknown := [system for system in benchmark.systems if system not in systems]:
            yield (
                f"benchmarks.{name}.systems: {', '.join(unknown)} is none of {', '.join(systems)}; remedy: "
                "name one of them"
            )
        for need in (CORPUS, GRAPH):
            there = (systems[system] for system in benchmark.systems if system in systems)
            asking = ", ".join(system.name for system in there if system.needs == need)
            # That it names neither is told of its names.
            if asking and getattr(benchmark, need) is None and (benchmark.corpus or benchmark.graph):
                yield (
                    f"benchmarks.{name}: it names no {need} for {asking}; remedy: name one ({need}: …), or "
                    f"leave {asking} out of its systems"
                )


def _reader_problems(place: str, reader: str) -> Iterator[str]:
    from evidence_assets.sources.questions.benchmark import MappingError
    from evidence_assets.sources.questions.registry import BENCHMARKS, is_file

    if reader not in BENCHMARKS and not is_file(reader):
        yield (
            f"{place}: {reader!r} is none of {', '.join(sorted(BENCHMARKS))}, nor a file ending in .yaml; "
            "remedy: name one; `evidence-assets benchmarks` tells what each reads"
        )
    try:
        # The project's own are not opened here, as with templates.
        if is_file(reader):
            BENCHMARKS[reader]
    except MappingError as error:
        # A problem a line, each with its remedy.
        yield from (f"{place}: {problem}" for problem in str(error).splitlines())


def _harvest_problems(sources: Sources) -> Iterator[str]:
    from evidence_assets.extraction.arms import ARMS

    harvest = sources.harvest
    if harvest is None:
        return
    known: dict[str, tuple[Collection[str], Collection[str]]]
    known = {"arms": (harvest.arms, ARMS), "corpus": ([harvest.corpus], sources.corpora)}
    if harvest.reference is not None:
        known["reference"] = ([harvest.reference], sources.graphs)
    for field, (named, there_are) in known.items():
        if unknown := [name for name in named if name not in there_are]:
            yield (
                f"harvest.{field}: {', '.join(unknown)} is none of {', '.join(there_are) or _NONE}; remedy: "
                "name one of them"
            )
    reference = sources.graphs.get(harvest.reference or "")
    if reference is not None and reference.harvests:
        yield (
            f"harvest.reference: {harvest.reference} merges a harvest, which would be compared with itself; "
            "remedy: name a graph of sources alone"
        )
    lists = {f"graphs.{name}.harvests": graph.harvests for name, graph in sources.graphs.items()}
    for place, arms in {"harvest.arms": harvest.arms, **lists}.items():
        if twice := _repeated(arms):
            yield f"{place}: a name is used twice: {twice}; remedy: name each once"
    for shared in sorted(set(harvest.arms) & set(sources.graphs)):
        yield f"graphs.{shared}: a harvest has that name; remedy: name the graph otherwise"


def _trained_reader_problems(place: str, recipe: ReaderSource, sources: Sources) -> Iterator[str]:
    named: dict[str, tuple[Sequence[str], str, Collection[str]]] = {
        "corpora": (recipe.corpora, "corpora", sources.corpora),
        "graphs": (recipe.graphs, "graphs", sources.graphs),
        "sets": (recipe.sets, "benchmarks", sources.benchmarks),
        "apart_from": (recipe.apart_from, "benchmarks", sources.benchmarks),
        "chosen_on": ([recipe.chosen_on], "benchmarks", sources.benchmarks),
        "weighed_on": (recipe.weighed_on, "benchmarks", sources.benchmarks),
        "evaluated_on": ([recipe.evaluated_on], "benchmarks", sources.benchmarks),
    }
    for field, (names, section, there_are) in named.items():
        if unknown := [name for name in names if name not in there_are]:
            yield (
                f"{place}.{field}: {', '.join(unknown)} is none of the {section} "
                f"{', '.join(there_are) or _NONE}; remedy: add it to {section}, or name another"
            )
    for name in recipe.seen_benchmarks:
        if name in sources.benchmarks and "test" in sources.benchmarks[name].split:
            yield (
                f"{place}: benchmark {name} is a test split, and a reader sees no test question; remedy: "
                "name training sets (sets), and development sets to choose and to evaluate on"
            )
    apart = {*recipe.choosing_benchmarks, recipe.evaluated_on, *recipe.apart_from}
    for name in sorted({*recipe.sets} & apart):
        yield (
            f"{place}: {name} is trained on, and chosen, weighed or evaluated on, or to be answered too; "
            "remedy: name another set"
        )
