"""Entity linking of phrases to nodes: exact, by lemmas, by spelling, by meaning; each link has its method."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.graphs.concepts.nodes import ABBREVIATION, LABEL, LEMMA, SYNONYM
from evidence_assets.graphs.graph import Integers
from evidence_assets.graphs.names.fuzzy_index import FuzzyIndex
from evidence_assets.graphs.names.misspellings import is_possible_misspelling
from evidence_assets.models.encoder import Encoder, FloatArray
from evidence_assets.text.normal_forms import lemma_form, normal_form
from evidence_assets.text.phrases import Phrase, Spans

EXACT, FUZZY, EMBEDDING = "exact", "fuzzy", "embedding"
# Several labels may share a lemma form ("dog", "a dog", "dogs"): those of highest degree are linked.
LINKS_PER_PHRASE = 4
# Shorter phrases are close in spelling to too many names.
SHORTEST_FUZZY = 5
_PHRASES_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Link:
    """One node that a phrase denotes.

    `score` is 1 for exact and lemma links, the ratio (of 1) of fuzzy ones, the cosine of embedding links.
    """

    node: int
    method: str
    score: float


@dataclass(frozen=True, slots=True)
class Concept:
    """A phrase of a text with one of its links, and the phrase's cosine to the text."""

    phrase: Phrase
    link: Link
    relevance: float


class Linker:
    """Finds the nodes that phrases denote.

    `aliases`: `graph_aliases` rows of one graph, sorted by alias. `degrees`: (n,) the nodes' degrees, to
    break ties. `threshold`: the least cosine of a phrase to a name for a link by meaning; None for none.
    `unlinked`: words, lower-cased, that are never linked on their own.
    """

    def __init__(
        self,
        aliases: pa.Table,
        degrees: Integers,
        threshold: float | None = None,
        unlinked: Collection[str] = (),
    ) -> None:
        self._unlinked = frozenset(unlinked)
        kinds = aliases.column("kind")
        self._degrees, self._threshold = degrees, threshold
        self._labels, self._synonyms, self._abbreviations, self._lemmas = (
            _Aliases(aliases.filter(pc.equal(kinds, kind))) for kind in (LABEL, SYNONYM, ABBREVIATION, LEMMA)
        )
        is_name = pc.is_in(kinds, value_set=pa.array([LABEL, SYNONYM]))
        has_synonyms = bool(len(self._synonyms.names))
        self._names = _Aliases(aliases.filter(is_name)) if has_synonyms else self._labels
        self._fuzzy: dict[str, list[Link]] = {}

    @cached_property
    def _spellings(self) -> FuzzyIndex:
        return FuzzyIndex(self._names.names)

    def by_form(self, phrases: Iterable[str]) -> Mapping[str, list[Link]]:
        """Return each phrase's links by its normal form, else by its lemmas; the others are absent."""
        texts = self._linkable(phrases)
        exact = self._exact(texts)
        lemmas = self._lemmas.nodes_of([lemma_form(text) for text in texts])
        links = {}
        for text, by_name, by_lemma in zip(texts, exact, lemmas, strict=True):
            if len(by_name):
                links[text] = self._links(by_name, EXACT, 1.0)
            elif len(by_lemma):
                links[text] = self._links(by_lemma, LEMMA, 1.0)
        return links

    def by_label(self, phrases: Iterable[str]) -> Mapping[str, list[Link]]:
        """Return each phrase's links by its normal form alone; the others are absent."""
        texts = self._linkable(phrases)
        exact = zip(texts, self._exact(texts), strict=True)
        return {text: self._links(nodes, EXACT, 1.0) for text, nodes in exact if len(nodes)}

    def _linkable(self, phrases: Iterable[str]) -> list[str]:
        return [text for text in dict.fromkeys(phrases) if text.lower() not in self._unlinked]

    def _exact(self, texts: Sequence[str]) -> list[Integers]:
        """Return each text's nodes by label, else by abbreviation (case-sensitive), else by synonym."""
        forms = [normal_form(text) for text in texts]
        by_kind = zip(
            self._labels.nodes_of(forms),
            self._abbreviations.nodes_of(texts),
            self._synonyms.nodes_of(forms),
            strict=True,
        )
        return [next((nodes for nodes in kinds if len(nodes)), kinds[0]) for kinds in by_kind]

    def by_spelling(self, phrase: str) -> list[Link]:
        """Return the links of the name nearest in spelling, within a ratio of 90; none for short phrases.

        Names that differ in what no misspelling changes are left out (`is_possible_misspelling`).
        """
        text = normal_form(phrase)
        if len(text) < SHORTEST_FUZZY or text in self._unlinked:
            return []
        if text not in self._fuzzy:
            near = self._spellings.nearest(text)
            names = self._names.names
            plausible = (item for item in near if is_possible_misspelling(text, names[item[0]].as_py()))
            self._fuzzy[text] = [
                link
                for position, ratio in islice(plausible, 1)
                for link in self._links(self._names.nodes_at(position), FUZZY, ratio / 100)
            ]
        return self._fuzzy[text]

    def by_meaning(self, phrases: Sequence[str], encoder: Encoder) -> Mapping[str, list[Link]]:
        """Return each phrase's links by the name nearest in meaning, if near enough; others are absent."""
        names = self._names.names.to_pylist()
        if self._threshold is None or not names or not phrases:
            return {}
        phrases = self._linkable(phrases)
        name_vectors, phrase_vectors = encoder.encode(names), encoder.encode(phrases)
        links: dict[str, list[Link]] = {}
        for start in range(0, len(phrases), _PHRASES_AT_ONCE):
            nearest, cosines = _nearest(phrase_vectors[start : start + _PHRASES_AT_ONCE], name_vectors)
            block = phrases[start : start + _PHRASES_AT_ONCE]
            for phrase, position, cosine in zip(block, nearest, cosines, strict=True):
                if cosine >= self._threshold:
                    links[phrase] = self._links(self._names.nodes_at(position), EMBEDDING, cosine)
        return links

    def _links(self, nodes: Integers, method: str, score: float) -> list[Link]:
        chosen = sorted(nodes.tolist(), key=lambda node: (-int(self._degrees[node]), node))
        return [Link(node, method, score) for node in chosen[:LINKS_PER_PHRASE]]


class _Aliases:
    """Aliases of one kind: distinct names, and the nodes of each."""

    def __init__(self, rows: pa.Table) -> None:
        names = rows.column("alias").combine_chunks()
        runs = pc.run_end_encode(names) if len(names) else None
        self.names = runs.values if runs is not None else names
        ends = runs.run_ends.to_numpy() if runs is not None else np.empty(0, dtype=np.int64)
        self._starts = np.concatenate([[0], ends]).astype(np.int64)
        self._nodes = rows.column("node").to_numpy()

    def nodes_of(self, names: Sequence[str]) -> list[Integers]:
        """Return each name's nodes; none for an unknown name."""
        positions = pc.index_in(pa.array(names, pa.string()), value_set=self.names).to_pylist()
        empty = self._nodes[:0]
        return [empty if position is None else self.nodes_at(position) for position in positions]

    def nodes_at(self, position: int) -> Integers:
        """Return the nodes of the name at a position of `names`."""
        nodes: Integers = self._nodes[self._starts[position] : self._starts[position + 1]]
        return nodes


def _nearest(phrases: FloatArray, names: FloatArray) -> tuple[list[int], list[float]]:
    """Return the row of `names` nearest to each row of `phrases`, and its cosine to six decimals."""
    cosines = phrases @ names.T
    rows = cosines.argmax(axis=1)
    return rows.tolist(), [float(value) for value in cosines[np.arange(len(phrases)), rows].round(6)]


def keywords(
    phrases: Sequence[Phrase], relevances: Sequence[float], links: Mapping[str, list[Link]], count: int
) -> list[Phrase]:
    """Return the plain phrases of a text most relevant to it that overlap nothing linked by form."""
    linked = Spans(phrase for phrase in phrases if phrase.text in links)
    plain = [
        phrase for phrase in _by_relevance(phrases, relevances) if phrase.plain and not linked.overlap(phrase)
    ]
    return _first_occurrences(plain)[:count]


def choose_concepts(
    phrases: Sequence[Phrase],
    relevances: Sequence[float],
    links: Mapping[str, list[Link]],
    near: Mapping[Phrase, list[Link]],
    limit: int,
) -> list[Concept]:
    """Return a text's concepts, the most relevant first.

    A phrase within a longer linked one is left out, and a repeated phrase counts once.

    `phrases`, `relevances`: the phrases of one text, and the cosine of each to the text. `links`: links by
    form of every phrase that has some. `near`: the text's keywords, the most relevant first, with their links
    by spelling or meaning; of two that overlap the first is kept. `limit`: the most phrases.
    """
    relevance_of = dict(zip(phrases, relevances, strict=True))
    linked = [phrase for phrase in phrases if phrase.text in links]
    spans = Spans(linked)
    chosen_links = {phrase: links[phrase.text] for phrase in linked if not spans.surpass(phrase)}
    kept: list[Phrase] = []
    for phrase, near_links in near.items():
        if near_links and not spans.overlap(phrase) and not any(map(phrase.overlaps, kept)):
            kept.append(phrase)
            chosen_links[phrase] = near_links
    order = _by_relevance(phrases, relevances)
    chosen = _first_occurrences([phrase for phrase in order if phrase in chosen_links])[:limit]
    return [Concept(phrase, link, relevance_of[phrase]) for phrase in chosen for link in chosen_links[phrase]]


def _by_relevance(phrases: Sequence[Phrase], relevances: Sequence[float]) -> list[Phrase]:
    relevance_of = dict(zip(phrases, relevances, strict=True))
    return sorted(phrases, key=lambda phrase: (-relevance_of[phrase], phrase.start, -phrase.end))


def _first_occurrences(phrases: Sequence[Phrase]) -> list[Phrase]:
    """Return the first occurrence of each phrase, ignoring case."""
    firsts: dict[str, Phrase] = {}
    for phrase in phrases:
        firsts.setdefault(phrase.text.lower(), phrase)
    return list(firsts.values())
