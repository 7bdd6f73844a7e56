"""Every prompted arm of every system once on published weights: do replies parse, held to their form and not?

The starter's language model, a handful of starter questions a system: options cut to the right one and one
other, evidence cut to a short context (the last-ranked goes first), free text to a few words, so that a
machine without a GPU gets through them. So little text is no measure of a system; it shows that its
requests are asked, read and kept. What it answers is told beside. A judge of triples is short enough to be
measured: statements of the starter graph, half of them with another triple's tail.

What was answered is kept in a folder of the system's temporary files, so that a run that dies goes on.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from benchmarks import PROJECT
from benchmarks.estimates import shown
from evidence_assets.audit.replies import ParseRate, parse_rates
from evidence_assets.config.configuration import load_project
from evidence_assets.evidence.estimates import proportion
from evidence_assets.extraction.judging import judgement_request, likely_verdicts, read_judgement
from evidence_assets.extraction.statements import stated_and_swapped
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import CHAINS, GENERATIONS, PREDICTIONS, TRIPLES
from evidence_assets.models.generation.llama_cpp import LlamaCppGenerator
from evidence_assets.models.generation.protocol import Form, Request, Sampling
from evidence_assets.models.generation.settings import PROFILE_GENERATORS
from evidence_assets.models.provider import Models
from evidence_assets.orchestration.stage_registry import stage_graph
from evidence_assets.reading.prompting.replies import PARSED
from evidence_assets.sources.project import Project
from evidence_assets.sources.source_fingerprints import source_fingerprint
from evidence_assets.stages.declaration import Key
from evidence_assets.stages.execution import Run, make_partition
from evidence_assets.stages.freshness import Freshness, State
from evidence_assets.systems.registry import SYSTEMS
from evidence_assets.text.verbalisation import templates

GENERATOR = "smollm2-135m"
CONTEXT_TOKENS, REPLY_TOKENS = 768, 24
# Of a benchmark's questions the first so many, and the options that each keeps.
QUESTIONS = {"starter": 1, "starter_medicine": 1, "starter_space": 1, "starter_tables": 1}
OPTIONS = 2
TRAINING, TRAINING_QUESTIONS = "starter_training", 20
ASKED = {
    "uscrake": "starter",
    "attention2query": "starter",
    "ugat_medqa": "starter_medicine",
    "ucret": "starter_tables",
    "four_step_focus": "starter_space",
    "kaping": "starter_space",
}
# Requests a task that are asked once more with nothing held to.
UNHELD = 4
STATEMENTS = 60
# Arms are begun for so long; what was made is kept, and another run goes on.
MINUTES = 30
FOLDER = Path(tempfile.gettempdir()) / "evidence-language-model"


def run() -> dict[str, Any]:
    """Return what every arm was asked, how its replies parse, and what a judge of triples gets right."""
    making = Making(_project())
    arms = {
        system.name: [name for name, arm in system.arms_of(making.project).items() if arm.prompted]
        for system in SYSTEMS
    }
    until = time.monotonic() + 60 * MINUTES
    made: dict[str, list[str]] = {system: [] for system in arms}
    # An arm of each system, then another of each: all systems are seen, however far the time goes.
    for rank in range(max(map(len, arms.values()))):
        for system, names in arms.items():
            if rank < len(names) and time.monotonic() < until and making.made(system, names[rank]):
                made[system].append(names[rank])
    lake, models = making.lake, making.models
    rows = [
        {**_of_system(lake, system, made[system]), "prompted_arms": len(names)}
        for system, names in arms.items()
        if made[system]
    ]
    settings = PROFILE_GENERATORS["starter"][GENERATOR]
    free = LlamaCppGenerator(
        GENERATOR, settings.model, settings.revision, context_tokens=CONTEXT_TOKENS, constrains=False
    )
    return {
        "model": settings.model.removeprefix("package:"),
        "context_tokens": CONTEXT_TOKENS,
        "reply_tokens": REPLY_TOKENS,
        "systems": rows,
        "minutes": MINUTES,
        "tasks": _by_task(_replies(lake, models), free),
        "judge": _judge(lake, models),
    }


class Making:
    """The partitions of a project, made in this process where they are not fresh."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.lake = Lake(str(FOLDER / "lake"))
        self.models = Models(FOLDER / "cache", generators=project.generators)
        self._graph = stage_graph(project)
        self._run = Run(self.lake, self._graph, self.models)

    def made(self, system: str, arm: str) -> bool:
        """Make an arm and what it reads; tell whether it can be made as the benchmark is configured."""
        needed = list(self._graph.needed([(self._graph.by_name[system], Key(ASKED[system], arm))]))
        if any(part.stage.problem(part.key) is not None for part in needed):
            return False
        started = time.perf_counter()
        fresh = Freshness(self.lake, self._graph, self.models, source_fingerprint(self.project))
        for status in fresh.statuses(needed):
            if status.state != State.FRESH:
                make_partition(status.stage, status.key, self._run, status.tables)
        print(f"{time.perf_counter() - started:6.1f} s  {system} {arm}", flush=True)
        return True


def _project() -> Project:
    """Return the starter project with short benchmarks and a generator of short replies."""
    project = load_project(PROJECT / "data_lake" / "sources.yaml")
    FOLDER.mkdir(exist_ok=True)
    benchmarks = {
        name: source.model_copy(update={"uri": _shortened(project, name), "systems": _systems(name)})
        for name, source in project.sources.benchmarks.items()
        if name in QUESTIONS
    }
    # A tuned classifier of facts needs other questions over the same graph.
    benchmarks["starter"] = benchmarks["starter"].model_copy(update={"training": TRAINING})
    others = {"uri": _shortened(project, "starter", TRAINING), "systems": ["attention2query"]}
    benchmarks[TRAINING] = project.benchmark("starter").model_copy(update=others)
    settings = PROFILE_GENERATORS["starter"][GENERATOR]
    brief = settings.model_copy(update={"context_tokens": CONTEXT_TOKENS, "reply_tokens": REPLY_TOKENS})
    sources = project.sources.model_copy(
        update={
            "benchmarks": benchmarks,
            "generators": {GENERATOR: brief},
            "harvest": None,
            "graphs": {
                name: source for name, source in project.sources.graphs.items() if not source.harvests
            },
        }
    )
    return replace(project, sources=sources)


def _systems(benchmark: str) -> list[str]:
    return [system for system, name in ASKED.items() if name == benchmark]


def _shortened(project: Project, benchmark: str, part: str = "") -> str:
    """Write a benchmark's first questions, their options cut, into a folder of their own; return the file.

    `part`: those that train are the questions behind these, as they are.
    """
    folder = FOLDER / (part or benchmark)
    folder.mkdir(parents=True, exist_ok=True)
    pattern = Path(project.locate(project.benchmark(benchmark).uri))
    files = sorted(pattern.parent.glob(pattern.name))
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    first = QUESTIONS[benchmark]
    kept = [_cut(json.loads(line)) for line in lines[:first]]
    if part == TRAINING:
        kept = [json.loads(line) for line in lines[first : first + TRAINING_QUESTIONS]]
    for table in pattern.parent.glob("*.csv"):
        (folder / table.name).write_bytes(table.read_bytes())
    written = folder / "questions.jsonl"
    written.write_text("".join(f"{json.dumps(row)}\n" for row in kept), encoding="utf-8")
    return str(written)


def _cut(row: dict[str, Any]) -> dict[str, Any]:
    if len(row.get("options") or ()) <= OPTIONS:
        return row
    right = row["options"][row["answer_index"]]
    wrong = next(option for option in row["options"] if option != right)
    return {**row, "options": [wrong, right], "answer_index": 1}


def _of_system(lake: Lake, system: str, arms: Sequence[str]) -> dict[str, Any]:
    """Return what a system's arms answered, and how much evidence their prompts had no room for."""
    predictions, left_out = [], 0.0
    for arm in arms:
        place = {"system": system, "arm": arm, "benchmark": ASKED[system]}
        predictions += lake.read(PREDICTIONS, place, ["correct", "parse_status"]).to_pylist()
        for parts in lake.read(CHAINS, place, ["score_parts"]).column("score_parts").to_pylist():
            left_out += sum(part["value"] for part in parts if part["name"] == "evidence_left_out")
    statuses = Counter(row["parse_status"] for row in predictions)
    n, unreadable = len(predictions), statuses["unparseable"]
    return {
        "system": system,
        "arms": len(arms),
        "questions": QUESTIONS[ASKED[system]],
        "predictions": n,
        "right": sum(row["correct"] is True for row in predictions),
        "readable": shown(proportion(n - unreadable, n)),
        "statuses": dict(statuses.most_common()),
        "evidence_left_out": int(left_out),
    }


def _replies(lake: Lake, models: Models) -> list[dict[str, Any]]:
    """Return all requests of this generator, with their replies."""
    known = models.generator_settings(GENERATOR).load(GENERATOR).generator_id
    return [
        row
        for place in lake.partitions(GENERATIONS)
        if place["generator"] == known or known in place["generator"]
        for row in lake.read(GENERATIONS, place).to_pylist()
    ]


def _by_task(replies: Sequence[Mapping[str, Any]], free: LlamaCppGenerator) -> list[dict[str, Any]]:
    """Return each task's parse rate, held to its form, and of a few requests with nothing held to."""
    held = _with_all(parse_rates(replies))
    unheld = _with_all(parse_rates(_asked_again(replies, free)))
    return [
        {
            "task": task,
            "requests": held[task].replies,
            "held": shown(proportion(held[task].parsed, held[task].replies)),
            "asked_again": rate.replies,
            "not_held": shown(proportion(rate.parsed, rate.replies)),
        }
        for task, rate in sorted(unheld.items())
    ]


def _with_all(rates: Mapping[str, ParseRate]) -> dict[str, ParseRate]:
    return {**rates, "all": sum(rates.values(), ParseRate())}


def _asked_again(
    replies: Sequence[Mapping[str, Any]], free: LlamaCppGenerator
) -> Iterator[Mapping[str, Any]]:
    by_task: dict[str, list[Mapping[str, Any]]] = {}
    for row in sorted(replies, key=lambda row: row["request_hash"]):
        by_task.setdefault(row["task"], []).append(row)
    for rows in by_task.values():
        for row in [row for row in rows if parse_rates([row])][:UNHELD]:
            parameters = json.loads(row["parameters"])
            form = parameters.get("form")
            drawn = {name: parameters[name] for name in Sampling.__slots__}
            request = Request(
                row["task"],
                row["prompt_hash"],
                row["system"],
                row["user"],
                Sampling(**{**drawn, "stop": tuple(drawn["stop"])}),
                parameters["schema"],
                None if form is None else Form(**form),
            )
            [(_, reply)] = free.generate([request])
            yield {**row, "outcome": str(reply.outcome), "text": reply.text}


def _judge(lake: Lake, models: Models) -> dict[str, Any]:
    """Return the accuracy of the judge of triples, asked and by likelihood, on statements of known truth."""
    places = [place for place in lake.partitions(TRIPLES) if place["kg"] == "starter"]
    if not places:
        return {}
    tables = [lake.read(TRIPLES, place, ["head", "relation", "tail"]) for place in places]
    columns = (pa.concat_tables(tables).column(name).to_pylist() for name in ("head", "relation", "tail"))
    statements = stated_and_swapped(list(zip(*columns, strict=True)), templates("conceptnet"), STATEMENTS)
    texts, truth = (
        [statement.text for statement in statements],
        [statement.is_stated for statement in statements],
    )
    settings = models.generator_settings(GENERATOR)
    replies = dict(settings.load(GENERATOR).generate([judgement_request(text) for text in texts]))
    judgements = [read_judgement(replies[place]) for place in range(len(texts))]
    agreed = [verdict == true for (verdict, _), true in zip(judgements, truth, strict=True)]
    likely = likely_verdicts(texts, settings.load_likelihoods(GENERATOR))
    scored = [verdict == true for verdict, true in zip(likely, truth, strict=True)]
    n = len(truth)
    return {
        "statements": n,
        "majority": round(max(sum(truth), n - sum(truth)) / n, 4),
        "asked": shown(proportion(sum(agreed), n)),
        "by_likelihood": shown(proportion(sum(scored), n)),
        "parsed": shown(proportion(sum(status == PARSED for _, status in judgements), n)),
        "called_true": {
            "asked": sum(verdict is True for verdict, _ in judgements),
            "by_likelihood": sum(likely),
        },
    }
