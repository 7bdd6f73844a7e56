"""Write docs/results.md and its picture from benchmarks/results/*.json: no figure there is typed by hand.

    python -m benchmarks.page

`page.yaml` names the areas in their order, each described in `areas/<area>.yaml`:

    names:        constants that the area uses
    let:          names of expressions that the area uses
    comparisons:  ours beside the strongest cheap baseline, see comparisons.py
    caption:      fields of captions that hold for every block, see captions.py
    blocks:       a list; of each block either
      text:    Markdown, a Jinja template: headings and paragraphs
      table:   with
        each:      loops, the last the fastest: an expression, a list or a mapping (each `.title` and `.key`)
        let:       names of expressions, a row at a time
        if:        an expression; without it every row is shown
        columns:   a header, and the expression (or, with braces, the template) that fills its cells
      table:   with
        rows:      a list of mappings of headers to templates
      caption:     beside a table, and beside a text that shows results and has no table after it

Expressions are Jinja's. Every result is there under its name (`real_data.scores`), and so are the `names` of
page.yaml and the contents of its `files`, with the functions below.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import jinja2
from jinja2 import meta, nodes

from benchmarks import PROJECT
from benchmarks.measured_with import age
from benchmarks.pages.captions import AGE, CaptionError, described, measured_by
from benchmarks.pages.comparison_picture import PICTURE, comparison_picture
from benchmarks.pages.comparisons import Measured, below, compared, mark, paired, undecided
from benchmarks.pages.figures import best, figure, number, percent, share, strongest, turned, unpaired
from benchmarks.result_files import RESULTS
from evidence_assets.text.plain_yaml import load_yaml

FOLDER = Path(__file__).parent
PAGE = PROJECT / "docs" / "results.md"
WIDTH = 110

Row = Mapping[str, Any]
Scope = dict[str, Any]
Shown = TypeVar("Shown")


class PageError(ValueError):
    """The page's description asks for what the results do not hold."""


def where(rows: Sequence[Row], **wanted: Any) -> list[Row]:
    """Return the rows with these values."""
    remaining = list(rows)
    for name, value in wanted.items():
        remaining = [row for row in remaining if row[name] == value]
    return remaining


def maybe(rows: Sequence[Row], **wanted: Any) -> Row | None:
    """Return the first row with these values, or None."""
    return next(iter(where(rows, **wanted)), None)


def find(rows: Sequence[Row], **wanted: Any) -> Row:
    """Return the first row with these values.

    Raises:
        LookupError: there is none.
    """
    row = maybe(rows, **wanted)
    if row is None:
        raise LookupError("no row with " + ", ".join(f"{name} {value!r}" for name, value in wanted.items()))
    return row


FUNCTIONS: tuple[Callable[..., Any], ...] = (
    where,
    maybe,
    find,
    figure,
    number,
    share,
    percent,
    turned,
    unpaired,
    best,
    strongest,
    paired,
    below,
    undecided,
    mark,
)
_environment = jinja2.Environment(undefined=jinja2.StrictUndefined, trim_blocks=True, autoescape=False)
_environment.globals.update({function.__name__: function for function in FUNCTIONS})


@cache
def _compiled(source: str, is_template: bool) -> tuple[Callable[..., Any], frozenset[str]]:
    """Return what evaluates a source, and the names that it mentions."""
    parsed = _parsed(source, is_template)
    mentioned = {node.name for node in parsed.find_all(nodes.Name)} - _environment.globals.keys()
    if is_template:
        return _environment.from_string(parsed).render, frozenset(mentioned)
    return _environment.compile_expression(source, undefined_to_none=False), frozenset(mentioned)


def _parsed(source: str, is_template: bool) -> nodes.Template:
    return _environment.parse(source if is_template else f"{{{{ {source} }}}}")


def _needed(source: str, is_template: bool) -> set[str]:
    """Return the names that a source needs: of those that it mentions, what it does not set itself."""
    return meta.find_undeclared_variables(_parsed(source, is_template)) - _environment.globals.keys()


def _wrapped(paragraph: str) -> str:
    """Return a paragraph in lines of the page's width; a heading stays a line."""
    if paragraph.startswith("#"):
        return paragraph
    return textwrap.fill(paragraph, WIDTH, break_long_words=False, break_on_hyphens=False)


def _defined(value: Any) -> Any:
    """Return a value, or raise what Jinja says of one that is not there."""
    return str(value) if isinstance(value, jinja2.Undefined) else value


def _merged(defaults: Row, caption: Row) -> Row:
    """Return a caption with the area's defaults, which a reason for nothing replaces as well."""
    replaced = {
        "baseline": "no_baseline",
        "no_baseline": "baseline",
        "interval": "no_interval",
        "no_interval": "interval",
    }
    left_out = {replaced.get(field) for field in caption}
    return {field: text for field, text in defaults.items() if field not in left_out} | dict(caption)


class Area:
    """One area's blocks, rendered over the results."""

    def __init__(self, name: str, description: Row, scope: Scope) -> None:
        """Take the area's names and expressions into the scope."""
        self._place = f"benchmarks/pages/areas/{name}.yaml"
        self._blocks = description["blocks"]
        self._scope = self._with({**scope, **description.get("names", {})}, description.get("let", {}))
        self._caption = description.get("caption", {})
        self.comparisons = [self._compared(row) for row in description.get("comparisons", ())]
        self._scope["comparisons"] = self.comparisons

    def markdown(self) -> str:
        """Return the area's blocks in their order.

        Raises:
            PageError: what shows figures does not say what they are worth.
        """
        return "\n\n".join(self._block(block, after) for block, after in pairwise([*self._blocks, {}]))

    def _block(self, block: Row, after: Row) -> str:
        if "text" not in block:
            return self._table(block)
        shown = self._filled(block["text"]).strip().split("\n\n")
        if "caption" in block or ("{{" in block["text"] and "table" not in after):
            shown.append(self._said(block, f"the text that begins {shown[-1].splitlines()[0]!r}"))
        return "\n\n".join(_wrapped(paragraph) for paragraph in shown)

    def _said(self, block: Row, what: str, table: Sequence[Mapping[str, str]] = ()) -> str:
        caption = _merged(self._caption, block.get("caption", {}))
        try:
            caption_text = described(caption, f"{self._place}: {what}", self._filled, table)
        except CaptionError as error:
            raise PageError(str(error)) from error
        command = caption["command"]
        older = self._age(self._filled(command)) if isinstance(command, str) else ""
        return f"{caption_text} {AGE}: {older}." if older else caption_text

    def _age(self, command: str) -> str:
        return age(measured_by(command), self._scope.get("results", RESULTS))

    def _compared(self, row: Row) -> Row:
        try:
            cells = compared(row, self._evaluate, self._filled, self._scope["measured"])
            return {**cells, "age": self._age(cells["command"])}
        except (LookupError, TypeError, ValueError) as error:
            if isinstance(error, PageError):
                raise
            raise PageError(
                f"{self._place}: comparison {row.get('what')!r}: {error}; remedy: correct it "
                "(benchmarks/pages/comparisons.py describes its fields)"
            ) from error

    def _filled(self, source: str) -> str:
        return self._template(source, self._scope)

    def _evaluate(self, source: str) -> Any:
        return self._expression(source, self._scope)

    def _table(self, block: Row) -> str:
        table = block["table"]
        rows = list(self._described(table) if "columns" in table else self._listed(table["rows"]))
        if not rows:
            raise PageError(
                f"{self._place}: the table with the columns {', '.join(table['columns'])} has no rows; "
                "remedy: repeat the benchmark that its loops read, or take the table out"
            )
        lines = [list(rows[0]), ["---"] * len(rows[0]), *(list(row.values()) for row in rows)]
        shown = "\n".join(f"| {' | '.join(cell.replace('|', '&#124;') for cell in line)} |" for line in lines)
        caption_text = self._said(block, f"the table with the columns {', '.join(rows[0])}", rows)
        return f"{shown}\n\n{_wrapped(caption_text)}"

    def _listed(self, rows: Sequence[Mapping[str, str]]) -> Iterator[dict[str, str]]:
        for row in rows:
            yield {header: self._template(row.get(header, ""), self._scope) for header in rows[0]}

    def _described(self, table: Row) -> Iterator[dict[str, str]]:
        headers = {header: self._template(header, self._scope) for header in table["columns"]}
        for looped in self._loops(table["each"]):
            scope = self._with(looped, table.get("let", {}))
            if self._expression(table.get("if", "true"), scope):
                yield {headers[name]: self._cell(cell, scope) for name, cell in table["columns"].items()}

    def _loops(self, loops: Row) -> list[Scope]:
        scopes = [self._scope]
        for name, values in loops.items():
            scopes = [{**scope, name: value} for scope in scopes for value in self._values(values, scope)]
        return scopes

    def _values(self, values: Any, scope: Scope) -> Sequence[Any]:
        if isinstance(values, Mapping):
            return [{"title": title, "key": key} for title, key in values.items()]
        return list(self._expression(values, scope)) if isinstance(values, str) else values

    def _with(self, scope: Scope, expressions: Mapping[str, str]) -> Scope:
        for name, expression in expressions.items():
            scope = {**scope, name: self._expression(expression, scope)}
        return scope

    def _cell(self, source: str, scope: Scope) -> str:
        if "{{" in source or "{%" in source:
            return self._template(source, scope)
        return self._evaluated(source, False, scope, str)

    def _template(self, source: str, scope: Scope) -> str:
        return self._evaluated(source, True, scope, str)

    def _expression(self, source: str, scope: Scope) -> Any:
        return self._evaluated(source, False, scope, _defined)

    def _evaluated(
        self, source: str, is_template: bool, scope: Scope, shown: Callable[[Any], Shown]
    ) -> Shown:
        try:
            evaluate, mentioned = _compiled(source, is_template)
        except jinja2.TemplateSyntaxError as error:
            raise PageError(f"{self._place}: {source.strip()!r}: {error}; remedy: correct it") from error
        # To tell what is needed takes as long as to compile: most mention only what there is.
        missing = () if mentioned <= scope.keys() else _needed(source, is_template) - scope.keys()
        for name in sorted(missing):
            raise PageError(
                f"{self._place}: {source.strip()!r}: there is no result {name!r}; remedy: make "
                f"benchmarks/results/{name}.json with `python -m benchmarks {name}` (weights are fitted with "
                f"`python -m benchmarks.{name}`), or correct the name"
            )
        try:
            return shown(evaluate(**scope))
        except (jinja2.UndefinedError, LookupError, TypeError, ValueError) as error:
            raise PageError(
                f"{self._place}: {source.strip()!r}: {error}; remedy: repeat the benchmark that the "
                "expression reads (`python -m benchmarks NAME`), or correct the expression"
            ) from error


def _result(file: Path) -> Row:
    try:
        result: Row = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise PageError(
            f"benchmarks/results/{file.name}: {error}; remedy: repeat `python -m benchmarks {file.stem}`"
        ) from error
    return result


def areas(results: Path = RESULTS, folder: Path = FOLDER) -> Iterator[Area]:
    """Yield the areas of the results page in their order, each when it is asked for.

    Args:
        results: the folder of JSON results.
        folder: the folder of page.yaml, its files and areas/.

    Raises:
        PageError: a result, a row or a field is missing; what asks for it is named.
    """
    by_name = {file.stem: _result(file) for file in results.glob("*.json")}
    described = load_yaml((folder / "page.yaml").read_text(encoding="utf-8"))
    names = described["names"]
    scope = {**by_name, **names, "measured": Measured(by_name, names["cheap"], names["sets"])}
    scope |= {"results": results, "older": lambda name: age([name], results)}
    for name, file in described.get("files", {}).items():
        scope[name] = load_yaml((folder / file).read_text(encoding="utf-8"))
    for name in described["areas"]:
        text = (folder / "areas" / f"{name}.yaml").read_text(encoding="utf-8")
        yield Area(name, load_yaml(text), scope)


def page(of_areas: Iterable[Area]) -> str:
    """Return the results page.

    Raises:
        PageError: what shows figures does not say what they are worth.
    """
    return "\n\n".join(area.markdown() for area in of_areas) + "\n"


def picture(of_areas: Iterable[Area]) -> str:
    """Return the page's picture, an SVG of the comparisons of all areas."""
    return comparison_picture([row for area in of_areas for row in area.comparisons])


def write_page() -> None:
    """Write the results page and its picture into the project's docs."""
    of_areas = list(areas())
    PAGE.write_text(page(of_areas), encoding="utf-8")
    PICTURE.write_text(picture(of_areas), encoding="utf-8")


if __name__ == "__main__":
    write_page()
