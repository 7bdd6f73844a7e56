"""What two-step retrieval reads of the lake: both pools, titles, the chunks of articles that are named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.corpus.stages import shard_place
from evidence_assets.lake.lake import TableReader
from evidence_assets.lake.schemas import ARTICLES, CHUNK_POOLS, CHUNKS
from evidence_assets.retrieval.chunk_texts import chunks_of
from evidence_assets.retrieval.retrievals import BM25, DENSE
from evidence_assets.retrieval.titles import Titles, vocabulary_of
from evidence_assets.retrieval.two_step import Passage
from evidence_assets.sources.project import Project
from evidence_assets.text.queries import Query
from evidence_assets.text.term_statistics import TermStatistics

# Of each pool: every candidate is evaluated exactly.
_DEPTHS = {DENSE: 200, BM25: 100}
# Of an article that is named and of which no pool holds a chunk, the first ones: they say what it is.
_FIRST_CHUNKS = 3
_COLUMNS = ("chunk_id", "article_id", "char_start", "text")


@dataclass(frozen=True, slots=True)
class FoundCandidates:
    """The passages that a benchmark's queries may be given.

    `pools`: each query with the chunk ids of its pools. `passages`: by chunk id, those of pools and the first
    of articles that are named. `articles`: chunk ids by article id.
    """

    pools: Sequence[tuple[Query, Sequence[str]]]
    passages: Mapping[str, Passage]
    articles: Mapping[str, Sequence[str]]
    titles: Titles


def open_candidates(
    inputs: TableReader,
    project: Project,
    benchmark: str,
    queries: Sequence[Query],
    statistics: TermStatistics,
    with_named: bool,
) -> FoundCandidates:
    """Return what a benchmark's queries may be given.

    `with_named`: chunks of the articles that queries and pooled chunks name, too.

    Raises:
        LookupError: a pooled chunk is no longer in any shard.
    """
    pools = _pools(inputs, benchmark)
    ids = sorted({chunk_id for held in pools.values() for chunk_id in held})
    rows = chunks_of(inputs, project, benchmark, pa.array(ids, pa.string()), _COLUMNS).to_pylist()
    texts = [*(query.text for query in queries), *(row["text"] for row in rows)]
    articles = [
        named
        for shard in project.shards_of_benchmark(benchmark)
        for batch in inputs.scan(ARTICLES, shard_place(shard), ["article_id", "title"])
        for named in zip(batch["article_id"].to_pylist(), batch["title"].to_pylist(), strict=True)
    ]
    titles = Titles(articles, vocabulary_of(texts), statistics)
    if with_named:
        names = {name for text in texts for name in titles.named_in(text)}
        wanted = {article for name in names for article in titles.articles(name)}
        rows += _first_chunks(inputs, project, benchmark, wanted)
    by_id = {row["chunk_id"]: row for row in rows}
    title_of = dict(articles)
    passages = {
        chunk_id: Passage(chunk_id, row["article_id"], title_of.get(row["article_id"], ""), row["text"])
        for chunk_id, row in by_id.items()
    }
    of_article: dict[str, list[str]] = {}
    for chunk_id, row in sorted(by_id.items(), key=lambda item: (item[1]["char_start"], item[0])):
        of_article.setdefault(row["article_id"], []).append(chunk_id)
    pooled = [(query, pools.get((query.question_id, query.candidate), [])) for query in queries]
    return FoundCandidates([pair for pair in pooled if pair[1]], passages, of_article, titles)


def _pools(inputs: TableReader, benchmark: str) -> dict[tuple[str, int], list[str]]:
    """Return the chunk ids of each query's two pools, each once."""
    pools: dict[tuple[str, int], dict[str, None]] = {}
    columns = ["retriever", "question_id", "candidate", "rank", "chunk_id"]
    for batch in inputs.scan(CHUNK_POOLS, {"benchmark": benchmark}, columns, 65_536):
        retriever, rank = batch.column("retriever"), batch.column("rank")
        kept = [
            pc.and_(pc.equal(retriever, name), pc.less_equal(rank, depth)) for name, depth in _DEPTHS.items()
        ]
        part = batch.filter(pc.or_(*kept))
        names = (part.column(name).to_pylist() for name in ("question_id", "candidate", "chunk_id"))
        for question_id, candidate, chunk_id in zip(*names, strict=True):
            pools.setdefault((question_id, candidate), {})[chunk_id] = None
    return {key: sorted(chunk_ids) for key, chunk_ids in pools.items()}


def _first_chunks(
    inputs: TableReader, project: Project, benchmark: str, articles: Iterable[str]
) -> list[dict[str, object]]:
    """Return the first chunks of some articles."""
    wanted = pa.array(sorted(articles), pa.string())
    kept: dict[str, list[dict[str, object]]] = {}
    for shard in project.shards_of_benchmark(benchmark):
        for batch in inputs.scan(CHUNKS, shard_place(shard), _COLUMNS):
            for row in batch.filter(pc.is_in(batch.column("article_id"), value_set=wanted)).to_pylist():
                first = [*kept.get(row["article_id"], ()), row]
                kept[row["article_id"]] = sorted(first, key=lambda chunk: chunk["char_start"])[:_FIRST_CHUNKS]
    return [row for rows in kept.values() for row in rows]
