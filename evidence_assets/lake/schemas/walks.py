"""Tables of what was found for questions in a graph: concepts, subgraphs, relevance, paths."""

from __future__ import annotations

import pyarrow as pa

from evidence_assets.lake.schemas.declaration import (
    ANSWERS_A_QUESTION,
    CANDIDATE,
    SCORE_PARTS,
    TEXT,
    Reference,
    Table,
    columns,
    optional,
    required,
    structs,
    texts,
)

QUESTION_CONCEPTS = Table(
    "question_concepts",
    "Concepts of each question and option, linked to a knowledge graph: where, how, how surely.",
    columns(
        *texts("benchmark", "question_id"),
        CANDIDATE,
        required("char_start", pa.int32(), "in characters of the question, or of the option"),
        required("char_end", pa.int32()),
        required("phrase", TEXT),
        required("relevance", pa.float64(), "cosine of the phrase to its text"),
        required("kg", TEXT),
        required("node", pa.int32()),
        required("label", TEXT),
        required("method", TEXT, "exact, lemma, fuzzy or embedding"),
        required(
            "score",
            pa.float64(),
            "1; for fuzzy links the share of characters in common, for embedding links the cosine",
        ),
        required("triples", pa.int32(), "triples the node stands in"),
        required("dropped", pa.int32(), "of them not looked at: the lightest, past the cap"),
    ),
    key=("benchmark", "question_id", "candidate", "char_start", "char_end", "node"),
    partition_columns=("benchmark",),
    references=(ANSWERS_A_QUESTION, Reference(("kg", "node"), "graph_nodes", ("kg", "node"))),
)

QUESTION_SUBGRAPHS = Table(
    "question_subgraphs",
    "The part of a graph around each question's concepts: what is within some hops, capped.",
    columns(
        required("benchmark", TEXT),
        required("neighbourhood", TEXT, "how far, and how many nodes at most"),
        *texts("question_id", "kg"),
        required(
            "seeds",
            structs(
                required("node", pa.int32()),
                required("weight", pa.float64(), "share of the walk's restarts"),
                required("is_concept", pa.bool_(), "named in the question; else near it in meaning"),
            ),
        ),
        required("nodes", pa.list_(pa.int32()), "ascending"),
        required("hops", pa.list_(pa.int8()), "of each node, from the nearest seed"),
        required("reached", pa.int32(), "nodes within reach"),
        required("dropped", pa.int32(), "of them left out by the cap: those with the least PageRank"),
    ),
    key=("benchmark", "neighbourhood", "question_id"),
    partition_columns=("benchmark", "neighbourhood"),
    references=(ANSWERS_A_QUESTION,),
)

NODE_RELEVANCE = Table(
    "node_relevance",
    "How relevant the nodes of a question's subgraph are: its seeds, what was kept, its options' concepts.",
    columns(
        required("benchmark", TEXT),
        required("route", TEXT, "the way of scoring"),
        *texts("question_id", "kg"),
        required("node", pa.int32()),
        required("label", TEXT),
        required("rank", pa.int32(), "among the nodes of the subgraph, from 1; 0 for a node outside it"),
        required("score", pa.float64(), "higher is more relevant; comparable within one question only"),
        optional("lift", pa.float64(), "log of the score over the node's share without a question"),
        required("kept", pa.bool_()),
        required("is_seed", pa.bool_()),
        required("hops", pa.int8(), "from the nearest seed; -1 for a node outside the subgraph"),
        required("candidates", pa.list_(pa.int32()), "the options that name it"),
    ),
    key=("benchmark", "route", "question_id", "node"),
    partition_columns=("benchmark", "route"),
    references=(ANSWERS_A_QUESTION, Reference(("kg", "node"), "graph_nodes", ("kg", "node"))),
)

RELEVANCE_DIAGNOSTICS = Table(
    "relevance_diagnostics",
    "Whether a way of scoring nodes tells them apart at all, question by question.",
    columns(
        *texts("benchmark", "route", "question_id"),
        required("nodes", pa.int32(), "of the subgraph"),
        required("kept", pa.int32()),
        required("kept_share", pa.float64()),
        required("mean_score", pa.float64()),
        required("spread", pa.float64(), "standard deviation of the scores"),
        required("cosine_correlation", pa.float64(), "with the cosine of node and question"),
        optional(
            "seed_correlation",
            pa.float64(),
            "between trainings with two seeds, of every tenth question; else null",
        ),
        required("collapsed", pa.bool_(), "spread under .01, or more than 95 % kept"),
        optional("training", TEXT, "values that networks were trained with, as JSON; null where none were"),
    ),
    key=("benchmark", "route", "question_id"),
    partition_columns=("benchmark", "route"),
    references=(ANSWERS_A_QUESTION,),
)

REASONING_PATHS = Table(
    "reasoning_paths",
    "Paths of a graph from what a question is about to what an option names, read out.",
    columns(
        required("benchmark", TEXT),
        required("route", TEXT, "which nodes it starts from, and what it costs"),
        required("question_id", TEXT),
        CANDIDATE,
        required("rank", pa.int32(), "from 1"),
        required("path_id", TEXT, "hash of its triples, in their order and direction"),
        required("kg", TEXT),
        required("text", TEXT, "every triple by its relation's template, in the order of the path"),
        required("nodes", pa.list_(pa.int32()), "from the question's side to the option's"),
        required("triple_ids", pa.list_(TEXT), "in the order of the text"),
        required("backwards", pa.list_(pa.bool_()), "of each triple: walked from its tail to its head"),
        required("denies", pa.bool_(), "a triple says what is not so, or what speaks against a treatment"),
        required("conflicts", pa.int32(), "its triples that another triple of the graph contradicts"),
        required("length", pa.int32(), "steps"),
        optional(
            "attention",
            pa.list_(pa.float64()),
            "of each step: the probability with which the route's walk takes it; null where none walks",
        ),
        required("cost", pa.float64()),
        required("score", pa.float64(), "higher is better"),
        required("score_parts", SCORE_PARTS),
    ),
    key=("benchmark", "route", "question_id", "candidate", "rank"),
    partition_columns=("benchmark", "route"),
    references=(ANSWERS_A_QUESTION,),
)
