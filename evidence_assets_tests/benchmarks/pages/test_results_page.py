"""The results page: what the JSON results say, and named errors where they do not say it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchmarks import UnavailableError
from benchmarks import __main__ as command
from benchmarks.pages.captions import module_source
from benchmarks.pages.comparison_picture import PICTURE
from benchmarks.pages.figures import figure, number
from benchmarks.pages.page import PAGE, Area, PageError, areas, page, picture
from benchmarks.result_files import RESULTS


@pytest.fixture(scope="module")
def text() -> str:
    return page(areas())


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return Path(shutil.copytree(RESULTS, tmp_path / "results"))


CAPTION = {
    "n": "7 questions",
    "no_interval": "counts",
    "no_baseline": "counts",
    "tuned": "nothing",
    "command": "`make bench`",
}
SAID = (
    "*n*: 7 questions. *Interval*: none, counts. *Strongest cheap baseline*: none, counts. "
    "*Tuned*: nothing.\n*Command*: `make bench`."
)


@pytest.fixture
def area() -> Callable[..., str]:
    def rendered(description: str, **scope: Any) -> str:
        return Area("sample", {"caption": CAPTION, **yaml.safe_load(description)}, scope).markdown()

    return rendered


def changed(results: Path, name: str, change: Callable[[Any], object]) -> None:
    file = results / f"{name}.json"
    result = json.loads(file.read_text(encoding="utf-8"))
    change(result)
    file.write_text(json.dumps(result), encoding="utf-8")


def test_the_committed_picture_shows_what_the_results_say() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture(areas()), (
        "docs/pictures/comparisons.svg is not what benchmarks/results say: `python -m benchmarks.page`"
    )


def test_the_committed_page_is_what_the_results_say(text: str) -> None:
    assert PAGE.read_text(encoding="utf-8") == text, "write it anew with `python -m benchmarks.page`"


def test_the_summary_stands_first_and_each_of_its_lines_is_complete(text: str) -> None:
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    assert headings[:2] == ["Results", "Summary"]
    summary = text.split("## Summary")[1].split("\n## ", maxsplit=1)[0]
    tables = [
        [re.split(r" \| ", line.strip("| ")) for line in table.splitlines()]
        for table in re.findall(r"(?:^\|.*\n)+", summary, re.MULTILINE)
    ]
    assert len(tables) == 2
    for header, _, *_ in tables:
        assert header[:4] == ["area", "what", "ours", "strongest cheap baseline"]
        assert header[-1] == "command"
    rows = [row for header, _, *rows in tables for row in rows if len(row) == len(header)]
    assert len(rows) == sum(len(table) - 2 for table in tables) >= 30
    places = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    for row in rows:
        assert all(cell.strip() for cell in row)
        link = re.search(r"\(#(.*)\)", row[0])
        assert link is not None
        assert link.group(1) in places, f"{row[0]} leads nowhere"
        assert row[-1].startswith("`python -m benchmarks")


def test_every_line_of_a_table_is_as_wide_as_its_header(text: str) -> None:
    tables = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert len(tables) > 40
    for table in tables:
        widths = {line.count("|") for line in table.splitlines()}
        assert len(widths) == 1, table.splitlines()[0]


def test_prose_is_wrapped_without_a_line_that_reads_as_a_list(text: str) -> None:
    prose = [line for line in text.splitlines() if not line.startswith(("|", "#"))]
    assert max(map(len, prose)) <= 110
    assert not [line for line in prose if re.match(r"(?:[-+*>]|\d+[.)]) ", line)]


def test_a_figure_that_changes_changes_on_the_page(results: Path) -> None:
    changed(results, "embedding", lambda result: result.update(ratio=0.123))
    assert any("0.123 of the rate" in area.markdown() for area in areas(results))


def test_a_missing_result_is_named_with_its_remedy(results: Path) -> None:
    (results / "load_time.json").unlink()
    with pytest.raises(
        PageError, match=r"summary\.yaml.*no result 'load_time'.*python -m benchmarks load_time"
    ):
        page(areas(results))


def test_a_missing_field_is_named_with_its_remedy(results: Path) -> None:
    changed(results, "embedding", lambda result: result.pop("ratio"))
    with pytest.raises(PageError, match=r"summary\.yaml.*embedding\.ratio.*'ratio'; remedy: repeat"):
        page(areas(results))


def test_a_missing_row_is_named_with_its_values(results: Path) -> None:
    changed(results, "harvest_recovery", lambda result: result.update(scores=[]))
    with pytest.raises(PageError, match=r"no row with kg 'kbloom'; remedy: repeat"):
        page(areas(results))


def test_a_broken_result_is_named(results: Path) -> None:
    (results / "chunking.json").write_text("{", encoding="utf-8")
    with pytest.raises(
        PageError, match=r"chunking\.json: .*; remedy: repeat `python -m benchmarks chunking`"
    ):
        page(areas(results))


def test_a_table_loops_filters_and_fills_its_cells(area: Callable[..., str]) -> None:
    text = area(
        """
        names: {titles: {a: First, b: Second}}
        let: {best: "result.scores | map(attribute='value') | max"}
        blocks:
          - text: Best {{ figure(best) }}.
          - table:
              each:
                set: [a, b]
                metric: {MRR: mrr, recall: hits}
              let: {row: "maybe(result.scores, set=set, metric=metric.key)"}
              if: row is not none
              columns:
                "of {{ result.scores | length }}": titles[set]
                metric: "{{ metric.title }}|"
                value: figure(row.value)
          - table:
              rows:
                - {what: "{{ best }}", bound: under 1}
                - {what: nothing}
        """,
        result={
            "scores": [
                {"set": "a", "metric": "mrr", "value": 0.5},
                {"set": "b", "metric": "hits", "value": 0.25},
            ]
        },
    )
    caption_lines = SAID.splitlines()
    assert text.splitlines() == [
        "Best 50.0.",
        "",
        "| of 2 | metric | value |",
        "| --- | --- | --- |",
        "| First | MRR&#124; | 50.0 |",
        "| Second | recall&#124; | 25.0 |",
        "",
        *caption_lines,
        "",
        "| what | bound |",
        "| --- | --- |",
        "| 0.5 | under 1 |",
        "| nothing |  |",
        "",
        *caption_lines,
    ]


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ("{table: {each: {row: 'result.rows'}, columns: {a: row.a}}}", "with the columns a has no rows"),
        ("{text: '{{ result.rows'}", "remedy: correct it"),
        ("{text: '{{ result.absent }}'}", "has no attribute 'absent'"),
        ("{text: '{{ figure({}) }}'}", "'value'"),
        (
            "{table: {each: {row: '[1]'}, let: {b: result.absent}, columns: {a: row}}}",
            "no attribute 'absent'",
        ),
    ],
)
def test_a_description_that_asks_for_too_much_is_an_error(
    area: Callable[..., str], block: str, message: str
) -> None:
    with pytest.raises(PageError, match=r"benchmarks/pages/areas/sample\.yaml: .*remedy: ") as raised:
        area(f"blocks: [{block}]", result={"rows": []})
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        (figure(0.12345), "12.3"),
        (figure(None), "–"),
        (figure([0.5, 0.25, 0.75]), "50.0 [25.0, 75.0]"),
        (figure({"value": 0.5, "low": None, "high": None}), "50.0"),
        (figure({"value": 0.5, "low": 0.25, "high": 0.75}, interval=False), "50.0"),
        (figure([0.02, -0.01, 0.05], signed=True), "+2.0 [-1.0, +5.0]"),
        (figure([0.02, -0.01, 0.05], signed=True, scale=-100), "-2.0 [-5.0, +1.0]"),
        (figure(12.34, digits=0, scale=1), "12"),
        (number(1234567), "1,234,567"),
        (number(0.98765, 2), "0.99"),
        (number(None), "–"),
    ],
)
def test_figures_are_shown_with_signs_and_intervals(shown: str, text: str) -> None:
    assert shown == text


def test_every_benchmark_of_the_command_is_a_module_with_a_run() -> None:
    for name in command.BENCHMARKS:
        assert re.search(r"^def run\(", module_source(name), re.MULTILINE), name


@pytest.mark.parametrize(
    ("within_bound", "has_page", "missed"), [(True, True, 0), (False, True, 1), (True, False, 1)]
)
def test_the_command_saves_results_and_writes_the_page(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    within_bound: bool,
    has_page: bool,
    missed: int,
) -> None:
    saved: dict[str, Any] = {}

    class Quick:
        @staticmethod
        def run() -> dict[str, Any]:
            return {"ratio": 2, "within_bound": within_bound, "long": [0] * 5000}

    class Skipped:
        @staticmethod
        def run() -> dict[str, Any]:
            raise UnavailableError("no data sets")

    def write_page() -> None:
        saved["page"] = has_page
        if not has_page:
            raise PageError("a field is missing")

    modules = {"benchmarks.chunking": Quick, "benchmarks.kaping": Skipped}
    monkeypatch.setattr(command, "import_module", modules.__getitem__)
    monkeypatch.setattr(command, "save", saved.__setitem__)
    monkeypatch.setattr(command, "write_page", write_page)
    monkeypatch.setattr("sys.argv", ["benchmarks", "chunking", "kaping"])
    assert command.main() == missed
    assert list(saved) == ["chunking", "page"]
    assert saved["chunking"]["command"] == "python -m benchmarks chunking"
    assert {"seconds", "python", "versions"} < set(saved["chunking"])
    printed = capsys.readouterr().out
    assert "kaping: skipped, no data sets" in printed
    assert "ratio" in printed
    assert "long" not in printed
    assert ("docs/results.md is not written: a field is missing" in printed) is not has_page


def test_a_benchmark_that_fails_is_not_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        @staticmethod
        def run() -> dict[str, Any]:
            raise FileNotFoundError("a file that it should have made")

    monkeypatch.setattr(command, "import_module", lambda _: Broken)
    monkeypatch.setattr("sys.argv", ["benchmarks", "chunking"])
    with pytest.raises(FileNotFoundError, match="should have made"):
        command.main()
