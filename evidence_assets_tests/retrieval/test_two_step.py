"""What the first passages name leads to the second, and never past the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import RANKED_CHUNKS, RANKING_CERTIFICATES
from evidence_assets.retrieval.titles import Titles, vocabulary_of
from evidence_assets.retrieval.transport.methods import METHODS
from evidence_assets.retrieval.two_step import Passage, TwoStep
from evidence_assets.text.queries import NO_OPTION, Query
from evidence_assets.text.term_statistics import count_terms, from_table
from evidence_assets_tests.testing.transport_texts import WordEncoder

QUESTION = "when was the town where the painter lived founded"
PASSAGES = {
    "c1": Passage("c1", "a1", "Ada Quill", "the painter lived in Zorblatt when the town was founded where"),
    "c2": Passage("c2", "a2", "Zorblatt (town)", "a harbour since 1204"),
    "c3": Passage("c3", "a3", "Brian", "the painter lived when the town was where"),
    "c4": Passage("c4", "a4", "Gizmo Hall", "admired by Ada Quill for its walls"),
    "c5": Passage("c5", "a5", "Elsewhere", "nothing of the kind"),
    "c6": Passage("c6", "a6", "Empty", "..."),
    "c7": Passage("c7", "a2", "Zorblatt (town)", "its walls stand"),
}
STATISTICS = from_table(
    count_terms([*(p.text for p in PASSAGES.values()), *(f"where was it {n}" for n in range(999))], "k")
)


def ranker(with_leads: bool = True, passages: Mapping[str, Passage] = PASSAGES) -> TwoStep:
    articles: dict[str, list[str]] = {}
    for passage in passages.values():
        articles.setdefault(passage.article_id, []).append(passage.chunk_id)
    titles = Titles(
        [(passage.article_id, passage.title) for passage in passages.values()],
        vocabulary_of(
            [QUESTION, *(text for passage in passages.values() for text in (passage.text, passage.title))]
        ),
        STATISTICS,
    )
    return TwoStep(
        passages, articles if with_leads else None, titles, WordEncoder(), STATISTICS, METHODS["coverage"]
    )


def ranked(
    two_step: TwoStep, pool: Sequence[str], question: str = QUESTION, candidate: int = NO_OPTION
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    result = two_step.rank([(Query("q", candidate, question), pool)], "b", "arm")
    rows = conform(result.ranked, RANKED_CHUNKS).to_pylist()
    (certificate,) = conform(result.certificates, RANKING_CERTIFICATES).to_pylist()
    for row in rows:
        parts = {part["name"]: part["value"] for part in row["score_parts"]}
        led_by = parts.pop("led_by", None)
        assert row["score"] == pytest.approx(sum(parts.values()), abs=3e-6)
        if led_by is not None:
            assert led_by < row["rank"]
            assert parts["lift"] > 0
    return rows, certificate


POOL = ["c1", "c3", "c4", "c5", "c6"]


def test_what_the_first_passage_names_follows_it_though_no_pool_holds_it() -> None:
    rows, certificate = ranked(ranker(), POOL)
    order = [row["chunk_id"] for row in rows]
    assert "c2" in order
    assert order.index("c1") < order.index("c2")
    assert dict_of(next(row for row in rows if row["chunk_id"] == "c2"))["lift"] > 0.1
    led = {row["chunk_id"]: dict_of(row).get("led_by") for row in rows}
    assert led["c2"] == order.index("c1") + 1
    assert led["c4"] == order.index("c1") + 1, "what names the first passage's article is lifted too"
    assert led["c5"] is None
    assert (certificate["status"], certificate["refused"]) == ("proved", 1)
    assert certificate["pool"] == certificate["solved"] + 1 == 7
    assert certificate["threshold"] == rows[-1]["score"]


def dict_of(row: dict[str, Any]) -> dict[str, float]:
    return {part["name"]: part["value"] for part in row["score_parts"]}


def test_the_first_passage_stays_the_first() -> None:
    plain, led = (ranked(ranker(leads), POOL)[0] for leads in (False, True))
    assert plain[0]["chunk_id"] == led[0]["chunk_id"]
    assert {row["chunk_id"] for row in plain} == {"c1", "c3", "c4", "c5"}
    assert all("led_by" not in dict_of(row) for row in plain)


def test_a_title_that_the_question_names_brings_its_article() -> None:
    question = "how old is Zorblatt"
    rows, _ = ranked(ranker(), ["c3", "c5"], question)
    assert {"c2", "c7"} <= {row["chunk_id"] for row in rows}
    assert dict_of(next(row for row in rows if row["chunk_id"] == "c2"))["title_in_question"] == 0.2
    fused, _ = ranked(ranker(with_leads=False), ["c2", "c3"], question)
    assert fused[0]["chunk_id"] == "c2"
    assert len(fused) == 2


def test_an_article_does_not_lead_to_itself() -> None:
    alone = {"c1": Passage("c1", "a1", "Ada Quill", "Ada Quill of Zorblatt"), "c5": PASSAGES["c5"]}
    rows, _ = ranked(ranker(passages=alone), ["c1", "c5"], "Ada Quill")
    assert all("led_by" not in dict_of(row) for row in rows)


def test_a_query_that_cannot_be_compared_is_refused_and_the_others_ranked() -> None:
    pools = [
        (Query("q1", 0, "..."), POOL),
        (Query("q2", 0, QUESTION), POOL),
        (Query("q3", 0, QUESTION), ["c6"]),
    ]
    result = ranker().rank(pools, "b", "arm")
    refused, proved, empty = result.certificates.to_pylist()
    assert refused["status"] == "refused"
    assert "query q1/0: no words" in refused["refusal"]
    assert refused["pool"] == refused["open"] == len(POOL)
    assert proved["status"] == "proved"
    assert (empty["solved"], empty["refused"], empty["threshold"]) == (0, 1, None)
    assert set(result.ranked.column("question_id").to_pylist()) == {"q2"}


def test_options_keep_fewer_and_progress_is_told() -> None:
    many = {
        f"d{number:03}": Passage(f"d{number:03}", f"b{number}", "", f"town {number}") for number in range(130)
    }
    progress: list[tuple[int, int]] = []
    pools = [(Query("q", candidate, "a town 7"), sorted(many)) for candidate in (NO_OPTION, 0)]
    result = ranker(passages=many).rank(pools, "b", "arm", lambda *done: progress.append(done))
    counts = result.ranked.group_by("candidate").aggregate([("rank", "max")]).to_pylist()
    assert {row["candidate"]: row["rank_max"] for row in counts} == {NO_OPTION: 100, 0: 20}
    assert progress[-1] == (2, 2)


def test_other_comparisons_are_refused() -> None:
    with pytest.raises(ValueError, match="closed form of the cosine cost"):
        TwoStep({}, None, Titles([], frozenset(), STATISTICS), WordEncoder(), STATISTICS, METHODS["partial"])
