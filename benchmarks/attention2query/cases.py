"""Questions linked to a graph opened in memory, and what finds their facts there in each of the ways."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from benchmarks.medicine.medical_cases import Opened
from benchmarks.real_texts import CACHE, SOURCES
from evidence_assets.config.configuration import load
from evidence_assets.evidence.estimates import Estimate
from evidence_assets.graphs.embeddings import BlendedSpace, GraphEmbeddings, blend, spectral
from evidence_assets.graphs.walking.paths import PathFinder, step_costs
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.models.pair_scorer import EncoderSimilarity
from evidence_assets.retrieval.question_triples.question_linking import link_questions, link_rows
from evidence_assets.systems.attention2query.arms import Retrieval
from evidence_assets.systems.attention2query.as_printed.training import Pair, opened, trained
from evidence_assets.systems.attention2query.attention_retrieval import LINKING_STEPS, AttentionRetriever
from evidence_assets.systems.attention2query.facts import QuestionLinks
from evidence_assets.systems.attention2query.linked_questions import question_links
from evidence_assets.systems.attention2query.relevance import Rater, Vanilla
from evidence_assets.systems.attention2query.whole_paths import WholePaths
from evidence_assets.text.verbalisation import templates


@dataclass(frozen=True)
class Case:
    """A question with options and the place of the right one."""

    question_id: str
    question: str
    options: Sequence[str]
    key: int


def commonsense(data: Path) -> list[Case]:
    """Return CommonsenseQA's development questions."""
    lines = (data / "mcqa" / "commonsenseqa_dev.jsonl").read_text(encoding="utf-8").splitlines()
    cases = []
    for row in map(json.loads, lines):
        choices = row["question"]["choices"]
        key = [choice["label"] for choice in choices].index(row["answerKey"])
        cases.append(Case(row["id"], row["question"]["stem"], [choice["text"] for choice in choices], key))
    return cases


class AskedGraph:
    """A graph with its vectors, to which questions are linked and in which their facts are found."""

    def __init__(self, name: str, encoder: CachedEncoder) -> None:
        """Open a graph of the configuration by its name."""
        self.opened, self.encoder = Opened(name, encoder), encoder
        started = time.perf_counter()
        self.vectors: GraphEmbeddings = spectral(self.opened.embedded.adjacency)
        self.embedding_seconds = round(time.perf_counter() - started, 1)
        self.templates = templates(load(SOURCES).graphs[name].templates)
        self._spaces: dict[float, BlendedSpace] = {}

    def link(self, cases: Sequence[Case], every_word: bool = False) -> list[QuestionLinks]:
        """Return questions with options, linked."""
        options = [list(case.options) for case in cases]
        return self._linked(
            [case.question_id for case in cases], [case.question for case in cases], options, [], every_word
        )

    def link_open(self, about: Sequence[LinkedQuestion]) -> list[QuestionLinks]:
        """Return questions without options, linked; of each it is known what it is about."""
        ids, texts = [question.question_id for question in about], [question.question for question in about]
        return self._linked(ids, texts, [[] for _ in about], about, False)

    def _linked(
        self,
        ids: Sequence[str],
        texts: Sequence[str],
        options: Sequence[list[str]],
        about: Sequence[LinkedQuestion],
        every_word: bool,
    ) -> list[QuestionLinks]:
        rows = pa.table(
            {
                "question_id": pa.array(ids, pa.string()),
                "question": pa.array(texts, pa.string()),
                "options": pa.array(options, pa.list_(pa.string())),
            }
        )
        linked = link_questions(rows, self.opened.linker, self.encoder)
        concepts = link_rows(linked, self.opened.embedded.graph, "b", 300)
        return question_links(rows, concepts, about, every_word)

    def space(self, share: float) -> BlendedSpace:
        """Return the nodes' vectors of text and graph together, the graph's counting for `share` of 1."""
        if share not in self._spaces:
            self._spaces[share] = blend(self.opened.embedded.vectors, self.vectors, share)
        return self._spaces[share]

    def finder(
        self, way: Retrieval, whole_paths: WholePaths | None = None, rater: Rater | None = None
    ) -> AttentionRetriever:
        """Return what finds facts in one way.

        `whole_paths` answers questions without options. `rater` rates triples; None: the pretrained model.
        """
        graph = self.opened.embedded
        costs = step_costs(graph.adjacency, way.bridge) if way.bridge else None
        return AttentionRetriever(
            graph,
            self.space(way.graph_share),
            self.templates,
            self.encoder.encode,
            rater or Vanilla(EncoderSimilarity(self.encoder)),
            PathFinder(graph.adjacency, costs, LINKING_STEPS) if costs is not None else None,
            way,
            whole_paths,
        )


def tuned_classifier(pairs: Sequence[Pair], encoder: CachedEncoder) -> tuple[Rater, dict[str, Any]]:
    """Return a classifier trained on pairs of questions and facts, and what became of the training."""
    name, report = trained(pairs, encoder.encode, encoder.encoder_id, CACHE)
    return opened(name, CACHE, encoder.encode), asdict(report)


def bounded_value(name: str, estimate: Estimate) -> dict[str, float]:
    """Return a value under a name, and its bounds under that name with `_low` and `_high`."""
    return {
        name: round(estimate.value, 4),
        f"{name}_low": round(estimate.low, 4),
        f"{name}_high": round(estimate.high, 4),
    }
