"""UCRET by programs that a language model proposes: run here, ranked by accounting and agreement."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import pyarrow as pa

from evidence_assets.evidence.citations import marked
from evidence_assets.evidence.experiment import Answer, Chain, Experiment, Generation, Selected
from evidence_assets.models.generation.protocol import Request, Sampling
from evidence_assets.models.generation.recorded import RecordedGenerator
from evidence_assets.progress import Progress
from evidence_assets.reading.accounting import is_decisive
from evidence_assets.reading.prompting.prompt_files import PROPOSE_PROGRAM, prompt_hash
from evidence_assets.reading.prompting.replies import PARSED
from evidence_assets.reading.prompting.requests import fitted, request
from evidence_assets.reading.prompting.structured import ParsedReply, ask_objects
from evidence_assets.reading.proposals import Proposal, ranked, samplings
from evidence_assets.stages.withholding import Source
from evidence_assets.systems.ucret.arms import SYSTEM, TableArm
from evidence_assets.systems.ucret.reading import NO_TABLE, Case, cases_of, ranked_rows, units_of_program
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.verdicts.proposed_programs import accounted, program_schema, read_program
from evidence_assets.tables.shown import ShownTable
from evidence_assets.text.queries import NO_OPTION

NO_CLAIM = "programs are proposed for claims alone"
NO_PROGRAM = "no proposed program comes to a truth value"


# A program as text, and the cells that it rests on; its outcome is a truth value.
ProposedVerdict = Proposal[str, list[tuple[int, int]], bool]


def read_proposed(
    questions: pa.Table,
    tables: Mapping[str, Any],
    collapsed: pa.Table,
    generator: RecordedGenerator,
    arm: TableArm,
    benchmark: str,
    code_version: str,
    progress: Progress | None = None,
    withheld: Callable[[str], Collection[Source]] = lambda _: (),
) -> Experiment:
    """Verify claims by programs that a language model proposes, run over the whole table.

    Rows as `reading.read_benchmark` takes them. The model is shown the collapsed table, rows that do not fit
    left out from the last; several programs are drawn, held to the grammar, and run. The best accounts for
    most of the claim and agrees with most of the others. Questions that are no claims are abstained on.

    Raises:
        BudgetSpentError: the generator may not be asked any more.
    """
    experiment = Experiment(SYSTEM, arm.name, benchmark, code_version)
    cases = [case for case in cases_of(questions, tables, collapsed, withheld) if case.question["options"]]
    requests: list[Request] = []
    shown_rows: dict[int, list[Selected]] = {}
    places: dict[int, range] = {}
    for number, case in enumerate(cases):
        experiment.select(case.question["question_id"], NO_OPTION, case.selected_columns())
        if not case.is_claim or case.shown is None:
            continue
        samples, shown_rows[number] = _requests(case, case.shown, generator)
        places[number] = range(len(requests), len(requests) + len(samples))
        requests += samples
    replies = ask_objects(requests, generator, progress)
    for number, case in enumerate(cases):
        if number not in places or case.shown is None:
            status = NO_CLAIM if not case.is_claim else NO_TABLE
            experiment.answer(case.question, {}, [], Answer.abstention(arm.generator, status))
            continue
        sampled = [replies[place] for place in places[number]]
        executed = run_proposed(case.question["question"], case.shown, sampled)
        generation = _generation(generator, executed[0].request_hash if executed else None)
        chains = _chains(case, case.shown, executed, generator)
        evidence = {NO_OPTION: [*case.selected_columns(), *shown_rows[number]]}
        experiment.answer(case.question, evidence, chains, _answer(case, executed, arm, generation))
    return experiment


def _requests(
    case: Case, shown: ShownTable, generator: RecordedGenerator
) -> tuple[list[Request], list[Selected]]:
    """Return a request a sample, and the rows that they show."""
    rows = ranked_rows(case.question["question"], shown)
    schema = program_schema(shown.table.header)

    def make(count: int, sampling: Sampling) -> Request:
        numbers = [selected.unit.row for selected in rows[:count] if selected.unit.row is not None]
        return request(
            PROPOSE_PROGRAM, sampling, schema, question=case.question["question"], table=shown.text(numbers)
        )

    drawn = samplings()
    first_request, count = fitted(lambda count: make(count, drawn[0]), len(rows), generator.generator)
    return ([] if first_request is None else [make(count, sampling) for sampling in drawn]), rows[:count]


def run_proposed(claim: str, shown: ShownTable, replies: Sequence[ParsedReply]) -> list[ProposedVerdict]:
    """Return the programs of replies that come to a truth value, the best first."""
    index, header = index_of(shown.table), shown.table.header
    verdicts = []
    for reply in replies:
        if reply.value is None:
            continue
        program = read_program(reply.value, header)
        result = program.run(index)
        if result.truth is not None:
            cells = result.cells | {(-1, column) for _, column in result.cells}
            accounting = accounted(claim, reply.value)
            verdicts.append(
                Proposal(
                    program.describe(header), sorted(cells), result.truth, accounting, reply.request_hash
                )
            )
    return ranked(verdicts)


def _generation(generator: RecordedGenerator, request_hash: str | None) -> Generation:
    return Generation(request_hash, prompt_hash(PROPOSE_PROGRAM), generator.generator.generator_id)


def _chains(
    case: Case, shown: ShownTable, executed: Sequence[ProposedVerdict], generator: RecordedGenerator
) -> list[Chain]:
    """Return a chain for each verdict that a program comes to: the best of them, with its cells."""
    options = case.place_of_verdict
    best: dict[bool, ProposedVerdict] = {}
    for verdict in executed:
        best.setdefault(verdict.outcome, verdict)
    chains = []
    for truth, verdict in best.items():
        units = units_of_program(shown.table, verdict.result)
        text = marked(f"proposed: {verdict.expression}", len(units))
        made_by = _generation(generator, verdict.request_hash)
        chains.append(Chain(options[truth], text, units, verdict.score, verdict.parts, made_by))
    return chains


def _answer(case: Case, executed: Sequence[ProposedVerdict], arm: TableArm, generation: Generation) -> Answer:
    """Return the best program's verdict, or, where that is offered and it lacks what decides, neither."""
    options = case.place_of_verdict
    if not executed:
        index = options.get(None)
        return Answer(
            index,
            None,
            arm.generator,
            "",
            parse_status=PARSED if index is not None else NO_PROGRAM,
            abstained=index is None,
            generation=generation,
        )
    best = executed[0]
    leaves_out = any(is_decisive(word) for word in best.accounting.unaccounted)
    label = None if leaves_out and None in options else best.outcome
    ties = sum(verdict.score == best.score and verdict.outcome is not best.outcome for verdict in executed)
    return Answer(
        options[label],
        None,
        arm.generator,
        f"proposed: {best.expression}",
        tie_break="first drawn of equals" if ties else "none",
        generation=generation,
        accounting=best.accounting,
    )
