"""Words of a question that begin like words of the table: nouns like headers, adjectives like places."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.wording.measures import is_made_of

# Two words begin alike where they share this many letters, and this part of the shorter one.
_LETTERS, _PART = 4, 0.75
# The same of an adjective without its ending and a name: `Norweg` and Norway.
_LETTERS_OF_NAMES, _PART_OF_NAMES = 3, 0.6
_ENDS_OF_ADJECTIVES = ("ian", "ean", "ese", "ish", "an")


def resembles(word: str, key: str) -> bool:
    """Return whether a word may be another form of one of the table's, or what that is short for.

    What the table's goes on from has to be made of it: of `buy` a buyer, of `pass` no passengers.
    """
    return begin_alike(word, key) and (not key.startswith(word) or key == word or is_made_of(key, word))


def begin_alike(word: str, key: str, letters: int = _LETTERS, part: float = _PART) -> bool:
    """Return whether two words share so many first letters, and such a part of the shorter one."""
    shared = _letters_shared(word, key)
    is_whole = shared == min(len(word), len(key)) >= _LETTERS_OF_NAMES
    return (shared >= letters or is_whole) and shared >= part * min(len(word), len(key))


def adjective_links(claim: GroundedClaim) -> Iterator[Link]:
    """Yield the rows of a column that adjectives of places name, which the table has no word for."""
    postings = claim.index.postings
    for position in claim.linked.unknown:
        stem = _stem_of_adjective(claim.texts[position])
        if not stem or not claim.tokens[position].cased:
            continue
        keys = [key for key in postings if begin_alike(stem, key, _LETTERS_OF_NAMES, _PART_OF_NAMES)]
        nearest = max((_letters_shared(stem, key) for key in keys), default=0)
        cells = {cell for key in keys if _letters_shared(stem, key) == nearest for cell in postings[key]}
        columns = {column for _, column in cells}
        if len(columns) == 1:
            rows = frozenset(row for row, _ in cells)
            name = f"is {claim.texts[position]}"
            yield Link.of_column(position, position + 1, columns.pop(), rows, name)


def _stem_of_adjective(text: str) -> str:
    """Return an adjective of a place without its ending; nothing where it has none."""
    return next((text[: -len(end)] for end in _ENDS_OF_ADJECTIVES if text.endswith(end)), "")


def _letters_shared(word: str, key: str) -> int:
    """Return with how many letters both begin."""
    return len([*takewhile(lambda pair: pair[0] == pair[1], zip(word, key, strict=False))])
