"""What a new user does in a terminal and a browser: clone, demo, UI, an arm by clicking, own data, an edit.

Every step has its time, for two slow cores, and none may show a stack trace.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest

from evidence_assets_tests.testing.browser import Browser, browser
from evidence_assets_tests.testing.killed_daemon import KilledDaemon
from evidence_assets_tests.testing.serving import free_port, wait_until_served
from evidence_assets_tests.testing.small_project import SmallProject

pytestmark = [pytest.mark.integration, pytest.mark.browser, pytest.mark.xdist_group("user_interface")]

PROJECT = Path(__file__).resolve().parents[1]
LOCATION = "locations/evidence_assets.definitions"
SPACE, READ, NEAREST = "starter_space", "full@extractive", "no_triplets@nearest"
SPACE_QUESTIONS = Path("evidence_assets/starter/space_questions/space.jsonl")
POND_QUIZ, BM25 = "pond_quiz", "chunks_only_bm25@extractive"
# What a user writes under each section of the configuration.
OWN_SETTINGS = {
    "corpora": "pond: {sources: [{name: notes, uri: ../pond, format: text_folder, licence: CC0-1.0}]}",
    "benchmarks": f"{POND_QUIZ}: {{reader: questions_jsonl, uri: ../quiz.jsonl, split: test, corpus: pond}}",
}
FOODS = ("ants", "moss", "algae", "flies", "snails", "worms", "reeds", "beetles", "seeds", "shrimps")
ANIMALS = ("newt", "toad", "carp", "heron", "duck", "leech", "otter", "swan", "rail", "grebe")
# Seconds.
DEMO, START, NEW_ARM, OWN_DATA, EDIT = 300.0, 180.0, 300.0, 360.0, 240.0


@contextmanager
def step(name: str, seconds: float) -> Iterator[None]:
    """A step that takes no longer than this."""
    began = time.monotonic()
    yield
    spent = time.monotonic() - began
    print(f"{name}: {spent:.0f} s of {seconds:.0f}")
    assert spent < seconds, f"{name} took {spent:.0f} s of {seconds:.0f}"


def no_stack_trace(shown: str) -> None:
    assert "Traceback (most recent call last)" not in shown, shown[-5000:]


class Clone(SmallProject):
    """A checkout of its own, with nothing in it but what is tracked."""

    @property
    def configuration(self) -> Path:
        return self.folder / "data_lake" / "sources.yaml"

    @property
    def lake_folder(self) -> Path:
        return self.folder / "data_lake"

    @property
    def cache_folder(self) -> Path:  # type: ignore[override]
        return self.lake_folder / "cache"


def cloned(folder: Path) -> Clone:
    """The files of this checkout as they are now, in a folder of their own."""
    command = ["git", "ls-files", "-z", "data_lake", "evidence_assets", "dagster.yaml", "workspace.yaml"]
    listed = subprocess.run(command, cwd=PROJECT, capture_output=True, check=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PROJECT / name, folder / name, follow_symlinks=False)
    return Clone(folder)


def demonstrate(clone: Clone, home: Path) -> None:
    """`evidence-assets demo` of one benchmark and arm."""
    command = ["demo", SPACE, "--arms", f"four_step_focus/{READ}"]
    ran = subprocess.run(
        [sys.executable, "-m", "evidence_assets.cli", *command],
        cwd=clone.folder,
        env={**os.environ, **clone.environment(), "DAGSTER_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=DEMO,
        check=False,
    )
    no_stack_trace(ran.stdout + ran.stderr)
    assert ran.returncode == 0, ran.stderr
    assert f"four_step_focus/{READ}" in ran.stdout


class Interface:
    """Dagster's UI as a person uses it."""

    def __init__(self, tab: Browser, address: str) -> None:
        self._tab, self._address = tab, address

    def open(self, path: str) -> None:
        """Open a page and wait until it shows something."""
        self._tab.open(f"{self._address}/{path}", width=1500, height=1200)
        self._tab.until("document.body.innerText.includes('Overview')")

    def run(self, system: str, arm: str, benchmark: str, seconds: float) -> None:
        """Choose a partition in the job's launchpad, launch it, and wait for its success."""
        deadline = time.monotonic() + seconds
        tab, chosen = self._tab, f"{arm}|{benchmark}"
        launched = "/[/]runs[/][0-9a-f-]{36}/.test(location.pathname)"
        # A launchpad that was still loading forgets what was chosen, and asks whether that is meant.
        forgot = "document.body.innerText.includes('without a partition specified')"
        while not tab.value(launched):
            assert time.monotonic() < deadline, f"the launchpad does not launch {chosen}"
            if self._chooses(system, chosen):
                tab.click(_labelled("button:enabled", "Launch Run"))
                tab.until(f"{launched} || {forgot}", seconds)
        tab.until(f"document.body.innerText.includes({json.dumps(chosen)})", seconds)
        ended = "[...document.querySelectorAll('span, div')].some(each => %s.includes(each.innerText))"
        tab.until(ended % "['Success', 'Failure']", seconds)
        assert tab.value(ended % "['Success']"), tab.value("document.body.innerText")
        no_stack_trace(str(tab.value("document.body.innerText")))

    def _chooses(self, system: str, chosen: str) -> bool:
        """Open the launchpad and choose a partition; tell whether it is there to be chosen."""
        tab, written = self._tab, "document.querySelector('input[placeholder=Partition]')"
        self.open(f"{LOCATION}/jobs/run_{system}_with_what_it_needs/playground")
        tab.until(_labelled("button:enabled", "Launch Run"))
        # What is written before the partitions have come is lost.
        for _ in range(3):
            tab.click(written)
            tab.value("document.activeElement.select?.()")
            tab.write(chosen[:-1])
            if tab.holds(_labelled("[role=menuitem]", chosen), 5.0):
                tab.click(_labelled("[role=menuitem]", chosen))
                # What the box shows may not be what the page has kept to launch.
                condition = f"Object.values(localStorage).some(kept => kept.includes({json.dumps(chosen)}))"
                return tab.holds(condition, 10.0)
        return False

    def reload(self) -> None:
        """Reload the code location: a configuration is read once a process."""
        self.open("locations")
        self._tab.click(_labelled("button:enabled", "Reload"))

    def shows(self, system: str, arm: str, benchmark: str, seconds: float, *any_of: str) -> None:
        """Open the predictions of an experiment until they show one of some texts."""
        partition = quote(f"{arm}|{benchmark}", safe="")
        deadline = time.monotonic() + seconds
        shown = f"{json.dumps(any_of)}.some(text => document.body.innerText.includes(text))"
        while True:
            self.open(f"assets/{system}/predictions?view=partitions&partition={partition}")
            if self._tab.holds(shown, 10.0):
                break
            assert time.monotonic() < deadline, self._tab.value("document.body.innerText")
        self._tab.until("document.body.innerText.includes('Latest materialization')")
        page = str(self._tab.value("document.body.innerText"))
        no_stack_trace(page)
        assert "Unsynced" not in page, "what was just made is shown as out of date"


def space_questions() -> list[str]:
    """Return the questions of the starter's benchmark to the graph."""
    text = (PROJECT / SPACE_QUESTIONS).read_text(encoding="utf-8")
    return [json.loads(line)["question"] for line in text.splitlines()]


def _labelled(kind: str, text: str) -> str:
    """JavaScript for the first element of a kind with exactly this text."""
    return (
        f"[...document.querySelectorAll({json.dumps(kind)})]"
        f".find(each => each.innerText.trim() == {json.dumps(text)})"
    )


def add_own_data(clone: Clone) -> Path:
    """Write twenty articles and ten questions and name them; return the first question's article."""
    pond = clone.folder / "pond"
    pond.mkdir()
    for animal, food in zip(ANIMALS, FOODS, strict=True):
        eats = f"The pond {animal} eats {food} all summer."
        (pond / f"{animal}.md").write_text(f"# Pond {animal}\n\n{eats}\n", encoding="utf-8")
        lives = f"In winter nobody sees a pond {animal}, and the ice is thick."
        (pond / f"{animal}_in_winter.md").write_text(f"# Winter of a {animal}\n\n{lives}\n", encoding="utf-8")
    questions = [
        {
            "id": f"p{number}",
            "question": f"What does the pond {animal} eat?",
            "options": [FOODS[number].capitalize(), FOODS[(number + 1) % len(FOODS)].capitalize()],
            "answer_index": 0,
        }
        for number, animal in enumerate(ANIMALS)
    ]
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    (clone.folder / "quiz.jsonl").write_text(lines, encoding="utf-8")
    text = clone.configuration.read_text(encoding="utf-8")
    for section, named in OWN_SETTINGS.items():
        assert text.count(f"\n{section}:\n") == 1
        text = text.replace(f"\n{section}:\n", f"\n{section}:\n  {named}\n")
    clone.configuration.write_text(text, encoding="utf-8")
    return pond / f"{ANIMALS[0]}.md"


def test_from_a_clone_to_an_answer_that_follows_an_edit(tmp_path: Path) -> None:
    clone, home = cloned(tmp_path / "clone"), tmp_path / "home"
    home.mkdir()
    shutil.copy(PROJECT / "dagster.yaml", home)
    port = free_port()
    address, daemon = f"http://127.0.0.1:{port}", KilledDaemon(clone, home, port)
    with browser() as tab:
        interface = Interface(tab, address)
        with step("demo", DEMO):
            demonstrate(clone, home)
        try:
            with step("the UI is up and shows the demo's answers", START):
                daemon.start()
                wait_until_served(address, START)
                # Questions are read beside the answers, not their ids: a few of those that were answered.
                interface.shows("four_step_focus", READ, SPACE, START, *space_questions())
            with step("a new arm by clicking", NEW_ARM):
                interface.run("four_step_focus", NEAREST, SPACE, NEW_ARM)
                interface.shows("four_step_focus", NEAREST, SPACE, NEW_ARM, *space_questions())
            with step("own articles and questions", OWN_DATA):
                article = add_own_data(clone)
                interface.reload()
                interface.run("uscrake", BM25, POND_QUIZ, OWN_DATA)
                interface.shows("uscrake", BM25, POND_QUIZ, OWN_DATA, "Ants: The pond newt eats ants")
            with step("an edit, and the answer changes", EDIT):
                article.write_text("# Pond newt\n\nThe pond newt eats moss all summer.\n", encoding="utf-8")
                interface.shows("uscrake", BM25, POND_QUIZ, EDIT, "Moss: The pond newt eats moss")
            # Before it ends: the interrupt may meet a process of Dagster's that catches none.
            no_stack_trace(daemon.log())
        finally:
            daemon.end()
