"""What is answered of a reading: the best that was ranked, as sure as the reading is, or why nothing is."""

from __future__ import annotations

import pytest

from evidence_assets.evidence.accounting import Accounting
from evidence_assets.evidence.experiment import RankedAnswer
from evidence_assets.kgqa.answers.reading_answers import answer_of_reading
from evidence_assets.kgqa.queries.conjunctive import ConjunctiveQuery
from evidence_assets.kgqa.queries.serialization import PARSED, QueryRecord

ACCOUNTING = Accounting(())
READING = QueryRecord(ConjunctiveQuery((), "x"), PARSED, 1.0, "film", accounting=ACCOUNTING, confidence=0.75)
BEST = RankedAnswer("Alien", 1.0, 7)


@pytest.mark.parametrize(("reading", "sure"), [(READING, (0.75, ACCOUNTING)), (None, (None, None))])
def test_an_answer_is_as_sure_as_its_reading(
    reading: QueryRecord | None, sure: tuple[float | None, Accounting | None]
) -> None:
    answer = answer_of_reading(reading, BEST, "walks", "nothing", "first of 2 by node")
    assert (answer.text, answer.node, answer.raw_output) == ("Alien", 7, "Answer: Alien")
    assert (answer.tie_break, answer.abstained) == ("first of 2 by node", False)
    assert (answer.confidence, answer.accounting) == sure
    silence = answer_of_reading(reading, None, "walks", "nothing was retrieved")
    assert (silence.abstained, silence.parse_status, silence.text) == (True, "nothing was retrieved", None)
    assert (silence.confidence, silence.accounting) == sure
