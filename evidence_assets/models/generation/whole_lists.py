"""JSON replies that reach their limit inside a list, ended at its last whole item.

A grammar says how many items a list may have and not how many tokens they may take: a small model repeats
itself to the end of its reply. What is returned is what the grammar would have given with a shorter list.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

_CLOSES = {"{": "}", "[": "]"}


def ended(text: str, schema: Mapping[str, Any]) -> str | None:
    """Return a cut reply as JSON of its schema, its lists ended at their last whole items.

    Lists that were never begun are empty. None where what was written is no beginning of such JSON.
    """
    import jsonschema

    validator = jsonschema.Draft202012Validator(schema)
    for beginning in _beginnings(text):
        try:
            value = json.loads(beginning)
        except ValueError:
            continue
        if isinstance(value, dict):
            for name in schema.get("required", ()):
                if schema.get("properties", {}).get(name, {}).get("type") == "array":
                    value.setdefault(name, [])
        if validator.is_valid(value):
            return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return None


def _beginnings(text: str) -> Iterator[str]:
    """Yield what stands before each place where a list may end, closed, the longest first."""
    opened: list[str] = []
    places: list[tuple[int, str]] = []
    quoted = escaped = False
    for place, character in enumerate(text):
        if quoted:
            quoted, escaped = escaped or character != '"', not escaped and character == "\\"
        elif character == '"':
            quoted = True
        elif character in _CLOSES:
            opened.append(character)
            # An empty list.
            places += [(place + 1, _closing(opened))] * (character == "[")
        elif character in "}]" and opened:
            opened.pop()
        if not quoted and character in '"}]' and opened and opened[-1] == "[":
            places.append((place + 1, _closing(opened)))
    yield from (text[:end] + closing for end, closing in reversed(places))


def _closing(opened: list[str]) -> str:
    return "".join(_CLOSES[character] for character in reversed(opened))
