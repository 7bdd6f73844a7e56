"""Finds the words behind a yes-no question that ask for names: "is there one, and what is it called"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import dropwhile

from evidence_assets.kgqa.words.word_classes import AUXILIARIES, BE, POLITE, REQUESTS
from evidence_assets.reading.accounting import spans
from evidence_assets.text.words import word_set

_ASKING = word_set("what which who")
_JOINING = (("and", "if", "so"), ("and",), ("if", "so"))
# "What is it called", "what are their names", "which ones are they".
_NAMING = BE | word_set(
    "s it its they their them he his she her that those the call called name names one ones"
)
# What is to be named, behind a request alone: "list them", "tell me their names".
_NAMED = word_set("it its they them their names ones")


def asked_names(text: str) -> range:
    """Return the places of the words at the end of a question that ask for names; or none.

    They ask for what the question of yes or no before them is about, which nothing else is said of: "is there
    one, and what is it called", "is there one? Which?", "are there any? List them."
    """
    words_at = spans(text)
    lowered = [text[start:end].lower() for start, end in words_at]
    if not lowered or lowered[0] not in AUXILIARIES:
        return range(0)
    for place in range(1, len(lowered)):
        rest = lowered[place:]
        joining = next((len(words) for words in _JOINING if tuple(rest[: len(words)]) == words), 0)
        behind = text[words_at[place - 1][1] : words_at[place][0]]
        if (joining and _asks(rest[joining:])) or (_ends(behind) and _asks(rest[joining:], alone=True)):
            return range(place, len(lowered))
    return range(0)


def _ends(between: str) -> bool:
    """Return whether a sentence, or a clause, ends between two words."""
    return not {*between}.isdisjoint("?!.;:-–—")


def _asks(rest: Sequence[str], alone: bool = False) -> bool:
    """Return whether words ask for names: "what is it called", or, `alone`, "tell me which", "list them"."""
    behind_request = [*dropwhile((REQUESTS | POLITE).__contains__, rest)] if alone else rest
    if behind_request and behind_request[0] in _ASKING:
        return _NAMING.issuperset(behind_request[1:])
    requests = len(behind_request) < len(rest)
    return requests and bool(behind_request) and _NAMED.issuperset(behind_request)
