"""The facts that each question is given: the graph's and a model's own, compared with it in one space."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from evidence_assets.kgqa.answers.fact_cases import CONTRADICTED, GENERATED
from evidence_assets.kgqa.answers.walk_retrieval import (
    DECIMALS,
    THING,
    EntityQuestion,
    Fact,
    WalkRetriever,
    masked,
)
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.lake.ids import content_id
from evidence_assets.lake.schemas import RETRIEVED_FACTS
from evidence_assets.progress import Progress, blocks
from evidence_assets.systems.kaping.adaptive import Nearness, Rule, learnt_rule
from evidence_assets.systems.kaping.arms import SYSTEM, TOP, Retrieval
from evidence_assets.text.normal_forms import normal_form
from evidence_assets.text.queries import NO_OPTION

TRIPLE, PATH = "triple", "path"
SIMILARITY, HOPS = "similarity", "hops"
_QUESTIONS_AT_ONCE = 256
NodesOf = Callable[[str], Sequence[int]]


@dataclass(frozen=True, slots=True)
class Retrieved:
    """One fact as it is ranked: `triple_ids` are the graph's, none for a model's; `answers` are nodes.

    `contradicted`: the graph contradicts it.
    """

    fact_id: str
    kind: str
    text: str
    triple_ids: tuple[str, ...]
    answers: tuple[int, ...]
    score: float
    hops: int = 0
    contradicted: bool = False

    @property
    def parts(self) -> list[dict[str, Any]]:
        """The score, and the other measures of the fact."""
        measures = {SIMILARITY: self.score, HOPS: float(self.hops), CONTRADICTED: float(self.contradicted)}
        return [
            {"name": name, "value": value} for name, value in measures.items() if value or name == SIMILARITY
        ]


def entity_questions(questions: Sequence[LinkedQuestion]) -> list[EntityQuestion]:
    """Return every question with the nodes of its topics, each with the name that it bears there."""
    return [
        EntityQuestion(
            question.question_id,
            question.question,
            tuple(dict.fromkeys((topic.phrase, node) for topic in question.topics for node in topic.nodes)),
        )
        for question in questions
    ]


def topic_names(questions: Sequence[LinkedQuestion]) -> list[list[str]]:
    """Return the names of each question's topics, in the graph or not."""
    return [list(dict.fromkeys(topic.phrase for topic in question.topics)) for question in questions]


class Retriever:
    """Finds and fuses facts.

    `nodes_of`: nodes by name: several, one or none. `stated`: rows of `generated_triples`, by question.
    """

    def __init__(
        self, finder: WalkRetriever, nodes_of: NodesOf, generated: Mapping[str, Sequence[Mapping[str, Any]]]
    ) -> None:
        self._finder, self._nodes_of, self._generated = finder, nodes_of, generated
        ids = finder.graph.triple_ids
        contradicted = {
            triple_id for rows in generated.values() for row in rows for triple_id in row["contradicts"]
        }
        self._edges = (
            {triple_id: edge for edge, triple_id in enumerate(ids.to_pylist()) if triple_id in contradicted}
            if contradicted
            else {}
        )

    def retrieve(
        self, inquiry: EntityQuestion, retrieval: Retrieval, rule: Rule | None = None
    ) -> list[Retrieved]:
        """Return the `TOP` facts nearest to a question, best first.

        `rule`: for an adaptive retrieval. A triple of the graph stands before a generated one of equal score.
        Where a generated triple contradicts the graph, the graph's own triples stand right before it: both
        are shown, and the graph's is the one to believe.
        """
        hops, background = retrieval.hops, bool(retrieval.background)
        if retrieval.adaptive:
            if rule is None:
                raise ValueError(f"{retrieval.name}: an adaptive retrieval needs a rule")
            nearness = self.nearness(inquiry)
            hops, background = rule.hops(nearness), background and rule.needs_background(nearness)
        facts = self._external(inquiry, hops, retrieval)
        if background:
            facts = _fused(facts, *self._background(inquiry, retrieval.named))
        return facts[:TOP]

    def nearness(self, inquiry: EntityQuestion) -> Nearness:
        """Return how near the nearest walk of one and of two triples is."""
        best = {1: -1.0, 2: -1.0}
        for scored_kind in self._finder.find(inquiry, 2, 0).kinds:
            best[len(scored_kind.kind)] = max(best[len(scored_kind.kind)], scored_kind.score)
        return Nearness(best[1], best[2])

    def _external(self, inquiry: EntityQuestion, hops: int, retrieval: Retrieval) -> list[Retrieved]:
        if not hops or not inquiry.topics:
            return []
        if retrieval.named:
            return [self._of_graph(fact) for fact in self._finder.printed_triples(inquiry, TOP).facts]
        find = self._finder.triples if retrieval.singly else self._finder.find
        return [self._of_graph(fact) for fact in find(inquiry, hops, TOP).facts]

    def _of_graph(self, fact: Fact) -> Retrieved:
        ids = tuple(str(self._finder.graph.triple_ids[edge].as_py()) for edge in fact.edges)
        fact_id = ids[0] if len(ids) == 1 else content_id("path", *ids)
        kind = TRIPLE if len(ids) == 1 else PATH
        return Retrieved(fact_id, kind, fact.text, ids, (fact.answer,), fact.score, len(ids))

    def _background(
        self, inquiry: EntityQuestion, named: bool
    ) -> tuple[list[Retrieved], dict[str, list[Retrieved]]]:
        """Return a model's triples, scored, and the graph's that contradict each, by its id."""
        rows = self._generated.get(inquiry.question_id, ())
        if not rows:
            return [], {}
        names = {normal_form(name) for name, _ in inquiry.topics}
        if named:
            query = inquiry.question
            texts = [f"({row['head']}, {row['relation']}, {row['tail']})" for row in rows]
        else:
            query = masked(inquiry, THING)
            texts = [masked(replace(inquiry, question=row["text"]), THING) for row in rows]
        vectors = self._finder.vectors([query, *texts])
        generated, contradicting = [], {}
        for row, cosine in zip(rows, vectors[1:] @ vectors[0], strict=True):
            score = round(float(cosine), DECIMALS)
            far_end = row["head"] if normal_form(row["tail"]) in names else row["tail"]
            key = row["generated_triple_id"]
            conflicts = bool(row["contradicts"])
            generated.append(
                Retrieved(
                    key, GENERATED, row["text"], (), tuple(self._nodes_of(far_end)), score, 0, conflicts
                )
            )
            contradicting[key] = [
                self._graph_says(self._edges[triple_id], score) for triple_id in row["contradicts"]
            ]
        return generated, contradicting

    def _graph_says(self, edge: int, score: float) -> Retrieved:
        graph = self._finder.graph
        kind = ((int(graph.relations[edge]), False),)
        ends = [int(graph.heads[edge]), int(graph.tails[edge])]
        text = self._finder.walk_text(kind, ends)
        return self._of_graph(Fact(ends[0], (edge,), kind, ends[1], text, score))


def _fused(
    facts: Sequence[Retrieved],
    generated: Sequence[Retrieved],
    contradicting: Mapping[str, Sequence[Retrieved]],
) -> list[Retrieved]:
    """Return both sides' facts by score, each once, with what contradicts a generated triple beside it."""
    graph = {fact.fact_id: fact for fact in facts}
    for fact in generated:
        for graph_fact in contradicting.get(fact.fact_id, ()):
            present = graph.get(graph_fact.fact_id)
            if present is None or present.score < graph_fact.score:
                graph[graph_fact.fact_id] = graph_fact
    return sorted([*graph.values(), *generated], key=lambda fact: (-fact.score, fact.kind == GENERATED))


def fact_tables(
    inquiries: Sequence[EntityQuestion],
    finder: WalkRetriever,
    retriever: Retriever,
    retrieval: Retrieval,
    benchmark: str,
    progress: Progress | None = None,
) -> Iterator[pa.Table]:
    """Yield `retrieved_facts` rows, block by block of questions."""
    rule = rule_of(inquiries, finder, retriever) if retrieval.adaptive else None
    for block in blocks(inquiries, _QUESTIONS_AT_ONCE, progress):
        finder.prepare(block, retrieval.singly, retrieval.named)
        rows = [
            row
            for inquiry in block
            for row in _rows(
                inquiry, retriever.retrieve(inquiry, retrieval, rule), retrieval, finder.graph.name, benchmark
            )
        ]
        yield pa.Table.from_pylist(rows, schema=RETRIEVED_FACTS.schema)


def rule_of(inquiries: Sequence[EntityQuestion], finder: WalkRetriever, retriever: Retriever) -> Rule:
    """Return the adaptive rule learnt from these questions."""
    finder.prepare(inquiries)
    return learnt_rule([retriever.nearness(inquiry) for inquiry in inquiries])


def _rows(
    inquiry: EntityQuestion, facts: Sequence[Retrieved], retrieval: Retrieval, kg: str, benchmark: str
) -> Iterator[dict[str, Any]]:
    for rank, fact in enumerate(facts, start=1):
        yield {
            "system": SYSTEM,
            "benchmark": benchmark,
            "retrieval": retrieval.name,
            "question_id": inquiry.question_id,
            "candidate": NO_OPTION,
            "rank": rank,
            "fact_id": fact.fact_id,
            "kind": fact.kind,
            "kg": kg,
            "text": fact.text,
            "triple_ids": list(fact.triple_ids),
            "answers": list(fact.answers),
            "score": fact.score,
            "score_parts": fact.parts,
        }
