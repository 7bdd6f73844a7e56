"""Words of a claim that no column has, read as the word of a column that means nearly the same.

Such a word decides what a program may compute and whether a predicate is told; for how sure its verdict is,
it counts as left over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.tables.programs.index.derived.turned_tables import layouts_of
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.grounding import ground
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left, carried
from evidence_assets.tables.programs.wording.quantities import unit_name
from evidence_assets.tables.programs.wording.words import MOST_TOKENS, Token, tokens
from evidence_assets.tables.table import Table

if TYPE_CHECKING:
    from evidence_assets.models.encoder import Encode

# The least cosine from which, on development claims, no set had more sure and wrong verdicts than without,
# and no program that accounts for its claim supported an absent predicate (`benchmarks.table_meanings`).
LEAST_SIMILARITY = 0.65
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Meaning:
    """A word of a column's name that a claim's word is read as. `key`: its form; `similarity`: cosine."""

    column: str
    key: str
    similarity: float


Meanings = Mapping[str, Meaning]
NO_MEANINGS: Meanings = MappingProxyType({})


def meanings_of(
    claims: Sequence[tuple[str, Table]], encode: Encode, least: float = LEAST_SIMILARITY
) -> list[Meanings]:
    """Return for each claim the meanings of its words that its table lacks, those at least so similar.

    Every word is encoded once, in one call; of columns equally near the first is taken.
    """
    lacking = [_lacking(claim, table) for claim, table in claims]
    columns = [
        _column_words(table) if words else [] for words, (_, table) in zip(lacking, claims, strict=True)
    ]
    texts = sorted(
        {word for words in lacking for word in words}
        | {token.text for column_words in columns for _, token in column_words}
    )
    if not texts:
        return [{} for _ in claims]
    vectors = dict(zip(texts, encode(texts), strict=True))

    def nearest(word: str, column_words: list[tuple[str, Token]]) -> Meaning:
        candidates = (
            Meaning(name, token.key, round(float(vectors[word] @ vectors[token.text]), 6))
            for name, token in column_words
        )
        return max(candidates, key=lambda meaning: meaning.similarity)

    return [
        {
            word: meaning
            for word in words
            if column_words and (meaning := nearest(word, column_words)).similarity >= least
        }
        for words, column_words in zip(lacking, columns, strict=True)
    ]


def _lacking(claim: str, table: Table) -> list[str]:
    """Return a claim's content words that neither cells nor headers have."""
    if len(tokens(claim)) > MOST_TOKENS:
        return []
    grounded = ground(claim, index_of(layouts_of(table)[0]))
    words = (
        grounded.tokens[position].text for position, grade in carried(grounded).items() if grade is Left.WORD
    )
    # A unit that is much like another is another still: miles are no kilometres.
    return [
        word
        for word in dict.fromkeys(words)
        if word.isalpha() and len(word) >= _SHORTEST and not unit_name(word)
    ]


def _column_words(table: Table) -> list[tuple[str, Token]]:
    return [
        (name, token)
        for name in layouts_of(table)[0].header
        for token in tokens(name)
        if not token.stop and not token.mark and token.number is None
    ]


def as_meant(claim_tokens: tuple[Token, ...], meanings: Meanings) -> tuple[Token, ...]:
    """Return a claim's tokens, those with a meaning equal to the column's word."""
    return tuple(
        replace(token, key=meanings[token.text].key) if token.text in meanings else token
        for token in claim_tokens
    )


def with_similarities(accounting: Accounting, meanings: Meanings) -> Accounting:
    """Return an accounting whose bindings say which of them rest on meaning, and how near it is."""
    if not meanings:
        return accounting

    def with_meaning(binding: Binding) -> Binding:
        similarities = [
            meanings[token.text].similarity for token in tokens(binding.text) if token.text in meanings
        ]
        if not similarities or binding.role is not Role.EVIDENCE:
            return binding
        return replace(binding, role=Role.MEANING, similarity=min(similarities))

    return Accounting(tuple(map(with_meaning, accounting.bindings)))
