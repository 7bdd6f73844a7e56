"""Claims of average speeds, which follow from how far something goes and how long it takes for that."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.grammar.number_programs import Arithmetic, Cell
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.readings.arithmetic.claimed_amounts import ClaimedAmount, amounts_of
from evidence_assets.tables.programs.readings.parts.compared_rows import single_rows
from evidence_assets.tables.programs.readings.parts.proposal import Proposal, numeric_columns, proposed
from evidence_assets.tables.programs.wording.quantities import converted
from evidence_assets.tables.programs.wording.words import word_keys
from evidence_assets.tables.programs.wording.words_of_wholes import AVERAGING, averaging_words

_IN_EACH = " / "
_SPEEDS = frozenset({"speed", "speeds", "pace"})
# Headers, as stems, of how far something goes, and of how long it takes.
_DISTANCES = word_keys("distance length")
_TIMES = word_keys("time duration")


def average_speed_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `an average of more than 20 km/h`: a row's distance in its time, where no column tells speeds."""
    if AVERAGING.isdisjoint(claim.texts):
        return
    index, names = claim.index, claim.names
    averaging = averaging_words(claim.texts, range(len(claim.texts)))
    for amount in amounts_of(claim, names):
        distance, of_each, time = amount.unit.partition(_IN_EACH)
        if not of_each or _columns_in(claim, amount.unit):
            continue
        above, below = _column_in(claim, distance, _DISTANCES), _column_in(claim, time, _TIMES)
        if above is None or below is None or (rows := single_rows(claim, names, above)) is None:
            continue
        program = amount.compared(
            Arithmetic("/", Cell(rows[0], above), Cell(rows[0], below)),
            _as_columns_tell(claim, amount, (above, below)),
        )
        if program.run(index).truth is not None:
            speeds = [n for n, text in enumerate(claim.texts) if text in _SPEEDS]
            operators = [*amount.words, *averaging, *speeds]
            yield proposed(claim, "quotient of columns", program, rows[1], [above, below], operators)


def _columns_in(claim: GroundedClaim, unit: str) -> list[int]:
    """Return the columns of numbers that are told in a unit or in one of its kind."""
    index = claim.index
    return [
        column
        for column in index.numeric_columns
        if any(converted(1.0, unit, name) is not None for name in index.told_units[column])
    ]


def _column_in(claim: GroundedClaim, unit: str, headers: frozenset[str]) -> int | None:
    """Return the only column in a unit, the only one that is named, or that has one of some headers."""
    columns = _columns_in(claim, unit)
    named = set(numeric_columns(claim, claim.linked.headers))
    headed = [column for column in columns if not headers.isdisjoint(claim.index.headers[column])]
    for chosen in (columns, [column for column in columns if column in named], headed):
        if len(chosen) == 1:
            return chosen[0]
    return None


def _as_columns_tell(claim: GroundedClaim, amount: ClaimedAmount, columns: tuple[int, int]) -> float:
    """Return a speed in the units of the columns of distances and of times."""
    distance, _, time = amount.unit.partition(_IN_EACH)
    number = amount.number
    for column, unit, power in zip(columns, (distance, time), (1, -1), strict=True):
        of_column, rows = claim.index.units[column]
        column_unit = next(iter(rows.values()), unit)
        number *= ((converted(1.0, unit, column_unit) or 1.0) / of_column.scale) ** power
    return number
