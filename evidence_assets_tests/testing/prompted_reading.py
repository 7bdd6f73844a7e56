"""Questions read by a scripted model: what it says, and the rows that are left."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from evidence_assets.evidence.experiment import Experiment, Selected
from evidence_assets.evidence.units import EvidenceUnit
from evidence_assets.lake.lake import Lake
from evidence_assets.models.generation.protocol import Outcome, Reply, Request
from evidence_assets.reading.prompting.prompt_files import CHOOSE
from evidence_assets.reading.prompting.prompted import Settings, read_questions
from evidence_assets_tests.testing.experiment_rows import rows_of, texts_used
from evidence_assets_tests.testing.scripted_generator import (
    Script,
    ScriptedGenerator,
    recorded,
    requests_kept,
)

Given = Mapping[int, Sequence[str]]
OPTIONS = ["Kelp", "Grass"]
BOTH: Given = {0: ["Urchins graze on kelp.", "Otters eat urchins."], 1: ["Voles eat grass."]}
PLAIN = Settings()
FAILED = [outcome for outcome in Outcome if not outcome.is_text]
OF_SET_UP = [outcome for outcome in Outcome if not outcome.is_reply]


def unit(text: str) -> EvidenceUnit:
    return EvidenceUnit("sentence", text, "chunks", f"key of {text}", "1")


def question(question_id: str = "q", text: str = "What do urchins eat?", **changes: Any) -> dict[str, Any]:
    row = {"question_id": question_id, "question": text, "options": OPTIONS, "answer_index": 0}
    return {**row, "answers": [], **changes}


def selected(evidence: Given) -> dict[int, list[Selected]]:
    return {
        candidate: [Selected(unit(text), 1.0 - rank, []) for rank, text in enumerate(texts)]
        for candidate, texts in evidence.items()
    }


def candidate_of(request: Request) -> str:
    match = re.search(r"<candidate>\n(.*)\n</candidate>", request.user)
    assert match is not None
    return match[1]


def says(
    arguments: Mapping[str, Reply | str] | Reply | str = "So it is [E1].", choice: Reply | str = "Answer: A"
) -> Script:
    """A model that says one thing for every option, or for each its own, and then chooses."""

    def script(request: Request) -> Reply | str:
        if request.task == CHOOSE:
            return choice
        return arguments[candidate_of(request)] if isinstance(arguments, Mapping) else arguments

    return script


class Read:
    """What some questions leave: rows, what the generator was asked, what was kept of that."""

    def __init__(self, experiment: Experiment, generator: ScriptedGenerator, lake: Lake) -> None:
        self.rows, self.generator, self.recorded = rows_of(experiment), generator, requests_kept(lake)

    @property
    def prediction(self) -> dict[str, Any]:
        [row] = self.rows["predictions"]
        return row

    @property
    def chains(self) -> dict[int, dict[str, Any]]:
        return {row["candidate"]: row for row in self.rows["chains"]}

    def used(self, role: str) -> dict[int, list[str]]:
        """The texts of what a prediction was given, or cited, by candidate."""
        return texts_used(self.rows, role)


def reading_in(folder: Path) -> Any:
    """Return what reads questions by a script, and keeps what it was asked in a folder."""
    numbers = count()

    def reading(
        script: Script,
        *cases: tuple[dict[str, Any], Given],
        settings: Settings = PLAIN,
        context_tokens: int = 100_000,
    ) -> Read:
        generator = ScriptedGenerator(script, context_tokens)
        # A lake of its own each time: nothing is answered from there.
        recording, lake = recorded(generator, folder / str(next(numbers)))
        experiment = Experiment("sys", "full@scripted", "b", "1")
        read_questions(
            experiment,
            [(row, selected(evidence)) for row, evidence in cases or [(question(), BOTH)]],
            recording,
            settings,
        )
        return Read(experiment, generator, lake)

    return reading
