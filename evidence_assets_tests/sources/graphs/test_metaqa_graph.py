"""MetaQA's films: both layouts, numbers that are mended, kinds."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence_assets.graphs.concepts.triples import TripleCollector
from evidence_assets.sources.graphs.metaqa import ENDS, read
from evidence_assets.sources.records import ConceptRecord, RejectedRecord, Triple, UnusableSourceError
from evidence_assets.text.verbalisation import FILMS, templates

Records = list[Triple | ConceptRecord | RejectedRecord]
RELATIONS = "0\tdirected by\r\n1\thas tags\r\n2\trelease year\r\n"


def folder(path: Path, entities: str, relations: str = RELATIONS, **tables: str) -> str:
    path.joinpath("entity2text.txt").write_bytes(entities.encode())
    path.joinpath("relation2text.txt").write_bytes(relations.encode())
    for name, content in tables.items():
        path.joinpath(f"kb_{name}.tsv").write_bytes(content.encode())
    return str(path)


def concepts(records: Records) -> list[tuple[str, str, str]]:
    return [
        (record.key, record.label, record.kind) for record in records if isinstance(record, ConceptRecord)
    ]


def edges(records: Records) -> list[tuple[str, str, str]]:
    return [(record.head, record.relation, record.tail) for record in records if isinstance(record, Triple)]


def rejected(records: Records) -> list[tuple[str, str]]:
    rejections = [record for record in records if isinstance(record, RejectedRecord)]
    assert all(record.remedy for record in rejections)
    return [(record.record, record.reason) for record in rejections]


def test_numbers_and_names(tmp_path: Path) -> None:
    entities = "0\tEden\r\n1\tAnn\r\n2\tann\r\n3\t1990\r\n"
    records = list(read(folder(tmp_path, entities, train="0\t0\t1\r\n0\t1\t2\r\n", dev="0\t2\t3\r\n"), {}))
    assert concepts(records) == [
        ("METAQA:0", "Eden", "movie"),
        ("METAQA:1", "Ann", "person"),
        ("METAQA:2", "ann", "tag"),
        ("METAQA:3", "1990", "year"),
    ]
    assert edges(records) == [
        ("METAQA:0", "release_year", "METAQA:3"),
        ("METAQA:0", "directed_by", "METAQA:1"),
        ("METAQA:0", "has_tags", "METAQA:2"),
    ]
    [year] = [
        record for record in records if isinstance(record, Triple) and record.relation == "release_year"
    ]
    assert (year.sources[0].record, year.by_key) == ("kb_dev.tsv:line 1", True)


def test_the_whole_graph_in_one_file(tmp_path: Path) -> None:
    content = "Eden|directed_by|Ann\nEden|has_tags|Ann\n1984|release_year|1984\nEden|directed_by\n|x|y\n"
    tmp_path.joinpath("kb.txt").write_text(content, encoding="utf-8")
    for uri in (tmp_path, tmp_path / "kb.txt"):
        records = list(read(str(uri), {}))
        assert concepts(records) == [
            ("METAQA:Eden", "Eden", "movie"),
            ("METAQA:Ann", "Ann", "person"),
            # A film and a year: no one kind.
            ("METAQA:1984", "1984", ""),
        ]
        assert len(edges(records)) == 3
        assert rejected(records) == [
            ("kb.txt, line 4", "2 columns where 3 are expected"),
            ("kb.txt, line 5", "head is empty"),
        ]


def test_a_number_out_of_order_is_mended_and_noted(tmp_path: Path) -> None:
    records = list(read(folder(tmp_path, "0\tEden\n1\tAnn\n0\tBo\n3\tCy\n", train="0\t0\t2\n"), {}))
    assert concepts(records)[2] == ("METAQA:2", "Bo", "person")
    [noted] = [record for record in records if isinstance(record, ConceptRecord) and record.label == "Bo"]
    assert noted.record == "entity2text.txt:line 3, the number 0 read as 2"
    assert rejected(records) == []


@pytest.mark.parametrize(
    "entities",
    [
        "0\tEden\n1\tAnn\n0\tBo\n4\tCy\n",  # two numbers are open
        "0\tEden\n1\tAnn\n0\tBo\n2\tCy\n",  # none is
        "0\tEden\n1\tAnn\n0\tBo\n",  # no line follows
        "2\tDee\n0\tEden\n1\tAnn\n0\tBo\n3\tCy\n",  # the open one is taken elsewhere
    ],
)
def test_a_number_that_cannot_be_mended_is_rejected(tmp_path: Path, entities: str) -> None:
    records = list(read(folder(tmp_path, entities, train="0\t0\t1\n"), {}))
    [(place, reason)] = rejected(records)
    assert place.startswith("entity2text.txt, line")
    assert "the number 0 was used before, at line" in reason
    assert "Bo" not in {label for _, label, _ in concepts(records)}


def test_bad_lines_are_rejected_alone(tmp_path: Path) -> None:
    uri = folder(tmp_path, "0\tEden\nx\tAnn\n1\tAnn\n2\n", train="0\t0\t1\n0\t9\t1\n0\tzero\t1\n0\t0\n\n")
    records = list(read(uri, {}))
    assert edges(records) == [("METAQA:0", "directed_by", "METAQA:1")]
    assert rejected(records) == [
        ("kb_train.tsv, line 2", "relation 9 has no name"),
        ("kb_train.tsv, line 3", "'zero' is no whole number"),
        ("kb_train.tsv, line 4", "2 columns where 3 are expected"),
        ("entity2text.txt, line 2", "'x' is no whole number"),
        ("entity2text.txt, line 4", "1 columns where 2 are expected"),
    ]


def test_missing_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableSourceError, match=r"no file kb_\*\.tsv"):
        list(read(folder(tmp_path, "0\tEden\n"), {}))
    tmp_path.joinpath("relation2text.txt").unlink()
    with pytest.raises(UnusableSourceError, match=r"relation2text\.txt"):
        list(read(str(tmp_path), {}))


def test_every_relation_can_be_read_out() -> None:
    assert set(ENDS) == set(templates(FILMS))


@pytest.mark.integration
@pytest.mark.real_data
def test_real_films(real_data: Path) -> None:
    collector = TripleCollector("films", templates(FILMS))
    collector.add(read(str(real_data / "kgqa" / "metaqa"), {}), "metaqa", "CC BY 3.0")
    merger = collector.merge()
    assert collector.rejected == []
    assert len(merger.concepts) == 43_234
    assert collector.statements == 154_085
    assert sum(rows.num_rows for _, rows in collector.tables()) == 129_413
    mended = [concept for concept in merger.concepts if "read as" in concept.records[0][1].record]
    assert [(concept.label, concept.keys) for concept in mended] == [("Michèle Mercier", ["METAQA:22446"])]
