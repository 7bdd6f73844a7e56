"""Whether what is answered is of the kind that the question word asks for: a time, a person, a reason."""

from __future__ import annotations

from evidence_assets.tables.programs.questions.asked_nouns import PEOPLE, kind_of_persons, may_be_a_person
from evidence_assets.tables.programs.questions.kinds_of_answers import names_a_time
from evidence_assets.tables.programs.questions.lacking_nouns import OF_ANY_DEED
from evidence_assets.tables.programs.questions.question_programs import QuestionProgram
from evidence_assets.tables.programs.questions.question_wording import Wording
from evidence_assets.tables.programs.verdicts.untold_parts import REASONS
from evidence_assets.tables.table import Kind
from evidence_assets.text.words import words


def answers_no_time(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether it is asked when, and nothing that is answered is a time, nor is its column of times."""
    index, column = wording.claim.index, proposal.column
    asks_when = wording.form == "when" or wording.claim.texts[:1] == ("when",)
    if not asks_when or column is None or column in index.times:
        return False
    heading = words(index.table.header[column].lower())
    cells = [index.table.rows[row][column] for row in proposal.selection.chosen]
    if any(cell.value.kind is Kind.DATE or names_a_time(cell.text) for cell in cells):
        return False
    is_amount = index.is_numeric(column) or not any(map(str.isdigit, "".join(cell.text for cell in cells)))
    return OF_ANY_DEED.isdisjoint(heading) and is_amount


def answers_no_person(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether it is asked who, and what is answered has no letters: a score is nobody."""
    column = proposal.column
    if wording.form != "who" or column is None:
        return False
    cells = (wording.claim.index.table.rows[row][column].text for row in proposal.selection.chosen)
    return not any(map(str.isalpha, "".join(cells)))


def answers_no_reason(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether it is asked why, and what is answered is of no column of reasons or remarks."""
    column = proposal.column
    if wording.claim.texts[:1] != ("why",):
        return False
    return column is None or REASONS.isdisjoint(wording.claim.index.headers[column])


def answers_a_person(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether it is asked which of something that nothing tells, and people are answered.

    Of `which book was borrowed first` the borrower is no book.
    """
    column, noun = proposal.column, wording.noun_text
    if column is None or wording.form != "which" or wording.noun != "unknown" or may_be_a_person(noun):
        return False
    index = wording.claim.index
    of_people = column != index.table.label_column and kind_of_persons(index, column) == PEOPLE
    return of_people and column not in wording.asked_columns
