"""Phrases of general English that bound, count, compare, deny and join, each with the operator that it is."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.kgqa.queries.algebra import Relational
from evidence_assets.kgqa.slots.slots import Kind, Part

_MORE, _LESS = Relational.MORE, Relational.LESS
_LEAST, _MOST = Relational.AT_LEAST, Relational.AT_MOST


def _phrases(texts: str) -> Iterator[tuple[str, ...]]:
    """Yield phrases that commas part, each as its words."""
    return (tuple(phrase.split()) for phrase in texts.split(","))


# Words before a number, or before what has one, by how they compare; `True`: of times alone.
BOUNDS: dict[tuple[str, ...], tuple[Relational, bool]] = {
    phrase: (relational, of_times)
    for relational, of_times, texts in (
        (_MORE, False, "more than, greater than, over, above, exceeding"),
        (_LESS, False, "less than, fewer than, under, below"),
        (_LEAST, False, "at least, no fewer than, no less than"),
        (_MOST, False, "at most, no more than, up to"),
        (Relational.EQUAL, False, "exactly, precisely, just"),
        (_MORE, True, "after, later than"),
        (_LEAST, True, "since"),
        (_LESS, True, "before, prior to, earlier than"),
        (_MOST, True, "until"),
    )
    for phrase in _phrases(texts)
}
# Single words that put one thing before or after another in time.
TIME_ORDERS = frozenset(
    phrase[0] for phrase, (_, of_times) in BOUNDS.items() if of_times and len(phrase) == 1
)
AFTERWARDS: dict[tuple[str, ...], Relational] = {
    **dict.fromkeys(
        _phrases(
            "or more, or later, or above, or over, or longer, or higher, or taller, or larger, or bigger,"
            "or heavier, or wider, or deeper, or better"
        ),
        _LEAST,
    ),
    **dict.fromkeys(
        _phrases(
            "or fewer, or less, or earlier, or under, or below, or shorter, or lower, or smaller, or lighter,"
            "or cheaper"
        ),
        _MOST,
    ),
}
PHRASES: dict[tuple[str, ...], Part] = {
    phrase: part
    for part, texts in (
        (Part(Kind.COUNT), "how many, number of, total number of"),
        (
            Part(Kind.EMPTY),
            "kind of, kinds of, sort of, sorts of, it true that, the case that, it correct that,"
            "it right that, count as, counts as, qualify as, qualifies as, i d like to know, like to know,"
            "love to know, want to know, need to know, i m looking for, i am looking for, i m after,"
            "i am after, i was wondering, wondering, i wonder, i mean, do you know, any idea,"
            "each of them, between them, in turn, at all, in all, in total, of them all, of all time,"
            "of their own, of its own, currently, current, presently, at the moment, at present, right now,"
            "just now, these days, carry out, carries out, carried out,"
            "carrying out, actually, really, indeed, as well, together,"
            "directly, immediately,"
            "both, either, any, some, how much,"
            "of the two, of these two, of the three, of these three, of the lot, of the whole lot,"
            "of the bunch",
        ),
        (
            Part(Kind.MOST),
            "largest number of, highest number of, greatest number of, biggest number of, most, maximum",
        ),
        (Part(Kind.MOST, greatest=False), "smallest number of, lowest number of, fewest, least, minimum"),
        (Part(Kind.MORE), "more"),
        (Part(Kind.MORE, greatest=False), "fewer, less"),
        (Part(Kind.THAN), "than"),
        (Part(Kind.AND), "as well as, but, and"),
        (Part(Kind.OR), "or"),
        (Part(Kind.EXCEPT), "other than, apart from, aside from, except, excluding, besides"),
        (
            Part(Kind.NEGATION),
            "but not, rather than, nor, neither, not, n't, never, no, nobody, nothing, none, without, cannot,"
            "lack, lacks, lacked, lacking, missing a, missing an, missing any, missing its, missing their",
        ),
        (Part(Kind.SAME), "same"),
        (Part(Kind.OTHER), "other, another, else"),
        (Part(Kind.TOTAL), "sum of"),
        (Part(Kind.MEAN), "on average"),
    )
    for phrase in _phrases(texts)
}
# Words that ask for a sum or a mean where no relation has them: "total length", "altogether".
CALCULATED = {
    **dict.fromkeys(("total", "altogether", "combined", "overall"), Kind.TOTAL),
    **dict.fromkeys(("average", "mean"), Kind.MEAN),
}
