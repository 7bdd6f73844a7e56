"""Documents of nodes: what sources say, then triples read out, the lightest left out past the cap."""

import pyarrow as pa

from evidence_assets.graphs import documents
from evidence_assets.graphs.documents import document_id, document_rows
from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import NODE_DOCUMENTS
from evidence_assets_tests.testing.graph_samples import graph_of, number_of

TEMPLATES = {"IsA": "{head} is a {tail}", "UsedFor": "{head} is used for {tail}"}


def _documents(
    rows: list[tuple[str, str, str, float]], definitions: dict[str, str]
) -> dict[str, dict[str, object]]:
    table = pa.concat_tables(list(document_rows(graph_of(rows), definitions, TEMPLATES)))
    conform(table, NODE_DOCUMENTS)
    return {row["label"]: row for row in table.to_pylist()}


def test_a_document_says_the_definition_first_and_then_every_triple() -> None:
    documents = _documents(
        [("axe", "IsA", "tool", 1.0), ("axe", "UsedFor", "chopping", 2.0)], {"axe": "A blade on a handle."}
    )

    assert documents["axe"]["text"] == "Axe. A blade on a handle. Axe is used for chopping. Axe is a tool."
    assert documents["tool"]["text"] == "Tool. Axe is a tool."
    assert (documents["axe"]["triples"], documents["axe"]["dropped"]) == (2, 0)


def test_of_a_hub_the_lightest_triples_are_left_out_and_counted() -> None:
    rows = [(f"thing {number:03}", "IsA", "thing", float(number)) for number in range(100)]

    hub = _documents(rows, {})["thing"]

    assert (hub["triples"], hub["dropped"]) == (documents.TRIPLES_PER_DOCUMENT, 60)
    assert "Thing 099 is a thing." in str(hub["text"])
    assert "Thing 000 is a thing." not in str(hub["text"])


def test_a_document_is_known_by_graph_and_label_and_stands_at_its_node() -> None:
    rows = [("a", "IsA", "b", 1.0), ("b", "IsA", "c", 1.0)]
    graph = graph_of(rows)

    for label, row in _documents(rows, {}).items():
        assert row["document_id"] == document_id("kg", label)
        assert row["node"] == number_of(graph, label)


def test_labels_with_braces_are_words_like_others() -> None:
    assert "{tail} is a b." in str(_documents([("{tail}", "IsA", "b", 1.0)], {})["{tail}"]["text"])
