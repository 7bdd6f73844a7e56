"""UCRET by a language model: an argument for each verdict or option from the table, then a choice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import pyarrow as pa

from evidence_assets.evidence.citations import with_places
from evidence_assets.evidence.experiment import Answer, Chain, Experiment, Selected
from evidence_assets.evidence.units import EvidenceUnit
from evidence_assets.models.generation.recorded import RecordedGenerator
from evidence_assets.progress import Progress
from evidence_assets.reading.prompting.prompt_files import (
    CHOOSE_BY_TABLE,
    DECIDE_TABLE,
    EXPLAIN_CELLS,
    EXPLAIN_LABEL,
)
from evidence_assets.reading.prompting.prompted import (
    Material,
    PromptedOutcome,
    PromptedQuestion,
    Settings,
    argue,
)
from evidence_assets.stages.withholding import Source
from evidence_assets.systems.ucret.arms import SYSTEM, TableArm
from evidence_assets.systems.ucret.as_printed import prompts as as_printed
from evidence_assets.systems.ucret.reading import NO_TABLE, Case, cases_of, ranked_rows, units_of_cells
from evidence_assets.tables.cell_citations import read_cell_citations
from evidence_assets.tables.programs.verdicts.verification import rank_programs
from evidence_assets.tables.shown import ShownTable, quoted_line
from evidence_assets.tables.table import Table
from evidence_assets.text.queries import NO_OPTION

# Further programs add little to the first.
MOST_PROGRAMS = 3


class TableMaterial:
    """A table with addresses. Evidence is its rows: what does not fit is left out row by row.

    `computed`: results of programs, listed below the table.
    """

    def __init__(self, shown: ShownTable, task: str, computed: Sequence[str] = ()) -> None:
        self._shown, self.task, self._computed = shown, task, computed

    def values(self, evidence: Sequence[Selected]) -> dict[str, Any]:
        """Return the table with these rows, in its own order."""
        return {"table": "\n".join([self._shown.text(_rows(evidence)), *self._computed])}

    def read(self, text: str, evidence: Sequence[Selected]) -> tuple[str, list[EvidenceUnit], str | None]:
        """Return the argument with marks for addresses, their cells, and what is wrong with them."""
        sent = ShownTable(self._shown.table, self._shown.columns, tuple(sorted(_rows(evidence))))
        argument, places, status = read_cell_citations(text, sent)
        return argument, units_of_cells(self._shown.table, places), status

    def argued(self, chain: Chain) -> str:
        """Return the argument with the addresses that the table beside it has."""
        return with_places(chain.text, [f"[{unit.text.partition(':')[0]}]" for unit in chain.cited])


def computed(claim: str, table: Table) -> list[str]:
    """Return the results of a claim's best-ranked programs over the whole table, one line each."""
    verdicts = [verdict for verdict in rank_programs(claim, table) if verdict.supported is not None][
        :MOST_PROGRAMS
    ]
    return [
        f"Computed: {quoted_line(verdict.program)}: "
        f"the claim is {'supported' if verdict.supported else 'refuted'} by this"
        for verdict in verdicts
    ]


def _rows(evidence: Sequence[Selected]) -> list[int]:
    return [selected.unit.row for selected in evidence if selected.unit.row is not None]


def _settings(arm: TableArm, verdicts: bool) -> Settings:
    """Return how an arm asks; `verdicts`: the options are verdicts on a claim."""
    if arm.printed:
        return as_printed.settings(verdicts)
    decides_by = None if arm.explains else DECIDE_TABLE
    return Settings(verdicts=verdicts, decides_by=decides_by, chooses_by=CHOOSE_BY_TABLE)


def read_prompted(
    questions: pa.Table,
    tables: Mapping[str, Table],
    collapsed: pa.Table,
    generator: RecordedGenerator,
    arm: TableArm,
    benchmark: str,
    code_version: str,
    progress: Progress | None = None,
    withheld: Callable[[str], Collection[Source]] = lambda _: (),
) -> Experiment:
    """Verify claims and answer multiple-choice questions about tables by a language model.

    Rows as `read_benchmark` takes them. A question about no single table is abstained on.

    Raises:
        BudgetSpentError: the generator may not be asked any more.
    """
    experiment = Experiment(SYSTEM, arm.name, benchmark, code_version)
    cases = cases_of(questions, tables, collapsed, withheld)
    for case in cases:
        experiment.select(case.question["question_id"], NO_OPTION, case.selected_columns())
    with_options = [case for case in cases if case.question["options"]]
    answers: dict[int, PromptedOutcome] = {}
    # Verdicts on claims and options of questions are asked for in other words.
    for verdicts in (True, False):
        usable = [
            (case, case.shown)
            for case in with_options
            if case.is_claim is verdicts and case.shown is not None
        ]
        requests = [_asked(case, shown, arm) for case, shown in usable]
        argued = argue(requests, generator, _settings(arm, verdicts), progress) if requests else []
        answers |= {id(case): outcome for (case, _), outcome in zip(usable, argued, strict=True)}
    for case in with_options:
        outcome = answers.get(id(case))
        if outcome is None:
            experiment.answer(case.question, {}, [], Answer.abstention(arm.generator, NO_TABLE))
            continue
        # Options were shown the first rows of one ranking, those with longer texts fewer of them.
        rows = max(outcome.given.values(), key=len, default=())
        evidence = {NO_OPTION: [*case.selected_columns(), *rows]} if rows else {}
        experiment.answer(case.question, evidence, outcome.chains, outcome.answer)
    return experiment


def _asked(case: Case, shown: ShownTable, arm: TableArm) -> PromptedQuestion:
    """Return a question with its table's rows, those that cover most of its words first."""
    evidence = ranked_rows(case.question["question"], shown)
    table, options = shown.table, case.question["options"]
    material: Material = as_printed.PrintedTable(shown, as_printed.task_of(case.is_claim))
    computed_lines = computed(case.question["question"], table) if arm.computes and case.is_claim else []
    if not arm.printed:
        task = EXPLAIN_LABEL if case.is_claim else EXPLAIN_CELLS
        material = TableMaterial(shown, task, computed_lines)
    return PromptedQuestion(
        case.question["question"], options, dict.fromkeys(range(len(options)), evidence), material
    )
