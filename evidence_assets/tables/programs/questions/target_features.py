"""Features of the column that a free question's program answers from."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.index.derived.turned_tables import TurnedTable
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.times.period_headers import parts_of_any_year
from evidence_assets.tables.programs.questions.columns.kinds_of_answers import is_of_times
from evidence_assets.tables.programs.questions.question_programs import QuestionProgram
from evidence_assets.tables.programs.questions.wording.asked_amounts import names_rows
from evidence_assets.tables.programs.questions.wording.asked_nouns import kind_of_persons, tells_places
from evidence_assets.tables.programs.questions.wording.question_wording import Wording

# Places further on are one.
MANY = 3
_TIMES_TURNED = frozenset({"Year", "Quarter", "Month"})


def column_type(index: TableIndex, column: int) -> str:
    """Return what a column holds: dates, years, numbers or texts."""
    if column in index.dated:
        return "dates"
    if column in index.years:
        return "years"
    return "numbers" if index.is_numeric(column) else "texts"


def target_features(wording: Wording, proposal: QuestionProgram, unread: int) -> list[str]:
    """Return the features of the column that is answered from. `unread`: the words that nothing binds."""
    column = proposal.column
    if column is None:
        unit = ["counted in a unit", f"counted in a unit, {proposal.kind}"] if wording.amount.in_unit else []
        return [f"no column, {proposal.kind}", *unit]
    index = wording.claim.index
    content = column_type(index, column)
    naming = wording.named.get(column, "unnamed")
    rival = "" if naming.startswith("near") or "near" not in wording.named.values() else ", another is near"
    features = [f"target of {content}, asked {wording.form}", f"target {naming}{rival}"]
    features += [f"target {naming}{rival}, asked {wording.form}", f"target {naming}{rival}, {proposal.kind}"]
    if wording.of("year"):
        features.append(f"target of {content}, years said")
    if column == index.table.label_column:
        features += [
            f"target is the label, asked {wording.form}",
            f"target is the label, head {wording.head}",
        ]
    if column in wording.resembled:
        features.append("target resembles a word")
    features.append(f"target of {content}, head {wording.head}, asked {wording.form}")
    features.append(f"target of {content}, asked by {wording.asking_word}")
    if column in wording.amount.in_money:
        features.append("target is of money, how much is asked")
    if column in wording.amount.in_unit:
        features.append("target is in the unit asked for")
    if column in wording.amount.lasting:
        features.append(f"target is of how long, asked {wording.form}")
    if column in wording.amount.amounts:
        features.append("target is of amounts counted")
    if column in wording.sized:
        features.append("target is of the size asked for")
    if column == proposal.selection.measure and _follows_a_superlative(wording, column):
        features.append("target is what a superlative is of")
    first_text = next((c for c in range(index.table.columns) if column_type(index, c) == "texts"), None)
    if column == first_text:
        features += ["target is the first of texts", f"target is the first of texts, asked {wording.form}"]
    linked = any(column in link.places for link in proposal.selection.links)
    if linked:
        features.append(f"target holds a value of the question, {proposal.selection.kind}")
    features.append(f"target in place {min(column, MANY)}")
    return [*features, *_of_role(wording, proposal, column, unread)]


def _follows_a_superlative(wording: Wording, column: int) -> bool:
    """Return whether a column is named right behind a superlative: `the lowest fare`."""
    ends = {extreme.end for extreme in wording.claim.superlatives}
    return any(head.start in ends and column in head.columns for head in wording.claim.linked.headers)


def _of_role(wording: Wording, proposal: QuestionProgram, column: int, unread: int) -> Iterator[str]:
    """Yield whether the target tells times, or the names of rows, where these are asked for."""
    index = wording.claim.index
    if wording.asks_for_a_time:
        of_times = column_type(index, column) in {"dates", "years"} or is_of_times(index, column)
        yield f"target is {'a time' if of_times else 'no time'}, a time asked for"
    if _tells_a_series(index, column):
        # Its header says of when or of whom a number is, and not what it tells.
        yield f"target is of a series, noun {wording.noun}"
        yield f"target is of a series, {min(unread, 2)} words unread"
    if column == next((c for c in range(index.table.columns) if _tells_results(index, c)), None):
        yield f"target is the first of numbers, noun {wording.noun}, asked {wording.form}"
    role = "the label" if column == index.table.label_column else "another"
    if any(tested in index.flags for link in proposal.selection.links for tested in link.places):
        yield f"target is {role}, rows by flags"
    if wording.asks_what_one_did:
        persons = kind_of_persons(index, column)
        yield f"target is {role} of {column_type(index, column)}, {persons}, what one did"
    if wording.form == "who":
        yield f"target is {kind_of_persons(index, column)}, asked who"
    if wording.form == "where":
        yield f"target is {'a place' if tells_places(index, column) else 'no place'}, asked where"
    if wording.is_bare:
        yield f"target is {role}, no noun is asked for"


def _tells_results(index: TableIndex, column: int) -> bool:
    """Return whether a column is of numbers that name no rows."""
    return column_type(index, column) == "numbers" and not names_rows(index, column)


def _tells_a_series(index: TableIndex, column: int) -> bool:
    """Return whether a column tells the number of a time, or in a table turned what each of the times has."""
    if isinstance(index.table, TurnedTable):
        return index.table.header[0] in _TIMES_TURNED and index.is_numeric(column) and column > 0
    return column in index.year_columns or column in parts_of_any_year(index)
