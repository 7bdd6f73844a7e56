"""What replies must look like, and what they are taken for: strictly, or not at all."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

PARSED, UNPARSEABLE = "parsed", "unparseable"
INSUFFICIENT = "insufficient"
_LONGEST_PROBLEM = 200

# A reply that is code to its model: ```json … ```.
_CODE = re.compile(r"\A```(?:json)?\s*\n(.*?)\n?```\Z", re.DOTALL)
_ANSWER = re.compile(r"\AAnswer:[ \t]*(?:([A-Za-z]+)|\(([A-Za-z]+)\))\.?\Z")


class ReplyError(ValueError):
    """A reply is not what was asked for: says what is wrong."""


def object_schema(**properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with exactly these properties."""
    return {
        "type": "object",
        "properties": {name: dict(schema) for name, schema in properties.items()},
        "required": list(properties),
        "additionalProperties": False,
    }


def choice_schema(options: int, may_abstain: bool) -> dict[str, Any]:
    """Return the schema of a choice among so many options."""
    return object_schema(answer={"type": "string", "enum": _choices(options, may_abstain)})


def _choices(options: int, may_abstain: bool) -> list[str]:
    return [*(letter(index) for index in range(options)), *([INSUFFICIENT] if may_abstain else [])]


def letter(index: int) -> str:
    """Return an option's letter: A, B, …, Z, AA, …"""
    first, last = divmod(index, 26)
    return (letter(first - 1) if first else "") + chr(ord("A") + last)


def triplets_schema(relations: Sequence[str], types: Sequence[str], most: int) -> dict[str, Any]:
    """Return the schema of a query's conditions over a knowledge base with these relations and types."""
    name = {"type": "string", "minLength": 1, "maxLength": 200}
    triplet = object_schema(head=name, relation={"type": "string", "enum": list(relations)}, tail=name)
    return object_schema(
        answer_type={"type": "string", "enum": list(types)},
        triplets={"type": "array", "items": triplet, "maxItems": most},
    )


def names_schema(field: str, most: int) -> dict[str, Any]:
    """Return the schema of a list of names."""
    name = {"type": "string", "minLength": 1, "maxLength": 200}
    return object_schema(**{field: {"type": "array", "items": name, "maxItems": most}})


def triples_schema(most: int) -> dict[str, Any]:
    """Return the schema of a list of facts."""
    name = {"type": "string", "minLength": 1, "maxLength": 200}
    triple = object_schema(head=name, relation=name, tail=name)
    return object_schema(triples={"type": "array", "items": triple, "maxItems": most})


SCORE_SCHEMA = object_schema(score={"type": "number", "minimum": 0, "maximum": 1})
JUDGEMENT_SCHEMA = object_schema(correct={"type": "boolean"})


def read_object(text: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the one JSON object that a reply is.

    Raises:
        ReplyError: it is not one, or not of this schema.
    """
    import jsonschema

    code = _CODE.match(text.strip())
    try:
        found = json.loads(
            code.group(1) if code else text, parse_constant=_no_number, object_pairs_hook=_named_once
        )
        # Half of a surrogate pair, escaped: no text that could be kept.
        json.dumps(found, ensure_ascii=False).encode()
        problem = next(jsonschema.Draft202012Validator(schema).iter_errors(found), None)
    except ValueError as error:
        raise ReplyError(f"no JSON: {error}"[:_LONGEST_PROBLEM]) from error
    except RecursionError as error:
        raise ReplyError("no JSON: nested too deeply") from error
    if problem is not None:
        raise ReplyError(f"{problem.json_path}: {problem.message}"[:_LONGEST_PROBLEM])
    return dict(found)


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


def _named_once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; one that names a thing twice says two things."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name is used twice")
    return found


@dataclass(frozen=True, slots=True)
class Decision:
    """What a reply decides. `index` is None where it abstains, or decides nothing (`status`)."""

    index: int | None
    status: str
    abstains: bool = False


def read_choice(text: str, options: int, may_abstain: bool) -> Decision:
    """Return the option that a reply names: a JSON object `{"answer": "B"}`, or the one line `Answer: B`.

    Anything else is unparseable: never the first option, never one that the reply merely mentions.
    """
    line = _ANSWER.match(text.strip())
    try:
        answer = (
            (line[1] or line[2])
            if line
            else str(read_object(text, choice_schema(options, may_abstain))["answer"])
        )
    except ReplyError:
        return Decision(None, UNPARSEABLE)
    if may_abstain and answer == INSUFFICIENT:
        return Decision(None, PARSED, abstains=True)
    choices = _choices(options, may_abstain=False)
    return Decision(choices.index(answer), PARSED) if answer in choices else Decision(None, UNPARSEABLE)
