"""Reading tasks of sentences and triples: answers turn with the evidence, and options alone tell nothing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
import pytest

from evidence_assets.models.encoder import FloatArray
from evidence_assets.reading.reading_tasks import (
    GIVEN,
    OPTIONS,
    SWAPPED,
    WITHHELD,
    Pool,
    Statement,
    Task,
    groups,
    of_sentences,
    of_triples,
    tasks,
)
from evidence_assets.text.function_words import function_words
from evidence_assets.text.verbalisation import templates
from evidence_assets.text.words import words

PLACES = ["kitchen", "garden", "harbour", "forest", "desert", "library", "stable", "attic"]
THINGS = ["spoon", "rose", "ship", "owl", "camel", "novel", "horse", "trunk"]
TRIPLES = [
    {"head": f"{kind} {thing}", "relation": "AtLocation", "tail": f"{kind} {place}"}
    for kind in ("old", "new", "small", "royal", "red", "grey")
    for thing, place in zip(THINGS, PLACES, strict=True)
]
TEXTS = 2


def encode(texts: Sequence[str]) -> FloatArray:
    """Bags of words as unit vectors: texts that share words are near."""
    vectors = np.zeros((len(texts), 64), dtype=np.float32)
    for row, text in zip(vectors, texts, strict=True):
        for word in words(text):
            row[sum(map(ord, word)) % 64] += 1
    units: FloatArray = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return units


@pytest.fixture(scope="module")
def statements() -> list[Statement]:
    return list(of_triples(TRIPLES, templates("conceptnet"), "conceptnet"))


@pytest.fixture(scope="module")
def made(statements: list[Statement]) -> list[tuple[tuple[Statement, ...], list[Task]]]:
    """Groups with their four tasks."""
    grouped = groups(statements, encode, 100, seed=7)
    of_all = tasks(grouped, Pool([statement.text for statement in statements], encode), TEXTS, seed=7)
    assert len(of_all) == OPTIONS * len(grouped)
    return [(group, of_all[place * OPTIONS : (place + 1) * OPTIONS]) for place, group in enumerate(grouped)]


# --- statements


def test_the_end_of_a_sentence_is_asked_for() -> None:
    sentences = ["The sun is the source of energy for plants on Earth.", "Bees fly.", "it is of"]
    [statement] = of_sentences([*sentences, sentences[0]])
    assert statement.before + statement.answer + statement.after == statement.text == sentences[0]
    assert statement.question == statement.before.strip() and statement.after == "."
    link = words(statement.question)[-1]
    assert link in function_words() and statement.kind.startswith(f"{link} ")
    assert words(statement.answer)[0] not in function_words()
    assert statement.saying("rocks") == f"{statement.before}rocks."


def test_an_end_of_a_triple_is_asked_for_in_other_words_than_the_evidence_says() -> None:
    questioned = list(of_triples(TRIPLES, templates("conceptnet"), "conceptnet"))
    ends = {statement.kind.rpartition(" ")[2] for statement in questioned}
    assert ends == {"head", "tail"} and len(questioned) == len(TRIPLES)
    for statement, triple in zip(questioned, TRIPLES, strict=True):
        end = statement.kind.rpartition(" ")[2]
        shown_end = triple["head" if end == "tail" else "tail"]
        assert statement.answer == triple[end]
        assert shown_end in statement.question and statement.answer not in statement.question
        assert statement.text == f"{triple['head']} can be found at {triple['tail']}"
        assert statement.saying("X").count("X") == 1 and shown_end in statement.saying("X")


def test_relations_without_a_wording_are_asked_by_their_sentence_and_braces_are_kept() -> None:
    triples = [
        {"head": "a {b}", "relation": "treats", "tail": "fever {c}"},
        {"head": "same", "relation": "treats", "tail": "Same"},
        {"head": "a", "relation": "unknown", "tail": "b"},
    ]
    [statement] = of_triples(triples, {"treats": "{head} treats {tail} well"}, "no such wordings")
    assert (statement.question, statement.answer) == ("a {b} treats ___ well", "fever {c}")
    assert statement.saying("it") == "a {b} treats it well"
    [worded] = of_triples([{**triples[0], "relation": "AtLocation"}], templates("conceptnet"), "conceptnet")
    assert "{b}" in worded.question or "{c}" in worded.question


# --- groups


def test_a_group_is_of_one_kind_of_like_frequency_and_knows_no_second_answer(
    statements: list[Statement],
) -> None:
    counts = Counter(statement.answer for statement in statements)
    known = {(statement.question, statement.answer) for statement in statements}
    grouped = groups(statements, encode, 100, seed=7)
    assert grouped
    members = Counter(statement.text for group in grouped for statement in group)
    assert max(members.values()) == 1, "no statement is asked twice"
    for group in grouped:
        assert len({statement.kind for statement in group}) == 1
        assert len({int(np.log2(counts[statement.answer])) for statement in group}) == 1
        assert len({statement.answer for statement in group}) == OPTIONS
        for first in group:
            for second in group:
                assert first is second or (first.question, second.answer) not in known


def test_an_answer_that_is_known_to_fit_another_question_of_the_group_is_not_offered() -> None:
    fitting = [
        {"head": "cup", "relation": "AtLocation", "tail": place}
        for place in ("shelf", "table", "sink", "bar")
    ]
    unanswerable = [
        Statement(f"cup at {triple['tail']}", "cup at ", "", "Where is a cup?", triple["tail"], "k")
        for triple in fitting
    ]
    assert groups(unanswerable, encode, 10, seed=1) == []


def test_no_more_groups_are_made_than_asked_for_and_the_same_ones_again(statements: list[Statement]) -> None:
    three = groups(statements, encode, 3, seed=7)
    assert three == groups(statements, encode, 100, seed=7)[:3] and len(three) == 3
    assert groups(statements, encode, 0, seed=7) == []
    assert three != groups(statements, encode, 3, seed=8)


# --- tasks


def test_by_itself_an_option_tells_nothing(made: list[tuple[tuple[Statement, ...], list[Task]]]) -> None:
    """Over the four questions of a group every option is right exactly once, whatever the condition."""
    for _, four in made:
        assert len({task.options for task in four}) == 1
        assert sorted(task.right for task in four) == list(range(OPTIONS))


def test_the_answer_turns_with_the_evidence(made: list[tuple[tuple[Statement, ...], list[Task]]]) -> None:
    conditions: dict[str, int] = defaultdict(int)
    for group, four in made:
        [condition] = {task.condition for task in four}
        conditions[condition] += 1
        texts = {statement.text for statement in group}
        for place, (statement, task) in enumerate(zip(group, four, strict=True)):
            shown = {text for evidence in task.evidence for text in evidence}
            assert all(len(evidence) <= TEXTS for evidence in task.evidence)
            if condition == SWAPPED:
                assert task.right != place
                swapped_text = statement.saying(task.options[task.right])
                assert all(evidence[0] == swapped_text for evidence in task.evidence), (
                    "all options read the same"
                )
                assert not shown & texts
            else:
                assert task.right == place
                if condition == WITHHELD:
                    assert not shown & texts
                else:
                    assert statement.text in task.evidence[place]
    assert set(conditions) == {GIVEN, WITHHELD, SWAPPED}


def test_the_same_seed_gives_the_same_tasks(statements: list[Statement]) -> None:
    pool = Pool([statement.text for statement in statements], encode)
    grouped = groups(statements, encode, 5, seed=3)
    assert tasks(grouped, pool, TEXTS, seed=3) == tasks(grouped, pool, TEXTS, seed=3)
    assert tasks([], pool, TEXTS, seed=3) == []


def test_a_pool_gives_the_nearest_first_without_what_is_hidden() -> None:
    pool = Pool(["red rose", "red ship", "blue ship", "red rose"], encode)
    assert pool.nearest(["red ship", "blue ship"], 2) == [("red ship", "red rose"), ("blue ship", "red ship")]
    assert pool.nearest(["red ship"], 2, [{"red ship"}]) == [("red rose", "blue ship")]
    assert pool.nearest([], 2) == []
