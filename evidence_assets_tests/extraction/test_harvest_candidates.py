"""What a relation's harvest keeps before any arm ranks it: prompts, candidates and their scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from evidence_assets.extraction import harvesting
from evidence_assets.extraction.arms import ARMS, FINAL
from evidence_assets.extraction.as_printed.bertnet import contrast
from evidence_assets.extraction.filters import stems_of
from evidence_assets.extraction.harvesting import (
    EMPTY,
    KNOWN_WITHIN,
    candidate_rows,
    candidates_of,
    capture_rows,
    find_candidates,
    harvest,
    log_probabilities_by_prompt,
    prompt_rows,
    readiness,
)
from evidence_assets.extraction.pair_scores import (
    final_scores,
    fluencies,
    perplexities,
    statistics_of,
    transport_distances,
)
from evidence_assets.extraction.probing import HEAD, SHAPES, TAIL, Probe, filled, word_indices
from evidence_assets.extraction.prompt_scores import MOST_PROMPTS, score_prompts
from evidence_assets.lake.schemas import CANDIDATE_PAIRS, PROMPT_CAPTURES, RELATION_PROMPTS
from evidence_assets.models.encoder import SentenceTransformerEncoder
from evidence_assets_tests.testing.harvest_samples import (
    KNOWN,
    PROMPTS,
    SEED_FILE,
    SETTINGS,
    WAYS,
    checked,
    probe_of,
    scoring_of,
)
from evidence_assets_tests.testing.masked_lm_samples import HashedEncoder, HashedModel, Literal, words_of

# Readiness


def test_a_model_is_asked_for_the_ends_that_are_one_word() -> None:
    # Both of the first seed, the tail of the second.
    known, total = readiness(HashedModel(KNOWN), SEED_FILE)
    assert total == 3
    assert 0 <= known <= 3
    spelled = replace(SEED_FILE, pairs=(("xylem", "zygote"), ("drum wheel", "eagle beak")))
    assert readiness(HashedModel(KNOWN), spelled) == (0, 0)


class Blind(HashedModel):
    """Gives every word its own rank, whatever it is asked."""

    def logits(self, row: tuple[int, ...], place: int) -> np.ndarray:
        return -np.arange(len(self.vocabulary)) / 10


def test_an_end_is_known_if_it_is_among_the_ten_likeliest_words() -> None:
    names = [f"{letter}word" for letter in "abcdefghijklmnop"]
    model = Blind(names)
    for place, name in enumerate(names):
        seed = replace(SEED_FILE, pairs=((name, "two words"),))
        assert readiness(model, seed) == (int(place < KNOWN_WITHIN), 1)


def test_ends_are_asked_for_in_the_seeds_own_prompt() -> None:
    """Heads where the head stands, tails where the tail stands, whichever is read first."""
    probed: list[str] = []

    class Listening(Blind):
        def tokens(self, text: str) -> list[int]:
            probed.append(text)
            return super().tokens(text)

    readiness(Listening(KNOWN), replace(SEED_FILE, prompt=PROMPTS[1]))
    assert probed == ["the [MASK] holds apple.", "the tree holds [MASK].", "the [MASK] holds drum wheel."]


# Prompts


class Writing:
    """Writes given sentences, of whatever order."""

    maker_id = "writing"

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = list(texts)

    def sentences(self, keywords: Sequence[str], pairs: Sequence[tuple[str, str]]) -> list[str]:
        return self._texts


class Unread(SentenceTransformerEncoder):
    """The encoder that finds keywords, where they are given."""

    def __init__(self) -> None:
        """Load nothing."""


def prompts_written(monkeypatch: pytest.MonkeyPatch, texts: Sequence[str]) -> list[dict[str, Any]]:
    monkeypatch.setattr(harvesting, "keywords_of", lambda *_: [])
    monkeypatch.setattr("evidence_assets.extraction.prompts.keeps_direction", lambda *_: True)
    rows = prompt_rows(HashedModel(KNOWN), HashedEncoder(), Unread(), Writing(texts), SEED_FILE)
    written: list[dict[str, Any]] = checked(rows, RELATION_PROMPTS).to_pylist()
    ranked = sorted(written, key=lambda row: row["rank"])
    assert [row["rank"] for row in ranked] == list(range(len(ranked)))
    assert [row["prompt"] for row in ranked if row["initial"]] == [SEED_FILE.prompt]
    assert sum(row["weight"] for row in ranked) == pytest.approx(1)
    assert [row["score"] for row in ranked] == sorted((row["score"] for row in ranked), reverse=True)
    return ranked


def test_prompts_are_scored_and_weighted(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [PROMPTS[1], f"an element of {TAIL} is {HEAD}"]
    ranked = prompts_written(monkeypatch, texts)
    assert {row["prompt"] for row in ranked} == {SEED_FILE.prompt, *texts}
    model = HashedModel(KNOWN)
    given_ = [row["prompt"] for row in ranked]
    scores = score_prompts(model, HashedEncoder(), SEED_FILE.prompt, given_, SEED_FILE.pairs)
    for row, expected in zip(ranked, scores, strict=True):
        assert [row["similarity"], row["overlap"], row["certainty"]] == pytest.approx(
            [expected.similarity, expected.overlap, expected.certainty]
        )
        assert row["score"] == pytest.approx(expected.score)
        assert row["weight"] == pytest.approx(expected.score / sum(score.score for score in scores))
        assert (row["model_id"], row["made_by"], row["relation"]) == (model.model_id, "writing", "PartOf")
        by_pair = log_probabilities_by_prompt(Probe(model, [row["prompt"]], [1]), SEED_FILE.pairs, True)
        assert row["seed_log_probability"] == pytest.approx(by_pair.mean(), rel=1e-5)
        assert row["contrast"] == pytest.approx(contrast(model, row["prompt"], SEED_FILE.pairs))


def test_a_relation_without_paraphrases_has_its_initial_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    [row] = prompts_written(monkeypatch, [])
    assert (row["initial"], row["weight"]) == (True, 1.0)


def test_the_initial_prompt_is_kept_where_twenty_others_are_better(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"the part {chr(97 + place) * 2} {HEAD} is of {TAIL}" for place in range(26)]
    model = HashedModel(KNOWN)
    scores = score_prompts(
        model, HashedEncoder(), SEED_FILE.prompt, [SEED_FILE.prompt, *texts], SEED_FILE.pairs
    )
    better = sorted(
        (score for score in scores[1:] if score.score > scores[0].score), key=lambda score: -score.score
    )
    assert len(better) > MOST_PROMPTS
    ranked = prompts_written(monkeypatch, texts)
    assert len(ranked) == MOST_PROMPTS
    assert [row["prompt"] for row in ranked] == [*(score.prompt for score in better[:19]), SEED_FILE.prompt]


# Candidates


@pytest.mark.parametrize("bidirectional", WAYS)
def test_candidates_have_the_score_of_the_search(bidirectional: bool) -> None:
    probe = probe_of()
    candidates = find_candidates(probe, replace(SETTINGS, bidirectional=bidirectional))
    assert (
        len(candidates.pairs)
        == len(candidates.shapes)
        == len(candidates.log_probabilities)
        == len(set(candidates.pairs))
    )
    assert set(candidates.shapes) == {str(shape) for shape in SHAPES}
    numbers, literal = word_indices(probe.model), Literal(probe)
    for pair, shape, value in zip(
        candidates.pairs, candidates.shapes, candidates.log_probabilities.tolist(), strict=True
    ):
        ends = words_of(pair, numbers)
        assert shape == f"{len(ends[0])}-{len(ends[1])}"
        assert value == pytest.approx(literal.score(*ends, bidirectional), abs=2e-4)
        stems = [stem for side in pair for stem in stems_of(side)]
        assert len(set(stems)) == len(stems)
        assert not {"part", "of", "is", "the", "holds"} & {word for side in pair for word in side.split()}


def test_candidates_are_read_back_from_their_rows() -> None:
    candidates = find_candidates(probe_of(), SETTINGS)
    rows = checked(candidate_rows("multi", "PartOf", "model", candidates), CANDIDATE_PAIRS)
    back = candidates_of(rows, capture_rows("multi", "PartOf", candidates))
    assert set(zip(back.pairs, back.shapes, back.log_probabilities.tolist(), strict=True)) == set(
        zip(candidates.pairs, candidates.shapes, candidates.log_probabilities.tolist(), strict=True)
    )
    assert set(rows.column("search").to_pylist()) == {"multi"}


def test_where_no_word_is_allowed_nothing_is_found() -> None:
    model = HashedModel(["part", "parts", "the", "of"])
    assert find_candidates(Probe(model, [SEED_FILE.prompt], [1]), SETTINGS) == EMPTY
    rows = checked(candidate_rows("multi", "PartOf", "model", EMPTY), CANDIDATE_PAIRS)
    assert rows.num_rows == 0
    captured = checked(capture_rows("multi", "PartOf", EMPTY), PROMPT_CAPTURES)
    assert candidates_of(rows, captured).pairs == []


@pytest.mark.parametrize("bidirectional", WAYS)
def test_a_pairs_log_probability_under_each_prompt_is_a_search_of_that_prompt(bidirectional: bool) -> None:
    probe = probe_of()
    pairs = [("apple", "bread"), ("drum", "eagle tree"), ("cheese drum", "apple"), ("eagle", "drum")]
    pairs.append(("apple eagle", "wheel drum"))
    by_prompt = log_probabilities_by_prompt(probe, pairs, bidirectional)
    numbers = word_indices(probe.model)
    for prompt, row in zip(PROMPTS, by_prompt.tolist(), strict=True):
        literal = Literal(Probe(probe.model, [prompt], [1]))
        for pair, value in zip(pairs, row, strict=True):
            ends = words_of(pair, numbers)
            assert value == pytest.approx(literal.score(*ends, bidirectional), abs=1e-4)
    assert log_probabilities_by_prompt(probe, [], bidirectional).shape == (2, 0)


# Scores


def test_an_arms_scores_are_those_of_its_sentences() -> None:
    probe = probe_of()
    candidates = find_candidates(probe, SETTINGS)
    sentences = [filled(SEED_FILE.prompt, *pair) for pair in candidates.pairs]
    statistics, encoder = statistics_of(sentences), HashedEncoder()
    seeds = encoder.encode_words([filled(SEED_FILE.prompt, *pair) for pair in SEED_FILE.pairs])
    scoring = scoring_of(probe)
    for name in ("kbloom", "kbloom_euclidean", "kbloom_paper", "kbloom_likelihood"):
        arm = ARMS[name]
        scores = scoring.scores(arm, probe, candidates)
        distances = transport_distances(
            encoder.encode_words(sentences), seeds, statistics, arm.cost, arm.printed
        )
        hardness = perplexities(probe.model, sentences)
        fluency = fluencies(sentences, hardness, statistics, arm.printed)
        np.testing.assert_allclose(scores["distance"], distances.mean(axis=1))
        np.testing.assert_allclose(scores["perplexity"], hardness)
        np.testing.assert_allclose(scores["fluency"], fluency)
        final = final_scores(distances, fluency, arm.printed)
        expected = final if arm.ranked_by == FINAL else candidates.log_probabilities
        np.testing.assert_allclose(scores["score"], expected)


def test_what_several_arms_need_is_worked_out_once() -> None:
    probe = probe_of()
    candidates = find_candidates(probe, SETTINGS)
    scoring = scoring_of(probe)
    scoring.scores(ARMS["kbloom"], probe, candidates)
    assert isinstance(probe.model, HashedModel)
    before = probe.model.rows_run
    scoring.scores(ARMS["kbloom_euclidean"], probe, candidates)
    scoring.scores(ARMS["kbloom_likelihood"], probe, candidates)
    assert probe.model.rows_run == before


def test_pairs_that_several_arms_keep_are_put_to_each_prompt_once() -> None:
    probe = probe_of()
    candidates = find_candidates(probe, SETTINGS)
    scoring = scoring_of(probe)
    first = harvest(scoring, probe, ARMS["kbloom"], SEED_FILE, candidates, True, 10)
    run: list[int] = []
    for name in ("kbloom_likelihood", "kbloom_euclidean", "kbloom"):
        before = probe.passes
        again = harvest(scoring, probe, ARMS[name], SEED_FILE, candidates, True, 10)
        run.append(probe.passes - before)
        alone = harvest(scoring_of(probe), probe, ARMS[name], SEED_FILE, candidates, True, 10)
        assert again.equals(alone)
    assert again.equals(first)
    # The first arm again: of its triples nothing is left to ask.
    assert run[2] == 0
