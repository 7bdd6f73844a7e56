"""Keys of model servers, and secrets in sources' addresses, are in no table, no event and no log.

Neither where the server answers, nor where it fails.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, unquote

import dagster as dg
import pyarrow.parquet as pq
import pytest

from evidence_assets.cli.main import main
from evidence_assets.config.configuration import load
from evidence_assets.lake.schemas import ARTICLES
from evidence_assets.orchestration.runs import materialize_benchmarks
from evidence_assets.orchestration.workspace import Workspace
from evidence_assets_tests.testing.file_server import Answer, file_server
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
    MINERAL_QUIZ,
    SmallProject,
    observe,
    small_configuration,
    write_small_project,
    write_yaml,
)

pytestmark = pytest.mark.integration

PLANTED = "sk-planted-7f3a9c-nobody-may-store-this"
# The part of a secret that is the same in every spelling: in addresses the rest is encoded.
CORE = "Qx7Zk2planted"
IN_ADDRESS = f"é-{CORE}/9c & y"


def contents(folder: Path) -> Iterator[tuple[Path, bytes]]:
    """Every file's bytes; of compressed tables the values and the footer's notes."""
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".parquet":
            table = pq.read_table(path, partitioning=None)
            yield path, repr((table.schema.metadata, table.to_pydict())).encode()
        elif path.is_file():
            yield path, path.read_bytes()


def leaks(folder: Path, secret: str) -> list[str]:
    """The files that hold a secret."""
    return [str(path) for path, content in contents(folder) if secret.encode() in content]


def planted_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **planted: str) -> SmallProject:
    """A project with a Dagster instance beside it, the environment set to both and to what is planted."""
    project = write_small_project(tmp_path / "project")
    home = tmp_path / "home"
    home.mkdir()
    (home / "dagster.yaml").write_text("telemetry:\n  enabled: false\n", encoding="utf-8")
    for name, value in {**project.environment(), "DAGSTER_HOME": str(home), **planted}.items():
        monkeypatch.setenv(name, value)
    return project


def test_a_key_is_stored_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    failing = True

    def reply(body: dict[str, object], attempt: int) -> Response:
        # Servers quote the key that they refuse.
        if failing:
            return status(401 if attempt == 1 else 500, f"Incorrect API key provided: {PLANTED}")
        return answer("Answer: A" if "<option" in user_text(body) else "It is so [E1].")

    project = planted_project(tmp_path, monkeypatch, PLANTED_KEY=PLANTED)
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
    assert leaks(tmp_path, PLANTED) == []


FAILURES = {
    "no such file": Answer(404),
    "the server fails": Answer(500),
    "it breaks off": Answer(200, b'{"title": "Mica", "text": "Mica splits', missing=10_000),
    "it leads elsewhere": Answer(302, headers={"Location": f"/gone/{quote(IN_ADDRESS, safe='')}"}),
}
ARTICLE = {"title": "Mica", "text": "Mica is a mineral. Mica splits into thin sheets."}


@pytest.mark.usefixtures("withholding")
def test_a_secret_in_the_address_of_a_source_is_stored_and_told_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    project = planted_project(tmp_path, monkeypatch, PLANTED_SHELF=IN_ADDRESS)
    gives, asked = dict[str, Answer](), list[str]()

    def answer(path: str) -> Answer:
        asked.append(path)
        return Answer(410) if path.startswith("/gone") else gives["now"]

    def told() -> str:
        output = capfd.readouterr()
        assert leaks(tmp_path, CORE) == []
        assert CORE not in output.out + output.err
        return output.out + output.err

    command = ["demo", MINERAL_QUIZ, "--arms", "uscrake/chunks_only_bm25@extractive"]
    with file_server(answer) as address, dg.DagsterInstance.get() as instance:
        configuration = small_configuration()
        shelf = {"name": "shelf", "uri": f"{address}/${{PLANTED_SHELF}}/mica.jsonl", "format": "jsonl"}
        configuration["corpora"]["minerals"]["sources"].append({**shelf, "licence": "CC0-1.0"})
        write_yaml(project.configuration, configuration)
        load.cache_clear()
        for failure in FAILURES.values():
            gives["now"] = failure
            assert main(command) == 1
            assert f"{address}/${{PLANTED_SHELF}}/mica.jsonl" in told()
            observe(project.definitions(), instance)
            assert main(["status"]) == 0
            told()
        gives["now"] = Answer(200, json.dumps(ARTICLE).encode())
        assert main(command) == 0
        observe(project.definitions(), instance)
        told()
    assert any(IN_ADDRESS in unquote(path) for path in asked), "the server is sent the secret"
    rows = project.lake.read(ARTICLES, {"corpus": "minerals", "shard": "minerals.shelf"})
    assert rows.column("source_uri").to_pylist() == [f"{address}/${{PLANTED_SHELF}}/mica.jsonl"]
