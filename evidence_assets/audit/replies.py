"""Which replies of a language model can be read: against the schema or form that each request had."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from evidence_assets.models.generation.protocol import Form, Outcome
from evidence_assets.reading.prompting.replies import (
    INSUFFICIENT,
    PARSED,
    ReplyError,
    read_choice,
    read_object,
)


@dataclass(frozen=True, slots=True)
class ParseRate:
    """Of so many replies that had to have a schema or form, those that can be read."""

    parsed: int = 0
    replies: int = 0

    def __add__(self, other: ParseRate) -> ParseRate:
        return ParseRate(self.parsed + other.parsed, self.replies + other.replies)


def parse_rates(rows: Iterable[Mapping[str, Any]]) -> dict[str, ParseRate]:
    """Return the parse rate of each task, of rows of `generations`; tasks of free text have none.

    A prompt that was too long to be sent has no reply, and does not count.
    """
    rates: dict[str, ParseRate] = {}
    for row in rows:
        parameters = json.loads(row["parameters"])
        schema, form = parameters.get("schema"), parameters.get("form")
        if (schema or form) and row["outcome"] != Outcome.CONTEXT_TOO_LONG:
            parsed = Outcome(row["outcome"]).is_text and _parses(row["text"], schema, form)
            rates[row["task"]] = rates.get(row["task"], ParseRate()) + ParseRate(int(parsed), 1)
    return rates


def _parses(text: str, schema: Mapping[str, Any] | None, form: Mapping[str, Any] | None) -> bool:
    if schema is None:
        return form is None or Form(**form).matches(text)
    choices = schema.get("properties", {}).get("answer", {}).get("enum")
    if choices is not None:
        # A choice may be a line of words as well: who reads it takes either.
        options = len(choices) - (INSUFFICIENT in choices)
        return read_choice(text, options, options < len(choices)).status == PARSED
    try:
        read_object(text, schema)
    except ReplyError:
        return False
    return True
