"""Pages in headless Chromium: they fit a phone, are used by keyboard, ask for nothing and run nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from evidence_assets.audit.pages.answer_page import answer_pages
from evidence_assets.audit.pages.front_page import write_front_page
from evidence_assets.audit.pages.index_page import index_pages
from evidence_assets.audit.pages.rendering import folder_of, scoreboard_folder
from evidence_assets.audit.pages.scoreboard_page import scoreboard_page
from evidence_assets.lake.filesystem import replace_folder
from evidence_assets.systems.uscrake.system import USCRAKE
from evidence_assets_tests.testing.browser import Browser, browser
from evidence_assets_tests.testing.page_samples import ARM, build_page_lake, read_pages
from evidence_assets_tests.testing.tiny_lake import BENCHMARK, SYSTEM

WIDTHS = (390, 820, 1400)
pytestmark = [pytest.mark.integration, pytest.mark.browser, pytest.mark.xdist_group("browser")]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One page of each kind, and the four answers', on disk."""
    lake = build_page_lake(str(tmp_path_factory.mktemp("browser") / "lake"))
    experiment = read_pages(lake)
    files = [
        page
        for answer in experiment.answers
        for page in answer_pages(experiment, answer, {"previous": None, "next": None})
    ]
    root = Path(lake.path)
    folder = root / folder_of(SYSTEM, ARM, BENCHMARK)
    replace_folder(lake.filesystem, str(folder), [*files, *index_pages(experiment)])
    scores = root / scoreboard_folder(BENCHMARK)
    replace_folder(
        lake.filesystem, str(scores), [("index.html", scoreboard_page(lake, [USCRAKE], BENCHMARK))]
    )
    answers = {
        answer.prediction["question_id"]: folder / f"{answer.prediction['prediction_id']}.html"
        for answer in experiment.answers
    }
    front = Path(write_front_page(lake))
    return {**answers, "index": folder / "index.html", "scores": scores / "index.html", "front": front}


@pytest.fixture(scope="module")
def tab() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


NAMES = ("graph", "silent", "table", "text", "index", "scores", "front")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_window(
    tab: Browser, written: dict[str, Path], name: str, width: int
) -> None:
    tab.open(written[name], width)
    assert tab.value("window.innerWidth") == width
    assert tab.value("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", NAMES)
def test_a_page_asks_for_nothing_and_runs_nothing_of_the_lake(
    tab: Browser, written: dict[str, Path], name: str
) -> None:
    tab.open(written[name])
    assert [url for url in tab.requests if not url.startswith(("file:", "data:"))] == []
    assert tab.requests[0] == written[name].as_uri()
    assert len([url for url in tab.requests if url.startswith("file:")]) == 1
    assert tab.dialogs == []
    assert tab.errors == []
    assert tab.value("document.images.length") == 0


@pytest.mark.parametrize("dark", [False, True])
def test_a_page_follows_the_colour_scheme(tab: Browser, written: dict[str, Path], dark: bool) -> None:
    tab.open(written["text"], dark=dark)
    ground = tab.value("getComputedStyle(document.body).backgroundColor")
    assert ground == ("rgb(20, 23, 27)" if dark else "rgb(250, 249, 246)")
    tab.open(written["index"], dark=dark)
    drawn = tab.value("getComputedStyle(document.querySelector('svg.plot path[style*=series]')).stroke")
    assert drawn == ("rgb(127, 178, 240)" if dark else "rgb(31, 95, 174)")


def focused_by_tabbing(tab: Browser, presses: int) -> list[str]:
    """What gets the focus, press by press: its tag and what it says."""
    shown = []
    for _ in range(presses):
        tab.press("Tab")
        shown.append(
            tab.value(
                "(e => `${e.tagName} ${e.name || ''} ${(e.textContent || e.value || '').trim()}`)"
                "(document.activeElement)"
            )
        )
    return shown


def test_the_keyboard_reaches_filters_and_answers(tab: Browser, written: dict[str, Path]) -> None:
    tab.open(written["index"])
    focused = focused_by_tabbing(tab, 8)
    assert focused[0].startswith("A  To the content")
    assert any(element.startswith("INPUT show") for element in focused)
    assert any(element.startswith("INPUT words") for element in focused)
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert tab.value(outline) != "none"
    assert any("What is part of the body?" in element for element in focused)


def rows_shown(tab: Browser) -> list[str]:
    shown: list[str] = tab.value(
        "[...document.querySelectorAll('ol.answers > li')].filter(r => r.offsetParent !== null)"
        ".map(r => r.dataset.show)"
    )
    return shown


def test_filters_and_search_work_from_the_keyboard(tab: Browser, written: dict[str, Path]) -> None:
    tab.open(written["index"])
    assert len(rows_shown(tab)) == 4
    tab.value("document.querySelector('input[name=show]:checked').focus()")
    tab.press("ArrowRight")
    assert rows_shown(tab) == ["right", "right"]
    tab.press("ArrowRight")
    assert rows_shown(tab) == ["wrong sure-and-wrong"]
    assert tab.value("document.querySelector('output').textContent") == "1 of 4 shown"
    tab.value("document.querySelector('input[value=all]').click()")
    tab.value("document.querySelector('input[name=words]').focus()")
    for letter in "pumps":
        tab.press(letter, letter)
    assert rows_shown(tab) == ["right"]


def test_a_citations_mark_leads_to_it_and_a_details_opens(tab: Browser, written: dict[str, Path]) -> None:
    tab.open(written["text"])
    tab.value("document.querySelector('.chain a.cite').focus()")
    tab.press("Enter", "\r")
    assert tab.value("location.hash") == "#E1"
    assert tab.value("document.querySelector(':target').id") == "E1"
    tab.value("document.querySelector('#given ~ details > summary').focus()")
    tab.press("Enter", "\r")
    assert tab.value("document.querySelector('#given ~ details').open") is True


def test_a_script_that_slipped_in_would_not_run(tab: Browser, written: dict[str, Path]) -> None:
    """The page's policy is a second wall: it holds even where escaping failed."""
    page = written["text"].with_name("broken.html")
    text = written["text"].read_text(encoding="utf-8")
    page.write_text(text.replace("<h1>", "<script>document.title = 'ran'</script><h1>", 1), encoding="utf-8")
    tab.open(page)
    assert tab.value("document.title") != "ran"
    assert any("Content Security Policy" in error for error in tab.errors)
