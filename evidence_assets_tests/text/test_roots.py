from __future__ import annotations

import pytest

from evidence_assets.text.roots import possible_roots, root, stem


@pytest.mark.parametrize(
    ("word", "expected"), [("apples", "appl"), ("Running", "run"), ("caresses", "caress")]
)
def test_stems_are_those_of_the_snowball_algorithm(word: str, expected: str) -> None:
    assert stem(word) == stem(word.upper()) == expected


def test_a_root_joins_the_irregular_forms_that_stems_keep_apart() -> None:
    assert root("wrote") == root("Written") == root("writes")
    assert len({stem("wrote"), stem("written"), stem("writes")}) == 3
    assert root("apple") != root("maple")


def test_a_form_of_two_verbs_has_the_roots_of_both() -> None:
    assert possible_roots("found") == (root("find"), root("founded"))
    assert possible_roots("apples") == (root("apple"),)
