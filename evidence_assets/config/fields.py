"""The fields of a configuration: what is wrong with them, and what can be looked at all the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pydantic import ValidationError

from evidence_assets.sources.specifications import Sources
from evidence_assets.text.field_problems import KEY, LIST, MAPPING, field_problem

# Stands where a value is missing or cannot be used; what is said of it is no news.
_STAND_IN = "0-not-told"
# A stand-in may have to be found level by level: a list, what is in it, the fields of that.
_MOST_ROUNDS = 7


def readable(data: Any) -> tuple[Sources, list[str]]:
    """Return a configuration, and the problems of its fields, each with its remedy.

    Where there are some, stand-ins take the place of what cannot be used, so that all else can be checked
    too; `beside_fields` leaves out what is said of these.
    """
    try:
        return Sources.model_validate(data), []
    except ValidationError as error:
        problems = [field_problem(field_error, Sources) for field_error in error.errors()]
    if not isinstance(data, dict):
        return Sources(), problems
    patched = _with_text_keys(data)
    for _ in range(_MOST_ROUNDS):
        try:
            return Sources.model_validate(patched), problems
        except ValidationError as error:
            for field_error in error.errors():
                _patch(patched, field_error["loc"], field_error["type"])
    return Sources(), problems


def beside_fields(problems: Iterable[str], of_fields: Sequence[str]) -> Iterator[str]:
    """Yield the problems that are not said of a stand-in, nor of a part that is wrong as a whole."""
    wrong = {problem.partition(":")[0] for problem in of_fields}
    for problem in problems:
        misses_wrong_section = any(f"is none of the {name} " in problem for name in wrong)
        if _STAND_IN not in problem and problem.partition(":")[0] not in wrong and not misses_wrong_section:
            yield problem


def _with_text_keys(data: Any) -> Any:
    """Return a copy of nested mappings and lists, their keys as places name them: 2024 is no text to YAML."""
    if isinstance(data, dict):
        return {str(key): _with_text_keys(value) for key, value in data.items()}
    return [_with_text_keys(value) for value in data] if isinstance(data, list) else data


def _patch(data: Any, place: Sequence[int | str], kind: str) -> None:
    """Put a stand-in of the kind that is wanted in a place of nested mappings and lists, or nothing.

    Where no stand-in will do, the entry that the place is in goes: a corpus, a generator.
    """
    if place[-1] == KEY:
        place, kind = place[:-1], "extra_forbidden"
    *parents, field = place
    within = data
    try:
        for parent in parents:
            within = within[parent]
        value = within.get(field) if isinstance(within, dict) else within[field]
    except (KeyError, IndexError, TypeError):
        # The entry went with what was said of it before.
        return
    if kind in MAPPING:
        within[field] = {}
    elif kind in LIST:
        within[field] = [_STAND_IN]
    elif value == _STAND_IN:
        del data[place[0]][place[1]]
    elif kind == "missing" or kind.startswith("string") or isinstance(within, list):
        within[field] = _STAND_IN
    else:
        del within[field]
