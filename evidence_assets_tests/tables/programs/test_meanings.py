"""Words of a claim that bind to a column by meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from evidence_assets.evidence.accounting import Role
from evidence_assets.models.encoder import FloatArray
from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.verdicts.meanings import LEAST_SIMILARITY, meanings_of
from evidence_assets.tables.programs.verdicts.verification import rank_programs, verify
from evidence_assets_tests.testing.approximate_numbers import approximately

OUTBREAKS = make_table(
    "outbreaks",
    "",
    [["Province", "Year", "Fatalities"]],
    [["Quebec", "2007", "94"], ["Ontario", "2008", "53"], ["Alberta", "2011", "678"]],
)
VALLEYS = make_table(
    "valleys", "", [["Crop", "Valley"]], [["Wheat", "North Valley"], ["Rye", "South Valley"]]
)
CLAIM = "Quebec had the fewest deaths"


class Nearness:
    """An encoder for which some pairs of words are so near, and all others at right angles."""

    def __init__(self, near: Mapping[tuple[str, str], float]) -> None:
        self.near, self.calls = near, list[list[str]]()

    def __call__(self, texts: Sequence[str]) -> FloatArray:
        self.calls.append(list(texts))
        vectors = np.eye(len(texts), dtype=np.float32)
        for (word, synonym), cosine in self.near.items():
            if word in texts and synonym in texts:
                first, second = texts.index(word), texts.index(synonym)
                vectors[first] = cosine * vectors[second]
                vectors[first, first] = np.sqrt(1 - cosine**2)
        return vectors


def test_a_synonym_is_bound_by_meaning_and_says_so() -> None:
    [meant] = meanings_of([(CLAIM, OUTBREAKS)], Nearness({("deaths", "fatalities"): 0.8}))
    assert {word: (entry.column, entry.similarity) for word, entry in meant.items()} == {
        "deaths": ("Fatalities", approximately(0.8, 1e-6))
    }
    before, after = verify(CLAIM, OUTBREAKS), verify(CLAIM, OUTBREAKS, meant)
    assert "deaths" in before.accounting.unaccounted
    [binding] = [entry for entry in after.accounting.bindings if entry.role is Role.MEANING]
    assert (binding.text, binding.similarity) == ("deaths", approximately(0.8, 1e-6))
    assert "Fatalities" in binding.target
    assert after.supported is False
    assert "Fatalities" in after.program
    assert rank_programs(CLAIM, OUTBREAKS, meant)[0] == after


def test_a_unit_is_not_read_as_another() -> None:
    trails = make_table("trails", "", [["Trail", "Km to hut"]], [["Ash", "11"], ["Birk", "6"]])
    claim = "Ash is under seven miles away"
    assert meanings_of([(claim, trails)], Nearness({("miles", "km"): 0.8})) == [{}]


def test_what_is_bound_by_meaning_makes_no_verdict_surer_than_what_is_left_over() -> None:
    [meant] = meanings_of([(CLAIM, OUTBREAKS)], Nearness({("deaths", "fatalities"): 0.99}))
    named = verify("Quebec had the fewest fatalities", OUTBREAKS)
    assert verify(CLAIM, OUTBREAKS, meant).reliability < named.reliability


@pytest.mark.parametrize("cosine", [0.0, LEAST_SIMILARITY - 0.01])
def test_what_is_less_near_stays_unaccounted(cosine: float) -> None:
    [meant] = meanings_of([(CLAIM, OUTBREAKS)], Nearness({("deaths", "fatalities"): cosine}))
    assert meant == {}
    assert verify(CLAIM, OUTBREAKS, meant) == verify(CLAIM, OUTBREAKS)


def test_an_absent_predicate_is_not_supported() -> None:
    claim = "Wheat destroys the North Valley"
    [meant] = meanings_of([(claim, VALLEYS)], Nearness({}))
    assert not verify(claim, VALLEYS, meant).supported


def test_every_word_is_encoded_once_and_none_where_none_is_lacking() -> None:
    encode = Nearness({})
    meanings_of([(CLAIM, OUTBREAKS), (CLAIM, OUTBREAKS)], encode)
    [texts] = encode.calls
    assert len(texts) == len(set(texts))
    assert meanings_of([("Quebec had 94 fatalities", OUTBREAKS), ("word " * 200, OUTBREAKS)], encode) == [
        {},
        {},
    ]
    assert meanings_of([], encode) == []
    assert len(encode.calls) == 1
