"""Triples harvested with a made-up model: their order, flags, captures and sources."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from evidence_assets.extraction.arms import ARMS, COSINE, LIKELIHOOD, SEARCHES
from evidence_assets.extraction.as_printed.bertnet import compatibilities
from evidence_assets.extraction.confidence import calibrated
from evidence_assets.extraction.filters import GENERIC, REVERSED, SEED, flags_of, most_of_each, stem_numbers
from evidence_assets.extraction.harvesting import (
    EMPTY,
    Candidates,
    candidate_rows,
    candidates_of,
    capture_rows,
    find_candidates,
    harvest,
    log_probabilities_by_prompt,
)
from evidence_assets.extraction.probing import Probe
from evidence_assets.extraction.quality import captures_coverage
from evidence_assets.extraction.search import SearchSettings, search
from evidence_assets.lake.schemas import HARVESTED_TRIPLES, PROMPT_CAPTURES
from evidence_assets.sources.graphs.lake_triples import mined_sources
from evidence_assets.text.roots import stem
from evidence_assets_tests.testing.harvest_samples import (
    PROMPTS,
    SEED_FILE,
    SETTINGS,
    WAYS,
    checked,
    harvested,
    probe_of,
    scoring_of,
)


@pytest.mark.parametrize("name", ["kbloom", "kbloom_paper", "bertnet_simplified", "kbloom_likelihood"])
@pytest.mark.parametrize("bidirectional", WAYS)
def test_triples_are_the_best_candidates_of_which_no_entity_is_too_frequent(
    name: str, bidirectional: bool
) -> None:
    probe, arm = probe_of(), ARMS[name]
    rows, candidates = harvested(probe, arm, bidirectional, wanted=25)
    scores = scoring_of(probe).scores(arm, probe, candidates)
    rounded = np.round(scores["score"], 6).tolist()
    order = sorted(range(len(candidates.pairs)), key=lambda place: (-rounded[place], candidates.pairs[place]))
    selected = most_of_each(
        [candidates.pairs[place] for place in order], arm.most_of_head, arm.most_of_entity, 25
    )
    expected = [order[number] for number in selected]
    assert [(row["head"], row["tail"]) for row in rows] == [candidates.pairs[place] for place in expected]
    assert [row["rank"] for row in rows] == list(range(len(rows)))
    for row, place in zip(rows, expected, strict=True):
        for column in ("score", "distance", "perplexity", "fluency"):
            assert row[column] == pytest.approx(scores[column][place])
        assert row["log_probability"] == candidates.log_probabilities[place]
        assert row["shape"] == candidates.shapes[place]
        assert (row["kg"], row["relation"], row["model_id"]) == (name, "PartOf", "hashed-0")
    assert len({row["triple_id"] for row in rows}) == len(rows)


def test_bertnets_graph_is_its_own_list_ranked_by_its_own_score() -> None:
    """No entity is cut a second time, and neither the thesis's score nor the search's ranks the pairs."""
    probe, arm = probe_of(), ARMS["bertnet"]
    settings = replace(SETTINGS, one_list=True, most_of_word=SEARCHES[arm.search].most_of_word)
    candidates = find_candidates(probe, settings)
    rows = harvest(scoring_of(probe), probe, arm, SEED_FILE, candidates, False, 100).to_pylist()
    ranked = sorted(rows, key=lambda row: row["rank"])
    assert {(row["head"], row["tail"]) for row in ranked} == set(candidates.pairs)
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
    candidates = Candidates(
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
    rows = harvest(scoring_of(probe), probe, arm, SEED_FILE, candidates, True, 10).to_pylist()
    flags = {(row["head"], row["tail"]): row["flags"] for row in rows}
    assert flags == {
        ("apples", "trees"): [SEED],
        ("drum", "material"): [GENERIC],
        ("eagle", "bread"): [],
        ("bread", "eagle"): [REVERSED],
        ("drum wheel", "eagle"): [SEED],
    }


def test_flags_are_of_the_triples_that_are_kept() -> None:
    all_flags = []
    for arm in (ARMS["kbloom"], ARMS["kbloom_paper"]):
        rows, _ = harvested(probe_of(3), arm, wanted=60)
        pairs = [(row["head"], row["tail"]) for row in rows]
        unseeded = [[flag for flag in row["flags"] if flag != SEED] for row in rows]
        assert unseeded == flags_of(pairs)
        all_flags += unseeded
    assert {flag for flags in all_flags for flag in flags} == {GENERIC, REVERSED}


def found_alone(probe: Probe, settings: SearchSettings) -> dict[tuple[str, str], list[str]]:
    """The prompts that find each pair in a search of their own, among words that no prompt holds."""
    model = probe.model
    barred = [stem(word) for word in ("part", "of", "is", "the", "holds")]
    allowed = np.array([number for number, word in enumerate(model.words) if stem(word) not in barred])
    captures: dict[tuple[str, str], list[str]] = {}
    for prompt in sorted(probe.prompts):
        alone = search(Probe(model, [prompt], [1]), allowed, stem_numbers(model.words), settings)
        for result in alone.values():
            for head, tail in result.pairs:
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
        assert [prompt_row["prompt"] for prompt_row in row["prompts"]] == list(PROMPTS)
        assert [prompt_row["log_probability"] for prompt_row in row["prompts"]] == pytest.approx(values)
        alone = captures.get((row["head"], row["tail"]), [])
        assert [prompt_row["found"] for prompt_row in row["prompts"]] == [
            prompt in alone for prompt in PROMPTS
        ]
    outcomes = {prompt_row["found"] for row in rows for prompt_row in row["prompts"]}
    assert outcomes == {True, False}


def test_captures_are_of_every_prompt_searched_alone() -> None:
    """Pairs that one prompt alone finds are told, though all prompts together leave them out."""
    probe = probe_of(2)
    candidates, expected = find_candidates(probe, SETTINGS), found_alone(probe, SETTINGS)
    assert candidates.captures == expected
    assert any(len(prompts) == 1 and pair not in candidates.pairs for pair, prompts in expected.items())
    rows = checked(capture_rows("multi", "PartOf", candidates), PROMPT_CAPTURES)
    assert candidates_of(candidate_rows("multi", "PartOf", "model", candidates), rows).captures == expected
    by_prompt = [[prompt in prompts for prompt in PROMPTS] for prompts in expected.values()]
    assert 0 < captures_coverage(np.array(by_prompt)).coverage < 1


@pytest.mark.parametrize("bidirectional", WAYS)
@pytest.mark.parametrize("seed", [0, 1, 2, 87])
def test_what_one_prompt_alone_was_asked_for_it_has_found(bidirectional: bool, seed: int) -> None:
    probe = probe_of(seed, PROMPTS[1:], [1])
    rows, candidates = harvested(probe, ARMS["kbloom_likelihood"], bidirectional, wanted=200)
    assert all(prompt["found"] for row in rows for prompt in row["prompts"])
    assert candidates.captures == {pair: [PROMPTS[1]] for pair in candidates.pairs}


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
    candidates = find_candidates(probe, SETTINGS)
    arm = ARMS["kbloom_likelihood"]
    ways = [harvest(scoring_of(probe), probe, arm, SEED_FILE, candidates, way, 10) for way in (True, False)]
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
    candidates = Candidates(pairs, ["1-1"] * 3, np.array([-2.0, -2.0000001, -2.0]))
    arm, probe = replace(ARMS["kbloom"], ranked_by=LIKELIHOOD, cost=COSINE), probe_of()
    rows = harvest(scoring_of(probe), probe, arm, SEED_FILE, candidates, True, 10).to_pylist()
    ranked = sorted(rows, key=lambda row: row["rank"])
    assert [(row["head"], row["tail"]) for row in ranked] == sorted(pairs)


def test_a_triples_sources_are_the_prompts_that_found_it() -> None:
    rows, _ = harvested(probe_of(2))
    counts = set()
    for row in rows:
        sources = mined_sources(row)
        found_by = [prompt["prompt"] for prompt in row["prompts"] if prompt["found"]]
        assert [source.record for source in sources] == (found_by or ["all prompts"])
        assert {source.source for source in sources} == {"kbloom"}
        assert {source.licence for source in sources} == {"mined from hashed-2"}
        counts.add(len(found_by))
    assert counts == {0, 1, 2}


def test_the_only_prompt_is_the_source_of_all() -> None:
    probe = probe_of(2, PROMPTS[:1], [1])
    rows, _ = harvested(probe)
    unfound = [{**row, "prompts": [{**prompt, "found": False} for prompt in row["prompts"]]} for row in rows]
    records = {source.record for row in unfound for source in mined_sources(row)}
    assert records == {SEED_FILE.prompt}
