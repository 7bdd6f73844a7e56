"""UCRET by likelihoods: which verdict or option the shown rows of its table make likelier."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

import pyarrow as pa

from evidence_assets.evidence.experiment import Answer, Experiment
from evidence_assets.models.generation.likelihood import LikelihoodModel
from evidence_assets.progress import Progress
from evidence_assets.reading.likelihoods.likelihood import Abstention, OfferedOptions, Wording, read_questions
from evidence_assets.stages.withholding import Source
from evidence_assets.systems.ucret.arms import SYSTEM, TableArm
from evidence_assets.systems.ucret.reading import NO_TABLE, Case, cases_of, ranked_rows
from evidence_assets.systems.ucret.verdicts import NEITHER, REFUTES, SUPPORTS
from evidence_assets.tables.shown import ShownTable, quoted_line
from evidence_assets.tables.table import Table
from evidence_assets.text.queries import NO_OPTION

# Rows that are read at most: a collapsed table is read as a whole where the context allows.
MOST_ROWS = 40
_OF_CLAIMS = Wording("Table", "Claim", "By the table, the claim is")
_OF_QUESTIONS = Wording("Table")
# What a verdict is called as the end of `By the table, the claim is`.
_VERDICT_WORDS: Mapping[str, str] = {SUPPORTS: "true", REFUTES: "false", NEITHER: "undecided"}


def read_likelihoods(
    questions: pa.Table,
    tables: Mapping[str, Table],
    collapsed: pa.Table,
    model: LikelihoodModel,
    arm: TableArm,
    benchmark: str,
    code_version: str,
    progress: Progress | None = None,
    withheld: Callable[[str], Collection[Source]] = lambda _: (),
) -> Experiment:
    """Verify claims and answer multiple-choice questions about tables by likelihoods.

    Rows as `read_benchmark` takes them. All options are read with the same rows, those with most of the
    question's words first, and what does not fit is left out from the last. A question about no single table
    is abstained on.
    """
    experiment = Experiment(SYSTEM, arm.name, benchmark, code_version)
    offered = []
    for case in cases_of(questions, tables, collapsed, withheld):
        experiment.select(case.question["question_id"], NO_OPTION, case.selected_columns())
        if case.question["options"] and case.shown is not None and case.shown.rows:
            offered.append(_offered(case, case.shown))
        elif case.question["options"]:
            experiment.answer(case.question, {}, [], Answer.abstention(arm.generator, NO_TABLE))
    read_questions(experiment, offered, model, arm.generator, Abstention(NO_TABLE), progress)
    return experiment


def _offered(case: Case, shown: ShownTable) -> OfferedOptions:
    rows = ranked_rows(case.question["question"], shown)
    texts = [_line(shown, selected.unit.row) for selected in rows if selected.unit.row is not None]
    options = range(len(case.question["options"]))
    endings = [_VERDICT_WORDS[option.upper()] for option in case.question["options"]] if case.is_claim else ()
    return OfferedOptions(
        case.question,
        dict.fromkeys(options, rows),
        endings,
        dict.fromkeys(options, texts),
        _OF_CLAIMS if case.is_claim else _OF_QUESTIONS,
        MOST_ROWS,
    )


def _line(shown: ShownTable, row: int) -> str:
    """Return the shown cells of a row as one line, each behind its column's name."""
    table = shown.table
    cells = [(table.header[column], table.rows[row][column].text) for column in shown.columns]
    return "; ".join(f"{quoted_line(name)}: {quoted_line(text)}" for name, text in cells if text)
