"""What a claim quotes is a name: its numbers, denials and quantifiers mean nothing else."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.cells.quotations import quotations, quoted_cells, with_quoted_names
from evidence_assets.tables.programs.questions.answering import answer
from evidence_assets.tables.programs.wording.words import tokens

EPISODES = make_table(
    "episodes",
    "Episodes of Harbour Lights",
    [["No.", "Title", "Directed by", "Written by", "Viewers (millions)"]],
    [
        ["1", "The One Who Got Away", "Ada Holm", "Jo Reed", "0.95"],
        ["2", "A Horse Divided", "Ben Cole", "Jo Reed", "0.88"],
        ["3", "Two of a Kind", "Ada Holm", "Mia Lund", "1.02"],
        ["4", "The First Winter", "Cy Dahl", "Mia Lund", "1.10"],
        ["5", "No Exit", "Ben Cole", "Jo Reed", "0.79"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ('Jo Reed wrote both "The One Who Got Away" and "A Horse Divided".', True),
        ('Jo Reed wrote both "The One Who Got Away" and "Two of a Kind".', False),
        ("Jo Reed wrote both ‘The One Who Got Away’ and ‘No Exit’.", True),
        ("Jo Reed wrote 'No Exit'.", True),
        ("Mia Lund wrote “Two of a Kind” and “No Exit”.", False),
        ('"No Exit" drew more viewers than "Two of a Kind".', False),
        ('Only "No Exit" had fewer than 800,000 viewers.', True),
        ('"The One Who Got Away" was directed by Ada Holm, not by Ben Cole.', True),
    ],
)
def test_words_of_a_quoted_cell_are_a_name(claim: str, supported: bool) -> None:
    verdict = verify(claim, EPISODES)
    assert (verdict.supported, verdict.confidence > 0.6) == (supported, True), verdict.program


def test_a_program_says_a_quoted_name_as_the_claim_does() -> None:
    assert (
        "Title = the one who got away"
        in verify('Ada Holm directed "The One Who Got Away".', EPISODES).program
    )


def test_questions_quote_names_too() -> None:
    assert answer('Who wrote "The One Who Got Away"?', EPISODES).values == ("Jo Reed",)
    assert answer('Did Ben Cole direct "No Exit"?', EPISODES).values == ("yes",)


def test_what_no_cell_says_is_no_name() -> None:
    claim_tokens = tokens('Ben Cole directed "No Mercy".')
    assert with_quoted_names(claim_tokens, index_of(EPISODES)) == claim_tokens
    assert verify('Ben Cole directed "No Mercy".', EPISODES).supported is None


@pytest.mark.parametrize(
    ("claim", "supported"), [('There are "7" songs.', False), ('"All" songs are of Sony.', False)]
)
def test_a_quoted_number_or_quantifier_means_itself(claim: str, supported: bool) -> None:
    rows = [["Alpha", "7", "Sony"], ["Beta", "9", "Sony"], ["All", "4", "Emi"]]
    songs = make_table("songs", "", [["Song", "Weeks", "Label"]], rows)
    assert verify(claim, songs).supported == supported


def test_two_names_side_by_side_are_two() -> None:
    index = index_of(EPISODES)
    named = with_quoted_names(tokens('"No Exit" "Two of a Kind"'), index)
    assert [(start, end) for start, end, _, _ in quoted_cells(named, index)] == [(0, 2), (2, 6)]


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ('a "No Exit" b', ["no exit"]),
        ("the Owls' win over the Gulls' side", []),
        ('a 7" record and a 12" one', []),
        ('said «two» and "three"', ["two", "three"]),
        ('an open "quotation', []),
    ],
)
def test_a_mark_opens_a_quotation_where_a_word_is_joined_behind_alone(text: str, quoted: list[str]) -> None:
    words = tokens(text)
    assert [" ".join(token.text for token in words[start:end]) for start, end in quotations(words)] == quoted
