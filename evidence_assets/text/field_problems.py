"""What is wrong with a field of a file, in words of its own: the place, the problem, the remedy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel

from evidence_assets.text.suggestions import is_it

# Stands behind a key that cannot be one.
KEY = "[key]"
# What a place has beside names: the forms that a field may have.
FORMS = ("(expression)", "(list)", "(fields)", "(file)")
MAPPING, LIST = ("model_type", "dict_type"), ("list_type", "tuple_type", "too_short")
_NAME = "^[a-z0-9]"
_EXPECTED = {
    "int": "a whole number",
    "float": "a number",
    "finite": "a finite number",
    "bool": "true or false",
    "string": "text",
}
_LIMITS = {
    "greater_than": ("gt", "more than"),
    "greater_than_equal": ("ge", "at least"),
    "less_than": ("lt", "less than"),
    "less_than_equal": ("le", "at most"),
}
_MOST_SHOWN = 60
_SUGGESTED = 2
# A shorter name is part of too many.
_SHORTEST = 3


def field_problem(error: Mapping[str, Any], model: type[BaseModel]) -> str:
    """Return what is wrong with a field, with the remedy: one of the errors that checking a `model` gave."""
    place = [part for part in error["loc"] if part != KEY and part not in FORMS]
    if KEY in error["loc"] and error["type"] == "string_type":
        # Its place would be named by what it is read as: 0, of a name `no`.
        place = place[:-1]
        problem, remedy = f"a name is read as {_shown(error['input'])}, not as text", "put it in quotes"
    else:
        problem, remedy = _of_parts(error, place, model) or _of_value(error)
    message = f"{'.'.join(map(str, place)) or 'top level'}: {problem}"
    return message if "remedy: " in message else f"{message}; remedy: {remedy}"


def _of_parts(
    error: Mapping[str, Any], place: Sequence[int | str], model: type[BaseModel]
) -> tuple[str, str] | None:
    """Return the problem of a field that is missing, or should not be, or has no fields of its own."""
    match error["type"]:
        case "missing":
            return "it is missing", "add it"
        case "extra_forbidden":
            return "there is no such field", _instead(str(place[-1]), _fields(model, place[:-1]))
        case kind if kind in MAPPING and not place:
            return "the file is empty, or no mapping of names", f"begin with {_begun(model)}"
        case kind if kind in MAPPING:
            problem = f"{_shown(error['input'])} where names with values are expected"
            return problem, "write a name and a value a line: NAME: VALUE"
        case _:
            return None


def _of_value(error: Mapping[str, Any]) -> tuple[str, str]:
    value, limits, kind = _shown(error["input"]), error.get("ctx", {}), error["type"]
    problem, remedy = str(error["msg"]).removeprefix("Value error, "), "correct the value"
    if kind == "too_short":
        problem, remedy = "it is empty", "name one at least"
    elif kind == "string_too_short":
        problem, remedy = "it is empty", "fill it in"
    elif kind == "string_too_long":
        problem, remedy = f"{value} has more than {limits['max_length']} characters", "shorten it"
    elif kind == "string_pattern_mismatch":
        problem, remedy = f"{value} is no name that may stand here", _spelling(limits["pattern"])
    elif kind == "literal_error":
        problem, remedy = f"{value} is none of {limits['expected']}", "write one of them"
    elif kind in LIST:
        problem, remedy = (
            f"{value} where a list is expected",
            "write a list: [one, two], or a line each, after a dash",
        )
    elif kind in _LIMITS:
        name, words = _LIMITS[kind]
        limit = limits[name]
        shown = int(limit) if float(limit).is_integer() else limit
        problem = f"{value} where {words} {shown} is expected"
    elif expected := _EXPECTED.get(kind.partition("_")[0]):
        is_scalar = kind == "string_type" and not isinstance(error["input"], dict | list | None)
        problem = f"{value} where {expected} is expected"
        remedy = "put it in quotes" if is_scalar else f"write {expected}"
    return problem, remedy


def _shown(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case dict():
            return "a mapping of names"
        case list() | tuple():
            return "a list"
        case bool():
            return str(value).lower()
    shown = repr(value) if isinstance(value, str) else str(value)
    return shown if len(shown) <= _MOST_SHOWN else f"{shown[:_MOST_SHOWN]}…"


def _spelling(pattern: str) -> str:
    if not pattern.startswith(_NAME):
        return f"write what fits {pattern}"
    marks = ", _, . and -" if "." in pattern else ", _ and -"
    return f"use small letters, digits{marks}, and begin with a letter or a digit"


def _instead(name: str, known: Sequence[str]) -> str:
    near = is_it(name, known, _SUGGESTED) if len(name) >= _SHORTEST else ""
    if near:
        return f"{near}remove it"
    return f"remove it; the fields are {', '.join(known)}" if known else "remove it"


def _begun(model: type[BaseModel]) -> str:
    """Return what a file may begin with: the fields that it must have, else some that it may."""
    fields = model.model_fields
    names = [name for name, field in fields.items() if field.is_required()] or list(fields)[:3]
    *others, last = [f"{name}:" for name in names]
    return " or ".join(filter(None, [", ".join(others), last]))


def _fields(model: type[BaseModel], place: Iterable[int | str]) -> list[str]:
    """Return the names of the fields that the part of a model at a place has."""
    parts: list[Any] = [model]
    for step in place:
        parts = [inner for part in parts for inner in _inner(part, step)]
    models = (model for part in parts for model in _models(part))
    return list(dict.fromkeys(name for model in models for name in model.model_fields))


def _inner(part: Any, step: int | str) -> Iterator[Any]:
    """Yield the types of what a type of mapping, list or model has at one step."""
    origin, arguments = get_origin(part), get_args(part)
    if origin is Annotated:
        yield from _inner(arguments[0], step)
    elif origin in (Union, UnionType):
        for choice in arguments:
            yield from _inner(choice, step)
    elif origin is dict:
        yield arguments[1]
    elif origin in (list, tuple):
        yield arguments[0]
    elif _is_model(part) and step in part.model_fields:
        yield part.model_fields[step].annotation


def _models(part: Any) -> Iterator[type[BaseModel]]:
    if _is_model(part):
        yield part
    elif get_origin(part) in (Annotated, Union, UnionType):
        for choice in get_args(part):
            yield from _models(choice)


def _is_model(part: Any) -> bool:
    return isinstance(part, type) and get_origin(part) is None and issubclass(part, BaseModel)
