"""What orders and bounds in a claim, without the words that belong to a name or a header."""

from __future__ import annotations

from collections.abc import Sequence

from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import HeaderLink, Link, LinkedClaim
from evidence_assets.tables.programs.links.quantities.claim_numbers import pronouns_of_rows
from evidence_assets.tables.programs.links.ranks.standings import are_places
from evidence_assets.tables.programs.wording.superlative_words import (
    PEAKING,
    Superlative,
    ends_in_time,
    ends_of_doing,
    ends_of_rows,
    superlatives,
)
from evidence_assets.tables.programs.wording.thresholds import Threshold, thresholds
from evidence_assets.tables.programs.wording.words import Token, word_key


def free_thresholds(claim_tokens: tuple[Token, ...], index: TableIndex) -> list[Threshold]:
    """Return a claim's bounds but those on a pronoun for a row, `more than one`, and those in a name."""
    pronouns = {*pronouns_of_rows(claim_tokens)}
    return [
        limit
        for limit in thresholds(claim_tokens)
        if limit.position not in pronouns and not _opens_a_name(claim_tokens, limit, index)
    ]


def _opens_a_name(claim_tokens: tuple[Token, ...], limit: Threshold, index: TableIndex) -> bool:
    """Return whether a bound's number is the first word of a cell's name: `dearer than 22 Elm Road`."""
    pair = [token.key for token in claim_tokens[limit.position : limit.position + 2]]
    if len(pair) < 2 or claim_tokens[limit.position + 1].stop:
        return False
    cells = index.postings.get(pair[0], set()) & index.postings.get(pair[1], set())
    label = index.table.label_column
    return any(
        list(index.keys[cell][:2]) == pair and (cell[1] == label or not index.is_numeric(cell[1]))
        for cell in cells
    )


def is_in_a_name(linked: LinkedClaim, position: int) -> bool:
    """Return whether a number belongs to a name of several words: `Number 5 oil`."""
    return any(
        item.start <= position < item.end
        and item.words > 1
        and not any(map(linked.index.is_numeric, item.places))
        for item in linked.links
    )


def denies_in_a_name(linked: LinkedClaim, links: Sequence[Link], position: int) -> bool:
    """Return whether a negation belongs to a cell or header of a claim: `no party preference`."""
    table, tokens = linked.index.table, linked.tokens
    if tuple(token.key for token in tokens[position : position + 2]) in linked.index.denials:
        return True
    spans: list[Link | HeaderLink] = [*links, *linked.headers]
    for span in spans:
        if span.start < position < span.end:
            return True
        if span.start != position + 1:
            continue
        phrase = f" {' '.join(token.text for token in tokens[position : span.end])} "
        names = (
            [table.header[column] for column in span.columns]
            if isinstance(span, HeaderLink)
            else [table.rows[min(rows)][column].text for column, rows in span.places.items() if rows]
        )
        if any(phrase in f" {name.lower()} " for name in names):
            return True
    return False


def free_superlatives(claim_tokens: tuple[Token, ...], index: TableIndex) -> list[Superlative]:
    """Return a claim's superlatives that no header and no name has, and its `first` and `last` of rows."""
    extremes = [
        item
        for item in superlatives(claim_tokens)
        if not _is_of_a_header(claim_tokens, item, index) and not _is_of_a_place(claim_tokens, item, index)
    ]
    label = index.table.label_column
    of_clocks = index.headers[label] if index.clocks and label is not None else ()
    nouns = index.words_of_rows if index.dated else of_clocks
    of_dates = index.words_of_dates
    ends = [*ends_in_time(claim_tokens, of_dates), *ends_of_rows(claim_tokens, nouns)]
    done = ends_of_doing(claim_tokens, of_dates)
    starts = {item.start for item in done}
    extremes = [item for item in extremes if item.start not in starts]
    ends = [*done, *(item for item in ends if item.start not in starts)]
    ends = [item for item in ends if not _is_said_in_a_header(claim_tokens, item, index)]
    return sorted({*extremes, *ends}, key=lambda item: item.start)


# Part of many names: `best supporting actor`.
_BEST = word_key("best")


def _is_of_a_place(claim_tokens: tuple[Token, ...], extreme: Superlative, index: TableIndex) -> bool:
    """Return whether what peaked at a number did so in a column of places, which tell no more than that."""
    following = [token.text for token in claim_tokens[extreme.end : extreme.end + 1]]
    if extreme.word not in PEAKING or following != ["at"]:
        return False
    said = {token.key for token in claim_tokens[extreme.end :] if not token.stop}
    named = [c for c in index.numeric_columns if not said.isdisjoint(index.headers[c])]
    return bool(named) and all(are_places(index, column) for column in named)


def _is_of_a_header(claim_tokens: tuple[Token, ...], extreme: Superlative, index: TableIndex) -> bool:
    """Return whether a superlative is of a header, `first`, `last`, or of a row's name, as `Kestrel Max`."""
    words = [token.key for token in claim_tokens[extreme.start : extreme.end]]
    label = index.table.label_column
    if words == [_BEST] and _BEST in index.postings:
        return True
    names_a_row = any(
        column == label and _is_said_around(claim_tokens, extreme, index.keys[row, column])
        for row, column in index.postings.get(words[0], ())
    )
    names_a_row = names_a_row or _opens_a_cell(claim_tokens, extreme, index)
    heads_a_column = all(word in index.header_postings for word in words)
    elsewhere = _is_of_another_column(claim_tokens, extreme, index) or _is_of_all(claim_tokens, extreme)
    return names_a_row or (heads_a_column and not elsewhere)


def _opens_a_cell(claim_tokens: tuple[Token, ...], extreme: Superlative, index: TableIndex) -> bool:
    """Return whether a cell is a superlative with the words behind it: a species of `Least concern`."""
    said = [token.text for token in claim_tokens[extreme.start :]]
    if len(said) == extreme.end - extreme.start:
        return False
    places = index.postings.get(claim_tokens[extreme.end].key, ())
    cells = ([token.text for token in index.cells[row][column]] for row, column in places)
    return any(len(cell) > 1 and cell == said[: len(cell)] for cell in cells)


def _is_of_another_column(claim_tokens: tuple[Token, ...], extreme: Superlative, index: TableIndex) -> bool:
    """Return whether a superlative stands before another header: of `Highest salary`, the highest rent.

    Or before one of another unit: of `Highest (°C)`, most rain.
    """
    of_number = [token.text for token in claim_tokens[extreme.end : extreme.end + 2]] in _NUMBERS_OF
    noun = extreme.end + 2 * of_number
    behind = claim_tokens[noun].key if noun < len(claim_tokens) else ""
    with_word = index.header_postings.get(claim_tokens[extreme.start].key, set())
    with_noun = index.header_postings.get(behind, set())
    if extreme.word in _ENDS_OF_SCALES and with_noun and with_word.isdisjoint(with_noun):
        return True
    units, others = (
        {unit for column in index.header_postings.get(key, ()) for unit in index.told_units[column]}
        for key in (claim_tokens[extreme.start].key, behind)
    )
    return bool(units and others) and units.isdisjoint(others)


_ENDS_OF_SCALES = frozenset({"maximum", "max", "minimum", "min", "highest", "lowest", "largest", "smallest"})
_NUMBERS_OF = (["number", "of"], ["amount", "of"])


def _is_of_all(claim_tokens: tuple[Token, ...], extreme: Superlative) -> bool:
    """Return whether a superlative stands among all rows: `has the oldest ice of all cores`."""
    texts = [token.text for token in claim_tokens]
    behind = texts[extreme.end + 1 : extreme.end + 1 + _NOUN_AND_ALL]
    return any(behind[n : n + 2] in _OF_ALL for n in range(len(behind) - 1))


_OF_ALL = (["of", "all"], ["of", "any"], ["among", "all"])
_NOUN_AND_ALL = 3


def _is_said_in_a_header(claim_tokens: tuple[Token, ...], end: Superlative, index: TableIndex) -> bool:
    """Return whether `first`, `last` stands beside a word of the same header: `seen first`, `first flush`."""
    pair = {token.key for token in claim_tokens[end.start - 1 : end.end]}
    following = tuple(token.key for token in claim_tokens[end.start : end.end + 1])
    return any(pair <= set(header) or tuple(header) == following for header in index.headers)


def _is_said_around(claim_tokens: tuple[Token, ...], extreme: Superlative, name: tuple[str, ...]) -> bool:
    """Return whether a claim says a whole name where a superlative stands."""
    said = [token.key for token in claim_tokens]
    starts = range(max(0, extreme.end - len(name)), extreme.start + 1)
    return any(tuple(said[start : start + len(name)]) == name for start in starts)
