"""Finds the words behind a yes-no question that ask for names: "is there one, and what is it called"."""

from __future__ import annotations

from collections.abc import Sequence

from evidence_assets.kgqa.words.word_classes import AUXILIARIES, BE
from evidence_assets.text.words import word_set

_ASKING = word_set("what which who")
_JOINING = (("and", "if", "so"), ("and",), ("if", "so"))
# "What is it called", "what are their names", "which ones are they".
_NAMING = BE | word_set(
    "s it its they their them he his she her that those the call called name names one ones"
)


def asked_names(lowered: Sequence[str]) -> range:
    """Return the places of the words at the end of a question, in small letters, that ask for names; or none.

    They ask for what the question of yes or no before them is about, which nothing else is said of.
    """
    if not lowered or lowered[0] not in AUXILIARIES:
        return range(0)
    for place in range(1, len(lowered)):
        for joining in _JOINING:
            behind = place + len(joining)
            asks = tuple(lowered[place:behind]) == joining and lowered[behind : behind + 1]
            if asks and asks[0] in _ASKING and _NAMING.issuperset(lowered[behind + 1 :]):
                return range(place, len(lowered))
    return range(0)
