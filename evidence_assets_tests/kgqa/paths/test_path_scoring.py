"""Parts of a path's score, each by a question that only it decides."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evidence_assets.kgqa.graph.schema import Schema
from evidence_assets.kgqa.graph.vocabulary import Vocabulary
from evidence_assets.kgqa.paths.masking import masked
from evidence_assets.kgqa.paths.path_scoring import IMPLIED, PARTS, ParsingOptions, PathScorer, weighted
from evidence_assets.kgqa.paths.path_texts import MOST_WORDINGS, path_wordings
from evidence_assets.kgqa.paths.relation_paths import RelationPath
from evidence_assets_tests.testing.parsing_samples import encoder, linked_question, museum_schema

VOCABULARY = Vocabulary(museum_schema())
PAINTER = RelationPath((("painted_by", False),))
YEAR = RelationPath((("finished_in", False),))
TAUGHT_BORN = RelationPath((("taught", False), ("born_in", False)))
BORN_TAUGHT = RelationPath((("taught", False), ("taught", False)))
KEPT = RelationPath((("kept_in", False),))
PATHS = [PAINTER, YEAR, TAUGHT_BORN, BORN_TAUGHT]


def parts(text: str, name: str, type_: str, paths: list[RelationPath] = PATHS) -> dict[str, list[float]]:
    question = masked(linked_question(text, name), 0, [type_], VOCABULARY)
    scorer = PathScorer(paths, VOCABULARY, encoder())
    scored = scorer.parts(question, encoder().encode([question.text])[0])
    return dict(zip(PARTS, scored.T.tolist(), strict=True))


def with_relation(name: str, like: str) -> Schema:
    """Return the museum's schema with one more relation, of the same ends as another."""
    schema = museum_schema()
    relations = {
        **schema.relations,
        name: replace(schema.relations[like], sentences=("{head} is lent to {tail}",)),
    }
    return replace(schema, relations=relations)


def test_wordings_are_of_every_sentence() -> None:
    assert path_wordings(PAINTER, VOCABULARY) == [
        "that painting was painted by which artist",
        "which artist created that painting",
        "which artist is the painter of that painting",
    ]
    assert path_wordings(TAUGHT_BORN, VOCABULARY)[0] == (
        "that artist taught a artist, the artist was born in which city"
    )
    assert path_wordings(PAINTER, VOCABULARY, templates=False) == ["that painting painted by which artist"]
    long = RelationPath((("taught", False),) * 3)
    assert len(path_wordings(long, VOCABULARY)) == MOST_WORDINGS


def test_a_path_is_scored_by_the_type_of_its_answer() -> None:
    assert parts("When was Blue Harbour done?", "Blue Harbour", "work")["type"] == [-1, 1, -1, -1]
    assert parts("What did Ines Alder do?", "Ines Alder", "artist")["type"] == [0.5, 0.5, -0.5, -0.5]


def test_who_and_where_ask_for_more_than_persons_and_places() -> None:
    scored = parts("Who keeps Blue Harbour?", "Blue Harbour", "work", [PAINTER, YEAR, KEPT])
    assert scored["type"] == [1, -1, 0], "and yet for nothing that is asked for by when"
    # "who" says no relation, though it is a word for the type that one leads to.
    assert scored["coverage"] == [0, 0, 1]
    assert scored["unsaid"][0] == scored["unsaid"][1] == 1 > scored["unsaid"][2]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Where is Blue Harbour?", True),
        ("Where can I find Blue Harbour?", True),
        ("Where was Blue Harbour restored?", False),
        ("Who is Blue Harbour?", False),
    ],
)
def test_where_alone_says_the_one_relation_to_a_place(text: str, said: bool) -> None:
    scored = parts(text, "Blue Harbour", "work", [PAINTER, YEAR, KEPT])
    assert scored["unsaid"] == [1, 1, 0 if said else 1]


def test_where_alone_does_not_choose_among_relations() -> None:
    lent = Vocabulary(with_relation("lent_to", "kept_in"))
    question = masked(linked_question("Where is Blue Harbour?", "Blue Harbour"), 0, ["work"], lent)
    scorer = PathScorer([KEPT, RelationPath((("lent_to", False),))], lent, encoder())
    scored = scorer.parts(question, encoder().encode([question.text])[0])
    assert scored.T.tolist()[PARTS.index("unsaid")] == [1, 1]


def test_coverage_and_unsaid_words() -> None:
    scored = parts("Blue Harbour was painted by whom?", "Blue Harbour", "work")
    assert scored["coverage"][0] == 1
    assert scored["coverage"][1] < 1
    assert scored["unsaid"][0] < scored["unsaid"][1]
    unknown = parts("Blue Harbour?", "Blue Harbour", "work")
    assert unknown["coverage"] == [0, 0, 0, 0]
    assert unknown["unsaid"] == [1, 1, 1 + IMPLIED, 2], "an artist and a city are joined by birth alone"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Whom did Ines Alder teach?", False),
        ("Who was taught by someone whom Ines Alder taught?", True),
        ("Who shares a teacher with Ines Alder?", True),
    ],
)
def test_a_relation_is_said_twice_or_walked_once(text: str, said: bool) -> None:
    [unsaid] = parts(text, "Ines Alder", "artist", [BORN_TAUGHT])["unsaid"]
    assert unsaid == (0 if said else 1)


def test_a_step_is_implied_where_no_other_relation_joins_its_types() -> None:
    died = Vocabulary(with_relation("died_in", "born_in"))
    question = masked(linked_question("Ines Alder?", "Ines Alder"), 0, ["artist"], died)
    scorer = PathScorer([TAUGHT_BORN], died, encoder())
    scored = scorer.parts(question, encoder().encode([question.text])[0])
    assert scored.T.tolist()[PARTS.index("unsaid")] == [2], "they may have died there"


def test_the_first_step_stands_near_the_topic() -> None:
    near = RelationPath((("painted_by", True), ("kept_in", False)))
    far = RelationPath((("kept_in", True), ("painted_by", False)))
    text = "Which museum keeps works painted by Ines Alder?"
    assert parts(text, "Ines Alder", "artist", [near])["position"] == [1]
    assert parts(text, "Ines Alder", "artist", [far])["position"] == [-1]
    assert parts(text, "Ines Alder", "artist", [PAINTER])["position"] == [0]


def test_longer_paths_have_more_length_and_cosines_are_rounded() -> None:
    scored = parts("Who taught Mira Quist?", "Mira Quist", "artist")
    assert scored["length"] == [0, 0, 1, 1]
    assert scored["cosine"] == [round(value, 6) for value in scored["cosine"]]
    assert max(scored["cosine"]) <= 1


def test_no_paths_have_no_scores() -> None:
    question = masked(linked_question("Who taught Mira Quist?", "Mira Quist"), 0, ["artist"], VOCABULARY)
    scorer = PathScorer([], VOCABULARY, encoder())
    scored = scorer.parts(question, np.zeros(encoder().dimension, dtype=np.float32))
    assert weighted(scored, ParsingOptions().weights).shape == (0,)


def test_scores_are_weighted_sums() -> None:
    scored = np.array([[0.5, 1, 0.5, 1, 1, 0.5, -1]])
    expected = 0.5 + 0.2 + 0.15 + 0.1 - 0.03 - 0.1 - 0.1
    assert weighted(scored, ParsingOptions().weights)[0] == pytest.approx(expected)
