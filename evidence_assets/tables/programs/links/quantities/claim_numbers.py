"""Numbers of a claim that are no values: of names, of days, of all rows, of the caption, or for a row."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from evidence_assets.tables.programs.index.derived.contests import ContestTable
from evidence_assets.tables.programs.index.kept import kept_for_indexes
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.wording.contest_words import OUTCOMES
from evidence_assets.tables.programs.wording.percent_words import is_in_percent
from evidence_assets.tables.programs.wording.quantifier_words import DIFFERENT, EXACTLY, is_the_one
from evidence_assets.tables.programs.wording.trigger_lexicon import HIGHEST, LOWEST, comparative, is_graded
from evidence_assets.tables.programs.wording.words import ARTICLES, Token, is_possessed_by
from evidence_assets.text.calendar_words import MONTHS


def ends_a_name(claim_tokens: tuple[Token, ...], position: int) -> bool:
    """Return whether a number is joined to a word by a hyphen: `KX-50`."""
    if position < _JOINED:
        return False
    word, hyphen, number = claim_tokens[position - _JOINED : position + 1]
    joined = word.end == hyphen.start and hyphen.end == number.start
    return joined and hyphen.text == "-" and word.number is None and not word.mark


_JOINED = 2


def is_day_of_a_month(claim_tokens: tuple[Token, ...], position: int) -> bool:
    """Return whether a number stands beside a month, whose day it may be: 9 of `on 9 May`, of `May 9`."""
    number = claim_tokens[position].number
    if number is None or number > _DAYS_OF_A_MONTH:
        return False
    return any(token.text in MONTHS for token in claim_tokens[max(0, position - 1) : position + 2])


_DAYS_OF_A_MONTH = 31


def caption_numbers(claim_tokens: tuple[Token, ...], index: TableIndex) -> Iterator[int]:
    """Yield numbers that the claim repeats from the caption with a neighbour: `season 3`, `2005 games`."""
    for position, token in enumerate(claim_tokens):
        if token.number in index.caption_years:
            yield position
    if not any(token.number is not None for token in claim_tokens):
        return
    pairs = set(pairwise(index.caption_words))
    for position in range(len(claim_tokens) - 1):
        first, second = claim_tokens[position : position + 2]
        if (first.number is None) == (second.number is None) or (first.key, second.key) not in pairs:
            continue
        if index.postings.get(first.key, set()).isdisjoint(index.postings.get(second.key, set())):
            # Of `Channel 7`, which a cell holds too, it is the name's.
            yield position if first.number is not None else position + 1
            if is_day_of_a_month(claim_tokens, position + (first.number is None)):
                # The month of a day that the caption tells is no cell's either.
                yield position if first.number is None else position + 1


def pronouns_of_rows(claim_tokens: tuple[Token, ...]) -> Iterator[int]:
    """Yield positions of `one` as a pronoun for a row: `the one on 4 May`, `is one of two`, `no one`."""
    texts = [token.text for token in claim_tokens]
    for position in range(1, len(claim_tokens) - 1):
        if claim_tokens[position].key != "1" or claim_tokens[position].ordinal:
            continue
        before, after = claim_tokens[position - 1].text, claim_tokens[position + 1]
        stands_alone = before == "the" and after.stop and not after.mark
        the_only = before == "only" and position > 1 and claim_tokens[position - 2].text == "the"
        graded = the_only or before in {"other", "another"} or claim_tokens[position - 1].ordinal
        # `The shortest one offered`.
        superlative = is_graded(before, "est")
        graded = graded or bool(comparative(before)) or superlative
        # `Takes longer than one on line 2`.
        graded = graded or (before == "than" and is_graded(texts[position - 2], "er"))
        ends = after.stop or after.mark or superlative
        # `The only one of the four who`.
        joined = after.text == "-" or (after.text == "of" and not the_only)
        stands_alone = stands_alone or (graded and ends and not joined)
        stands_alone = stands_alone or _stands_for_a_row(claim_tokens, position)
        is_one_of = after.text == "of" and before in {"be", "not"}
        is_none = before in {"no", "not", "every", "each"} and claim_tokens[position].text == "one"
        if stands_alone or is_one_of or is_none or is_the_one(texts, position):
            yield position


def _stands_for_a_row(claim_tokens: tuple[Token, ...], position: int) -> bool:
    """Return whether `one` stands for a noun said before: `costs more than one for Kiel`, `a red one`."""
    texts = [token.text for token in claim_tokens]
    if texts[position] != "one" or claim_tokens[position].capital:
        return False
    if texts[position - 1] == "than":
        behind = claim_tokens[position + 1 : position + 3]
        of_a_name = behind[0].text == "of" and behind[-1].capital
        return texts[position - 2] in _MORE_OR_LESS and (of_a_name or behind[0].text in _BELONGING)
    determined = any(text in ARTICLES for text in texts[max(0, position - _JOINED - 1) : position - 1])
    ends = claim_tokens[position + 1].mark and texts[position + 1] != "-"
    before = claim_tokens[position - 1]
    return determined and ends and before.number is None and before.text not in {"number", "and"}


_MORE_OR_LESS = frozenset({"more", "less"})
_BELONGING = frozenset({"for", "from", "at", "to"})


def numbers_of_row_nouns(claim_tokens: tuple[Token, ...], index: TableIndex) -> Iterator[int]:
    """Yield numbers in words before what the table calls its rows, in the plural: `four versions`.

    Behind an article the plural is told by the number alone, of crowd workers' `the five nation`. Of what
    rows go by the numbers of, those in digits too: `3 plots` are not plot 3.
    """
    numbering = frozenset(index.headers[0] if index.numbers_its_rows(0) else ())
    nouns = numbering.union(index.headers[index.table.label_column or 0])
    for position, token in enumerate(claim_tokens[:-1]):
        if token.number is None or token.ordinal:
            continue
        if not token.text.isalpha() and claim_tokens[position + 1].key not in numbering:
            continue
        of_different = claim_tokens[position + 1].text in DIFFERENT and position + 2 < len(claim_tokens)
        noun = claim_tokens[position + 1 + of_different]
        behind_the = position and token.text.isalpha() and claim_tokens[position - 1].text == "the"
        is_plural = noun.text.endswith("s") or behind_the
        if noun.key in nouns and is_plural:
            yield position


def numbers_of_times(claim_tokens: tuple[Token, ...]) -> Iterator[int]:
    """Yield words that say how many times something was so, which no cell tells: `won twice`, `only once`."""
    return (position for position, token in enumerate(claim_tokens) if token.text in TIMES_OVER)


TIMES_OVER = frozenset({"once", "twice", "thrice"})


def numbers_of_parts(claim_tokens: tuple[Token, ...], index: TableIndex) -> Iterator[int]:
    """Yield numbers that say of how many rows a claim is: five of `five of the nine species`.

    `One of the oldest` says no number of them, four of `four of the top five` does. Of plots that go by
    numbers, `only one plot` is no plot 1.
    """
    texts = tuple(token.text for token in claim_tokens)
    nouns = {*index.headers[0], *index.caption} if names_rows_by_numbers(index) else set[str]()
    for position, token in enumerate(claim_tokens[1:-1] if nouns else (), 1):
        counts = bool(nouns) and token.number is not None and not token.ordinal and token.text.isalpha()
        is_exact = texts[position - 1] in EXACTLY and claim_tokens[position + 1].key in nouns
        is_of_all = position == 1 and texts[0] in _BEFORE_SEVERAL and "all" in texts
        if counts and (is_exact or is_of_all):
            yield position
    for position, token in enumerate(claim_tokens[:-3]):
        if token.number is None or token.ordinal:
            continue
        is_part = texts[position + 1] == "of" and texts[position + 2] in _DEFINITE | OF_THEM
        if not is_part or token.number > len(index.rows) or _is_a_name(claim_tokens, position, index):
            continue
        # `The lit one of the two` is a row.
        is_row = token.number == 1 and texts[max(0, position - 2)] == "the"
        behind, whole = texts[position + 3], claim_tokens[position + 4 : position + 5]
        is_extreme = behind in HIGHEST | LOWEST or is_graded(behind, "est")
        # Of `four of the top five` the top are so many.
        is_slice = token.number != 1 and any(word.number for word in whole)
        if not is_row and (is_slice or not is_extreme):
            yield position


def _is_a_name(claim_tokens: tuple[Token, ...], position: int, index: TableIndex) -> bool:
    """Return whether a number stands behind what rows go by: of `week 4 of the plan`."""
    return (
        position > 0 and claim_tokens[position - 1].key in index.headers[0] and names_rows_by_numbers(index)
    )


_BEFORE_SEVERAL = frozenset({"the", "all", "these"})


@kept_for_indexes
def names_rows_by_numbers(index: TableIndex) -> bool:
    """Return whether rows go by the numbers of the first column, which counts nothing."""
    numbers = [index.series[0].get(row) for row in index.rows]
    return None not in numbers and len(set(numbers)) == len(numbers) and not index.told_units[0]


# What was told before.
OF_THEM = frozenset({"them", "which", "whom"})
_DEFINITE = frozenset({"the", "these", "those", "its", "their", "his", "her"})


# Words before the number of all rows.
OF_ALL_ROWS = (("of", "the"), ("all", "the"), ("of", "these"), ("all",))


def row_totals(
    claim_tokens: tuple[Token, ...], index: TableIndex, openings: Collection[tuple[str, ...]]
) -> Iterator[int]:
    """Yield where a claim rightly tells how many rows there are: six of `the oldest of the six`."""
    rows = len(index.rows - index.summaries)
    for position, token in enumerate(claim_tokens):
        if token.number == rows and not token.ordinal:
            before = tuple(preceding.text for preceding in claim_tokens[max(0, position - 2) : position])
            opened = before in openings or before[-1:] in openings
            if (opened and token.text.isalpha()) or _is_whole(claim_tokens, position):
                yield position


def _is_whole(claim_tokens: tuple[Token, ...], position: int) -> bool:
    """Return whether a number is what another is a part of: 8 of `4 of the 8`, of `4 of the county's 8`."""
    words = claim_tokens[max(0, position - _PART_BEFORE) : position]
    of = [n for n, word in enumerate(words) if word.text == "of"]
    if not of or not any(word.number is not None and not word.ordinal for word in words[: of[-1]]):
        return False
    between = words[of[-1] + 1 :]
    owned = bool(between) and is_possessed_by(between[-1], claim_tokens[position])
    return owned or all(word.text in _DEFINITE for word in between)


# So many words stand between the beginning of a part and its whole.
_PART_BEFORE = 6


def numbers_of_no_cell(claim_tokens: tuple[Token, ...], index: TableIndex) -> Iterator[int]:
    """Yield words linked to no cell: for rows, of the caption, for per cent, the number of all rows."""
    yield from pronouns_of_rows(claim_tokens)
    yield from caption_numbers(claim_tokens, index)
    yield from row_totals(claim_tokens, index, OF_ALL_ROWS[:1])
    yield from numbers_of_row_nouns(claim_tokens, index)
    yield from numbers_of_parts(claim_tokens, index)
    yield from numbers_of_times(claim_tokens)
    yield from numbers_of_those_meant(claim_tokens, index)
    texts = [token.text for token in claim_tokens]
    for position, token in enumerate(claim_tokens):
        if token.number is not None and is_in_percent(texts, position):
            yield position + 1
        if token.number is not None and is_of_compared(texts, position):
            yield position


def numbers_of_those_meant(claim_tokens: tuple[Token, ...], index: TableIndex) -> Iterator[int]:
    """Yield where it stands in words how many are meant: `neither of the two`, `won nine games`."""
    texts = [token.text for token in claim_tokens]
    for position, token in enumerate(claim_tokens):
        if token.number is None or token.ordinal or not token.text.isalpha() or not position:
            continue
        of_the = texts[max(0, position - 2) : position - 1] == ["of"] and texts[position - 1] in _DEFINITE
        quantified = of_the and texts[max(0, position - 3)] in _QUANTIFYING
        behind = texts[position + 1 : position + 5]
        counts_contests = claim_tokens[position - 1].key in OUTCOMES and _OF_STREAKS.isdisjoint(behind)
        counts_contests = counts_contests and (isinstance(index.table, ContestTable) or bool(index.outcomes))
        if quantified or counts_contests:
            yield position


# `Won two in a row`; a score is `won three - nil`.
_OF_STREAKS = frozenset({"row", "straight", "consecutive", "successive", "-"})
_QUANTIFYING = frozenset({"neither", "none", "both", "all", "each", "any", "either"})


def is_of_compared(texts: Sequence[str], position: int) -> bool:
    """Return whether a number tells among how many something is compared: `the younger of the two`."""
    if position == 0 or texts[position - 1] != "the":
        return False
    ends = tuple(texts[position + 1 : position + 2]) in {(), (".",), (",",)}
    opening = tuple(texts[max(0, position - _OF_THE_NUMBER) : position])
    return ends and opening[-2:] == ("of", "the") and any(map(comparative, opening[:-2]))


# `The fewer bunks of the two`.
_OF_THE_NUMBER = 4
