"""Gates: what a lake's scores must not fall below, declared in a file, for a project's own checks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from evidence_assets.audit.integrity import drifted_evidence
from evidence_assets.evaluation.metrics import Comparison, holm, paired_comparison
from evidence_assets.evaluation.scores import values_of_rows
from evidence_assets.lake.filesystem import local_output
from evidence_assets.lake.ids import content_id
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import (
    ABLATION_SCORES,
    BENCHMARK_SCORES,
    EVIDENCE,
    PREDICTION_EVIDENCE,
    PREDICTIONS,
    QUESTION_SCORES,
)
from evidence_assets.text.suggestions import is_it

# What is told of every experiment beside its scores.
COVERAGE, LINEAGE = "coverage", "lineage"
_KIND = "evidence-assets gate baseline"
_VERSION = 1

PerQuestion = Mapping[str, Mapping[str, float]]
# Nothing is above NaN, and everything is below infinity: such a bound would hold or fail whatever was scored.
Bound = Annotated[float, Field(allow_inf_nan=False)]
# What a run reached, question by question: experiment to metric to question to value.
Baseline = Mapping[str, PerQuestion]


class GateFileError(LookupError):
    """A gate file or a baseline cannot be used: names the file, the field and the remedy."""


class Gate(BaseModel):
    """What one experiment must keep.

    `least`, `most`: bounds by metric, of `benchmark_scores` and `ablation_scores`, of `coverage` (the share
    of the benchmark's questions that was answered) and of `lineage` (the share of answers all of whose
    evidence stands in its source, which fails where a source changed since it was read). `against_baseline`:
    metrics of `question_scores` that must not be below the baseline's by more than chance. A gate has one of
    them at least.
    """

    model_config = ConfigDict(extra="forbid")

    system: str
    arm: str
    benchmark: str
    least: dict[str, Bound] = Field(default_factory=dict)
    most: dict[str, Bound] = Field(default_factory=dict)
    against_baseline: list[str] = Field(default_factory=list)

    @model_validator(mode="after")
    def _holds_something(self) -> Self:
        # It would pass whatever became of the experiment.
        if not (self.least or self.most or self.against_baseline):
            raise ValueError(
                f"the gate of {self.name} asks nothing; remedy: give it a bound (least, most), or a metric "
                "to compare (against_baseline)"
            )
        return self

    @property
    def place(self) -> dict[str, str]:
        """The experiment's partition."""
        return {"system": self.system, "arm": self.arm, "benchmark": self.benchmark}

    @property
    def name(self) -> str:
        """The experiment, as lines name it."""
        return f"{self.system}/{self.arm} on {self.benchmark}"


class Gates(BaseModel):
    """A gate file. `baseline`: beside it, the file that a baseline is kept in. `level`: of the tests."""

    model_config = ConfigDict(extra="forbid")

    gates: list[Gate] = Field(min_length=1)
    baseline: str = ""
    level: float = Field(default=0.05, gt=0, lt=1)


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was looked at."""

    passed: bool
    text: str

    def __str__(self) -> str:
        return f"{'ok  ' if self.passed else 'FAIL'}  {self.text}"


def read_gates(path: Path) -> Gates:
    """Return a gate file's content.

    Raises:
        GateFileError: it cannot be read, is no YAML, or holds what no gate has.
    """
    import yaml

    from evidence_assets.text.field_problems import field_problem
    from evidence_assets.text.plain_yaml import load_yaml, yaml_problem

    try:
        data = load_yaml(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise GateFileError(f"{path}: {error.strerror}; remedy: name a gate file") from error
    except yaml.YAMLError as error:
        raise GateFileError(f"{path}: not YAML, {yaml_problem(error)}; remedy: correct that line") from error
    except UnicodeDecodeError as error:
        raise GateFileError(f"{path}: not UTF-8 at byte {error.start}; remedy: save it as UTF-8") from error
    try:
        gates = Gates.model_validate(data)
    except ValidationError as error:
        [first, *_] = error.errors()
        raise GateFileError(f"{path}: {field_problem(first, Gates)}") from error
    if any(gate.against_baseline for gate in gates.gates) and not gates.baseline:
        raise GateFileError(f"{path} compares with a baseline; remedy: name its file (baseline)")
    return gates


def read_baseline(path: Path) -> Baseline:
    """Return a baseline that `write_baseline` wrote.

    Raises:
        GateFileError: there is none, it is something else, or it was changed since.
    """
    remedy = "remedy: write it with `evidence-assets gate FILE --write-baseline`"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise GateFileError(f"baseline {path}: {error.strerror}; {remedy}") from error
    except ValueError as error:
        raise GateFileError(f"baseline {path} is no JSON; {remedy}") from error
    if not isinstance(data, dict) or (data.get("kind"), data.get("version")) != (_KIND, _VERSION):
        raise GateFileError(f"{path} is no baseline of this version; {remedy}")
    if data.get("content") != _content(data.get("experiments")):
        raise GateFileError(f"baseline {path} was changed after it was written; {remedy}")
    experiments: Baseline = data["experiments"]
    return experiments


def write_baseline(lake: Lake, gates: Gates, path: Path) -> int:
    """Write what the lake holds of what is compared with a baseline; return how many values that is.

    Raises:
        GateFileError: an experiment or a metric that is to be compared was never scored.
        OSError: the file cannot be written; what stood there stands.
    """
    experiments: dict[str, dict[str, Mapping[str, float]]] = {}
    for gate in gates.gates:
        values = _question_values(lake, gate) if gate.against_baseline else {}
        for metric in gate.against_baseline:
            if metric not in values:
                raise GateFileError(f"{gate.name}: {_missing(lake, gate, metric, values)}")
            experiments.setdefault(gate.name, {})[metric] = values[metric]
    data = {"kind": _KIND, "version": _VERSION, "content": _content(experiments), "experiments": experiments}
    with local_output(path) as file:
        file.write((json.dumps(data, indent=1, sort_keys=True) + "\n").encode())
    return sum(len(values) for metrics in experiments.values() for values in metrics.values())


def lines(
    lake: Lake, gates: Gates, baseline: Baseline | None, changes: Mapping[str, Sequence[str]] | None = None
) -> list[Line]:
    """Return what became of every bound and comparison, in the order of the file.

    Comparisons are corrected by Holm for how many the file asks for. `changes`: by the name of an experiment,
    what became of its source files since they were read; where any did, its lineage is not known to stand.
    """
    compared: list[tuple[int, str, Comparison]] = []
    result: list[Line] = []
    for gate in gates.gates:
        result += _bounds(lake, gate, (changes or {}).get(gate.name, ()))
        values = _question_values(lake, gate) if gate.against_baseline else {}
        before = (baseline or {}).get(gate.name, {})
        for metric in gate.against_baseline:
            text = f"{gate.name}: {metric}"
            if metric not in values:
                result.append(Line(False, f"{gate.name}: {_missing(lake, gate, metric, values)}"))
            elif metric not in before:
                result.append(Line(False, f"{text} is not in the baseline; remedy: write it anew"))
            elif lost := before[metric].keys() - values[metric].keys():
                result.append(Line(False, f"{text}: {len(lost)} questions of the baseline have no value now"))
            else:
                compared.append((len(result), text, _compared(values[metric], before[metric])))
                result.append(Line(True, text))
    corrected = holm([comparison.p_value for _, _, comparison in compared])
    for (place, text, comparison), p_value in zip(compared, corrected, strict=True):
        result[place] = _verdict(text, comparison, p_value, gates.level)
    return result


def _verdict(text: str, comparison: Comparison, p_value: float, level: float) -> Line:
    difference = comparison.difference
    fell = difference.value < 0 and p_value < level
    compared = (
        f"{text} {difference.value:+.4f} [{difference.low:+.4f}, {difference.high:+.4f}] to the baseline, "
        f"n {difference.n}, p {p_value:.4f} ({comparison.test}, corrected)"
    )
    return Line(
        not fell, f"{compared}: {'below it by more than chance' if fell else 'no fall beyond chance'}"
    )


def _compared(values: Mapping[str, float], before: Mapping[str, float]) -> Comparison:
    import numpy as np

    questions = sorted(before)
    return paired_comparison(
        np.array([values[question] for question in questions], dtype=np.float64),
        np.array([before[question] for question in questions], dtype=np.float64),
    )


def _bounds(lake: Lake, gate: Gate, changes: Sequence[str]) -> Iterator[Line]:
    if not gate.least and not gate.most:
        return
    values = _values(lake, gate)
    bounds = [(metric, bound, True) for metric, bound in gate.least.items()]
    bounds += [(metric, bound, False) for metric, bound in gate.most.items()]
    for metric, bound, is_least in bounds:
        value = values.get(metric)
        if value is None:
            yield Line(False, f"{gate.name}: {_missing(lake, gate, metric, values)}")
            continue
        if metric == LINEAGE and changes:
            yield Line(False, f"{gate.name}: lineage is stale: {', '.join(changes)} since it was read")
            continue
        passed = value >= bound if is_least else value <= bound
        side = "at least" if is_least else "at most"
        yield Line(passed, f"{gate.name}: {metric} is {value:.4f}, {side} {bound:g} is asked")


def _values(lake: Lake, gate: Gate) -> dict[str, float | None]:
    """Return an experiment's metrics; none where it was never scored."""
    values: dict[str, float | None] = {}
    for table in (ABLATION_SCORES, BENCHMARK_SCORES):
        if not lake.exists(table, gate.place):
            continue
        for row in lake.read(table, gate.place).to_pylist():
            values[row["metric"]] = row["value"]
            if row.get("n_asked"):
                values[COVERAGE] = row["n_answered"] / row["n_asked"]
    if LINEAGE in {*gate.least, *gate.most} and lake.exists(PREDICTIONS, gate.place):
        values[LINEAGE] = lineage_completeness(lake, gate.place)
    return values


def lineage_completeness(lake: Lake, place: Mapping[str, str]) -> float | None:
    """Return the share of an experiment's answers all of whose evidence stands in its source.

    An answer that was given no evidence has no lineage. None where nothing was answered.
    """
    predictions = lake.read(PREDICTIONS, place, ["prediction_id", "predicted"]).to_pylist()
    answered_ids = [row["prediction_id"] for row in predictions if row["predicted"] is not None]
    if not answered_ids:
        return None
    evidence_ids = set(lake.read(EVIDENCE, place, ["evidence_id"]).column("evidence_id").to_pylist())
    sound = evidence_ids - set(drifted_evidence(lake, place))
    standing: dict[str, bool] = {}
    for row in lake.read(PREDICTION_EVIDENCE, place, ["prediction_id", "evidence_id"]).to_pylist():
        key = row["prediction_id"]
        standing[key] = standing.get(key, True) and row["evidence_id"] in sound
    return sum(standing.get(key, False) for key in answered_ids) / len(answered_ids)


def _question_values(lake: Lake, gate: Gate) -> dict[str, dict[str, float]]:
    if not lake.exists(QUESTION_SCORES, gate.place):
        return {}
    return values_of_rows(lake.read(QUESTION_SCORES, gate.place))


def _missing(lake: Lake, gate: Gate, metric: str, values: Mapping[str, Any]) -> str:
    """Return why an experiment has no value of a metric, with the nearest name where one may be misspelt."""
    if values:
        known = sorted(values)
        return f"there is no metric {metric}; remedy: {is_it(metric, known)}name one of {', '.join(known)}"
    stand = (
        f"{part['system']}/{part['arm']} on {part['benchmark']}" for part in lake.partitions(PREDICTIONS)
    )
    remedy = f"{is_it(gate.name, stand)}materialise the experiment and its scores"
    return f"{metric} was never scored; remedy: {remedy}"


def _content(experiments: Any) -> str:
    return content_id("baseline", json.dumps(experiments, sort_keys=True))
