"""Claims that something was more, or less, than planned: of columns of plans and of what came of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evidence_assets.tables.programs.grammar.number_programs import Aggregate, Literal
from evidence_assets.tables.programs.grammar.row_programs import AllRows, Where
from evidence_assets.tables.programs.grammar.types import Number, Rows, Truth
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.links.ranks.standings import is_of_ranks
from evidence_assets.tables.programs.readings.parts.compared_rows import order_of
from evidence_assets.tables.programs.readings.parts.counters import counters_of
from evidence_assets.tables.programs.readings.parts.proposal import (
    Condition,
    Proposal,
    proposed,
)
from evidence_assets.tables.programs.readings.parts.told_differences import by_how_much
from evidence_assets.tables.programs.wording.quantifier_words import EXACTLY
from evidence_assets.tables.programs.wording.trigger_lexicon import THAN, comparative, each_word, exceeding
from evidence_assets.tables.programs.wording.words import Token, word_keys
from evidence_assets.tables.programs.wording.words_of_wholes import OVERALL, words_of_phrases
from evidence_assets.text.dates import is_year
from evidence_assets.text.words import word_set

PLANNED = word_keys("""
    plan planned budget budgeted target targeted forecast expected estimate estimated projected
""")
_ACHIEVED = word_keys("""
    actual actually spent outturn achieved real realised realized result final raised collected reached earned
    landed received
""")
_CARRYING = word_set("of it they he she we the its their be have had was were been originally initially")
_BESIDE = {"over": 1, "above": 1, "beat": 1, "under": -1, "below": -1, "missed": -1, "short": -1}
# So many words stand between a comparative and `planned`.
_WIDEST = 9


@dataclass(frozen=True, slots=True)
class _Deviation:
    """Where a claim says that something is beside its plan, the words of it, and whether above or below."""

    word: int
    words: tuple[int, ...]
    sign: int


def comparisons_with_plans(claim: GroundedClaim) -> Iterator[Condition]:
    """Yield the rows of which it holds that they `cost more than planned`, `stayed 20 under budget`."""
    deviation, reaching = _deviation(claim), _reaching_words(claim)
    columns = plan_and_actual(claim) if deviation is not None or reaching else None
    if columns is None:
        return
    plan, actual = columns
    series = claim.index.series
    shared = series[plan].keys() & series[actual].keys()
    if reaching and not _is_better_low(claim.index, actual):
        reached = frozenset(row for row in shared if series[actual][row] >= series[plan][row])
        name = f">= {claim.index.table.header[plan]}"
        link = Link.of_column(reaching[0], reaching[0] + 1, actual, reached, name)
        yield Condition(link, (actual, plan), reaching)
    if deviation is None:
        return
    amount = by_how_much(claim, deviation.word, deviation.sign, Literal(0.0), Literal(0.0))[2]
    holding = frozenset(
        row
        for row in shared
        if _compared(claim, deviation, *(Literal(series[c][row]) for c in (actual, plan)))
        .run(claim.index)
        .truth
    )
    name = f"{'>' if deviation.sign > 0 else '<'} {claim.index.table.header[plan]}"
    link = Link.of_column(deviation.word, deviation.word + 1, actual, holding, name)
    yield Condition(link, (actual, plan), (*deviation.words, *amount))


def _reaching_words(claim: GroundedClaim) -> tuple[int, ...]:
    """Return the words of `met the national target`, `reached its goal`; none without such."""
    for verb in [n for n, text in enumerate(claim.texts) if text in _REACHING]:
        behind = range(verb + 1, min(len(claim.texts), verb + _NEAR_TARGET))
        target = next((n for n in behind if claim.tokens[n].key in _TARGETS), None)
        if target is not None:
            return verb, target
    return ()


# Verbs of what came up to a target, whose nouns these are as stems, and how near behind they stand.
_REACHING = word_set("met meet meets reach reached reaches hit hits attained attains achieved achieves")
_TARGETS = word_keys("target goal quota")
_NEAR_TARGET = 4


def against_plan(claim: GroundedClaim) -> tuple[str, int, tuple[int, ...]] | None:
    """Return the relation to a plan that is told, the only column of plans, and the words; else None."""
    deviation, reaching = _deviation(claim), _reaching_words(claim)
    plans = [
        column
        for column in claim.index.numeric_columns
        if not PLANNED.isdisjoint(claim.index.headers[column])
    ]
    if len(plans) != 1:
        return None
    if deviation is not None:
        return (">" if deviation.sign > 0 else "<"), plans[0], deviation.words
    return (">=", plans[0], reaching) if reaching and not _is_better_low(claim.index, plans[0]) else None


def _is_better_low(index: TableIndex, column: int) -> bool:
    """Return whether a target of a column may be met from above: how long something may take, a rank."""
    said = index.caption | {*index.headers[column]}
    graded = index.tells_how_long(column) or is_of_ranks(index, column)
    return graded or not _BETTER_LOW.isdisjoint(said)


_BETTER_LOW = word_keys("time waiting delay duration emission accident error fault complaint death cost")


@dataclass(frozen=True, slots=True)
class MissedPlan:
    """The columns of a plan and of what came of it, the relation told of them, and the words that tell it."""

    plan: int
    actual: int
    relation: str
    words: tuple[int, ...]


def missed_plan(claim: GroundedClaim) -> MissedPlan | None:
    """Return what a claim tells of a plan and its outcome: `over budget`, `less than planned`, `on plan`."""
    columns = plan_and_actual(claim)
    if columns is None:
        return None
    deviation = _deviation(claim)
    if deviation is not None:
        return MissedPlan(*columns, ">" if deviation.sign > 0 else "<", deviation.words)
    on_plan = next((n for n, token in enumerate(claim.tokens) if token.key in PLANNED and n), None)
    if on_plan is None or claim.texts[on_plan - 1] not in _EXACTLY_AS:
        return None
    exactly = [n for n, text in enumerate(claim.texts) if text in EXACTLY]
    return MissedPlan(*columns, "=", (*exactly, on_plan - 1, on_plan))


_EXACTLY_AS = frozenset({"on", "as"})


def plan_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `the festival spent 4,700 more than it had budgeted`: of all rows together, none being named."""
    deviation = _deviation(claim)
    columns = None if deviation is None else plan_and_actual(claim)
    if deviation is None or columns is None:
        return
    counted = any(counter.number <= len(claim.index.rows) for counter in counters_of(claim))
    of_some = claim.names or counted or each_word(claim.texts) is not None
    if of_some:
        return
    plan, actual = columns
    left, right = (_of_all(claim, column) for column in (actual, plan))
    kind, program, amount = by_how_much(claim, deviation.word, deviation.sign, left, right)
    if program.run(claim.index).truth is not None:
        in_all = words_of_phrases(claim.texts, _IN_ALL)
        yield proposed(claim, f"{kind} of columns", program, (), columns, [*deviation.words, *in_all], amount)


_IN_ALL = (("in", "all"), ("in", "total"), *OVERALL)


def _of_all(claim: GroundedClaim, column: int) -> Number:
    """Return what all rows have together in a column: as the row that sums them up tells it, else the sum."""
    totals = claim.index.summaries & claim.index.series[column].keys()
    rows: Rows = AllRows()
    if len(totals) == 1:
        rows = Where(Link.of_column(0, 0, column, totals, ""), "total")
    return Aggregate("sum", rows, column)


def _compared(claim: GroundedClaim, deviation: _Deviation, actual: Number, plan: Number) -> Truth:
    return by_how_much(claim, deviation.word, deviation.sign, actual, plan)[1]


def _deviation(claim: GroundedClaim) -> _Deviation | None:
    """Return where a claim says `more than it had planned`, `over budget`, `exceeded its target`."""
    if PLANNED.isdisjoint([token.key for token in claim.tokens]):
        return None
    for word, text in enumerate(claim.texts):
        planned: int | None = None
        if text in _BESIDE or exceeding(text):
            planned = _planned_behind(claim.tokens, word)
        elif comparative(text):
            behind = range(word + 1, min(len(claim.texts), word + _WIDEST))
            than = next((n for n in behind if claim.texts[n] in THAN), None)
            planned = None if than is None else _planned_behind(claim.tokens, than)
        if planned is not None:
            than_words = [n for n in range(word, planned + 1) if claim.texts[n] in THAN]
            sign = _BESIDE.get(text) or order_of(text)
            falls = text == "short" and word > 0 and claim.texts[word - 1] in _FALLING
            fell = (word - 1,) if falls else ()
            return _Deviation(word, (*fell, word, *than_words, planned), sign)
    return None


_FALLING = frozenset({"fall", "falls", "fell", "fallen", "came", "come", "were", "was"})


def _planned_behind(tokens: tuple[Token, ...], start: int) -> int | None:
    """Return where `planned` stands behind a word, but for what carries it: `than it had planned`."""
    place = start + 1
    while place < len(tokens) and (tokens[place].text in _CARRYING or _is_a_year(tokens[place])):
        place += 1
    return place if place < len(tokens) and tokens[place].key in PLANNED else None


def _is_a_year(token: Token) -> bool:
    """Return whether a token is the year of `its 2023 budget`."""
    return token.number is not None and is_year(token.text)


def plan_and_actual(claim: GroundedClaim) -> tuple[int, int] | None:
    """Return the only column of plans and the only one of what came of them, of the year that is said."""
    index = claim.index
    years = index.years_said(claim.tokens)
    planned_years = {y for c, y in index.year_columns.items() if not PLANNED.isdisjoint(index.headers[c])}
    years = years or (planned_years if len(planned_years) == 1 else set())
    numeric = [
        column
        for column in index.numeric_columns
        if column != index.table.label_column and index.year_columns.get(column) in {None, *years}
    ]
    plans = [column for column in numeric if not PLANNED.isdisjoint(index.headers[column])]
    # What is headed `budget spent` tells what came of the budget.
    spent = [column for column in plans if not _ACHIEVED.isdisjoint(index.headers[column])]
    plans = [column for column in plans if column not in spent] if len(plans) > 1 else plans
    others = [column for column in numeric if column not in plans]
    actual = [column for column in others if not _ACHIEVED.isdisjoint(index.headers[column])] or others
    if len(plans) == 1 and len(actual) > 1 and index.told_units[plans[0]]:
        # Pounds raised, and no participants, are what came of a target in pounds.
        actual = [column for column in actual if index.told_units[column] == index.told_units[plans[0]]]
    if len(plans) != 1 or len(actual) != 1 or index.factor(actual[0], plans[0]) != 1.0:
        return None
    return plans[0], actual[0]
