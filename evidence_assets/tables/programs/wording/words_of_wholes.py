"""Words for what several have together: sums, averages, `in all`, and `overall` or `as a whole`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from evidence_assets.text.words import word_set

AVERAGING = word_set("average averages averaged mean")
AGGREGATING = AVERAGING | word_set("total sum combined combine altogether together")
_ADDING = word_set("together altogether combined total sum")
_ADDING_PHRASES = tuple(
    tuple(phrase.split())
    for phrase in (
        "in all",
        "end to end",
        "between them",
        "add up",
        "adds up",
        "added up",
        "account for",
        "accounted for",
    )
)
_ACCOUNTING, _OF_SHARES = frozenset({"account", "accounted"}), word_set("% percent half third quarter most")
_OPENING_SUMS = frozenset(phrase[0] for phrase in _ADDING_PHRASES)
_SUMMING = _ADDING | _OPENING_SUMS
_IN_ALL = ("in", "all")
# Behind the name of all rows together, or of a single one.
AS_A_WHOLE = ("as", "a", "whole")
# Of all together, whether or not anything is added up.
OVERALL = (("overall",), ("altogether",))


def words_of_phrases(texts: Sequence[str], phrases: Collection[tuple[str, ...]]) -> list[int]:
    """Return the positions of the words of some phrases wherever these stand."""
    return [
        place
        for phrase in phrases
        for start in range(len(texts) - len(phrase) + 1)
        if tuple(texts[start : start + len(phrase)]) == phrase
        for place in range(start, start + len(phrase))
    ]


def adding_words(texts: Sequence[str], span: range) -> list[int]:
    """Return the positions in a span of the words that say that numbers are added up."""
    if _SUMMING.isdisjoint(texts):
        return []
    words = [n for n in span if texts[n] in _ADDING]
    opening = [n for n in span if texts[n] in _OPENING_SUMS]
    if not _OF_SHARES.isdisjoint(texts):
        # `A accounted for 60 %` is a share.
        opening = [n for n in opening if texts[n] not in _ACCOUNTING]
    for phrase in _ADDING_PHRASES if opening else ():
        starts = (n for n in opening if tuple(texts[n : n + len(phrase)]) == phrase)
        words += [
            m
            for n in starts
            # `In all indoor pools`, `in all these years` add nothing up.
            if phrase != _IN_ALL or not "".join(texts[n + 2 : n + 3]).isalpha()
            for m in range(n, n + len(phrase))
        ]
    return words


def averaging_words(texts: Sequence[str], among: Iterable[int]) -> list[int]:
    """Return the positions of the words that say that numbers are averaged."""
    return [] if AVERAGING.isdisjoint(texts) else [n for n in among if texts[n] in AVERAGING]
