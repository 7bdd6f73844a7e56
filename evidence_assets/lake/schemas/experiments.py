"""Tables of the experiments: evidence, chains, predictions, scores."""

from __future__ import annotations

import pyarrow as pa

from evidence_assets.lake.schemas.declaration import (
    ANSWERS_A_QUESTION,
    CANDIDATE,
    LOOKED_UP_ROWS_PER_GROUP,
    SCORE_PARTS,
    SEARCHED_ROWS_PER_GROUP,
    TEXT,
    Reference,
    Table,
    columns,
    optional,
    required,
    texts,
)

_EXPERIMENT_PARTITIONS = ("system", "arm", "benchmark")
_EXPERIMENT = texts(*_EXPERIMENT_PARTITIONS)

LOCATOR = pa.struct(
    [
        optional("article_id", TEXT),
        optional("char_start", pa.int64()),
        optional("char_end", pa.int64()),
        optional("row", pa.int32()),
        optional("column", pa.int32()),
        optional("triple_ids", pa.list_(TEXT)),
    ]
)

EVIDENCE = Table(
    "evidence",
    "Every unit of evidence that an experiment was given or cited, with the place it was taken from.",
    columns(
        required("evidence_id", TEXT, "hash of kind, source table, source key, source version and locator"),
        *_EXPERIMENT,
        required("kind", TEXT, "chunk, sentence, triple, path, column, cell, document or generated_triple"),
        *texts("text", "source_table"),
        required("source_key", TEXT, "key of the row of source_table"),
        required("source_version", TEXT, "content hash of that row's text when the evidence was taken"),
        required("locator", LOCATOR, "where in the source the text stands; spans are in article characters"),
    ),
    key=("evidence_id",),
    partition_columns=_EXPERIMENT_PARTITIONS,
    shared_rows=True,
    sought_by=("evidence_id", "source_key", "locator.article_id"),
    rows_per_group=LOOKED_UP_ROWS_PER_GROUP,
)

BINDING = pa.struct(
    [
        required("start", pa.int32()),
        required("end", pa.int32()),
        *texts("text", "role", "target"),
        optional("similarity", pa.float64()),
    ]
)

# Null where no language model was asked, the request also where it could not be sent.
_GENERATION = (
    optional("request_hash", TEXT, "the row of generations that the text was taken from"),
    optional("prompt_hash", TEXT, "hash of the prompt's wording"),
    optional("model", TEXT, "engine, model and revision"),
)

_NAMES_GENERATION = Reference(("request_hash",), "generations", ("request_hash",))
_NAMES_EVIDENCE = Reference(("evidence_id",), "evidence", ("evidence_id",))

SELECTED_EVIDENCE = Table(
    "selected_evidence",
    "The ranked evidence that each candidate answer was argued from.",
    columns(
        *_EXPERIMENT,
        required("question_id", TEXT),
        CANDIDATE,
        required("rank", pa.int32(), "from 1"),
        required("evidence_id", TEXT),
        required("score", pa.float64(), "higher is better"),
        required("score_parts", SCORE_PARTS),
    ),
    key=("system", "arm", "benchmark", "question_id", "candidate", "rank"),
    partition_columns=_EXPERIMENT_PARTITIONS,
    references=(ANSWERS_A_QUESTION, _NAMES_EVIDENCE),
)

CHAINS = Table(
    "chains",
    "One reasoning chain a candidate answer, with the evidence it cites.",
    columns(
        required("chain_id", TEXT),
        *_EXPERIMENT,
        required("question_id", TEXT),
        CANDIDATE,
        required("text", TEXT),
        required("cited", pa.list_(TEXT), "evidence ids, in the order of their numbers in the text"),
        required("citation_status", TEXT, "valid, or what is wrong with the citations"),
        required(
            "score",
            pa.float64(),
            "support for the candidate, comparable within one question only; of a model's argument, its "
            "mean log-probability, or 0 where the engine does not tell",
        ),
        required("score_parts", SCORE_PARTS),
        *_GENERATION,
    ),
    key=("chain_id",),
    partition_columns=_EXPERIMENT_PARTITIONS,
    references=(ANSWERS_A_QUESTION, _NAMES_GENERATION),
)

PREDICTIONS = Table(
    "predictions",
    "One answer a question and experiment, with its confidence and how it was parsed.",
    columns(
        required("prediction_id", TEXT),
        *_EXPERIMENT,
        required("question_id", TEXT),
        optional("predicted", TEXT),
        optional("predicted_index", pa.int32()),
        optional("gold", TEXT),
        optional("correct", pa.bool_()),
        required("abstained", pa.bool_()),
        required("parse_status", TEXT, "parsed, or why no answer could be read"),
        optional(
            "confidence",
            pa.float64(),
            "calibrated probability that the answer is right; of one that is kept back, where it abstained",
        ),
        required("generator", TEXT, "who answered: extractive, or the model's name"),
        required("raw_output", TEXT),
        required("tie_break", TEXT, "none, or the rule that chose between equal scores"),
        optional("unaccounted", pa.list_(TEXT), "words that nothing accounts for; null if unknown"),
        optional(
            "bindings",
            pa.list_(BINDING),
            "each span of the question, in characters, and the evidence, operator, unit or scope it is "
            "bound to; null if unknown",
        ),
        optional(
            "unread_words",
            pa.int32(),
            "words at the question's start that the encoder was not given, because the question and an "
            "option are longer than it takes; 0 where none; null where no encoder read the question",
        ),
        required("code_version", TEXT),
        *_GENERATION,
    ),
    key=("prediction_id",),
    partition_columns=_EXPERIMENT_PARTITIONS,
    references=(ANSWERS_A_QUESTION, _NAMES_GENERATION),
    sought_by=("prediction_id",),
    rows_per_group=SEARCHED_ROWS_PER_GROUP,
)

PREDICTION_EVIDENCE = Table(
    "prediction_evidence",
    "Which evidence each prediction was given and which it cited.",
    columns(
        *texts("prediction_id", "evidence_id"),
        *_EXPERIMENT,
        required("role", TEXT, "given or cited"),
        CANDIDATE,
        required("rank", pa.int32(), "from 1, within role and candidate"),
        required("score", pa.float64()),
    ),
    key=("prediction_id", "evidence_id", "role", "candidate"),
    partition_columns=_EXPERIMENT_PARTITIONS,
    references=(Reference(("prediction_id",), "predictions", ("prediction_id",)), _NAMES_EVIDENCE),
    sought_by=("evidence_id",),
)

BENCHMARK_SCORES = Table(
    "benchmark_scores",
    "Metrics with 95 % intervals.",
    columns(
        *_EXPERIMENT,
        required("metric", TEXT),
        optional("value", pa.float64()),
        optional("low", pa.float64()),
        optional("high", pa.float64()),
        required("n", pa.int64(), "questions the metric is a mean over"),
        optional("n_asked", pa.int64(), "questions of the benchmark"),
        optional(
            "n_answered",
            pa.int64(),
            "of them, those with a prediction that no failure of the set-up made",
        ),
        optional("complete", pa.bool_(), "every question was answered, an abstention being an answer"),
    ),
    key=("system", "arm", "benchmark", "metric"),
    partition_columns=_EXPERIMENT_PARTITIONS,
)

QUESTION_SCORES = Table(
    "question_scores",
    "Every metric that is a mean over questions, question by question: benchmark_scores and "
    "score_differences are one query away.",
    columns(
        *_EXPERIMENT,
        *texts("metric", "question_id"),
        required("value", pa.float64()),
    ),
    key=("system", "arm", "benchmark", "metric", "question_id"),
    partition_columns=_EXPERIMENT_PARTITIONS,
    references=(ANSWERS_A_QUESTION,),
)

LEAKAGE_FLAGS = Table(
    "leakage_flags",
    "What of each question the corpus that answers it holds word for word: its gold evidence, its answer, "
    "itself.",
    columns(
        *texts("benchmark", "question_id"),
        required("gold_items", pa.int32(), "texts that the benchmark names as evidence"),
        required("gold_in_corpus", pa.int32(), "of them, those that the corpus holds"),
        optional("answer_in_corpus", pa.bool_(), "some chunk holds a gold answer; null without one"),
        required("question_in_corpus", pa.bool_(), "some chunk holds the question"),
        required("answer_in_question", pa.bool_(), "the question holds its right answer"),
    ),
    key=("benchmark", "question_id"),
    partition_columns=("benchmark",),
    references=(ANSWERS_A_QUESTION,),
)

SCORE_DIFFERENCES = Table(
    "score_differences",
    "Paired differences between arms on the same questions, with 95 % intervals.",
    columns(
        *_EXPERIMENT,
        *texts("baseline_arm", "metric"),
        required("value", pa.float64(), "arm minus baseline"),
        required("low", pa.float64()),
        required("high", pa.float64()),
        required("n", pa.int64()),
        optional(
            "baseline_value",
            pa.float64(),
            "the baseline's mean over these questions; options that score alike count as drawn blindly",
        ),
        optional(
            "is_strongest_baseline",
            pa.bool_(),
            "of the cheap baselines (those that the system names, chance, the majority) this arm's "
            "strongest by this metric, the first of equals; null in rows of a version before",
        ),
        optional("test", TEXT, "mcnemar (exact, of right and wrong) or paired bootstrap"),
        optional("p_value", pa.float64(), "two-sided"),
        optional(
            "p_holm",
            pa.float64(),
            "corrected by Holm over the arms that are held against this baseline by this metric",
        ),
        optional("comparisons", pa.int32(), "how many these are"),
    ),
    key=("system", "benchmark", "arm", "baseline_arm", "metric"),
    partition_columns=("system", "benchmark"),
)

PUBLISHED_SCORES = Table(
    "published_scores",
    "Figures as their papers print them.",
    columns(
        *_EXPERIMENT,
        *texts("metric", "source", "table_number"),
        required("value", pa.float64()),
    ),
    key=("system", "arm", "benchmark", "metric", "source", "table_number"),
    partition_columns=(),
)

PUBLISHED_SETUPS = Table(
    "published_setups",
    "What the papers say their figures were measured on, where they do.",
    columns(
        *texts("system", "benchmark", "source"),
        optional("questions", pa.int64()),
        optional("graph", TEXT, "the knowledge graph that the publication used"),
        optional("graph_triples", pa.int64(), "triples of that graph"),
        optional("articles", pa.int64(), "of the corpus"),
        required("stated", TEXT, "where, and in which words"),
    ),
    key=("system", "benchmark", "source"),
    partition_columns=(),
)

EVIDENCE_ABLATIONS = Table(
    "evidence_ablations",
    "Whether a prediction stands without some of its evidence: its reader read again, the rest the same.",
    columns(
        required("prediction_id", TEXT),
        required("removed", TEXT, "evidence id, or a name for a set of them"),
        *_EXPERIMENT,
        required("question_id", TEXT),
        required(
            "kind",
            TEXT,
            "one_removed, cited_removed, only_cited_kept, random_removed, only_random_kept, all_removed "
            "or minimal_kept",
        ),
        required("draw", pa.int32(), "of several random sets of a kind, from 1; else 0"),
        optional("cited", pa.bool_(), "of one_removed: whether the answer cites it"),
        optional("weight", pa.float64(), "of one_removed: the sources that it was drawn to stand for"),
        required("sources", pa.list_(TEXT), "what was removed: articles, triples, paths, documents, cells"),
        required("evidence_ids", pa.list_(TEXT), "the evidence that stands there, of what was given"),
        required("given_sources", pa.int32(), "sources that the prediction was given"),
        required("cited_sources", pa.int32(), "of them, those that the answer cites"),
        required("removed_sources", pa.int32()),
        optional("predicted_without", TEXT),
        required("changed", pa.bool_(), "another answer, or none"),
        required("abstained_without", pa.bool_()),
        optional("confidence_without", pa.float64(), "in predicted_without"),
        optional("confidence_change", pa.float64(), "confidence_without minus the prediction's own"),
    ),
    key=("prediction_id", "removed"),
    partition_columns=_EXPERIMENT_PARTITIONS,
    references=(Reference(("prediction_id",), "predictions", ("prediction_id",)),),
)

ABLATION_SCORES = Table(
    "ablation_scores",
    "What citations are worth: what answers lose without them, beside what as much random evidence does.",
    columns(
        *_EXPERIMENT,
        required("metric", TEXT),
        required("value", pa.float64()),
        required("low", pa.float64(), "of a 95 % interval over predictions"),
        required("high", pa.float64()),
        required("n", pa.int64(), "predictions"),
        optional("control", pa.float64(), "the same of random evidence of the predictions"),
        optional("control_low", pa.float64()),
        optional("control_high", pa.float64()),
        optional("difference", pa.float64(), "value minus control, prediction by prediction"),
        optional("difference_low", pa.float64()),
        optional("difference_high", pa.float64()),
    ),
    key=("system", "arm", "benchmark", "metric"),
    partition_columns=_EXPERIMENT_PARTITIONS,
)
