"""Prompted arms of both systems through Dagster, as a user runs them, against a server on loopback."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from evidence_assets.cli.main import main
from evidence_assets.config.configuration import load
from evidence_assets.evidence.experiment import EXPERIMENT_TABLES
from evidence_assets.lake import catalogue, schemas
from evidence_assets.models.generation.settings import GeneratorSettings
from evidence_assets.orchestration.launching import launch
from evidence_assets.orchestration.runs import materialize_benchmarks
from evidence_assets.stages.declaration import Key
from evidence_assets.stages.graph import Needed
from evidence_assets_tests.testing.direct_runs import enter
from evidence_assets_tests.testing.generation_server import Response, ScriptedServer, answer, user_text
from evidence_assets_tests.testing.run_events import RememberedProject
from evidence_assets_tests.testing.small_project import (
    ANIMAL_QUIZ,
    run_job,
    small_configuration,
    write_small_project,
    write_yaml,
)

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("prompted_project")]

ARM = "full@scripted"
KEY = f"{ARM}|{ANIMAL_QUIZ}"
SYSTEMS = ("uscrake", "ugat_medqa")
MODEL = "scripted-1"
GENERATOR = (
    GeneratorSettings(engine="openai", url="http://127.0.0.1/v1", model=MODEL, revision="r1", constrains=True)
    .load("scripted")
    .generator_id
)
REPLY_CHECK = "every_request_has_a_reply"
Rows = list[dict[str, Any]]


def reply(body: Mapping[str, Any], _: int) -> Response:
    """An argument that cites its first evidence; of the options always the first."""
    text = "Answer: A" if "<option" in user_text(body) else "It is so [E1]."
    return answer(text, prompt_tokens=900, completion_tokens=700, log_probabilities=[-0.5, -0.25])


def refuse(body: Mapping[str, Any], _: int) -> Response:
    raise AssertionError(f"asked again: {user_text(body)}")


class Project(RememberedProject):
    """The small project, its animals asked by both systems."""

    def configure(self, url: str, **settings: Any) -> None:
        generator = {
            "engine": "openai",
            "url": url,
            "model": MODEL,
            "revision": "r1",
            "attempts": 1,
            "constrains": True,
        }
        configuration = small_configuration()
        configuration["benchmarks"][ANIMAL_QUIZ]["systems"] = list(SYSTEMS)
        configuration["generators"] = {"scripted": {**generator, **settings}}
        write_yaml(self.small.configuration, configuration)
        # A process reads a file once: it is reloaded to see another.
        load.cache_clear()

    def rows(self, table: schemas.Table, system: str = "uscrake", arm: str = ARM) -> Rows:
        place = {"system": system, "arm": arm, "benchmark": ANIMAL_QUIZ}
        rows: Rows = self.small.lake.read(table, place).to_pylist()
        return rows

    def reply_checks(self) -> list[dg.AssetCheckEvaluation]:
        return [check for check in self.checks() if check.check_name == REPLY_CHECK]


def materialize(project: Project, patch: pytest.MonkeyPatch, *systems: str) -> None:
    """What `evidence-assets demo` does; `systems`: their experiments and scores alone, again."""
    workspace = project.launching(patch)
    if systems:
        due = [
            workspace.graph.by_name[name]
            for system in systems
            for name in (system, f"{system}/benchmark_scores")
        ]
        parts = [Needed(stage, Key.of(KEY), stage.tables) for stage in due]
        list(launch(workspace, parts, again=parts))
    else:
        list(materialize_benchmarks(workspace, [ANIMAL_QUIZ], [ARM]))


@dataclass
class Built:
    project: Project
    server: ScriptedServer


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    small = write_small_project(tmp_path_factory.mktemp("prompted") / "project")
    with dg.DagsterInstance.ephemeral() as instance, ScriptedServer(reply) as server:
        project = Project(small, instance)
        project.configure(server.url)
        with pytest.MonkeyPatch.context() as patch:
            materialize(project, patch)
        yield Built(project, server)


@pytest.fixture
def copied(built: Built, tmp_path: Path) -> Iterator[Project]:
    """A copy to change at will. Its catalogue names its own folder; nobody remembers its runs."""
    small = built.project.small.copy(tmp_path / "copy")
    catalogue.build(small.lake)
    with dg.DagsterInstance.ephemeral() as instance:
        yield Project(small, instance)


def dead_url() -> str:
    with ScriptedServer(reply) as server:
        return server.url


def test_every_check_passes(built: Built) -> None:
    checks = built.project.checks()
    assert [check for check in checks if not check.passed] == []
    done = {(check.asset_key.to_user_string(), check.check_name) for check in checks}
    for system in SYSTEMS:
        assert {(f"{system}/{table.name}", "rows_fit_declaration") for table in EXPERIMENT_TABLES} <= done
        names = {name for asset, name in done if asset == f"{system}/predictions"}
        assert names == {
            "rows_fit_declaration",
            "references_resolve",
            "lineage_is_complete",
            "keeps_up",
            REPLY_CHECK,
        }
    for check in built.project.reply_checks():
        assert check.metadata["partitions_checked"].value == 1
        assert not check.blocking


def test_every_question_is_answered_from_what_was_kept(built: Built) -> None:
    predictions = {row["question_id"]: row for row in built.project.rows(schemas.PREDICTIONS)}
    assert {key: (row["predicted"], row["correct"]) for key, row in predictions.items()} == {
        "a1": ("Kelp", True),
        "a2": ("In a tree", False),
        "a3": ("Grass", True),
    }
    for row in predictions.values():
        assert (row["parse_status"], row["generator"], row["model"]) == ("parsed", "scripted", GENERATOR)
        assert row["raw_output"] == "Answer: A"
    chains = built.project.rows(schemas.CHAINS)
    assert {(row["question_id"], row["candidate"]) for row in chains} == {
        (key, place) for key in predictions for place in (0, 1)
    }
    assert {(row["citation_status"], row["score"]) for row in chains} == {("valid", -0.375)}


def test_the_graph_alone_answers_or_abstains(built: Built) -> None:
    predictions = built.project.rows(schemas.PREDICTIONS, "ugat_medqa")
    chains = built.project.rows(schemas.CHAINS, "ugat_medqa")
    argued = {row["question_id"] for row in chains}
    assert argued
    for row in predictions:
        assert row["abstained"] == (row["question_id"] not in argued)
        assert (row["request_hash"] is None) == row["abstained"]
        assert row["model"] == GENERATOR
    evidence = {row["evidence_id"]: row for row in built.project.rows(schemas.EVIDENCE, "ugat_medqa")}
    assert {evidence[evidence_id]["kind"] for row in chains for evidence_id in row["cited"]} == {"path"}


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_was_really_sent_is_what_predictions_rest_on(built: Built, system: str) -> None:
    evidence = {row["evidence_id"]: row["text"] for row in built.project.rows(schemas.EVIDENCE, system)}
    question_of = {
        row["prediction_id"]: row["question_id"] for row in built.project.rows(schemas.PREDICTIONS, system)
    }
    used: dict[tuple[str, str, int], list[str]] = {}
    for row in sorted(built.project.rows(schemas.PREDICTION_EVIDENCE, system), key=lambda row: row["rank"]):
        key = (row["role"], question_of[row["prediction_id"]], row["candidate"])
        used.setdefault(key, []).append(row["evidence_id"])
    chains = built.project.rows(schemas.CHAINS, system)
    assert len(used) == 2 * len(chains)
    for row in chains:
        [(user,)] = built.project.query(
            "SELECT user FROM generations WHERE request_hash = ?", row["request_hash"]
        )
        given_ids = used["given", row["question_id"], row["candidate"]]
        sent = re.findall(r"^\[E\d+\] (.*)$", user, re.MULTILINE)
        assert sent == [" ".join(evidence[evidence_id].split()) for evidence_id in given_ids]
        assert used["cited", row["question_id"], row["candidate"]] == row["cited"] == given_ids[:1]


def test_every_call_is_kept_once_with_what_it_was_made_from(built: Built) -> None:
    rows = built.project.query(
        "SELECT request_hash, generator, model, revision, task, outcome, prompt_tokens, attempts, error "
        "FROM generations"
    )
    assert len({row[0] for row in rows}) == len(rows) == len(built.server.requests)
    assert {row[1:4] for row in rows} == {(GENERATOR, MODEL, "r1")}
    assert {row[4] for row in rows} == {"explain_option", "choose"}
    assert {row[5:] for row in rows} == {("answered", 900, 1, "")}
    assert len(set(built.server.users)) == len(built.server.users)


def test_answers_are_constrained_where_the_server_can(built: Built) -> None:
    held = [user_text(body) for body in built.server.requests if "response_format" in body]
    assert held == [user for user in built.server.users if "<option" in user]
    [schema] = {
        str(body["response_format"]["json_schema"]["schema"]["properties"]["answer"]["enum"])
        for body in built.server.requests
        if "response_format" in body and "insufficient" not in str(body["response_format"])
    }
    assert schema == "['A', 'B']"


@pytest.mark.parametrize("table", ["predictions", "chains"])
def test_rows_join_the_calls_that_they_were_made_by(built: Built, table: str) -> None:
    rows = built.project.query(
        f"SELECT {table}.question_id, {table}.prompt_hash = generations.prompt_hash, "
        f"{table}.model = generations.generator, task FROM {table} JOIN generations USING (request_hash)"
    )
    [(calls,)] = built.project.query(f"SELECT count(*) FROM {table} WHERE request_hash IS NOT NULL")
    assert len(rows) == calls > 3
    assert {row[1:] for row in rows} == {
        (True, True, "choose" if table == "predictions" else "explain_option")
    }


def test_predictions_are_traced_and_scored(
    built: Built, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    enter(built.project.small, monkeypatch)
    scores = built.project.query(
        "SELECT system, value, n FROM benchmark_scores WHERE metric = 'accuracy' ORDER BY system DESC"
    )
    assert scores[0] == ("uscrake", pytest.approx(2 / 3), 3)
    assert scores[1][0] == "ugat_medqa"
    [prediction] = [row for row in built.project.rows(schemas.PREDICTIONS) if row["question_id"] == "a1"]
    assert main(["trace", prediction["prediction_id"]]) == 0
    shown = capsys.readouterr().out
    assert "answer     Kelp (right)" in shown
    assert "  cited    [E1] " in shown
    assert main(["scores", ANIMAL_QUIZ]) == 0
    assert {f"uscrake/{ARM}", f"ugat_medqa/{ARM}"} <= set(capsys.readouterr().out.split())


def test_arms_lists_those_of_the_configuration(
    built: Built, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    enter(built.project.small, monkeypatch)
    assert main(["arms"]) == 0
    listed = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert listed["uscrake/full@scripted"] == listed["uscrake/full@extractive"]
    assert {"uscrake/chunks_only_coverage@scripted", "ugat_medqa/no_retrieval@scripted"} <= listed.keys()


def test_a_run_shows_what_was_asked(built: Built) -> None:
    shown = built.project.shown("uscrake", "predictions")
    choices = sum("<option" in user for user in built.server.users)
    assert shown["requests_sent"] == 9
    assert shown["outcomes"] == {"answered": 9}
    assert shown["prompt_tokens"] == 9 * 900
    assert built.project.shown("ugat_medqa", "predictions")["requests_sent"] == len(built.server.requests) - 9
    assert choices > 3


def test_running_again_sends_nothing_and_changes_no_byte(
    copied: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedServer(refuse) as server:
        copied.configure(server.url)
        files = copied.small.files()
        materialize(copied, monkeypatch, *SYSTEMS)
        assert server.requests == []
    assert copied.small.files() == files
    assert any("predictions" in name for name in files)
    for system, replayed in (("uscrake", 9), ("ugat_medqa", 2)):
        shown = copied.shown(system, "predictions")
        assert (shown["requests_sent"], shown["requests_replayed"]) == (0, replayed)
        assert shown["changed"] is False


def test_a_dead_server_is_an_outcome_in_rows_and_it_is_told(
    copied: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied.configure(dead_url(), model="another")
    materialize(copied, monkeypatch, *SYSTEMS)
    predictions = copied.rows(schemas.PREDICTIONS)
    assert {
        (row["parse_status"], row["predicted"], row["correct"], row["abstained"]) for row in predictions
    } == {("no server answers", None, False, False)}
    assert copied.rows(schemas.CHAINS) == []
    assert copied.shown("uscrake", "predictions")["outcomes"] == {"no server answers": 6}
    hashes = [(row["request_hash"],) for row in predictions]
    errors = copied.query("SELECT request_hash, error FROM generations WHERE model = 'another'")
    assert set(hashes) <= {row[:1] for row in errors}
    assert all(error for _, error in errors)
    assert copied.query(
        "SELECT value FROM benchmark_scores WHERE system = 'uscrake' AND metric = 'accuracy'"
    ) == [(0,)]
    # Nothing is wrong with the rows; how many there are to be asked again is told.
    assert {check.check_name for check in copied.checks() if not check.passed} == {REPLY_CHECK}
    by_system = {check.asset_key.path[0]: check for check in copied.reply_checks()}
    for check in by_system.values():
        assert check.severity == dg.AssetCheckSeverity.WARN
    finding = str(by_system["uscrake"].metadata["first_findings"].value)
    assert "3 of 3 predictions (100%) got no reply (no server answers: 3); remedy: " in finding
    assert "1 of 3 predictions (33%)" in str(by_system["ugat_medqa"].metadata["first_findings"].value)

    # Only what a run makes is looked at: another arm of the same benchmark is well.
    other_partition = f"chunks_only_coverage@scripted|{ANIMAL_QUIZ}"
    with ScriptedServer(reply) as server:
        copied.configure(server.url, model="another")
        run_job(copied.small.definitions(), "run_uscrake", other_partition, copied.instance)
        assert copied.reply_checks()[-1].passed
        # The first arm is asked again, and is whole.
        materialize(copied, monkeypatch, "uscrake")
        assert copied.reply_checks()[-1].passed
        assert sorted(server.users) == sorted(set(server.users))
    assert {row["parse_status"] for row in copied.rows(schemas.PREDICTIONS)} == {"parsed"}
    [(rows, hashes)] = copied.query("SELECT count(*), count(DISTINCT request_hash) FROM generations")
    assert rows == hashes


def test_a_wrong_model_is_an_outcome_in_rows(copied: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(body: Mapping[str, Any], _: int) -> Response:
        return Response(b'{"error": {"message": "The model `typo` does not exist"}}', 404)

    with ScriptedServer(unknown) as server:
        copied.configure(server.url, model="typo")
        materialize(copied, monkeypatch, "uscrake")
    assert {row["parse_status"] for row in copied.rows(schemas.PREDICTIONS)} == {
        "the server has no such model"
    }
    assert not copied.reply_checks()[-1].passed
    errors = copied.query("SELECT DISTINCT error FROM generations WHERE model = 'typo' AND attempts > 0")
    assert len(errors) == 1
    assert "does not exist" in errors[0][0]


def test_replies_that_are_no_text_are_outcomes_in_rows(
    copied: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty reply, a refusal, bytes that are no UTF-8, an answer in other words: by question."""

    def failing(body: Mapping[str, Any], attempt: int) -> Response:
        user = user_text(body)
        if "<option" not in user:
            return answer("It is so [E1].")
        if "sea otter graze" in user:
            return answer(None, refusal="I would rather not.")
        return answer("") if "raise its cubs" in user else Response(b'{"choices": "\xff"}')

    with ScriptedServer(failing) as server:
        copied.configure(server.url, model="another")
        materialize(copied, monkeypatch, "uscrake")
    rows = {row["question_id"]: row for row in copied.rows(schemas.PREDICTIONS)}
    assert {key: row["parse_status"] for key, row in rows.items()} == {
        "a1": "refused",
        "a2": "empty reply",
        "a3": "reply is not valid text",
    }
    assert rows["a1"]["raw_output"] == "I would rather not."
    assert not any(row["correct"] or row["abstained"] or row["predicted"] for row in rows.values())
    assert all(check.passed for check in copied.checks()), "to ask again would not help"


def test_a_spent_budget_fails_the_run_and_the_next_goes_on(
    copied: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = copied.rows(schemas.PREDICTIONS)
    with ScriptedServer(reply) as server:
        copied.configure(server.url, model="another", budget_tokens=5_000)
        with pytest.raises(RuntimeError) as raised:
            materialize(copied, monkeypatch, "uscrake")
        message = str(raised.value)
        assert f"job run_uscrake, partition {KEY}: " in message
        assert "generator scripted: " in message
        assert "of 5000 tokens" in message
        assert "remedy: materialise again" in message
        assert "with a larger budget (budget_tokens, budget_money)" in message
        answered = list(server.users)
        assert 0 < len(answered) < 9
        assert copied.query("SELECT count(*) FROM generations WHERE model = 'another'") == [(len(answered),)]
        assert copied.rows(schemas.PREDICTIONS) == before, "half an experiment is none"

        copied.configure(server.url, model="another", budget_tokens=500_000)
        materialize(copied, monkeypatch, "uscrake")
        assert len(server.users) == len(set(server.users)) == 9
    assert copied.shown("uscrake", "predictions")["requests_replayed"] == len(answered)
    assert {row["parse_status"] for row in copied.rows(schemas.PREDICTIONS)} == {"parsed"}
    assert copied.query("SELECT count(*) FROM generations WHERE model = 'another'") == [(9,)]
