"""What a new user does, in a terminal and a browser: demo, UI, a new arm by clicking, own data, an edit.

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
from evidence_assets_tests.testing.small_project import (
    ANIMAL_QUIZ,
    SmallProject,
    small_configuration,
    write_configuration,
    write_small_project,
)

pytestmark = [pytest.mark.integration, pytest.mark.browser, pytest.mark.xdist_group("user_interface")]

PROJECT = Path(__file__).resolve().parents[1]
LOCATION = "locations/evidence_assets.definitions"
JOB = f"{LOCATION}/jobs/run_uscrake_with_what_it_needs"
COSINE, BM25 = "chunks_only_cosine@extractive", "chunks_only_bm25@extractive"
POND_QUIZ = "pond_quiz"
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


def demonstrate(project: SmallProject, home: Path) -> None:
    """`evidence-assets demo` of one arm."""
    command = ["demo", ANIMAL_QUIZ, "--arms", f"uscrake/{BM25}"]
    environment = {**os.environ, **project.environment(), "DAGSTER_HOME": str(home)}
    ran = subprocess.run(
        [sys.executable, "-m", "evidence_assets.cli", *command],
        cwd=PROJECT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=DEMO,
        check=False,
    )
    no_stack_trace(ran.stdout + ran.stderr)
    assert ran.returncode == 0, ran.stderr
    assert f"uscrake/{BM25}" in ran.stdout


class Interface:
    """Dagster's UI as a person uses it."""

    def __init__(self, tab: Browser, address: str) -> None:
        self._tab, self._address = tab, address

    def open(self, path: str) -> None:
        """Open a page and wait until it shows something."""
        self._tab.open(f"{self._address}/{path}", width=1500, height=1200)
        self._tab.until("document.body.innerText.includes('Overview')")

    def run(self, arm: str, benchmark: str, seconds: float) -> None:
        """Choose a partition in the job's launchpad, launch it, and wait for its success."""
        deadline = time.monotonic() + seconds
        tab, chosen = self._tab, f"{arm}|{benchmark}"
        launched = "/[/]runs[/][0-9a-f-]{36}/.test(location.pathname)"
        # A launchpad that was still loading forgets what was chosen, and asks whether that is meant.
        forgot = "document.body.innerText.includes('without a partition specified')"
        while not tab.value(launched):
            assert time.monotonic() < deadline, f"the launchpad does not launch {chosen}"
            if self._chooses(chosen):
                tab.click(_labelled("button:enabled", "Launch Run"))
                tab.until(f"{launched} || {forgot}", seconds)
        tab.until(f"document.body.innerText.includes({json.dumps(chosen)})", seconds)
        ended = "[...document.querySelectorAll('span, div')].some(each => %s.includes(each.innerText))"
        tab.until(ended % "['Success', 'Failure']", seconds)
        assert tab.value(ended % "['Success']"), tab.value("document.body.innerText")
        no_stack_trace(str(tab.value("document.body.innerText")))

    def _chooses(self, chosen: str) -> bool:
        """Open the launchpad and choose a partition; tell whether it is there to be chosen."""
        tab, written = self._tab, "document.querySelector('input[placeholder=Partition]')"
        self.open(f"{JOB}/playground")
        tab.until(_labelled("button:enabled", "Launch Run"))
        # What is written before the partitions have come is lost.
        for _ in range(3):
            tab.click(written)
            tab.value("document.activeElement.select?.()")
            tab.write(chosen[:-1])
            if tab.holds(_labelled("[role=menuitem]", chosen), 5.0):
                tab.click(_labelled("[role=menuitem]", chosen))
                # What the box shows may not be what the page has kept to launch.
                kept = f"Object.values(localStorage).some(kept => kept.includes({json.dumps(chosen)}))"
                return tab.holds(kept, 10.0)
        return False

    def reload(self) -> None:
        """Reload the code location: a configuration is read once a process."""
        self.open("locations")
        self._tab.click(_labelled("button:enabled", "Reload"))

    def shows(self, arm: str, benchmark: str, answer: str, seconds: float) -> None:
        """Open the predictions of an experiment until they show an answer."""
        partition = quote(f"{arm}|{benchmark}", safe="")
        deadline = time.monotonic() + seconds
        while True:
            self.open(f"assets/uscrake/predictions?view=partitions&partition={partition}")
            if self._tab.holds(f"document.body.innerText.includes({json.dumps(answer)})", 10.0):
                break
            assert time.monotonic() < deadline, self._tab.value("document.body.innerText")
        self._tab.until("document.body.innerText.includes('Latest materialization')")
        shown = str(self._tab.value("document.body.innerText"))
        no_stack_trace(shown)
        assert "Unsynced" not in shown, "what was just made is shown as out of date"


def _labelled(kind: str, text: str) -> str:
    """JavaScript for the first element of a kind with exactly this text."""
    return (
        f"[...document.querySelectorAll({json.dumps(kind)})]"
        f".find(each => each.innerText.trim() == {json.dumps(text)})"
    )


def add_own_data(project: SmallProject) -> Path:
    """Write twenty articles and ten questions and name them; return the first question's article."""
    pond = project.folder / "articles" / "pond"
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
    project.questions(POND_QUIZ).write_text(lines, encoding="utf-8")
    configuration = small_configuration()
    source = {"name": "pond", "uri": "articles/pond", "format": "text_folder", "licence": "CC0-1.0"}
    configuration["corpora"]["pond"] = {"sources": [source]}
    configuration["benchmarks"][POND_QUIZ] = {
        "reader": "questions_jsonl",
        "uri": f"{POND_QUIZ}.jsonl",
        "split": "test",
        "corpus": "pond",
    }
    write_configuration(project.configuration, configuration)
    return pond / f"{ANIMALS[0]}.md"


def test_from_the_demo_to_an_answer_that_follows_an_edit(tmp_path: Path) -> None:
    project, home = write_small_project(tmp_path / "project"), tmp_path / "home"
    home.mkdir()
    shutil.copy(PROJECT / "dagster.yaml", home)
    port = free_port()
    address, daemon = f"http://127.0.0.1:{port}", KilledDaemon(project, home, port)
    with browser() as tab:
        interface = Interface(tab, address)
        with step("demo", DEMO):
            demonstrate(project, home)
        try:
            with step("the UI is up and shows the demo's answers", START):
                daemon.start()
                wait_until_served(address, START)
                interface.shows(BM25, ANIMAL_QUIZ, "A red fox raises its cubs", START)
            with step("a new arm by clicking", NEW_ARM):
                interface.run(COSINE, ANIMAL_QUIZ, NEW_ARM)
                interface.shows(COSINE, ANIMAL_QUIZ, "A red fox raises its cubs", NEW_ARM)
            with step("own articles and questions", OWN_DATA):
                article = add_own_data(project)
                interface.reload()
                interface.run(BM25, POND_QUIZ, OWN_DATA)
                interface.shows(BM25, POND_QUIZ, "Ants: The pond newt eats ants", OWN_DATA)
            with step("an edit, and the answer changes", EDIT):
                article.write_text("# Pond newt\n\nThe pond newt eats moss all summer.\n", encoding="utf-8")
                interface.shows(BM25, POND_QUIZ, "Moss: The pond newt eats moss", EDIT)
        finally:
            daemon.end()
    no_stack_trace(daemon.log())
