"""What pages say to type: each command and query is one that there is, and tutorials are typed as written."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

from evidence_assets.cli.main import app
from evidence_assets.lake import catalogue
from evidence_assets.lake.lake import Lake
from evidence_assets.systems.registry import systems_by_name
from evidence_assets_tests.testing.documentation import PROJECT, Block, Reader, blocks, pages

ALL = [PROJECT / "README.md", *pages()]
FOLLOWED = [*pages("tutorial"), *pages("howto")]
# What asks a graph or a corpus that only another page's reader has made is held to its tables, not run.
_OTHERS = re.compile(r"^\s*(?:\$ )?(?:\.venv/bin/)?evidence-assets (.+)$", re.MULTILINE)


def commands(page: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the words of every `evidence-assets …` that a page says to type, with their place."""
    for block in blocks(page):
        if block.language in ("", "bash"):
            for typed in _OTHERS.findall(block.text):
                words = shlex.split(re.split(r"\s[|>&]|;", typed)[0], comments=True)
                yield block.place, words


@pytest.mark.parametrize("page", ALL, ids=lambda page: page.name)
def test_commands_and_their_options_exist(page: Path) -> None:
    known = typer.main.get_command(app)
    assert isinstance(known, TyperGroup)
    context = typer.Context(known)
    for place, (name, *rest) in commands(page):
        command = known.get_command(context, name)
        assert command is not None, f"{place}: no command {name}"
        options = {option for parameter in command.params for option in parameter.opts}
        unknown = [word for word in rest if word.startswith("--") and word.partition("=")[0] not in options]
        assert unknown == [], f"{place}: {name} has no {unknown}"


_ARM = re.compile(r"`(?:(\w+)/)?(\w+@\w+)`")


@pytest.mark.parametrize("page", ALL, ids=lambda page: page.name)
def test_arms_that_no_language_model_reads_exist(page: Path) -> None:
    """What stands behind the `@` tells an arm: of `hits@1` and of `full@my-model` nothing is known here."""
    arms = {(name, arm) for name, system in systems_by_name().items() for arm in system.arms(())}
    known = arms | {("", arm) for _, arm in arms}
    readers = {arm.partition("@")[2] for _, arm in arms}
    named = _ARM.findall(page.read_text(encoding="utf-8"))
    assert [arm for arm in named if arm[1].partition("@")[2] in readers and arm not in known] == []


def test_the_rooms_of_the_design_notes_are_those_that_imports_go_down() -> None:
    tools = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    design = (PROJECT / "docs" / "design.md").read_text(encoding="utf-8")
    first_cells = re.findall(r"^\| (`.*?) \|", design.partition("\n| room, from the top |")[2], re.MULTILINE)
    rooms = [room for cell in first_cells for room in re.findall(r"`(\w+)(?:/|\.py)`", cell)]
    # What the starter holds is data.
    assert [room for room in rooms if room != "starter"] == tools["importlinter"]["contracts"][0]["layers"]


_RESULTS = PROJECT / "docs" / "results.md"
_NUMBER = r"([+-]?\d*\.\d+)"
_FIGURE = re.compile(rf"{_NUMBER} \({_NUMBER} to {_NUMBER}\)")


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_a_figure_with_its_interval_is_one_of_the_results(page: Path) -> None:
    """A page that repeats a result repeats the newest."""
    results, text = (" ".join(file.read_text(encoding="utf-8").split()) for file in (_RESULTS, page))
    measured = set(map(_values, re.findall(rf"{_NUMBER} \[{_NUMBER}, {_NUMBER}\]", results)))
    assert measured
    assert [told for told in _FIGURE.findall(text) if _values(told) not in measured] == []


def _values(figure: tuple[str, ...]) -> tuple[float, ...]:
    return tuple(map(float, figure))


def queries() -> list[Block]:
    """The SQL of all pages that is asked of a lake."""
    return [block for page in ALL for block in blocks(page) if block.language == "sql" and block.is_run]


def test_queries_fit_the_lake(tmp_path: Path) -> None:
    with catalogue.connect(Lake(str(tmp_path))) as connection:
        for block in queries():
            for statement in connection.extract_statements(block.text):
                # Planned, not run: an empty lake has no prediction to trace.
                planned = connection.execute(f"EXPLAIN {statement.query}").fetchall()
                assert planned, block.place


def test_queries_of_scores_tell_whose_an_arm_is() -> None:
    """Systems have arms of the same names: two rows of one arm would not be told apart."""
    scores = [block.text for block in queries() if "FROM benchmark_scores" in block.text]
    selected = [
        statement.partition("FROM benchmark_scores")[0].rpartition("SELECT")[2]
        for text in scores
        for statement in text.split(";")
        if "FROM benchmark_scores" in statement
    ]
    assert selected
    assert [columns for columns in selected if " arm," in columns and " system," not in columns] == []


@pytest.mark.integration
@pytest.mark.parametrize("page", FOLLOWED, ids=lambda page: page.stem)
def test_a_page_works_as_it_is_written(page: Path, tmp_path: Path) -> None:
    reader = Reader(tmp_path / "reader")
    printed = reader.follow(page)
    assert "Traceback" not in printed
    if any("gate gates.yaml" in block.text for block in blocks(page)):
        assert "gates passed" in printed
    if page.stem == "own_corpus":
        assert (
            "q3  uscrake/chunks_only_coverage@extractive  Half a metre a day -> Two metres a day" in printed
        )
