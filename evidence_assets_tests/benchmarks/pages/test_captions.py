"""What every table of the results page says of its figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import yaml

from benchmarks.pages.captions import CaptionError, described, lacks, measured_by, typed_by_hand
from benchmarks.pages.page import FOLDER, PAGE, Area, PageError

COMPLETE: dict[str, Any] = {
    "n": "500 questions",
    "interval": "Wilson's",
    "baseline": "chance 25.0",
    "tuned": "nothing",
    "command": "`python -m benchmarks real_data`",
}
ROWS = ({"questions (n)": "first (500)", "right": "40.0 [38.0, 42.0]", "chance": "25.0"},)


def caption(**changes: Any) -> dict[str, Any]:
    changed = {**COMPLETE, **changes}
    return {field: text for field, text in changed.items() if text is not None}


def caption_text(fields: dict[str, Any], table: Any = ROWS) -> str:
    return described(fields, "benchmarks/pages/areas/sample.yaml: the table", str, table)


def test_the_written_page_says_of_every_table_what_its_figures_are_worth() -> None:
    assert not list(lacks(PAGE.read_text(encoding="utf-8")))


def test_a_written_table_that_does_not_say_it_is_named_with_heading_and_field() -> None:
    page = "## Area\n\n| what | right |\n| --- | --- |\n| first | 4.0 |\n\n*n*: 3. *Interval*: none.\n"
    assert list(lacks(page)) == [
        f"Area: the table with the columns what | right does not say {field}"
        for field in ("Strongest cheap baseline", "Tuned", "Command")
    ]


def test_a_caption_is_one_paragraph_of_its_fields() -> None:
    assert caption_text(
        caption(n={"column": "questions (n)"}, no_interval={"expected": ["chance"]}, tuned="weights on train")
    ) == (
        "*n*: in the column “questions (n)”. *Interval*: Wilson's; none for chance (expected). "
        "*Strongest cheap baseline*: chance 25.0. *Tuned*: weights on train. "
        "*Command*: `python -m benchmarks real_data`."
    )


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        (caption(n=None), "field 'n' is not said"),
        (caption(n="some questions"), "field 'n': there is no number in 'some questions'"),
        (caption(n={"column": "sets"}), "field 'n': the table has no column 'sets'"),
        (caption(interval=None), "field 'interval' is not said and neither is 'no_interval'"),
        (caption(), "column 'chance' holds '25.0' without an interval"),
        (
            caption(no_interval={"expected": ["right", "chance"]}),
            "every figure of column 'right' has an interval",
        ),
        (caption(no_interval={"expected": ["luck"]}), "field 'no_interval': the table has no column 'luck'"),
        (caption(no_interval="counts"), "must name columns where 'interval' is said too"),
        (caption(baseline=None), "field 'baseline' is not said and neither is 'no_baseline'"),
        (caption(tuned=None), "field 'tuned' is not said"),
        (caption(tuned=" "), "field 'tuned' is empty"),
        (caption(command="real_data"), "has no `python -m benchmarks …`"),
        (caption(command="`python -m benchmarks real_dta`"), "there is no benchmarks.real_dta"),
        (caption(command="`make benches`"), "the Makefile has no target 'benches'"),
        (caption(source="the thesis"), "'source' is not a field of a caption"),
    ],
)
def test_a_field_that_lacks_or_is_not_borne_out_is_named(fields: dict[str, Any], problem: str) -> None:
    with pytest.raises(
        CaptionError, match=r"^benchmarks/pages/areas/sample\.yaml: the table: .*; remedy: "
    ) as raised:
        caption_text(fields)
    assert problem in str(raised.value)


def test_a_column_that_tells_a_field_must_tell_it_in_every_row() -> None:
    with pytest.raises(CaptionError, match="field 'n': row 2 has nothing in its column 'n'"):
        caption_text(caption(n={"column": "n"}), [{"n": "3"}, {"n": " "}])


@pytest.fixture
def area() -> Callable[[str], str]:
    def rendered(description: str) -> str:
        return Area("sample", yaml.safe_load(description), {"result": {"n": 7}}).markdown()

    return rendered


TABLE = "{table: {rows: [{what: '{{ result.n }}'}]}}"


def test_a_table_without_a_caption_cannot_be_written(area: Callable[[str], str]) -> None:
    with pytest.raises(
        PageError, match=r"sample\.yaml: the table with the columns what: field 'n' is not said"
    ):
        area(f"blocks: [{TABLE}]")


def test_a_text_that_shows_results_says_it_itself_or_stands_before_a_table(
    area: Callable[[str], str],
) -> None:
    complete = (
        "caption: {n: 7, no_interval: counts, no_baseline: counts, tuned: nothing, command: '`make bench`'}"
    )
    complete = complete.replace("n: 7,", "n: '{{ result.n }}',")
    assert (
        area(f"{{{complete}, blocks: [{{text: '{{{{ result.n }}}} rows'}}, {TABLE}]}}").count("*n*: 7.") == 1
    )
    assert (
        area(f"{{{complete}, blocks: [{TABLE}, {{text: '{{{{ result.n }}}} rows'}}]}}").count("*n*: 7.") == 2
    )
    with pytest.raises(PageError, match="the text that begins '7 rows': field 'n' is not said"):
        area("blocks: [{text: '{{ result.n }} rows'}]")


def test_a_block_replaces_what_its_area_says(area: Callable[[str], str]) -> None:
    text = area(
        """
        caption: {n: "7", no_interval: counts, baseline: chance, tuned: nothing, command: "`make bench`"}
        blocks:
          - table: {rows: [{right: "4.0 [3.0, 5.0]"}]}
            caption: {interval: Wilson's, no_baseline: none was run}
        """
    )
    assert "*Interval*: Wilson's. *Strongest cheap baseline*: none, none was run." in " ".join(text.split())


AREAS = {
    file.stem: yaml.safe_load(file.read_text(encoding="utf-8")) for file in (FOLDER / "areas").glob("*.yaml")
}
# Of an earlier version, which the text names; what the code or the method sets; what a paper prints.
MARKS = {"history", "setting", "printed"}


def blocks() -> Iterator[tuple[str, dict[str, Any]]]:
    for name, area in sorted(AREAS.items()):
        yield from ((f"{name} {place}", block) for place, block in enumerate(area["blocks"]))


@pytest.mark.parametrize(("place", "block"), blocks(), ids=lambda part: part if isinstance(part, str) else "")
def test_a_figure_that_is_typed_by_hand_is_marked_as_no_result(place: str, block: dict[str, Any]) -> None:
    texts = [
        block.get("text", ""),
        *(text for text in block.get("caption", {}).values() if isinstance(text, str)),
    ]
    typed = {number for text in texts for number in typed_by_hand(text)}
    marks = block.get("typed", {})
    assert marks.keys() <= MARKS
    marked = {number for numbers in marks.values() for number in str(numbers).split()}
    assert typed == marked, (
        f"{place}: read {sorted(typed - marked)} from a result, or mark it in the block's `typed`"
    )


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        (
            "had 43.6 [1.0, −2.5] of {{ figure(0.5) }} and {% if 1.5 %}p = .03{% endif %}",
            ["43.6", "1.0", "−2.5", ".03"],
        ),
        ("versions 3.11.7 and `0.25` and 5.4.3.4, 1,234 and 500", []),
    ],
)
def test_decimals_outside_of_expressions_are_typed_by_hand(text: str, typed: list[str]) -> None:
    assert typed_by_hand(text) == typed


def test_what_stands_behind_a_module_is_its_argument() -> None:
    assert measured_by("`python -m benchmarks.attention2query options`") == ["attention2query"]
    assert measured_by("`EVIDENCE_REAL_DATA=… python -m benchmarks readers real_data` `make bench`") == [
        "readers",
        "real_data",
    ]
    unknown = {**COMPLETE, "command": "`python -m benchmarks.attention2query gone`"}
    with pytest.raises(CaptionError, match="knows no 'gone'"):
        described(unknown, "place", str)
