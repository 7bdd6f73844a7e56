"""Dagster's own server on the small project: a backfill through GraphQL, and the graph in a browser."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from evidence_assets.lake.schemas import QUESTIONS
from evidence_assets_tests.testing.small_project import (
    ANIMAL_QUIZ,
    BENCHMARKS,
    MINERAL_QUIZ,
    SmallProject,
    run_job,
    write_small_project,
)

PROJECT = Path(__file__).resolve().parents[1]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
PATIENCE = 600.0

BACKFILL = """
mutation Launch($parameters: LaunchBackfillParams!) {
  launchPartitionBackfill(backfillParams: $parameters) {
    __typename
    ... on LaunchBackfillSuccess { backfillId }
    ... on PythonError { message }
  }
}
"""
STATUS = """
query Status($id: String!) {
  partitionBackfillOrError(backfillId: $id) {
    __typename
    ... on PartitionBackfill { status error { message } }
    ... on PythonError { message }
  }
}
"""
LAUNCH = """
mutation Launch($parameters: ExecutionParams!) {
  launchRun(executionParams: $parameters) {
    __typename
    ... on LaunchRunSuccess { run { runId } }
    ... on PythonError { message }
  }
}
"""
RUN = """
query Run($id: ID!) { runOrError(runId: $id) { __typename ... on Run { status } } }
"""
RELOAD = """
mutation Reload($location: String!) {
  reloadRepositoryLocation(repositoryLocationName: $location) {
    __typename
    ... on WorkspaceLocationEntry { loadStatus }
  }
}
"""
LOCATION = "evidence_assets.definitions"
MATERIALISED = """
query Materialised { assetNodes(assetKeys: [{path: ["questions"]}]) {
  assetMaterializations { partition metadataEntries { label ... on IntMetadataEntry { intValue } } }
  assetChecksOrError { ... on AssetChecks { checks {
    name executionForLatestMaterialization { status }
  } } }
} }
"""


class Server:
    """The webserver and its daemon, both of which end with the test."""

    def __init__(self, project: SmallProject, home: Path, deadline: float) -> None:
        self.deadline = deadline
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        home.mkdir()
        shutil.copy(PROJECT / "dagster.yaml", home)
        self.log = home / "server.log"
        environment = {**os.environ, **project.environment(), "DAGSTER_HOME": str(home)}
        command = [sys.executable, "-m", "dagster", "dev", "-m", "evidence_assets.definitions"]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*command, "--host", "127.0.0.1", "--port", str(self.port)],
                cwd=PROJECT,
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # a group of its own, so that all of it can be ended
            )

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def wait(self) -> None:
        while True:
            try:
                with urllib.request.urlopen(f"{self.address}/server_info", timeout=5) as answer:
                    assert json.load(answer)["dagster_webserver_version"]
                    return
            except (urllib.error.URLError, OSError):
                self.pause("the server did not answer")

    def ask(self, query: str, **variables: object) -> dict[str, Any]:
        body = json.dumps({"query": query, "variables": variables}).encode()
        request = urllib.request.Request(
            f"{self.address}/graphql", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            answered = json.load(answer)
        assert "errors" not in answered, answered
        data: dict[str, Any] = answered["data"]
        return data

    def pause(self, what: str) -> None:
        log_tail = self.log.read_text(encoding="utf-8", errors="replace")[-3000:]
        assert self.process.poll() is None, f"the server ended:\n{log_tail}"
        assert time.monotonic() < self.deadline, f"{what} within {PATIENCE:.0f} s:\n{log_tail}"
        time.sleep(0.5)

    def end(self) -> None:
        for number, patience in ((signal.SIGINT, 10), (signal.SIGKILL, 5)):
            try:
                os.killpg(self.process.pid, number)
            except ProcessLookupError:
                return
            try:
                self.process.wait(timeout=patience)
            except subprocess.TimeoutExpired:
                continue


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> SmallProject:
    return write_small_project(tmp_path_factory.mktemp("interface") / "project")


@pytest.fixture(scope="module")
def server(project: SmallProject) -> Iterator[Server]:
    server = Server(project, project.folder / "home", time.monotonic() + PATIENCE)
    try:
        server.wait()
        yield server
    finally:
        server.end()


pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("user_interface")]


def test_a_backfill_of_two_partitions_is_launched_and_completes(
    server: Server, project: SmallProject
) -> None:
    parameters = {"assetSelection": [{"path": ["questions"]}], "partitionNames": list(BENCHMARKS)}
    launched = server.ask(BACKFILL, parameters=parameters)["launchPartitionBackfill"]
    assert launched["__typename"] == "LaunchBackfillSuccess", launched
    while True:
        backfill = server.ask(STATUS, id=launched["backfillId"])["partitionBackfillOrError"]
        assert backfill["__typename"] == "PartitionBackfill", backfill
        if backfill["status"] in {"COMPLETED_SUCCESS", "COMPLETED", "FAILED", "COMPLETED_FAILED", "CANCELED"}:
            break
        server.pause("the backfill did not complete")
    assert backfill["status"] == "COMPLETED_SUCCESS", backfill
    made = {name: project.lake.read(QUESTIONS, {"benchmark": name}).num_rows for name in BENCHMARKS}
    assert made == {ANIMAL_QUIZ: 3, MINERAL_QUIZ: 2}
    [node] = server.ask(MATERIALISED)["assetNodes"]
    counts = {
        event["partition"]: {entry["label"]: entry.get("intValue") for entry in event["metadataEntries"]}
        for event in node["assetMaterializations"]
    }
    assert {key: shown["dagster/row_count"] for key, shown in counts.items()} == made
    checks = {check["name"] for check in node["assetChecksOrError"]["checks"]}
    assert checks == {"rows_fit_declaration", "keeps_up"}


def launch_run(server: Server, job: str, partition: str) -> str:
    """The id of a run of a job's partition."""
    selector = {"jobName": job, "repositoryName": "__repository__", "repositoryLocationName": LOCATION}
    tags = [{"key": "dagster/partition", "value": partition}]
    parameters = {"selector": selector, "runConfigData": {}, "executionMetadata": {"tags": tags}}
    answer = server.ask(LAUNCH, parameters=parameters)["launchRun"]
    assert answer["__typename"] == "LaunchRunSuccess", answer
    return str(answer["run"]["runId"])


def test_a_code_location_reloaded_under_a_run_leaves_what_one_process_makes(
    server: Server, project: SmallProject, tmp_path: Path
) -> None:
    server.deadline = time.monotonic() + PATIENCE
    job, partition = "run_uscrake_with_what_it_needs", f"full@extractive|{ANIMAL_QUIZ}"
    run = launch_run(server, job, partition)

    def status() -> str:
        return str(server.ask(RUN, id=run)["runOrError"]["status"])

    while status() in {"QUEUED", "NOT_STARTED", "STARTING"}:
        server.pause("the run did not start")
    begun = 0
    while begun < 2 and status() == "STARTED":
        reloaded = server.ask(RELOAD, location=LOCATION)["reloadRepositoryLocation"]
        assert reloaded == {"__typename": "WorkspaceLocationEntry", "loadStatus": "LOADED"}
        begun += 1
    assert begun, "the run ended before anything was reloaded"
    while status() == "STARTED":
        server.pause("the run did not end")
    assert status() == "SUCCESS"
    alone = write_small_project(tmp_path / "alone")
    run_job(alone.definitions(), job, partition, dg.DagsterInstance.ephemeral())
    left_out = ("materializations/", "cache/", "evidence.duckdb")
    expected = {name: hashed for name, hashed in alone.files().items() if not name.startswith(left_out)}
    assert any(name.startswith("predictions/") for name in expected)
    made = project.files()
    assert {name: made.get(name) for name in expected} == expected


@pytest.mark.browser
def test_the_browser_shows_the_assets_by_name(server: Server) -> None:
    browser = next((path for path in map(shutil.which, BROWSERS) if path), None)
    if browser is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)} is on the path")
    # The graph opens with its groups collapsed; the catalogue draws only the rows in view: a tall window.
    groups = ["sources", "corpus", "graphs", "retrieval", "evaluation", "uscrake"]
    assets = [
        "questions",
        "articles",
        "chunk_embeddings",
        "triples",
        "ranked_chunks",
        "reranked_evidence",
        "predictions",
        "score_differences",
    ]
    assert missing_from(browser, f"{server.address}/asset-groups", groups) == []
    assert missing_from(browser, f"{server.address}/assets", assets) == []


def missing_from(browser: str, address: str, names: list[str]) -> list[str]:
    """Which names a page does not show. On a busy machine a page may be dumped before it has its data."""
    deadline = time.monotonic() + PATIENCE
    while True:
        page = dump(browser, address)
        missing = [name for name in names if name not in page]
        if not missing or time.monotonic() > deadline:
            return missing


def dump(browser: str, address: str) -> str:
    """The page as the browser has it after its scripts ran."""
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1600,8000"]
    command = [browser, *options, "--virtual-time-budget=20000", "--dump-dom", address]
    return subprocess.run(command, capture_output=True, timeout=PATIENCE, check=True, text=True).stdout
