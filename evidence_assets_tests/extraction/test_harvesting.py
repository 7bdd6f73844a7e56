"""A relation harvested with a made-up model: prompts, candidates, triples, and what each row tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from evidence_assets.extraction import harvesting
from evidence_assets.extraction.arms import ARMS, COSINE, FINAL, LIKELIHOOD, SEARCHES, Arm
from evidence_assets.extraction.as_printed.bertnet import compatibilities, contrast
from evidence_assets.extraction.confidence import calibrated
from evidence_assets.extraction.filters import (
    GENERIC,
    REVERSED,
    SEED,
    flags_of,
    most_of_each,
    stem,
    stem_numbers,
    stems_of,
)
from evidence_assets.extraction.harvesting import (
    EMPTY,
    KNOWN_WITHIN,
    Candidates,
    Scoring,
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
from evidence_assets.extraction.quality import captures_coverage
from evidence_assets.extraction.search import SearchSettings, search
from evidence_assets.extraction.seeds import RelationSeed
from evidence_assets.lake.parquet import check_sorted, conform
from evidence_assets.lake.schemas import (
    CANDIDATE_PAIRS,
    HARVESTED_TRIPLES,
    PROMPT_CAPTURES,
    RELATION_PROMPTS,
)
from evidence_assets.lake.schemas.declaration import Table
from evidence_assets.sources.graphs.lake_triples import mined_sources
from evidence_assets_tests.testing.masked_lm_samples import HashedEncoder, HashedModel, Literal

ENTITIES = ["apple", "apples", "bread", "cheese", "drum", "eagle", "material", "trees", "tree", "wheel"]
KNOWN = [*ENTITIES, "part", "of", "is", "the", "holds", "an", "element"]
SEED_FILE = RelationSeed(
    name="PartOf",
    prompt=f"{HEAD} is part of {TAIL}",
    pairs=(("apple", "tree"), ("drum wheel", "eagle")),
    template="{head} is part of {tail}",
    head_type="thing",
    tail_type="thing",
    content_hash="0" * 16,
)
PROMPTS = (SEED_FILE.prompt, f"the {TAIL} holds {HEAD}")
SETTINGS = SearchSettings(list_size=16, most_phrases=12, branch=4)
WAYS = [pytest.param(False, id="one way"), pytest.param(True, id="both ways")]


def checked(rows: pa.Table, table: Table) -> pa.Table:
    """Rows that have the declared columns and are sorted and unique by the table's key."""
    assert conform(rows, table).equals(rows)
    check_sorted(rows.combine_chunks(), table, None)
    return rows


def probe_of(seed: int = 0, prompts: Sequence[str] = PROMPTS, weights: Sequence[float] = (1, 3)) -> Probe:
    return Probe(HashedModel(KNOWN, seed), prompts, weights)


def scoring_of(probe: Probe) -> Scoring:
    return Scoring(probe.model, HashedEncoder(), SEED_FILE)


def harvested(
    probe: Probe,
    arm: Arm = ARMS["kbloom"],
    bidirectional: bool = True,
    wanted: int = 30,
    seed: RelationSeed = SEED_FILE,
) -> tuple[list[dict], Candidates]:
    """Triples by rank."""
    found = find_candidates(probe, replace(SETTINGS, bidirectional=bidirectional))
    rows = harvest(scoring_of(probe), probe, arm, seed, found, bidirectional, wanted)
    return sorted(checked(rows, HARVESTED_TRIPLES).to_pylist(), key=lambda row: row["rank"]), found


# Readiness


def test_a_model_is_asked_for_the_ends_that_are_one_word() -> None:
    # Both of the first seed, the tail of the second.
    known, asked = readiness(HashedModel(KNOWN), SEED_FILE)
    assert asked == 3
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
    asked: list[str] = []

    class Listening(Blind):
        def tokens(self, text: str) -> list[int]:
            asked.append(text)
            return super().tokens(text)

    readiness(Listening(KNOWN), replace(SEED_FILE, prompt=PROMPTS[1]))
    assert asked == [
        "the [MASK] holds apple.",
        "the tree holds [MASK].",
        "the [MASK] holds drum wheel.",
    ]


# Prompts


class Writing:
    """Writes given sentences, of whatever order."""

    maker_id = "writing"

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = list(texts)

    def sentences(self, keywords: Sequence[str], pairs: Sequence[tuple[str, str]]) -> list[str]:
        return self._texts


def prompts_written(monkeypatch: pytest.MonkeyPatch, texts: Sequence[str]) -> list[dict]:
    monkeypatch.setattr(harvesting, "keywords_of", lambda *_: [])
    monkeypatch.setattr("evidence_assets.extraction.prompts.keeps_direction", lambda *_: True)
    rows = prompt_rows(HashedModel(KNOWN), HashedEncoder(), None, Writing(texts), SEED_FILE)
    found = checked(rows, RELATION_PROMPTS).to_pylist()
    ranked = sorted(found, key=lambda row: row["rank"])
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
    for row, one in zip(ranked, scores, strict=True):
        assert [row["similarity"], row["overlap"], row["certainty"]] == pytest.approx(
            [one.similarity, one.overlap, one.certainty]
        )
        assert row["score"] == pytest.approx(one.score)
        assert row["weight"] == pytest.approx(one.score / sum(other.score for other in scores))
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
    better = sorted((one for one in scores[1:] if one.score > scores[0].score), key=lambda one: -one.score)
    assert len(better) > MOST_PROMPTS
    ranked = prompts_written(monkeypatch, texts)
    assert len(ranked) == MOST_PROMPTS
    assert [row["prompt"] for row in ranked] == [*(one.prompt for one in better[:19]), SEED_FILE.prompt]


# Candidates


@pytest.mark.parametrize("bidirectional", WAYS)
def test_candidates_have_the_score_of_the_search(bidirectional: bool) -> None:
    probe = probe_of()
    found = find_candidates(probe, replace(SETTINGS, bidirectional=bidirectional))
    assert len(found.pairs) == len(found.shapes) == len(found.log_probabilities) == len(set(found.pairs))
    assert set(found.shapes) == {str(shape) for shape in SHAPES}
    numbers, literal = word_indices(probe.model), Literal(probe)
    for pair, shape, value in zip(found.pairs, found.shapes, found.log_probabilities.tolist(), strict=True):
        ends = [tuple(numbers[word] for word in side.split()) for side in pair]
        assert shape == f"{len(ends[0])}-{len(ends[1])}"
        assert value == pytest.approx(literal.score(*ends, bidirectional), abs=2e-4)
        said = [stem for side in pair for stem in stems_of(side)]
        assert len(set(said)) == len(said)
        assert not {"part", "of", "is", "the", "holds"} & {word for side in pair for word in side.split()}


def test_candidates_are_read_back_from_their_rows() -> None:
    found = find_candidates(probe_of(), SETTINGS)
    rows = checked(candidate_rows("multi", "PartOf", "model", found), CANDIDATE_PAIRS)
    back = candidates_of(rows, capture_rows("multi", "PartOf", found))
    assert set(zip(back.pairs, back.shapes, back.log_probabilities.tolist(), strict=True)) == set(
        zip(found.pairs, found.shapes, found.log_probabilities.tolist(), strict=True)
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
    found = log_probabilities_by_prompt(probe, pairs, bidirectional)
    numbers = word_indices(probe.model)
    for prompt, row in zip(PROMPTS, found.tolist(), strict=True):
        literal = Literal(Probe(probe.model, [prompt], [1]))
        for pair, value in zip(pairs, row, strict=True):
            ends = [tuple(numbers[word] for word in side.split()) for side in pair]
            assert value == pytest.approx(literal.score(*ends, bidirectional), abs=1e-4)
    assert log_probabilities_by_prompt(probe, [], bidirectional).shape == (2, 0)


# Scores


def test_an_arms_scores_are_those_of_its_sentences() -> None:
    probe = probe_of()
    found = find_candidates(probe, SETTINGS)
    sentences = [filled(SEED_FILE.prompt, *pair) for pair in found.pairs]
    statistics, encoder = statistics_of(sentences), HashedEncoder()
    seeds = encoder.encode_words([filled(SEED_FILE.prompt, *pair) for pair in SEED_FILE.pairs])
    scoring = scoring_of(probe)
    for name in ("kbloom", "kbloom_euclidean", "kbloom_paper", "kbloom_likelihood"):
        arm = ARMS[name]
        scores = scoring.scores(arm, probe, found)
        distances = transport_distances(
            encoder.encode_words(sentences), seeds, statistics, arm.cost, arm.printed
        )
        hardness = perplexities(probe.model, sentences)
        fluency = fluencies(sentences, hardness, statistics, arm.printed)
        np.testing.assert_allclose(scores["distance"], distances.mean(axis=1))
        np.testing.assert_allclose(scores["perplexity"], hardness)
        np.testing.assert_allclose(scores["fluency"], fluency)
        final = final_scores(distances, fluency, arm.printed)
        expected = final if arm.ranked_by == FINAL else found.log_probabilities
        np.testing.assert_allclose(scores["score"], expected)


def test_what_several_arms_need_is_worked_out_once() -> None:
    probe = probe_of()
    found = find_candidates(probe, SETTINGS)
    scoring = scoring_of(probe)
    scoring.scores(ARMS["kbloom"], probe, found)
    before = probe.model.rows_run
    scoring.scores(ARMS["kbloom_euclidean"], probe, found)
    scoring.scores(ARMS["kbloom_likelihood"], probe, found)
    assert probe.model.rows_run == before


def test_pairs_that_several_arms_keep_are_put_to_each_prompt_once() -> None:
    probe = probe_of()
    found = find_candidates(probe, SETTINGS)
    scoring = scoring_of(probe)
    first = harvest(scoring, probe, ARMS["kbloom"], SEED_FILE, found, True, 10)
    run: list[int] = []
    for name in ("kbloom_likelihood", "kbloom_euclidean", "kbloom"):
        before = probe.passes
        again = harvest(scoring, probe, ARMS[name], SEED_FILE, found, True, 10)
        run.append(probe.passes - before)
        alone = harvest(scoring_of(probe), probe, ARMS[name], SEED_FILE, found, True, 10)
        assert again.equals(alone)
    assert again.equals(first)
    # The first arm again: of its triples nothing is left to ask.
    assert run[2] == 0


# Triples


@pytest.mark.parametrize("name", ["kbloom", "kbloom_paper", "bertnet_simplified", "kbloom_likelihood"])
@pytest.mark.parametrize("bidirectional", WAYS)
def test_triples_are_the_best_candidates_of_which_no_entity_is_too_frequent(
    name: str, bidirectional: bool
) -> None:
    probe, arm = probe_of(), ARMS[name]
    rows, found = harvested(probe, arm, bidirectional, wanted=25)
    scores = scoring_of(probe).scores(arm, probe, found)
    order = sorted(
        range(len(found.pairs)), key=lambda place: (-round(scores["score"][place], 6), found.pairs[place])
    )
    kept = most_of_each([found.pairs[place] for place in order], arm.most_of_head, arm.most_of_entity, 25)
    expected = [order[number] for number in kept]
    assert [(row["head"], row["tail"]) for row in rows] == [found.pairs[place] for place in expected]
    assert [row["rank"] for row in rows] == list(range(len(rows)))
    for row, place in zip(rows, expected, strict=True):
        for column in ("score", "distance", "perplexity", "fluency"):
            assert row[column] == pytest.approx(scores[column][place])
        assert row["log_probability"] == found.log_probabilities[place]
        assert row["shape"] == found.shapes[place]
        assert (row["kg"], row["relation"], row["model_id"]) == (name, "PartOf", "hashed-0")
    assert len({row["triple_id"] for row in rows}) == len(rows)


def test_bertnets_graph_is_its_own_list_ranked_by_its_own_score() -> None:
    """No entity is cut a second time, and neither the thesis's score nor the search's ranks the pairs."""
    probe, arm = probe_of(), ARMS["bertnet"]
    settings = replace(SETTINGS, one_list=True, most_of_word=SEARCHES[arm.search].most_of_word)
    found = find_candidates(probe, settings)
    rows = harvest(scoring_of(probe), probe, arm, SEED_FILE, found, False, 100).to_pylist()
    ranked = sorted(rows, key=lambda row: row["rank"])
    assert {(row["head"], row["tail"]) for row in ranked} == set(found.pairs)
    assert len(ranked) == settings.list_size
    pairs = [(row["head"], row["tail"]) for row in ranked]
    fit = compatibilities(probe, pairs)
    np.testing.assert_allclose([row["score"] for row in ranked], fit)
    assert (np.diff(fit) <= 1e-6).all()
    by_search = [row["log_probability"] for row in ranked]
    assert by_search != sorted(by_search, reverse=True)
    times = Counter(word for pair in pairs for entity in pair for word in entity.split())
    assert max(times.values()) == 5


def test_a_triple_has_an_id_of_its_own_in_each_arm() -> None:
    ids = [
        {row["triple_id"] for row in harvested(probe_of(), ARMS[name])[0]} for name in ("kbloom", "bertnet")
    ]
    assert not ids[0] & ids[1]
    assert ids[0] == {row["triple_id"] for row in harvested(probe_of(), ARMS["kbloom"])[0]}


def test_flags_name_seeds_generic_tails_and_reversed_pairs() -> None:
    found = Candidates(
        [
            ("apples", "trees"),
            ("drum", "material"),
            ("eagle", "bread"),
            ("bread", "eagle"),
            ("drum wheel", "eagle"),
        ],
        ["1-1", "1-1", "1-1", "1-1", "2-1"],
        np.array([-1.0, -2.0, -3.0, -4.0, -5.0]),
    )
    probe, arm = probe_of(), ARMS["kbloom_likelihood"]
    rows = harvest(scoring_of(probe), probe, arm, SEED_FILE, found, True, 10).to_pylist()
    flags = {(row["head"], row["tail"]): row["flags"] for row in rows}
    assert flags == {
        ("apples", "trees"): [SEED],
        ("drum", "material"): [GENERIC],
        ("eagle", "bread"): [],
        ("bread", "eagle"): [REVERSED],
        ("drum wheel", "eagle"): [SEED],
    }


def test_flags_are_of_the_triples_that_are_kept() -> None:
    told = []
    for arm in (ARMS["kbloom"], ARMS["kbloom_paper"]):
        rows, _ = harvested(probe_of(3), arm, wanted=60)
        pairs = [(row["head"], row["tail"]) for row in rows]
        own = [[flag for flag in row["flags"] if flag != SEED] for row in rows]
        assert own == flags_of(pairs)
        told += own
    assert {flag for flags in told for flag in flags} == {GENERIC, REVERSED}


def found_alone(probe: Probe, settings: SearchSettings) -> dict[tuple[str, str], list[str]]:
    """The prompts that find each pair in a search of their own, among words that no prompt holds."""
    model = probe.model
    barred = [stem(word) for word in ("part", "of", "is", "the", "holds")]
    allowed = np.array([number for number, word in enumerate(model.words) if stem(word) not in barred])
    captures: dict[tuple[str, str], list[str]] = {}
    for prompt in sorted(probe.prompts):
        alone = search(Probe(model, [prompt], [1]), allowed, stem_numbers(model.words), settings)
        for one in alone.values():
            for head, tail in one.pairs:
                pair = (" ".join(model.words[n] for n in head), " ".join(model.words[n] for n in tail))
                captures.setdefault(pair, []).append(prompt)
    return captures


@pytest.mark.parametrize("bidirectional", WAYS)
def test_a_triple_names_the_prompts_that_find_it_alone(bidirectional: bool) -> None:
    probe = probe_of(2)
    rows, _ = harvested(probe, bidirectional=bidirectional)
    captures = found_alone(probe, replace(SETTINGS, bidirectional=bidirectional))
    likely = log_probabilities_by_prompt(probe, [(row["head"], row["tail"]) for row in rows], bidirectional)
    for row, values in zip(rows, likely.T.tolist(), strict=True):
        assert [one["prompt"] for one in row["prompts"]] == list(PROMPTS)
        assert [one["log_probability"] for one in row["prompts"]] == pytest.approx(values)
        alone = captures.get((row["head"], row["tail"]), [])
        assert [one["found"] for one in row["prompts"]] == [prompt in alone for prompt in PROMPTS]
    told = {one["found"] for row in rows for one in row["prompts"]}
    assert told == {True, False}


def test_captures_are_of_every_prompt_searched_alone() -> None:
    """Pairs that one prompt alone finds are told, though all prompts together leave them out."""
    probe = probe_of(2)
    found, expected = find_candidates(probe, SETTINGS), found_alone(probe, SETTINGS)
    assert found.captures == expected
    assert any(len(prompts) == 1 and pair not in found.pairs for pair, prompts in expected.items())
    rows = checked(capture_rows("multi", "PartOf", found), PROMPT_CAPTURES)
    assert candidates_of(candidate_rows("multi", "PartOf", "model", found), rows).captures == expected
    by_prompt = [[prompt in prompts for prompt in PROMPTS] for prompts in expected.values()]
    assert 0 < captures_coverage(np.array(by_prompt)).coverage < 1


@pytest.mark.parametrize("bidirectional", WAYS)
@pytest.mark.parametrize("seed", [0, 1, 2, 87])
def test_what_one_prompt_alone_was_asked_for_it_has_found(bidirectional: bool, seed: int) -> None:
    probe = probe_of(seed, PROMPTS[1:], [1])
    rows, found = harvested(probe, ARMS["kbloom_likelihood"], bidirectional, wanted=200)
    assert all(one["found"] for row in rows for one in row["prompts"])
    assert found.captures == {pair: [PROMPTS[1]] for pair in found.pairs}


def test_confidence_is_calibrated_on_the_seeds() -> None:
    probe = probe_of(5)
    rows, _ = harvested(probe)
    pairs = [(row["head"], row["tail"]) for row in rows]
    lesser = probe.weights @ log_probabilities_by_prompt(probe, pairs, True)
    expected = calibrated(probe, SEED_FILE.pairs, lesser)
    np.testing.assert_allclose([row["confidence"] for row in rows], expected)
    order = np.argsort(lesser)
    assert (np.diff(np.array([row["confidence"] for row in rows])[order]) >= 0).all()


def test_confidence_is_of_both_conditionals_however_the_search_went() -> None:
    probe = probe_of(5)
    found = find_candidates(probe, SETTINGS)
    arm = ARMS["kbloom_likelihood"]
    ways = [harvest(scoring_of(probe), probe, arm, SEED_FILE, found, way, 10) for way in (True, False)]
    assert ways[0].column("confidence").equals(ways[1].column("confidence"))
    assert not ways[0].column("prompts").equals(ways[1].column("prompts"))


def test_where_nothing_was_found_there_are_no_triples() -> None:
    probe = probe_of()
    rows = checked(
        harvest(scoring_of(probe), probe, ARMS["kbloom"], SEED_FILE, EMPTY, True, 10), HARVESTED_TRIPLES
    )
    assert rows.num_rows == 0


def test_equal_scores_are_told_apart_by_the_words() -> None:
    pairs = [("eagle", "drum"), ("bread", "drum"), ("bread", "cheese")]
    found = Candidates(pairs, ["1-1"] * 3, np.array([-2.0, -2.0000001, -2.0]))
    arm, probe = replace(ARMS["kbloom"], ranked_by=LIKELIHOOD, cost=COSINE), probe_of()
    rows = harvest(scoring_of(probe), probe, arm, SEED_FILE, found, True, 10).to_pylist()
    ranked = sorted(rows, key=lambda row: row["rank"])
    assert [(row["head"], row["tail"]) for row in ranked] == sorted(pairs)


def test_a_triples_sources_are_the_prompts_that_found_it() -> None:
    rows, _ = harvested(probe_of(2))
    counts = set()
    for row in rows:
        sources = mined_sources(row)
        found = [one["prompt"] for one in row["prompts"] if one["found"]]
        assert [source.record for source in sources] == (found or ["all prompts"])
        assert {source.source for source in sources} == {"kbloom"}
        assert {source.licence for source in sources} == {"mined from hashed-2"}
        counts.add(len(found))
    assert counts == {0, 1, 2}


def test_the_only_prompt_is_the_source_of_all() -> None:
    probe = probe_of(2, PROMPTS[:1], [1])
    rows, _ = harvested(probe)
    unfound = [{**row, "prompts": [{**one, "found": False} for one in row["prompts"]]} for row in rows]
    records = {source.record for row in unfound for source in mined_sources(row)}
    assert records == {SEED_FILE.prompt}
