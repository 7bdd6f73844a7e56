"""Which replies parse: counted by task, of those alone that had to have a form."""

from __future__ import annotations

from typing import Any

from evidence_assets.audit.replies import ParseRate, parse_rates
from evidence_assets.models.generation.protocol import Form, Outcome, Request, Sampling
from evidence_assets.reading.prompting.replies import SCORE_SCHEMA, choice_schema

LAST = Form("Answer: (A|B)", before=True)


def row(task: str, text: str, outcome: Outcome = Outcome.ANSWERED, **held: Any) -> dict[str, Any]:
    request = Request(task, "0", "s", "u", Sampling(), **held)
    return {"task": task, "parameters": request.parameters(), "outcome": str(outcome), "text": text}


def test_replies_are_held_against_what_they_had_to_be() -> None:
    rates = parse_rates(
        [
            row("rerank", '{"score": 0.5}', schema=SCORE_SCHEMA),
            row("rerank", '{"score": 5}', schema=SCORE_SCHEMA),
            row("rerank", '{"score"', Outcome.CUT_OFF, schema=SCORE_SCHEMA),
            row("rerank", "", Outcome.TIMED_OUT, schema=SCORE_SCHEMA),
            # Nothing was sent: there is no reply that could be read.
            row("rerank", "", Outcome.CONTEXT_TOO_LONG, schema=SCORE_SCHEMA),
            row("steps", "so it is\nAnswer: B", form=LAST),
            row("steps", "B, I think", form=LAST),
            row("explain_option", "whatever"),
        ]
    )
    assert rates == {"rerank": ParseRate(1, 4), "steps": ParseRate(1, 2)}
    assert sum(rates.values(), ParseRate()) == ParseRate(2, 6)


def test_a_choice_may_be_a_line_of_words_as_its_reader_takes_it() -> None:
    schema = choice_schema(2, may_abstain=True)
    replies = ["Answer: B", '{"answer": "insufficient"}', "Answer: C", "B"]
    assert parse_rates(row("choose", text, schema=schema) for text in replies) == {"choose": ParseRate(2, 4)}
