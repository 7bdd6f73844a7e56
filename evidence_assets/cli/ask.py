"""`evidence-assets ask` answers questions at once; `prepare` makes what questions are answered from."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Exit, Option

from evidence_assets import api
from evidence_assets.audit.missing_scores import left_out_of
from evidence_assets.audit.report import brief_report, trace_report
from evidence_assets.cli.common import queries, tell_borrowed_checkout, tell_stale_inputs
from evidence_assets.cli.draft_schema import hint_of_schema
from evidence_assets.cli.runs import report_runs
from evidence_assets.orchestration.ask_choice import Wish, searchable_corpora
from evidence_assets.stages.declaration import Scope
from evidence_assets.text.visible import visible

if TYPE_CHECKING:
    from evidence_assets.orchestration.asking import Answered

_ABSTAINED = "SELECT bool_and(abstained) FROM predictions WHERE list_contains(?, prediction_id)"

Corpus = Annotated[str, Option(help="a corpus that sources.yaml names, whose articles are asked")]
Graph = Annotated[str, Option(help="a graph that sources.yaml names, whose triples are asked")]
Systems = Annotated[
    list[str] | None,
    Option("--system", help="a system that answers, such as uscrake; once for each of several"),
]


def ask(
    questions: Annotated[
        list[str],
        Argument(
            metavar="QUESTION...",
            help="the question, in quotes; with --table also a claim to verify; several are answered in "
            "turn, and - stands for the lines of standard input",
        ),
    ],
    options: Annotated[
        list[str] | None,
        Option(
            help="the answers to choose from, parted by bars: 'heart|lung|liver' (default: none are given)"
        ),
    ] = None,
    table: Annotated[
        Path | None,
        Option(
            help="the file of a table to ask: .csv, .tsv, .xlsx, .html or .md; FILE#NAME for one of "
            "several in it, by a sheet's name or a number from 1"
        ),
    ] = None,
    corpus: Corpus = "",
    graph: Graph = "",
    systems: Systems = None,
    arms: Annotated[
        list[str] | None,
        Option(
            "--arm",
            help="how to answer: SYSTEM/ARM, or ARM of every system that has it; once for each of several; "
            "`evidence-assets arms` lists them",
        ),
    ] = None,
    generator: Annotated[
        str,
        Option(
            help="the language model that reads the evidence, as sources.yaml names it (default: none does)"
        ),
    ] = "",
    brief: Annotated[
        bool, Option("--brief", help="print the answers without their evidence, a few lines each")
    ] = False,
) -> None:
    """Answer questions at once from a corpus, a graph or a table, with the evidence for each answer.

    A corpus or a graph must have been made ready, by `demo` or `prepare`; a
    table is read as it is. Where none is named, the words of a question
    decide which is asked. The answers are kept in the lake.
    """
    wish = Wish(corpus, graph, tuple(systems or ()), tuple(arms or ()), generator)
    choices = [choice for listed in options or [] for choice in listed.split("|")]
    tell_borrowed_checkout()
    lake, failed = api.open(), 0
    all_questions = list(_questions(questions))
    if not all_questions:
        raise api.AskError("standard input holds no question; remedy: write one a line")
    for question in all_questions:
        if len(all_questions) > 1:
            print(f"== {question}")
        try:
            answer = lake.answer(question, choices, table, wish)
            if brief:
                _print_briefly(lake, answer)
            else:
                _print(lake, answer, question, choices, table, wish)
        except api.AskError as error:
            if len(all_questions) == 1:
                raise
            failed += 1
            print(visible(f"{error}\n"))
    if failed:
        print(f"{failed} of {len(all_questions)} questions could not be asked")
        raise Exit(1)


def _questions(given: Sequence[str]) -> Iterator[str]:
    """Yield the questions that are given; for `-` those on standard input, one a line."""
    for question in given:
        if question == "-":
            yield from filter(None, map(str.strip, sys.stdin))
        else:
            yield question


def _print_briefly(lake: api.EvidenceLake, answer: Answered) -> None:
    """Print the answer of each arm, how to see what it rests on, and which of its sources changed since."""
    with lake.connection() as connection:
        for prediction in answer.predictions:
            print(brief_report(connection, prediction), "\n")
    _tell_stale(lake, answer)


def _print(
    lake: api.EvidenceLake,
    answer: Answered,
    question: str,
    choices: Sequence[str],
    table: Path | None,
    wish: Wish,
) -> None:
    """Print the answer of each arm with its sources."""
    print(_where(answer), "\n")
    with lake.connection() as connection:
        for prediction in answer.predictions:
            print(trace_report(connection, prediction), "\n")
        [abstained] = connection.execute(_ABSTAINED, [list(answer.predictions)]).fetchone() or (False,)
    _tell_stale(lake, answer)
    if abstained and not table:
        project, benchmark = lake.workspace.project, answer.benchmark
        if benchmark.graph and not choices and (hint := hint_of_schema(project, benchmark.graph)):
            print(f"next: {hint}")
        if not (benchmark.corpus or wish.graph):
            for name in searchable_corpora(project, lake.workspace.lake):
                again = shlex.join([question, "--corpus", name])
                print(f"next: evidence-assets ask {again} asks a corpus, by a sentence")


def _tell_stale(lake: api.EvidenceLake, answer: Answered) -> None:
    from evidence_assets.orchestration.asking import scratch_workspace

    asked_of = scratch_workspace(lake.workspace, answer.benchmark)
    tell_stale_inputs(asked_of, answer.benchmark.name, answer.benchmark.arms, answer.question_id)


def _where(answer: Answered) -> str:
    benchmark = answer.benchmark
    sources = {"corpus": benchmark.corpus, "graph": benchmark.graph}
    listed = " and ".join(f"{kind} {name}" for kind, name in sources.items() if name)
    return f"asked of {listed or 'its table'}; kept as question {answer.question_id} of {benchmark.name}"


def prepare(corpus: Corpus = "", graph: Graph = "", systems: Systems = None) -> None:
    """Make what systems need to answer from a corpus or a graph: those that are named, or all that can."""
    from evidence_assets.orchestration.asking import prerequisites
    from evidence_assets.orchestration.runs import materialize_partitions

    workspace = api.open().workspace
    partitions = prerequisites(workspace, Wish(corpus, graph, tuple(systems or ())))
    report_runs(workspace.lake, materialize_partitions(workspace, partitions))
    sources = [key.name for stage, key in partitions if stage.scope == Scope.SHARD]
    sources += [f"graph:{key.name}" for stage, key in partitions if stage.scope == Scope.GRAPH]
    with queries(workspace.lake) as connection:
        for line in left_out_of(connection, sources):
            print(line)
