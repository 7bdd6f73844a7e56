"""A question's facts: algorithms 2 to 4 one after the other, the best K of what they leave.

Questions are taken in blocks, so that the encoder is called a few times a block: for tokens, for triples, for
bridges. A question without options that names something of the graph is answered by whole paths from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from evidence_assets.graphs.adjacency import joining
from evidence_assets.graphs.embedded import EmbeddedGraph
from evidence_assets.graphs.embeddings import BlendedSpace
from evidence_assets.graphs.paths import PathFinder
from evidence_assets.kgqa.linked_questions import LinkedQuestion
from evidence_assets.kgqa.whole_paths import WholePaths
from evidence_assets.models.encoder import Encode, FloatArray
from evidence_assets.systems.attention2query.arms import NO_CLASSIFIER, Retrieval
from evidence_assets.systems.attention2query.attention import MULTI_HEAD, untrained
from evidence_assets.systems.attention2query.component_linking import candidates, components, pruned
from evidence_assets.systems.attention2query.drafts import Draft, Drafter
from evidence_assets.systems.attention2query.facts import (
    PATH,
    TRIPLE,
    AskedFacts,
    Fact,
    Found,
    Token,
    read_out,
)
from evidence_assets.systems.attention2query.neighbourhoods import (
    Neighbourhood,
    nearest_nodes,
    neighbourhood,
)
from evidence_assets.systems.attention2query.relevance import MOST, Rater, Relevances
from evidence_assets.systems.attention2query.subgraphs import Subgraph, merged
from evidence_assets.text.queries import QUESTION_ALONE

_Vector = Callable[[str], FloatArray]

QUESTIONS_AT_ONCE = 64
# A classifier rates so many of a subgraph's triples: those that attention puts first.
RATED = 64
# Nodes that stand for a token without one.
NEAREST = 3
# What attention adds to a relevance of 1 to 10: it orders what the classifier finds alike.
ATTENTION_SHARE = 1.0
BRIDGE_STEPS = 3
_DECIMALS = 6


@dataclass(frozen=True)
class _Work:
    """One question half done: a draft a candidate."""

    asked: AskedFacts
    drafts: Mapping[int, Draft]


class FactFinder:
    """Finds the facts of questions in one graph, in one way.

    Parameters
    ----------
    graph, space, templates
        The graph, text and graph vectors of its nodes blended, and the relations' sentences.
    encode
        Texts to unit vectors, (n, d).
    rater
        Who rates facts; None for nobody.
    finder
        The ways between components, at most `BRIDGE_STEPS` long; None where they stay apart.
    whole
        The paths that answer questions without options; None where single triples do.
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
        whole: WholePaths | None = None,
    ) -> None:
        self._graph, self._space, self._templates, self._whole = graph, space, templates, whole
        self._encode, self._finder, self._way = encode, finder, way
        self._drafter = Drafter(graph, templates, max(RATED, way.facts))
        self._rater = rater if way.classifier != NO_CLASSIFIER else None
        self._projections = untrained(space.vectors.shape[1]) if way.attention == MULTI_HEAD else None

    def find(self, asked: Sequence[AskedFacts]) -> Iterator[Found]:
        """Yield the facts of every question: its own, and each option's."""
        for start in range(0, len(asked), QUESTIONS_AT_ONCE):
            yield from self._block(asked[start : start + QUESTIONS_AT_ONCE])

    def _block(self, asked: Sequence[AskedFacts]) -> list[Found]:
        """Return the facts of some questions: of whole paths where a question names what they begin at."""
        if self._whole is None:
            return self._attended(asked)
        about = [_about(one) for one in asked]
        facts = iter(self._whole.facts([one for one in about if one is not None]))
        rest = iter(self._attended([one for one, told in zip(asked, about, strict=True) if told is None]))
        return [next(rest) if told is None else _of_paths(next(facts)) for told in about]

    def _attended(self, asked: Sequence[AskedFacts]) -> list[Found]:
        """Return the facts that attention finds around what questions and options name."""
        if not asked:
            return []
        place, vectors = self._encoded(
            text
            for one in asked
            for text in (one.question, *self._queries(one), *(token.text for token in _tokens(one)))
        )
        placed = self._space.of_texts(vectors)
        works = [
            self._work(one, lambda text: placed[place[text]], vectors[place[one.question]]) for one in asked
        ]
        drafts = [draft for work in works for draft in work.drafts.values()]
        relevances = iter(self._relevances([(draft.text, draft.sentences) for draft in drafts]))
        rated = [
            {candidate: self._rated(draft, next(relevances)) for candidate, draft in work.drafts.items()}
            for work in works
        ]
        ways = [self._ways(facts[QUESTION_ALONE]) for facts in rated]
        texts = [[self._read(path) for path in paths] for paths in ways]
        bridges = self._relevances(
            [(work.asked.question, own) for work, own in zip(works, texts, strict=True)]
        )
        return [self._finished(*one) for one in zip(works, rated, ways, bridges, strict=True)]

    def _encoded(self, texts: Iterator[str]) -> tuple[dict[str, int], FloatArray]:
        distinct = list(dict.fromkeys(texts))
        return {text: place for place, text in enumerate(distinct)}, self._encode(distinct)

    def _queries(self, asked: AskedFacts) -> list[str]:
        return [f"{asked.question} {option}" for option in asked.options]

    def _work(self, asked: AskedFacts, vector: _Vector, question: FloatArray) -> _Work:
        """Return a question's drafts. `vector` gives blended vectors, `question` is its text's alone."""
        own = self._around(asked.question, asked.tokens, vector)
        whole = self._subgraph(own, [asked.question, *(token.text for token in asked.tokens)], vector)
        drafts = {QUESTION_ALONE: self._drafter.of_subgraph(asked.question, whole, whole.edges)}
        if self._way.option_subgraph:
            for candidate, query in enumerate(self._queries(asked)):
                drafts[candidate] = (
                    self._drafter.at_option(asked, candidate, question)
                    if self._way.own_triples
                    else self._around_option(asked, candidate, query, own, vector)
                )
        return _Work(asked, drafts)

    def _around(self, text: str, tokens: Sequence[Token], vector: _Vector) -> list[Neighbourhood]:
        """Return every token's neighbourhood (algorithm 2); of a text without tokens, its own."""
        found = []
        for token in tokens or [Token(text)]:
            own = vector(token.text)
            starts = token.nodes or nearest_nodes(own, self._space.vectors, NEAREST).tolist()
            guide = own if self._way.by_token else vector(text)
            found.append(
                neighbourhood(self._graph.adjacency, starts, guide, self._space.vectors, self._way.reach)
            )
        return found

    def _subgraph(self, around: Sequence[Neighbourhood], texts: Sequence[str], vector: _Vector) -> Subgraph:
        way = self._way
        return merged(
            self._graph.graph,
            around,
            np.stack([vector(text) for text in texts]),
            self._space.vectors,
            way.attention,
            self._projections,
            way.reach.penalty,
            way.nodes,
        )

    def _around_option(
        self,
        asked: AskedFacts,
        candidate: int,
        query: str,
        question: Sequence[Neighbourhood],
        vector: _Vector,
    ) -> Draft:
        """Return an option's triples as printed (4.5): of its neighbourhood and the question's together.

        They are rated against the question alone: what names the option is always near it.
        """
        tokens = asked.tokens_of(candidate)
        around = self._around(query, tokens, vector) if tokens else []
        texts = [query, *(token.text for token in (*asked.tokens, *tokens))]
        subgraph = self._subgraph([*around, *question], texts, vector)
        graph, own = self._graph.graph, [node for token in tokens for node in token.nodes]
        named = [node for token in asked.tokens for node in token.nodes]
        ends = np.stack([graph.heads[subgraph.edges], graph.tails[subgraph.edges]])
        at_option = np.isin(ends, own)
        edges = subgraph.edges[at_option.any(axis=0)]
        joining_edges = subgraph.edges[(at_option & np.isin(ends[::-1], named)).any(axis=0)]
        return self._drafter.of_subgraph(asked.question, subgraph, edges, np.isin(edges, joining_edges))

    def _rated(self, draft: Draft, relevances: Relevances | None) -> list[Fact]:
        """Return a draft's triples rated, best first."""
        facts = []
        for place, edge in enumerate(draft.edges.tolist()):
            parts = {"attention": float(draft.attention[place])}
            if draft.joins is not None:
                parts["joins"] = float(draft.joins[place])
            score = parts["attention"]
            if relevances is not None:
                parts["relevance"] = float(relevances[place])
                score = round(parts["relevance"] + ATTENTION_SHARE * score, _DECIMALS)
            facts.append(Fact(TRIPLE, (edge,), draft.sentences[place], draft.answers[place], score, parts))
        return sorted(facts, key=lambda fact: (-fact.score, fact.edges))[: self._way.facts]

    def _relevances(self, groups: Sequence[tuple[str, Sequence[str]]]) -> list[Relevances | None]:
        """Return the relevance of texts to a question, (n,) a group, all rated in one call."""
        if self._rater is None:
            return [None] * len(groups)
        questions = [question for question, texts in groups for _ in texts]
        rated = self._rater.rate(questions, [text for _, texts in groups for text in texts])
        return list(np.split(rated, np.cumsum([len(texts) for _, texts in groups])[:-1]))

    def _ways(self, chosen: Sequence[Fact]) -> list[tuple[int, ...]]:
        """Return the shortest ways between what the chosen triples fall into (algorithm 4)."""
        if self._finder is None or len(chosen) < 2:
            return []
        heads, tails = self._ends(chosen)
        return candidates(heads, tails, self._finder)

    def _ends(self, chosen: Sequence[Fact]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        edges = np.array([fact.edges[0] for fact in chosen], dtype=np.int64)
        return self._graph.graph.heads[edges], self._graph.graph.tails[edges]

    def _finished(
        self,
        work: _Work,
        facts: dict[int, list[Fact]],
        paths: Sequence[tuple[int, ...]],
        rated: Relevances | None,
    ) -> Found:
        own = facts[QUESTION_ALONE]
        heads, tails = self._ends(own)
        scores = [MOST] * len(paths) if rated is None else rated.tolist()
        needed = pruned(heads, tails, paths, scores, self._way.least)
        facts[QUESTION_ALONE] = [*own, *(self._bridge(one.nodes, one.score, own) for one in needed)]
        return Found(facts, len(components(heads, tails)), len(needed))

    def _bridge(self, nodes: tuple[int, ...], relevance: float, chosen: Sequence[Fact]) -> Fact:
        """Return a bridge as a fact. It serves the triples that it joins: it never goes before them."""
        edges = self._edges_of(nodes)
        score = round(min(relevance, chosen[-1].score) - ATTENTION_SHARE, _DECIMALS)
        return Fact(
            TRIPLE if len(edges) == 1 else PATH, edges, self._read(nodes), (), score, {"bridge": relevance}
        )

    def _edges_of(self, nodes: Sequence[int]) -> tuple[int, ...]:
        return tuple(joining(self._graph.graph, one, other)[0] for one, other in pairwise(nodes))

    def _read(self, nodes: Sequence[int]) -> str:
        return read_out(self._graph.graph, self._edges_of(nodes), self._templates)


def _tokens(asked: AskedFacts) -> list[Token]:
    return [*asked.tokens, *(token for own in (asked.offered or {}).values() for token in own)]


def _about(asked: AskedFacts) -> LinkedQuestion | None:
    """Return a question without options that names something of the graph; None for every other one."""
    told = None if asked.options else asked.about
    return told if told is not None and any(topic.nodes for topic in told.topics) else None


def _of_paths(facts: Sequence[Fact]) -> Found:
    """Return the facts of whole paths: as all begin at what is asked about, nothing falls apart."""
    return Found({QUESTION_ALONE: facts}, min(len(facts), 1), 0)
