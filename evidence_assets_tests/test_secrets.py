"""The key of a model server is in no table, no event and no log, whether the server answers or fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pyarrow.parquet as pq
import pytest

from evidence_assets.config.configuration import load
from evidence_assets.orchestration.runs import materialize_benchmarks
from evidence_assets.orchestration.workspace import Workspace
from evidence_assets_tests.testing.generation_server import (
    Response,
    ScriptedServer,
    answer,
    status,
    user_text,
)
from evidence_assets_tests.testing.killed_runs import ARM
from evidence_assets_tests.testing.small_project import (
    ANIMAL_QUIZ,
    small_configuration,
    write_small_project,
    write_yaml,
)

pytestmark = pytest.mark.integration

PLANTED = "sk-planted-7f3a9c-nobody-may-store-this"


def contents(folder: Path) -> Iterator[tuple[Path, bytes]]:
    """Every file's bytes; of compressed tables the values and the footer's notes."""
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".parquet":
            table = pq.read_table(path, partitioning=None)
            yield path, repr((table.schema.metadata, table.to_pydict())).encode()
        elif path.is_file():
            yield path, path.read_bytes()


def test_a_key_is_stored_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    failing = True

    def reply(body: dict[str, object], attempt: int) -> Response:
        # Servers quote the key that they refuse.
        if failing:
            return status(401 if attempt == 1 else 500, f"Incorrect API key provided: {PLANTED}")
        return answer("Answer: A" if "<option" in user_text(body) else "It is so [E1].")

    project = write_small_project(tmp_path / "project")
    home = tmp_path / "home"
    home.mkdir()
    (home / "dagster.yaml").write_text("telemetry:\n  enabled: false\n", encoding="utf-8")
    environment = {**project.environment(), "DAGSTER_HOME": str(home), "PLANTED_KEY": PLANTED}
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with ScriptedServer(reply) as server:
        configuration = small_configuration()
        configuration["generators"] = {
            "scripted": {
                "engine": "openai",
                "url": server.url,
                "model": "m",
                "key_variable": "PLANTED_KEY",
                "attempts": 2,
            }
        }
        write_yaml(project.configuration, configuration)
        load.cache_clear()
        workspace = Workspace.of(str(project.lake_folder), project.cache_folder)
        try:
            list(materialize_benchmarks(workspace, [ANIMAL_QUIZ], [ARM]))
        except RuntimeError as error:
            assert PLANTED not in str(error)
        failing = False
        list(materialize_benchmarks(workspace, [ANIMAL_QUIZ], [ARM], again=True))
        assert f"Bearer {PLANTED}" in server.keys, "the key is what the server is sent"
    output = capfd.readouterr()
    assert PLANTED not in output.out + output.err
    with dg.DagsterInstance.get() as instance:
        assert len(instance.get_runs()) > 1
    leaks = [str(path) for path, content in contents(tmp_path) if PLANTED.encode() in content]
    assert leaks == []
