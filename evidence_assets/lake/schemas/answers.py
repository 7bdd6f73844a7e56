"""Tables of what is asked of a graph, and of the answers: documents, queries, facts, rankings."""

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
from evidence_assets.lake.schemas.experiments import BINDING

NODE_DOCUMENTS = Table(
    "node_documents",
    "A document for every node of a graph: what its sources say of it, and its triples read out.",
    columns(
        required("document_id", TEXT, "hash of graph and label"),
        required("kg", TEXT),
        required("node", pa.int32()),
        *texts("label", "text"),
        required("triples", pa.int32(), "triples that the text reads out"),
        required("dropped", pa.int32(), "triples of the node that it leaves out: the lightest"),
        optional("triples_start", pa.int32(), "where in the text its triples begin, in characters"),
    ),
    key=("document_id",),
    partition_columns=("kg",),
    references=(Reference(("kg", "node"), "graph_nodes", ("kg", "node")),),
)

DOCUMENT_POOLS = Table(
    "document_pools",
    "The documents of a graph's nodes that are nearest to each open question, by vectors and by BM25.",
    columns(
        required("benchmark", TEXT),
        required("retriever", TEXT, "dense or bm25"),
        required("question_id", TEXT),
        required("rank", pa.int32(), "from 1"),
        *texts("document_id", "kg"),
        required("node", pa.int32()),
        required("score", pa.float64(), "higher is better"),
    ),
    key=("benchmark", "retriever", "question_id", "rank"),
    partition_columns=("benchmark",),
    references=(ANSWERS_A_QUESTION, Reference(("document_id",), "node_documents", ("document_id",))),
)

QUESTION_QUERIES = Table(
    "question_queries",
    "What each question asks of a graph: conditions on a variable, the likeliest reading first.",
    columns(
        required("benchmark", TEXT),
        required("parser", TEXT, "who read the question: the extractive parser, or a language model"),
        required("question_id", TEXT),
        required("rank", pa.int32(), "from 1"),
        required("kg", TEXT),
        required(
            "triplets",
            structs(
                required("head", TEXT, "a name of the question, or a variable: ?answer, ?a"),
                required("head_nodes", pa.list_(pa.int32()), "what a name stands for"),
                required("head_type", TEXT, "of a variable; empty: any"),
                required("relation", TEXT, "empty: any"),
                required("tail", TEXT),
                required("tail_nodes", pa.list_(pa.int32())),
                required("tail_type", TEXT),
            ),
        ),
        required("target", TEXT, "the variable that is asked for"),
        required("answer_type", TEXT, "empty where it is not known"),
        required("status", TEXT, "parsed, absent (the graph has no such path here), or what went wrong"),
        required("answers", pa.int32(), "nodes that meet every condition"),
        required("score", pa.float64(), "higher is likelier; comparable within one question only"),
        required("score_parts", SCORE_PARTS),
        required("detail", TEXT, "conditions that were dropped, and why; empty where none was"),
        optional("operation", TEXT, "counts, comparisons and the like as JSON; null: the triplets are all"),
        optional("confidence", pa.float64(), "how often such readings are right; null where not measured"),
        optional("bindings", pa.list_(BINDING), "each span of the question, as `predictions` has it"),
        optional("request_hash", TEXT, "the row of generations that it was taken from"),
    ),
    key=("benchmark", "parser", "question_id", "rank"),
    partition_columns=("benchmark", "parser"),
    references=(ANSWERS_A_QUESTION,),
)

GENERATED_TRIPLES = Table(
    "generated_triples",
    "Triples that a model states of its own for a question. No graph holds them.",
    columns(
        required("generated_triple_id", TEXT, "hash of benchmark, background, question and triple"),
        required("benchmark", TEXT),
        required("background", TEXT, "who stated it: a generator, or a masked language model"),
        required("question_id", TEXT),
        required("rank", pa.int32(), "from 1"),
        *texts("head", "relation", "tail"),
        required("text", TEXT, "the triple read out"),
        required("score", pa.float64(), "the model's likelihood; 0 where it does not tell"),
        required(
            "contradicts",
            pa.list_(TEXT),
            "ids of the graph's triples that say otherwise of a relation with one value",
        ),
        optional("request_hash", TEXT, "the row of generations that it was taken from"),
        required("model", TEXT),
    ),
    key=("generated_triple_id",),
    partition_columns=("benchmark", "background"),
    references=(ANSWERS_A_QUESTION,),
)

RETRIEVED_FACTS = Table(
    "retrieved_facts",
    "The facts of a graph, and of a model, that are nearest to a question: single triples and paths.",
    columns(
        *texts("system", "benchmark"),
        required("retrieval", TEXT, "the way they were found"),
        required("question_id", TEXT),
        CANDIDATE,
        required("rank", pa.int32(), "from 1"),
        required("fact_id", TEXT, "triple_id, path_id or generated_triple_id"),
        required("kind", TEXT, "triple, path or generated_triple"),
        required("kg", TEXT),
        required("text", TEXT, "read out"),
        required("triple_ids", pa.list_(TEXT), "of the graph, in the order of the text; none: a model's"),
        required("answers", pa.list_(pa.int32()), "the nodes that it would answer with"),
        required("score", pa.float64(), "higher is better"),
        required("score_parts", SCORE_PARTS),
    ),
    key=("system", "benchmark", "retrieval", "question_id", "candidate", "rank"),
    partition_columns=("system", "benchmark", "retrieval"),
    references=(ANSWERS_A_QUESTION,),
)

RANKED_ANSWERS = Table(
    "ranked_answers",
    "The answers that an experiment ranks for a question that offers none, best first.",
    columns(
        *texts("system", "arm", "benchmark", "question_id"),
        required("rank", pa.int32(), "from 1; equal scores are in the order of the answers"),
        required("answer", TEXT),
        optional("kg", TEXT),
        optional("node", pa.int32()),
        optional("node_keys", pa.list_(TEXT), "the node's identifiers in its sources; null: they give none"),
        required("score", pa.float64(), "higher is better; equal ones are a tie"),
        required("supported", pa.bool_(), "the graph backs it; else it is near in meaning alone"),
        required("returned", pa.bool_(), "in the set that answers the question"),
        required("evidence", pa.list_(TEXT), "evidence ids of what backs it"),
    ),
    key=("system", "arm", "benchmark", "question_id", "rank"),
    partition_columns=("system", "arm", "benchmark"),
    references=(ANSWERS_A_QUESTION,),
)
