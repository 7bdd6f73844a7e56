"""UCRET without a language model: claims by typed programs, options by rows, with the cells they rest on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.evidence.citations import marked, quotations
from evidence_assets.evidence.experiment import Answer, Chain, Experiment, Selected, question_itself
from evidence_assets.evidence.units import EvidenceUnit, unit_of_cell, unit_of_column, unit_of_row
from evidence_assets.models.encoder import Encode
from evidence_assets.reading.accounting import account
from evidence_assets.reading.encoded_texts import EncodedTexts
from evidence_assets.reading.extractive import choose
from evidence_assets.stages.withholding import Source
from evidence_assets.systems.ucret.arms import GUESSES, KEPT_EXECUTOR, NEAREST, SYSTEM, TableArm
from evidence_assets.systems.ucret.baselines import guess
from evidence_assets.systems.ucret.verdicts import REFUTES, SUPPORTS, VERDICTS
from evidence_assets.tables.options import MEASURES, OptionQuestion, RowPool, pool_texts, support_options
from evidence_assets.tables.programs.questions.answering import answer
from evidence_assets.tables.programs.verdicts.meanings import NO_MEANINGS, Meanings, meanings_of
from evidence_assets.tables.programs.verdicts.verification import Verdict, rank_programs, row_coverage
from evidence_assets.tables.programs.wording.words import tokens
from evidence_assets.tables.rows import content_words, row_text, word_coverage
from evidence_assets.tables.shown import ShownTable, read_out
from evidence_assets.tables.table import Table
from evidence_assets.tables.views import View, shown_part, whole_view, with_split_cells
from evidence_assets.tables.withholding import without_cells
from evidence_assets.text.queries import NO_OPTION, with_option

# Of a claim's words, those that must stand in the table before it is judged, where "neither" is an answer.
# Chosen on half of SciTab's tables (`benchmarks.table_verification`).
LEAST_COVERAGE = 0.4
UNDECIDED = "undecided: what no program bears out counts as refuted"
LEANING = "undecided: the likelier verdict of programs, none likely enough to decide"
NO_TABLE = "its table could not be used"
NO_VALUES = "the baseline answers no question without options"
LEFT_OVER = "no program accounts for the question"
UNLIKELY = "no answer is likely enough to be given"
SEVERAL = "the table supports several options"
# A program over more cells than this is cited by its columns.
MOST_CELLS = 24


@dataclass(frozen=True, slots=True)
class Case:
    """One question, the part of its table that is shown, and the filter's scores of the columns."""

    question: Mapping[str, Any]
    shown: ShownTable | None
    columns: Sequence[Mapping[str, Any]]

    @property
    def is_claim(self) -> bool:
        """Whether the options are verdicts on a claim."""
        options = self.question["options"]
        names = {option.upper() for option in options}
        return {SUPPORTS, REFUTES} <= names <= VERDICTS.keys()

    @property
    def place_of_verdict(self) -> dict[bool | None, int]:
        """The place among a claim's options of true, of false and of neither, where they are offered."""
        return {VERDICTS[option.upper()]: place for place, option in enumerate(self.question["options"])}

    @property
    def lacks_table(self) -> bool:
        """Whether the question is about a table that could not be used; no other table answers it."""
        return self.shown is None and self.question["table_id"] is not None

    def selected_columns(self) -> list[Selected]:
        """Return the columns that are shown, nearest first, as evidence."""
        if self.shown is None:
            return []
        kept_columns = [column for column in self.columns if column["kept"]]
        kept_columns.sort(key=lambda column: (-(column["similarity"] or 0.0), column["column"]))
        table = self.shown.table
        return [
            Selected(
                unit_of_column(table.table_id, column["column"], table.header[column["column"]]),
                column["similarity"] or 0.0,
                [
                    {"name": name, "value": column[name]}
                    for name in ("jaccard", "cluster_similarity")
                    if column[name] is not None
                ],
            )
            for column in kept_columns
        ]


def cases_of(
    questions: pa.Table,
    tables: Mapping[str, Table],
    collapsed: pa.Table,
    withheld: Callable[[str], Collection[Source]] = lambda _: (),
) -> list[Case]:
    """Return every question with the shown part of its table, of `questions` and `collapsed_tables` rows.

    `withheld`: question id to the cells that its table is read without.
    """
    of_question = {row["question_id"]: row for row in collapsed.to_pylist()}
    cases = []
    for question in questions.to_pylist():
        row = of_question.get(question["question_id"])
        if row is None:
            cases.append(Case(question, None, []))
            continue
        columns = tuple(column["column"] for column in row["columns"] if column["kept"])
        table = without_cells(tables[row["table_id"]], withheld(question["question_id"]))
        shown = ShownTable(table, columns, tuple(row["rows"]))
        cases.append(Case(question, shown, row["columns"]))
    return cases


def ranked_rows(question: str, shown: ShownTable) -> list[Selected]:
    """Return the shown rows of a table as evidence, those with most of a question's words first."""
    table = shown.table
    texts = {row: row_text(table, row) for row in shown.rows}
    shares = word_coverage(content_words(question), [content_words(text) for text in texts.values()])
    rows = sorted(
        zip(shown.rows, shares.tolist(), strict=True),
        key=lambda row_share: (-round(row_share[1], 6), row_share[0]),
    )
    return [Selected(unit_of_row(table.table_id, row, texts[row]), share, []) for row, share in rows]


def read_benchmark(
    questions: pa.Table,
    tables: Mapping[str, Table],
    collapsed: pa.Table,
    encode: Encode,
    arm: TableArm,
    benchmark: str,
    code_version: str,
    withheld: Callable[[str], Collection[Source]] = lambda _: (),
) -> Experiment:
    """Verify every claim and answer every multiple-choice question of a benchmark without a language model.

    Args:
        questions, collapsed: Rows of `questions`, and of `collapsed_tables` of the arm's filter.
        tables: The benchmark's tables by id. A question that names none is asked of all of them.
        encode: Texts to unit vectors, (n, d).
        withheld: Question id to the cells that its table is read without.

    Questions without options are answered by a program's values; the baseline leaves them unanswered.
    """
    experiment = Experiment(SYSTEM, arm.name, benchmark, code_version)
    cases = cases_of(questions, tables, collapsed, withheld)
    rows = _Rows(cases, tables, encode)
    meanings = _meanings(cases, encode, arm)
    for place, case in enumerate(cases):
        if arm.generator in GUESSES:
            question_evidence = question_itself(case.question)
            experiment.answer(case.question, question_evidence, [], _guessed(case, rows, arm))
            continue
        columns = case.selected_columns()
        chains: list[Chain] = []
        if not case.question["options"]:
            chains, prediction = _answered_freely(case, arm)
        elif not case.is_claim:
            chains, prediction = _chosen(case, rows, arm)
        elif case.shown is not None:
            chains, prediction = _judged(case, case.shown, meanings.get(place, NO_MEANINGS), arm)
        else:
            prediction = _unusable(arm)
        evidence = {NO_OPTION: columns} if columns else {}
        shown = {selected.unit.evidence_id for selected in columns}
        for chain in chains:
            ranked = [Selected(unit, chain.score, []) for unit in chain.cited]
            if chain.candidate == NO_OPTION:
                ranked = [*columns, *(cited for cited in ranked if cited.unit.evidence_id not in shown)]
            if ranked:
                evidence[chain.candidate] = ranked
        experiment.select_each(case.question["question_id"], evidence)
        experiment.answer(case.question, evidence, chains, prediction)
    return experiment


def _guessed(case: Case, rows: _Rows, arm: TableArm) -> Answer:
    """Return the answer without the table; questions without options, or of no usable table, have none."""
    options = case.question["options"]
    if not options:
        return Answer.abstention(arm.generator, NO_VALUES)
    if case.lacks_table:
        return _unusable(arm)

    def cosines() -> list[float]:
        question = rows.vectors.of([case.question["question"]])[0]
        return [float(cosine) for cosine in rows.vectors.of(options) @ question]

    return guess(case.question, case.is_claim, cosines, arm.generator)


def _answered_freely(case: Case, arm: TableArm) -> tuple[list[Chain], Answer]:
    """Return the values that a program answers a question without options with, and their cells."""
    if case.shown is None:
        return [], _unusable(arm)
    if arm.generator == NEAREST:
        return [], Answer.abstention(arm.generator, NO_VALUES)
    view = _view(case.shown, arm)
    table_answer = answer(case.question["question"], view.table)
    if not table_answer.decides:
        text = f"{table_answer.kind}: {table_answer.program}" if table_answer.program else ""
        text += f", which comes to {'; '.join(table_answer.values)}" if table_answer.values else ""
        reason = UNLIKELY if table_answer.accounts else LEFT_OVER
        return [], Answer.abstention(arm.generator, reason, text, accounting=table_answer.accounting)
    places = [view.place(cell) for cell in table_answer.cells]
    units = units_of_program(case.shown.table, places or _searched(table_answer.program, view))
    text = marked(f"{table_answer.kind}: {table_answer.program}", len(units))
    chain = Chain(NO_OPTION, text, units, table_answer.confidence, {"confidence": table_answer.confidence})
    prediction = Answer(
        None,
        table_answer.confidence,
        arm.generator,
        f"{table_answer.kind}: {table_answer.program}",
        text="|".join(table_answer.values),
        accounting=table_answer.accounting,
        values=table_answer.values,
    )
    return [chain], prediction


def _unusable(arm: TableArm) -> Answer:
    return Answer.abstention(arm.generator, NO_TABLE)


def _meanings(cases: Sequence[Case], encode: Encode, arm: TableArm) -> dict[int, Meanings]:
    """Return what the words of each claim that a program reads mean, by the claim's place."""
    claims = {
        place: (case.question["question"], _view(case.shown, arm).table)
        for place, case in enumerate(cases)
        if case.shown is not None and case.is_claim and arm.generator not in (NEAREST, *GUESSES)
    }
    return dict(zip(claims, meanings_of(list(claims.values()), encode), strict=True))


def _judged(case: Case, shown: ShownTable, meanings: Meanings, arm: TableArm) -> tuple[list[Chain], Answer]:
    """Return a chain for each verdict that a program supports, and the answer."""
    if arm.generator == NEAREST:
        return _covered(case, shown.table, arm)
    claim = case.question["question"]
    view = _view(shown, arm)
    table = view.table
    options = case.place_of_verdict
    best: dict[bool, Verdict] = {}
    decisive, *others = rank_programs(claim, table, meanings)
    for verdict in (decisive, *others):
        if verdict.supported is not None:
            best.setdefault(verdict.supported, verdict)
    label, likely = decisive.supported, decisive.confidence
    doubt = _doubt(decisive)
    if None in options:
        likely = decisive.reliability
        if doubt:
            label = None
    rule = "none"
    if label not in options:
        # Where one of two has to be answered, the likelier is right more often than either alone.
        leaning = decisive.leaning
        label, rule = (False, UNDECIDED) if leaning is None else (leaning, LEANING)
    chains = [
        _program_chain(options[supported], verdict, shown.table, view)
        for supported, verdict in best.items()
        if supported in options
    ]
    confidence = likely if label == decisive.supported and label is not None else None
    program_text = f"{decisive.kind}: {decisive.program}" if decisive.program else doubt
    if label is None and decisive.program:
        verdict_name = case.question["options"][options[decisive.comes_to]]
        program_text += f", which comes to {verdict_name}, but {doubt}"
    return chains, Answer(
        options[label],
        confidence,
        arm.generator,
        program_text,
        tie_break=rule,
        accounting=decisive.accounting,
    )


def _doubt(verdict: Verdict) -> str:
    """Return why a verdict decides nothing where "neither" is an answer; nothing where it does."""
    if verdict.decides and verdict.coverage < LEAST_COVERAGE:
        return f"only {verdict.coverage:.0%} of its words are in the table ({LEAST_COVERAGE:.0%} are needed)"
    return verdict.doubt


def _view(shown: ShownTable, arm: TableArm) -> View:
    """Return the view of the table that an arm's programs run on."""
    if arm.generator == KEPT_EXECUTOR:
        return shown_part(shown)
    return with_split_cells(shown.table) if arm.splits else whole_view(shown.table)


def _program_chain(candidate: int, verdict: Verdict, table: Table, view: View) -> Chain:
    places = [view.place(cell) for cell in verdict.cells]
    units = units_of_program(table, places or _searched(verdict.program, view))
    text = marked(f"{verdict.kind}: {verdict.program}", len(units))
    parts = {"coverage": verdict.coverage, "confidence": verdict.confidence}
    return Chain(candidate, text, units, verdict.confidence, parts)


def _searched(program: str, view: View) -> list[tuple[int, int]]:
    """Return the columns of a program that matched no cell: those it names, else all of its view."""
    header = view.table.header
    named_columns = [
        column for column, name in enumerate(header) if any(f"{name} {sign}" in program for sign in "=<>")
    ]
    return [view.place((-1, column)) for column in named_columns or range(len(header))]


def units_of_program(table: Table, places: Sequence[tuple[int, int]]) -> list[EvidenceUnit]:
    """Return cells as evidence, each once; more than `MOST_CELLS` as their columns."""
    distinct = list(dict.fromkeys(places))
    if len(distinct) > MOST_CELLS:
        columns = sorted({column for _, column in distinct})
        return [unit_of_column(table.table_id, column, table.header[column]) for column in columns]
    return units_of_cells(table, distinct)


def units_of_cells(table: Table, places: Sequence[tuple[int, int]]) -> list[EvidenceUnit]:
    """Return cells as evidence, those of the header as their columns."""
    return [
        unit_of_column(table.table_id, column, table.header[column])
        if row < 0
        else unit_of_cell(table.table_id, row, column, read_out(table, (row, column)))
        for row, column in places
    ]


def _covered(case: Case, table: Table, arm: TableArm) -> tuple[list[Chain], Answer]:
    """A baseline: a claim holds if one row has all of its words that stand in the table."""
    cells = {token.key for row in table.rows for cell in row for token in tokens(cell.text)}
    known_words = [
        token.text for token in tokens(case.question["question"]) if token.key in cells and not token.stop
    ]
    share, row = row_coverage(" ".join(known_words), table)
    verdict = SUPPORTS if share >= 1.0 else REFUTES
    names = [option.upper() for option in case.question["options"]]
    index = names.index(verdict) if verdict in names else 0
    cited = [unit_of_row(table.table_id, row, row_text(table, row))] if row >= 0 else []
    chain = Chain(index, quotations(unit.text for unit in cited), cited, share, {"coverage": share})
    return [chain] if cited else [], Answer(index, None, arm.generator, f"coverage {share:.3f}")


class _Rows:
    """The rows that multiple-choice questions are answered from, encoded in one call."""

    def __init__(self, cases: Sequence[Case], tables: Mapping[str, Table], encode: Encode) -> None:
        row_cases = [
            case for case in cases if case.question["options"] and not case.is_claim and not case.lacks_table
        ]
        store_tables = {
            self._store(case): list(tables.values()) if case.shown is None else [case.shown.table]
            for case in row_cases
        }
        store_texts = {store: pool_texts(of_store) for store, of_store in store_tables.items()}
        query_texts = [
            text
            for case in row_cases
            for text in (case.question["question"], *case.question["options"], *hypotheses(case))
        ]
        self.vectors = EncodedTexts(
            [*query_texts, *(text for texts, _ in store_texts.values() for text in texts)], encode
        )
        self._pools = {
            store: (
                RowPool(texts, self.vectors.of(texts)),
                [(store_tables[store][number], row) for number, row in places],
            )
            for store, (texts, places) in store_texts.items()
            if texts
        }

    @staticmethod
    def _store(case: Case) -> str | None:
        """Return the table that a question is asked of; None for all of them."""
        return None if case.shown is None else case.shown.table.table_id

    def pool(self, case: Case) -> tuple[RowPool, list[tuple[Table, int]]] | None:
        """Return the rows that a question is asked of, and each one's table and number; None without any."""
        return None if case.lacks_table else self._pools.get(self._store(case))


def hypotheses(case: Case) -> list[str]:
    """Return the question followed by each option."""
    return [with_option(case.question["question"], option) for option in case.question["options"]]


def _chosen(case: Case, rows: _Rows, arm: TableArm) -> tuple[list[Chain], Answer]:
    """Return a chain of rows for each option, and the best supported option."""
    pooled = rows.pool(case)
    if pooled is None:
        return [], _unusable(arm)
    pool, places = pooled
    if arm.generator == NEAREST:
        return _nearest_row(case, pool, places, arm)
    options = case.question["options"]
    option_question = OptionQuestion(
        case.question["question"],
        options,
        rows.vectors.of([case.question["question"]])[0],
        rows.vectors.of(options),
        rows.vectors.of(hypotheses(case)),
    )
    support = support_options(option_question, pool)
    chains = [
        _row_chain(
            number,
            [places[row] for row in evidence],
            float(support.scores[number]),
            dict(zip(MEASURES, support.measures[number].tolist(), strict=True)),
        )
        for number, evidence in enumerate(support.evidence)
        if evidence
    ]
    supported = ", ".join(chr(ord("A") + number) for number in support.supported) or "none"
    if arm.answers_as_a_set and support.ambiguous:
        several = f"{SEVERAL}: {supported}"
        return chains, Answer.abstention(arm.generator, several, several)
    answer_text = f"Answer: {chr(ord('A') + support.choice.index)}; supported: {supported}"
    return chains, Answer(
        support.choice.index,
        None,
        arm.generator,
        answer_text,
        tie_break=support.choice.tie_break,
        accounting=_of_rows(case, [places[row] for row in support.evidence[support.choice.index]]),
    )


def _of_rows(case: Case, rows: Sequence[tuple[Table, int]]) -> Accounting:
    """Return a question's words, those that rows hold bound to the first that does."""
    question = case.question["question"]
    by_row = [(content_words(row_text(table, row)), f"{table.table_id} row {row + 1}") for table, row in rows]
    bindings = [
        Binding(token.start, token.end, question[token.start : token.end], Role.EVIDENCE, place)
        for token in tokens(question)
        if not token.stop
        for place in [next((name for words, name in by_row if token.key in words), "")]
        if place
    ]
    return account(question, bindings)


def _nearest_row(
    case: Case, pool: RowPool, places: Sequence[tuple[Table, int]], arm: TableArm
) -> tuple[list[Chain], Answer]:
    """The baseline: an option is as good as the best row's share of its and the question's words."""
    scores, chains = [], []
    for number, text in enumerate(hypotheses(case)):
        shares = pool.coverage(content_words(text))
        row = int(shares.argmax())
        scores.append(round(float(shares[row]), 6))
        chains.append(_row_chain(number, [places[row]], scores[-1], {"row": scores[-1]}))
    choice = choose(scores)
    answer_text = f"Answer: {chr(ord('A') + choice.index)}"
    return chains, Answer(choice.index, None, arm.generator, answer_text, tie_break=choice.tie_break)


def _row_chain(
    candidate: int, rows: Sequence[tuple[Table, int]], score: float, parts: Mapping[str, float]
) -> Chain:
    cited = [unit_of_row(table.table_id, row, row_text(table, row)) for table, row in rows]
    return Chain(candidate, quotations(unit.text for unit in cited), cited, score, parts)
