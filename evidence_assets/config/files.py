"""Problems of what a configuration points to: files that are missing, seed files that cannot be used."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from evidence_assets.config.graphs import graph_problems
from evidence_assets.sources.project import Project
from evidence_assets.sources.records import Article, RejectedRecord, UnusableSourceError
from evidence_assets.sources.rejections import none_usable
from evidence_assets.sources.specifications import ConfigurationError
from evidence_assets.sources.uris import is_remote

if TYPE_CHECKING:
    from evidence_assets.sources.readers import Readers
    from evidence_assets.sources.shards import Shard
    from evidence_assets.sources.specifications import ArticleSource, StatementSource

# So many records that cannot be used are looked at before a source is held to have others.
LOOKED_AT = 1_000


def file_problems(
    project: Project, benchmarks: Collection[str] | None = None, harvest: bool = True
) -> Iterator[str]:
    """Yield which local files of a configuration cannot be read, each with its remedy.

    `benchmarks`: only what these read; default: everything that the configuration names. `harvest`: what a
    harvest reads too. Addresses of other machines are not asked.
    """
    sources = project.sources
    if benchmarks is None:
        needed = set(sources.benchmarks)
        corpora, graphs = set(sources.corpora), set(sources.graphs)
    else:
        trained = (project.benchmark(name).training for name in benchmarks)
        needed = {*benchmarks, *filter(None, trained)}
        links = [project.benchmark(name) for name in needed]
        corpora = {link.corpus for link in links if link.corpus}
        graphs = {link.graph for link in links if link.graph}
    if harvest and project.harvest is not None:
        merging = (name for name, graph in sources.graphs.items() if graph.harvests)
        corpora.add(project.harvest.corpus)
        graphs |= {*filter(None, [project.harvest.reference]), *merging}
    yield from _corpus_problems(project, corpora)
    yield from _graph_problems(project, graphs)
    for name in (name for name in sources.benchmarks if name in needed):
        yield from _benchmark_problems(project, name)
    if harvest:
        yield from _harvest_problems(project)
    yield from _prepared_reader_problems(project)


def _corpus_problems(project: Project, corpora: Collection[str]) -> Iterator[str]:
    for place, source, shards in article_sources(project, corpora):
        uris = [shard.uri for shard in shards]
        missing = [problem for uri in uris for problem in _missing(place, uri)]
        yield from missing or _unusable(place, source, uris, "an article")


def article_sources(
    project: Project, corpora: Collection[str]
) -> Iterator[tuple[str, ArticleSource, list[Shard]]]:
    """Yield each source of these corpora: its place in the configuration, the source, its shards."""
    for name, corpus in project.sources.corpora.items():
        if name not in corpora:
            continue
        shards = [shard for shard in project.shards.values() if shard.corpus == name]
        for source in corpus.sources:
            of_source = [shard for shard in shards if shard.source == source]
            yield f"corpora.{name}.sources.{source.name}", source, of_source


def _graph_problems(project: Project, graphs: Collection[str]) -> Iterator[str]:
    for name, graph in project.sources.graphs.items():
        if name not in graphs:
            continue
        of_sources = list(_statement_problems(project, name))
        yield from of_sources or graph_problems(project, name, LOOKED_AT)
        if graph.embeddings:
            yield from _unlocated(project, f"graphs.{name}.embeddings", graph.embeddings)


def _statement_problems(project: Project, graph: str) -> Iterator[str]:
    for source in project.graph(graph).sources:
        place = f"graphs.{graph}.sources.{source.name}"
        missing = list(_unlocated(project, place, source.uri))
        uris = [] if missing else [project.locate(source.uri)]
        yield from missing or _unusable(place, source, uris, "a triple")


def _readers(source: ArticleSource | StatementSource) -> Readers[Any]:
    from evidence_assets.sources.articles.registry import READERS as ARTICLES
    from evidence_assets.sources.graphs.registry import READERS as GRAPHS
    from evidence_assets.sources.specifications import ArticleSource

    return ARTICLES if isinstance(source, ArticleSource) else GRAPHS


def records_of(source: ArticleSource | StatementSource, uris: Iterable[str]) -> Iterator[Any]:
    """Yield the records of those of a source's files that are on this machine; none of an unknown format."""
    if source.format in (readers := _readers(source)):
        read = readers.reader(source.format)
        yield from chain.from_iterable(read(uri, source.fields) for uri in uris if not is_remote(uri))


def _unusable(
    place: str, source: ArticleSource | StatementSource, uris: Sequence[str], kind: str
) -> Iterator[str]:
    """Yield why nothing of a source can be used, where nothing can: its format or its fields are others."""
    if source.format not in _readers(source) or any(map(is_remote, uris)):
        return
    try:
        rejected = _all_rejected(records_of(source, uris))
    except UnusableSourceError as error:
        yield f"{place}: {error}"
        return
    if rejected is not None:
        none = f"it holds no {kind.split()[1]}; remedy: name the file that holds some"
        reason = none_usable(kind, rejected) if rejected else none
        yield f"{place}: {source.uri}, read as {source.format}: {reason}"


def _all_rejected(records: Iterable[object]) -> list[RejectedRecord] | None:
    """Return why records cannot be used, where none of them can; None as soon as one can, or past many."""
    rejected = []
    for record in islice(records, LOOKED_AT):
        if isinstance(record, Article) and not record.text.strip():
            rejected.append(RejectedRecord(record.key, "it has no text", "name the file that has it"))
        elif isinstance(record, RejectedRecord):
            rejected.append(record)
        else:
            return None
    return rejected if len(rejected) < LOOKED_AT else None


def _benchmark_problems(project: Project, name: str) -> Iterator[str]:
    problems = list(_unlocated(project, f"benchmarks.{name}", project.benchmark(name).uri))
    yield from problems or _unreadable_questions(project, name)


def _unreadable_questions(project: Project, name: str) -> Iterator[str]:
    """Yield why a benchmark has no question, where none of its records is one."""
    from evidence_assets.sources.questions.benchmark import MappingError
    from evidence_assets.sources.questions.registry import BENCHMARKS
    from evidence_assets.sources.questions.rows import no_questions, question_files

    source = project.benchmark(name)
    located = project.locate(source.uri)
    if is_remote(located):
        return
    try:
        reader = BENCHMARKS[source.reader].reader
    except (KeyError, MappingError):
        # What is wrong with the name of a reader, or with the file of a mapping, is told of the name.
        return
    try:
        rejected = _all_rejected(
            record for uri in question_files(located) for record in reader(uri, source.split)
        )
    except UnusableSourceError as error:
        yield f"benchmarks.{name}: {error}"
        return
    if rejected is not None:
        yield no_questions(f"benchmarks.{name}", source, rejected)


def _harvest_problems(project: Project) -> Iterator[str]:
    from evidence_assets.extraction.seeds import SeedError, read_seed, seed_files

    harvest, folder = project.harvest, project.seeds_folder
    if harvest is None or folder is None:
        return
    try:
        files = seed_files(folder)
    except SeedError as error:
        yield f"harvest.seeds: {error}"
        return
    for path in files.values():
        try:
            read_seed(path)
        except SeedError as error:
            yield f"harvest.seeds: {error}"
    if harvest.judgements:
        yield from _unlocated(project, "harvest.judgements", harvest.judgements)
    if harvest.training.prepared:
        yield from _unlocated(project, "harvest.training.prepared", harvest.training.prepared)


def _prepared_reader_problems(project: Project) -> Iterator[str]:
    for name, source in project.sources.prepared_readers.items():
        yield from _unlocated(project, f"prepared_readers.{name}.folder", source.folder)


def _unlocated(project: Project, place: str, uri: str) -> Iterator[str]:
    try:
        yield from _missing(place, project.locate(uri))
    except ConfigurationError as error:
        yield f"{place}: {error}"


def _missing(place: str, uri: str) -> Iterator[str]:
    from evidence_assets.sources.files import named_files

    try:
        if not is_remote(uri):
            named_files(uri)
    except UnusableSourceError as error:
        yield f"{place}: {error.file}: {error.reason}; remedy: {error.remedy}"
