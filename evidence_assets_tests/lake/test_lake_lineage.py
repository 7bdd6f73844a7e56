"""`trace` and `impact` on a lake whose every answer is known."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow.compute as pc
import pytest

from evidence_assets.lake import catalogue
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import (
    ARTICLES,
    CHUNKS,
    EVIDENCE,
    GRAPH_SOURCES,
    PREDICTION_EVIDENCE,
    PREDICTIONS,
    QUESTIONS,
    TABLES,
    TRIPLES,
    Table,
)
from evidence_assets_tests.testing.tiny_lake import (
    ARMS,
    BENCHMARK,
    HEART,
    HEART_URI,
    LIVER,
    LIVER_URI,
    SHARD,
    SYSTEM,
    TinyLake,
    article_row,
    build_tiny_lake,
    experiment_partition,
    tiny_question,
)

INJECTIONS = ["x') OR 1=1 --", "' OR ''='", "x' UNION SELECT * FROM predictions --", "%", "*", ""]


@pytest.fixture(scope="module")
def connection(tiny: TinyLake) -> Iterator[duckdb.DuckDBPyConnection]:
    with catalogue.connect(tiny.lake) as opened:
        yield opened


def macro_rows(connection: duckdb.DuckDBPyConnection, macro: str, wanted: str) -> list[dict[str, object]]:
    result = connection.execute(f"SELECT * FROM {macro}(?)", [wanted])
    names = [column[0] for column in result.description or []]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def test_trace_tells_what_a_prediction_rests_on(
    tiny: TinyLake, connection: duckdb.DuckDBPyConnection
) -> None:
    pumps, cafe, beats, bile = tiny.sentences
    for arm in ARMS:
        prediction = tiny.predictions[arm, "heart"]
        rows = macro_rows(connection, "trace", prediction)
        assert [(row["role"], row["candidate"], row["rank"], row["evidence_text"]) for row in rows] == [
            ("cited", 0, 1, "The liver makes bile."),
            ("cited", 1, 1, "The heart 💓 pumps blood."),
            ("cited", 1, 2, "It beats 𝟕𝟎 times a minute."),
            ("given", 1, 1, "The heart 💓 pumps blood."),
            ("given", 1, 2, "It beats 𝟕𝟎 times a minute."),
            ("given", 1, 3, "Cafe\u0301 owners know it."),
        ]
        units = [bile, pumps, beats, pumps, beats, cafe]
        assert [row["evidence_id"] for row in rows] == [unit.evidence_id for unit in units]
        assert [row["source_key"] for row in rows] == [unit.source_key for unit in units]
        assert {(row["prediction_id"], row["arm"], row["system"], row["benchmark"]) for row in rows} == {
            (prediction, arm, SYSTEM, BENCHMARK)
        }
        assert {(row["question"], row["predicted"], row["correct"]) for row in rows} == {
            ("What pumps blood?", "The heart", True)
        }


def test_source_text_is_the_evidence_word_for_word(
    tiny: TinyLake, connection: duckdb.DuckDBPyConnection
) -> None:
    """Offsets count code points, past emoji and combining marks, in SQL as in Python."""
    rows = [row for key in tiny.predictions.values() for row in macro_rows(connection, "trace", key)]
    assert {row["evidence_text"] for row in rows} == {unit.text for unit in tiny.sentences}
    for row in rows:
        assert row["source_text"] == row["evidence_text"]
        title, text, uri = (
            ("Liver", LIVER, LIVER_URI) if "bile" in str(row["source_text"]) else ("Heart", HEART, HEART_URI)
        )
        locator = row["locator"]
        assert isinstance(locator, dict)
        assert text[locator["char_start"] : locator["char_end"]] == row["source_text"]
        assert (row["source_title"], row["source_uri"], row["licence"]) == (title, uri, "CC0-1.0")


def test_trace_of_an_abstention_is_empty(tiny: TinyLake, connection: duckdb.DuckDBPyConnection) -> None:
    assert macro_rows(connection, "trace", tiny.predictions[ARMS[1], "liver"]) == []


def impacted(
    connection: duckdb.DuckDBPyConnection, wanted: str
) -> set[tuple[object, object, object, object]]:
    rows = macro_rows(connection, "impact", wanted)
    impacts = {(row["prediction_id"], row["role"], row["evidence_id"], row["source_key"]) for row in rows}
    assert len(impacts) == len(rows), "a row is told twice"
    return impacts


def test_impact_finds_every_prediction_by_every_key(
    tiny: TinyLake, connection: duckdb.DuckDBPyConnection
) -> None:
    pumps, cafe, beats, bile = tiny.sentences
    first_chunk, second_chunk, liver_chunk = tiny.chunks
    heart = [tiny.predictions[arm, "heart"] for arm in ARMS]
    liver = tiny.predictions[ARMS[0], "liver"]

    def uses(*roles: tuple[str, object]) -> set[tuple[object, object, object, object]]:
        return {
            (prediction, role, unit.evidence_id, unit.source_key)  # type: ignore[attr-defined]
            for prediction in heart
            for role, unit in roles
        }

    pumping = uses(("given", pumps), ("cited", pumps))
    beating = uses(("given", beats), ("cited", beats))
    in_cafe = uses(("given", cafe))
    biling = uses(("cited", bile)) | {
        (liver, role, bile.evidence_id, bile.source_key) for role in ("given", "cited")
    }
    assert impacted(connection, pumps.evidence_id) == pumping
    assert impacted(connection, cafe.evidence_id) == in_cafe
    assert impacted(connection, first_chunk) == pumping | in_cafe
    assert impacted(connection, second_chunk) == beating
    assert impacted(connection, liver_chunk) == impacted(connection, bile.evidence_id) == biling
    for wanted in (tiny.articles["Heart"], HEART_URI):
        assert impacted(connection, wanted) == pumping | in_cafe | beating
    for wanted in (tiny.articles["Liver"], LIVER_URI):
        assert impacted(connection, wanted) == biling


@pytest.mark.parametrize("macro", ["trace", "impact"])
@pytest.mark.parametrize("wanted", INJECTIONS)
def test_an_argument_is_a_value_and_nothing_else(
    connection: duckdb.DuckDBPyConnection, macro: str, wanted: str
) -> None:
    quoted, kind = wanted.replace("'", "''"), {"trace": "prediction", "impact": "source"}[macro]
    queries: dict[str, list[str]] = {
        f"SELECT * FROM {macro}(?)": [wanted],
        f"SELECT * FROM {macro}('{quoted}')": [],
    }
    for query, values in queries.items():
        with pytest.raises(duckdb.InvalidInputException) as raised:
            connection.execute(query, values).fetchall()
        assert f"no {kind} {wanted} in this lake" in str(raised.value)


def test_trace_of_an_unknown_id_says_so(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(duckdb.InvalidInputException) as raised:
        macro_rows(connection, "trace", "nobody")
    assert str(raised.value) == (
        "Invalid Input Error: no prediction nobody in this lake; remedy: take an id from the view predictions"
    )


def test_the_end_of_a_path_is_among_the_nearest_names(connection: duckdb.DuckDBPyConnection) -> None:
    ending = LIVER_URI.rpartition("/")[2].upper()
    with pytest.raises(duckdb.InvalidInputException, match=f"the nearest: {LIVER_URI}[,;]"):
        macro_rows(connection, "impact", ending)


def test_impact_of_an_unknown_source_tells_the_nearest(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(duckdb.InvalidInputException) as raised:
        macro_rows(connection, "impact", "starter://hart.md")
    assert str(raised.value) == (
        f"Invalid Input Error: no source starter://hart.md in this lake; the nearest: {HEART_URI}, "
        f"{LIVER_URI}; remedy: take a name from the view source_names; an article that is gone goes by the "
        "id that trace tells of it"
    )


@pytest.mark.parametrize("wanted", ["LIVER", "organs/organ-7.md"])
def test_an_article_asked_for_by_title_or_path_is_told_by_its_key(tmp_path: Path, wanted: str) -> None:
    lake = build_tiny_lake(str(tmp_path / "lake")).lake
    heart, liver = article_row("Heart", HEART, HEART_URI), article_row("Liver", LIVER, LIVER_URI)
    write_rows(lake, ARTICLES, SHARD, heart, {**liver, "source_key": "organ-7.md"})
    nearest = pytest.raises(duckdb.InvalidInputException, match=r"in this lake; the nearest: organ-7\.md")
    with catalogue.connect(lake) as connection, nearest:
        macro_rows(connection, "impact", wanted)


@pytest.mark.parametrize("macro", ["trace", "impact"])
@pytest.mark.parametrize(
    "query",
    [
        "SELECT DISTINCT question_id FROM {} WHERE role = 'cited'",
        "SELECT predicted FROM {} WHERE system = 'uscrake' AND arm = 'full@extractive' AND correct",
        "SELECT evidence_id FROM {} WHERE source_table = 'chunks' AND evidence_id <> ''",
        "SELECT count(*) FROM {}",
        "SELECT count(*) FROM {} JOIN questions USING (benchmark, question_id)",
        "SELECT EXISTS (FROM {} WHERE role = 'cited')",
    ],
)
def test_an_unknown_name_is_told_whatever_is_asked_of_it(
    connection: duckdb.DuckDBPyConnection, macro: str, query: str
) -> None:
    with pytest.raises(duckdb.InvalidInputException, match=r"no (prediction|source) nobody in this lake"):
        connection.execute(query.format(f"{macro}('nobody')")).fetchall()


def test_impact_of_a_source_that_nothing_rests_on_is_empty(lake: Lake) -> None:
    article = article_row("Heart", HEART, HEART_URI)
    write_rows(lake, ARTICLES, SHARD, article)
    with catalogue.connect(lake) as connection:
        for name in ("article_id", "source_key", "source_uri"):
            assert macro_rows(connection, "impact", str(article[name])) == []


def test_trace_tells_what_speaks_for_the_answer_that_was_given(
    tiny: TinyLake, connection: duckdb.DuckDBPyConnection
) -> None:
    rows = macro_rows(connection, "trace", tiny.predictions[ARMS[0], "heart"])
    assert [(row["candidate"], row["chosen"]) for row in rows] == [
        (row["candidate"], row["candidate"] == 1) for row in rows
    ]
    assert {row["candidate"] for row in rows} == {0, 1}


def test_trace_tells_the_record_in_the_source(tiny: TinyLake, connection: duckdb.DuckDBPyConnection) -> None:
    for row in macro_rows(connection, "trace", tiny.predictions[ARMS[0], "heart"]):
        locator = row["locator"]
        assert isinstance(locator, dict)
        start, end = locator["char_start"], locator["char_end"]
        assert row["source_record"] == f"{row['source_title']}, characters {start} to {end}"


def test_impact_of_null_is_empty(connection: duckdb.DuckDBPyConnection) -> None:
    assert connection.execute("SELECT * FROM impact(NULL)").fetchall() == []


def write_rows(lake: Lake, table: object, partition: dict[str, str], *rows: dict[str, object]) -> None:
    import pyarrow as pa

    lake.write(table, partition, pa.Table.from_pylist(list(rows), schema=table.schema))  # type: ignore[attr-defined, arg-type]


def test_lineage_of_triples_paths_and_tables(lake: Lake) -> None:
    """Evidence that stands in no article: a triple, a path of triples, a table."""
    place = {"system": "s", "arm": "a", "benchmark": "b"}
    triple = {"kg": "k", "relation": "IsA", "weight": None}
    by_hand = {"source": "hand", "record": "line 3", "licence": "CC0-1.0"}
    copied = {"source": "copy", "record": "line 7", "licence": "MIT"}
    places = {"kg": "k", "format": "relation_head_tail", "licence": "CC0-1.0"}
    write_rows(lake, GRAPH_SOURCES, {"kg": "k"}, {**places, "source": "hand", "source_uri": "cats; dogs.tsv"})
    write_rows(
        lake,
        TRIPLES,
        {"kg": "k", "relation": "IsA"},
        {**triple, "triple_id": "t1", "head": "cat", "tail": "mammal", "sources": [by_hand]},
        {**triple, "triple_id": "t2", "head": "mammal", "tail": "animal", "sources": [copied, by_hand]},
    )
    table = {
        "table_id": "tab",
        "source": "wiki",
        "caption": "Cats",
        "header": ["name", "legs"],
        "rows": [["Tom", "4"], ["Tim", "3"]],
        "key": "cats",
        "typed_rows": [],
    }
    write_rows(lake, TABLES, {"source": "wiki"}, {**table, "source_uri": "u.csv", "licence": "CC0-1.0"})
    nowhere = dict.fromkeys(["article_id", "char_start", "char_end", "row", "column", "triple_ids"])
    unit = {**place, "text": "x", "source_version": "1"}
    write_rows(
        lake,
        EVIDENCE,
        place,
        {
            **unit,
            "evidence_id": "e1",
            "kind": "triple",
            "source_table": "triples",
            "source_key": "t1",
            "locator": nowhere,
        },
        {
            **unit,
            "evidence_id": "e2",
            "kind": "path",
            "source_table": "reasoning_paths",
            "source_key": "p",
            "locator": {**nowhere, "triple_ids": ["t1", "t2"]},
        },
        {
            **unit,
            "evidence_id": "e3",
            "kind": "column",
            "source_table": "tables",
            "source_key": "tab",
            "locator": {**nowhere, "row": 1, "column": 1},
        },
    )
    prediction = {
        **place,
        **dict.fromkeys(["predicted", "predicted_index", "gold", "confidence"]),
        **dict.fromkeys(["parse_status", "generator", "raw_output", "tie_break", "code_version"], ""),
    }
    write_rows(
        lake,
        PREDICTIONS,
        place,
        {**prediction, "prediction_id": "p", "question_id": "q", "correct": False, "abstained": False},
    )
    write_rows(lake, QUESTIONS, {"benchmark": "b"}, tiny_question("q", "Who?", [], None) | {"benchmark": "b"})
    used = {**place, "prediction_id": "p", "role": "given", "candidate": 0, "score": 1.0}
    write_rows(
        lake, PREDICTION_EVIDENCE, place, *({**used, "evidence_id": f"e{n}", "rank": n} for n in (1, 2, 3))
    )
    with catalogue.connect(lake) as connection:
        rows = macro_rows(connection, "trace", "p")
        walked = "cat IsA mammal; mammal IsA animal"
        assert [row["source_text"] for row in rows] == ["cat IsA mammal", walked, "3"]
        assert [row["source_title"] for row in rows] == ["k", "k", "Cats"]
        # A source that the lake does not know the place of is told by its name.
        assert [row["source_uris"] for row in rows] == [
            ["cats; dogs.tsv"],
            ["cats; dogs.tsv", "copy"],
            ["u.csv"],
        ]
        assert rows[1]["source_uri"] == "cats; dogs.tsv; copy"
        assert [row["source_record"] for row in rows] == [
            "hand, line 3",
            "hand, line 3; copy, line 7; hand, line 3",
            "table cats, row 2, column 2",
        ]
        assert [row["licence"] for row in rows] == ["CC0-1.0", "CC0-1.0; MIT", "CC0-1.0"]
        assert {(row["source_state"], row["source_unchanged"]) for row in rows} == {("unchanged", True)}
        assert connection.execute("SELECT * FROM stale_predictions").fetchall() == []
        for wanted, expected in [
            ("t1", ["e1", "e2"]),
            ("t2", ["e2"]),
            ("cat", ["e1", "e2"]),
            ("animal", ["e2"]),
            ("k", ["e1", "e2"]),
            ("p", ["e2"]),
            ("tab", ["e3"]),
            ("u.csv", ["e3"]),
            ("cats; dogs.tsv", ["e1", "e2"]),
        ]:
            assert [row["evidence_id"] for row in macro_rows(connection, "impact", wanted)] == expected
    # One triple says otherwise now, and the table is another: what rested on them is gone.
    write_rows(
        lake,
        TRIPLES,
        {"kg": "k", "relation": "IsA"},
        {**triple, "triple_id": "t1", "head": "cat", "tail": "mammal", "sources": [by_hand]},
    )
    lake.delete(TABLES, {"source": "wiki"})
    with catalogue.connect(lake) as connection:
        states = [(row["evidence_id"], row["source_state"]) for row in macro_rows(connection, "trace", "p")]
        assert states == [("e1", "unchanged"), ("e2", "gone"), ("e3", "gone")]
        stale = connection.execute(
            "SELECT prediction_id, role, evidence_id, source_table, source_state FROM stale_predictions "
            "ORDER BY evidence_id"
        ).fetchall()
        assert stale == [
            ("p", "given", "e2", "reasoning_paths", "gone"),
            ("p", "given", "e3", "tables", "gone"),
        ]


def test_answers_of_questions_that_are_asked_no_more_are_stale(tmp_path: Path) -> None:
    tiny = build_tiny_lake(str(tmp_path / "lake"))
    asked_still = tiny_question("heart", "What pumps blood?", ["The liver", "The heart"], 1)
    write_rows(tiny.lake, QUESTIONS, {"benchmark": BENCHMARK}, asked_still)
    with catalogue.connect(tiny.lake) as connection:
        stale = connection.execute(
            "SELECT prediction_id, role, source_state FROM stale_predictions"
        ).fetchall()
    gone = {tiny.predictions[arm, "liver"] for arm in ARMS}
    assert {row for row in stale if row[1] == "answered"} == {(key, "answered", "gone") for key in gone}


def test_an_edited_article_is_told_and_a_removed_one(tmp_path: Path) -> None:
    tiny = build_tiny_lake(str(tmp_path / "lake"))
    lake, liver = tiny.lake, tiny.articles["Liver"]
    with catalogue.connect(lake) as connection:
        resting = impacted(connection, liver)
    edited, removed = tiny.predictions[ARMS[0], "heart"], tiny.predictions[ARMS[0], "liver"]
    article = article_row("Heart", HEART.replace("pumps", "moves"), HEART_URI)
    write_rows(lake, ARTICLES, SHARD, article)
    write_rows(lake, CHUNKS, SHARD)
    with catalogue.connect(lake) as connection:
        rows = macro_rows(connection, "trace", edited)
        states = {(row["evidence_text"], row["source_state"]) for row in rows}
        assert ("The heart 💓 pumps blood.", "changed") in states
        assert ("The liver makes bile.", "gone") in states
        assert [row["source_state"] for row in macro_rows(connection, "trace", removed)] == ["gone", "gone"]
        [now] = {row["source_text"] for row in rows if row["evidence_text"] == "The heart 💓 pumps blood."}
        assert now == "The heart 💓 moves blood."
        stale = connection.execute("SELECT DISTINCT prediction_id FROM stale_predictions").fetchall()
        answered = {key for key in tiny.predictions.values() if macro_rows(connection, "trace", key)}
        assert {prediction for (prediction,) in stale} == answered
        # It is gone, and what rests on it is told by the id that the evidence keeps.
        assert impacted(connection, liver) == resting != set()
        with pytest.raises(duckdb.InvalidInputException, match=f"no source {LIVER_URI} in this lake"):
            impacted(connection, LIVER_URI)


@pytest.mark.parametrize("table", [EVIDENCE, PREDICTION_EVIDENCE])
def test_a_trace_opens_the_files_of_its_experiment_alone(tmp_path: Path, table: Table) -> None:
    """Another arm's files may be as many as they like: one that cannot be read is not missed."""
    tiny = build_tiny_lake(str(tmp_path / "lake"))
    prediction = tiny.predictions[ARMS[0], "heart"]
    with catalogue.connect(tiny.lake) as connection:
        before = macro_rows(connection, "trace", prediction)
        Path(tiny.lake.file(table, experiment_partition(ARMS[1]))).write_bytes(b"not a table")
        assert macro_rows(connection, "trace", prediction) == before != []
        with pytest.raises(duckdb.Error):
            macro_rows(connection, "trace", tiny.predictions[ARMS[1], "heart"])


def test_impact_opens_what_stands_beside_the_evidence_alone(tmp_path: Path) -> None:
    """Of the liver only the first arm has evidence that one question was given."""
    tiny = build_tiny_lake(str(tmp_path / "lake"))
    bile = tiny.sentences[3].evidence_id
    place = experiment_partition(ARMS[1])
    remaining = tiny.lake.read(EVIDENCE, place).filter(pc.field("evidence_id") != bile)
    tiny.lake.write(EVIDENCE, place, remaining)
    with catalogue.connect(tiny.lake) as connection:
        before = {row for row in impacted(connection, bile) if row[0] != tiny.predictions[ARMS[1], "heart"]}
        Path(tiny.lake.file(PREDICTION_EVIDENCE, place)).write_bytes(b"not a table")
        assert impacted(connection, bile) == before != set()
