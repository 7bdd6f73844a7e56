"""With which versions of the systems results were measured, and which of them the systems of today are not.

A result names the versions itself: `save` writes those of today, for the systems that measured_with.yaml says
it measures. That file has the versions of results made before, each with a digest of the file that it speaks
of: of another file it says nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

DECLARED = Path(__file__).parent / "measured_with.yaml"
# Where a result names the versions.
RECORDED = "measured_with"
UNRECORDED = "versions that were not recorded"
TITLES = {
    "uscrake": "USCRaKE",
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
    from evidence_assets.systems.uscrake.system import CODE_VERSION as USCRAKE

    stages = {stage.name: stage for stage in kgqa_stages(Project(Sources(), Path(), {}))}
    return {
        "uscrake": USCRAKE,
        "ugat_medqa": UGAT_MEDQA,
        "ucret": UCRET,
        "four_step_focus": FOUR_STEP_FOCUS.removeprefix("four-step-focus-"),
        "attention2query": ATTENTION2QUERY,
        "kaping": KAPING.removeprefix("kaping-"),
        "graph_questions": stages[QUESTION_QUERIES.name].version,
    }


@cache
def declared() -> Mapping[str, Mapping[str, str]]:
    """Return what measured_with.yaml says of each result: its systems' versions, and the file's digest."""
    said: Mapping[str, Mapping[str, str]] = yaml.safe_load(DECLARED.read_text(encoding="utf-8"))
    return said


def of_today(name: str) -> dict[str, str]:
    """Return today's versions of the systems that a result measures; none for one that measures none."""
    today = versions_of_today() if name in declared() else {}
    return {system: today[system] for system in _systems(declared().get(name, {}))}


def digest(file: Path) -> str:
    """Return what tells one version of a result's file from another."""
    return hashlib.blake2b(file.read_bytes(), digest_size=6).hexdigest()


def _systems(entry: Mapping[str, str]) -> Iterator[str]:
    return (system for system in entry if system in TITLES)


def versions(name: str, results: Path) -> Mapping[str, str] | None:
    """Return the versions that a result was measured with; None where they were not recorded."""
    file = results / f"{name}.json"
    recorded: Any = json.loads(file.read_text(encoding="utf-8")).get(RECORDED)
    if recorded is not None:
        return dict(recorded)
    entry = declared()[name]
    return entry if entry.get("digest") == digest(file) else None


def age(names: Iterable[str], results: Path) -> str:
    """Return what a page says of results that the systems of today did not give; empty where they did.

    A version that is declared without what follows its number is compared by the number.
    """
    known = [name for name in names if name in declared() and (results / f"{name}.json").is_file()]
    today = versions_of_today() if known else {}
    said = []
    for name in known:
        measured = versions(name, results)
        if measured is None:
            said.append(UNRECORDED)
            continue
        for system in _systems(measured):
            then, now = measured[system], today[system]
            if not f"{now}-".startswith(f"{then}-"):
                said.append(f"{TITLES[system]} {_number(then)}, of which {_now(then, now)} now")
    return "; ".join(dict.fromkeys(said))


def _number(version: str) -> str:
    return version.partition("-")[0]


def _now(then: str, now: str) -> str:
    return "other weights stand" if _number(then) == _number(now) else f"{_number(now)} stands"
