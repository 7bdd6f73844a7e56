"""Two-step retrieval: what the first passages name leads to the second (multi-hop questions).

First every candidate is scored: how well it covers the question word by word, how many of the question's
words it and its title share (BM25), and whether the question names its title. Then the best few lead on.
Passages of articles that one of them names, and passages that name the article of one of them, are lifted,
the more the better the one that leads to them stands; but never above it, so that the first passage stays
what it was. The row says which one led: `led_by` is its rank.

Candidates are the first stage's pools, by vectors and by BM25, and the first chunks of the articles that are
named. Every one of them is evaluated exactly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evidence_assets.lake.schemas import RANKED_CHUNKS, RANKING_CERTIFICATES
from evidence_assets.models.encoder import Encoder
from evidence_assets.progress import Progress, blocks
from evidence_assets.retrieval.rankings import depth_of
from evidence_assets.retrieval.titles import Titles, shared_words
from evidence_assets.retrieval.transport.cascade import PROVED, UNANSWERED
from evidence_assets.retrieval.transport.closed_forms import exact_costs
from evidence_assets.retrieval.transport.ground_costs import COSINE_SCALE, Cosine
from evidence_assets.retrieval.transport.methods import Method
from evidence_assets.retrieval.transport.objectives import ClosedForm, Side, prepare_side
from evidence_assets.retrieval.transport.ranking import RankedPools
from evidence_assets.retrieval.transport.token_sets import InvalidTokenSetError, TokenSet, check_token_set
from evidence_assets.text.queries import Query
from evidence_assets.text.term_statistics import TermStatistics
from evidence_assets.text.words import words

# Chosen on the first half of HotpotQA's questions, beside every other of XQuAD's first thousand: what the
# question's words weigh beside coverage (whose scale is that of 1 - cos), and a title that it names.
_SHARED_WORDS, _TITLE = 0.5, 0.2
# Passages that lead on, and by how much the first of them lifts: what it names, and what names it.
_LEADING, _NAMED, _NAMING = 5, 0.5, 0.3
# A passage that is led to stands below the one that leads by at least so much.
_BELOW = 1e-4
_DECIMALS = 6
_QUERIES_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk of an article, under the article's title."""

    chunk_id: str
    article_id: str
    title: str
    text: str


@dataclass(slots=True)
class _Scored:
    """A candidate's score and its parts; `led_by` is the passage that lifted it."""

    parts: dict[str, float]
    led_by: str = ""
    lift: float = 0.0

    @property
    def first(self) -> float:
        """The score before anything was lifted."""
        return round(sum(self.parts.values()), _DECIMALS)

    @property
    def score(self) -> float:
        """The score."""
        return round(self.first + self.lift, _DECIMALS)


@dataclass(slots=True)
class _Answer:
    """One query's ranking: candidates by chunk id, those that could not be compared, why none could."""

    scored: dict[str, _Scored] = field(default_factory=dict)
    refused: int = 0
    refusal: str = ""


class TwoStep:
    """Ranks queries over passages that are at hand.

    Args:
        passages: Every passage that may be a candidate, by chunk id.
        articles: Passages by article id, for every article that may be led to; None: one step, nothing leads
            on.
        titles: The corpus's articles by their names.
        method: A method of `transport.methods`: a closed form of the cosine cost.

    Raises:
        ValueError: the method is another.
    """

    def __init__(
        self,
        passages: Mapping[str, Passage],
        articles: Mapping[str, Sequence[str]] | None,
        titles: Titles,
        encoder: Encoder,
        statistics: TermStatistics,
        method: Method,
    ) -> None:
        if not isinstance(method.objective, ClosedForm) or method.ground != Cosine():
            raise ValueError("two-step retrieval compares words by a closed form of the cosine cost")
        self._passages, self._articles, self._titles = passages, articles, titles
        self._encoder, self._statistics, self._method = encoder, statistics, method
        self._form = method.objective
        self._weights: dict[str, NDArray[np.float64] | None] = {}
        self._counts: dict[str, tuple[Counter[str], float]] = {}
        self._named: dict[str, list[tuple[str, ...]]] = {}

    def rank(
        self,
        queries: Sequence[tuple[Query, Sequence[str]]],
        benchmark: str,
        retrieval: str,
        progress: Progress | None = None,
    ) -> RankedPools:
        """Return the rows of some queries, each with the chunk ids of its pools."""
        ranked: list[dict[str, object]] = []
        certificates: list[dict[str, object]] = []
        for block in blocks(list(queries), _QUERIES_AT_ONCE, progress):
            encoded = self._encoder.encode_words([query.text for query, _ in block])
            for (query, pool), text in zip(block, encoded, strict=True):
                key: dict[str, object] = {
                    "benchmark": benchmark,
                    "retrieval": retrieval,
                    "question_id": query.question_id,
                    "candidate": query.candidate,
                }
                name = f"query {query.question_id}/{query.candidate}"
                try:
                    side = prepare_side(
                        self._method.token_set(text, self._statistics), self._method.ground, name
                    )
                except InvalidTokenSetError as error:
                    certificates.append(key | _certificate(_Answer(refusal=str(error)), len(pool), None))
                    continue
                answer = self._answer(query, side, pool)
                rows = _rows(answer, depth_of(query.candidate))
                ranked += [key | row for row in rows]
                threshold = rows[-1]["score"] if rows else None
                certificates.append(key | _certificate(answer, len(answer.scored), threshold))
        return RankedPools(
            pa.Table.from_pylist(ranked, schema=RANKED_CHUNKS.schema),
            pa.Table.from_pylist(certificates, schema=RANKING_CERTIFICATES.schema),
        )

    def _answer(self, query: Query, side: Side, pool: Sequence[str]) -> _Answer:
        answer = _Answer()
        query_words = words(query.text)
        weighted = list(zip(query_words, self._statistics.idf(query_words).tolist(), strict=True))
        names = self._titles.named_in(query.text)
        named = {article for name in names for article in self._titles.articles(name)}

        def add(chunk_ids: Iterable[str]) -> None:
            fresh = [chunk_id for chunk_id in dict.fromkeys(chunk_ids) if chunk_id not in answer.scored]
            chunks = {chunk_id: chunk for chunk_id, chunk in self._token_sets(fresh) if chunk is not None}
            answer.refused += len(fresh) - len(chunks)
            costs = exact_costs(self._form, side, list(chunks.values())) / COSINE_SCALE
            for chunk_id, cost in zip(chunks, costs.tolist(), strict=True):
                is_named = self._passages[chunk_id].article_id in named
                answer.scored[chunk_id] = _Scored(
                    {
                        "coverage": -cost,
                        "shared_words": _SHARED_WORDS * self._shared(weighted, chunk_id),
                        "title_in_question": _TITLE * is_named,
                    }
                )

        add(pool)
        if self._articles is not None:
            add(chunk_id for article in sorted(named) for chunk_id in self._articles.get(article, ()))
            self._lead(answer, self._articles, add)
        return answer

    def _lead(
        self, answer: _Answer, articles: Mapping[str, Sequence[str]], add: Callable[[Iterable[str]], None]
    ) -> None:
        """Lift what the best passages name, and what names them."""
        leading = _order(answer.scored, lambda scored: scored.first)[:_LEADING]
        strength = {chunk_id: 1.0 - place / _LEADING for place, chunk_id in enumerate(leading)}
        named = {
            chunk_id: [
                named_id
                for name in self._names_in(chunk_id)
                for article in self._titles.articles(name)
                for named_id in articles.get(article, ())
            ]
            for chunk_id in leading
        }
        add(named_id for named_ids in named.values() for named_id in named_ids)
        for chunk_id, named_ids in named.items():
            for named_id in named_ids:
                _lift(answer.scored, named_id, chunk_id, _NAMED * strength[chunk_id])
        names: dict[tuple[str, ...], str] = {}
        for chunk_id in leading:
            names.setdefault(self._titles.of(self._passages[chunk_id].article_id), chunk_id)
        for chunk_id in list(answer.scored):
            for name in self._names_in(chunk_id):
                if name in names:
                    _lift(answer.scored, chunk_id, names[name], _NAMING * strength[names[name]])

    def _token_sets(self, chunk_ids: Sequence[str]) -> Iterator[tuple[str, TokenSet | None]]:
        """Yield passages as weighted words, None for one that cannot be compared. Their weights are kept."""
        encoded = self._encoder.encode_words([self._passages[chunk_id].text for chunk_id in chunk_ids])
        for chunk_id, text in zip(chunk_ids, encoded, strict=True):
            if chunk_id not in self._weights:
                tokens = self._method.token_set(text, self._statistics)
                try:
                    check_token_set(tokens, f"chunk {chunk_id}")
                    self._method.ground.check(tokens.vectors, f"chunk {chunk_id}")
                    self._weights[chunk_id] = tokens.weights
                except InvalidTokenSetError:
                    self._weights[chunk_id] = None
            weights = self._weights[chunk_id]
            yield chunk_id, None if weights is None else TokenSet(text.vectors, weights, text.sentence)

    def _names_in(self, chunk_id: str) -> list[tuple[str, ...]]:
        """Return the names of other articles that a passage's text holds."""
        if chunk_id not in self._named:
            passage = self._passages[chunk_id]
            title = self._titles.of(passage.article_id)
            self._named[chunk_id] = [name for name in self._titles.named_in(passage.text) if name != title]
        return self._named[chunk_id]

    def _shared(self, weighted: Sequence[tuple[str, float]], chunk_id: str) -> float:
        if chunk_id not in self._counts:
            passage = self._passages[chunk_id]
            passage_words = [*words(passage.title), *words(passage.text)]
            self._counts[chunk_id] = (
                Counter(passage_words),
                self._statistics.length_norm(float(len(passage_words))),
            )
        return shared_words(weighted, *self._counts[chunk_id])


def _lift(scored: Mapping[str, _Scored], lifted: str, leading: str, by: float) -> None:
    """Lift a passage by what leads to it, to just below that."""
    if lifted not in scored or lifted == leading:
        return
    lift = min(by, scored[leading].first - _BELOW - scored[lifted].first)
    if lift > scored[lifted].lift:
        scored[lifted].led_by, scored[lifted].lift = leading, lift


def _order(scored: Mapping[str, _Scored], score: Callable[[_Scored], float]) -> list[str]:
    return sorted(scored, key=lambda chunk_id: (-score(scored[chunk_id]), chunk_id))


def _rows(answer: _Answer, depth: int) -> list[dict[str, object]]:
    order = _order(answer.scored, lambda scored: scored.score)
    rank = {chunk_id: place for place, chunk_id in enumerate(order, start=1)}
    rows: list[dict[str, object]] = []
    for chunk_id in order[:depth]:
        scored = answer.scored[chunk_id]
        parts = {name: round(value, _DECIMALS) for name, value in scored.parts.items()}
        if scored.led_by:
            parts |= {"lift": round(scored.lift, _DECIMALS), "led_by": float(rank[scored.led_by])}
        rows.append(
            {
                "rank": rank[chunk_id],
                "chunk_id": chunk_id,
                "score": scored.score,
                "score_parts": [{"name": name, "value": value} for name, value in parts.items()],
            }
        )
    return rows


def _certificate(answer: _Answer, solved: int, threshold: object) -> dict[str, object]:
    refused = bool(answer.refusal)
    return {
        "status": UNANSWERED if refused else PROVED,
        "pool": solved + answer.refused,
        "solved": 0 if refused else solved,
        "ruled_out_by_centroid": 0,
        "ruled_out_by_bound": 0,
        "ruled_out_by_ascent": 0,
        "open": solved if refused else 0,
        "refused": answer.refused,
        "threshold": threshold,
        "margin": 0.0,
        "refusal": answer.refusal or None,
    }
