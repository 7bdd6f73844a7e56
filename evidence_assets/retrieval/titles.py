"""Titles named in texts: which articles a question, or a passage, speaks of by name."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from evidence_assets.text.term_statistics import TermStatistics
from evidence_assets.text.words import words

Name = tuple[str, ...]

# A trailing parenthesis disambiguates namesakes: no sentence uses it.
_QUALIFIER = re.compile(r"\s*\([^()]*\)\s*$")
_LONGEST_NAME = 8
# In nats: words that stand together by chance in fewer than one of some four hundred chunks. Less is no name.
_LEAST_WEIGHT = 6.0


def name_of(title: str) -> Name:
    """Return the words by which a text names an article of this title."""
    return tuple(words(_QUALIFIER.sub("", title)))


class Titles:
    """The articles of a corpus by their names.

    Args:
        titles: (article id, title) of each.
        vocabulary: The words of the texts that are looked at: what has another word in its name is in none of
            them.
        statistics: Term statistics of the corpus. A name of frequent words alone ("it", "the end") is
            ignored.
    """

    def __init__(
        self, titles: Iterable[tuple[str, str]], vocabulary: frozenset[str], statistics: TermStatistics
    ) -> None:
        self._articles: dict[Name, list[str]] = {}
        self._name: dict[str, Name] = {}
        for article_id, title in titles:
            name = name_of(title)
            self._name[article_id] = name
            if 0 < len(name) <= _LONGEST_NAME and vocabulary.issuperset(name):
                self._articles.setdefault(name, []).append(article_id)
        weights = {name: math.fsum(statistics.idf(name)) for name in self._articles}
        self._articles = {
            name: articles for name, articles in self._articles.items() if weights[name] >= _LEAST_WEIGHT
        }
        self._firsts = {name[0] for name in self._articles}

    def of(self, article_id: str) -> Name:
        """Return an article's own name."""
        return self._name.get(article_id, ())

    def articles(self, name: Name) -> Sequence[str]:
        """Return the articles of a name, namesakes all."""
        return self._articles.get(name, ())

    def named_in(self, text: str) -> list[Name]:
        """Return the names that stand in a text, each once, the longest at each place."""
        return list(dict.fromkeys(self._names(words(text))))

    def _names(self, of_text: Sequence[str]) -> Iterator[Name]:
        place = 0
        while place < len(of_text):
            step = 1
            if of_text[place] in self._firsts:
                for length in range(min(_LONGEST_NAME, len(of_text) - place), 0, -1):
                    name = tuple(of_text[place : place + length])
                    if name in self._articles:
                        yield name
                        step = length
                        break
            place += step


def vocabulary_of(texts: Iterable[str]) -> frozenset[str]:
    """Return the words of some texts."""
    return frozenset(word for text in texts for word in words(text))


def shared_words(query: Sequence[tuple[str, float]], counts: Mapping[str, int], norm: float) -> float:
    """Return how much of a query's weight a text shares, from 0 to less than 1: BM25 over its greatest value.

    Args:
        query: The query's words with their inverse document frequencies.
        counts: How often each word stands in the text, its title counted.
        norm: What its length makes of a frequency (`TermStatistics.length_norm`).
    """
    matched = sum(weight * counts[word] / (counts[word] + norm) for word, weight in query if word in counts)
    total = sum(weight for _, weight in query)
    return matched / total if total else 0.0
