"""JSON schemas of replies, and strict parsing of replies against them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

PARSED, UNPARSEABLE = "parsed", "unparseable"
INSUFFICIENT = "insufficient"
_LONGEST_PROBLEM = 200

# A reply inside a code fence: ```json … ```.
_CODE = re.compile(r"\A```(?:json)?\s*\n(.*?)\n?```\Z", re.DOTALL)
_ANSWER = re.compile(r"\AAnswer:[ \t]*(?:([A-Za-z]+)|\(([A-Za-z]+)\))\.?\Z")


class ReplyError(ValueError):
    """A reply is invalid: the message says what is wrong."""


def object_schema(**properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with exactly these properties."""
    return {
        "type": "object",
        "properties": {name: dict(schema) for name, schema in properties.items()},
        "required": list(properties),
        "additionalProperties": False,
    }


def choice_schema(options: int, may_abstain: bool) -> dict[str, Any]:
    """Return the schema of a choice among `options` options."""
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
    type_ = {"type": "string", "enum": list(types)}
    variable = object_schema(name=name, type=type_)
    return object_schema(
        answer_type=type_,
        variables={"type": "array", "items": variable, "maxItems": 2 * most},
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
    """Return the JSON object of a reply.

    Raises:
        ReplyError: the reply is not a single JSON object, or not valid by the schema.
    """
    import jsonschema

    code = _CODE.match(text.strip())
    try:
        value = json.loads(
            code.group(1) if code else text, parse_constant=_no_number, object_pairs_hook=_unique_names
        )
        # Fails on an escaped half of a surrogate pair, which cannot be encoded.
        json.dumps(value, ensure_ascii=False).encode()
        problem = next(jsonschema.Draft202012Validator(schema).iter_errors(value), None)
    except ValueError as error:
        raise ReplyError(f"no JSON: {error}"[:_LONGEST_PROBLEM]) from error
    except RecursionError as error:
        raise ReplyError("no JSON: nested too deeply") from error
    if problem is not None:
        raise ReplyError(f"{problem.json_path}: {problem.message}"[:_LONGEST_PROBLEM])
    return dict(value)


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


def _unique_names(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object's members; raises ValueError for a repeated name, which would be ambiguous."""
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a name is used twice")
    return members


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision of a reply. `index` is None where it abstains or cannot be parsed (`status`)."""

    index: int | None
    status: str
    abstains: bool = False


def read_choice(text: str, options: int, may_abstain: bool) -> Decision:
    """Return the option that a reply chooses: a JSON object `{"answer": "B"}`, or the only line `Answer: B`.

    Anything else is unparseable, even where the reply mentions an option.
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
