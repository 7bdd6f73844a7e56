"""Every table of the lake, declared once: columns, key, partition folders, references.

The schemas are the contract with SQL, checks and tests: columns may be added, never renamed. Asset checks
and the DuckDB catalogue are made from these declarations, so a table is guarded by being declared here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Reference:
    """`columns` of one table name rows of `table` by its `target` columns."""

    columns: tuple[str, ...]
    table: str
    target: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """One table: its schema, the key its rows are sorted and unique by, and its partition columns.

    Partition columns are kept in the files too, so that a file read on its own says what it is.
    `shared_rows` marks a table whose partitions may repeat a row (the same evidence used by two arms):
    the id is a content hash, so repeats are equal, and the catalogue's view shows each once.
    """

    name: str
    description: str
    schema: pa.Schema
    key: tuple[str, ...]
    partition_columns: tuple[str, ...]
    references: tuple[Reference, ...] = field(default=())
    shared_rows: bool = False


TEXT = pa.string()
CANDIDATE = pa.field(
    "candidate",
    pa.int32(),
    nullable=False,
    metadata={"description": "index into the question's options; -1 stands for the question itself"},
)


def _required(name: str, kind: pa.DataType, description: str = "") -> pa.Field:
    metadata = {"description": description} if description else None
    return pa.field(name, kind, nullable=False, metadata=metadata)


def _optional(name: str, kind: pa.DataType, description: str = "") -> pa.Field:
    metadata = {"description": description} if description else None
    return pa.field(name, kind, nullable=True, metadata=metadata)


_EXPERIMENT = (_required("system", TEXT), _required("arm", TEXT), _required("benchmark", TEXT))
_EXPERIMENT_PARTITIONS = ("system", "arm", "benchmark")

LOCATOR = pa.struct(
    [
        _optional("article_id", TEXT),
        _optional("char_start", pa.int64()),
        _optional("char_end", pa.int64()),
        _optional("row", pa.int32()),
        _optional("column", pa.int32()),
        _optional("triple_ids", pa.list_(TEXT)),
    ]
)

ARTICLES = Table(
    "articles",
    "Documents as read from their sources: text, where it came from, under which licence.",
    pa.schema(
        [
            _required("article_id", TEXT, "hash of the shard's name and the source's own key"),
            _required("corpus", TEXT),
            _required("shard", TEXT),
            _required("source", TEXT),
            _required("source_key", TEXT, "the identifier the source itself uses"),
            _required(
                "source_uri",
                TEXT,
                "the file it was read from, as the configuration writes it",
            ),
            _required("url", TEXT),
            _required("revision", TEXT),
            _required("licence", TEXT),
            _required("title", TEXT),
            _required("text", TEXT),
            _required("text_hash", TEXT),
        ]
    ),
    key=("article_id",),
    partition_columns=("corpus", "shard"),
)

CHUNKS = Table(
    "chunks",
    "Articles cut at sentence ends into pieces the encoder can take: article.text[char_start:char_end].",
    pa.schema(
        [
            _required("chunk_id", TEXT, "hash of article id, character span and text"),
            _required("article_id", TEXT),
            _required("corpus", TEXT),
            _required("shard", TEXT),
            _required("char_start", pa.int64(), "in characters (code points) of article.text"),
            _required("char_end", pa.int64()),
            _required("text", TEXT),
            _required("text_hash", TEXT),
            _required("n_tokens", pa.int32(), "encoder tokens, special tokens counted"),
            _required(
                "sentence_ends", pa.list_(pa.int32()), "end of each sentence, in characters of this text"
            ),
        ]
    ),
    key=("chunk_id",),
    partition_columns=("corpus", "shard"),
    references=(Reference(("article_id",), "articles", ("article_id",)),),
)

CHUNK_EMBEDDINGS = Table(
    "chunk_embeddings",
    "One unit vector a chunk.",
    pa.schema(
        [
            _required("chunk_id", TEXT),
            _required("corpus", TEXT),
            _required("shard", TEXT),
            _required(
                "text_hash", TEXT, "what the vector was computed from: unchanged text is never encoded again"
            ),
            _required("encoder_id", TEXT),
            _required("vector", pa.list_(pa.float32()), "fixed width in the file: the encoder's dimension"),
        ]
    ),
    key=("chunk_id",),
    partition_columns=("corpus", "shard"),
    references=(Reference(("chunk_id",), "chunks", ("chunk_id",)),),
)

TERM_STATISTICS = Table(
    "term_statistics",
    "BM25 statistics of one corpus: in how many chunks each term stands.",
    pa.schema(
        [
            _required("corpus", TEXT),
            _required("term", TEXT, "lower-cased word; the empty term holds the corpus totals"),
            _required(
                "document_frequency", pa.int64(), "chunks that hold the term; for the empty term, all chunks"
            ),
            _required("term_frequency", pa.int64(), "occurrences; for the empty term, all words"),
        ]
    ),
    key=("corpus", "term"),
    partition_columns=("corpus",),
)

INDEXES = Table(
    "chunk_indexes",
    "The vector index of each corpus: kind, size, measured recall.",
    pa.schema(
        [
            _required("corpus", TEXT),
            _required("encoder_id", TEXT),
            _required("kind", TEXT, "FAISS factory name"),
            _required("vectors", pa.int64()),
            _required("dimension", pa.int32()),
            _required("path", TEXT, "the index file, relative to the lake's root"),
            _required(
                "recall_at_100", pa.float64(), "share of the exact top 100 that the index returns, measured"
            ),
        ]
    ),
    key=("corpus",),
    partition_columns=("corpus",),
)

TRIPLES = Table(
    "triples",
    "Knowledge-graph edges with every source that states them.",
    pa.schema(
        [
            _required("triple_id", TEXT),
            _required("kg", TEXT),
            _required("head", TEXT),
            _required("relation", TEXT),
            _required("tail", TEXT),
            _optional("weight", pa.float64()),
            _required(
                "sources",
                pa.list_(
                    pa.struct(
                        [_required("source", TEXT), _required("record", TEXT), _required("licence", TEXT)]
                    )
                ),
            ),
        ]
    ),
    key=("triple_id",),
    partition_columns=("kg", "relation"),
)

GRAPH_NODES = Table(
    "graph_nodes",
    "Every concept of a knowledge graph, numbered in the order of the labels.",
    pa.schema(
        [
            _required("kg", TEXT),
            _required("node", pa.int32(), "from 0"),
            _required("label", TEXT, "as the triples write it"),
            _required("degree", pa.int32(), "triples it stands in"),
        ]
    ),
    key=("kg", "node"),
    partition_columns=("kg",),
)

GRAPH_ALIASES = Table(
    "graph_aliases",
    "Every way to name a concept: what texts are linked by.",
    pa.schema(
        [
            _required("kg", TEXT),
            _required("alias", TEXT),
            _required("kind", TEXT, "label (its normal form) or lemma (its words' lemmas, no article)"),
            _required("node", pa.int32()),
        ]
    ),
    key=("kg", "alias", "kind", "node"),
    partition_columns=("kg",),
    references=(Reference(("kg", "node"), "graph_nodes", ("kg", "node")),),
)

QUESTIONS = Table(
    "questions",
    "Benchmark questions with options, key and the gold evidence their authors name.",
    pa.schema(
        [
            _required("benchmark", TEXT),
            _required("question_id", TEXT),
            _required("question", TEXT),
            _required("options", pa.list_(TEXT), "empty where the question offers no choice"),
            _optional("answer_index", pa.int32()),
            _required("answers", pa.list_(TEXT)),
            _optional("table_id", TEXT),
            _required(
                "gold_evidence", pa.list_(pa.struct([_required("title", TEXT), _required("text", TEXT)]))
            ),
            _required("split", TEXT),
            _required("context", TEXT, "text the benchmark hands out with the question"),
            _required("subject", TEXT),
            _required("source_uri", TEXT),
            _required("licence", TEXT),
        ]
    ),
    key=("benchmark", "question_id"),
    partition_columns=("benchmark",),
)

GOLD_CHUNKS = Table(
    "gold_chunks",
    "Gold evidence found again in the corpus: which chunks hold the text that the benchmark names.",
    pa.schema(
        [
            _required("benchmark", TEXT),
            _required("question_id", TEXT),
            _required("gold_index", pa.int32(), "index into questions.gold_evidence"),
            _required("chunk_id", TEXT),
            _required("article_id", TEXT),
        ]
    ),
    key=("benchmark", "question_id", "gold_index", "chunk_id"),
    partition_columns=("benchmark",),
    references=(
        Reference(("benchmark", "question_id"), "questions", ("benchmark", "question_id")),
        Reference(("chunk_id",), "chunks", ("chunk_id",)),
    ),
)

TABLES = Table(
    "tables",
    "Tables to reason over: caption, header and rows, raw and typed.",
    pa.schema(
        [
            _required("table_id", TEXT),
            _required("source", TEXT),
            _required("caption", TEXT),
            _required("header", pa.list_(TEXT)),
            _required("rows", pa.list_(pa.list_(TEXT)), "cell text as published"),
            _required(
                "typed_rows",
                pa.list_(
                    pa.list_(
                        pa.struct(
                            [
                                _required("kind", TEXT),
                                _optional("number", pa.float64()),
                                _optional("unit", TEXT),
                            ]
                        )
                    )
                ),
            ),
            _required("source_uri", TEXT),
            _required("licence", TEXT),
        ]
    ),
    key=("table_id",),
    partition_columns=("source",),
)

_POOL_COLUMNS = (
    _required("question_id", TEXT),
    CANDIDATE,
    _required("rank", pa.int32(), "from 1"),
    _required("chunk_id", TEXT),
    _required("score", pa.float64(), "higher is better"),
)

CHUNK_POOLS = Table(
    "chunk_pools",
    "First-stage candidates of each query text, by vector similarity and by BM25.",
    pa.schema([_required("benchmark", TEXT), _required("retriever", TEXT, "dense or bm25"), *_POOL_COLUMNS]),
    key=("benchmark", "retriever", "question_id", "candidate", "rank"),
    partition_columns=("benchmark",),
    references=(
        Reference(("benchmark", "question_id"), "questions", ("benchmark", "question_id")),
        Reference(("chunk_id",), "chunks", ("chunk_id",)),
    ),
)

SCORE_PARTS = pa.list_(pa.struct([_required("name", TEXT), _required("value", pa.float64())]))

RANKED_CHUNKS = Table(
    "ranked_chunks",
    "The best chunks of each query text by one retrieval arm's score.",
    pa.schema(
        [
            _required("benchmark", TEXT),
            _required("retrieval", TEXT),
            *_POOL_COLUMNS,
            _required("score_parts", SCORE_PARTS),
        ]
    ),
    key=("benchmark", "retrieval", "question_id", "candidate", "rank"),
    partition_columns=("benchmark", "retrieval"),
    references=(
        Reference(("benchmark", "question_id"), "questions", ("benchmark", "question_id")),
        Reference(("chunk_id",), "chunks", ("chunk_id",)),
    ),
)

RANKING_CERTIFICATES = Table(
    "ranking_certificates",
    "Why each ranking by transport is exact: what became of every chunk of the pool.",
    pa.schema(
        [
            _required("benchmark", TEXT),
            _required("retrieval", TEXT),
            _required("question_id", TEXT),
            CANDIDATE,
            _required("status", TEXT, "proved, anytime (some chunks are open) or refused"),
            _required("pool", pa.int32(), "chunks; the counts below add up to it"),
            _required("solved", pa.int32(), "evaluated exactly"),
            _required("ruled_out_by_centroid", pa.int32()),
            _required("ruled_out_by_bound", pa.int32(), "closed form or shared dual potentials"),
            _required("ruled_out_by_ascent", pa.int32(), "ascent of the dual"),
            _required("open", pa.int32(), "neither, when the time was up"),
            _required("refused", pa.int32(), "broken chunks"),
            pa.field("threshold", pa.float64()),
            _required("margin", pa.float64(), "what bounds gave up to single precision"),
            pa.field("refusal", TEXT),
        ]
    ),
    key=("benchmark", "retrieval", "question_id", "candidate"),
    partition_columns=("benchmark", "retrieval"),
    references=(Reference(("benchmark", "question_id"), "questions", ("benchmark", "question_id")),),
)

CONCEPT_LINKS = Table(
    "concept_links",
    "Concepts of each question and option, linked to a knowledge graph: where, how, how surely.",
    pa.schema(
        [
            _required("benchmark", TEXT),
            _required("question_id", TEXT),
            CANDIDATE,
            _required("char_start", pa.int32(), "in characters of the question, or of the option"),
            _required("char_end", pa.int32()),
            _required("phrase", TEXT),
            _required("relevance", pa.float64(), "cosine of the phrase to its text"),
            _required("kg", TEXT),
            _required("node", pa.int32()),
            _required("label", TEXT),
            _required("method", TEXT, "exact, lemma or fuzzy"),
            _required("score", pa.float64(), "1, or for fuzzy links the share of characters in common"),
            _required("triples", pa.int32(), "triples the node stands in"),
            _required("dropped", pa.int32(), "of them not looked at: the lightest, past the cap"),
        ]
    ),
    key=("benchmark", "question_id", "candidate", "char_start", "char_end", "node"),
    partition_columns=("benchmark",),
    references=(
        Reference(("benchmark", "question_id"), "questions", ("benchmark", "question_id")),
        Reference(("kg", "node"), "graph_nodes", ("kg", "node")),
    ),
)

RANKED_TRIPLES = Table(
    "ranked_triples",
    "The triples around each question's and option's concepts, read out, that are nearest to the query.",
    pa.schema(
        [
            _required("benchmark", TEXT),
            _required("question_id", TEXT),
            CANDIDATE,
            _required("rank", pa.int32(), "from 1"),
            _required("triple_id", TEXT),
            _required("text", TEXT, "the triple read out by its relation's template"),
            _required("touches", TEXT, "question, option or both: whose concepts it stands at"),
            _required("score", pa.float64(), "higher is better"),
            _required("score_parts", SCORE_PARTS),
            _required("scorer", TEXT, "which model scored it"),
        ]
    ),
    key=("benchmark", "question_id", "candidate", "rank"),
    partition_columns=("benchmark",),
    references=(
        Reference(("benchmark", "question_id"), "questions", ("benchmark", "question_id")),
        Reference(("triple_id",), "triples", ("triple_id",)),
    ),
)

RERANKED_EVIDENCE = Table(
    "reranked_evidence",
    "Chunks and triples of each question scored together, against every query text of the question.",
    pa.schema(
        [
            _required("benchmark", TEXT),
            _required("retrieval", TEXT, "the ranking of chunks that the triples are joined to"),
            _required("question_id", TEXT),
            CANDIDATE,
            _required("source_table", TEXT, "chunks or triples"),
            _required("source_key", TEXT),
            _optional(
                "found_rank", pa.int32(), "rank in this candidate's own list; null: found for another one"
            ),
            _required("score", pa.float64(), "higher is better"),
            _required(
                "separation",
                pa.float64(),
                "verification signal: the best option's score less the mean of all; 0 echoes the topic",
            ),
            _required("scorer", TEXT, "which model scored it"),
        ]
    ),
    key=("benchmark", "retrieval", "question_id", "candidate", "source_table", "source_key"),
    partition_columns=("benchmark", "retrieval"),
    references=(Reference(("benchmark", "question_id"), "questions", ("benchmark", "question_id")),),
)

EVIDENCE = Table(
    "evidence",
    "Every unit of evidence that an experiment was given or cited, with the place it was taken from.",
    pa.schema(
        [
            _required(
                "evidence_id", TEXT, "hash of kind, source table, source key, source version and locator"
            ),
            *_EXPERIMENT,
            _required(
                "kind", TEXT, "chunk, sentence, triple, path, column, cell, document or generated_triple"
            ),
            _required("text", TEXT),
            _required("source_table", TEXT),
            _required("source_key", TEXT, "key of the row of source_table"),
            _required("source_version", TEXT, "content hash of that row's text when the evidence was taken"),
            _required(
                "locator", LOCATOR, "where in the source the text stands; spans are in article characters"
            ),
        ]
    ),
    key=("evidence_id",),
    partition_columns=_EXPERIMENT_PARTITIONS,
    shared_rows=True,
)

_ANSWERS_A_QUESTION = Reference(("benchmark", "question_id"), "questions", ("benchmark", "question_id"))
_NAMES_EVIDENCE = Reference(("evidence_id",), "evidence", ("evidence_id",))

SELECTED_EVIDENCE = Table(
    "selected_evidence",
    "The ranked evidence that each candidate answer was argued from.",
    pa.schema(
        [
            *_EXPERIMENT,
            _required("question_id", TEXT),
            CANDIDATE,
            _required("rank", pa.int32(), "from 1"),
            _required("evidence_id", TEXT),
            _required("score", pa.float64(), "higher is better"),
            _required("score_parts", SCORE_PARTS),
        ]
    ),
    key=("system", "arm", "benchmark", "question_id", "candidate", "rank"),
    partition_columns=_EXPERIMENT_PARTITIONS,
    references=(_ANSWERS_A_QUESTION, _NAMES_EVIDENCE),
)

CHAINS = Table(
    "chains",
    "One reasoning chain a candidate answer, with the evidence it cites.",
    pa.schema(
        [
            _required("chain_id", TEXT),
            *_EXPERIMENT,
            _required("question_id", TEXT),
            CANDIDATE,
            _required("text", TEXT),
            _required("cited", pa.list_(TEXT), "evidence ids, in the order of their numbers in the text"),
            _required("citation_status", TEXT, "valid, or what is wrong with the citations"),
            _required(
                "score", pa.float64(), "support for the candidate; comparable within one question only"
            ),
            _required("score_parts", SCORE_PARTS),
        ]
    ),
    key=("chain_id",),
    partition_columns=_EXPERIMENT_PARTITIONS,
    references=(_ANSWERS_A_QUESTION,),
)

PREDICTIONS = Table(
    "predictions",
    "One answer a question and experiment, with its confidence and how it was parsed.",
    pa.schema(
        [
            _required("prediction_id", TEXT),
            *_EXPERIMENT,
            _required("question_id", TEXT),
            _optional("predicted", TEXT),
            _optional("predicted_index", pa.int32()),
            _optional("gold", TEXT),
            _required("correct", pa.bool_()),
            _required("abstained", pa.bool_()),
            _required("parse_status", TEXT, "parsed, or why no answer could be read"),
            _optional("confidence", pa.float64(), "calibrated probability that the answer is right"),
            _required("generator", TEXT, "who answered: extractive, or the model's name"),
            _required("raw_output", TEXT),
            _required("tie_break", TEXT, "none, or the rule that chose between equal scores"),
            _required("code_version", TEXT),
        ]
    ),
    key=("prediction_id",),
    partition_columns=_EXPERIMENT_PARTITIONS,
    references=(_ANSWERS_A_QUESTION,),
)

PREDICTION_EVIDENCE = Table(
    "prediction_evidence",
    "Which evidence each prediction was given and which it cited.",
    pa.schema(
        [
            _required("prediction_id", TEXT),
            _required("evidence_id", TEXT),
            *_EXPERIMENT,
            _required("role", TEXT, "given or cited"),
            CANDIDATE,
            _required("rank", pa.int32(), "from 1, within role and candidate"),
            _required("score", pa.float64()),
        ]
    ),
    key=("prediction_id", "evidence_id", "role", "candidate"),
    partition_columns=_EXPERIMENT_PARTITIONS,
    references=(Reference(("prediction_id",), "predictions", ("prediction_id",)), _NAMES_EVIDENCE),
)

BENCHMARK_SCORES = Table(
    "benchmark_scores",
    "Metrics with 95 % intervals.",
    pa.schema(
        [
            *_EXPERIMENT,
            _required("metric", TEXT),
            _optional("value", pa.float64()),
            _optional("low", pa.float64()),
            _optional("high", pa.float64()),
            _required("n", pa.int64(), "questions the metric is a mean over"),
        ]
    ),
    key=("system", "arm", "benchmark", "metric"),
    partition_columns=_EXPERIMENT_PARTITIONS,
)

SCORE_DIFFERENCES = Table(
    "score_differences",
    "Paired differences between arms on the same questions, with 95 % intervals.",
    pa.schema(
        [
            *_EXPERIMENT,
            _required("baseline_arm", TEXT),
            _required("metric", TEXT),
            _required("value", pa.float64(), "arm minus baseline"),
            _required("low", pa.float64()),
            _required("high", pa.float64()),
            _required("n", pa.int64()),
        ]
    ),
    key=("system", "benchmark", "arm", "baseline_arm", "metric"),
    partition_columns=("system", "benchmark"),
)

PUBLISHED_SCORES = Table(
    "published_scores",
    "Figures as their papers print them.",
    pa.schema(
        [
            *_EXPERIMENT,
            _required("metric", TEXT),
            _required("source", TEXT),
            _required("table_number", TEXT),
            _required("value", pa.float64()),
        ]
    ),
    key=("system", "arm", "benchmark", "metric", "source", "table_number"),
    partition_columns=(),
)

EVIDENCE_ABLATIONS = Table(
    "evidence_ablations",
    "Whether a prediction stands without some of its evidence.",
    pa.schema(
        [
            _required("prediction_id", TEXT),
            _required("removed", TEXT, "evidence id, or a name for a set of them"),
            *_EXPERIMENT,
            _optional("predicted_without", TEXT),
            _required("changed", pa.bool_()),
            _optional("confidence_change", pa.float64()),
        ]
    ),
    key=("prediction_id", "removed"),
    partition_columns=_EXPERIMENT_PARTITIONS,
    references=(Reference(("prediction_id",), "predictions", ("prediction_id",)),),
)

MATERIALIZATIONS = Table(
    "materializations",
    "When, by which run and from what each partition was made: the one place where time and run live.",
    pa.schema(
        [
            _required("version", TEXT, "hash of table, partition and content: names the folder"),
            _required("table", TEXT),
            _required("partition", TEXT),
            _required("content_hash", TEXT),
            _required("rows", pa.int64()),
            _required("bytes", pa.int64()),
            _required("run_id", TEXT),
            _required("code_version", TEXT),
            _required(
                "upstream",
                pa.list_(
                    pa.struct(
                        [
                            _required("table", TEXT),
                            _required("partition", TEXT),
                            _required("content_hash", TEXT),
                        ]
                    )
                ),
            ),
            _required("materialized_at", pa.timestamp("us", tz="UTC")),
        ]
    ),
    key=("table", "partition", "content_hash"),
    partition_columns=("version",),
)

REJECTED_RECORDS = Table(
    "rejected_records",
    "What was left out of a table, why, and what would mend it.",
    pa.schema(
        [
            _required("source", TEXT, "the shard, the benchmark, or graph: and the graph"),
            _required("record", TEXT, "where it stands in its source"),
            _required("reason", TEXT),
            _required("remedy", TEXT),
            _required("source_uri", TEXT),
        ]
    ),
    key=("source", "record", "reason"),
    partition_columns=("source",),
)

TABLES_BY_NAME: Mapping[str, Table] = MappingProxyType(
    {
        table.name: table
        for table in (
            ARTICLES,
            CHUNKS,
            CHUNK_EMBEDDINGS,
            TERM_STATISTICS,
            INDEXES,
            TRIPLES,
            GRAPH_NODES,
            GRAPH_ALIASES,
            QUESTIONS,
            GOLD_CHUNKS,
            TABLES,
            CHUNK_POOLS,
            RANKED_CHUNKS,
            RANKING_CERTIFICATES,
            CONCEPT_LINKS,
            RANKED_TRIPLES,
            RERANKED_EVIDENCE,
            EVIDENCE,
            SELECTED_EVIDENCE,
            CHAINS,
            PREDICTIONS,
            PREDICTION_EVIDENCE,
            BENCHMARK_SCORES,
            SCORE_DIFFERENCES,
            PUBLISHED_SCORES,
            EVIDENCE_ABLATIONS,
            MATERIALIZATIONS,
            REJECTED_RECORDS,
        )
    }
)
