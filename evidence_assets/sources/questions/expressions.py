"""Path expressions of mapping files: JMESPath, with functions for the text that public files hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import jmespath
from jmespath.exceptions import JMESPathError
from jmespath.functions import Functions, signature
from jmespath.visitor import TreeInterpreter

from evidence_assets.lake.ids import text_hash
from evidence_assets.sources.validation import RecordRejectedError, required_mapping

_ANY: Mapping[str, list[str]] = {"types": []}
_TEXT, _NUMBER = {"types": ["string"]}, {"types": ["number"]}


class _TextFunctions(Functions):  # type: ignore[misc]
    """Functions over text besides JMESPath's; of null they give null."""

    @signature(_ANY)  # type: ignore[untyped-decorator]
    def _func_trim(self, text: object) -> str | None:
        return None if text is None else _text(text, "trim").strip()

    @signature(_ANY)  # type: ignore[untyped-decorator]
    def _func_upper(self, text: object) -> str | None:
        return None if text is None else _text(text, "upper").upper()

    @signature(_ANY, _TEXT)  # type: ignore[untyped-decorator]
    def _func_split(self, text: object, mark: str) -> list[str] | None:
        return None if text is None else _text(text, "split").split(mark)

    @signature(_ANY, _TEXT, _TEXT)  # type: ignore[untyped-decorator]
    def _func_replace(self, text: object, pattern: str, by: str) -> str | None:
        return None if text is None else re.sub(pattern, by, _text(text, "replace"))

    @signature(_ANY, _TEXT)  # type: ignore[untyped-decorator]
    def _func_matches(self, text: object, pattern: str) -> bool:
        return text is not None and re.fullmatch(pattern, _text(text, "matches").strip()) is not None

    @signature(_ANY, _TEXT)  # type: ignore[untyped-decorator]
    def _func_find_all(self, text: object, pattern: str) -> list[str]:
        """What the pattern finds: of each match the first group that holds anything, without groups all."""
        matches = [] if text is None else re.finditer(pattern, _text(text, "find_all"))
        return [next(filter(None, match.groups()), "") if match.re.groups else match[0] for match in matches]

    @signature(_ANY, _NUMBER)  # type: ignore[untyped-decorator]
    def _func_hash(self, text: object, digits: int) -> str | None:
        return None if text is None else text_hash(_text(text, "hash"))[:digits]

    @signature(_ANY)  # type: ignore[untyped-decorator]
    def _func_as_text(self, value: object) -> str | None:
        """Text of text, of numbers (4.0 as 4), and of truth values (Yes, No); null of anything else."""
        match value:
            case bool():
                return "Yes" if value else "No"
            case float() if value.is_integer():
                return str(int(value))
            case str() | int() | float():
                return str(value)
        return None


_FUNCTIONS = _TextFunctions()
# `search` would make one for every record.
_INTERPRETER = TreeInterpreter(jmespath.Options(custom_functions=_FUNCTIONS))


@dataclass(frozen=True, slots=True)
class Expression:
    """A path expression. `path` are the fields that it walks through, where it does no more than that.

    `name` is what messages call its value: the last field that it tries. `of_object`: it is for objects.
    """

    text: str
    name: str
    path: tuple[str, ...]
    of_object: bool
    tree: Any

    @classmethod
    def of(cls, text: object) -> Expression:
        """The expression that a mapping file writes.

        Raises:
            ValueError: it is no JMESPath expression, or calls a function that there is not.
        """
        if isinstance(text, Expression):
            return text
        if not isinstance(text, str):
            raise ValueError(f"{text!r} is no path expression; remedy: write it as text, in quotes")
        try:
            tree = jmespath.compile(text).parsed
        except JMESPathError as error:
            raise ValueError(
                f"{text!r} is no JMESPath expression ({_line(error)}); remedy: correct it, and put "
                "a field's name of other signs than letters, digits and _ in double quotes"
            ) from error
        nodes = list(_nodes(tree))
        names = _FUNCTIONS.FUNCTION_TABLE
        called = [node["value"] for node in nodes if node["type"] == "function_expression"]
        if unknown := [name for name in called if name not in names]:
            raise ValueError(
                f"{text!r} calls {unknown[0]}, which is no function; remedy: use one of {', '.join(names)}"
            )
        fields = [node["value"] for node in nodes if node["type"] == "field"]
        kinds = {node["type"] for node in nodes}
        path = tuple(fields) if kinds <= {"field", "subexpression"} else ()
        is_member = bool(fields) and "current" not in kinds
        return cls(text, fields[-1] if fields else text, path, is_member, tree)

    def value(self, scope: object) -> object:
        """The expression's value in a scope, a record's fields or an element of it; None if there is none.

        Raises:
            RecordRejectedError: it walks through what is no object, or a function cannot take its argument.
        """
        if not self.path:
            try:
                return _INTERPRETER.visit(self.tree, scope)
            # Functions raise what JMESPath does, patterns what `re` does.
            except (ValueError, re.error) as error:
                raise RecordRejectedError(
                    f"{self.text} does not apply to '{self.name}' ({_line(error)})",
                    f"give '{self.name}' as the mapping expects it, or correct the mapping",
                ) from error
        value = scope
        for number, name in enumerate(self.path):
            if value is None:
                return None
            value = required_mapping(value, f"'{self.path[number - 1]}'").get(name)
        return value


def _line(error: Exception) -> str:
    return " ".join(str(error).split())


def _nodes(tree: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield tree
    for child in tree["children"]:
        if isinstance(child, Mapping):
            yield from _nodes(child)


def _text(value: object, function: str) -> str:
    if not isinstance(value, str):
        reason = f"{function} takes text, not {type(value).__name__}: {value!a:.60}"
        raise RecordRejectedError(reason, "write it as text, or use as_text in the mapping")
    return value
