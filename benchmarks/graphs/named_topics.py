"""Names of nodes in the questions of benchmarks, which nothing has linked, by the forms of names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evidence_assets.graphs.names.linking import Link, Linker
from evidence_assets.kgqa.graph.linked_questions import Topic
from evidence_assets.text.function_words import function_words
from evidence_assets.text.words import word_spans, words

# Words of a name that is looked for in a question.
LONGEST_NAME = 10
_ARTICLES = frozenset(["the", "a", "an"])


def named_topics(question: str, linker: Linker) -> tuple[Topic, ...]:
    """Return the names of nodes in a question, by their forms: of names that overlap the longest."""
    places = word_spans(question)
    phrases: dict[str, list[tuple[int, int]]] = {}
    for first in range(len(places)):
        for last in range(first, min(first + LONGEST_NAME, len(places))):
            phrase = question[places[first][0] : places[last][1]]
            if any(word not in function_words() for word in words(phrase)):
                phrases.setdefault(phrase, []).append((places[first][0], places[last][1]))
    links = linker.by_form(phrases)
    names = [
        (start, end, phrase)
        for phrase in links
        for start, end in phrases[phrase]
        # "To the great skua" is no more a name than "the great skua".
        if not _is_repeated(phrase, links)
    ]
    chosen: list[tuple[int, int, str]] = []
    for start, end, phrase in sorted(names, key=lambda name: (name[0] - name[1], name)):
        if all(end <= begin or start >= stop for begin, stop, _ in chosen):
            chosen.append((start, end, phrase))
    return tuple(
        Topic(phrase, start, end, tuple(sorted({link.node for link in links[phrase]})))
        for start, end, phrase in sorted(chosen)
    )


def _is_repeated(phrase: str, links: Mapping[str, Sequence[Link]]) -> bool:
    """Return whether a phrase is a name with a function word before it or a possessive ending after it."""
    first_word, _, rest = phrase.partition(" ")
    bare = [rest] if {*words(first_word)} <= function_words() - _ARTICLES else []
    bare += [phrase[:-2]] if phrase.lower().endswith(("'s", "’s")) else []
    bare += [phrase[:-1]] if phrase.endswith(("'", "’")) else []
    nodes = {link.node for link in links[phrase]}
    return any({link.node for link in links.get(bare_phrase, ())} == nodes for bare_phrase in bare)
