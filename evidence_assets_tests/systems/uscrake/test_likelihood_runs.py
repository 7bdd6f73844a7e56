"""The likelihood reader through Dagster, with the starter's published weights."""

from __future__ import annotations

from pathlib import Path

import dagster as dg
import pytest

from evidence_assets.lake import schemas
from evidence_assets.systems.uscrake.arms import SYSTEM
from evidence_assets_tests.testing.lake_queries import query
from evidence_assets_tests.testing.small_project import ANIMAL_QUIZ, SmallProject, built_project, run_job

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("small_project")]

ARM = "full_likelihood@smollm2-135m"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> SmallProject:
    return built_project(tmp_path_factory).project.copy(tmp_path_factory.mktemp("likelihood") / "project")


def rows_of(project: SmallProject) -> dict[str, str]:
    """Every file but the catalogue, which names the folder that it was opened in."""
    return {path: digest for path, digest in project.files().items() if not path.endswith(".duckdb")}


def test_published_weights_answer_and_every_answer_traces_to_its_source(project: SmallProject) -> None:
    with dg.DagsterInstance.ephemeral() as instance:
        result = run_job(project.definitions(), "run_uscrake", f"{ARM}|{ANIMAL_QUIZ}", instance)
    assert result.success
    place = {"system": SYSTEM, "arm": ARM, "benchmark": ANIMAL_QUIZ}
    predictions = project.lake.read(schemas.PREDICTIONS, place).to_pylist()
    with_options = [row for row in predictions if row["predicted"] is not None]
    assert with_options
    for row in with_options:
        assert row["generator"] == "smollm2-135m"
        assert 0 < row["confidence"] <= 1
        assert query(project.lake, "SELECT * FROM trace(?)", row["prediction_id"])
    for chain in project.lake.read(schemas.CHAINS, place).to_pylist():
        parts = {part["name"]: part["value"] for part in chain["score_parts"]}
        assert parts["without_evidence"] < 0


def test_the_same_input_gives_the_same_bytes(project: SmallProject, tmp_path: Path) -> None:
    again = project.copy(tmp_path / "again")
    before = rows_of(again)
    with dg.DagsterInstance.ephemeral() as instance:
        assert run_job(
            again.definitions(), "run_uscrake", f"{ARM}|{ANIMAL_QUIZ}", instance, run_config=again.again
        ).success
    assert rows_of(again) == before
