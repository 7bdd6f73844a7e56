"""Multiple-choice questions over tables: what rows support, what they choose, and what is shown for it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from evidence_assets.models.encoder import FloatArray
from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.options import (
    BALANCED,
    MEASURES,
    OptionQuestion,
    OptionSupport,
    RowPool,
    pool_texts,
    support_options,
    weigh,
)
from evidence_assets.tables.table import Table
from evidence_assets.text.words import words

DIETS = {
    "herbivore": ["Buffalo", "Cattle", "Zebra", "Donkey"],
    "omnivore": ["Crickets", "Opaleye", "Wasps", "Squirrel monkey", "Raccoons"],
    "carnivore": ["Andean Cat", "Arctic Fox", "Gray Fox", "Wolverine"],
}


def animals() -> Table:
    """Figure 4.3."""
    return make_table(
        "animals",
        "",
        [["Type of Animal", "", "Type of Diet (herbivore, omnivore, carnivore)"]],
        [[name, "is a(n)", diet] for diet, names in DIETS.items() for name in names],
    )


def encode(texts: Sequence[str]) -> FloatArray:
    """Bags of words in random directions."""
    vectors = np.zeros((len(texts), 64), np.float32)
    for row, text in enumerate(texts):
        for word in words(text):
            seed = int.from_bytes(word.encode()[:7], "little")
            vectors[row] += np.random.default_rng(seed).normal(size=64)
    units: FloatArray = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return units


def option_question(question: str, options: Sequence[str]) -> OptionQuestion:
    hypotheses = [f"{question} {option}" for option in options]
    return OptionQuestion(question, options, encode([question])[0], encode(options), encode(hypotheses))


def answered(question: str, options: Sequence[str], tables: Sequence[Table] = ()) -> OptionSupport:
    texts, _ = pool_texts(tables or [animals()])
    return support_options(option_question(question, options), RowPool(texts, encode(texts)))


def test_an_item_with_two_answers_is_flagged() -> None:
    support = answered("Which animal below is a carnivore?", ["Andean Cat", "Arctic fox", "Elephant", "Goat"])
    assert support.supported == (0, 1)
    assert support.ambiguous
    assert support.choice.index in support.supported
    texts, _ = pool_texts([animals()])
    assert texts[support.evidence[0][0]] == "Andean Cat is a(n) carnivore"
    assert texts[support.evidence[1][0]] == "Arctic Fox is a(n) carnivore"


def test_an_item_with_one_answer_is_not() -> None:
    support = answered("Which animal below is a carnivore?", ["Zebra", "Elephant", "Gray fox", "Wasps"])
    assert support.supported == (2,)
    assert not support.ambiguous
    assert support.choice.index == 2
    diet = answered(
        "What is the diet of the Arctic Fox?", ["herbivore", "omnivore", "carnivore", "insectivore"]
    )
    assert diet.supported == (2,)
    assert diet.choice.index == 2


def test_a_question_for_the_exception_turns_the_scores() -> None:
    support = answered("Which animal is NOT a carnivore?", ["Andean Cat", "Arctic fox", "Zebra", "Gray fox"])
    assert support.negated
    assert support.supported == (2,)
    assert support.choice.index == 2


def test_nothing_is_supported_where_no_row_names_an_option() -> None:
    support = answered("Which animal below is a carnivore?", ["Elephant", "Goat"])
    assert support.supported == ()
    assert not support.ambiguous
    assert np.isfinite(support.scores).all()


def test_two_rows_that_share_a_word_speak_for_an_option() -> None:
    facts = make_table(
        "facts",
        "",
        [["thing", "is", "kind"]],
        [
            ["a magnet", "attracts", "iron"],
            ["a refrigerator door", "contains", "iron"],
            ["a window", "contains", "glass"],
            ["a pencil", "is made of", "wood"],
            ["glass", "is", "transparent"],
        ],
    )
    support = answered("What does a magnet stick to?", ["a refrigerator", "a window", "a pencil"], [facts])
    assert {0, 1} <= set(support.evidence[0])
    pairs = support.measures[:, MEASURES.index("pair")]
    assert pairs[0] > pairs[1:].max()


def test_pools_hold_the_rows_of_all_tables_that_say_something() -> None:
    bare = make_table("bare", "", [["a", "b"]], [["x", ""], ["", ""], ["", "y"]])
    texts, places = pool_texts([bare, animals()])
    assert texts[:2] == ["x", "y"]
    assert places[:3] == [(0, 0), (0, 2), (1, 0)]


def test_rows_are_ranked_by_words_and_cosine() -> None:
    texts, _ = pool_texts([animals()])
    pool = RowPool(texts, encode(texts))
    query = "a wolverine is a carnivore"
    best = pool.ranked(pool.searched(query), encode([query])[0], 4)
    assert texts[best[0]] == "Wolverine is a(n) carnivore"
    assert len(best) == 4
    assert pool.searched("the unheard of zebra") == {"zebra"}
    assert pool.holding(frozenset({"arctic", "fox"})) == [10]
    assert pool.holding(frozenset()) == []
    assert not pool.coverage(frozenset()).any()


def test_it_is_deterministic_and_blind_to_the_order_of_options() -> None:
    question, options = "Which animal is an omnivore?", ["Zebra", "Wasps", "Gray fox", "Donkey"]
    first, again = answered(question, options), answered(question, options)
    np.testing.assert_array_equal(first.scores, again.scores)
    assert first.evidence == again.evidence
    turned = answered(question, options[::-1])
    np.testing.assert_allclose(turned.scores[::-1], first.scores, atol=1e-4)
    assert turned.supported == tuple(3 - number for number in first.supported)


def test_measures_that_do_not_differ_weigh_nothing() -> None:
    np.testing.assert_array_equal(weigh(np.ones((3, len(MEASURES))), BALANCED), np.zeros(3))


def test_one_row_and_one_option_are_enough() -> None:
    support = answered("What?", ["x"], [make_table("t", "", [["a"]], [["x"]])])
    assert support.supported == (0,)
    assert support.evidence == [[0]]
    assert support.choice.index == 0


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="need one each"):
        RowPool([], np.zeros((0, 4), np.float32))
    with pytest.raises(ValueError, match="need one each"):
        RowPool(["a"], np.zeros((2, 4), np.float32))
    texts, _ = pool_texts([animals()])
    with pytest.raises(ValueError, match="weights name"):
        support_options(option_question("a", ["b"]), RowPool(texts, encode(texts)), {"row": 1.0})
