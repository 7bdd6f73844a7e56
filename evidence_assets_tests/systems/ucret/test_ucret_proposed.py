"""UCRET by proposed programs, with recorded replies: run here, ranked by accounting and agreement."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema

from evidence_assets.models.generation.protocol import Request
from evidence_assets.reading.prompting.prompt_files import PROPOSE_PROGRAM
from evidence_assets.reading.proposals import SAMPLES, samplings
from evidence_assets.systems.ucret.arms import arms
from evidence_assets.systems.ucret.proposed import NO_CLAIM, NO_PROGRAM, read_proposed
from evidence_assets_tests.testing.scripted_generator import ScriptedGenerator, recorded, requests_kept
from evidence_assets_tests.testing.ucret_samples import (
    BENCHMARK,
    MEASLES,
    TWO,
    ResultRows,
    claims,
    findings,
    prepared,
    question,
)

ARM = arms(["scripted"])["proposed@scripted"]


def holding(column: str, value: str) -> dict[str, Any]:
    return {"kind": "holding", "column": column, "relation": "=", "value": value}


def cases_of(province: str, number: float) -> dict[str, Any]:
    cell = {"kind": "cell", "rows": holding("Province", province), "column": "Number of cases"}
    return {"kind": "compare", "left": cell, "relation": "=", "right": {"kind": "literal", "number": number}}


RIGHT, WRONG = cases_of("Quebec", 94), cases_of("Ontario", 94)
VAGUE = {"kind": "some", "rows": {"kind": "all rows"}}
UNDEFINED = cases_of("Nowhere", 94)


class Reading(ResultRows):
    """What is made of a question by programs that are proposed in this order."""

    def __init__(self, folder: Path, rows: list[dict[str, Any]], *programs: Any, context: int = 100_000):
        replies = iter(programs)
        by_seed: dict[int, str] = {}

        def script(request: Request) -> str:
            # Replies come last request first: each sample has a seed of its own.
            return by_seed[request.sampling.seed if request.sampling.temperature else 0]

        for place, sampling in enumerate(samplings()):
            value = next(replies, programs[-1]) if programs else "no program"
            by_seed[sampling.seed if place else 0] = value if isinstance(value, str) else json.dumps(value)
        self.generator = ScriptedGenerator(script, context)
        recording, lake = recorded(self.generator, folder)
        questions, by_id, collapsed = prepared(rows, [MEASLES], ARM.filter)
        self.experiment = read_proposed(questions, by_id, collapsed, recording, ARM, BENCHMARK, "7")
        super().__init__(self.experiment)
        self.recorded = requests_kept(lake)


def test_several_programs_are_drawn_and_the_verdict_rests_on_the_cells_of_the_best(tmp_path: Path) -> None:
    reading = Reading(tmp_path, claims("Quebec had 94 cases"), WRONG, RIGHT, RIGHT, VAGUE, UNDEFINED)
    requests = reading.generator.of_task(PROPOSE_PROGRAM)
    assert len(requests) == SAMPLES
    assert sorted({request.sampling.temperature for request in requests}) == [0.0, 0.8]
    for request in requests:
        assert request.schema is not None
        jsonschema.validate(RIGHT, request.schema)
    prediction = reading.predictions["q0"]
    assert (prediction["predicted"], prediction["correct"]) == ("SUPPORTS", True)
    assert prediction["raw_output"].startswith("proposed: Number of cases(Province = Quebec) = 94")
    assert prediction["request_hash"] in reading.recorded
    # Three of four that came to something say so; the other verdict keeps its own best program.
    chains = {row["candidate"]: row for row in reading.rows["chains"]}
    parts = {part["name"]: part["value"] for part in chains[0]["score_parts"]}
    assert parts == {"accounted": 1.0, "agreement": 0.75}
    assert reading.cited("q0", 0) == [(None, 0), (None, 2), (0, 0), (0, 2)]
    assert chains[1]["score"] < chains[0]["score"]
    assert findings(reading.experiment, tmp_path / "found") == []


def test_a_program_that_leaves_out_what_decides_is_not_enough_information(tmp_path: Path) -> None:
    reading = Reading(tmp_path / "three", claims("Quebec had 94 cases"), VAGUE)
    assert reading.predictions["q0"]["predicted"] == "NOT ENOUGH INFORMATION"
    assert "94" in [text.strip() for text in reading.predictions["q0"]["unaccounted"]]
    two = [question("q0", "Quebec had 94 cases", TWO, 0, "measles")]
    assert Reading(tmp_path / "two", two, VAGUE).predictions["q0"]["predicted"] == "SUPPORTS"


def test_without_a_program_that_runs_there_is_no_verdict_and_it_says_why(tmp_path: Path) -> None:
    two = [question("q0", "Quebec had 94 cases", TWO, 0, "measles")]
    for number, reply in enumerate((UNDEFINED, "no program at all")):
        prediction = Reading(tmp_path / str(number), two, reply).predictions["q0"]
        assert (prediction["parse_status"], prediction["abstained"]) == (NO_PROGRAM, True)


def test_only_claims_are_asked_programs_of(tmp_path: Path) -> None:
    larger = question("q0", "Which is larger?", ["Quebec", "Ontario"], 0, "measles")
    reading = Reading(tmp_path, [larger], RIGHT)
    assert reading.predictions["q0"]["parse_status"] == NO_CLAIM
    assert reading.generator.requests == []


def test_rows_that_do_not_fit_are_not_shown(tmp_path: Path) -> None:
    roomy = Reading(tmp_path / "roomy", claims("Quebec had 94 cases"), RIGHT)
    request = roomy.generator.requests[0]
    words = roomy.generator.count_tokens(request) + request.sampling.max_tokens
    tight = Reading(tmp_path / "tight", claims("Quebec had 94 cases"), RIGHT, context=words - 1)
    assert "Quebec" in tight.generator.requests[0].user
    assert tight.generator.requests[0].user.count("[R") < request.user.count("[R")
    # Programs see the whole table, whatever is shown.
    assert tight.predictions["q0"]["correct"]
