"""Programs that a claim may stand for: of the claim as a whole, and of its two halves."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.evidence.accounting import Role
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.readings.arithmetic.aggregates import (
    aggregate_programs,
    measured_aggregate_programs,
)
from evidence_assets.tables.programs.readings.arithmetic.average_speeds import average_speed_programs
from evidence_assets.tables.programs.readings.arithmetic.between_columns import between_programs
from evidence_assets.tables.programs.readings.arithmetic.claimed_ranges import range_programs
from evidence_assets.tables.programs.readings.arithmetic.derived_numbers import derived_programs
from evidence_assets.tables.programs.readings.arithmetic.prices_of_amounts import prices_of_amounts
from evidence_assets.tables.programs.readings.arithmetic.rates import rate_programs
from evidence_assets.tables.programs.readings.arithmetic.ratios import ratio_programs
from evidence_assets.tables.programs.readings.arithmetic.shares import share_programs
from evidence_assets.tables.programs.readings.arithmetic.shares_of_the_time_before import (
    shares_of_the_time_before,
)
from evidence_assets.tables.programs.readings.arithmetic.sums_over_times import sums_over_times
from evidence_assets.tables.programs.readings.arithmetic.worth_of_stocks import worth_programs
from evidence_assets.tables.programs.readings.orders.across_columns import across_programs
from evidence_assets.tables.programs.readings.orders.claimed_standings import (
    ranked_programs,
    standing_programs,
)
from evidence_assets.tables.programs.readings.orders.commonest import commonest_programs
from evidence_assets.tables.programs.readings.orders.comparisons import comparison_programs, contrast_programs
from evidence_assets.tables.programs.readings.orders.differences import (
    difference_programs,
    outranking_programs,
    sameness_programs,
)
from evidence_assets.tables.programs.readings.orders.extrema import superlative_programs
from evidence_assets.tables.programs.readings.parts.plans import plan_programs
from evidence_assets.tables.programs.readings.parts.proposal import Proposal
from evidence_assets.tables.programs.readings.rows.counts import count_programs
from evidence_assets.tables.programs.readings.rows.denials import denial_programs
from evidence_assets.tables.programs.readings.rows.facts import fact_programs
from evidence_assets.tables.programs.readings.rows.memberships import one_of_programs
from evidence_assets.tables.programs.readings.rows.outcomes_of_contests import outcome_programs
from evidence_assets.tables.programs.readings.rows.plural_subjects import plural_programs
from evidence_assets.tables.programs.readings.rows.quantifiers import quantifier_programs
from evidence_assets.tables.programs.readings.rows.statements import statement_programs
from evidence_assets.tables.programs.readings.rows.things_as_columns import things_programs
from evidence_assets.tables.programs.readings.times.changes import change_programs, step_programs
from evidence_assets.tables.programs.readings.times.first_times import first_programs
from evidence_assets.tables.programs.readings.times.series import series_programs
from evidence_assets.tables.programs.readings.times.throughout import throughout_programs
from evidence_assets.tables.programs.readings.times.times_between_rows import (
    gap_programs,
    order_programs,
    years_between_programs,
)

_GENERATORS = (
    comparison_programs,
    contrast_programs,
    ratio_programs,
    difference_programs,
    plan_programs,
    gap_programs,
    years_between_programs,
    sameness_programs,
    change_programs,
    step_programs,
    series_programs,
    order_programs,
    first_programs,
    outranking_programs,
    superlative_programs,
    commonest_programs,
    across_programs,
    throughout_programs,
    sums_over_times,
    ranked_programs,
    standing_programs,
    aggregate_programs,
    range_programs,
    share_programs,
    shares_of_the_time_before,
    quantifier_programs,
    outcome_programs,
    statement_programs,
    measured_aggregate_programs,
    derived_programs,
    between_programs,
    rate_programs,
    average_speed_programs,
    prices_of_amounts,
    worth_programs,
    count_programs,
    denial_programs,
    one_of_programs,
    things_programs,
    fact_programs,
)
# None of these is a reading of what is said of each of several rows: it is not of some, and counts none.
_OF_SOME_ROWS = frozenset(
    {outcome_programs, statement_programs, count_programs, one_of_programs, fact_programs}
)
CONJOINED = (Role.OPERATOR, "both clauses")


def simple_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield the programs of a claim as a whole, each once."""
    proposed: set[tuple[str, str]] = set()
    bound_by: dict[str, set[int]] = {}
    for proposal in _all_programs(claim):
        name = proposal.kind, proposal.program.describe(claim.index.table.header)
        before = bound_by.setdefault(name[1], set())
        if before >= proposal.bound.keys() and (before or name in proposed):
            continue
        proposed.add(name)
        before |= proposal.bound.keys()
        yield proposal


def _all_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield the programs of what is said of each of several rows, then those of a claim and its variants."""
    of_each = [*plural_programs(claim)]
    yield from of_each
    generators = [make for make in _GENERATORS if not of_each or make not in _OF_SOME_ROWS]
    for variant in claim.variants():
        for generate in generators:
            yield from generate(variant)
