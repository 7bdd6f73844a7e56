"""What a person reads at the terminal: scores as a table, one prediction's trace down to its source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from evidence_assets.evidence.accounting import Role

if TYPE_CHECKING:
    import duckdb

_METRICS = (
    "accuracy",
    "chance_accuracy",
    "answered",
    "selective_accuracy",
    "recall@1",
    "recall@5",
    "recall@15",
    "mrr",
    "calibration_error",
)

# What the demo shows, and what it calls it.
_SUMMARY = {"accuracy": "accuracy", "chance_accuracy": "chance", "calibration_error": "ECE"}

# Of systems that rank answers where none is offered; the mean over every order of ties.
_RANKING_METRICS = (
    "hits@1",
    "hits@5",
    "hits@10",
    "answer_recall@20",
    "answer_mrr",
    "answer_f1",
    "answer_exact_set",
    "answer_coverage",
    "answer_supported",
    "answer_contained",
)

# The column, and where the difference of rankings waits for its own table.
_AGAINST, _RANKED_AGAINST = "minus_strongest_baseline", "hits@1_minus_strongest_baseline"

_HARVEST_METRICS = (
    "tuples",
    "diversity",
    "attested",
    "attested_at_50",
    "reference_recall",
    "equal_tuples",
    "equal_attested",
    "equal_baseline_attested",
    "similar_to_one",
    "coverage",
)


def score_table(connection: duckdb.DuckDBPyConnection, benchmarks: Sequence[str]) -> str:
    """Return the scores of these benchmarks, a line an arm, a column a metric, intervals in brackets.

    Rankings of answers follow in a table of their own, where there are any. The last column of each is the
    paired difference to the strongest cheap baseline, in accuracy or Hits@1, where arms were compared.
    """
    rows = connection.execute(
        "SELECT benchmark, system, arm, metric, value, low, high, n FROM benchmark_scores "
        "WHERE list_contains(?, benchmark) ORDER BY benchmark, system, arm",
        [list(benchmarks)],
    ).fetchall()
    cells: dict[tuple[str, str, str], dict[str, str]] = {}
    for benchmark, system, arm, metric, value, low, high, n in rows:
        line = cells.setdefault((benchmark, system, arm), {})
        if value is not None:
            line[metric] = f"{100 * value:.1f}" + (
                "" if low is None else f" [{100 * low:.1f}, {100 * high:.1f}]"
            )
        line["n"] = str(max(int(line.get("n", 0)), n if metric in ("accuracy", "mrr") else 0))
        if metric == _RANKING_METRICS[0]:
            line["ranked"] = str(n)
    for experiment, against in _against_baselines(connection, benchmarks).items():
        cells.get(experiment, {}).update(against)
    option_scores = "In percent, 95 % intervals in brackets.\n" + _score_lines(
        cells, "n", (*_METRICS, _AGAINST)
    )
    ranking = {experiment: line for experiment, line in cells.items() if "ranked" in line}
    if not ranking:
        return option_scores
    for line in ranking.values():
        line[_AGAINST] = line.get(_RANKED_AGAINST, "-")
    return f"{option_scores}\n\nAnswers ranked where none is offered.\n" + _score_lines(
        ranking, "ranked", (*_RANKING_METRICS, _AGAINST)
    )


def summary_table(connection: duckdb.DuckDBPyConnection, benchmarks: Sequence[str]) -> str:
    """Return these benchmarks' accuracy, a block a benchmark and system, a line an arm, in 100 columns.

    Beside it chance, the calibration error of the confidences (ECE), and the paired difference to the
    strongest cheap baseline, where arms were compared.
    """
    rows = connection.execute(
        "SELECT benchmark, system, arm, metric, value, low, high, n FROM benchmark_scores "
        "WHERE list_contains(?, benchmark) AND list_contains(?, metric) "
        "ORDER BY list_position(?, benchmark), system, arm",
        [list(benchmarks), list(_SUMMARY), list(benchmarks)],
    ).fetchall()
    against = _against_baselines(connection, benchmarks)
    blocks: dict[tuple[str, str], dict[str, dict[str, str]]] = {}
    for benchmark, system, arm, metric, value, low, high, n in rows:
        line = blocks.setdefault((benchmark, system), {}).setdefault(arm, {})
        if value is not None:
            interval = f" [{100 * low:.1f}, {100 * high:.1f}]" if metric == "accuracy" else ""
            line[metric] = f"{100 * value:.1f}{interval}"
        if metric == "accuracy":
            line["n"] = str(n)
            held = against.get((benchmark, system, arm), {}).get(_AGAINST, "")
            # The baseline's name stands behind the interval: `evidence-assets scores` shows it.
            line[_AGAINST] = held.partition("]")[0] + "]" if held else "-"
    header = ["  arm", "n", *_SUMMARY.values(), "over best baseline"]
    lines: list[list[str]] = [header]
    for (benchmark, system), arms in blocks.items():
        lines.append([f"{benchmark}, {system}", *[""] * (len(header) - 1)])
        for arm, line in arms.items():
            cells = (line.get(name, "-") for name in ("n", *_SUMMARY, _AGAINST))
            lines.append([f"  {arm}", *cells])
    return "In percent, 95 % intervals in brackets.\n" + _aligned(lines)


def _against_baselines(
    connection: duckdb.DuckDBPyConnection, benchmarks: Sequence[str]
) -> dict[tuple[str, str, str], dict[str, str]]:
    """Return the cells that hold each arm against its strongest cheap baseline, by benchmark, system, arm."""
    rows = connection.execute(
        "SELECT benchmark, system, arm, metric, value, low, high, baseline_arm FROM score_differences "
        "WHERE is_strongest_baseline AND metric IN ('accuracy', ?) AND list_contains(?, benchmark)",
        [_RANKING_METRICS[0], list(benchmarks)],
    ).fetchall()
    cells: dict[tuple[str, str, str], dict[str, str]] = {}
    for benchmark, system, arm, metric, value, low, high, baseline in rows:
        shown = f"{100 * value:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}] {baseline}"
        column = _AGAINST if metric == "accuracy" else _RANKED_AGAINST
        cells.setdefault((benchmark, system, arm), {})[column] = shown
    return cells


def _score_lines(
    cells: Mapping[tuple[str, str, str], Mapping[str, str]], count: str, metrics: Sequence[str]
) -> str:
    header = ["benchmark", "system", "arm", "n", *metrics]
    lines = [
        [*experiment, *(line.get(name, "-") for name in (count, *metrics))]
        for experiment, line in cells.items()
    ]
    return _aligned([header, *lines])


def harvest_table(connection: duckdb.DuckDBPyConnection) -> str:
    """Return the scores of the harvested graphs, a line a graph and relation, and the surest triples.

    Beside each graph stands BertNet under the same choice of prompts, at an equal number of triples.
    """
    rows = connection.execute(
        "SELECT kg, relation, metric, value FROM harvest_scores WHERE list_contains(?, metric) "
        "ORDER BY relation, kg",
        [list(_HARVEST_METRICS)],
    ).fetchall()
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for kg, relation, metric, value in rows:
        cells.setdefault((kg, relation or "(all)"), {})[metric] = f"{value:.3g}"
    header = ["graph", "relation", *_HARVEST_METRICS]
    lines = [[*key, *(line.get(name, "-") for name in _HARVEST_METRICS)] for key, line in cells.items()]
    best = connection.execute(
        "SELECT kg, relation, head, tail, round(confidence, 2) FROM harvested_triples "
        "WHERE NOT list_contains(flags, 'seed') QUALIFY row_number() OVER (PARTITION BY kg, relation "
        "ORDER BY rank) <= 3 ORDER BY kg DESC, relation, rank"
    ).fetchall()
    shown = [
        ["graph", "relation", "head", "tail", "confidence"],
        *([str(cell) for cell in row] for row in best),
    ]
    return f"{_aligned([header, *lines])}\n\n{_aligned(shown)}"


def _aligned(lines: Sequence[Sequence[str]]) -> str:
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def trace_report(connection: duckdb.DuckDBPyConnection, prediction_id: str) -> str:
    """Return one prediction: its question and answer, what its words were bound to, each cited source.

    Raises:
        LookupError: there is no such prediction.
    """
    prediction = connection.execute(
        "SELECT system, arm, benchmark, question, options, predicted, gold, correct, parse_status, "
        "confidence, unaccounted, bindings FROM predictions JOIN questions USING (benchmark, question_id) "
        "WHERE prediction_id = ?",
        [prediction_id],
    )
    first = _rows(prediction)
    if not first:
        raise LookupError(
            f"prediction {prediction_id!r} is not in this lake; remedy: take an id from the view predictions"
        )
    cited = connection.execute(
        "SELECT * FROM trace(?) WHERE role = 'cited' ORDER BY candidate, rank", [prediction_id]
    )
    lines = [f"prediction {prediction_id} ({first[0]['system']}, {first[0]['arm']}, {first[0]['benchmark']})"]
    lines += [*_answer_lines(first[0]), *_accounting_lines(first[0])]
    for row in _rows(cited):
        options = first[0]["options"]
        if row["candidate"] >= 0 and options[row["candidate"]] != first[0]["predicted"]:
            continue
        lines += [
            f"  cited    [E{row['rank']}] {row['evidence_text']}",
            f"  source   {_place(row)}, {row['source_uri']} ({row['licence']})",
            f"  reads    {row['source_text']}",
        ]
    return "\n".join(lines)


def _rows(result: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    names = [column[0] for column in result.description or []]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def _answer_lines(prediction: Mapping[str, Any]) -> list[str]:
    if prediction["predicted"] is None:
        answer = f"none: {prediction['parse_status']}"
    elif prediction["gold"] is None:
        answer = f"{prediction['predicted']} (no key to compare with)"
    else:
        verdict = "right" if prediction["correct"] else f"wrong, the key says: {prediction['gold']}"
        answer = f"{prediction['predicted']} ({verdict})"
    lines = [f"question   {prediction['question']}", f"answer     {answer}"]
    if prediction["confidence"] is not None:
        lines.append(f"confidence {prediction['confidence']:.2f}")
    return lines


def _accounting_lines(prediction: Mapping[str, Any]) -> list[str]:
    """Return what each span of the question was bound to, and what was left; nothing where it is unknown."""
    if prediction["bindings"] is None:
        return []
    lines = [
        f"  binds    {binding['text']!r} as {binding['role']}"
        + (f": {binding['target']}" if binding["target"] else "")
        + (f", by meaning {binding['similarity']:.2f}" if binding["similarity"] is not None else "")
        for binding in prediction["bindings"]
        if binding["role"] not in (Role.EMPTY, Role.UNACCOUNTED)
    ]
    if prediction["unaccounted"]:
        lines.append(f"not understood: {', '.join(prediction['unaccounted'])}")
    return lines


def _place(row: Mapping[str, Any]) -> str:
    """Return where in its source a unit of evidence stands."""
    locator, source = row["locator"], row["source_title"] or row["source_key"]
    if locator["char_start"] is None:
        return f"{source}, {row['source_table']} {row['source_key']}"
    return f"{source}, characters {locator['char_start']} to {locator['char_end']}"


def example_prediction(connection: duckdb.DuckDBPyConnection, benchmark: str, system: str, arm: str) -> str:
    """Return a right prediction whose answer's chain cites several sentences, the most confident first.

    Raises:
        LookupError: the arm has no prediction on this benchmark.
    """
    row = connection.execute(
        "SELECT prediction_id FROM predictions JOIN chains USING (system, arm, benchmark, question_id) "
        "WHERE benchmark = ? AND system = ? AND arm = ? AND predicted IS NOT NULL "
        "AND candidate = coalesce(predicted_index, -1) "
        "ORDER BY correct DESC, len(cited) DESC, confidence DESC, prediction_id LIMIT 1",
        [benchmark, system, arm],
    ).fetchone()
    if row is None:
        raise LookupError(
            f"no prediction of {system}/{arm} on {benchmark}: materialise {system}/predictions first"
        )
    return str(row[0])
