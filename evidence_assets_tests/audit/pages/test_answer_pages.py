"""A page shows what an answer rests on as it stands in the lake, and nothing in the lake can act on it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from evidence_assets.audit.pages.experiment import ExperimentRows
from evidence_assets.audit.pages.index_page import index_pages
from evidence_assets.audit.pages.lineage import Lineage, MadeTable
from evidence_assets.audit.pages.rendering import LARGEST, citations, cut
from evidence_assets.evidence.experiment import CITED, GIVEN
from evidence_assets.lake.lake import Partition
from evidence_assets.lake.schemas import (
    ARTICLES,
    EVIDENCE_ABLATIONS,
    PREDICTIONS,
    QUESTIONS,
    TABLES,
    TRIPLES,
    Table,
)
from evidence_assets_tests.testing.page_samples import (
    BREAKOUT,
    CITED_WORDS,
    PLACE,
    SCRIPT,
    Page,
    ReadLake,
    answer_of,
    build_page_lake,
    many_answers,
    outside,
    page_of,
    pages_of,
    read_pages,
    rewritten,
)
from evidence_assets_tests.testing.table_rows import table_of
from evidence_assets_tests.testing.tiny_lake import BENCHMARK, SHARD

QUESTION_IDS = ("graph", "silent", "table", "text")


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> ExperimentRows:
    return read_pages(build_page_lake(str(tmp_path_factory.mktemp("pages") / "lake")))


@pytest.fixture
def lake(tmp_path: Path) -> ReadLake:
    return build_page_lake(str(tmp_path / "lake"))


def index_of(experiment: ExperimentRows) -> Page:
    return Page.of(dict(index_pages(experiment))["index.html"])


@pytest.mark.parametrize("question_id", QUESTION_IDS)
def test_texts_of_the_lake_are_texts_of_the_page(experiment: ExperimentRows, question_id: str) -> None:
    page = page_of(experiment, question_id)
    assert page.all("script") == page.all("img") == page.all("iframe") == []
    assert not [name for _, attributes in page.elements for name in attributes if name.startswith("on")]
    assert list(outside(page)) == []
    question = answer_of(experiment, question_id).question
    assert question is not None
    assert " ".join(question["question"].split()) in page.words


def test_the_index_has_one_script_and_its_policy_names_it(experiment: ExperimentRows) -> None:
    page = index_of(experiment)
    assert len(page.all("script")) == 1
    assert page.all("img") == []
    [policy] = [tag["content"] for tag in page.all("meta") if "http-equiv" in tag]
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-")
    assert list(outside(page)) == []
    assert f"An arm {SCRIPT}" in page.words


def test_the_cited_words_are_marked_where_they_stand(experiment: ExperimentRows) -> None:
    page = page_of(experiment, "text")
    assert CITED_WORDS in page.marked
    before, after = "Before 💓 it stands", "After it stands more."
    assert page.text.index(before) < page.text.rindex(CITED_WORDS) < page.text.index(after)
    assert f"Heart {BREAKOUT}, characters" in page.words
    assert "starter://heart.md, revision 1" in page.words


def test_marks_of_a_chain_lead_to_what_they_cite(experiment: ExperimentRows) -> None:
    page = page_of(experiment, "text")
    identifiers = {attributes["id"] for _, attributes in page.elements if "id" in attributes}
    assert "#E1" in page.links()
    assert "E1" in identifiers
    # Nothing stands behind the mark [E9]: it stays as it was written, and is said to be wrong.
    assert "#E9" not in page.links()
    assert "see [E9]" in page.words
    assert "Citations: marks without evidence: [E9]" in page.words


def test_what_was_asked_answered_and_left_out_is_said(experiment: ExperimentRows) -> None:
    page = page_of(experiment, "text")
    assert "right Answered The heart" in page.words
    assert "with a confidence of 80 %" in page.words
    assert "The evidence that says most of the question says nothing of blood" in page.words
    assert f"pumps bound to evidence: a chunk of Heart {BREAKOUT}" in page.words
    # Of three sentences that were given one is cited, and one for the other option.
    given_words = page.words[page.words.index("Given and not cited") :]
    assert given_words.startswith("Given and not cited 1 piece of evidence")
    assert "Before 💓 it stands" in given_words


def test_what_several_things_account_for_is_left_out_by_all_of_them(experiment: ExperimentRows) -> None:
    answer = answer_of(experiment, "text")
    what, *bound = answer.prediction["bindings"]
    bindings = [{**what, "role": "evidence", "target": "River = nile"}, *bound]
    by_two = replace(answer, prediction={**answer.prediction, "bindings": bindings})
    assert "Nothing accounts for blood" in page_of(replace(experiment, answers=[by_two]), "text").words


def test_a_sentence_that_a_word_is_bound_to_is_told_by_what_it_says(experiment: ExperimentRows) -> None:
    answer = answer_of(experiment, "text")
    evidence_id = answer.used["cited"][0]["evidence_id"]
    bound, *others = answer.prediction["bindings"]
    bound = {**bound, "role": "evidence", "target": f"sentence {evidence_id}"}
    to_sentence = replace(answer, prediction={**answer.prediction, "bindings": [bound, *others]})
    words = page_of(replace(experiment, answers=[to_sentence]), "text").words
    assert f"bound to evidence: sentence: {experiment.evidence[evidence_id]['text']}" in words


def test_how_likely_it_is_that_what_is_kept_back_is_right_is_told_apart(experiment: ExperimentRows) -> None:
    answer = answer_of(experiment, "silent")
    kept_back = replace(answer, prediction={**answer.prediction, "abstained": True, "confidence": 0.3})
    alone = replace(experiment, answers=[kept_back])
    kept = "the key says a, though the likeliest had a confidence of 30 %"
    assert kept in page_of(alone, "silent").words
    assert "30 %" not in index_of(alone).words


def test_what_was_not_answered_says_why(experiment: ExperimentRows) -> None:
    page = page_of(experiment, "silent")
    assert "abstained No answer was given; the key says a" in page.words
    assert "No answer could be read as it stands: no option named." in page.words
    assert "This answer cites nothing." in page.words
    assert "This arm does not say what it did with the question's words." in page.words


def test_a_path_is_drawn_as_a_graph_and_in_words(experiment: ExperimentRows) -> None:
    content = next(iter(pages_of(experiment, "graph").values())).decode()
    drawing = content[content.index('<svg class="graph"') : content.index("</svg>")]
    assert drawing.count('class="node"') == 3
    assert drawing.count('class="edge"') == 2
    page = Page.of(content.encode())
    assert "heart part of body" in page.words
    assert f"stated by {BREAKOUT}, line 3" in page.words
    assert "Sure and wrong" in page.words


def test_cited_cells_are_marked_in_their_table(experiment: ExperimentRows) -> None:
    page = page_of(experiment, "table")
    content = next(iter(pages_of(experiment, "table").values())).decode()
    cited = re.findall(
        r'<t([dh])(?: scope="col")? class="cited">([^<]*) <a class="cite" href="#(E\d)"', content
    )
    assert cited == [("h", "beats", "E2"), ("d", "40", "E1")]
    assert "Not shown: 36 of 60 rows." in page.words
    # The cited row, its neighbours, and the first ones.
    shown = [int(row) for row in re.findall(r'<th scope="row">(\d+)</th>', content)]
    assert {40, 41, 42} < set(shown)
    assert len(shown) == 24


def test_a_table_of_which_nothing_is_cited_is_shown_unmarked(experiment: ExperimentRows) -> None:
    answer = answer_of(experiment, "table")
    used = {GIVEN: answer.used[GIVEN], CITED: []}
    unread = replace(experiment, answers=[replace(answer, chains=[], used=used)])
    content = next(iter(pages_of(unread, "table").values())).decode()
    assert "The table that was asked about. Nothing in it is cited." in content
    assert 'class="cited"' not in content
    assert "animal 23" in content


def test_other_answers_that_rest_on_the_same_are_named(lake: ReadLake) -> None:
    pages = pages_of(read_pages(lake), "graph")
    assert "no other answer of this experiment" in Page.of(next(iter(pages.values()))).words
    experiment = many_answers(read_pages(lake), 8)
    page = page_of(experiment, "q000000")
    assert "1 other answer of this experiment rests on it" in page.words
    neighbour = answer_of(experiment, "q000004").prediction["prediction_id"]
    assert f"{neighbour}.html" in page.links()
    assert "FROM impact('heart-part_of-body')" in page.words


def test_an_ablation_stands_beside_the_answer(lake: ReadLake) -> None:
    untried = page_of(read_pages(lake), "text").words
    assert "evidence_ablations has no row for this answer" in untried
    assert f"evidence-assets ablate {BENCHMARK} {PLACE['system']}/{PLACE['arm']} tries that" in untried
    answer = answer_of(read_pages(lake), "text")
    [cited] = [row for row in answer.used[CITED] if row["candidate"] == 1]
    common = {**PLACE, "prediction_id": answer.prediction["prediction_id"], "question_id": "text"}
    single = {"kind": "one_removed", "evidence_ids": [cited["evidence_id"]], "predicted_without": BREAKOUT}
    at_random = {"kind": "random_removed", "draw": 2, "predicted_without": "the same"}
    rows = [
        {**common, **at_random, "removed": "a", "changed": False},
        {**common, "removed": "b", "kind": "cited_removed", "changed": True, "confidence_change": -0.25},
        {**common, **single, "removed": "c", "changed": True},
    ]
    lake.write(EVIDENCE_ABLATIONS, PLACE, table_of(EVIDENCE_ABLATIONS, *rows))
    words = page_of(read_pages(lake), "text").words
    first, second, third = (
        f"changes Without E1 {CITED_WORDS}: {BREAKOUT}",
        "changes Without everything that it cites: no answer, confidence -25 points",
        "stands Without as many sources at random (draw 2): the same",
    )
    assert words.index(first) < words.index(second) < words.index(third)


def test_a_source_that_is_gone_is_said_to_be(lake: ReadLake) -> None:
    lake.delete(ARTICLES, SHARD)
    lake.delete(TABLES, {"source": BENCHMARK})
    lake.delete(TRIPLES, {"kg": "medicine", "relation": "part_of"})
    experiment = read_pages(lake)
    text = page_of(experiment, "text").words
    assert "1 of 1 cited sources do not stand as they did" in text
    assert "The article that this was taken from is no longer in the lake." in text
    assert CITED_WORDS in text  # the evidence keeps its words
    assert "no longer in the lake" in page_of(experiment, "table").words
    assert "2 of 2 triples are no longer in the graph." in page_of(experiment, "graph").words


def test_a_source_that_was_changed_is_said_to_be(lake: ReadLake) -> None:
    rewritten(lake, ARTICLES, SHARD, text="Something else stands here now, and it is long enough to be read.")
    page = page_of(read_pages(lake), "text")
    assert "The article was changed after this was taken from it." in page.words
    assert CITED_WORDS in page.words


def test_nothing_in_a_source_reorders_what_stands_beside_it(lake: ReadLake) -> None:
    """Characters that turn the writing about are shown, and the cited words are marked where they stand."""
    [article, *_] = lake.read(ARTICLES, SHARD).to_pylist()
    turned = article["text"].replace("Before", "\u202eefor\x1b").replace("After", "\u2066fter")
    rewritten(lake, ARTICLES, SHARD, text=turned, title="Heart \u202e\u2069")
    page = page_of(read_pages(lake), "text")
    assert CITED_WORDS in page.marked
    assert r"\u202eefor\x1b" in page.words
    assert r"\u2066fter" in page.words
    assert r"Heart \u202e\u2069" in page.words
    assert not set(page.text) & set("\u202e\u2066\u2069\x1b")


def test_a_key_that_was_changed_is_said_to_be(lake: ReadLake) -> None:
    questions = lake.read(QUESTIONS, {"benchmark": BENCHMARK}).to_pylist()
    [text] = [row for row in questions if row["question_id"] == "text"]
    text["answer_index"] = 0
    lake.write(QUESTIONS, {"benchmark": BENCHMARK}, table_of(QUESTIONS, *questions))
    experiment = read_pages(lake)
    words = page_of(experiment, "text").words
    assert f"key was changed after this was answered. Then: The heart {SCRIPT}. Now: The liver." in words
    assert "The benchmark's key was changed for 1 question" in index_of(experiment).words


def edited(lake: ReadLake, question_id: str, **changed: object) -> ExperimentRows:
    """Return the rows of the experiment after one of its questions was edited."""
    questions = lake.read(QUESTIONS, {"benchmark": BENCHMARK}).to_pylist()
    [question] = [row for row in questions if row["question_id"] == question_id]
    question |= changed
    lake.write(QUESTIONS, {"benchmark": BENCHMARK}, table_of(QUESTIONS, *questions))
    return read_pages(lake)


def test_options_in_another_order_are_said_to_be_and_the_answer_is_marked_where_it_stands_now(
    lake: ReadLake,
) -> None:
    before = answer_of(read_pages(lake), "text")
    assert before.question is not None
    experiment = edited(lake, "text", options=before.question["options"][::-1])
    page = page_of(experiment, "text")
    assert "The question or its options were changed after this was answered" in page.words
    chosen = str(before.prediction["predicted"])
    letter = "AB"[before.question["options"][::-1].index(chosen)]
    assert f"{letter} {chosen} answered" in page.words
    assert answer_of(experiment, "text").question_changed
    assert not any(answer_of(experiment, other).question_changed for other in QUESTION_IDS if other != "text")


def test_a_question_that_was_worded_anew_is_said_to_be(lake: ReadLake) -> None:
    words = page_of(edited(lake, "text", question="Which organ is asked about now?"), "text").words
    assert "The question or its options were changed after this was answered" in words


def test_a_key_that_takes_one_answer_more_is_said_to_be_where_that_was_given(lake: ReadLake) -> None:
    answer = answer_of(read_pages(lake), "graph")
    given = str(answer.prediction["predicted"])
    wrong = replace(answer, prediction={**answer.prediction, "correct": False, "gold": "another"})
    assert wrong.question is not None
    keys = {**wrong.question, "answer_index": None, "options": [], "answers": ["another"]}
    assert not replace(wrong, question=keys).key_changed
    assert replace(wrong, question={**keys, "answers": ["another", given]}).key_changed


def test_a_question_that_is_gone_is_said_to_be(lake: ReadLake) -> None:
    lake.write(QUESTIONS, {"benchmark": BENCHMARK}, QUESTIONS.schema.empty_table())
    assert "The question is no longer in the lake" in page_of(read_pages(lake), "text").words


def test_answers_of_two_code_versions_are_never_averaged(lake: ReadLake) -> None:
    rewritten(lake, PREDICTIONS, PLACE, code_version="2")
    experiment = read_pages(lake)
    words = index_of(experiment).words
    assert "answers of 2 code versions. They are no one experiment: nothing is averaged" in words
    assert "1: 3 answers" in words
    assert "2: 1 answer" in words
    assert "50.0" not in words  # the score over both
    assert index_of(experiment).all("svg") == []
    assert "This experiment holds answers of 2 code versions" in page_of(experiment, "text").words


def test_scores_stand_on_the_index_with_their_interval(experiment: ExperimentRows) -> None:
    page = index_of(experiment)
    assert "accuracy 50.0 15.0 to 85.0 n = 2" in page.words
    assert len(page.all("svg")) == 2
    shown = [attributes["data-show"] for attributes in page.all("li") if "data-show" in attributes]
    assert shown == ["wrong sure-and-wrong", "abstained", "right", "right"]


def test_lineage_leads_to_files_and_versions(experiment: ExperimentRows) -> None:
    assert "no record of what these answers were made from" in page_of(experiment, "text").words
    made = (MadeTable("predictions", (("whole", "abc"),), ("articles", "source_files")),)
    with_lineage = replace(experiment, lineage=Lineage(made, {"starter://heart.md": "sha256:" + "f" * 64}))
    words = page_of(with_lineage, "text").words
    assert "starter://heart.md, revision 1, version sha256:fffffffffffff…" in words
    assert "starter://heart.md sha256:" + "f" * 64 in words
    assert "predictions made from articles, files outside whole abc" in words


def test_rows_without_the_columns_of_today_are_shown(lake: ReadLake) -> None:
    old = lake.read(PREDICTIONS, PLACE).drop_columns(["unread_words", "unaccounted", "bindings", "model"])
    read_all = lake.read

    def read(table: Table, partition: Partition, columns: Sequence[str] | None = None) -> pa.Table:
        return old if table is PREDICTIONS else read_all(table, partition, columns)

    lake.read = read  # type: ignore[method-assign]
    words = page_of(read_pages(lake), "text").words
    assert "Answered The heart" in words
    assert "This arm does not say what it did with the question's words." in words


def test_two_thousand_citations_are_cut_and_all_within_reach(experiment: ExperimentRows) -> None:
    answer = answer_of(experiment, "text")
    assert answer.chain is not None
    [cited] = [row for row in answer.used[CITED] if row["candidate"] == 1]
    unit = experiment.evidence[cited["evidence_id"]]
    names = [f"{number:032x}" for number in range(2000)]
    used = [{**cited, "evidence_id": name, "rank": rank} for rank, name in enumerate(names, start=1)]
    evidence = {name: {**unit, "evidence_id": name, "text": f"{name} {'<&>' * 500}"} for name in names}
    text = " ".join(f"words [E{number}]" for number in range(1, 2001))
    cited_all = replace(
        answer, chains=[{**answer.chain, "cited": names, "text": text}], used={CITED: used, GIVEN: []}
    )
    large = replace(experiment, answers=[cited_all], evidence={**experiment.evidence, **evidence})
    pages = pages_of(large, "text")
    assert max(map(len, pages.values())) <= LARGEST
    first = Page.of(next(iter(pages.values())))
    assert "of 2,000 citations are shown" in first.words
    listed = [name for name in pages if "-evidence-" in name]
    assert listed[0] in first.links()
    assert listed[-1] in first.links()
    assert set(Page.of(pages[listed[0]]).links()) >= set(listed[1:])
    together = " ".join(Page.of(pages[name]).text for name in listed)
    assert all(name in together for name in names)


def test_a_large_experiment_is_listed_page_by_page_and_verdict_by_verdict(experiment: ExperimentRows) -> None:
    large = many_answers(experiment, 1300)
    pages = dict(index_pages(large))
    assert max(map(len, pages.values())) <= LARGEST
    assert list(pages)[-1] == "index.html"
    read = {name: Page.of(content) for name, content in pages.items()}
    answers = {answer.prediction["prediction_id"] + ".html" for answer in large.answers}
    lists = [page.links() for name, page in read.items() if name.startswith("index")]
    linked = [link for links in lists for link in links if link in answers]
    assert sorted(linked) == sorted(answers)
    wrong = [link for name, page in read.items() if name.startswith("wrong") for link in page.links()]
    assert sum(link in answers for link in wrong) == 325
    assert {"wrong.html", "right.html", "abstained.html", "sure-and-wrong.html"} <= set(
        read["index.html"].links()
    )
    assert set(pages) >= {link for page in read.values() for link in page.links() if link in pages}


def test_the_same_rows_are_the_same_bytes(tmp_path: Path) -> None:
    rendered = []
    for name in ("one", "other"):
        experiment = read_pages(build_page_lake(str(tmp_path / name)))
        pages = [page for question_id in QUESTION_IDS for page in pages_of(experiment, question_id).items()]
        rendered.append([*pages, *index_pages(experiment)])
    assert rendered[0] == rendered[1]


def test_only_marks_that_there_are_become_links() -> None:
    link = '<a class="cite" href="#E1">E1</a>'
    assert citations("<b> [E1] [E2]", ["E1"]) == f"&lt;b&gt; {link} [E2]"
    assert citations("[E1][E1]", ["E1"]) == f"{link} {link}"


def test_a_long_text_says_how_much_is_left_out() -> None:
    assert cut("four", 4) == "four"
    assert cut("x" * 1004, 4) == "xxxx … (1,000 more characters)"
