"""Questions over a graph small enough to know by heart, ranked, and what ranking them by hand gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import QUESTION_CONCEPTS, RANKED_TRIPLES
from evidence_assets.models.pair_scorer import EncoderSimilarity, PairScorer
from evidence_assets.retrieval.question_triples.question_linking import link_questions, link_rows
from evidence_assets.retrieval.question_triples.ranked_triples import rank_triples
from evidence_assets.text.queries import NO_OPTION
from evidence_assets.text.verbalisation import verbalise
from evidence_assets_tests.testing.graph_samples import (
    Row,
    SignEncoder,
    cosine,
    graph_of,
    linker_of,
    questions_of,
)

TEMPLATES = {"IsA": "{head} is a {tail}", "HasA": "{head} has {tail}", "PartOf": "{tail} holds {head}"}
UNLIMITED = 1 << 30

ROWS: list[Row] = [
    ("dog", "IsA", "pet", 1.0),
    ("cat", "IsA", "pet", 2.0),
    ("dog", "HasA", "fur", None),
    ("cat", "HasA", "fur", 4.0),
    ("pet", "HasA", "owner", 1.0),
    ("fur", "PartOf", "coat", 1.0),
    ("dog", "IsA", "dog", 0.5),
    ("tree", "HasA", "leaf", 9.0),
    ("dog", "HasA", "a coat", 1.0),
]


class RankedQuestions:
    """Questions linked to a graph and its triples ranked: every table checked against its declaration."""

    def __init__(
        self,
        rows: Sequence[Row],
        *questions: tuple[str, Sequence[str]],
        limit: int = UNLIMITED,
        scorer: PairScorer | None = None,
    ) -> None:
        self.rows, self.limit = rows, limit
        self.graph = graph_of(rows)
        self.encoder = SignEncoder()
        self.scorer = scorer or EncoderSimilarity(self.encoder)
        self.questions = questions_of(*questions)
        self.linked = link_questions(self.questions, linker_of(rows), self.encoder)
        self.concepts = conform(link_rows(self.linked, self.graph, "b", limit), QUESTION_CONCEPTS).to_pylist()
        self.ranked = self._ranked()

    def _ranked(self) -> list[dict[str, Any]]:
        tables = rank_triples(self.linked, self.graph, TEMPLATES, self.encoder, self.scorer, "b", self.limit)
        rows = [row for table in tables for row in conform(table, RANKED_TRIPLES).to_pylist()]
        ranks: dict[tuple[str, int], list[int]] = {}
        for row in rows:
            ranks.setdefault((row["question_id"], row["candidate"]), []).append(row["rank"])
            assert (row["benchmark"], row["scorer"]) == ("b", self.scorer.scorer_id)
            assert row["score"] == row["score_parts"][0]["value"]
        assert all(counted == list(range(1, len(counted) + 1)) for counted in ranks.values())
        return rows

    def labels(self, question: int, candidate: int) -> set[str]:
        names = self.graph.labels.to_pylist()
        return {names[node] for node in self.linked[question].nodes(candidate)}

    def sentence(self, edge: int) -> str:
        head, relation, tail, _ = self.rows[edge]
        return verbalise(TEMPLATES[relation], head, tail)

    def near(self, question: int, candidate: int) -> list[tuple[float, int, str]]:
        """(cosine, edge, touches) of the whole neighbourhood, the nearest first, row by row."""
        mentioned = self.labels(question, NO_OPTION)
        offered = set() if candidate == NO_OPTION else self.labels(question, candidate)
        nearby = []
        for edge, (head, _, tail, _) in enumerate(self.rows):
            sides = [not mentioned.isdisjoint({head, tail}), not offered.isdisjoint({head, tail})]
            if any(sides):
                touches = "both" if all(sides) else "question" if sides[0] else "option"
                query = self.linked[question].query(candidate)
                nearby.append((cosine(query, self.sentence(edge)), edge, touches))
        return sorted(nearby, key=lambda item: (-item[0], item[1]))

    def of(self, question: int, candidate: int) -> list[dict[str, Any]]:
        key = (f"q{question}", candidate)
        return [row for row in self.ranked if (row["question_id"], row["candidate"]) == key]

    def edges(self, question: int, candidate: int) -> list[int]:
        return [int(row["triple_id"].removeprefix("t")) for row in self.of(question, candidate)]

    def candidates(self) -> list[tuple[int, int]]:
        return [
            (number, candidate)
            for number, options in enumerate(self.questions.column("options").to_pylist())
            for candidate in range(-1, len(options))
        ]


def check_is_brute_force(ranking: RankedQuestions) -> None:
    """Every query has the best 20 of its neighbourhood by cosine, equal ones by their number."""
    for question, candidate in ranking.candidates():
        expected = ranking.near(question, candidate)[:20]
        rows = ranking.of(question, candidate)
        assert ranking.edges(question, candidate) == [edge for _, edge, _ in expected]
        assert [row["score"] for row in rows] == [score for score, _, _ in expected]
        assert [row["touches"] for row in rows] == [touches for _, _, touches in expected]
        assert [row["text"] for row in rows] == [ranking.sentence(edge) for _, edge, _ in expected]
        for row in rows:
            assert row["score_parts"] == [{"name": "encoder_similarity", "value": row["score"]}]


def many(count: int, head: str = "dog") -> list[Row]:
    return [(head, "HasA", f"thing {number}", 1.0) for number in range(count)]
