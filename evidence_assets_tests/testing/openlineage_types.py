"""OpenLineage events held against the classes that its own client has, generated from its specification.

The client builds events and does not read them: here a dictionary is compared with the classes field by
field, facets with the class whose schema they name.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from importlib import import_module
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import attr
from openlineage.client import generated
from openlineage.client.generated.base import BaseFacet, RunEvent

# What the specification requires of an event or a facet though the client gives it a default.
_ALWAYS = {"producer", "schemaURL", "_producer", "_schemaURL"}


def mismatches(event: Mapping[str, Any]) -> list[str]:
    """Where a run's event is not what the specification's classes hold: a path and what is wrong there."""
    return list(_of_class(RunEvent, event, "event"))


def _of_class(kind: type[Any], value: Any, place: str) -> Iterator[str]:
    if not isinstance(value, Mapping):
        yield f"{place}: {value!r} is no {kind.__name__}"
        return
    hints = get_type_hints(kind)
    fields = {field.name: field for field in attr.fields(kind)}
    required = {name for name, field in fields.items() if field.default is attr.NOTHING or name in _ALWAYS}
    yield from (f"{place}.{name} is missing" for name in sorted(required - value.keys()))
    yield from (f"{place}.{name} is not of {kind.__name__}" for name in sorted(value.keys() - fields.keys()))
    for name in fields.keys() & value.keys():
        yield from _of_type(hints[name], value[name], f"{place}.{name}")
        yield from _refused(fields[name], value[name], f"{place}.{name}")
    schema = next((value[name] for name in ("schemaURL", "_schemaURL") if name in value), None)
    if schema is not None and schema != kind._get_schema():
        yield f"{place}: {schema} is not the schema of {kind.__name__}"


def _of_type(expected: Any, value: Any, place: str) -> Iterator[str]:
    parts = [part for part in get_args(expected) if part is not NoneType]
    if len(parts) < len(get_args(expected)):
        yield from () if value is None else _of_type(parts[0], value, place)
    elif get_origin(expected) is list and isinstance(value, list):
        for number, item in enumerate(value):
            yield from _of_type(parts[0], item, f"{place}[{number}]")
    elif get_origin(expected) is dict and isinstance(value, Mapping):
        for name, item in value.items():
            yield from _of_facet(parts[1], item, f"{place}.{name}")
    elif attr.has(expected):
        yield from _of_class(expected, value, place)
    elif isinstance(expected, type) and issubclass(expected, Enum):
        if value not in {member.value for member in expected}:
            yield f"{place}: {value!r} is no {expected.__name__}"
    elif get_origin(expected) or type(value) is not expected:
        yield f"{place}: {value!r} is no {expected}"


def _of_facet(base: type, value: Any, place: str) -> Iterator[str]:
    kind = _facets().get(value.get("_schemaURL", "")) if isinstance(value, Mapping) else None
    if kind is None or not issubclass(kind, base):
        yield f"{place} names no schema of a {base.__name__}"
    else:
        yield from _of_class(kind, value, place)


def _refused(field: attr.Attribute[Any], value: Any, place: str) -> Iterator[str]:
    """What a field's own check says: of a time, or a run's identifier."""
    if field.validator is not None:
        try:
            field.validator(None, field, value)
        except (AttributeError, TypeError, ValueError) as error:
            yield f"{place}: {error}"


@cache
def _facets() -> Mapping[str, type]:
    """The classes of facets by the address of their schema."""
    for module in pkgutil.iter_modules(generated.__path__, f"{generated.__name__}."):
        import_module(module.name)
    classes, waiting = {}, [BaseFacet]
    while waiting:
        kind = waiting.pop()
        classes[kind._get_schema()] = kind
        waiting += kind.__subclasses__()
    return classes
