"""Pools of documents: the nearest by vectors and by words, of open questions alone."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from evidence_assets.kgqa.answers.baselines import BM25, DENSE
from evidence_assets.kgqa.answers.document_pools import POOL_DEPTH, document_pools, pools_of
from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import DOCUMENT_POOLS, NODE_DOCUMENTS
from evidence_assets.models.encoder import FloatArray
from evidence_assets.text.queries import shorten_questions
from evidence_assets_tests.testing.graph_samples import SignEncoder
from evidence_assets_tests.testing.question_rows import question_row, question_table


def _questions(*texts: str, options: tuple[str, ...] = ()) -> pa.Table:
    return question_table(*(question_row(f"q{place}", text, options) for place, text in enumerate(texts)))


def _documents(*texts: str) -> pa.Table:
    rows = [
        {
            "document_id": f"d{node}",
            "kg": "kg",
            "node": node,
            "label": text,
            "text": text,
            "triples": 0,
            "dropped": 0,
        }
        for node, text in enumerate(texts)
    ]
    return pa.Table.from_pylist(rows, schema=NODE_DOCUMENTS.schema)


def test_pools_hold_the_nearest_documents_by_vectors_and_by_words() -> None:
    encoder = SignEncoder()
    texts = ("a red axe", "a blue saw", "an old house", "a red house")

    rows = conform(
        document_pools(_questions("which house is red"), _documents(*texts), encoder.encode, "b"),
        DOCUMENT_POOLS,
    )

    cosines = encoder.encode(list(texts)) @ encoder.encode(["which house is red"])[0]
    dense = pools_of(rows, DENSE)["q0"]
    assert [node for node, _ in dense] == np.argsort(-cosines, kind="stable").tolist()
    words = pools_of(rows, BM25)["q0"]
    assert words[0][0] == 3
    assert {node for node, _ in words} == {0, 2, 3}


def test_questions_with_options_and_empty_graphs_have_no_pool() -> None:
    with_options = _questions("which house", options=("a", "b"))

    assert document_pools(with_options, _documents("house"), SignEncoder().encode, "b").num_rows == 0
    assert document_pools(_questions("which house"), _documents(), SignEncoder().encode, "b").num_rows == 0


def test_a_pool_is_no_deeper_than_its_depth() -> None:
    documents = _documents(*(f"house {number}" for number in range(POOL_DEPTH + 50)))

    rows = document_pools(_questions("house"), documents, SignEncoder().encode, "b")

    assert {len(pools_of(rows, retriever)["q0"]) for retriever in (DENSE, BM25)} == {POOL_DEPTH}


def test_a_question_without_a_known_word_has_no_pool_by_words() -> None:
    rows = document_pools(_questions("zzz"), _documents("house"), SignEncoder().encode, "b")

    assert pools_of(rows, BM25) == {}
    assert len(pools_of(rows, DENSE)["q0"]) == 1


def test_a_question_that_is_too_long_is_searched_by_its_end() -> None:
    texts, end = ("a red axe", "a blue saw", "an old house", "a red house"), "which house is old"
    long = _questions(f"{'he had once seen a red axe and ' * 20}{end}")

    def cut(texts: Sequence[str]) -> FloatArray:
        return SignEncoder().encode([" ".join(text.split()[:6]) for text in texts])

    shortened = shorten_questions(long, lambda texts: [len(text.split()) for text in texts], 4)
    rows = document_pools(long, _documents(*texts), shortened.encoding(cut), "b")
    expected = document_pools(_questions(end), _documents(*texts), cut, "b")

    assert pools_of(rows, DENSE) == pools_of(expected, DENSE)
    assert pools_of(document_pools(long, _documents(*texts), cut, "b"), DENSE) != pools_of(expected, DENSE)
