"""Tables of graph vectors, and of the classifiers of facts that are trained on questions."""

from __future__ import annotations

import pyarrow as pa

from evidence_assets.lake.schemas.declaration import (
    TEXT,
    Reference,
    Table,
    columns,
    required,
)

GRAPH_EMBEDDINGS = Table(
    "graph_embeddings",
    "A vector for every node, of where it stands in the graph: read from a file, or made from the graph.",
    columns(
        required("kg", TEXT),
        required("node", pa.int32()),
        required("label", TEXT),
        required("method", TEXT, "numberbatch or spectral"),
        required("known", pa.bool_(), "false: nothing is known of the node, its vector is zeros"),
        required("vector", pa.list_(pa.float32()), "unit length"),
    ),
    key=("kg", "node"),
    partition_columns=("kg",),
    references=(Reference(("kg", "node"), "graph_nodes", ("kg", "node")),),
)

RELEVANCE_PAIRS = Table(
    "relevance_pairs",
    "What a relevance classifier is trained on: questions with known answers, facts, their relevance.",
    columns(
        required("benchmark", TEXT, "the one that the classifier is for"),
        required("training", TEXT, "the one that the questions are of"),
        required("question_id", TEXT, "of the latter"),
        required("place", pa.int32(), "from 0, within the question"),
        required("question", TEXT, "as the classifier sees it"),
        required("fact", TEXT, "read out"),
        required("relevance", pa.float64(), "from 1 to 10, by the answers that are known"),
    ),
    key=("benchmark", "question_id", "place"),
    partition_columns=("benchmark",),
    references=(Reference(("training", "question_id"), "questions", ("benchmark", "question_id")),),
)

RELEVANCE_CLASSIFIERS = Table(
    "relevance_classifiers",
    "Classifiers of how relevant a fact is to a question, trained on relevance_pairs.",
    columns(
        required("benchmark", TEXT, "the one that it is for"),
        required("training", TEXT, "the one that its questions are of"),
        required("folder", TEXT, "its folder's name under relevance_classifiers in the cache"),
        required("encoder", TEXT, "name and content hash of the weights below it"),
        required("pairs", pa.int32()),
        required("questions", pa.int32()),
        required("held_out", pa.int32(), "of the questions: not trained on, to tell how it does"),
        required("loss_before", pa.float64(), "cross-entropy over the questions held out, untrained"),
        required("loss", pa.float64(), "the same, trained"),
        required("first_right", pa.float64(), "share of them whose most relevant fact it rates highest"),
        required("first_cosine", pa.float64(), "the same by the cosine of question and fact"),
    ),
    key=("benchmark",),
    partition_columns=("benchmark",),
)
