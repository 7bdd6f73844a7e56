"""Questions with their tokens linked to a graph, the facts retrieved for them, rows of `retrieved_facts`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evidence_assets.graphs.graph import Graph
from evidence_assets.graphs.passages import as_sentence
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.lake.ids import content_id
from evidence_assets.text.verbalisation import verbalise

TRIPLE, PATH = "triple", "path"


@dataclass(frozen=True, slots=True)
class Token:
    """A phrase of a text and the nodes that it names; one that names none takes the nearest."""

    text: str
    nodes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionLinks:
    """A question: its tokens, those of each option, and, of one without options, what it is about."""

    question_id: str
    question: str
    options: Sequence[str] = ()
    tokens: Sequence[Token] = ()
    option_tokens: Mapping[int, Sequence[Token]] | None = None
    about: LinkedQuestion | None = None

    def tokens_of(self, candidate: int) -> Sequence[Token]:
        """Return an option's tokens."""
        return (self.option_tokens or {}).get(candidate, ())


@dataclass(frozen=True, slots=True)
class Fact:
    """A triple or a path, read out, with what it would answer. `edges` in the order of the text."""

    kind: str
    edges: tuple[int, ...]
    text: str
    answers: tuple[int, ...]
    score: float
    parts: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class QuestionFacts:
    """A question's facts by candidate, best first.

    `components`: how many the question's own triples fall into; `bridged`: how many paths link them.
    """

    facts: Mapping[int, Sequence[Fact]]
    components: int
    bridged: int


def read_out(graph: Graph, edges: Sequence[int], templates: Mapping[str, str]) -> str:
    """Return triples read out: a sentence each, with the nodes' names."""
    triples = map(graph.triple, edges)
    return " ".join(as_sentence(verbalise(templates[name], head, tail)) for head, name, tail in triples)


def fact_rows(
    question: QuestionLinks,
    retrieved: QuestionFacts,
    graph: Graph,
    system: str,
    benchmark: str,
    retrieval: str,
) -> list[dict[str, Any]]:
    """Return a question's rows of `retrieved_facts`."""
    rows = []
    for candidate, facts in sorted(retrieved.facts.items()):
        for rank, fact in enumerate(facts, start=1):
            triple_ids = [str(graph.triple_ids[edge].as_py()) for edge in fact.edges]
            rows.append(
                {
                    "system": system,
                    "benchmark": benchmark,
                    "retrieval": retrieval,
                    "question_id": question.question_id,
                    "candidate": candidate,
                    "rank": rank,
                    "fact_id": triple_ids[0] if fact.kind == TRIPLE else content_id("path", *triple_ids),
                    "kind": fact.kind,
                    "kg": graph.name,
                    "text": fact.text,
                    "triple_ids": triple_ids,
                    "answers": list(fact.answers),
                    "score": fact.score,
                    "score_parts": [{"name": name, "value": value} for name, value in fact.parts.items()],
                }
            )
    return rows
