"""Tables of trained readers: what each was made of and reaches, and which questions it has seen."""

from __future__ import annotations

import pyarrow as pa

from evidence_assets.lake.schemas.declaration import (
    TEXT,
    Reference,
    Table,
    columns,
    optional,
    required,
    structs,
    texts,
)

_FIGURES = (
    required("benchmark", TEXT),
    required("way", TEXT, "what was read: evidence, none, another question's …; or a cheap baseline"),
    required("accuracy", pa.float64()),
    required("low", pa.float64(), "of the 95 % interval"),
    required("high", pa.float64()),
    required("n", pa.int64(), "questions"),
)

_WEIGHT = (
    required("cue", TEXT, "its own (reader, or likelihood …), nearest or plausibility"),
    required("weight", pa.float64(), "where evidence comes near to what is asked"),
    required("weight_far", pa.float64(), "where no text speaks of it"),
)

TRAINED_READERS = Table(
    "trained_readers",
    "Readers of options: recipe, what each was trained or weighed on, and what it reaches on held-out data.",
    columns(
        required("reader", TEXT),
        required("model_id", TEXT, "name and content hash of the weights"),
        optional("generator", TEXT, "the language model that reads; none: it is a cross-encoder"),
        required("folder", TEXT, "its folder's name under trained_readers in the cache; empty: it has none"),
        required("weights_hash", TEXT, "of the weights' file: what is opened must have it"),
        required("recipe", TEXT, "JSON, the seed with it"),
        required("body", TEXT, "the encoder whose body it began with"),
        required("texts", pa.int32(), "texts of evidence that an option is read with"),
        required("trained_on", structs(required("source", TEXT), required("questions", pa.int64()))),
        required("chosen_on", TEXT),
        required(
            "mixture",
            structs(*_WEIGHT),
            "of its own cues and two cheap ones, fitted on the recipe's weighed_on",
        ),
        required("evaluated", structs(*_FIGURES), "on questions that took no part in training or choosing"),
        required(
            "curve",
            structs(
                required("step", pa.int32()),
                optional("loss", pa.float64(), "of the training batches since the last"),
                required("accuracy", pa.float64(), "on chosen_on"),
                required("validation_loss", pa.float64()),
            ),
        ),
    ),
    key=("reader",),
    partition_columns=("reader",),
)

READER_QUESTIONS = Table(
    "reader_questions",
    "The published questions that each reader has seen: trained on, chosen on, evaluated on.",
    columns(
        *texts("reader", "benchmark", "question_id"),
        required("role", TEXT, "training, choosing or evaluation"),
        required("text_hash", TEXT, "of the question and its options in normal form, whatever their order"),
    ),
    key=("reader", "benchmark", "question_id", "role"),
    partition_columns=("reader",),
)

READER_ADMISSIONS = Table(
    "reader_admissions",
    "Which reader may answer which benchmark: none of its questions was trained on or chosen on.",
    columns(
        *texts("benchmark", "reader", "model_id", "folder", "weights_hash"),
        optional("generator", TEXT, "the language model that reads; none: it is a cross-encoder"),
        required("texts", pa.int32(), "texts of evidence that an option is read with"),
        required("bfloat16", pa.bool_(), "whether an adapter reads in numbers of 16 bits, as it was trained"),
        required("mixture", structs(*_WEIGHT)),
        required("questions", pa.int64(), "of the benchmark, each compared by id and by text"),
        required("seen", pa.int64(), "published questions that the reader has seen"),
        required("evaluated", structs(*_FIGURES)),
    ),
    key=("benchmark", "reader"),
    partition_columns=("benchmark", "reader"),
    references=(Reference(("reader",), "trained_readers", ("reader",)),),
)
