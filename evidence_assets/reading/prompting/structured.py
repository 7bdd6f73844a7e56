"""Requests for JSON objects: replies validated against a schema, with one retry of an invalid reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evidence_assets.models.generation.protocol import Request
from evidence_assets.models.generation.recorded import RecordedGenerator
from evidence_assets.progress import Progress
from evidence_assets.reading.prompting.replies import PARSED, UNPARSEABLE, ReplyError, read_object

# Fixed wording: an error message may quote the reply, which must not act as an instruction.
_AGAIN = "Your reply before this was not of the form asked for. Reply with the one JSON object, complete."


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """The object of a reply; None without one, and `status` says why."""

    value: Mapping[str, Any] | None
    status: str
    request_hash: str | None


def ask_objects(
    requests: Sequence[Request],
    generator: RecordedGenerator,
    progress: Progress | None = None,
    check: Callable[[int, Mapping[str, Any]], None] | None = None,
) -> list[ParsedReply]:
    """Return the object that each request's schema describes; an invalid reply is requested once more.

    `check`: further validation of a request's object, by the request's place; raises `ReplyError`. Transient
    failures are not retried here: recorded generation repeats them in the next run.

    Raises:
        ValueError: a request has no schema.
        BudgetSpentError: the generator's budget is spent.
    """
    replies = _read(requests, range(len(requests)), generator, progress, check)
    unparseable = [place for place, reply in enumerate(replies) if reply.status == UNPARSEABLE]
    repeated = [replace(requests[place], user=f"{requests[place].user}\n\n{_AGAIN}") for place in unparseable]
    for place, reply in zip(unparseable, _read(repeated, unparseable, generator, None, check), strict=True):
        replies[place] = reply
    return replies


def _read(
    requests: Sequence[Request],
    places: Sequence[int],
    generator: RecordedGenerator,
    progress: Progress | None,
    check: Callable[[int, Mapping[str, Any]], None] | None,
) -> list[ParsedReply]:
    replies = []
    for place, request, recorded in zip(
        places, requests, generator.replies(requests, progress) if requests else [], strict=True
    ):
        if request.schema is None:
            raise ValueError(
                f"prompt {request.task}: the request has no schema; remedy: pass one to `request`"
            )
        if not recorded.reply.outcome.is_text:
            replies.append(ParsedReply(None, str(recorded.reply.outcome), recorded.request_hash))
            continue
        try:
            value = read_object(recorded.reply.text, request.schema)
            if check is not None:
                check(place, value)
        except ReplyError:
            replies.append(ParsedReply(None, UNPARSEABLE, recorded.request_hash))
            continue
        replies.append(ParsedReply(value, PARSED, recorded.request_hash))
    return replies
