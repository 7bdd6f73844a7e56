"""What a person reads at the terminal: harvested graphs, one prediction's trace down to its source."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from evidence_assets.audit.question_changes import question_changed
from evidence_assets.audit.score_report import WIDTH, rendered, table_of
from evidence_assets.evidence.accounting import Role
from evidence_assets.lake.catalogue import rows_of
from evidence_assets.text.suggestions import UnknownNameError
from evidence_assets.text.visible import visible

if TYPE_CHECKING:
    import duckdb
    from rich.console import RenderableType

UNCHANGED = "unchanged"
# Width of the labels before what a line says.
_LABELLED = 11
_EXTRACTIVE = "extractive"
_CITED, _GIVEN = "cited", "given"
_GIVEN_SHOWN, _ANSWERS_SHOWN = 5, 20
# Characters of what was looked at that are told where nothing of it is cited.
_GIVEN_WIDTH = 240
# The end of a record of an article or a table: where in it something stands.
_WITHIN = re.compile(r", (characters \d+ to \d+|row \d+(, column \d+)?|column \d+)$")
_UNKNOWN = "remedy: take an id from the view predictions, or from a trace of `evidence-assets demo`"
_NONE = "this lake holds none; remedy: evidence-assets demo makes some, or EVIDENCE_LAKE names another lake"

# Of the harvested graphs: what each table is called, and its columns by metric.
_HARVESTED = {
    "harvested graphs": {
        "tuples": "triples",
        "diversity": "diversity",
        "attested": "attested",
        "attested_at_50": "at 50",
        "reference_recall": "recall",
        "similar_to_one": "similar",
        "coverage": "coverage",
    },
    "at equal numbers": {
        "equal_tuples": "triples",
        "equal_attested": "attested",
        "equal_baseline_attested": "BertNet's",
    },
}


def harvest_table(connection: duckdb.DuckDBPyConnection) -> str:
    """Return the scores of the harvested graphs, a line a graph and relation, and the surest triples.

    A graph of several relations has a line for all of them together. Beside each graph stands BertNet under
    the same choice of prompts, at an equal number of triples.
    """
    rows = connection.execute(
        "SELECT kg, relation, metric, value FROM harvest_scores ORDER BY relation, kg"
    ).fetchall()
    relations = {(kg, relation) for kg, relation, *_ in rows if relation}
    several = {kg for kg, count in Counter(kg for kg, _ in relations).items() if count > 1}
    cells: dict[str, dict[str, str]] = {}
    for kg, relation, metric, value in rows:
        if not relation and kg not in several:
            continue
        cells.setdefault(f"{kg}, {relation or 'all relations'}", {})[metric] = f"{value:.3g}"
    parts: list[RenderableType] = []
    for title, columns in _HARVESTED.items():
        lines = [[line.get(metric, "-") for metric in columns] for line in cells.values()]
        parts += [table_of(title, list(columns.values()), list(cells), lines), ""]
    best = connection.execute(
        "SELECT kg, relation, head, tail, round(confidence, 2) FROM harvested_triples "
        "WHERE NOT list_contains(flags, 'seed') QUALIFY row_number() OVER (PARTITION BY kg, relation "
        "ORDER BY rank) <= 3 ORDER BY kg DESC, relation, rank"
    ).fetchall()
    labels = [f"{kg}, {relation}: {head}, {tail}" for kg, relation, head, tail, _ in best]
    confidences = [[f"{confidence:.2f}"] for *_, confidence in best]
    parts.append(table_of("the surest triples: head, tail", ["confidence"], labels, confidences))
    return rendered(parts)


def trace_report(
    connection: duckdb.DuckDBPyConnection, prediction_id: str, is_configured: bool = True
) -> str:
    """Return one prediction: its question and answer, what its words were bound to, each cited source.

    What its source no longer says is marked, with what stands there now, and how to answer anew where its
    benchmark `is_configured` still. Without a citation, as where it abstained, the evidence that it was given
    is told, the best first.

    Raises:
        UnknownNameError: there is no such prediction.
    """
    prediction = _prediction(connection, prediction_id)
    traced = rows_of(connection.execute("SELECT * FROM trace(?) ORDER BY candidate, rank", [prediction_id]))
    cited = [row for row in traced if row["role"] == "cited" and row["chosen"]]
    lines = [
        f"prediction {prediction_id} ({prediction['system']}, {prediction['arm']}, {prediction['benchmark']})"
    ]
    returned = _returned(connection, prediction)
    lines += [*_answer_lines(prediction, returned), *_accounting_lines(prediction, traced)]
    lines += _mended_lines(connection, prediction["table_id"])
    if cited:
        lines += _units_lines(_CITED, cited)
    else:
        lines += _given_lines([row for row in traced if row["role"] == "given"], prediction)
    stale = [row for row in traced if row["source_state"] != UNCHANGED]
    if stale:
        can_answer = is_configured and prediction["question"] is not None
        again = f"{prediction['benchmark']} --arms {prediction['system']}/{prediction['arm']}"
        remedy = f"; remedy: evidence-assets demo {again} answers anew" if can_answer else ""
        lines.append(_stale_line(traced, stale) + remedy)
    return _joined(lines)


def brief_report(connection: duckdb.DuckDBPyConnection, prediction_id: str) -> str:
    """Return one prediction's answer, how sure it is, what it leaves, and the command that shows the rest.

    Raises:
        UnknownNameError: there is no such prediction.
    """
    prediction = _prediction(connection, prediction_id)
    _, *lines = _answer_lines(prediction, _returned(connection, prediction))
    lines += _unaccounted_lines(prediction)
    arm = f"{prediction['system']}/{prediction['arm']}"
    return _joined([*lines, f"evidence   evidence-assets trace {prediction_id} ({arm})"])


def _joined(lines: Iterable[str]) -> str:
    return "\n".join(wrapped for line in lines for wrapped in _wrapped(line))


def _prediction(connection: duckdb.DuckDBPyConnection, prediction_id: str) -> Mapping[str, Any]:
    """Return a prediction with its question."""
    answer = connection.execute(
        "SELECT system, arm, benchmark, question_id, question, options, predicted, predicted_index, gold, "
        "correct, parse_status, abstained, confidence, unaccounted, bindings, generator, raw_output, "
        "table_id FROM predictions LEFT JOIN questions USING (benchmark, question_id) "
        "WHERE prediction_id = ?",
        [prediction_id],
    )
    rows = rows_of(answer)
    if not rows:
        raise unknown_prediction(connection, prediction_id)
    return rows[0]


def unknown_prediction(connection: duckdb.DuckDBPyConnection, prediction_id: str) -> UnknownNameError:
    """Return the error for an unknown prediction, which names the nearest ids."""
    ids = [key for (key,) in connection.execute("SELECT prediction_id FROM predictions").fetchall()]
    return UnknownNameError("prediction", [prediction_id], ids, _UNKNOWN if ids else _NONE)


def _wrapped(line: str) -> list[str]:
    """Return a line broken at WIDTH and where its text is, its continuation indented to its text.

    A source may hold what a terminal obeys, or what turns the words around it about: it is shown instead.
    """
    indent = " " * _LABELLED if line[:_LABELLED].rstrip() != line[:_LABELLED] else "  "
    return [
        wrapped
        for number, paragraph in enumerate(visible(line).split("\n"))
        for wrapped in textwrap.wrap(
            paragraph,
            WIDTH,
            initial_indent=indent if number else "",
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
            drop_whitespace=True,
            replace_whitespace=False,
        )
    ]


def _returned(connection: duckdb.DuckDBPyConnection, prediction: Mapping[str, Any]) -> list[str]:
    """Return every answer to a question that offers none, the best first, where the system ranks them."""
    place = [prediction[name] for name in ("system", "arm", "benchmark", "question_id")]
    rows = connection.execute(
        "SELECT answer FROM ranked_answers WHERE system = ? AND arm = ? AND benchmark = ? "
        "AND question_id = ? AND returned ORDER BY rank",
        place,
    ).fetchall()
    return [answer for (answer,) in rows]


def _answer_lines(prediction: Mapping[str, Any], returned: Sequence[str]) -> list[str]:
    """Return the question, its answers and how sure the first is; `returned`: all of them, the first too."""
    if prediction["predicted"] is None:
        answer = f"none: {prediction['parse_status']}"
    elif prediction["gold"] is None:
        answer = prediction["predicted"]
    else:
        verdict = "right" if prediction["correct"] else f"wrong, the key says: {prediction['gold']}"
        answer = f"{prediction['predicted']} ({verdict})"
    question = prediction["question"] or f"{prediction['question_id']} of {prediction['benchmark']}"
    lines = [f"question   {question}", f"answer     {answer}"]
    if prediction["question"] is None:
        lines.append("GONE       the question is in its source no more, and its words are not known")
    elif question_changed(prediction, prediction["question"], prediction["options"]):
        lines.append("CHANGED    the question or its options are others now than when this was answered")
    if further := returned[1 : 1 + _ANSWERS_SHOWN]:
        left_out = len(returned) - 1 - len(further)
        more = f"; and {left_out} more, in ranked_answers" if left_out else ""
        lines.append(f"and also   {'; '.join(further)}{more}")
    # A language model's reply stands in the lake, and may be long. What is left open has no confidence.
    if (
        (prediction["predicted"] is None or prediction["confidence"] is None)
        and prediction["generator"] == _EXTRACTIVE
        and prediction["raw_output"]
    ):
        lines.append(f"found      {prediction['raw_output']}")
    if prediction["confidence"] is not None:
        of_none = ", of the likeliest, which is not given" if prediction["abstained"] else ""
        lines.append(f"confidence {prediction['confidence']:.2f}{of_none}")
    return lines


def _accounting_lines(prediction: Mapping[str, Any], traced: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what the question's spans were bound to, and what was left; nothing where it is unknown.

    Spans that were bound to one thing, one after another, share a line.
    """
    if prediction["bindings"] is None:
        return []
    spans: list[tuple[str, list[str]]] = []
    for binding in prediction["bindings"]:
        if binding["role"] in (Role.EMPTY, Role.UNACCOUNTED):
            continue
        target = f"as {binding['role']}" + _target(binding["target"], traced)
        if binding["similarity"] is not None:
            target += f", by meaning {binding['similarity']:.2f}"
        if not spans or spans[-1][0] != target:
            spans.append((target, []))
        spans[-1][1].append(repr(binding["text"]))
    lines = [f"  binds    {', '.join(texts)} {target}" for target, texts in spans]
    return [*lines, *_unaccounted_lines(prediction)]


def _unaccounted_lines(prediction: Mapping[str, Any]) -> list[str]:
    words = prediction["unaccounted"]
    return [f"not accounted for: {', '.join(words)}"] if words else []


def _mended_lines(connection: duckdb.DuckDBPyConnection, table_id: str | None) -> list[str]:
    """Return what was mended in the table that is asked: columns without a name, as below a title, say."""
    if table_id is None:
        return []
    tables = connection.execute("SELECT notes FROM tables WHERE table_id = ?", [table_id]).fetchall()
    return [f"  mended   {note}" for (notes,) in tables for note in notes or ()]


def _target(target: str, traced: Sequence[Mapping[str, Any]]) -> str:
    """Return what a span was bound to: a chunk by its article's title, other evidence by what it says.

    What was cut out of a source, such as a sentence, is named by its own id, and not by its source's.
    """
    kind, _, key = target.partition(" ")
    unit = next((row for row in traced if key and key in (row["source_key"], row["evidence_id"])), None)
    if unit is None:
        return f": {target}" if target else ""
    return f": a chunk of {unit['source_title']}" if kind == "chunk" else f": {kind}: {unit['evidence_text']}"


def _units_lines(label: str, units: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return units of evidence; a source that follows itself is named once."""
    before: Sequence[Mapping[str, Any] | None] = [None, *units[:-1]]
    pairs = zip(units, before, strict=True)
    return [line for unit, previous in pairs for line in _source_lines(label, unit, previous)]


def _source_lines(label: str, row: Mapping[str, Any], previous: Mapping[str, Any] | None) -> list[str]:
    """Return a unit of evidence, where it stands, and what is read there: now, if that is otherwise.

    Of what is not cited it is told only where it is otherwise, and a long text is cut.
    """
    text = row["evidence_text"]
    shown = textwrap.shorten(text, _GIVEN_WIDTH, placeholder=" …") if label == _GIVEN else text
    lines = [f"  {label:8} [E{row['rank']}] {shown}", f"  source   {_place(row, previous)}"]
    match row["source_state"]:
        case "changed" if row["source_text"] == text:
            # The chunk that it stands in is another, as a page says too.
            lines.append("  CHANGED  its words still stand; the text around them was changed or recut")
        case "changed":
            lines.append(f"  CHANGED  it reads now: {row['source_text'] or '(nothing at this place)'}")
        case "gone":
            lines.append("  GONE     it is in its source no more")
        case _ if label == _CITED:
            lines.append(f"  reads    {row['source_text']}")
    return lines


def _place(row: Mapping[str, Any], previous: Mapping[str, Any] | None) -> str:
    """Return where a unit of evidence stands: what it is part of, the file, and the record in it.

    Of the same record as the unit told before, only where in it.
    """
    source, (record, within) = _source(row), _record(row)
    if previous is not None and within and (source, record) == (_source(previous), _record(previous)[0]):
        return f"the same, {within}"
    licence = f" ({row['licence']})" if row["licence"] else ""
    return ", ".join(part for part in (*source, record, within) if part) + licence


def _source(row: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return a unit's source: its title, its row of the lake and its files; empty where it has none.

    Of an article that is gone its id is known still.
    """
    title, uri, record = row["source_title"], row["source_uri"] or "", row["source_record"] or ""
    # Of a file that is not known the source's name stands in its place, and the records begin with that.
    if all(f"; {name}" in f"; {record}" for name in row["source_uris"] or ()):
        uri = ""
    # A table without a caption is called by its key, as its record is.
    if record.startswith(f"table {title}, "):
        title = ""
    stands_in = f"{row['source_table']} {row['source_key']}"
    if row["source_table"] == "chunks":
        stands_in = "" if record else f"article {row['locator']['article_id']}"
    return title, stands_in, uri


def _record(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return a unit's record, and where in it the unit stands: its characters, or its row and column."""
    record, locator = row["source_record"] or "", row["locator"]
    if not record and row["source_table"] == "chunks":
        return "", f"characters {locator['char_start']} to {locator['char_end']}"
    match = _WITHIN.search(record)
    return (record[: match.start()], match[1]) if match else (record, "")


def _given_lines(rows: Sequence[Mapping[str, Any]], prediction: Mapping[str, Any]) -> list[str]:
    """Return what was looked at where nothing is cited: of each unit its best rank, the first few."""
    units: dict[str, Mapping[str, Any]] = {}
    for row in sorted(rows, key=lambda row: (row["rank"], row["candidate"])):
        units.setdefault(row["evidence_id"], row)
    if not units:
        return ["looked at  nothing: no evidence was found"]
    has_answer = prediction["predicted"] is not None
    amount, were = (f"{len(units)} units", "were") if len(units) > 1 else ("1 unit", "was")
    why = "of which it cites none" if has_answer else f"which {were} not enough for an answer"
    lines = [f"looked at  {amount} of evidence, {why}; the first of them:"]
    # Columns and cells have ranks of their own.
    shown = [{**unit, "rank": number} for number, unit in enumerate(list(units.values())[:_GIVEN_SHOWN], 1)]
    return [*lines, *_units_lines(_GIVEN, shown)]


def _stale_line(traced: Sequence[Mapping[str, Any]], stale: Sequence[Mapping[str, Any]]) -> str:
    units, lost = ({row["evidence_id"] for row in rows} for rows in (traced, stale))
    counts = f"{len(lost)} of the {len(units)} units of evidence"
    return f"STALE: {counts} do not stand in their sources as they did"


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
