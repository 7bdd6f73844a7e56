"""Column filtering: algorithm 3.1 and its divergence form against a literal one, and what each rule keeps."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.retrieval.transport.ground_costs import JensenShannon
from evidence_assets.tables.claim_parsing import parse_mentions
from evidence_assets.tables.clustering import Geometry, cluster, geometry_of, sharp_temperature
from evidence_assets.tables.column_filters import COSINE, FILTERS, JENSEN_SHANNON, FilterSettings
from evidence_assets.tables.columns import (
    TEXT_CHARACTERS,
    ColumnMentions,
    Reason,
    column_texts,
    column_tokens,
    filter_columns,
    jaccard,
    with_gate,
)
from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.thesis_tables import measles

PAPER, JS_PAPER, FULL = FILTERS["paper"], FILTERS["js_paper"], FILTERS["full"]
VOCABULARY = ["year", "cases", "strain", "d4", "quebec", "weeks", "94", "2007"]


def literal_similarity(left: list[float], right: list[float], measure: str, temperature: float) -> float:
    if measure == COSINE:
        return round(sum(a * b for a, b in zip(left, right, strict=True)), 9)
    total = 0.0
    for p, q in zip(softmax(left, temperature), softmax(right, temperature), strict=True):
        m = (p + q) / 2
        total += 0.5 * p * math.log(p / m) + 0.5 * q * math.log(q / m)
    return round(-max(total, 0.0), 9)


def unit(vector: list[float]) -> list[float]:
    length = math.sqrt(sum(value * value for value in vector))
    return [value / length for value in vector]


def softmax(vector: list[float], temperature: float) -> list[float]:
    exponentials = [math.exp(value / temperature) for value in vector]
    return [value / sum(exponentials) for value in exponentials]


def literal_filter(
    claim_tokens: frozenset[str],
    tokens: list[frozenset[str]],
    claim: list[float],
    vectors: list[list[float]],
    how: FilterSettings,
) -> tuple[list[int], bool]:
    """Algorithm 3.1 line by line."""
    temperature = how.temperature or sharp_temperature(len(claim))
    lexical = [
        j
        for j, column_cluster in enumerate(tokens)
        if len(claim_tokens & column_cluster) / len(claim_tokens | column_cluster) >= how.jaccard
    ]
    rest = [j for j in range(len(tokens)) if j not in lexical]
    if not rest:
        return lexical, False
    points = [unit(vector) for vector in vectors]
    u = unit(claim)
    work = [points[j] for j in rest]
    k = min(how.clusters, len(rest))
    generator = np.random.default_rng(how.seed)
    nearest = 1.0 if how.measure == COSINE else 0.0

    def sample(centres: list[list[float]]) -> list[float]:
        far = [
            max(nearest - max(literal_similarity(x, c, how.measure, temperature) for c in centres), 0.0)
            for x in work
        ]
        if not any(far):
            far = [1.0] * len(work)
        drawn, reached = generator.random() * sum(far), 0.0
        for x, weight in zip(work, far, strict=True):
            reached += weight
            if reached > drawn:
                return x
        return work[-1]

    centres = [work[int(generator.integers(len(work)))]]
    while len(centres) < k:
        centres.append(sample(centres))
    assignment: list[int] = []
    while True:
        new = []
        for x in work:
            near = [literal_similarity(x, c, how.measure, temperature) for c in centres]
            new.append(near.index(max(near)))
        for t in range(k):
            members = [x for x, column_cluster in zip(work, new, strict=True) if column_cluster == t]
            if members:
                centres[t] = unit([sum(values) for values in zip(*members, strict=True)])
            else:
                centres[t] = sample(centres[:t] + centres[t + 1 :])
        if new == assignment:
            break
        assignment = new
    scores = [literal_similarity(c, u, how.measure, temperature) for c in centres]
    best = max(sorted(set(assignment)), key=lambda t: (scores[t], -t))
    passes = scores[best] >= how.gate if how.measure == COSINE else -scores[best] <= how.gate
    semantic = (
        [j for j, column_cluster in zip(rest, assignment, strict=True) if column_cluster == best]
        if passes
        else []
    )
    selected = sorted({*lexical, *semantic})
    if selected:
        return selected, False
    near_all = [literal_similarity(x, u, how.measure, temperature) for x in points]
    return sorted(sorted(range(len(tokens)), key=lambda j: (-near_all[j], j))[:2]), True


@examples(150)
@given(data=st.data(), measure=st.sampled_from([COSINE, JENSEN_SHANNON]), seed=st.integers(0, 10_000))
def test_is_the_algorithm_as_printed(data: Any, measure: str, seed: int) -> None:
    columns = data.draw(st.integers(1, 9))
    generator = np.random.default_rng(seed)
    vectors = generator.normal(size=(columns, 6)) + 0.6
    if columns > 2 and data.draw(st.booleans()):
        vectors[-1] = vectors[0]
    claim = generator.normal(size=6) + 0.6
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    claim /= np.linalg.norm(claim)
    words = st.frozensets(st.sampled_from(VOCABULARY), min_size=1, max_size=5)
    tokens = [data.draw(words) for _ in range(columns)]
    claim_words = data.draw(words)
    how = FilterSettings(
        "drawn",
        measure=measure,
        jaccard=data.draw(st.sampled_from([0.2, 0.25, 0.5, 1.1])),
        gate=data.draw(st.sampled_from([0.05, 0.3, 0.6, 0.9])),
        clusters=data.draw(st.integers(1, 5)),
        temperature=data.draw(st.sampled_from([1.0, 0.2, 0.05])),
        seed=seed,
    )
    filtered = filter_columns(claim_words, tokens, claim, vectors, how)
    expected, fallback = literal_filter(claim_words, tokens, claim.tolist(), vectors.tolist(), how)
    assert list(filtered.kept) == expected
    assert filtered.fallback == fallback
    assert filtered == filter_columns(claim_words, tokens, claim, vectors, how)


@pytest.mark.parametrize("dimension", [384, 1024])
def test_the_default_temperature_and_divergence_are_the_transports(dimension: int) -> None:
    generator = np.random.default_rng(7)
    vectors = generator.normal(size=(5, dimension))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    space = geometry_of(FILTERS["full_js"], dimension)
    similarities = space.similarities(space.points(vectors[:2]), space.points(vectors[2:]))
    np.testing.assert_allclose(-similarities, JensenShannon().between(vectors[:2], vectors[2:]), atol=1e-9)
    assert sharp_temperature(dimension) == pytest.approx(2 / math.sqrt(dimension))


def test_a_mild_divergence_clusters_as_the_cosine_does() -> None:
    """JSD is (1 - cos) / 4 d T^2, near enough: at temperature 1 the two forms differ by their gates."""
    generator = np.random.default_rng(2)
    tokens = [frozenset[str]()] * 8
    cosine, divergence = replace(PAPER, gate=-1.0), replace(JS_PAPER, gate=1.0)
    same = 0
    for _ in range(50):
        vectors = generator.normal(size=(9, 384))
        vectors[:5] += generator.normal(size=384)
        vectors[5:] += generator.normal(size=384)
        assignments = [
            filter_columns(frozenset({"a"}), tokens, vectors[0], vectors[1:], how)
            for how in (cosine, divergence)
        ]
        same += assignments[0].kept == assignments[1].kept
    assert same >= 48


def test_at_temperature_one_the_divergence_gate_accepts_all() -> None:
    generator = np.random.default_rng(1)
    vectors = generator.normal(size=(20, 384))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    space = Geometry(JENSEN_SHANNON, 1.0)
    assert space.similarities(space.points(vectors), space.points(-vectors)).min() > -0.01


def actuarial() -> Table:
    """Section 3.3.2, the collapsed table of the prompts."""
    return make_table(
        "actuarial",
        "Actuarial Balance",
        [["Item", "OASI", "OASDI", "DI"]],
        [
            ["Actuarial balance shown in the 2019 Report", "-2.67", "-2.78", "-0.12"],
            ["Total change in actuarial balance", "-0.47", "-0.43", "0.04"],
            ["Actuarial balance shown in the 2020 Report", "-3.14", "-3.21", "-0.07"],
        ],
    )


def worries() -> Table:
    """Figure 3.6, whose filter lost the numbers that are compared."""
    return make_table(
        "worries",
        "",
        [["A", "Dependent variable:", "Worried About Coronavirus", "(1)", "(2)"]],
        [
            ["Chinese FT", "0.215***(0.075)", "A", "A", ""],
            ["Asian Am FT", "A", "0.378***(0.090)", "0.407*** (0.092)", ""],
            ["Latino FT", "0.065(0.089)", "a0.005(0.092)", "0.008(0.092)", ""],
            ["Black FT", "0.105(0.085)", "a0.183***(0.089)", "0.171* (0.090)", ""],
        ],
    )


def away_from(columns: int, near: int = 0) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """A claim and columns' vectors, of which two, from `near` on, are nearest."""
    vectors = np.eye(columns + 1)[1:]
    vectors[near : near + 2, 0] = 0.5
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.eye(columns + 1)[0], vectors


def filtered(table: Table, claim: str, how: FilterSettings, near: int) -> tuple[set[str], Any]:
    claim_vector, vectors = away_from(table.columns, near)
    mentions = parse_mentions(claim, TableIndex(table)).columns
    claim_words = frozenset(claim.lower().split())
    result = filter_columns(claim_words, column_tokens(table), claim_vector, vectors, how, mentions)
    return {table.header[number] for number in result.kept}, result


def test_keeps_what_the_claim_names_of_the_measles_table() -> None:
    claim = "Quebec had 678 cases of measles in 2011, more than in 2007."
    headers, result = filtered(measles(), claim, FILTERS["guard"], 3)
    assert headers == {"Province", "Year", "Number of cases", "Duration (weeks)", "Strain"}
    assert result.columns[0].reasons == (Reason.LINKED, Reason.LABEL)
    assert Reason.GUARD in result.columns[1].reasons
    assert result.columns[3].reasons == (Reason.NEAREST,)


def test_both_balances_of_a_comparison_are_kept() -> None:
    claim = "The actuarial balance of the OASI is less negative than the OASDI."
    headers, result = filtered(actuarial(), claim, FULL, 2)
    assert headers == {"Item", "OASI", "OASDI", "DI"}
    assert result.columns[1].reasons == (Reason.HEADER,)
    assert Reason.HEADER in result.columns[2].reasons
    assert result.columns[3].reasons == (Reason.NEAREST,)


def test_the_guard_keeps_the_numbers_that_are_compared() -> None:
    claim = "The Chinese FT worry value is half of the Latino FT worry value"
    assert "Dependent variable:" not in filtered(worries(), claim, FULL, 2)[0] - {"A"}
    headers, result = filtered(worries(), claim, FILTERS["guard"], 2)
    assert "Dependent variable:" in headers
    assert result.columns[1].reasons == (Reason.GUARD,)


def test_the_guard_keeps_columns_of_a_unit() -> None:
    table = make_table(
        "t", "", [["Drug", "Responders", "Cost"]], [["Aspirin", "12%", "$3"], ["Placebo", "8%", "$1"]]
    )
    mentions = parse_mentions("12 percent responded to aspirin", TableIndex(table)).columns
    assert list(mentions.guarded) == [1]
    assert 2 in parse_mentions("Aspirin is 2 dollars dearer", TableIndex(table)).columns.guarded


def test_an_extreme_or_a_bound_needs_every_row() -> None:
    index = TableIndex(measles())
    assert parse_mentions("Quebec had the largest number of cases", index).rows.needs_all
    assert parse_mentions("Quebec had more than 50 cases", index).rows.needs_all
    assert not parse_mentions("Quebec had strain D4", index).rows.needs_all


def test_tokens_and_texts_are_of_header_and_cells() -> None:
    table = measles()
    assert column_tokens(table)[4] == {"strain", "d4", "d8", "and", "h1"}
    assert column_texts(table)[4] == "Strain, D4, D8, D8 and H1"
    bare = make_table("t", "", [], [["x" * 300, "b"], ["y" * 300, ""]])
    assert column_tokens(bare)[1] == {"b"}
    assert [len(text) for text in column_texts(bare)] == [TEXT_CHARACTERS, 1]


def test_an_empty_column_has_neither_words_nor_likeness() -> None:
    assert jaccard(frozenset(), frozenset()) == 0.0
    vectors = np.vstack([np.zeros(4), np.eye(4)[:2]])
    result = filter_columns(
        frozenset({"a"}), [frozenset()] * 3, np.eye(4)[1], vectors, replace(PAPER, jaccard=0.25)
    )
    assert result.kept == (2,)
    assert result.columns[0].similarity == 0.0


@pytest.mark.parametrize("how", FILTERS.values(), ids=FILTERS)
def test_degenerate_tables_keep_at_least_one_column(how: FilterSettings) -> None:
    how = replace(how, gate_quantile=None)
    same = np.tile(np.eye(5)[0], (4, 1))
    for claim in (np.eye(5)[0], np.eye(5)[1], -np.eye(5)[0]):
        single = filter_columns(frozenset({"a"}), [frozenset()], claim, same[:1], how)
        assert single.kept == (0,)
        alike = filter_columns(frozenset({"a"}), [frozenset({"b"})] * 4, claim, same, how)
        assert alike.kept
        many = replace(how, clusters=50)
        assert filter_columns(frozenset(), [frozenset()] * 4, claim, np.eye(5)[:4], many).kept


def test_identical_columns_share_a_cluster_and_the_gate_opens_for_it() -> None:
    same = np.tile(np.eye(5)[0], (4, 1))
    result = filter_columns(frozenset({"a"}), [frozenset({"b"})] * 4, np.eye(5)[0], same, PAPER)
    assert result.kept == (0, 1, 2, 3)
    assert {column.cluster for column in result.columns} == {0}
    assert {column.cluster_similarity for column in result.columns} == {1.0}


def test_lexical_columns_are_clustered_no_more() -> None:
    claim, vectors = away_from(3, 1)
    result = filter_columns(
        frozenset({"a", "b"}),
        [frozenset({"a", "b"}), frozenset({"c"}), frozenset({"d"})],
        claim,
        vectors,
        PAPER,
    )
    assert result.kept == (0,)
    assert result.columns[0].reasons == (Reason.LEXICAL,)
    assert result.columns[0].cluster is None
    assert result.columns[1].cluster is not None
    assert not result.fallback


def test_the_nearest_two_where_nothing_passes() -> None:
    claim, vectors = away_from(5, 3)
    result = filter_columns(frozenset({"a"}), [frozenset()] * 5, claim, vectors, PAPER)
    assert result.kept == (3, 4)
    assert result.fallback
    with_label = filter_columns(
        frozenset({"a"}),
        [frozenset()] * 5,
        claim,
        vectors,
        replace(PAPER, kept_label=True),
        ColumnMentions(label=1),
    )
    assert with_label.kept == (1, 3, 4)


def test_no_filtering_keeps_all() -> None:
    claim, vectors = away_from(5)
    result = filter_columns(frozenset(), [frozenset()] * 5, claim, vectors, FILTERS["no_column_filtering"])
    assert result.kept == (0, 1, 2, 3, 4)
    assert {column.reasons for column in result.columns} == {(Reason.ALL,)}


def test_empty_clusters_are_seeded_anew_and_it_ends() -> None:
    space = Geometry()
    points = space.points(np.vstack([np.tile(np.eye(8)[0], (6, 1)), np.eye(8)]))
    for seed in range(40):
        result = cluster(points, 8, space, seed)
        assert result.passes < 100
        assert len(set(result.assignment[:6])) == 1


@pytest.mark.parametrize("clusters", [1, 3])
def test_points_are_left_as_they_were(clusters: int) -> None:
    points = Geometry().points(np.random.default_rng(3).normal(size=(6, 4)))
    before = points.units.copy()
    cluster(points, clusters, Geometry(), 0)
    np.testing.assert_array_equal(points.units, before)


def test_the_gate_by_quantile_keeps_out_other_tables_columns() -> None:
    generator = np.random.default_rng(5)
    tables = [f"t{n // 4}" for n in range(80)]
    middles = generator.normal(size=(20, 32)).repeat(4, axis=0)
    vectors = middles + generator.normal(size=(80, 32)) + 1.0
    claims = middles[::4] + generator.normal(size=(20, 32)) + 1.0
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    claims /= np.linalg.norm(claims, axis=1, keepdims=True)
    for name in ("quantile_gate", "js"):
        how = with_gate(FILTERS[name], claims, tables[::4], vectors, tables)
        space = geometry_of(how, 32)
        near = space.similarities(space.points(claims), space.points(vectors))
        of_other_tables = np.array(tables[::4])[:, None] != np.array(tables)[None]
        assert (near[of_other_tables] < how.least_similarity).mean() == pytest.approx(0.95, abs=0.002)
        assert how.gate_quantile is None
    assert with_gate(PAPER, claims, tables[::4], vectors, tables) is PAPER
    alone = with_gate(FILTERS["quantile_gate"], claims[:1], ["a"], vectors[:1], ["a"])
    assert (alone.gate, alone.gate_quantile) == (PAPER.gate, None)


def test_what_cannot_be_is_refused() -> None:
    claim, vectors = away_from(2)
    with pytest.raises(ValueError, match="rule"):
        FilterSettings("x", rule="best")
    with pytest.raises(ValueError, match="measure"):
        FilterSettings("x", measure="euclid")
    with pytest.raises(ValueError, match="temperature"):
        FilterSettings("x", measure=JENSEN_SHANNON, temperature=0.0)
    with pytest.raises(ValueError, match="clusters"):
        FilterSettings("x", clusters=0)
    with pytest.raises(ValueError, match="quantile"):
        FilterSettings("x", gate_quantile=1.0)
    with pytest.raises(ValueError, match="with_gate"):
        filter_columns(frozenset(), [frozenset()] * 2, claim, vectors, FILTERS["js"])
    with pytest.raises(ValueError, match="without columns"):
        filter_columns(frozenset(), [], claim, vectors[:0], PAPER)
    with pytest.raises(ValueError, match="do not pair"):
        filter_columns(frozenset(), [frozenset()], claim, vectors, PAPER)
    with pytest.raises(ValueError, match="not finite"):
        filter_columns(frozenset(), [frozenset()] * 2, claim, vectors * np.nan, PAPER)
    with pytest.raises(ValueError, match="mentions name"):
        filter_columns(frozenset(), [frozenset()] * 2, claim, vectors, FULL, ColumnMentions(linked=[2]))
    with pytest.raises(ValueError, match="shares of headers"):
        filter_columns(frozenset(), [frozenset()] * 2, claim, vectors, FULL, ColumnMentions(headers=[1.0]))
    with pytest.raises(ValueError, match="temperature"):
        Geometry(COSINE, -1.0)


@pytest.mark.parametrize("name", ["paper", pytest.param("js_paper", marks=pytest.mark.integration), "full"])
def test_a_table_of_sixteen_thousand_columns_takes_seconds(name: str) -> None:
    generator = np.random.default_rng(11)
    vectors = generator.normal(size=(16_000, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    tokens = [frozenset({f"w{number}", "a"}) for number in range(16_000)]
    started = time.process_time()
    result = filter_columns(frozenset({"b"}), tokens, vectors[0], vectors, FILTERS[name])
    assert time.process_time() - started < 30.0
    assert 0 in result.kept
