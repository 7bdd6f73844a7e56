"""Write docs/printed.md: what the papers print, and what stands for it here.

    python -m benchmarks.printed

`printed/<paper>.yaml` describes a paper:

    title:     what the page calls it
    numbered:  by kind, all that the paper numbers: `3.1..3.6` are six
    reasons:   reasons that several rows give, by a word
    rows:      a list; each with
      printed:    a kind and its numbers
      what:       what it is, in a few words
      code:       dotted names, or prompts as paths, in evidence_assets
      arms:       `system/arm`; GENERATOR stands for a language model's name
      tests:      `file::test`, in evidence_assets_tests
      figures:    results, as `table_data.scores` in benchmarks/results, each arm in one of them, except
      unmeasured: arms that no named result has, or any result where none is named; `none` says why
      published:  true where its figures are rows of `published_scores`
      only:       why there is nothing to compute, or its word in `reasons`
      none:       why something of it lacks, or its word in `reasons`
"""

from __future__ import annotations

import ast
import importlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from benchmarks import PROJECT
from benchmarks.result_files import RESULTS
from evidence_assets.evaluation.published import published_rows
from evidence_assets.extraction.arms import ARMS as MINED
from evidence_assets.systems.registry import SYSTEMS

FOLDER = Path(__file__).parent / "printed"
TESTS = PROJECT / "evidence_assets_tests"
PACKAGE = "evidence_assets"
PAGE = PROJECT / "docs" / "printed.md"
GENERATOR = "GENERATOR"
MINING = "kbloom"
INTRODUCTION = """\
# What the papers print, and what stands for it here

Written by `python -m benchmarks.printed` from `benchmarks/pages/printed/`; a test holds every name in it to
the code. Names of code are in `evidence_assets`, tests in `evidence_assets_tests`, figures in
`benchmarks/results`, shown by [results.md](results.md). `GENERATOR` stands for a language model's name in a
configuration. “Published” figures are rows of `published_scores`. What has no figure of ours says why."""

Row = Mapping[str, Any]
_FIELDS = {"printed", "what", "code", "arms", "tests", "figures", "unmeasured", "published", "only", "none"}
# What a row of results may call its arm.
_CALLED = ("arm", "kg", "filter", "retrieval", "method")
_SAY = "name it in `unmeasured` and say why in `none`"
_RANGE = re.compile(r"(?P<stem>.*?)(?P<first>\d+)\.\.(?P<same>.*?)(?P<last>\d+)")


class PrintedError(ValueError):
    """A paper's description cannot be read."""


def numbers(text: str) -> list[str]:
    """Return the numbers that a text lists; `3.1..3.6` are six.

    Raises:
        PrintedError: a range runs over two sections, or backwards.
    """
    listed = []
    for part in str(text).split():
        if ".." not in part:
            listed.append(part)
            continue
        ends = _RANGE.fullmatch(part)
        if ends is None or ends["stem"] != ends["same"] or int(ends["first"]) > int(ends["last"]):
            raise PrintedError(f"{part!r} is no range; remedy: write it like 3.1..3.6")
        listed += [f"{ends['stem']}{last}" for last in range(int(ends["first"]), int(ends["last"]) + 1)]
    return listed


def items(row: Row) -> list[str]:
    """Return what a row is about, each with its kind: `equation 3.1`."""
    kind, _, listed = row["printed"].partition(" ")
    return [f"{kind} {number}" for number in numbers(listed)]


def papers(folder: Path = FOLDER) -> dict[str, Row]:
    """Return every paper's description, by the file's name."""
    return {
        file.stem: yaml.safe_load(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.yaml"))
    }


def problems(described: Mapping[str, Row]) -> Iterator[str]:
    """Yield what of the descriptions is not so: the file, the row, what is wrong and its remedy."""
    for name, paper in described.items():
        place = f"benchmarks/pages/printed/{name}.yaml"
        yield from (f"{place}: {problem}" for problem in _unlisted(paper))
        for row in paper["rows"]:
            yield from (f"{place}: {row['printed']}: {problem}" for problem in _of_row(row, name))
    yield from _undescribed_figures(described)


def _unlisted(paper: Row) -> Iterator[str]:
    numbered = [f"{kind} {number}" for kind, text in paper["numbered"].items() for number in numbers(text)]
    listed = [item for row in paper["rows"] for item in items(row)]
    for item in sorted(set(numbered) - set(listed)):
        yield f"{item} has no row; remedy: write one"
    for item in sorted(set(listed) - set(numbered)):
        yield f"{item} is not among what the paper numbers; remedy: add it to `numbered`, or correct the row"
    for item in sorted({item for item in listed if listed.count(item) > 1}):
        yield f"{item} has several rows; remedy: keep one"


def _of_row(row: Row, paper: str) -> Iterator[str]:
    for field in sorted(row.keys() - _FIELDS):
        yield f"{field!r} is not a field; remedy: one of {', '.join(sorted(_FIELDS))}"
    for field, exists, problem in _CHECKS:
        for name in row.get(field, ()):
            if not exists(name):
                yield f"{field} {name}: {problem}"
    if row.get("published") and not any((paper, number) in _published() for number in _tables(row)):
        yield "no row of published_scores has its number; remedy: transcribe it, or strike `published`"
    yield from _unmeasured(row)
    if row.get("only") or row.get("none"):
        return
    for field in ("code", "tests", "figures"):
        if not row.get(field) and not (field == "code" and row.get("arms")):
            yield f"{field!r} lacks; remedy: fill it in, or say why in `only` or `none`"


def _unmeasured(row: Row) -> Iterator[str]:
    """Yield which of a row's arms its results lack unsaid, and which are said to lack and do not."""
    figures = [figure for figure in row.get("figures", ()) if _is_result(figure)]
    arms = {arm for arm in row.get("arms", ()) if GENERATOR not in arm and _is_arm(arm)}
    lacking = {arm for arm in arms if not any(_has_arm(figure, arm) for figure in figures)}
    unmeasured = set(row.get("unmeasured", ()))
    if figures or unmeasured:
        for arm in sorted(lacking - unmeasured):
            yield f"figures {', '.join(figures)}: none has {arm}; remedy: name one that has, or {_SAY}"
        for arm in sorted(unmeasured - lacking):
            yield f"unmeasured {arm}: its results have it, or the row has no such arm; remedy: strike it"
    if unmeasured and not row.get("none"):
        yield f"'unmeasured' has no reason; remedy: {_SAY}"


def _undescribed_figures(described: Mapping[str, Row]) -> Iterator[str]:
    described_tables = {
        (name, number)
        for name, paper in described.items()
        for row in paper["rows"]
        if row.get("published")
        for number in _tables(row)
    }
    for paper, number in sorted(_published() - described_tables):
        yield (
            f"published_scores has figures of {paper}, {number}, and no row says so; remedy: write "
            f"`published: true` in benchmarks/pages/printed/{paper}.yaml"
        )


def _tables(row: Row) -> list[str]:
    """Return what `published_scores` calls a row's tables: a figure by its kind too."""
    return [item.removeprefix("table ") for item in items(row)]


@cache
def _published() -> frozenset[tuple[str, str]]:
    rows = published_rows().select(["source", "table_number"]).to_pylist()
    return frozenset((row["source"], row["table_number"]) for row in rows)


def _is_code(name: str) -> bool:
    if "/" in name:
        return (PROJECT / PACKAGE / name).is_file()
    parts = f"{PACKAGE}.{name}".split(".")
    for end in range(len(parts), 0, -1):
        try:
            target: Any = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            # A field of a class without a default is no attribute of it.
            if not hasattr(target, part) and part not in getattr(target, "__annotations__", {}):
                return False
            target = getattr(target, part, None)
        return end > 1
    return False


def _is_arm(arm: str) -> bool:
    system, _, name = arm.partition("/")
    return name in _arms().get(system, ())


@cache
def _arms() -> Mapping[str, frozenset[str]]:
    arms = {system.name: frozenset(system.arms((GENERATOR,))) for system in SYSTEMS}
    return {**arms, MINING: frozenset(MINED)}


def _is_test(test: str) -> bool:
    file, _, name = test.partition("::")
    return name in _tests(TESTS / file)


@cache
def _tests(file: Path) -> frozenset[str]:
    if not file.is_file():
        return frozenset()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def _is_result(figure: str) -> bool:
    name, *keys = figure.split(".")
    file = RESULTS / f"{name}.json"
    if not file.is_file():
        return False
    value: Any = _result(file)
    for key in keys:
        if not isinstance(value, Mapping) or key not in value:
            return False
        value = value[key]
    return True


def _has_arm(figure: str, arm: str) -> bool:
    system, _, name = arm.partition("/")
    arms = _arms_of(figure)
    return bool({(place, form) for place in (system, "") for form in _forms(name)} & arms)


def _forms(name: str) -> set[str]:
    """Return what results may call an arm: with its reader or without, a ranking by its own name."""
    retrieval = name.partition("@")[0]
    return {name, retrieval, retrieval.removeprefix("chunks_only_")}


@cache
def _arms_of(figure: str) -> frozenset[tuple[str, str]]:
    """Return the arms of a result's part, each with its system; empty where the part names none."""
    name, *keys = figure.split(".")
    part: Any = _result(RESULTS / f"{name}.json")
    for key in keys:
        part = part[key]
    return frozenset(_arms_in(part))


def _arms_in(part: Any) -> Iterator[tuple[str, str]]:
    if isinstance(part, Mapping):
        system = part.get("system", "")
        yield from ((system, part[name]) for name in _CALLED if isinstance(part.get(name), str))
        yield from ((system, key) for key in part)
    for inner in part.values() if isinstance(part, Mapping) else part if isinstance(part, list) else ():
        yield from _arms_in(inner)


@cache
def _result(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


# A field, whether one of its names exists, and what to say where it does not.
_CHECKS = (
    ("code", _is_code, f"there is no such thing in {PACKAGE}; remedy: name what does it now"),
    ("arms", _is_arm, "its system has no such arm; remedy: name the arm that stands for it now"),
    ("tests", _is_test, "there is no such test; remedy: name the test that would fail now"),
    ("figures", _is_result, "benchmarks/results has no such key; remedy: measure it, or say why not"),
)


def page(described: Mapping[str, Row]) -> str:
    """Return the page of these papers."""
    return "\n\n".join([INTRODUCTION, *map(_section, described.values())]) + "\n"


def _section(paper: Row) -> str:
    counted = ", ".join(_count(kind, len(numbers(text))) for kind, text in paper["numbered"].items())
    title = paper["title"]
    lines = ["| printed | what | code and arms | tests | figures |", "| --- | --- | --- | --- | --- |"]
    lines += [_line(row, paper.get("reasons", {})) for row in paper["rows"]]
    return f"## {title[0].upper()}{title[1:]}\n\n{counted}.\n\n" + "\n".join(lines)


def _count(kind: str, count: int) -> str:
    several = f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s"
    return f"{count} {kind if count == 1 else several}"


def _line(row: Row, reasons: Mapping[str, str]) -> str:
    reason = row.get("only") or row.get("none") or ""
    shown = [_marked(row.get("figures", ()))]
    shown += ["published"] if row.get("published") else []
    lacking = _marked(row.get("unmeasured", ()))
    shown += [f"not of {lacking}: {reasons.get(reason, reason)}" if lacking else reasons.get(reason, reason)]
    cells = (
        row["printed"].replace("..", " to "),
        row["what"],
        _marked((*row.get("code", ()), *row.get("arms", ()))) or "–",
        _marked(row.get("tests", ())) or "–",
        "; ".join(filter(None, shown)),
    )
    return f"| {' | '.join(cells)} |"


def _marked(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def write_page() -> None:
    """Write the page into the project's docs.

    Raises:
        PrintedError: what it would say is not so.
    """
    described = papers()
    if messages := list(problems(described)):
        raise PrintedError("\n".join(messages))
    PAGE.write_text(page(described), encoding="utf-8")


if __name__ == "__main__":
    write_page()
