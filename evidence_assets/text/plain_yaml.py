"""YAML of plain values, read by libyaml where PyYAML has it: several times as fast as in Python."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import yaml

# What the parser says of the commonest mistakes names none of them.
_LIKELY = {
    "found character that cannot start any token": "; indent by spaces, not by tabs, and quote @, % and `",
    "mapping values are not allowed in this context": "; the colon behind a name may be missing in the line "
    "before, or a value that has a colon its quotes",
}
_MERGE = "tag:yaml.org,2002:merge"
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _check_nodes(root: yaml.Node | None) -> None:
    """Refuse a mapping that has a key twice, of which YAML would keep the last, and a value within itself.

    Raises:
        yaml.constructor.ConstructorError: there is one.
    """
    # What is left of each node on the way from the root to the one that is read.
    way: list[tuple[int, Iterator[yaml.Node]]] = [(0, iter([root] if root is not None else []))]
    within, read = set[int](), set[int]()
    while way:
        around, parts = way[-1]
        part = next(parts, None)
        if part is None:
            way.pop()
            within.discard(around)
        elif id(part) in within:
            problem = "the value that begins here holds itself"
            raise yaml.constructor.ConstructorError(None, None, problem, part.start_mark)
        elif isinstance(part, yaml.CollectionNode) and id(part) not in read:
            if isinstance(part, yaml.MappingNode):
                _check_mapping(part)
            within.add(id(part))
            read.add(id(part))
            way.append((id(part), _parts(part)))


def _parts(node: yaml.CollectionNode) -> Iterator[yaml.Node]:
    return chain.from_iterable(node.value) if isinstance(node, yaml.MappingNode) else iter(node.value)


def _check_mapping(node: yaml.MappingNode) -> None:
    first: dict[tuple[str, str], int] = {}
    for key, _ in node.value:
        if not isinstance(key, yaml.ScalarNode) or key.tag == _MERGE:
            continue
        name = key.tag, key.value
        if name in first:
            problem = f"{key.value} stands twice, first in line {first[name]}"
            raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
        first[name] = key.start_mark.line + 1


def load_yaml(text: str) -> Any:
    """Return the values of a YAML text; no tag of it makes anything but plain values.

    Raises:
        yaml.YAMLError: it is not YAML, or names such a tag, a key stands twice, or a value holds itself.
    """
    try:
        _check_nodes(yaml.compose(text, Loader=_LOADER))
        return yaml.load(text, Loader=_LOADER)  # noqa: S506 - a safe one
    # A date that the calendar lacks, brackets nested by the thousand, a tag for another kind of value.
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        if isinstance(error, yaml.YAMLError):
            raise
        raise yaml.YAMLError(f"a value cannot be made ({error}): put it in quotes") from error


def yaml_problem(error: yaml.YAMLError) -> str:
    """Return where a text is not YAML, and why, in one line: it has no name to the parser, which says so."""
    if isinstance(error, yaml.reader.ReaderError):
        return f"character {error.position + 1}: {error.reason}"
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return " ".join(str(error).split())
    mark, begun = error.problem_mark, error.context_mark
    context = f", {error.context}" if error.context else ""
    if context and begun is not None and begun.line != mark.line:
        context += f" that begins in line {begun.line + 1}"
    likely = _LIKELY.get(str(error.problem), "")
    return f"line {mark.line + 1}, column {mark.column + 1}: {error.problem}{context}{likely}"
