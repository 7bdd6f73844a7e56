"""`evidence-assets demo-lm`: a few starter questions by every system, read by a small language model."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from typer import Option

from evidence_assets.audit.replies import ParseRate, parse_rates
from evidence_assets.audit.score_report import WIDTH
from evidence_assets.cli.common import queries, workspace
from evidence_assets.cli.runs import Again, report_runs
from evidence_assets.extraction.statements import stated_and_swapped
from evidence_assets.reading.prompting.replies import PARSED
from evidence_assets.text.verbalisation import templates as sentences

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from evidence_assets.orchestration.plan import EndedRun
    from evidence_assets.orchestration.workspace import Workspace

GENERATOR = "smollm2-135m"
# What K-Bloom's judges are asked of: the triples of a graph, half of them with another triple's tail.
STATEMENTS_OF, STATEMENTS = "starter", 8
_KBLOOM = "kbloom"
_EXTRACTIVE, _PROMPTED, _LIKELIHOOD = READERS = "extractive", "prompted", "likelihood"
_TRAINED = "trained"
Seconds = dict[tuple[str, str], float]


@dataclass(frozen=True, slots=True)
class Shown:
    """What is run of a system: its benchmark, and the variant of each reader, in the order of `READERS`.

    `trained`: the arm of the reader that comes with the starter, trained on the starter's language model.
    """

    system: str
    benchmark: str
    variants: tuple[str, str, str]
    trained: str = ""

    def arms(self, generator: str) -> list[tuple[str, str]]:
        """Return readers with their arms."""
        names = (f"{variant}@{generator}" for variant in self.variants[1:])
        arms = list(zip(READERS, (f"{self.variants[0]}@extractive", *names), strict=True))
        return [*arms, (_TRAINED, self.trained)] if self.trained else arms


PLAN = (
    # Five chunks in place of fifteen: the model reads some two hundred tokens a second.
    Shown(
        "uscrake",
        "starter_sample",
        ("full_k5", "full_k5", "full_likelihood"),
        trained="full_trained_cues@several",
    ),
    Shown("attention2query", "starter_sample", ("full", "full", "full_likelihood")),
    Shown("ugat_medqa", "starter_medicine_sample", ("full", "full", "full_likelihood")),
    Shown("ucret", "starter_tables_sample", ("full", "full", "full_likelihood")),
    Shown("four_step_focus", "starter_space_sample", ("full", "full", "full_likelihood")),
    Shown("kaping", "starter_space_sample", ("external_2hop", "external_2hop", "external_2hop_likelihood")),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: `right` of `n`; `parsed` replies, `left_out` pieces of evidence, seconds.

    None where there is nothing to tell: no reply to parse, or nothing that was run now.
    """

    system: str
    questions: str
    reader: str
    arm: str
    n: int
    right: int
    parsed: ParseRate | None = None
    left_out: int | None = None
    seconds: float | None = None


def demo_lm(
    generator: Annotated[str, Option(help="the language model, as `generators` names it")] = GENERATOR,
    again: Again = False,
) -> None:
    """Ask every system a few starter questions, read by a small language model and the extractive reader."""
    from evidence_assets.orchestration.runs import materialize_benchmarks

    project = workspace()
    arms = [f"{sample.system}/{arm}" for sample in PLAN for _, arm in sample.arms(generator)]
    benchmarks = list(dict.fromkeys(sample.benchmark for sample in PLAN))
    seconds: Seconds = {}
    runs = materialize_benchmarks(project, benchmarks, arms, again)
    report_runs(project.lake, _timed(runs, seconds), again)
    with queries(project.lake) as connection:
        rows = list(_rows(connection, generator, seconds))
        rates = _replies(connection, project, generator)
        rows += _statements(connection, project, generator)
    print(_heading(generator, rows))
    print(_table(rows))
    print(_parse_rates(rates))


def _timed(runs: Iterable[EndedRun], seconds: Seconds) -> Iterator[EndedRun]:
    """Yield runs as they come, and keep their seconds by job and partition."""
    for job, partition, took in runs:
        if took is not None:
            seconds[job, partition] = took
        yield job, partition, took


def _rows(connection: DuckDBPyConnection, generator: str, seconds: Seconds) -> Iterator[Row]:
    for sample in PLAN:
        for reader, arm in sample.arms(generator):
            place = [sample.system, sample.benchmark, arm]
            counts = connection.execute(
                "SELECT count(*), count(*) FILTER (correct), count(*) FILTER (parse_status <> 'unparseable') "
                "FROM predictions WHERE system = ? AND benchmark = ? AND arm = ?",
                place,
            ).fetchone()
            left_out = connection.execute(
                "SELECT coalesce(sum(part.value), 0) FROM (SELECT unnest(score_parts) AS part FROM chains "
                "WHERE system = ? AND benchmark = ? AND arm = ?) WHERE part.name = 'evidence_left_out'",
                place,
            ).fetchone()
            n, right, parsed = counts or (0, 0, 0)
            yield Row(
                sample.system,
                sample.benchmark,
                reader,
                evidence_of(arm),
                n,
                right,
                ParseRate(parsed, n) if reader == _PROMPTED else None,
                int((left_out or (0,))[0]) if reader in (_PROMPTED, _LIKELIHOOD) else None,
                seconds.get((f"run_{sample.system}", f"{arm}|{sample.benchmark}")),
            )


def evidence_of(arm: str) -> str:
    """Return what an arm's name tells of its evidence, without its reader."""
    return arm.partition("@")[0].removesuffix("_likelihood").removesuffix("_trained_cues")


def _replies(connection: DuckDBPyConnection, project: Workspace, generator: str) -> Mapping[str, ParseRate]:
    """Return the parse rates of all that this generator ever replied in the lake, by task."""
    generator_id = project.models.generator_settings(generator).load(generator).generator_id
    columns = ("task", "parameters", "outcome", "text")
    replies = connection.execute(
        "SELECT task, parameters, outcome, text FROM generations WHERE generator = ?", [generator_id]
    ).fetchall()
    return parse_rates(dict(zip(columns, row, strict=True)) for row in replies)


def _statements(connection: DuckDBPyConnection, project: Workspace, generator: str) -> Iterator[Row]:
    """Yield what the model makes of statements as K-Bloom's judge; half of them are true."""
    from evidence_assets.extraction.judging import judgement_request, likely_verdicts, read_judgement

    triples = connection.execute("SELECT head, relation, tail FROM triples WHERE kg = ?", [STATEMENTS_OF])
    templates = sentences(project.project.graph(STATEMENTS_OF).templates)
    statements = stated_and_swapped(triples.fetchall(), templates, STATEMENTS)
    truth, n = [statement.is_stated for statement in statements], len(statements)
    yield Row(_KBLOOM, STATEMENTS_OF, "majority", "all true", n, sum(truth))
    settings = project.models.generator_settings(generator)
    texts = [statement.text for statement in statements]
    started = time.perf_counter()
    replies = dict(settings.load(generator).generate([judgement_request(text) for text in texts]))
    judgements = [read_judgement(replies[place]) for place in range(n)]
    right = sum(verdict == true for (verdict, _), true in zip(judgements, truth, strict=True))
    rate = ParseRate(sum(status == PARSED for _, status in judgements), n)
    yield Row(_KBLOOM, STATEMENTS_OF, _PROMPTED, "judge", n, right, rate, None, time.perf_counter() - started)
    if settings.gives_likelihoods:
        started = time.perf_counter()
        verdicts = likely_verdicts(texts, settings.load_likelihoods(generator))
        right = sum(verdict == true for verdict, true in zip(verdicts, truth, strict=True))
        seconds = time.perf_counter() - started
        yield Row(_KBLOOM, STATEMENTS_OF, _LIKELIHOOD, "judge", n, right, None, None, seconds)


def _heading(generator: str, rows: Sequence[Row]) -> str:
    samples = {row.questions: row.n for row in rows}
    listed = ", ".join(f"{name} {n}" for name, n in samples.items())
    text = (
        f"Read by {generator} beside the extractive reader: a sample of each starter set, the same on every "
        f"machine ({listed}). So few questions compare nothing: they show that every system is read, and how "
        "replies parse. Seconds are those of runs made now, the model's loading among them. Evidence that a "
        "context has no room for is left out, the last-ranked first."
    )
    return textwrap.fill(text, WIDTH) + "\n"


def _table(rows: Sequence[Row]) -> str:
    heads = ("system", "questions", "reader", "arm", "right", "parsed", "left out", "s")
    lines = [
        (
            row.system,
            row.questions,
            row.reader,
            row.arm,
            f"{row.right} of {row.n}",
            "-" if row.parsed is None else _percent(row.parsed),
            "-" if row.left_out is None else str(row.left_out),
            "-" if row.seconds is None else f"{row.seconds:.1f}",
        )
        for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(heads, *lines, strict=True)]
    return "\n".join(
        " ".join(
            cell.ljust(width) if place < 4 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in (heads, *lines)
    )


def _parse_rates(rates: Mapping[str, ParseRate]) -> str:
    total = sum(rates.values(), ParseRate())
    by_task = ", ".join(f"{task} {rate.parsed} of {rate.replies}" for task, rate in sorted(rates.items()))
    text = f"Replies with a schema or form that parse: {_percent(total)} ({by_task})."
    return "\n" + textwrap.fill(text, WIDTH)


def _percent(rate: ParseRate) -> str:
    return f"{100 * rate.parsed / rate.replies:.0f} %" if rate.replies else "-"
