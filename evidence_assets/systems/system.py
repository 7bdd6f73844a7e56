"""What a system declares, and the stage that runs its experiments: the same for every system."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from evidence_assets.evidence.arms import Arm
from evidence_assets.evidence.experiment import EXPERIMENT_TABLES, RANKED_EXPERIMENT_TABLES
from evidence_assets.lake.schemas import GENERATIONS, PREDICTIONS, TABLES_BY_NAME
from evidence_assets.reading.likelihoods.likelihood import VERSION as LIKELIHOOD
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import (
    Input,
    Key,
    Metadata,
    Model,
    Output,
    Removed,
    Rows,
    Scope,
    Stage,
)

if TYPE_CHECKING:
    from evidence_assets.evidence.experiment import Experiment
    from evidence_assets.stages.step import Step

CORPUS, GRAPH, TABLES = "corpus", "graph", "tables"
Arms = Mapping[str, Any]
# What to show of an experiment, by table name.
Report = Mapping[str, Mapping[str, Any]]


def retrievals_of(arms: Arms) -> Mapping[str, str]:
    """Return by arm the retrieval that it reads; arms that read none are left out."""
    return {name: arm.retrieval for name, arm in arms.items() if arm.retrieval}


@dataclass(frozen=True)
class System:
    """One published system.

    Args:
        needs: What a benchmark must name for it, a corpus or a graph, or have: tables.
        arms: Returns its arms, with those that generators of these names answer.
        inputs: Returns the tables that an experiment reads beside the benchmark's questions.
        read: Answers a benchmark's questions for one arm, from a step's inputs.
        descriptions: A description for each table of an experiment, by table name.
        stages: Returns the system's own stages of retrieval.
        baselines: Of the arms that others are compared with, the cheap ones: the strongest of them, of chance
            and of the majority is shown beside every arm.
        ranks_chunks: It reads rankings of chunks: these are scored too.
        retrieves_facts: It reads facts of a graph that are retrieved: these are scored too.
        ranks: It ranks answers to questions that offer none.
        trained_arms: Returns the arms that trained readers of these names answer.
        report: Returns what to show of an experiment's tables.
        problem: Returns why an arm cannot be run on a benchmark as it is configured, or None.
    """

    name: str
    needs: str
    arms: Callable[[Iterable[str]], Arms]
    first_arms: tuple[str, ...]
    default_arm: str
    compared_with: tuple[str, ...]
    inputs: Callable[[Arms, Project], Sequence[Input]]
    read: Callable[[Step, Project, Any], Experiment]
    descriptions: Mapping[str, str]
    version: str
    stages: Callable[[Project], Sequence[Stage]] = lambda _: ()
    models: frozenset[Model] = frozenset({Model.ENCODER, Model.GENERATOR})
    baselines: tuple[str, ...] = ()
    ranks_chunks: bool = False
    retrieves_facts: bool = False
    ranks: bool = False
    trained_arms: Callable[[Iterable[str]], Arms] = lambda readers: {}
    report: Callable[[Step, Any, Mapping[str, pa.Table]], Report] = lambda step, arm, tables: {}
    problem: Callable[[Project, Key, Any], str | None] = lambda project, key, arm: None

    def __post_init__(self) -> None:
        if others := sorted(set(self.baselines) - set(self.compared_with)):
            raise ValueError(
                f"system {self.name}: no arm is compared with the baselines {', '.join(others)}; remedy: "
                "name them in compared_with too"
            )

    def lacks(self, project: Project, benchmark: str) -> str | None:
        """Return what a benchmark does not name and this system needs, with the remedy, or None."""
        if self.needs == TABLES or getattr(project.benchmark(benchmark), self.needs) is not None:
            return None
        return (
            f"{project.location}: benchmark {benchmark} names no {self.needs}, and {self.name} needs one; "
            f"remedy: name one (benchmarks.{benchmark}.{self.needs})"
        )

    def arms_of(self, project: Project) -> Mapping[str, Arm]:
        """Return the arms that a configuration gives, by name."""
        return _arms(
            self.arms, tuple(project.generators), self.trained_arms, tuple(project.reader_generators)
        )


@lru_cache(maxsize=64)
def _arms(
    arms: Callable[[Iterable[str]], Arms],
    generators: tuple[str, ...],
    trained_arms: Callable[[Iterable[str]], Arms],
    readers: tuple[str, ...],
) -> Arms:
    """Return a system's arms, made once: the stages of a configuration ask for them a hundred times."""
    return MappingProxyType({**arms(generators), **trained_arms(readers)})


def _likelihood_problem(project: Project, arm: Arm) -> str | None:
    """Return why an arm's generator scores no given text, if it is to and does not."""
    if not arm.likelihood or project.generators[arm.generator].gives_likelihoods:
        return None
    return (
        f"arm {arm.name} asks for the likelihood of given texts, which generator {arm.generator} does not "
        "tell; remedy: name its weights with engine vllm, transformers or llama_cpp"
    )


def _reads_likelihoods(project: Project, arm: Arm) -> bool:
    return arm.likelihood or project.reader_generators.get(arm.generator) is not None


def experiment_stage(system: System, project: Project) -> Stage:
    """Return the stage of a system's experiments, one partition a benchmark and arm.

    Arms are made on demand: else adding a generator would spend money unasked.
    """
    arms = system.arms_of(project)
    tables = RANKED_EXPERIMENT_TABLES if system.ranks else EXPERIMENT_TABLES

    def run(step: Step) -> Iterator[Rows | Metadata | Removed]:
        arm = arms[step.key.variant]
        experiment = system.read(step, project, arm)
        shortened = step.shortened_questions
        rows = experiment.tables(None if shortened is None else shortened.unread)
        for name, table_rows in rows.items():
            yield Rows(TABLES_BY_NAME[name], table_rows)
        abstained = sum(rows[PREDICTIONS.name].column("abstained").to_pylist())
        yield Metadata({"abstained": abstained}, PREDICTIONS)
        for name, shown in system.report(step, arm, rows).items():
            yield Metadata(shown, TABLES_BY_NAME[name])

    return Stage(
        name=system.name,
        scope=Scope.BENCHMARK,
        variants=tuple(arms),
        outputs=tuple(Output(table, system.descriptions[table.name]) for table in tables),
        inputs=tuple(system.inputs(arms, project)),
        run=run,
        group=system.name,
        layer="reasoning",
        system=system.name,
        version=system.version,
        models=system.models,
        side_tables=(GENERATIONS,),
        on_demand=True,
        pooled=True,
        problem=lambda key: (
            system.lacks(project, key.name)
            or _likelihood_problem(project, arms[key.variant])
            or system.problem(project, key, arms[key.variant])
        ),
        # What likelihoods answer depends on their reader, and no other arm does.
        configuration=lambda key: (
            f"likelihood {LIKELIHOOD}" if _reads_likelihoods(project, arms[key.variant]) else ""
        ),
    )
