"""The scores of benchmarks as tables that fit a terminal, with what is missing beside what was found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from typing import TYPE_CHECKING

from evidence_assets.audit.counting import counted
from evidence_assets.audit.missing_scores import (
    NAME_WIDTH,
    left_out_of_sources,
    removed_answers,
    unread_by,
    why_unscored,
)
from evidence_assets.text.shortening import shortened
from evidence_assets.text.visible import visible

if TYPE_CHECKING:
    import duckdb
    from rich.console import RenderableType

WIDTH = 100
_BETWEEN = 2
_DASH = "-"
# From this share on it is told how many answers are the first of equals.
_OFTEN_TIED = 0.1
_COMPARED = ("accuracy", "hits@1")


@dataclass(frozen=True, slots=True)
class _Section:
    """A table: what n counts, its columns by metric; which show an interval, and which an n of their own."""

    title: str
    counted: str
    columns: Mapping[str, str]
    with_interval: frozenset[str]
    with_n: frozenset[str] = frozenset()


_SECTIONS = (
    _Section(
        "answers",
        "accuracy",
        {
            "accuracy": "accuracy",
            "chance_accuracy": "chance",
            "answered": "answered",
            "selective_accuracy": "selective",
            "calibration_error": "ECE",
        },
        frozenset({"accuracy"}),
        # Chance is of the questions with options, accuracy of all that have a key.
        frozenset({"chance_accuracy"}),
    ),
    _Section(
        "gold evidence in the first chunks",
        "mrr",
        {"recall@1": "recall@1", "recall@5": "recall@5", "recall@15": "recall@15", "mrr": "mrr"},
        frozenset({"recall@5"}),
    ),
    _Section(
        "answers ranked where none is offered",
        "hits@1",
        {
            "hits@1": "hits@1",
            "hits@5": "hits@5",
            "hits@10": "hits@10",
            "answer_recall@20": "recall@20",
            "answer_mrr": "mrr",
        },
        frozenset({"hits@1"}),
    ),
    _Section(
        "sets of answers",
        "hits@1",
        {
            "answer_f1": "f1",
            "answer_exact_set": "exact set",
            "answer_coverage": "covered",
            "answer_supported": "supported",
            "answer_contained": "contained",
        },
        frozenset(),
    ),
)


@dataclass(slots=True)
class _Scores:
    """One arm's figures by metric: value, low, high, n; and its strongest cheap baseline, by metric.

    `against`: the questions that both are counted over, the difference, and the baseline's name.
    """

    figures: dict[str, tuple[float | None, float | None, float | None, int]] = field(default_factory=dict)
    against: dict[str, tuple[str, str, str]] = field(default_factory=dict)


def score_report(
    connection: duckdb.DuckDBPyConnection, benchmarks: Sequence[str]
) -> Iterator[RenderableType]:
    """Yield the scores of each benchmark: its questions, tables of at most WIDTH columns, what is missing.

    Figures are in percent, intervals of 95 % in brackets. A benchmark that no arm has answered is told so.
    """
    for benchmark in benchmarks:
        yield from _benchmark_report(connection, benchmark)


def rendered(parts: Iterable[RenderableType]) -> str:
    """Return what a terminal without colours shows, lines without blanks at their ends."""
    from rich.console import Console

    text = StringIO()
    console = Console(file=text, width=WIDTH, highlight=False, color_system=None, emoji=False, markup=False)
    for part in parts:
        console.print(part)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines()).rstrip()


def _benchmark_report(connection: duckdb.DuckDBPyConnection, benchmark: str) -> Iterator[RenderableType]:
    from rich.text import Text

    by_name = {
        f"{system}/{arm}": scores for (system, arm), scores in _scores_of(connection, benchmark).items()
    }
    yield Text(f"{benchmark}: {_questions(connection, benchmark)}", style="bold")
    tables = list(_tables(connection, benchmark, by_name))
    if tables:
        yield Text("in percent, 95 % intervals in brackets; n: the questions that the figures are over")
        yield from tables
    unread = [*removed_answers(connection, benchmark), *unread_by(connection, benchmark)]
    yield from map(Text, unread)
    if not tables and (reason := why_unscored(connection, benchmark)):
        yield Text(reason)
    elif not tables and not unread:
        yield Text(f"no arm was run on it; remedy: evidence-assets demo {benchmark}")
    yield from map(Text, left_out_of_sources(connection, benchmark))
    yield Text("")


def _tables(
    connection: duckdb.DuckDBPyConnection, benchmark: str, arms: Mapping[str, _Scores]
) -> Iterator[RenderableType]:
    from rich.text import Text

    for section in _SECTIONS:
        shown = {
            name: scores
            for name, scores in arms.items()
            if any(metric in scores.figures for metric in section.columns)
        }
        if shown:
            yield Text("")
            yield _section_table(section, shown)
        if tied := _tied(shown) if section.counted == "accuracy" else "":
            yield Text(tied)
        if shown and section.counted == "mrr":
            yield Text(_gold_evidence(connection, benchmark))
    for table in _comparison_tables(arms):
        yield Text("")
        yield table


def _tied(arms: Mapping[str, _Scores]) -> str:
    """Return which arms mostly chose an option for its place: such accuracy tells of the order of options."""
    shares = {
        name: scores.figures["tied"][0] or 0.0 for name, scores in arms.items() if "tied" in scores.figures
    }
    often = ", ".join(f"{name} {share:.0%}" for name, share in shares.items() if share >= _OFTEN_TIED)
    return f"chose the first of equally good options: {often} of what they answered" if often else ""


def _scores_of(connection: duckdb.DuckDBPyConnection, benchmark: str) -> dict[tuple[str, str], _Scores]:
    arms: dict[tuple[str, str], _Scores] = {}
    rows = connection.execute(
        "SELECT system, arm, metric, value, low, high, n FROM benchmark_scores WHERE benchmark = ? "
        "ORDER BY system, arm",
        [benchmark],
    ).fetchall()
    for system, arm, metric, *figures in rows:
        value, low, high, n = figures
        arms.setdefault((system, arm), _Scores()).figures[metric] = value, low, high, n
    rows = connection.execute(
        "SELECT system, arm, metric, value, low, high, n, baseline_arm FROM score_differences "
        "WHERE is_strongest_baseline AND benchmark = ?",
        [benchmark],
    ).fetchall()
    for system, arm, metric, value, low, high, n, baseline in rows:
        if (system, arm) in arms:
            difference = f"{100 * value:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]"
            arms[system, arm].against[metric] = str(n), difference, baseline
    return arms


def _section_table(section: _Section, arms: Mapping[str, _Scores]) -> RenderableType:
    lines = []
    for scores in arms.values():
        counted = scores.figures.get(section.counted)
        count = 0 if counted is None else counted[3]
        cells = [
            _cell(scores, metric, metric in section.with_interval)
            + (_other_n(scores, metric, count) if metric in section.with_n else "")
            for metric in section.columns
        ]
        lines.append([_DASH if counted is None else str(count), *cells])
    return table_of(section.title, ["n", *section.columns.values()], list(arms), lines)


def _cell(scores: _Scores, metric: str, with_interval: bool) -> str:
    value, low, high, _ = scores.figures.get(metric, (None, None, None, 0))
    if value is None:
        return _DASH
    if not with_interval or low is None or high is None:
        return f"{100 * value:.1f}"
    return f"{100 * value:.1f} [{100 * low:.1f}, {100 * high:.1f}]"


def _other_n(scores: _Scores, metric: str, count: int) -> str:
    """Return over how many questions a figure is, where not over as many as its line."""
    value, *_, n = scores.figures.get(metric, (None, None, None, 0))
    return "" if value is None or n == count else f" (n {n})"


def _comparison_tables(arms: Mapping[str, _Scores]) -> Iterator[RenderableType]:
    """Yield the paired differences to the strongest cheap baseline, where arms were compared."""
    from evidence_assets.evaluation.scores import OVER_TIES

    for metric in _COMPARED:
        compared = {name: scores.against[metric] for name, scores in arms.items() if metric in scores.against}
        if compared:
            counts, differences, names = zip(*compared.values(), strict=True)
            lines = list(zip(counts, differences, shortened(names, NAME_WIDTH), strict=True))
            # Where options scored alike, arms are compared by one of them drawn blindly, not by the first.
            over_ties = any(f"{metric}{OVER_TIES}" in scores.figures for scores in arms.values())
            measured = f"{metric} over ties" if over_ties else metric
            header = ["n", f"{measured} less its", "strongest cheap baseline"]
            yield table_of("against what is cheap", header, list(compared), lines)


def table_of(
    title: str, header: Sequence[str], names: Sequence[str], lines: Sequence[Sequence[str]]
) -> RenderableType:
    """Return a table, one name a line, at most WIDTH wide: names that are too long are cut."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, _BETWEEN, 0, 0))
    widths = [max(map(len, column)) for column in zip(header, *lines, strict=True)]
    room = WIDTH - sum(widths) - _BETWEEN * len(widths)
    table.add_column(title, no_wrap=True)
    for name in header:
        table.add_column(name, no_wrap=True, justify="right" if name == "n" else "left")
    for name, line in zip(shortened(list(map(visible, names)), room), lines, strict=True):
        table.add_row(name, *line)
    return table


def _questions(connection: duckdb.DuckDBPyConnection, benchmark: str) -> str:
    """Return how many questions a benchmark has, and how many no score counts."""
    row = connection.execute(
        "SELECT count(*), count(*) FILTER (answer_index IS NULL AND len(answers) = 0 "
        "AND answerable IS NOT false) FROM questions WHERE benchmark = ?",
        [benchmark],
    ).fetchone()
    questions, without_key = row or (0, 0)
    unscored = f", {without_key:,} of them without a key: answered, and not scored" if without_key else ""
    return f"{counted(questions, 'question')}{unscored}"


def _gold_evidence(connection: duckdb.DuckDBPyConnection, benchmark: str) -> str:
    """Return how many of the gold texts the corpus holds: recall counts the others as missed."""
    row = connection.execute(
        "SELECT coalesce(sum(len(gold_evidence)), 0), count(*) FILTER (len(gold_evidence) > 0) "
        "FROM questions WHERE benchmark = ?",
        [benchmark],
    ).fetchone()
    found_texts = connection.execute(
        "SELECT count(DISTINCT (question_id, gold_index)) FROM gold_chunks WHERE benchmark = ?", [benchmark]
    ).fetchone()
    texts, questions = row or (0, 0)
    held = found_texts[0] if found_texts else 0
    missed = f"; the other {texts - held:,} count as missed" if held < texts else ""
    of_questions = f"{counted(texts, 'text')} of {counted(questions, 'question')}"
    return f"gold evidence: {of_questions}; the corpus holds {held:,}{missed}"
