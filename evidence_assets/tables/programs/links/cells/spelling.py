"""Words of a claim that are misspelt or derived, in the spelling of the table."""

from __future__ import annotations

from dataclasses import replace

from rapidfuzz import fuzz, process

from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.wording.nations import OF_ANY_COUNTRY
from evidence_assets.tables.programs.wording.words import Token
from evidence_assets.text.words import word_set

# Least similarity of spelling, in percent, and least length, of misspelt words that are matched.
_FUZZY_LEAST, _FUZZY_LENGTH = 84, 5
# Shorter words are neither misspelt nor what others derive from.
_SHORTEST = 4
# What is added to a place's name: of `Norwegian`, `Japanese`.
_DEMONYM_ENDS = ("n", "an", "ian", "ean", "ese", "ish", "i", "nian")

# Words of how many, which are no names and no other words misspelt: `single` is no `shingles`.
_SPELT_RIGHT = word_set("single double triple several multiple plenty")


def as_spelt_in(tokens: tuple[Token, ...], index: TableIndex) -> tuple[Token, ...]:
    """Return the claim's tokens, misspelt or derived words replaced by the table's spelling."""
    result = []
    for token in tokens:
        may_be_misspelt = not token.stop and token.number is None and len(token.key) >= _SHORTEST
        key = _near_word(token, index) if may_be_misspelt and not index.says(token.key) else None
        result.append(replace(token, key=key) if key else token)
    return tuple(result)


def _near_word(token: Token, index: TableIndex) -> str | None:
    """Return the word of the table that another derives from, or is a misspelling of; None without one."""
    key = token.key
    for length in range(len(key) - 1, _SHORTEST - 1, -1):
        if key[:length] in index.postings and key[length:] in _DEMONYM_ENDS:
            return key[:length]
    if len(key) < _FUZZY_LENGTH or token.text in _SPELT_RIGHT:
        return None
    # Who misspells a word mostly knows how it begins: `bother` is no `other`.
    alike = [word for word in index.vocabulary if word[0] == key[0] and word not in OF_ANY_COUNTRY]
    match = process.extractOne(key, alike, scorer=fuzz.ratio, score_cutoff=_FUZZY_LEAST)
    return str(match[0]) if match else None
