"""What a person reads at the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence_assets.audit.report import example_prediction, trace_report
from evidence_assets.audit.score_report import WIDTH
from evidence_assets.evidence.accounting import Binding, Role
from evidence_assets.evidence.experiment import Answer, Chain, Experiment, Selected
from evidence_assets.lake import catalogue
from evidence_assets.lake.schemas import ARTICLES, CHUNKS, QUESTIONS, TABLES_BY_NAME
from evidence_assets.reading.accounting import account
from evidence_assets.text.suggestions import UnknownNameError
from evidence_assets_tests.testing.table_rows import table_of
from evidence_assets_tests.testing.tiny_lake import (
    ARMS,
    BENCHMARK,
    HEART,
    HEART_URI,
    SHARD,
    SYSTEM,
    TinyLake,
    add_questions,
    article_row,
    build_tiny_lake,
    experiment_partition,
    tiny_question,
    write_experiment,
)


def traced(tiny: TinyLake, prediction_id: str) -> list[str]:
    with catalogue.connect(tiny.lake) as connection:
        return trace_report(connection, prediction_id).splitlines()


def test_trace_of_a_right_answer(tiny: TinyLake) -> None:
    prediction = tiny.predictions[ARMS[0], "heart"]
    start = HEART.index("It beats")
    assert traced(tiny, prediction) == [
        f"prediction {prediction} ({SYSTEM}, {ARMS[0]}, {BENCHMARK})",
        "question   What pumps blood?",
        "answer     The heart (right)",
        "confidence 0.80",
        "  cited    [E1] The heart 💓 pumps blood.",
        "  source   Heart, starter://heart.md, Heart, characters 0 to 24 (CC0-1.0)",
        "  reads    The heart 💓 pumps blood.",
        "  cited    [E2] It beats 𝟕𝟎 times a minute.",
        f"  source   the same, characters {start} to {len(HEART)}",
        "  reads    It beats 𝟕𝟎 times a minute.",
    ]


def test_trace_of_a_wrong_answer_says_what_the_key_says(tiny: TinyLake) -> None:
    lines = traced(tiny, tiny.predictions[ARMS[0], "liver"])
    assert lines[2] == "answer     The heart (wrong, the key says: The liver)"
    assert lines[3:5] == ["confidence 0.60", "  cited    [E1] The liver makes bile."]


def test_trace_of_an_unknown_prediction_tells_the_nearest(tiny: TinyLake) -> None:
    known = tiny.predictions[ARMS[0], "heart"]
    for wanted in (f"{known[:-1]}x", "unknown", "", "x') OR 1=1 --"):
        with pytest.raises(UnknownNameError) as raised:
            traced(tiny, wanted)
        near = f"; the nearest: {known}" if wanted[:-1] == known[:-1] else ""
        first, second = str(raised.value).splitlines()
        assert first == f"no prediction {wanted!r}{near}"
        assert second == (
            "remedy: take an id from the view predictions, or from a trace of `evidence-assets demo`"
        )


def test_trace_of_an_abstention_tells_what_was_looked_at(tiny: TinyLake) -> None:
    prediction = tiny.predictions[ARMS[1], "liver"]
    assert traced(tiny, prediction) == [
        f"prediction {prediction} ({SYSTEM}, {ARMS[1]}, {BENCHMARK})",
        "question   What makes bile?",
        "answer     none: no option named",
        "looked at  nothing: no evidence was found",
    ]
    question = tiny_question("unsure", "Does the heart sing?", ["yes", "no"], 1)
    add_questions(tiny.lake, question)
    pumps, _, beats, _ = tiny.sentences
    experiment = Experiment(SYSTEM, "unsure", BENCHMARK, "1")
    evidence = {0: [Selected(beats, 0.4, []), Selected(pumps, 0.3, [])], 1: [Selected(beats, 0.2, [])]}
    likeliest = "It beats, which tells no song."
    answer = Answer(None, 0.3, "extractive", likeliest, "insufficient evidence", abstained=True)
    experiment.answer(question, evidence, [], answer)
    write_experiment(tiny.lake, experiment)
    (row,) = experiment.tables()["predictions"].to_pylist()
    start = HEART.index("It beats")
    assert traced(tiny, row["prediction_id"])[2:] == [
        "answer     none: insufficient evidence",
        "found      It beats, which tells no song.",
        "confidence 0.30, of the likeliest, which is not given",
        "looked at  2 units of evidence, which were not enough for an answer; the first of them:",
        "  given    [E1] It beats 𝟕𝟎 times a minute.",
        f"  source   Heart, starter://heart.md, Heart, characters {start} to {len(HEART)} (CC0-1.0)",
        "  given    [E2] The heart 💓 pumps blood.",
        "  source   the same, characters 0 to 24",
    ]


def test_what_is_left_open_as_an_answer_of_its_own_shows_what_was_found(tmp_path: Path) -> None:
    tiny = build_tiny_lake(str(tmp_path / "lake"))
    question = tiny_question("open", "The heart sings.", ["SUPPORTS", "NOT ENOUGH INFORMATION"], 1)
    add_questions(tiny.lake, question)
    experiment = Experiment(SYSTEM, "open", BENCHMARK, "1")
    found = "single value: some row, which comes to SUPPORTS, but the claim names another column"
    experiment.answer(question, {}, [], Answer(1, None, "extractive", found))
    write_experiment(tiny.lake, experiment)
    (row,) = experiment.tables()["predictions"].to_pylist()
    assert traced(tiny, row["prediction_id"])[2:4] == [
        "answer     NOT ENOUGH INFORMATION (right)",
        f"found      {found}",
    ]


def test_trace_says_that_the_options_are_in_another_order_now(tmp_path: Path) -> None:
    tiny = build_tiny_lake(str(tmp_path / "lake"))
    prediction = tiny.predictions[ARMS[0], "heart"]
    line = "CHANGED    the question or its options are others now than when this was answered"
    assert line not in traced(tiny, prediction)
    rows = tiny.lake.read(QUESTIONS, {"benchmark": BENCHMARK}).to_pylist()
    turned = [{**row, "options": row["options"][::-1]} for row in rows]
    tiny.lake.write(QUESTIONS, {"benchmark": BENCHMARK}, table_of(QUESTIONS, *turned))
    assert traced(tiny, prediction)[2:4] == ["answer     The heart (right)", line]


def test_trace_of_an_answer_whose_question_is_gone(tmp_path: Path) -> None:
    tiny = build_tiny_lake(str(tmp_path / "lake"))
    prediction = tiny.predictions[ARMS[0], "heart"]
    asked_still = traced(tiny, prediction)
    rows = tiny.lake.read(QUESTIONS, {"benchmark": BENCHMARK}).to_pylist()
    kept = [row for row in rows if row["question_id"] != "heart"]
    tiny.lake.write(QUESTIONS, {"benchmark": BENCHMARK}, table_of(QUESTIONS, *kept))
    assert traced(tiny, prediction) == [
        asked_still[0],
        f"question   heart of {BENCHMARK}",
        asked_still[2],
        "GONE       the question is in its source no more, and its words are not known",
        *asked_still[3:],
    ]


def test_trace_marks_changed_and_vanished_sources(tmp_path: Path) -> None:
    tiny = build_tiny_lake(str(tmp_path / "lake"))
    edited = article_row("Heart", HEART.replace("pumps", "moves"), HEART_URI)
    tiny.lake.write(ARTICLES, SHARD, table_of(ARTICLES, edited))
    tiny.lake.write(CHUNKS, SHARD, table_of(CHUNKS))
    prediction, start = tiny.predictions[ARMS[0], "heart"], HEART.index("It beats")
    assert traced(tiny, prediction)[4:] == [
        "  cited    [E1] The heart 💓 pumps blood.",
        "  source   Heart, starter://heart.md, Heart, characters 0 to 24 (CC0-1.0)",
        "  CHANGED  it reads now: The heart 💓 moves blood.",
        "  cited    [E2] It beats 𝟕𝟎 times a minute.",
        f"  source   the same, characters {start} to {len(HEART)}",
        "  CHANGED  its words still stand; the text around them was changed or recut",
        "STALE: 4 of the 4 units of evidence do not stand in their sources as they did; remedy:",
        f"  evidence-assets demo tiny/bench --arms {SYSTEM}/{ARMS[0]} answers anew",
    ]
    tiny.lake.write(ARTICLES, SHARD, table_of(ARTICLES))
    assert traced(tiny, prediction)[4:-2] == [
        "  cited    [E1] The heart 💓 pumps blood.",
        f"  source   article {tiny.articles['Heart']}, characters 0 to 24",
        "  GONE     it is in its source no more",
        "  cited    [E2] It beats 𝟕𝟎 times a minute.",
        f"  source   the same, characters {start} to {len(HEART)}",
        "  GONE     it is in its source no more",
    ]


def test_trace_shows_what_each_word_is_bound_to(tiny: TinyLake) -> None:
    question = tiny_question("bound", "Does the great heart not sing?", ["yes", "no"], 1)
    add_questions(tiny.lake, question)
    experiment = Experiment(SYSTEM, "bound", BENCHMARK, "1")
    beats = tiny.sentences[2]
    bindings = [
        Binding(9, 14, "great", Role.EVIDENCE, f"chunk {beats.source_key}"),
        Binding(15, 20, "heart", Role.EVIDENCE, f"chunk {beats.source_key}"),
        Binding(25, 29, "sing", Role.MEANING, "beats", 0.71),
    ]
    accounting = account(str(question["question"]), bindings)
    answer = Answer(None, None, "extractive", "", "not enough", abstained=True, accounting=accounting)
    experiment.answer(question, {-1: [Selected(beats, 0.4, [])]}, [], answer)
    write_experiment(tiny.lake, experiment)
    (row,) = experiment.tables()["predictions"].to_pylist()
    assert row["unaccounted"] == ["not"]
    assert " ".join(binding["text"] for binding in row["bindings"]) == "Does the great heart not sing"
    assert traced(tiny, row["prediction_id"])[1:7] == [
        "question   Does the great heart not sing?",
        "answer     none: not enough",
        "  binds    'great', 'heart' as evidence: a chunk of Heart",
        "  binds    'sing' as meaning: beats, by meaning 0.71",
        "not accounted for: not",
        "looked at  1 unit of evidence, which was not enough for an answer; the first of them:",
    ]


def test_trace_tells_a_sentence_that_a_word_is_bound_to_by_what_it_says(tiny: TinyLake) -> None:
    """A sentence is named by an id of its own: that says nothing to whoever reads the trace."""
    question = tiny_question("bound", "What beats?", [], None)
    add_questions(tiny.lake, question)
    experiment = Experiment(SYSTEM, "bound", BENCHMARK, "1")
    beats = tiny.sentences[2]
    bindings = [Binding(5, 10, "beats", Role.EVIDENCE, f"{beats.kind} {beats.evidence_id}")]
    accounting = account(str(question["question"]), bindings)
    answer = Answer(None, None, "extractive", "", accounting=accounting)
    chain = Chain(-1, f"{beats.text} [E1].", [beats], 1.0, {})
    experiment.answer(question, {-1: [Selected(beats, 1.0, [])]}, [chain], answer)
    write_experiment(tiny.lake, experiment)
    prediction = str(experiment.tables()["predictions"].column("prediction_id")[0])
    assert f"  binds    'beats' as evidence: sentence: {beats.text}" in traced(tiny, prediction)


def test_trace_of_a_question_without_options(tiny: TinyLake) -> None:
    """Candidate -1 is the question itself, never the last option."""
    question = tiny_question("open", "What beats?", [], None)
    add_questions(tiny.lake, question)
    experiment = Experiment(SYSTEM, "open", BENCHMARK, "1")
    beats = tiny.sentences[2]
    chain = Chain(-1, "It beats [E1].", [beats], 1.0, {})
    answer = Answer(None, None, "extractive", "", "no options")
    experiment.answer(question, {-1: [Selected(beats, 1.0, [])]}, [chain], answer)
    write_experiment(tiny.lake, experiment)
    prediction = str(experiment.tables()["predictions"].column("prediction_id")[0])
    assert "question   What beats?" in traced(tiny, prediction)


def test_text_of_several_paragraphs_stays_in_its_column(tiny: TinyLake) -> None:
    said = "A table of " + "many names " * 9 + "follows."
    question = tiny_question("long", f"{said}\n\n\tName | Age\nWhat beats?", [], None)
    add_questions(tiny.lake, question)
    experiment = Experiment(SYSTEM, "long", BENCHMARK, "1")
    answer = Answer(None, None, "extractive", "", "no options")
    experiment.answer(question, {-1: [Selected(tiny.sentences[2], 1.0, [])]}, [], answer)
    write_experiment(tiny.lake, experiment)
    lines = traced(tiny, str(experiment.tables()["predictions"].column("prediction_id")[0]))
    shown = lines[1 : next(place for place, line in enumerate(lines) if line.startswith("answer"))]
    assert [line[:11].strip() for line in shown] == ["question", "", "", ""]
    assert " ".join(line[11:] for line in shown[:2]) == said
    assert [line[11:].strip() for line in shown[2:]] == ["Name | Age", "What beats?"]
    assert max(map(len, shown)) <= WIDTH


def test_what_a_terminal_would_obey_is_shown(tiny: TinyLake) -> None:
    """Escapes, a lone return and overrides of the writing's direction, as a source may hold them."""
    question = tiny_question("control", "Is \x1b[31mthis\r\nred\x9b0m or \u202egreen\u2066?\rNo", [], None)
    add_questions(tiny.lake, question)
    experiment = Experiment(SYSTEM, "control", BENCHMARK, "1")
    answer = Answer(None, None, "extractive", "\x1b]0;mine\x07", "no options")
    experiment.answer(question, {-1: [Selected(tiny.sentences[2], 1.0, [])]}, [], answer)
    write_experiment(tiny.lake, experiment)
    with catalogue.connect(tiny.lake) as connection:
        prediction = str(experiment.tables()["predictions"].column("prediction_id")[0])
        report = trace_report(connection, prediction)
    assert report.split("\n")[1:5] == [
        r"question   Is \x1b[31mthis",
        r"           red\x9b0m or \u202egreen\u2066?\x0dNo",
        "answer     none: no options",
        r"found      \x1b]0;mine\x07",
    ]


def test_example_is_a_right_answer_with_most_citations(tiny: TinyLake) -> None:
    with catalogue.connect(tiny.lake) as connection:
        for arm in ARMS:
            example = example_prediction(connection, BENCHMARK, SYSTEM, arm)
            assert example == tiny.predictions[arm, "heart"]
        for benchmark, system, arm in [
            ("unknown", SYSTEM, ARMS[0]),
            (BENCHMARK, SYSTEM, "unknown"),
            (BENCHMARK, "unknown", ARMS[0]),
        ]:
            message = (
                f"no prediction of {system}/{arm} on {benchmark}: materialise {system}/predictions first"
            )
            with pytest.raises(LookupError, match=message):
                example_prediction(connection, benchmark, system, arm)


def test_example_of_an_arm_that_two_systems_have_is_the_systems_own(tiny: TinyLake) -> None:
    question = tiny.lake.read(QUESTIONS, {"benchmark": BENCHMARK}).to_pylist()[0]
    assert question["question_id"] == "heart"
    beats = tiny.sentences[2]
    experiment = Experiment("another", ARMS[0], BENCHMARK, "1")
    chain = Chain(0, "It beats [E1].", [beats], 1.0, {})
    evidence = {0: [Selected(beats, 1.0, [])]}
    experiment.answer(question, evidence, [chain], Answer(0, 0.5, "extractive", "A"))
    for name, rows in experiment.tables().items():
        place = experiment_partition(ARMS[0]) | {"system": "another"}
        tiny.lake.write(TABLES_BY_NAME[name], place, rows)
    prediction_id = str(experiment.tables()["predictions"].column("prediction_id")[0])
    with catalogue.connect(tiny.lake) as connection:
        assert example_prediction(connection, BENCHMARK, "another", ARMS[0]) == prediction_id
        assert (
            example_prediction(connection, BENCHMARK, SYSTEM, ARMS[0]) == tiny.predictions[ARMS[0], "heart"]
        )
