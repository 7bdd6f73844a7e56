"""The files of deploy/ say what they must, as far as that can be told without a cluster."""

from __future__ import annotations

import re
from typing import Any

import yaml

from evidence_assets_tests.testing.killed_daemon import PROJECT

DEPLOY = PROJECT / "deploy"
# How the package reads the environment: by name, or by a constant of that name.
_READ = re.compile(r'(?:environ\.get\(|^[A-Z_]+ = )"(EVIDENCE_[A-Z_]+)"', re.MULTILINE)
# Read where a backfill is cut into runs, and by no run.
READ_BY_PLANNERS = {"EVIDENCE_PARTITIONS_PER_RUN"}


def content(name: str) -> Any:
    return yaml.safe_load((DEPLOY / name).read_text(encoding="utf-8"))


def test_both_instances_differ_in_the_launcher_and_in_how_many_runs_there_are() -> None:
    alone, on_ray = content("dagster.yaml"), content("ray/dagster.yaml")
    assert on_ray.pop("run_launcher")["module"] == "evidence_assets.orchestration.ray_launcher"
    runs = [settings["concurrency"].pop("runs")["max_concurrent_runs"] for settings in (alone, on_ray)]
    assert runs[0] < runs[1]
    assert alone == on_ray


def test_compose_publishes_one_port_on_loopback_and_holds_no_password() -> None:
    services = content("compose.yaml")["services"]
    assert {"webserver", "daemon", "code", "postgres", "minio", "head", "worker"} <= set(services)
    ports = [port for service in services.values() for port in service.get("ports", [])]
    assert ports == ["127.0.0.1:3000:3000"]
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    secret_words = ("PASSWORD", "SECRET", "TOKEN")
    secrets = [line for line in text.splitlines() if any(name in line for name in secret_words)]
    assert secrets
    assert all(":?}" in line for line in secrets)


def test_runs_on_ray_are_told_what_their_nodes_must_know() -> None:
    variables = set(content("ray/dagster.yaml")["run_launcher"]["config"]["ray"]["env_vars"])
    environment = content("compose.yaml")["x-environment"]
    assert set(environment) - {"RAY_AUTH_MODE", "RAY_AUTH_TOKEN"} <= variables
    assert "DAGSTER_HOME" in variables
    # Credentials that expire have a third part.
    assert {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"} <= variables
    read = {
        name
        for path in (PROJECT / "evidence_assets").rglob("*.py")
        for name in _READ.findall(path.read_text(encoding="utf-8"))
    }
    assert {"EVIDENCE_LAKE", "EVIDENCE_ALLOWED_SOURCES", *READ_BY_PLANNERS} <= read
    assert read - READ_BY_PLANNERS <= variables
