"""What replies must look like, and what they are taken for: strictly, or not at all."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evidence_assets.reasoning.citations import mark

PARSED, UNPARSEABLE = "parsed", "unparseable"
INSUFFICIENT = "insufficient"

# A reply that is code to its model: ```json … ```.
_CODE = re.compile(r"\A```(?:json)?\s*\n(.*?)\n?```\Z", re.DOTALL)
_ANSWER = re.compile(r"\AAnswer:\s*\(?([A-Za-z]+)\)?\.?\Z")
# Several marks in one pair of brackets: [E1, E2].
_SEVERAL = re.compile(r"\[\s*E\d+(?:\s*[,;]\s*E\d+)+\s*\]")
_MARK = re.compile(r"\[E(\d+)\]")


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
        found = json.loads(code.group(1) if code else text, parse_constant=_no_number)
    except ValueError as error:
        raise ReplyError(f"no JSON: {error}") from error
    problem = next(jsonschema.Draft202012Validator(schema).iter_errors(found), None)
    if problem is not None:
        raise ReplyError(f"{problem.json_path}: {problem.message}"[:200])
    return dict(found)


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


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
            line.group(1) if line else str(read_object(text, choice_schema(options, may_abstain))["answer"])
        )
    except ReplyError:
        return Decision(None, UNPARSEABLE)
    if may_abstain and answer == INSUFFICIENT:
        return Decision(None, PARSED, abstains=True)
    choices = _choices(options, may_abstain=False)
    return Decision(choices.index(answer), PARSED) if answer in choices else Decision(None, UNPARSEABLE)


def read_citations(text: str, given: int) -> tuple[str, list[int]]:
    """Return an argument with its marks numbered anew, by first use, and the places of what it cites.

    `given`: how many pieces of evidence it could cite. A mark of none of them stays as it is, and is found
    by `citation_status`.
    """
    text = _SEVERAL.sub(lambda found: "".join(f"[{one}]" for one in re.findall(r"E\d+", found[0])), text)
    order = dict.fromkeys(int(number) for number in _MARK.findall(text) if 1 <= int(number) <= given)
    place = {number: new for new, number in enumerate(order, start=1)}

    def renumbered(found: re.Match[str]) -> str:
        number = int(found[1])
        return mark(place[number]) if number in place else found[0]

    return _MARK.sub(renumbered, text), [number - 1 for number in order]
