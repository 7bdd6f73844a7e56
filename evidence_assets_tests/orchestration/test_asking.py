"""A question asked at once: a benchmark's stages, kept and recorded as a run over all questions would."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evidence_assets.audit.report import trace_report
from evidence_assets.lake import catalogue
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import PREDICTIONS, TABLES_BY_NAME
from evidence_assets.orchestration.ask_choice import AskError, Wish
from evidence_assets.orchestration.asking import Answered, Asker, prerequisites, scratch_workspace
from evidence_assets.orchestration.changed_sources import changed_tables
from evidence_assets.orchestration.following import due_partitions
from evidence_assets.orchestration.workspace import Workspace
from evidence_assets.sources.scratch_benchmarks import ScratchBenchmark, question_ids
from evidence_assets.stages.declaration import Key
from evidence_assets.stages.execution import Run, make_partition
from evidence_assets.stages.freshness import State
from evidence_assets_tests.testing.direct_runs import enter, make, partition_states, workspace
from evidence_assets_tests.testing.small_project import ANIMAL_QUIZ, LAND, SmallProject, write_small_project

pytestmark = pytest.mark.integration

MEDALS = "Country,Gold,Silver\nNorway,16,8\nGermany,12,10\nChina,9,4\n"
# What the first table supports the second one refutes.
TWO_TABLES = "".join(
    f"<table><tr><th>Country<th>Gold<tr><td>Norway<td>{norway}<tr><td>Germany<td>{germany}</table>"
    for norway, germany in [(16, 12), (7, 9)]
)
ARMS = ("uscrake/chunks_only_coverage@extractive", "uscrake/full@extractive")
ANIMALS = Wish(corpus="animals", arms=ARMS)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> SmallProject:
    """The small project with what its animals are asked of."""
    written = write_small_project(tmp_path_factory.mktemp("asking") / "project")
    with pytest.MonkeyPatch.context() as patched:
        at_work = workspace(enter(written, patched))
        make(at_work, [(at_work.graph.writer(PREDICTIONS, "uscrake"), Key(ANIMAL_QUIZ, "full@extractive"))])
    return written


@pytest.fixture
def project(made: SmallProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SmallProject:
    return enter(made.copy(tmp_path / "copy"), monkeypatch)


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SmallProject:
    return enter(write_small_project(tmp_path / "project"), monkeypatch)


def made_of(lake: Lake, benchmark: ScratchBenchmark) -> dict[str, tuple[str, Any, str]]:
    """Of every partition of a benchmark its hash, what it was made from and by which code."""
    return partition_states(
        lake, lambda place: benchmark.name in (place.get("benchmark"), place.get("source"))
    )


def make_anew(project: SmallProject, benchmark: ScratchBenchmark) -> None:
    """Make a benchmark's partitions over all of its questions, as a run of it does."""
    at_work = workspace(project)
    for path in made_of(at_work.lake, benchmark):
        (project.lake_folder / path).unlink()
    run = Run(at_work.lake, at_work.graph, at_work.models)
    for needed in needed_of(at_work, benchmark):
        if needed.key.name == benchmark.name:
            make_partition(needed.stage, needed.key, run, needed.tables)


def needed_of(at_work: Workspace, benchmark: ScratchBenchmark) -> list[Any]:
    pairs = (arm.partition("/")[::2] for arm in benchmark.arms)
    graph = at_work.graph
    return graph.needed([(graph.writer(PREDICTIONS, name), Key(benchmark.name, arm)) for name, arm in pairs])


def predicted(project: SmallProject, answered: Answered) -> set[str]:
    with catalogue.connect(project.lake) as connection:
        rows = connection.execute(
            "SELECT predicted FROM predictions WHERE list_contains(?, prediction_id)",
            [list(answered.predictions)],
        ).fetchall()
    return {text for (text,) in rows}


def test_questions_of_a_corpus_join_to_what_a_run_over_all_leaves(project: SmallProject) -> None:
    asker = Asker(workspace(project))
    first = asker.ask("Where does a red fox raise its cubs?", ["In a tree", "In a den"], wish=ANIMALS)
    second = asker.ask("What do sea otters eat?", ["Sea urchins", "Grass"], wish=ANIMALS)
    assert first.benchmark == second.benchmark
    assert predicted(project, first) == {"In a den"}
    assert predicted(project, second) == {"Sea urchins"}
    assert len({*first.predictions, *second.predictions}) == 4
    at_once = made_of(project.lake, first.benchmark)
    at_work = workspace(project)
    states = {status.state for status in at_work.statuses(needed_of(at_work, first.benchmark))}
    assert states == {State.FRESH}
    make_anew(project, first.benchmark)
    assert made_of(project.lake, first.benchmark) == at_once


def test_a_corpus_answers_without_options_by_a_sentence_beside_questions_with_them(
    project: SmallProject,
) -> None:
    asker = Asker(workspace(project))
    wish = Wish(corpus="animals")
    with_options = asker.ask("What do sea otters eat?", ["Sea urchins", "Grass"], wish=wish)
    answered = asker.ask("What do sea otters eat?", wish=wish)
    assert answered.benchmark == with_options.benchmark
    [sentence] = predicted(project, answered)
    assert "urchins" in sentence
    assert predicted(project, with_options) == {"Sea urchins"}


def test_an_answer_is_traced_and_told_of_like_any_other(project: SmallProject) -> None:
    answered = Asker(workspace(project)).ask("Where do foxes raise cubs?", ["A tree", "A den"], wish=ANIMALS)
    with catalogue.connect(project.lake) as connection:
        for prediction in answered.predictions:
            rows = connection.execute(
                "SELECT source_title, source_text = evidence_text, source_unchanged FROM trace(?) "
                "WHERE role = 'cited' AND source_table = 'chunks'",
                [prediction],
            ).fetchall()
            assert rows
            assert all(same and unchanged for _, same, unchanged in rows)
        resting = connection.execute("SELECT DISTINCT benchmark FROM impact('fox.md')").fetchall()
    assert (answered.benchmark.name,) in resting


def test_a_question_asked_again_is_answered_from_what_stands(project: SmallProject) -> None:
    asker = Asker(workspace(project))
    first = asker.ask("Where do foxes raise cubs?", ["A tree", "A den"], wish=ANIMALS)
    before = project.modified()
    assert asker.ask("  Where do foxes\nraise cubs?", ["A tree", "A den"], wish=ANIMALS) == first
    assert project.modified() == before


def test_what_was_made_from_something_else_stays_as_it_is(project: SmallProject) -> None:
    first = Asker(workspace(project)).ask("Where do foxes raise cubs?", ["A tree", "A den"], wish=ANIMALS)
    before = made_of(project.lake, first.benchmark)
    at_work = workspace(project)
    article = project.article("land", "fox.md")
    article.write_text(article.read_text().replace("voles", "many voles"), encoding="utf-8")
    due = due_partitions(at_work.graph, at_work.freshness(), as_given=at_work.project.asked_benchmarks)
    assert due, "automation follows the article"
    assert at_work.project.asked_benchmarks == [first.benchmark.name]
    assert first.benchmark.name not in {entry.part.key.name for entry in due}
    made_anew = (("shard_indexes", LAND), ("term_statistics", "animals"))
    make(at_work, [(at_work.graph.writer(TABLES_BY_NAME[table]), Key(name)) for table, name in made_anew])
    second = Asker(workspace(project)).ask("What do foxes eat?", ["Grass", "Voles"], wish=ANIMALS)
    assert second.benchmark.number == 2
    assert made_of(project.lake, first.benchmark) == before
    assert question_ids(project.lake, first.benchmark) == {first.question_id}


def test_a_table_is_asked_in_a_lake_that_holds_nothing(empty: SmallProject, tmp_path: Path) -> None:
    table = tmp_path / "medals.csv"
    table.write_text(MEDALS, encoding="utf-8")
    asker = Asker(workspace(empty))
    first = asker.ask("Which country has the most gold?", table=table)
    second = asker.ask("Germany has more silver than Norway.", table=table)
    assert predicted(empty, first) == {"Norway"}
    assert predicted(empty, second) == {"SUPPORTS"}
    # The file may go: its bytes are in the lake.
    table.unlink()
    at_once = made_of(empty.lake, first.benchmark)
    make_anew(empty, first.benchmark)
    assert made_of(empty.lake, first.benchmark) == at_once


def test_an_answer_rests_on_the_file_that_was_asked(
    empty: SmallProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside, outside = empty.folder / "medals.csv", tmp_path / "medals.csv"
    for table in (inside, outside):
        table.write_text(MEDALS, encoding="utf-8")
    monkeypatch.chdir(empty.folder)
    at_work, question = workspace(empty), "Which country has the most gold?"
    asker, uris = Asker(at_work), ["medals.csv", str(outside)]
    first, second = (asker.ask(question, table=Path(uri)) for uri in uris)
    with catalogue.connect(empty.lake) as connection:
        for answered, uri in zip((first, second), uris, strict=True):
            listed = connection.execute("SELECT prediction_id FROM impact(?)", [uri]).fetchall()
            assert {prediction for (prediction,) in listed} == set(answered.predictions)
            assert f", {uri}, table tables/" in " ".join(
                trace_report(connection, answered.predictions[0]).split()
            )
    benchmark, asked_of = first.benchmark.name, scratch_workspace(at_work, first.benchmark)
    assert first.benchmark == second.benchmark
    assert changed_tables(asked_of, benchmark) == []
    inside.write_text(MEDALS.replace("16", "6"), encoding="utf-8")
    outside.unlink()
    assert changed_tables(asked_of, benchmark, first.question_id) == ["file medals.csv changed"]
    assert changed_tables(asked_of, benchmark, second.question_id) == [f"file {outside} is gone"]
    assert len(changed_tables(asked_of, benchmark)) == 2
    # Its answer stays, and the file as it is now is another question's.
    assert asker.ask(question, table=Path("medals.csv")).question_id != first.question_id
    assert predicted(empty, first) == {"Norway"}


@pytest.mark.parametrize("systems", [("attention2query", "ugat_medqa"), ("ugat_medqa", "attention2query")])
def test_systems_that_keep_the_same_graph_answer_one_after_the_other(
    systems: tuple[str, str], empty: SmallProject
) -> None:
    at_work = workspace(empty)
    run = Run(at_work.lake, at_work.graph, at_work.models)
    for stage, key in prerequisites(at_work, Wish(graph="nature", systems=systems)):
        make_partition(stage, key, run)
    asker = Asker(at_work)
    for system in systems:
        answered = asker.ask(
            "What does a sea otter eat?", ["kelp", "sea urchin"], wish=Wish(graph="nature", systems=(system,))
        )
        assert answered.benchmark.systems == [system]


def test_a_system_that_answers_no_such_question_says_so_and_keeps_nothing(empty: SmallProject) -> None:
    at_work = workspace(empty)
    wish = Wish(graph="nature", systems=("four_step_focus",))
    run = Run(at_work.lake, at_work.graph, at_work.models)
    for stage, key in prerequisites(at_work, wish):
        make_partition(stage, key, run)
    with pytest.raises(
        AskError, match="four_step_focus/full@extractive answers no question with options; remedy: leave out"
    ):
        Asker(at_work).ask("What do foxes eat?", ["voles", "kelp"], wish=wish)
    assert not (empty.lake_folder / "scratch").exists()


def test_one_of_several_tables_of_a_file_is_asked_by_its_name(empty: SmallProject, tmp_path: Path) -> None:
    page = tmp_path / "medals.html"
    page.write_text(TWO_TABLES, encoding="utf-8")
    asker, claim = Asker(workspace(empty)), "Norway has more gold than Germany."
    with pytest.raises(
        AskError,
        match=r'^medals.html holds 2 tables; remedy: name one of 1, 2, the first by --table ".*#1"$',
    ):
        asker.ask(claim, table=page)
    verdicts = {
        part: predicted(empty, asker.ask(claim, table=tmp_path / f"medals.html#{part}")) for part in "12"
    }
    assert verdicts == {"1": {"SUPPORTS"}, "2": {"REFUTES"}}
    with pytest.raises(AskError, match=r"^medals\.html holds no table '3'; remedy: name one of 1, 2"):
        asker.ask(claim, table=tmp_path / "medals.html#3")


def test_what_was_mended_in_the_table_is_told_with_the_answer(empty: SmallProject, tmp_path: Path) -> None:
    table = tmp_path / "medals.csv"
    table.write_text(MEDALS.replace("Gold", ""), encoding="utf-8")
    [prediction] = Asker(workspace(empty)).ask("Which country has the most silver?", table=table).predictions
    with catalogue.connect(empty.lake) as connection:
        lines = trace_report(connection, prediction).splitlines()
    assert "  mended   columns without a name, given one: 1" in lines


def test_a_title_above_the_names_of_a_table_is_its_caption(empty: SmallProject, tmp_path: Path) -> None:
    table = tmp_path / "medals.csv"
    table.write_text(f"Medals of 2018,,\n{MEDALS}", encoding="utf-8")
    answer = Asker(workspace(empty)).ask("Norway has more gold than Germany", table=table)
    assert predicted(empty, answer) == {"SUPPORTS"}


def test_a_mark_in_the_name_of_a_file_that_is_there_names_no_table(
    empty: SmallProject, tmp_path: Path
) -> None:
    table = tmp_path / "medals#2.csv"
    table.write_text(MEDALS, encoding="utf-8")
    answer = Asker(workspace(empty)).ask("Which country has the most gold?", table=table)
    assert predicted(empty, answer) == {"Norway"}


@pytest.mark.parametrize(
    ("content", "message"),
    [(b'a,b\n"x', "close every quote"), (b"a,b\n", "no row"), (b"a\n\xff\xfe", "save the file as UTF-8")],
)
def test_a_table_that_cannot_be_read_is_an_error_that_keeps_nothing(
    content: bytes, message: str, empty: SmallProject, tmp_path: Path
) -> None:
    table = tmp_path / "cases.csv"
    table.write_bytes(content)
    with pytest.raises(AskError, match=message):
        Asker(workspace(empty)).ask("Which is it?", table=table)
    assert not (empty.lake_folder / "scratch").exists()


def test_what_is_not_materialised_is_told_with_the_command_that_makes_it(empty: SmallProject) -> None:
    asker = Asker(workspace(empty))
    with pytest.raises(AskError, match=r"corpus animals is not materialised .* prepare --corpus animals"):
        asker.ask("What?", ["a", "b"], wish=Wish(corpus="animals"))
    with pytest.raises(AskError, match=r"graph nature is not materialised .* prepare --graph nature"):
        asker.ask("What do foxes eat?", wish=Wish(graph="nature"))
