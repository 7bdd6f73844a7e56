"""Finds the words at a question's end that ask for names: "is there one, and what is it called"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import dropwhile

from evidence_assets.kgqa.words.word_classes import AUXILIARIES, BE, POLITE, QUESTION_WORDS, REQUESTS
from evidence_assets.reading.accounting import spans
from evidence_assets.text.words import word_set

_ASKING = word_set("what which who")
_JOINING = (("and", "if", "so"), ("and",), ("if", "so"))
# "What is it called", "what are their names", "which ones are they".
_NAMING = BE | word_set(
    "s it its they their them he his she her that those the call called name names one ones"
)
# What is to be named, behind a request alone: "list them", "tell me their names", "give the name".
_NAMED = word_set("it its they them their the name names ones")
# What stands between a thing and what asks for its name.
_PAUSES = frozenset(",;:-–—")


def asked_names(text: str) -> range:
    """Return the places of the words at the end of a question that ask for names; or none.

    They ask for what the words before them are about, a question of yes or no or none at all, and say nothing
    else of it: "is there one, and what is it called", "are there any? List them.", "the tallest one, what
    is it called".
    """
    words_at = spans(text)
    lowered = [text[start:end].lower() for start, end in words_at]
    is_yes_or_no = bool(lowered) and lowered[0] in AUXILIARIES
    for place in range(1, len(lowered)):
        rest = lowered[place:]
        if not is_yes_or_no and lowered[place - 1] in QUESTION_WORDS | REQUESTS:
            return range(0)
        joining = next((len(words) for words in _JOINING if tuple(rest[: len(words)]) == words), 0)
        behind = text[words_at[place - 1][1] : words_at[place][0]]
        if not is_yes_or_no:
            asks = behind.strip() in _PAUSES and rest[0] == "what" and _asks(rest)
        else:
            alone = _ends(behind)
            asks = bool(joining or alone) and _asks(rest[joining:], alone)
        if asks:
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
