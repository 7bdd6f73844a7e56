"""Requests whose replies are JSON objects: read strictly, asked once more where they are not of the form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evidence_assets.models.generation.protocol import Request
from evidence_assets.models.generation.recorded import RecordedGenerator
from evidence_assets.progress import Progress
from evidence_assets.reading.replies import PARSED, UNPARSEABLE, ReplyError, read_object

# Fixed words: what was wrong with a reply may quote the reply, which is no instruction.
_AGAIN = "Your reply before this was not of the form asked for. Reply with the one JSON object, complete."


@dataclass(frozen=True, slots=True)
class Found:
    """What came of one request: the object, or why there is none (`status`)."""

    value: Mapping[str, Any] | None
    status: str
    request_hash: str | None


def ask_objects(
    requests: Sequence[Request],
    generator: RecordedGenerator,
    progress: Progress | None = None,
    check: Callable[[int, Mapping[str, Any]], None] | None = None,
) -> list[Found]:
    """Return the object that each request's schema asks for; an invalid reply is asked for once more.

    `check`: looks further at the object of a request, by its place, and raises `ReplyError` where it will not
    do. Replies that failed for the moment's sake are not asked again here: the record does that in the next
    run.

    Raises:
        ValueError: a request has no schema.
        BudgetSpentError: the generator may not be asked any more.
    """
    found = _read(requests, range(len(requests)), generator, progress, check)
    again = [place for place, one in enumerate(found) if one.status == UNPARSEABLE]
    repeated = [replace(requests[place], user=f"{requests[place].user}\n\n{_AGAIN}") for place in again]
    for place, one in zip(again, _read(repeated, again, generator, None, check), strict=True):
        found[place] = one
    return found


def _read(
    requests: Sequence[Request],
    places: Sequence[int],
    generator: RecordedGenerator,
    progress: Progress | None,
    check: Callable[[int, Mapping[str, Any]], None] | None,
) -> list[Found]:
    found = []
    for place, asked, recorded in zip(
        places, requests, generator.replies(requests, progress) if requests else [], strict=True
    ):
        if asked.schema is None:
            raise ValueError(f"prompt {asked.task}: an object is read by its schema, and there is none")
        if not recorded.reply.outcome.is_text:
            found.append(Found(None, str(recorded.reply.outcome), recorded.request_hash))
            continue
        try:
            value = read_object(recorded.reply.text, asked.schema)
            if check is not None:
                check(place, value)
        except ReplyError:
            found.append(Found(None, UNPARSEABLE, recorded.request_hash))
            continue
        found.append(Found(value, PARSED, recorded.request_hash))
    return found
