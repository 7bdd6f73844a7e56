"""Linking questions to ConceptNet100k and finding their triples: milliseconds a pair of question and option.

Needs the data sets. CommonsenseQA's development questions, vectors of phrases and sentences kept beforehand:
encoding is the encoder's speed, and is measured apart. Baselines in the same run: spelling by comparing with
every name (rapidfuzz over the whole list), neighbours by scanning the triples' columns. Bound: 5 ms a pair.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmarks.estimates import seconds
from benchmarks.real_texts import cached_encoder, real_data
from evidence_assets.graphs.concepts.nodes import alias_rows, node_rows
from evidence_assets.graphs.concepts.triples import TripleCollector
from evidence_assets.graphs.graph import Graph, build_graph
from evidence_assets.graphs.names.linking import Linker
from evidence_assets.models.pair_scorer import EncoderSimilarity
from evidence_assets.retrieval.question_triples.question_linking import LinkedQuestion, link_questions
from evidence_assets.retrieval.question_triples.ranked_triples import rank_triples
from evidence_assets.sources.graphs.registry import reader
from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.sources.questions.rows import question_rows
from evidence_assets.sources.specifications import BenchmarkSource
from evidence_assets.text.verbalisation import CONCEPTNET, templates

BOUND_MILLISECONDS = 5.0
TRIPLES_PER_CONCEPT = 300
BASELINE_PHRASES = 200
BASELINE_PAIRS = 200


def conceptnet() -> tuple[pa.Table, Graph, Linker, pa.Table]:
    """Return ConceptNet100k's triples, the graph, its linker and its aliases."""
    collector = TripleCollector("conceptnet100k", templates(CONCEPTNET))
    uri = str(real_data() / "kg" / "conceptnet100k" / "train_old.txt")
    collector.add(reader("relation_head_tail")(uri, {}), "train", "CC BY-SA 4.0")
    triples = pa.concat_tables([rows for _, rows in collector.tables()])
    nodes = node_rows("conceptnet100k", triples)
    aliases = alias_rows(nodes)
    linker = Linker(aliases, nodes.column("degree").to_numpy())
    return triples, build_graph("conceptnet100k", triples, nodes), linker, aliases


def commonsense_questions() -> pa.Table:
    """Return CommonsenseQA's development questions."""
    uri = str(real_data() / "mcqa" / "commonsenseqa_dev.jsonl")
    source = BenchmarkSource(reader="commonsenseqa", uri=uri, split="dev", corpus="none")
    return question_rows(BENCHMARKS["commonsenseqa"].reader(uri, "dev"), "commonsenseqa", source)[0]


def run() -> dict[str, Any]:
    """Return milliseconds a pair of linking and of finding triples, and ratios to the baselines."""
    encoder = cached_encoder()
    scorer = EncoderSimilarity(encoder)
    triples, graph, linker, aliases = conceptnet()
    questions = commonsense_questions()
    pairs = sum(len(options) for options in questions.column("options").to_pylist())

    def linked() -> list[LinkedQuestion]:
        return link_questions(questions, linker, encoder)

    def ranked(batch: list[LinkedQuestion]) -> int:
        blocks = rank_triples(
            batch, graph, templates(CONCEPTNET), encoder, scorer, "commonsenseqa", TRIPLES_PER_CONCEPT
        )
        return sum(block.num_rows for block in blocks)

    encoding = seconds(lambda: ranked(linked()))
    linker = Linker(aliases, np.asarray([graph.degree(node) for node in range(len(graph.labels))], np.int32))
    linking = seconds(linked)
    linked_questions = linked()
    retrieving = seconds(lambda: ranked(linked_questions))
    milliseconds = 1000 * (linking + retrieving) / pairs
    return {
        "questions": questions.num_rows,
        "pairs": pairs,
        "graph_triples": triples.num_rows,
        "first_run_with_encoding_seconds": round(encoding, 1),
        "linking_milliseconds_a_pair": round(1000 * linking / pairs, 3),
        "triples_milliseconds_a_pair": round(1000 * retrieving / pairs, 3),
        "milliseconds_a_pair": round(milliseconds, 3),
        "spelling_ratio": round(_spelling_ratio(linker, aliases), 1),
        "neighbours_ratio": round(_neighbours_ratio(linked_questions, graph, triples), 1),
        "bound": f"{BOUND_MILLISECONDS} ms a pair",
        "within_bound": milliseconds < BOUND_MILLISECONDS,
    }


def _spelling_ratio(linker: Linker, aliases: pa.Table) -> float:
    """Return how much faster misspelt labels are found than by comparing with every name."""
    from rapidfuzz import fuzz, process

    names = pc.unique(aliases.filter(pc.equal(aliases.column("kind"), "label")).column("alias")).to_pylist()
    generator = np.random.default_rng(20_261_120)
    long = [name for name in names if len(name) >= 10]
    wrong = [name[:4] + name[5:] for name in generator.choice(long, BASELINE_PHRASES)]
    linker.by_spelling("xylophonist")  # builds the index
    ours = seconds(lambda: [linker.by_spelling(phrase) for phrase in wrong])
    theirs = seconds(
        lambda: [process.extractOne(phrase, names, scorer=fuzz.ratio, score_cutoff=90) for phrase in wrong]
    )
    return theirs / ours


def _neighbours_ratio(linked: list[LinkedQuestion], graph: Graph, triples: pa.Table) -> float:
    """Return how much faster the edges of a pair's concepts are found than by scanning head and tail."""
    nodes = [question.nodes(-1) for question in linked[:BASELINE_PAIRS] if question.nodes(-1)]
    labels = [
        pa.array([graph.labels[node].as_py() for node in concept_nodes], pa.string())
        for concept_nodes in nodes
    ]
    ours = seconds(
        lambda: [np.concatenate([graph.edges_of(node) for node in concept_nodes]) for concept_nodes in nodes]
    )
    theirs = seconds(
        lambda: [
            triples.filter(
                pc.or_(
                    pc.is_in(triples.column("head"), value_set=concept_labels),
                    pc.is_in(triples.column("tail"), value_set=concept_labels),
                )
            )
            for concept_labels in labels
        ]
    )
    return theirs / ours
