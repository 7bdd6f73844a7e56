"""From phrases to nodes: exact, by lemmas, by spelling, by meaning; each link says how it was made."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.graphs.fuzzy import FuzzyIndex
from evidence_assets.graphs.misspellings import may_be_misspelt
from evidence_assets.graphs.nodes import ABBREVIATION, LABEL, LEMMA, SYNONYM
from evidence_assets.models.encoder import Encoder, FloatArray
from evidence_assets.text.normal_forms import lemma_form, normal_form
from evidence_assets.text.phrases import Phrase

EXACT, FUZZY, EMBEDDING = "exact", "fuzzy", "embedding"
# Several labels may share one lemma form ("dog", "a dog", "dogs"): the best connected of them are linked.
LINKS_PER_PHRASE = 4
# Shorter phrases have too many neighbours in spelling.
SHORTEST_FUZZY = 5
_PHRASES_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Link:
    """One node that a phrase stands for.

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
    """Finds the nodes that phrases stand for.

    Parameters
    ----------
    aliases
        `graph_aliases` rows of one graph, sorted by alias.
    degrees
        (n,) the nodes' degrees, to choose among equals.
    threshold
        The least cosine of a phrase to a name for a link by meaning; None for none.
    unlinked
        Words, lower-cased, that name nothing when they stand alone.
    """

    def __init__(
        self,
        aliases: pa.Table,
        degrees: np.ndarray[tuple[int], np.dtype[np.int32]],
        threshold: float | None = None,
        unlinked: Collection[str] = (),
    ) -> None:
        self._unlinked = frozenset(unlinked)
        kinds = aliases.column("kind")
        self._degrees, self._threshold = degrees, threshold
        self._labels, self._synonyms, self._abbreviations, self._lemmas = (
            _Aliases(aliases.filter(pc.equal(kinds, kind))) for kind in (LABEL, SYNONYM, ABBREVIATION, LEMMA)
        )
        named = pc.is_in(kinds, value_set=pa.array([LABEL, SYNONYM]))
        has_synonyms = bool(len(self._synonyms.names))
        self._names = _Aliases(aliases.filter(named)) if has_synonyms else self._labels
        self._fuzzy: dict[str, list[Link]] = {}

    @cached_property
    def _spellings(self) -> FuzzyIndex:
        return FuzzyIndex(self._names.names)

    def by_form(self, phrases: Iterable[str]) -> Mapping[str, list[Link]]:
        """Return each phrase's links by its normal form, else by its lemmas; the others are absent."""
        texts = self._linkable(phrases)
        exact = self._exact(texts)
        lemmas = self._lemmas.nodes_of([lemma_form(text) for text in texts])
        found = {}
        for text, same, alike in zip(texts, exact, lemmas, strict=True):
            if len(same):
                found[text] = self._links(same, EXACT, 1.0)
            elif len(alike):
                found[text] = self._links(alike, LEMMA, 1.0)
        return found

    def by_label(self, phrases: Iterable[str]) -> Mapping[str, list[Link]]:
        """Return each phrase's links by its normal form alone; the others are absent."""
        texts = self._linkable(phrases)
        exact = self._exact(texts)
        return {
            text: self._links(same, EXACT, 1.0) for text, same in zip(texts, exact, strict=True) if len(same)
        }

    def _linkable(self, phrases: Iterable[str]) -> list[str]:
        return [text for text in dict.fromkeys(phrases) if text.lower() not in self._unlinked]

    def _exact(self, texts: Sequence[str]) -> list[np.ndarray[tuple[int], np.dtype[np.int32]]]:
        """Return each text's nodes by label, else by abbreviation, its capitals counting, else by synonym."""
        forms = [normal_form(text) for text in texts]
        found = (
            self._labels.nodes_of(forms),
            self._abbreviations.nodes_of(texts),
            self._synonyms.nodes_of(forms),
        )
        return [next((nodes for nodes in ways if len(nodes)), ways[0]) for ways in zip(*found, strict=True)]

    def by_spelling(self, phrase: str) -> list[Link]:
        """Return the links of the name nearest in spelling, within a ratio of 90; none for short phrases.

        Of the names that `may_be_misspelt` lets pass: what a misspelling never changes stands there.
        """
        text = normal_form(phrase)
        if len(text) < SHORTEST_FUZZY or text in self._unlinked:
            return []
        if text not in self._fuzzy:
            near = self._spellings.nearest(text)
            names = self._names.names
            same = (item for item in near if may_be_misspelt(text, names[item[0]].as_py()))
            self._fuzzy[text] = [
                link
                for place, ratio in islice(same, 1)
                for link in self._links(self._names.nodes_at(place), FUZZY, ratio / 100)
            ]
        return self._fuzzy[text]

    def by_meaning(self, phrases: Sequence[str], encoder: Encoder) -> Mapping[str, list[Link]]:
        """Return each phrase's links by the name nearest in meaning, if near enough; others are absent."""
        names = self._names.names.to_pylist()
        if self._threshold is None or not names or not phrases:
            return {}
        phrases = self._linkable(phrases)
        known, asked = encoder.encode(names), encoder.encode(phrases)
        found: dict[str, list[Link]] = {}
        for start in range(0, len(phrases), _PHRASES_AT_ONCE):
            nearest, cosines = _nearest(asked[start : start + _PHRASES_AT_ONCE], known)
            block = phrases[start : start + _PHRASES_AT_ONCE]
            for phrase, place, cosine in zip(block, nearest, cosines, strict=True):
                if cosine >= self._threshold:
                    found[phrase] = self._links(self._names.nodes_at(place), EMBEDDING, cosine)
        return found

    def _links(
        self, nodes: np.ndarray[tuple[int], np.dtype[np.int32]], method: str, score: float
    ) -> list[Link]:
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

    def nodes_of(self, names: Sequence[str]) -> list[np.ndarray[tuple[int], np.dtype[np.int32]]]:
        """Return each name's nodes; none for an unknown name."""
        places = pc.index_in(pa.array(names, pa.string()), value_set=self.names).to_pylist()
        none = self._nodes[:0]
        return [none if place is None else self.nodes_at(place) for place in places]

    def nodes_at(self, place: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        """Return the nodes of the name at a place of `names`."""
        nodes: np.ndarray[tuple[int], np.dtype[np.int32]] = self._nodes[
            self._starts[place] : self._starts[place + 1]
        ]
        return nodes


def _nearest(asked: FloatArray, known: FloatArray) -> tuple[list[int], list[float]]:
    """Return the place of the nearest row of `known` to each of `asked`, and its cosine to six decimals."""
    cosines = asked @ known.T
    places = cosines.argmax(axis=1)
    return places.tolist(), [float(value) for value in cosines[np.arange(len(asked)), places].round(6)]


def keywords(
    phrases: Sequence[Phrase], relevances: Sequence[float], links: Mapping[str, list[Link]], count: int
) -> list[Phrase]:
    """Return the most telling plain phrases of a text that overlap nothing linked by form."""
    linked = [phrase for phrase in phrases if phrase.text in links]
    apart = [
        phrase
        for phrase in _by_relevance(phrases, relevances)
        if phrase.plain and not any(phrase.overlaps(other) for other in linked)
    ]
    return _firsts(apart)[:count]


def choose_concepts(
    phrases: Sequence[Phrase],
    relevances: Sequence[float],
    links: Mapping[str, list[Link]],
    near: Mapping[Phrase, list[Link]],
    limit: int,
) -> list[Concept]:
    """Return a text's concepts, the most telling first.

    A phrase within a longer one that is linked is left out, and one that stands twice counts once.

    Parameters
    ----------
    phrases, relevances
        The phrases of one text, and the cosine of each to the text.
    links
        Links by form of every phrase that has some.
    near
        The text's keywords, the most telling first, with their links by spelling or meaning; of two that
        overlap the first counts.
    limit
        At most so many phrases.
    """
    telling = dict(zip(phrases, relevances, strict=True))
    linked = [phrase for phrase in phrases if phrase.text in links]
    maximal = [phrase for phrase in linked if not any(other.contains(phrase) for other in linked)]
    found = {phrase: links[phrase.text] for phrase in maximal}
    for phrase, alike in near.items():
        if alike and not any(phrase.overlaps(other) for other in found):
            found[phrase] = alike
    order = _by_relevance(phrases, relevances)
    chosen = _firsts([phrase for phrase in order if phrase in found])[:limit]
    return [Concept(phrase, link, telling[phrase]) for phrase in chosen for link in found[phrase]]


def _by_relevance(phrases: Sequence[Phrase], relevances: Sequence[float]) -> list[Phrase]:
    telling = dict(zip(phrases, relevances, strict=True))
    return sorted(phrases, key=lambda phrase: (-telling[phrase], phrase.start, -phrase.end))


def _firsts(phrases: Sequence[Phrase]) -> list[Phrase]:
    """Return the first of every phrase that a text says more than once."""
    firsts: dict[str, Phrase] = {}
    for phrase in phrases:
        firsts.setdefault(phrase.text.lower(), phrase)
    return list(firsts.values())
