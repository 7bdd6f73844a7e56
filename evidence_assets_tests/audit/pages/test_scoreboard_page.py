"""A scoreboard shows each experiment with its interval, says what is chance, and blends nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence_assets.audit.pages.front_page import unnamed_folders, write_front_page
from evidence_assets.audit.pages.rendering import LARGEST, folder_of
from evidence_assets.audit.pages.scoreboard_page import scoreboard_page
from evidence_assets.evaluation.published import published_rows
from evidence_assets.lake.filesystem import replace_folder
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import (
    BENCHMARK_SCORES,
    EVIDENCE_PAGES,
    PREDICTIONS,
    QUESTIONS,
    SCORE_DIFFERENCES,
    SCOREBOARD_PAGES,
)
from evidence_assets.systems.uscrake.system import USCRAKE
from evidence_assets_tests.testing.page_samples import Page, outside, rewritten
from evidence_assets_tests.testing.table_rows import table_of
from evidence_assets_tests.testing.tiny_lake import (
    ARMS,
    BENCHMARK,
    SYSTEM,
    build_tiny_lake,
    experiment_partition,
    score_row,
)

FIRST, SECOND = map(experiment_partition, ARMS)


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return build_tiny_lake(str(tmp_path / "lake")).lake


def board(lake: Lake, benchmark: str = BENCHMARK) -> Page:
    return Page.of(scoreboard_page(lake, [USCRAKE], benchmark))


def difference(arm: str, low: float, value: float, high: float, **changed: object) -> dict[str, object]:
    common = {"system": SYSTEM, "benchmark": BENCHMARK, "metric": "accuracy", "n": 2}
    figures = {"arm": arm, "low": low, "value": value, "high": high, "baseline_arm": "chance"}
    return {**common, **figures, "is_strongest_baseline": True, **changed}


def test_every_arm_stands_with_its_interval_beside_chance(lake: Lake) -> None:
    page = board(lake)
    assert "2 questions, 2 experiments." in page.words
    for arm in ARMS:
        assert f"{SYSTEM} / {arm} 50.0 9.5 to 90.5 n = 2" in page.words
    assert "Dashed: chance, 50.0 %." in page.words
    assert list(outside(page)) == []
    assert page.all("script") == []
    [low, high] = [(line["x1"], line["x2"]) for line in page.all("line") if line["class"] == "range"]
    assert low == high == ("9.50%", "90.50%")


def test_what_guessing_reaches_on_some_questions_is_no_line_beside_all(lake: Lake) -> None:
    for place in (FIRST, SECOND):
        scores = lake.read(BENCHMARK_SCORES, place).to_pylist()
        fewer = [{**row, "n": 1} if row["metric"] == "chance_accuracy" else row for row in scores]
        lake.write(BENCHMARK_SCORES, place, table_of(BENCHMARK_SCORES, *fewer))
    assert "Dashed" not in board(lake).words


def test_a_difference_is_chance_where_its_interval_holds_nought(lake: Lake) -> None:
    rows = [
        difference(ARMS[0], 0.01, 0.2, 0.4),
        difference(ARMS[1], -0.4, -0.2, -0.01),
        difference(ARMS[1], -0.1, 0.2, 0.5, baseline_arm=ARMS[0], is_strongest_baseline=False),
    ]
    where = {"system": SYSTEM, "benchmark": BENCHMARK}
    lake.write(SCORE_DIFFERENCES, where, table_of(SCORE_DIFFERENCES, *rows))
    words = board(lake).words
    assert "+20.0 +1.0 to +40.0 better, by more than chance" in words
    assert "-20.0 -40.0 to -1.0 worse, by more than chance" in words
    assert "+20.0 -10.0 to +50.0 may be chance" in words
    assert words.index("strongest cheap baseline") < words.index("Against other arms: 1 comparison")


def test_a_difference_is_judged_by_its_test_where_there_is_one(lake: Lake) -> None:
    tested = {"test": "mcnemar", "comparisons": 5}
    rows = [
        difference(ARMS[0], 0.01, 0.2, 0.4, p_value=0.0001, p_holm=0.0004, **tested),
        # Its interval leaves out nought; among five comparisons, one such is chance.
        difference(ARMS[1], 0.01, 0.2, 0.4, p_value=0.04, p_holm=0.2, **tested),
    ]
    where = {"system": SYSTEM, "benchmark": BENCHMARK}
    lake.write(SCORE_DIFFERENCES, where, table_of(SCORE_DIFFERENCES, *rows))
    words = board(lake).words
    assert "better, by more than chance (p < 0.001, corrected for 5 comparisons)" in words
    assert "may be chance (p = 0.200, corrected for 5 comparisons)" in words


def test_answers_of_two_code_versions_have_no_score(lake: Lake) -> None:
    rewritten(lake, PREDICTIONS, FIRST, code_version="2")
    words = board(lake).words
    assert f"{SYSTEM} / {ARMS[0]} holds answers of 2 code versions" in words
    assert f"{SYSTEM} / {ARMS[0]} 50.0" not in words
    assert f"{SYSTEM} / {ARMS[1]} 50.0" in words


def test_what_is_missing_is_named(lake: Lake) -> None:
    lake.delete(BENCHMARK_SCORES, FIRST)
    lake.write(PREDICTIONS, SECOND, lake.read(PREDICTIONS, SECOND).slice(0, 1))
    words = board(lake).words
    assert f"{SYSTEM} / {ARMS[0]} has answers and no scores" in words
    assert f"{SYSTEM} / {ARMS[1]} has 1 answer to 2 questions: its scores are over these alone." in words


def test_without_answers_nothing_is_scored(tmp_path: Path) -> None:
    lake = Lake(str(tmp_path / "lake"))
    lake.write(QUESTIONS, {"benchmark": BENCHMARK}, QUESTIONS.schema.empty_table())
    assert "Nothing is scored yet." in board(lake).words


def test_published_figures_stand_beside_ours_and_are_not_blended(lake: Lake) -> None:
    printed = [row for row in published_rows().to_pylist() if row["system"] == SYSTEM]
    benchmark = "openbookqa"
    theirs = [row for row in printed if row["benchmark"] == benchmark and row["arm"].startswith("paper@")]
    arm = "paper@extractive"
    place = {**FIRST, "arm": arm, "benchmark": benchmark}
    predictions = [{**row, **place} for row in lake.read(PREDICTIONS, FIRST).to_pylist()]
    lake.write(PREDICTIONS, place, table_of(PREDICTIONS, *predictions))
    scores = {**score_row(arm, "accuracy", 0.123, low=0.1, high=0.2, n=500), **place}
    lake.write(BENCHMARK_SCORES, place, table_of(BENCHMARK_SCORES, scores))
    questions = [
        {**row, "benchmark": benchmark} for row in lake.read(QUESTIONS, {"benchmark": BENCHMARK}).to_pylist()
    ]
    lake.write(QUESTIONS, {"benchmark": benchmark}, table_of(QUESTIONS, *questions))
    page = board(lake, benchmark)
    [row, *_] = theirs
    assert f"theirs {100 * row['value']:.1f} ours 12.3 {arm}" in page.words
    reader = row["arm"].partition("@")[2]
    assert f"read by extractive, theirs by {reader}; ours over 500 questions" in page.words
    # Theirs is in no bar and no interval.
    assert len([circle for circle in page.all("circle") if circle["class"] == "dot"]) == 1


def test_a_benchmark_that_no_paper_reports_says_so(lake: Lake) -> None:
    assert "No paper that is transcribed here prints a figure of this benchmark." in board(lake).words


def test_links_lead_to_pages_that_there_are(lake: Lake) -> None:
    folder = folder_of(SYSTEM, ARMS[0], BENCHMARK)
    index_row = {**FIRST, "page": "index.html", "path": f"{folder}/index.html", "bytes": 1, "file_hash": ""}
    lake.write(EVIDENCE_PAGES, FIRST, table_of(EVIDENCE_PAGES, index_row))
    links = board(lake).links()
    assert [link for link in links if link.endswith(f"{ARMS[0].replace('@', '%40')}/index.html")]
    assert not [link for link in links if ARMS[1].replace("@", "%40") in link]
    shown = {"benchmark": BENCHMARK, "page": "index.html", "path": "", "bytes": 1, "file_hash": ""}
    lake.write(SCOREBOARD_PAGES, {"benchmark": BENCHMARK}, table_of(SCOREBOARD_PAGES, shown))
    front = Page.of(Path(write_front_page(lake)).read_bytes())
    # A benchmark's slash is escaped in the folder's name, and once more in a link to it.
    assert f"tiny%252Fbench/{SYSTEM}/{ARMS[0].replace('@', '%40')}/index.html" in front.links()
    assert "tiny%252Fbench/-scores/index.html" in front.links()
    assert "accuracy 50.0, 9.5 to 90.5, n = 2" in front.words


def test_folders_of_pages_that_nothing_names_are_told(lake: Lake) -> None:
    folders = [folder_of(SYSTEM, arm, BENCHMARK) for arm in ARMS]
    for folder in folders:
        replace_folder(lake.filesystem, f"{lake.path}/{folder}", [("index.html", b"page")])
    index_row = {
        **FIRST,
        "page": "index.html",
        "path": f"{folders[0]}/index.html",
        "bytes": 4,
        "file_hash": "",
    }
    lake.write(EVIDENCE_PAGES, FIRST, table_of(EVIDENCE_PAGES, index_row))
    write_front_page(lake)
    assert unnamed_folders(lake) == [folders[1]]
    assert unnamed_folders(lake, [(EVIDENCE_PAGES, FIRST)]) == sorted(folders)


def test_no_scoreboard_is_too_large(lake: Lake) -> None:
    rows = [
        difference(ARMS[0], 0.01, 0.2, 0.4, baseline_arm=f"arm{number:03}@extractive" + "x" * 200)
        for number in range(300)
    ]
    lake.write(
        SCORE_DIFFERENCES, {"system": SYSTEM, "benchmark": BENCHMARK}, table_of(SCORE_DIFFERENCES, *rows)
    )
    assert len(scoreboard_page(lake, [USCRAKE], BENCHMARK)) <= LARGEST
