"""Words of a claim that say that a number is below zero or above it: `retreated`, `a loss`, `positive`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.columns.signed_columns import sign_root
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import HeaderLink, Link
from evidence_assets.tables.programs.wording.superlative_words import Superlative
from evidence_assets.tables.programs.wording.thresholds import Threshold
from evidence_assets.tables.programs.wording.trigger_lexicon import CLAUSE_MARKS
from evidence_assets.tables.programs.wording.words import Token
from evidence_assets.text.dates import is_year
from evidence_assets.text.roots import root, word_roots


@dataclass(frozen=True, slots=True)
class Signs:
    """What a claim says of signs: of each word -1 for a loss and 1 for a gain, and the column that it is of.

    `column`: None where several may be meant. `bare`: nothing is said but that there was one.
    """

    words: dict[int, int]
    column: int | None
    bare: bool

    @property
    def tells_losses(self) -> bool:
        """Whether a claim tells losses alone, whose numbers are then what was lost."""
        return bool(self.words) and set(self.words.values()) == {-1}

    @property
    def tells_both(self) -> bool:
        """Whether a claim tells losses and gains, each in a clause of its own."""
        return len(set(self.words.values())) > 1


def told_signs(tokens: tuple[Token, ...], index: TableIndex) -> Signs:
    """Return what a claim says of the signs of a table's numbers; no words where these have none."""
    known = index.words_of_signs
    if not known:
        return Signs({}, None, bare=False)
    words = {n: sign for n, token in enumerate(tokens) if (sign := known.get(sign_root(token.text)))}
    years, profits = index.years_said(tokens), [*_profits(tokens, index)]
    if (words and profits) or not (words or profits):
        # Of `from a profit in 2022 to a loss in 2023` no row's one number tells.
        return Signs({}, None, bare=False)
    words = words or dict.fromkeys(profits, 1)
    columns = _of_years(index, years) or _of_both_signs(index)
    keys = {token.key for token in tokens}
    named = [column for column in columns if not keys.isdisjoint(index.headers[column])] or columns
    column = named[0] if len(named) == 1 and (years or len(index.signed) < _MATRIX) else None
    bare = not _tells_amount(tokens, min(words)) and (len(years) < _SEVERAL or column is None)
    return Signs(words, column, bare)


def _profits(tokens: Sequence[Token], index: TableIndex) -> Iterator[int]:
    """Yield the words that say that a number is above zero, of which a header tells: `made a profit`."""
    named = {key for column in index.signed for key in index.headers[column]}
    for place, token in enumerate(tokens[1:], 1):
        behind = tokens[place - 1].text
        if (
            root(token.text) in _OF_PROFITS
            and token.key in named
            and (behind in _BEFORE_PROFITS or token.text.endswith("able"))
            and not _tells_amount(tokens, place)
        ):
            yield place


def _of_years(index: TableIndex, years: Set[int]) -> list[int]:
    """Return the signed columns of the years that a claim says."""
    return [column for column in index.signed if index.year_columns.get(column) in years]


def _of_both_signs(index: TableIndex) -> list[int]:
    numbers = {column: index.series[column].values() for column in index.signed}
    return [column for column, told in numbers.items() if min(told, default=0.0) < 0 < max(told, default=0.0)]


_OF_PROFITS = word_roots("profit surplus")
_BEFORE_PROFITS = frozenset({"a", "any", "no", "in"})
_SEVERAL = 2
# Columns of signed numbers that are of the same, each of another thing.
_MATRIX = 3


def _tells_amount(tokens: Sequence[Token], position: int) -> bool:
    """Return whether more is said than that something was lost: how much, or more than something else."""
    texts = [token.text for token in tokens]
    marks = [-1, *(n for n, text in enumerate(texts) if text in _CLAUSES), len(texts)]
    start, end = max(n for n in marks if n < position), min(n for n in marks if n > position)
    if not {"than", "as", "same"}.isdisjoint(texts[start + 1 : end]):
        return True
    behind = range(position + 1, min(end, position + 1 + _NEAR))
    return any(
        tokens[n].number is not None
        and not tokens[n].ordinal
        and not is_year(texts[n])
        and texts[n - 1] not in _BEFORE_COUNTS
        and texts[n + 1 : n + 3] != ["of", "the"]
        for n in behind
    )


_CLAUSES = CLAUSE_MARKS | {",", "and"}
_NEAR = 7
_BEFORE_COUNTS = frozenset({"in", "on", "at", "during", "over", "the", "since", "from", "to", "/", "-"})


def sign_limits(signs: Signs, extremes: Sequence[Superlative]) -> list[Threshold]:
    """Return `retreated` as a bound, where a claim says no more and its column is not known."""
    if not signs.bare or signs.column is not None or extremes or signs.tells_both:
        return []
    return [Threshold(">", 0.0, position, position, position + 1) for position in signs.words]


def sign_links(signs: Signs, extremes: Sequence[Superlative], index: TableIndex) -> list[Link]:
    """Return `a positive balance` as the rows whose balance is above zero, where a claim says no more."""
    if not signs.bare or signs.column is None or extremes or signs.tells_both:
        return []
    rows = operations.rows_within(index.series[signs.column], ">", 0.0)
    condition = "< 0" if index.of_losses else "> 0"
    return [Link.of_column(n, n + 1, signs.column, rows, condition) for n in signs.words]


def sign_heads(signs: Signs, links: Sequence[Link]) -> list[HeaderLink]:
    """Return `the deficit` as the column of balances."""
    if links or signs.column is None:
        return []
    return [HeaderLink(n, n + 1, frozenset({signs.column}), 1.0) for n in signs.words]
