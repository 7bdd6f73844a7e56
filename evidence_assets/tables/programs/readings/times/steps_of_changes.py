"""Between which times a change is that is told of each step of a series, of none, or of times listed."""

from __future__ import annotations

from itertools import pairwise

from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.readings.times.amounts_of_change import Change
from evidence_assets.tables.programs.readings.times.times_of_changes import named_years, word_before
from evidence_assets.tables.programs.wording.trigger_lexicon import EACH, comparative
from evidence_assets.tables.programs.wording.words import phrase_at
from evidence_assets.tables.programs.wording.words_of_time import TIMES

# The columns of each step, the earlier first, and the positions of the words that say so.
Steps = tuple[list[tuple[int, int]], list[int]]


def each_step(claim: GroundedClaim, years: list[tuple[int, int]]) -> Steps | None:
    """Return the steps of `fell every year`: from the year that `since` tells, up to that of `until`."""
    return _steps(claim, years, _words_of_steps(claim))


def no_step(claim: GroundedClaim, years: list[tuple[int, int]]) -> Steps | None:
    """Return the steps of `did not fall in any year`, the denial among the words."""
    any_time = next(
        (n for n, text in enumerate(claim.texts[:-1]) if text == "any" and claim.tokens[n + 1].key in TIMES),
        None,
    )
    if any_time is None or claim.negation is None or claim.negation > any_time:
        return None
    return _steps(claim, years, [claim.negation, any_time, any_time + 1])


def listed_steps(claim: GroundedClaim, change: Change, years: list[tuple[int, int]]) -> Steps | None:
    """Return the steps to each of the years of `fell in 2019 and 2020`; None where these are no list."""
    texts, columns = claim.texts, [column for _, column in years]
    named = named_years(claim, years)
    places = [place for _, place in named]
    if len(named) < 2 or comparative(texts[change.position]) or not all(map(columns.index, dict(named))):
        return None
    first, last = places[0], places[-1]
    joins = [n for n in range(first, last) if n not in places]
    opening = first - 1 - (texts[first - 1] == "both")
    if (
        texts[opening] != "in"
        or {texts[n] for n in joins} - {"and", ",", "in"}
        or "and" not in texts[first:last]
    ):
        return None
    words = [*range(opening, first), *joins]
    return [(columns[columns.index(c) - 1], c) for c, _ in named], words


def _steps(claim: GroundedClaim, years: list[tuple[int, int]], words: list[int] | None) -> Steps | None:
    """Return all steps, or those between the years that a claim names; None without words of steps."""
    columns = [column for _, column in years]
    named = named_years(claim, years)
    if words is None or len(named) > 2:
        return None
    places = sorted(columns.index(column) for column, _ in named)
    before = [word_before(claim, position) for _, position in named]
    if len(named) == 2:
        columns = columns[places[0] : places[1] + 1]
    elif named and before[0] in {"since", "from", "after"}:
        columns = columns[places[0] :]
    elif named and before[0] in {"until", "to", "till", "by"}:
        columns = columns[: places[0] + 1]
    elif named:
        return None
    openings = [position - 1 for _, position in named]
    # A single step is no series of them.
    return (list(pairwise(columns)), [*words, *openings]) if len(columns) > _FEWEST_STEPS else None


_FEWEST_STEPS = 2


def _words_of_steps(claim: GroundedClaim) -> list[int] | None:
    """Return the words of `every year`, `each single month`, `year after year`, `without a break`."""
    tokens = claim.tokens
    if (unbroken := words_unbroken(claim)) is not None:
        return unbroken
    for position, token in enumerate(tokens):
        nouns = [n for n in (position + 1, position + 2) if n < len(tokens) and tokens[n].key in TIMES]
        if not nouns and _is_of_no_cell(claim, position + 1) and _closes(claim, position + 2):
            # `Gained seats at every election`, of columns of years.
            nouns = [position + 1]
        if token.text in EACH and nouns:
            end = nouns[0] + 1
            to_the_next = claim.texts[end : end + len(_TO_THE_NEXT)] == _TO_THE_NEXT
            return list(range(position, end + (len(_TO_THE_NEXT) if to_the_next else 0)))
        again = [other.key for other in tokens[position + 2 : position + 3]]
        if token.key in TIMES and again == [token.key] and tokens[position + 1].text in _AFTER_EACH_OTHER:
            return list(range(position, position + 3))
    return None


# `From each census to the next`.
_TO_THE_NEXT = ("to", "the", "next")
_AFTER_EACH_OTHER = frozenset({"after", "by", "upon", "on", "to"})


def _is_of_no_cell(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word is the table's in no cell, though its caption may say it."""
    of_caption = any(token.key in claim.index.caption for token in claim.tokens[position : position + 1])
    return position in claim.linked.unknown or (of_caption and position not in claim.linked_positions)


def _closes(claim: GroundedClaim, position: int) -> bool:
    """Return whether a claim, or its clause, ends at a position, or goes on with a time."""
    following = claim.tokens[position : position + 1]
    return not following or following[0].mark or following[0].stop or following[0].number is not None


def words_unbroken(claim: GroundedClaim) -> list[int] | None:
    """Return the words of `without a break`, `steadily`; None where nothing says so."""
    for position in (n for n, text in enumerate(claim.texts) if text in _OPENING_UNBROKEN):
        phrase = phrase_at(claim.texts, position, _UNBROKEN)
        if phrase:
            return list(range(position, position + len(phrase)))
    return None


# That a change went on from each time to the next.
_UNBROKEN = (
    *(("without", "a", noun) for noun in ("break", "pause")),
    *(("without", noun) for noun in ("break", "pause", "interruption")),
    *((adverb,) for adverb in ("uninterruptedly", "continuously", "steadily", "consistently")),
    ("nothing", "but"),
)
_OPENING_UNBROKEN = frozenset(phrase[0] for phrase in _UNBROKEN)
