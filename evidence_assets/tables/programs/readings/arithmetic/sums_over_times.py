"""Claims of what one row's numbers come to over the times that columns tell: `30 pages over the week`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from evidence_assets.tables.programs.grammar.number_programs import Arithmetic, Cell, Literal
from evidence_assets.tables.programs.grammar.row_programs import meet
from evidence_assets.tables.programs.grammar.types import Number
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.readings.arithmetic.claimed_amounts import amounts_of, as_column_tells
from evidence_assets.tables.programs.readings.parts.proposal import Proposal, proposed, where
from evidence_assets.tables.programs.readings.times.changes_over_time import claimed_change
from evidence_assets.tables.programs.readings.times.throughout import columns_spoken_of
from evidence_assets.tables.programs.wording.trigger_lexicon import AVERAGING, adding_words
from evidence_assets.tables.programs.wording.words_of_time import JOINS_OF_TIMES, OPENINGS_OF_SPANS, TIMES

_OVER = frozenset({"over", "during", "across", "throughout", "within", "in", "for", "of"})
_WHOLE = frozenset({"the", "these", "those", "whole", "entire", "full", "all"})


def sums_over_times(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether a row's numbers of all times, or of those of a span, come to what a claim tells.

    The number that they come to on average where the claim says so. Of a missing one nobody can tell.
    """
    columns = columns_spoken_of(claim)
    names = [link for link in claim.names if link.places]
    if len(columns) < _FEWEST or not names or claim.superlatives or claimed_change(claim) is not None:
        return
    rows = meet([where(claim, link) for link in names])
    spans = _words_of_spans(claim, columns)
    told = [n for n in spans if claim.tokens[n].number is not None]
    wrong = any(claim.tokens[n].number != len(columns) for n in told if claim.texts[n].isalpha())
    amounts = [amount for amount in amounts_of(claim, names) if amount.position not in spans]
    if not spans or wrong or len(amounts) != 1 or len(rows.run(claim.index).rows) != 1:
        return
    amount = amounts[0]
    bound = as_column_tells(claim, amount.number, amount.unit, columns[0])
    if bound is None or len({claim.index.units[column][0] for column in columns}) > 1:
        return
    numbers: list[Number] = [Cell(rows, column) for column in columns]
    total = reduce(lambda left, right: Arithmetic("+", left, right), numbers)
    averaging = [n for n, text in enumerate(claim.texts) if text in AVERAGING]
    if averaging:
        total = Arithmetic("/", total, Literal(float(len(columns))))
    adding = adding_words(claim.texts, range(len(claim.texts)))
    words = [*spans, *amount.words, *adding, *averaging]
    yield proposed(claim, "sum over times", amount.compared(total, bound), names, columns, words)


_FEWEST = 2


def _words_of_spans(claim: GroundedClaim, columns: tuple[int, ...]) -> list[int]:
    """Return the words of `over the five days`, `from May to July`, or of a sum; none without such."""
    tokens, texts = claim.tokens, claim.texts
    said = [n for n in range(len(texts)) if tokens[n].key in TIMES or _is_headed(claim, n, columns)]
    ends = [n for n in said if _is_headed(claim, n, columns)]
    if len(ends) > 1 and texts[ends[0] - 1] in OPENINGS_OF_SPANS and texts[ends[0] + 1] in JOINS_OF_TIMES:
        return [*range(ends[0] - 1, ends[-1] + 1)]
    if ends:
        return []
    for position in said:
        start = position
        while start and (texts[start - 1] in _WHOLE or tokens[start - 1].number is not None):
            start -= 1
        before = texts[start - 1] if start else ""
        if before in _OVER and (before not in {"in", "for", "of"} or _tells_whole(claim, start, position)):
            return [*range(start - 1, position + 1)]
    return adding_words(texts, range(len(texts)))


def _tells_whole(claim: GroundedClaim, start: int, end: int) -> bool:
    """Return whether `in` opens all of the times: `in the four years`, `in the whole week`."""
    of_all = {"all", "whole", "entire", "full"}
    return any(claim.texts[n] in of_all or claim.tokens[n].number is not None for n in range(start, end))


def _is_headed(claim: GroundedClaim, position: int, columns: tuple[int, ...]) -> bool:
    """Return whether a word is the header of one of some columns."""
    year = claim.tokens[position].number
    if year is not None and year in {claim.index.year_columns.get(column) for column in columns}:
        return True
    heads = (head for head in claim.linked.headers if head.start <= position < head.end)
    return any(head.columns <= {*columns} for head in heads)
