"""Which relations a question speaks of: shares of one, likelier for a nearer word, less for what is said."""

from __future__ import annotations

import numpy as np
import pytest

from evidence_assets.kgqa.slots.likelihoods import Likelihoods

NAMES, TYPES = ("treats", "prescribes", "works_in"), ("drug", "doctor")
COSINES = {"cures": (np.array([0.8, 0.3, 0.1]), np.array([0.1, 0.2]))}


def likelihoods(named: tuple[str, ...] = ()) -> Likelihoods:
    return Likelihoods(NAMES, np.array([0.5, 0.5, 0.2]), COSINES, TYPES, named)


def test_a_word_makes_the_relation_near_it_likelier() -> None:
    shares = likelihoods().relations_of(["cures"])
    assert sum(shares.values()) == pytest.approx(1, abs=1e-5)
    assert shares["treats"] > shares["prescribes"] > shares["works_in"]


def test_what_the_question_names_already_is_less_likely_meant_by_another_word() -> None:
    assert likelihoods(("treats",)).relations_of([])["treats"] < likelihoods().relations_of([])["treats"]


def test_one_of_several_relations_is_as_likely_as_it_fits_the_question() -> None:
    assert likelihoods().among("treats", ["treats", "prescribes"]) == 0.5
    assert likelihoods().among("works_in", ["treats", "works_in"]) < 0.1
    assert likelihoods().among("works_in", ["works_in"]) == 1


def test_words_that_were_not_encoded_stand_for_no_type() -> None:
    assert likelihoods().types_of(["unheard"]) == {}
    assert set(likelihoods().types_of(["cures"])) == set(TYPES)
