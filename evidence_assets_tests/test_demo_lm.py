"""The demo of a language model: what it runs, and how it is told."""

from __future__ import annotations

import re
from pathlib import Path

from evidence_assets.audit.replies import ParseRate
from evidence_assets.audit.score_report import WIDTH
from evidence_assets.cli.demo_lm import (
    GENERATOR,
    PLAN,
    READERS,
    Row,
    _heading,
    _parse_rates,
    _table,
    evidence_of,
)
from evidence_assets.config.configuration import load_project
from evidence_assets.models.generation.settings import PROFILE_GENERATORS
from evidence_assets.systems.registry import SYSTEMS, systems_by_name

PROJECT = Path(__file__).resolve().parents[1]


def test_a_prompted_and_a_likelihood_arm_of_every_system_stand_beside_an_extractive_one() -> None:
    project = load_project(PROJECT / "data_lake" / "sources.yaml")
    assert GENERATOR in PROFILE_GENERATORS["starter"]
    assert {shown.system for shown in PLAN} == {system.name for system in SYSTEMS}
    for shown in PLAN:
        assert shown.system in project.benchmark(shown.benchmark).systems
        known = systems_by_name()[shown.system].arms([GENERATOR])
        extractive, prompted, likely = (known[arm] for _, arm in shown.arms(GENERATOR)[: len(READERS)])
        assert not (extractive.prompted or extractive.likelihood)
        assert prompted.prompted
        assert likely.likelihood


def test_the_reader_that_comes_with_the_starter_answers_too() -> None:
    project = load_project(PROJECT / "data_lake" / "sources.yaml")
    [shown] = [shown for shown in PLAN if shown.trained]
    arm = systems_by_name()[shown.system].arms_of(project)[shown.trained]
    assert arm.generator in project.sources.prepared_readers
    assert project.reader_generators[arm.generator] == GENERATOR


def test_the_table_fits_a_terminal_and_says_how_many_questions() -> None:
    rows = [
        Row(
            shown.system,
            shown.benchmark,
            reader,
            evidence_of(arm),
            128,
            100,
            ParseRate(127, 128),
            1_000,
            100.25,
        )
        for shown in PLAN
        for reader, arm in shown.arms(GENERATOR)
    ]
    lines = [*_table(rows).splitlines(), *_heading(GENERATOR, rows).splitlines()]
    assert max(map(len, lines)) <= WIDTH
    assert all(f"{shown.benchmark} 128" in _heading(GENERATOR, rows).replace("\n", " ") for shown in PLAN)
    first = _table(rows).splitlines()[1]
    assert re.search(r"uscrake +starter_sample +extractive +full_k5 +100 of 128 +99 % +1000 +100\.2$", first)


def test_what_was_not_run_now_and_what_needs_no_parsing_is_a_dash() -> None:
    [_, line] = _table([Row("uscrake", "starter_sample", "extractive", "full", 3, 1)]).splitlines()
    assert line.split()[-3:] == ["-", "-", "-"]
    rates = {"choose": ParseRate(3, 3), "rerank": ParseRate(1, 2)}
    assert _parse_rates(rates).strip().startswith("Replies with a schema or form that parse: 80 %")
    assert "rerank 1 of 2" in _parse_rates(rates)
