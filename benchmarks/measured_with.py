"""With which versions of the systems results were measured, and which of them the systems of today are not.

A result names the versions itself: `save` writes those of today, for the systems that measured_with.yaml says
it measures.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import yaml

SYSTEMS_MEASURED = Path(__file__).parent / "measured_with.yaml"
# Where a result names the versions.
RECORDED = "measured_with"
UNRECORDED = "versions that were not recorded"
TITLES = {
    "uscrake": "USCRaKE",
    "uscrake_open": "USCRaKE's answers to questions without options",
    "ugat_medqa": "UGAT-MedQA",
    "ucret": "UCRET",
    "four_step_focus": "4StepFocus",
    "attention2query": "Attention2Query",
    "kaping": "KAPING",
    "graph_questions": "the parser of graph questions",
}


@cache
def versions_of_today() -> Mapping[str, str]:
    """Return the version of each system's code and weights, and of the parser that several systems share."""
    from evidence_assets.kgqa.stages import kgqa_stages
    from evidence_assets.lake.schemas import QUESTION_QUERIES
    from evidence_assets.sources.project import Project
    from evidence_assets.sources.specifications import Sources
    from evidence_assets.systems.attention2query.system import CODE_VERSION as ATTENTION2QUERY
    from evidence_assets.systems.four_step_focus.system import CODE_VERSION as FOUR_STEP_FOCUS
    from evidence_assets.systems.kaping.system import VERSION as KAPING
    from evidence_assets.systems.ucret.system import CODE_VERSION as UCRET
    from evidence_assets.systems.ugat_medqa.system import CODE_VERSION as UGAT_MEDQA
    from evidence_assets.systems.uscrake.system import OPEN_QUESTIONS_VERSION, OPTIONS_VERSION

    stages = {stage.name: stage for stage in kgqa_stages(Project(Sources(), Path(), {}))}
    return {
        "uscrake": OPTIONS_VERSION,
        "uscrake_open": OPEN_QUESTIONS_VERSION,
        "ugat_medqa": UGAT_MEDQA,
        "ucret": UCRET,
        "four_step_focus": FOUR_STEP_FOCUS.removeprefix("four-step-focus-"),
        "attention2query": ATTENTION2QUERY,
        "kaping": KAPING.removeprefix("kaping-"),
        "graph_questions": stages[QUESTION_QUERIES.name].version,
    }


@cache
def systems_measured() -> Mapping[str, Sequence[str]]:
    """Return the systems that each result measures, as measured_with.yaml names them."""
    systems: Mapping[str, Sequence[str]] = yaml.safe_load(SYSTEMS_MEASURED.read_text(encoding="utf-8"))
    return systems


def of_today(name: str) -> dict[str, str]:
    """Return today's versions of the systems that a result measures; none for one that measures none."""
    systems = systems_measured().get(name, ())
    today = versions_of_today() if systems else {}
    return {system: today[system] for system in systems}


def versions(name: str, results: Path) -> Mapping[str, str]:
    """Return the versions that a result was measured with; none where it does not name them."""
    file = results / f"{name}.json"
    status = file.stat()
    return _recorded(file, (status.st_mtime_ns, status.st_size))


@lru_cache(maxsize=256)
def _recorded(file: Path, stamp: tuple[int, int]) -> Mapping[str, str]:
    """Return the versions of a result, kept while its stamp stays: a page asks under every figure."""
    result: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return dict(result.get(RECORDED, {}))


def age(names: Iterable[str], results: Path) -> str:
    """Return what a page says of results that the systems of today did not give; empty where they did.

    A version that is recorded without what follows its number is compared by the number.
    """
    known = [name for name in names if name in systems_measured() and (results / f"{name}.json").is_file()]
    today = versions_of_today() if known else {}
    remarks = []
    for name in known:
        measured = versions(name, results)
        if not measured:
            remarks.append(UNRECORDED)
        for system, then in measured.items():
            now = today[system]
            if not f"{now}-".startswith(f"{then}-"):
                remarks.append(f"{TITLES[system]} {_number(then)}, of which {_now(then, now)} now")
    return "; ".join(dict.fromkeys(remarks))


def _number(version: str) -> str:
    return version.partition("-")[0]


def _now(then: str, now: str) -> str:
    return "other weights stand" if _number(then) == _number(now) else f"{_number(now)} stands"
