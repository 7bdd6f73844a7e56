"""What every table of docs/results.md says of its figures, and checks that it does say it.

A caption has five fields:

    n:            how many questions, or whatever else a figure is a mean over
    interval:     how the intervals were made
    no_interval:  instead of it: why there is none; beside it: by reason, the columns that have none
    baseline:     the strongest cheap baseline and its figure
    no_baseline:  instead of it: why there is none
    tuned:        what was chosen or fitted, and on what
    command:      what measures it

Each is a Jinja template, or `{column: NAME}` where a column of the table tells it row by row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks import PROJECT

Row = Mapping[str, Any]
Table = Sequence[Mapping[str, str]]
FIELDS = ("n", "interval", "baseline", "tuned", "command")
LABELS = {
    "n": "*n*",
    "interval": "*Interval*",
    "baseline": "*Strongest cheap baseline*",
    "tuned": "*Tuned*",
    "command": "*Command*",
}
# Said where the systems that gave the figures have changed since.
AGE = "*Measured with*"
# Fields that can say why there is nothing to say.
_REASONED = {"interval": "no_interval", "baseline": "no_baseline"}
_KNOWN = {*FIELDS, *_REASONED.values()}
# A figure without an interval: a number with decimals, a sign or a per cent sign at most beside it.
_BARE = re.compile(r"[-+]?[\d,]*\.\d+(?: ?%)?")
_COMMAND = re.compile(
    r"`(?:EVIDENCE_\w+=\S+ )?python -m benchmarks(?P<names>[\w. ]*)`|`make (?P<target>[\w-]+)`"
)
# What a template fills in, or shows as code; a decimal that is no part of a longer number or name.
_FILLED = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|`[^`]*`", re.DOTALL)
_DECIMAL = re.compile(r"(?<![\w.,])[-+−]?\d*\.\d+(?![\w.]*\d)")


class CaptionError(ValueError):
    """A table or a text does not say what its figures are worth."""


def described(caption: Row, place: str, template: Callable[[str], str], table: Table = ()) -> str:
    """Return a caption as one paragraph of Markdown.

    Args:
        caption: The fields, as the module describes them.
        place: The area's file and the table, for errors.
        template: Renders a field.
        table: The rows that the caption stands under, cells by header; none under a text.

    Raises:
        CaptionError: A field lacks, is unknown or is not borne out by the table; area, table and field are
            named.
    """
    problems = [f"{name!r} is not a field of a caption" for name in sorted(caption.keys() - _KNOWN)]
    parts = []
    for field in FIELDS:
        try:
            parts.append(f"{LABELS[field]}: {_field(caption, field, template, table)}.")
        except CaptionError as error:
            problems.append(str(error))
    if problems:
        raise CaptionError(
            f"{place}: {'; '.join(problems)}; remedy: write it into the block's caption, or into the area's "
            "where it holds for every block (benchmarks/pages/captions.py describes the fields)"
        )
    return " ".join(parts)


def _field(caption: Row, field: str, template: Callable[[str], str], table: Table) -> str:
    value = caption.get(field)
    reason = caption.get(_REASONED.get(field, ""))
    if field == "interval":
        _every_figure_is_bounded(value, reason, table)
        return "; ".join(filter(None, (value and template(value).strip(), _unbounded(reason, template))))
    if value is None:
        if reason is None:
            beside = f" and neither is {_REASONED[field]!r}" if field in _REASONED else ""
            raise CaptionError(f"field {field!r} is not said{beside}")
        return f"none, {template(reason).strip()}"
    text = (
        _by_column(value["column"], field, table) if isinstance(value, Mapping) else template(value).strip()
    )
    if not text:
        raise CaptionError(f"field {field!r} is empty")
    if not isinstance(value, Mapping):
        _meant(field, text)
    return text


def _by_column(column: str, field: str, table: Table) -> str:
    for place, row in enumerate(table, start=1):
        cell = row.get(column)
        if cell is None:
            raise CaptionError(f"field {field!r}: the table has no column {column!r}")
        if not cell.strip():
            raise CaptionError(f"field {field!r}: row {place} has nothing in its column {column!r}")
        _meant(field, cell)
    return f"in the column “{column}”"


def _meant(field: str, text: str) -> None:
    if field == "n" and not re.search(r"\d", text):
        raise CaptionError(f"field 'n': there is no number in {text!r}")
    if field == "command":
        _runs(text)


def _runs(text: str) -> None:
    commands = list(_COMMAND.finditer(text))
    if not commands:
        raise CaptionError(f"field 'command': {text!r} has no `python -m benchmarks …` and no `make …`")
    for command in commands:
        modules = _modules(command)
        sources = [module_source(name) for name in modules]
        for argument in (command["names"] or "").replace(".", " ").split()[len(modules) :]:
            if f'"{argument}"' not in sources[0]:
                raise CaptionError(f"field 'command': benchmarks.{modules[0]} knows no {argument!r}")
        if command["target"]:
            targets = (PROJECT / "Makefile").read_text(encoding="utf-8")
            if not re.search(rf"^{command['target']}:", targets, re.MULTILINE):
                raise CaptionError(f"field 'command': the Makefile has no target {command['target']!r}")


def module_source(module: str) -> str:
    """Return the source of a module of this package, whatever its area.

    Raises:
        CaptionError: there is no such module.
    """
    spec = find_spec(f"benchmarks.{module}")
    if spec is None or spec.origin is None:
        raise CaptionError(f"field 'command': there is no benchmarks.{module}")
    return Path(spec.origin).read_text(encoding="utf-8")


def _every_figure_is_bounded(value: Any, reason: Any, table: Table) -> None:
    if not value and not reason:
        raise CaptionError("field 'interval' is not said and neither is 'no_interval'")
    if isinstance(reason, str):
        if value:
            raise CaptionError("field 'no_interval' must name columns where 'interval' is said too")
        return
    excused = {column for columns in (reason or {}).values() for column in columns}
    headers = list(table[0]) if table else []
    for column in sorted(excused - set(headers)):
        raise CaptionError(f"field 'no_interval': the table has no column {column!r}")
    for column in headers:
        bare = next((row[column] for row in table if _BARE.fullmatch(row[column].strip())), None)
        if column in excused and all("[" in row[column] for row in table):
            raise CaptionError(f"field 'no_interval': every figure of column {column!r} has an interval")
        if bare is not None and column not in excused:
            raise CaptionError(
                f"field 'interval': column {column!r} holds {bare.strip()!r} without an interval, and "
                "'no_interval' does not say why"
            )


def _unbounded(reason: Any, template: Callable[[str], str]) -> str:
    if not reason:
        return ""
    if isinstance(reason, str):
        return f"none, {template(reason).strip()}"
    return "none for " + "; ".join(
        f"{', '.join(names)} ({template(why).strip()})" for why, names in reason.items()
    )


def typed_by_hand(source: str) -> list[str]:
    """Return the decimals of a template that no expression gives, code left out."""
    return _DECIMAL.findall(_FILLED.sub(" ", source))


def measured_by(text: str) -> list[str]:
    """Return the results that a command writes: `python -m benchmarks a b` writes two."""
    return [name for command in _COMMAND.finditer(text) for name in _modules(command)]


def _modules(command: re.Match[str]) -> list[str]:
    """Return the modules of a command; what stands behind `python -m benchmarks.name` is its arguments."""
    names = command["names"] or ""
    return names.removeprefix(".").split()[:1] if names.startswith(".") else names.split()


def lacks(markdown: str) -> Iterator[str]:
    """Yield what each table of a written page does not say of its figures: heading, table, field."""
    heading = "before the first heading"
    blocks = [block.strip() for block in markdown.split("\n\n")]
    for block, after in zip(blocks, [*blocks[1:], ""], strict=True):
        if block.startswith("#"):
            heading = block.splitlines()[0].lstrip("# ")
        if block.startswith("|"):
            columns = block.splitlines()[0].strip("| ")
            for label in LABELS.values():
                if f"{label}: " not in " ".join(after.split()):
                    yield f"{heading}: the table with the columns {columns} does not say {label.strip('*')}"
