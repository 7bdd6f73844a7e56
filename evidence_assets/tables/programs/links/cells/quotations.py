"""What a claim quotes: words between two marks that are a cell are its name, whatever they mean elsewhere.

The One of “The One Who Got Away” counts nothing, and the No of “No Exit” denies nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.wording.words import CLOSED_BY, Token
from evidence_assets.text.words import word_set

# Stand before the first of a cell's quoted words and before the others, so that these mean nothing else.
_FIRST, _FURTHER = "“", "”"
_QUANTIFIERS = word_set("all any both each every few many most no none not some")


def quotations(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Yield the first token of each quotation and the one behind its last, without the marks.

    A mark opens one where a word is joined to it behind and none before, as one is of `7" tall`.
    """
    opening: int | None = None
    for place, token in enumerate(tokens):
        if opening is not None and CLOSED_BY[tokens[opening].text] == token.text:
            if place > opening + 1:
                yield opening + 1, place
            opening = None
        elif opening is None and token.text in CLOSED_BY and _opens(tokens, place):
            opening = place


def _opens(tokens: Sequence[Token], place: int) -> bool:
    joined_before = place > 0 and tokens[place - 1].end == tokens[place].start and not tokens[place - 1].mark
    joined_behind = place + 1 < len(tokens) and tokens[place].end == tokens[place + 1].start
    return joined_behind and not joined_before


def with_quoted_names(tokens: tuple[Token, ...], index: TableIndex) -> tuple[Token, ...]:
    """Return a claim's tokens, each quotation that is a cell as a name, without its marks."""
    named = list(tokens)
    for start, end in reversed([*quotations(tokens)]):
        quoted = tokens[start:end]
        if not _means_itself(quoted) and _cells_of([token.key for token in _said(quoted)], index):
            signs = _FIRST + _FURTHER * (end - start - 1)
            named[start - 1 : end + 1] = map(_as_name, quoted, signs)
    return tuple(named)


def _means_itself(quoted: Sequence[Token]) -> bool:
    """Return whether a quotation is one number or quantifier, which is no name: `there are "7" songs`."""
    return len(quoted) == 1 and (quoted[0].number is not None or quoted[0].text in _QUANTIFIERS)


def _as_name(token: Token, sign: str) -> Token:
    return replace(token, text=sign + token.text, key=sign + token.key, number=None, ordinal=False)


def _said(quoted: Sequence[Token]) -> list[Token]:
    """Return the words of a quotation that carry content; all of one of function words."""
    return [token for token in quoted if not token.stop] or [token for token in quoted if not token.mark]


def quoted_cells(
    tokens: Sequence[Token], index: TableIndex
) -> Iterator[tuple[int, int, list[str], set[tuple[int, int]]]]:
    """Yield where each quoted name begins and ends, its keys, and the cells that say it and nothing else."""
    starts = (place for place, token in enumerate(tokens) if token.text.startswith(_FIRST))
    for start in starts:
        further = takewhile(lambda token: token.text.startswith(_FURTHER), tokens[start + 1 :])
        end = start + 1 + sum(1 for _ in further)
        keys = [without_sign(token.key) for token in _said(tokens[start:end])]
        yield start, end, keys, _cells_of(keys, index)


def _cells_of(keys: list[str], index: TableIndex) -> set[tuple[int, int]]:
    of_each = [index.postings.get(key, set()) for key in keys]
    places = set.intersection(*of_each) if of_each else set()
    return {place for place in places if list(index.keys[place]) == keys}


def without_sign(text: str) -> str:
    """Return a token's text as the claim has it, whether it is of a quoted name or not."""
    return text.lstrip(_FIRST + _FURTHER) or text
