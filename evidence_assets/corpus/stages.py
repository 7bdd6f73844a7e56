"""Stages of the corpus: articles, chunks, embeddings, indexes and counted terms by shard; and their sums."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from evidence_assets.lake.schemas import (
    ARTICLES,
    CHUNK_EMBEDDINGS,
    CHUNKS,
    REJECTED_RECORDS,
    SHARD_INDEXES,
    SHARD_TERMS,
    TERM_STATISTICS,
)
from evidence_assets.sources.project import Project
from evidence_assets.sources.retractions import ARTICLE
from evidence_assets.sources.shards import Shard
from evidence_assets.sources.specifications import ArticleSource, reading
from evidence_assets.stages.declaration import Input, Metadata, Model, Output, Rows, Scope, Stage

if TYPE_CHECKING:
    from evidence_assets.lake.lake import Partition
    from evidence_assets.stages.step import Step

# Formats of which a document may have no key but its title.
_TITLED = ("json", "jsonl", "squad")
_stage = partial(Stage, group="corpus", layer="corpus")


def shard_place(shard: Shard) -> dict[str, str]:
    """Return the lake's partition of a shard."""
    return {"corpus": shard.corpus, "shard": shard.key}


def corpus_stages(project: Project) -> list[Stage]:
    """Return the corpus's stages."""
    return [
        _articles(project),
        _chunks(project),
        _chunk_embeddings(project),
        _shard_indexes(project),
        _shard_terms(project),
        _term_statistics(project),
    ]


def _reading_of(source: ArticleSource) -> str:
    """Return the settings that determine which articles a source gives."""
    # Of these every article is kept, those that share a title too: a lake without them is stale.
    return reading(source) + ("\nevery title" if source.format in _TITLED else "")


def _articles(project: Project) -> Stage:
    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.corpus.articles import ArticleRows
        from evidence_assets.sources.articles.registry import reader
        from evidence_assets.sources.files import contents_of
        from evidence_assets.sources.rejections import how_many, left_out_of, rejected_rows

        shard = project.shards[step.key.name]
        retracted = project.retractions.of(ARTICLE, shard.key)
        rows = ArticleRows(reader(shard.source.format)(shard.uri, shard.source.fields), shard, retracted)
        step.inputs.note_source(shard.written_uri, *contents_of(shard.uri))
        yield Rows(ARTICLES, rows)
        yield Rows(REJECTED_RECORDS, rejected_rows(shard.key, shard.written_uri, rows.rejected))
        yield Metadata({"rejected": how_many(rows.rejected), "licence": shard.source.licence})
        if rows.rejected:
            step.log.warning(left_out_of(f"shard {shard.key}", rows.rejected))
        if not step.output(ARTICLES, shard_place(shard), ["article_id"]).num_rows:
            step.log.warning(f"shard {shard.key} has no article: see rejected_records for why")

    description = (
        "Documents as read from their sources, with where each came from and its licence. What could not be "
        "read is in rejected_records, with its reason."
    )
    return _stage(
        name=ARTICLES.name,
        scope=Scope.SHARD,
        outputs=(Output(ARTICLES, description),),
        inputs=(),
        run=run,
        files=("corpus_files",),
        file_uris=lambda key: (project.shards[key.name].written_uri,),
        configuration=lambda key: (
            _reading_of(project.shards[key.name].source) + project.retractions.version(ARTICLE, key.name)
        ),
        side_tables=(REJECTED_RECORDS,),
        version="4",
    )


def _chunks(project: Project) -> Stage:
    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.corpus.chunking import TokenCounter, chunk_rows
        from evidence_assets.lake.previews import histogram

        place = shard_place(project.shards[step.key.name])
        settings = step.models.encoder_settings
        counter, limit = TokenCounter(settings.load().count_tokens), settings.tokens_per_chunk()
        batches = step.inputs.scan(ARTICLES, place, ["article_id", "corpus", "shard", "text"], 512)
        yield Rows(CHUNKS, chunk_rows(batches, counter, limit))
        tokens = step.output(CHUNKS, place, ["n_tokens"]).column("n_tokens").to_numpy()
        yield Metadata({"token_limit": limit, "tokens": int(tokens.sum())})
        yield Metadata({"lengths": histogram(tokens, "Chunk lengths", "tokens")})

    description = "Articles cut at sentence ends into pieces the encoder can take, with exact offsets."
    return _stage(
        name=CHUNKS.name,
        scope=Scope.SHARD,
        outputs=(Output(CHUNKS, description),),
        inputs=(Input(ARTICLES),),
        run=run,
        version="2",
        models=frozenset({Model.ENCODER}),
    )


def _chunk_embeddings(project: Project) -> Stage:
    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.corpus.embeddings import embedding_rows

        place, encoder = shard_place(project.shards[step.key.name]), step.encoder
        encoded, reused = encoder.encoded, encoder.reused
        columns = ["chunk_id", "corpus", "shard", "text", "text_hash", "n_tokens"]
        batches = step.inputs.scan(CHUNKS, place, columns, 8192)
        yield Rows(CHUNK_EMBEDDINGS, embedding_rows(batches, encoder, step.progress("texts encoded")))
        yield Metadata(
            {
                "encoder": encoder.encoder_id,
                "encoded": encoder.encoded - encoded,
                "reused": encoder.reused - reused,
            }
        )

    description = (
        "One unit vector a chunk. Vectors are kept by content: unchanged text costs nothing, and a run that "
        "died goes on where it stopped."
    )
    return _stage(
        name=CHUNK_EMBEDDINGS.name,
        scope=Scope.SHARD,
        outputs=(Output(CHUNK_EMBEDDINGS, description),),
        inputs=(Input(CHUNKS),),
        run=run,
        kinds=("pytorch", "parquet"),
        models=frozenset({Model.ENCODER}),
        pooled=True,
    )


def _index_path(step: Step, place: Partition) -> str | None:
    """Return the path of the index that a shard's row names now; None where no row does."""
    rows = step.standing(SHARD_INDEXES, place)
    return rows.column("path")[0].as_py() if rows is not None and rows.num_rows else None


def _shard_indexes(project: Project) -> Stage:
    def run(step: Step) -> Iterator[Rows | Metadata]:
        import pyarrow as pa

        from evidence_assets.corpus.embeddings import read_vectors
        from evidence_assets.corpus.index import (
            build_index,
            index_files,
            remove_old_index_files,
            store_index,
        )

        place = shard_place(project.shards[step.key.name])
        stood = index_files(step.files, place)
        batches = step.inputs.scan(CHUNK_EMBEDDINGS, place, ["chunk_id", "encoder_id", "vector"])
        # Vectors that come as they are read, and go when they are indexed: a million take 1.5 GB.
        rows, vectors = read_vectors(batches)
        if not rows.num_rows:
            yield Rows(SHARD_INDEXES, SHARD_INDEXES.schema.empty_table())
            return
        built = build_index(vectors)
        del vectors
        with tempfile.TemporaryDirectory(prefix="evidence-assets-") as folder:
            row = store_index(step.files, place, built, rows, Path(folder))
        yield Rows(SHARD_INDEXES, pa.Table.from_pylist([row], schema=SHARD_INDEXES.schema))
        remove_old_index_files(step.files, stood, _index_path(step, place))
        yield Metadata({"kind": built.kind, "vectors": row["vectors"], "recall_at_100": built.recall_at_100})

    description = (
        "The vector index of each shard: exact to a million vectors, inverted lists beyond, the choice and "
        "its measured recall recorded. A corpus is searched by all of its shards' indexes together."
    )
    return _stage(
        name=SHARD_INDEXES.name,
        scope=Scope.SHARD,
        outputs=(Output(SHARD_INDEXES, description),),
        inputs=(Input(CHUNK_EMBEDDINGS),),
        run=run,
        kinds=("faiss",),
        pooled=True,
    )


def _shard_terms(project: Project) -> Stage:
    def run(step: Step) -> Iterator[Rows | Metadata]:
        import pyarrow as pa

        from evidence_assets.text.term_statistics import count_terms

        place = shard_place(project.shards[step.key.name])
        batches = step.inputs.scan(CHUNKS, place, ["text"])
        counts = count_terms(
            (text for batch in batches for text in batch.column("text").to_pylist()), place["corpus"]
        )
        shards = pa.array([place["shard"]] * counts.num_rows, pa.string())
        yield Rows(SHARD_TERMS, counts.append_column("shard", shards))

    description = "In how many chunks of each shard each word stands."
    return _stage(
        name=SHARD_TERMS.name,
        scope=Scope.SHARD,
        outputs=(Output(SHARD_TERMS, description),),
        inputs=(Input(CHUNKS),),
        run=run,
    )


def _term_statistics(project: Project) -> Stage:
    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.text.term_statistics import TERM_COUNTS, add_up_terms

        corpus = step.key.name
        shards = [shard_place(shard) for shard in project.shards_of(corpus)]
        before, counted = step.made_before(TERM_STATISTICS, {"corpus": corpus})
        others = [shard for shard in shards if step.inputs.version(SHARD_TERMS, shard) not in counted]
        # What has changed or gone since cannot be taken off: its counts are no longer there.
        if len(shards) - len(others) < len(counted):
            before, others = before.slice(0, 0), shards
        counts = (step.inputs.read(SHARD_TERMS, shard, TERM_COUNTS) for shard in others)
        yield Rows(TERM_STATISTICS, add_up_terms(chain([before], counts), corpus))

    description = "BM25 statistics of each corpus: in how many chunks each word stands, over its shards."
    return _stage(
        name=TERM_STATISTICS.name,
        scope=Scope.CORPUS,
        outputs=(Output(TERM_STATISTICS, description),),
        inputs=(Input(SHARD_TERMS),),
        run=run,
        version="2",
    )
