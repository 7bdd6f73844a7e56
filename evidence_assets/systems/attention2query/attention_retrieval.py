"""Retrieval of a question's facts by attention: algorithms 2 to 4 in turn, the best K facts that they leave.

Questions are taken in blocks, so that the encoder is called a few times a block: for tokens, for triples, for
linking paths. A question without options that names something of the graph is answered by whole paths from
there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from evidence_assets.graphs.embeddings import BlendedSpace
from evidence_assets.graphs.walking.adjacency import edges_between
from evidence_assets.graphs.walking.embedded_graph import EmbeddedGraph
from evidence_assets.graphs.walking.paths import PathFinder
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.models.encoder import Encode, FloatArray
from evidence_assets.progress import blocks
from evidence_assets.systems.attention2query.arms import MULTI_HEAD, NO_CLASSIFIER, Retrieval
from evidence_assets.systems.attention2query.as_printed.multi_head_attention import two_passes, untrained
from evidence_assets.systems.attention2query.component_linking import (
    components,
    connecting_paths,
    needed_paths,
)
from evidence_assets.systems.attention2query.drafts import Draft, Drafter
from evidence_assets.systems.attention2query.facts import (
    PATH,
    TRIPLE,
    Fact,
    QuestionFacts,
    QuestionLinks,
    Token,
    read_out,
)
from evidence_assets.systems.attention2query.neighbourhoods import Neighbourhood, nearest_nodes, neighbourhood
from evidence_assets.systems.attention2query.relevance import (
    MOST,
    Rater,
    Relevances,
    cosines_scaled,
    weights_scaled,
)
from evidence_assets.systems.attention2query.subgraphs import Attention, Subgraph, cosine_attention, merged
from evidence_assets.systems.attention2query.whole_paths import WholePaths
from evidence_assets.text.queries import NO_OPTION, with_option

_Vector = Callable[[str], FloatArray]

QUESTIONS_AT_ONCE = 64
# Triples of a subgraph that a classifier rates: those that attention puts first.
RATED = 64
# Nodes that stand for a token without one.
NEAREST = 3
LINKING_STEPS = 3
_DECIMALS = 6


@dataclass(frozen=True)
class _Work:
    """One question with its unrated drafts, one a candidate."""

    question: QuestionLinks
    drafts: Mapping[int, Draft]


class AttentionRetriever:
    """Retrieves the facts of questions from one graph, in one way.

    `graph`, `space`, `templates`: the graph, text and graph vectors of its nodes blended, and the relations'
    sentences. `encode`: texts to unit vectors, (n, d). `rater`: what rates facts; None where attention alone
    ranks them. `finder`: finds shortest paths between components, at most `LINKING_STEPS` long; None where
    they stay apart. `whole`: the paths that answer questions without options; None where single triples do.
    """

    def __init__(
        self,
        graph: EmbeddedGraph,
        space: BlendedSpace,
        templates: Mapping[str, str],
        encode: Encode,
        rater: Rater | None,
        finder: PathFinder | None,
        way: Retrieval,
        whole_paths: WholePaths | None = None,
    ) -> None:
        self._graph, self._space, self._templates, self._whole = graph, space, templates, whole_paths
        self._encode, self._finder, self._way = encode, finder, way
        self._drafter = Drafter(graph, templates, max(RATED, way.facts))
        self._rater = rater if way.classifier != NO_CLASSIFIER else None
        self._attention: Attention = cosine_attention
        self._scale: Callable[[NDArray[np.float64]], Relevances] = cosines_scaled
        if way.attention == MULTI_HEAD:
            self._scale = weights_scaled
            self._attention = partial(two_passes, projections=untrained(space.vectors.shape[1]))

    def find(self, questions: Sequence[QuestionLinks]) -> Iterator[QuestionFacts]:
        """Yield the facts of every question: its own, and each option's."""
        for block in blocks(questions, QUESTIONS_AT_ONCE):
            yield from self._block(block)

    def _block(self, questions: Sequence[QuestionLinks]) -> list[QuestionFacts]:
        """Return the facts of some questions: from whole paths where a question names a topic to start at."""
        if self._whole is None:
            return self._attended(questions)
        topics = [_about(question) for question in questions]
        facts = iter(self._whole.facts([topic for topic in topics if topic is not None]))
        unanchored = [question for question, topic in zip(questions, topics, strict=True) if topic is None]
        attended = iter(self._attended(unanchored))
        return [next(attended) if topic is None else _of_paths(next(facts)) for topic in topics]

    def _attended(self, questions: Sequence[QuestionLinks]) -> list[QuestionFacts]:
        """Return the facts that attention finds around what questions and options name."""
        if not questions:
            return []
        place, vectors = self._encoded(
            text
            for question in questions
            for text in (
                question.question,
                *self._queries(question),
                *(token.text for token in _tokens(question)),
            )
        )
        placed = self._space.of_texts(vectors)
        works = [
            self._work(question, lambda text: placed[place[text]], vectors[place[question.question]])
            for question in questions
        ]
        drafts = [draft for work in works for draft in work.drafts.values()]
        relevances = iter(self._relevances([(draft.text, draft.sentences) for draft in drafts]))
        rated = [
            {candidate: self._rated(draft, next(relevances)) for candidate, draft in work.drafts.items()}
            for work in works
        ]
        ways = [self._ways(facts[NO_OPTION]) for facts in rated]
        texts = [[self._read(path) for path in paths] for paths in ways]
        path_relevances = self._relevances(
            [(work.question.question, path_texts) for work, path_texts in zip(works, texts, strict=True)]
        )
        return [self._finished(*parts) for parts in zip(works, rated, ways, path_relevances, strict=True)]

    def _encoded(self, texts: Iterator[str]) -> tuple[dict[str, int], FloatArray]:
        distinct = list(dict.fromkeys(texts))
        return {text: place for place, text in enumerate(distinct)}, self._encode(distinct)

    def _queries(self, question: QuestionLinks) -> list[str]:
        return [with_option(question.question, option) for option in question.options]

    def _work(self, question: QuestionLinks, vector: _Vector, question_vector: FloatArray) -> _Work:
        """Return a question's drafts. `vector` blends text and graph, `question_vector` is of text."""
        around = self._around(question.question, question.tokens, vector)
        subgraph = self._subgraph(
            around, [question.question, *(token.text for token in question.tokens)], vector
        )
        drafts = {NO_OPTION: self._drafter.of_subgraph(question.question, subgraph, subgraph.edges)}
        if self._way.option_subgraph:
            for candidate, query in enumerate(self._queries(question)):
                drafts[candidate] = (
                    self._drafter.at_option(question, candidate, question_vector)
                    if self._way.own_triples
                    else self._around_option(question, candidate, query, around, vector)
                )
        return _Work(question, drafts)

    def _around(self, text: str, tokens: Sequence[Token], vector: _Vector) -> list[Neighbourhood]:
        """Return every token's neighbourhood (algorithm 2); of a text without tokens, its own."""
        around = []
        for token in tokens or [Token(text)]:
            token_vector = vector(token.text)
            starts = token.nodes or nearest_nodes(token_vector, self._space.vectors, NEAREST).tolist()
            guide = token_vector if self._way.by_token else vector(text)
            around.append(
                neighbourhood(self._graph.adjacency, starts, guide, self._space.vectors, self._way.reach)
            )
        return around

    def _subgraph(self, around: Sequence[Neighbourhood], texts: Sequence[str], vector: _Vector) -> Subgraph:
        way = self._way
        return merged(
            self._graph.graph,
            around,
            np.stack([vector(text) for text in texts]),
            self._space.vectors,
            self._attention,
            way.reach.penalty,
            way.nodes,
        )

    def _around_option(
        self,
        question: QuestionLinks,
        candidate: int,
        query: str,
        around_question: Sequence[Neighbourhood],
        vector: _Vector,
    ) -> Draft:
        """Return an option's triples as printed (4.5): of its neighbourhood and the question's together.

        They are rated against the question alone: what names the option is always near it.
        """
        tokens = question.tokens_of(candidate)
        around = self._around(query, tokens, vector) if tokens else []
        texts = [query, *(token.text for token in (*question.tokens, *tokens))]
        subgraph = self._subgraph([*around, *around_question], texts, vector)
        graph, option_nodes = self._graph.graph, [node for token in tokens for node in token.nodes]
        named = [node for token in question.tokens for node in token.nodes]
        ends = np.stack([graph.heads[subgraph.edges], graph.tails[subgraph.edges]])
        at_option = np.isin(ends, option_nodes)
        edges = subgraph.edges[at_option.any(axis=0)]
        joining_edges = subgraph.edges[(at_option & np.isin(ends[::-1], named)).any(axis=0)]
        return self._drafter.of_subgraph(question.question, subgraph, edges, np.isin(edges, joining_edges))

    def _rated(self, draft: Draft, relevances: Relevances | None) -> list[Fact]:
        """Return a draft's triples rated, best first."""
        facts = []
        attended = self._scale(draft.attention)
        share = self._way.attention_share
        for place, edge in enumerate(draft.edges.tolist()):
            parts = {"attention": float(attended[place])}
            if draft.joins is not None:
                parts["joins"] = float(draft.joins[place])
            score = parts["attention"]
            if relevances is not None:
                parts["relevance"] = float(relevances[place])
                # A weighted average of the two, as 4.2 has it.
                score = round((1 - share) * parts["relevance"] + share * score, _DECIMALS)
            facts.append(Fact(TRIPLE, (edge,), draft.sentences[place], draft.answers[place], score, parts))
        return sorted(facts, key=lambda fact: (-fact.score, fact.edges))[: self._way.facts]

    def _relevances(self, groups: Sequence[tuple[str, Sequence[str]]]) -> list[Relevances | None]:
        """Return the relevance of texts to a question, (n,) a group, all rated in one call."""
        if self._rater is None:
            return [None] * len(groups)
        questions = [question for question, texts in groups for _ in texts]
        rated = self._rater.rate(questions, [text for _, texts in groups for text in texts])
        return list(np.split(rated, np.cumsum([len(texts) for _, texts in groups])[:-1]))

    def _ways(self, triples: Sequence[Fact]) -> list[tuple[int, ...]]:
        """Return the shortest paths between the components of the chosen triples (algorithm 4)."""
        if self._finder is None or len(triples) < 2:
            return []
        heads, tails = self._ends(triples)
        return connecting_paths(heads, tails, self._finder)

    def _ends(self, triples: Sequence[Fact]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        edges = np.array([fact.edges[0] for fact in triples], dtype=np.int64)
        return self._graph.graph.heads[edges], self._graph.graph.tails[edges]

    def _finished(
        self,
        work: _Work,
        facts: dict[int, list[Fact]],
        paths: Sequence[tuple[int, ...]],
        rated: Relevances | None,
    ) -> QuestionFacts:
        triples = facts[NO_OPTION]
        heads, tails = self._ends(triples)
        scores = [MOST] * len(paths) if rated is None else rated.tolist()
        needed = needed_paths(heads, tails, paths, scores, self._way.least)
        facts[NO_OPTION] = [
            *triples,
            *(self._linking_path(path.nodes, path.score, triples) for path in needed),
        ]
        return QuestionFacts(facts, len(components(heads, tails)), len(needed))

    def _linking_path(self, nodes: tuple[int, ...], relevance: float, triples: Sequence[Fact]) -> Fact:
        """Return a linking path as a fact, never scored above the triples that it links."""
        edges = self._edges_of(nodes)
        score = min(relevance, triples[-1].score)
        return Fact(
            TRIPLE if len(edges) == 1 else PATH, edges, self._read(nodes), (), score, {"bridge": relevance}
        )

    def _edges_of(self, nodes: Sequence[int]) -> tuple[int, ...]:
        return tuple(edges_between(self._graph.graph, head, tail)[0] for head, tail in pairwise(nodes))

    def _read(self, nodes: Sequence[int]) -> str:
        return read_out(self._graph.graph, self._edges_of(nodes), self._templates)


def _tokens(question: QuestionLinks) -> list[Token]:
    return [
        *question.tokens,
        *(token for tokens in (question.option_tokens or {}).values() for token in tokens),
    ]


def _about(question: QuestionLinks) -> LinkedQuestion | None:
    """Return a question without options that names something of the graph; None for every other one."""
    about = None if question.options else question.about
    return about if about is not None and any(topic.nodes for topic in about.topics) else None


def _of_paths(facts: Sequence[Fact]) -> QuestionFacts:
    """Return the facts of whole paths: as all begin at what is asked about, nothing falls apart."""
    return QuestionFacts({NO_OPTION: facts}, min(len(facts), 1), 0)
