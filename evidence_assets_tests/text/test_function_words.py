"""Where the words of a noun end."""

from __future__ import annotations

from evidence_assets.text.function_words import up_to_a_function_word


def test_a_noun_ends_at_a_function_word() -> None:
    assert up_to_a_function_word(["new", "chairs", "in", "winter"]) == ["new", "chairs"]
    assert up_to_a_function_word(["of", "chairs"]) == []
    assert up_to_a_function_word([]) == []
