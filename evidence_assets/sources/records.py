"""Typed records that readers yield, and rejections of unusable ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from evidence_assets.lake.ids import content_id
from evidence_assets.sources.withheld import as_written


class UnusableSourceError(Exception):
    """A whole source cannot be read: names the file, the record where reading stopped, and the remedy.

    Values of variables in addresses are withheld from all of them.
    """

    def __init__(self, file: str, record: str, reason: str, remedy: str) -> None:
        self.file, self.record, self.reason, self.remedy = map(_storable, (file, record, reason, remedy))
        super().__init__(f"{self.file}, {self.record}: {self.reason}. Remedy: {self.remedy}")


class NothingReadError(Exception):
    """A source can be read, and nothing in it can be used: names it, its first record and the remedy."""


class MissingFileError(UnusableSourceError):
    """There is no such file, or none in the folder."""


@dataclass(frozen=True, slots=True)
class RejectedRecord:
    """A rejected record, and why. `record`: its place in its file (a line, a page id, a row).

    `records`: how many it tells of: more than one where they are too many to tell of each.
    What a record holds and UTF-8 cannot store stands as a question mark in what is said of it.
    """

    record: str
    reason: str
    remedy: str
    records: int = 1

    def __post_init__(self) -> None:
        for name in ("record", "reason", "remedy"):
            object.__setattr__(self, name, _storable(getattr(self, name)))


def _storable(text: str) -> str:
    return as_written(text).encode("utf-8", "replace").decode("utf-8")


@dataclass(frozen=True, slots=True)
class Article:
    """One document. `key` is the source's own identifier, unique within one source.

    `place`: where the document stands in its source, if its key is but its title: titles repeat, and then the
    place tells the documents apart. Empty where the key stands for itself.
    """

    key: str
    title: str
    text: str
    url: str = ""
    revision: str = ""
    place: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class GoldEvidence:
    """Text that a benchmark's authors name as evidence: its article's title where known, and its words."""

    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class TableRecord:
    """One table as published. `key` is the source's own identifier, unique within one source.

    `header_rows` are the rows of names above the data, none where the source gives none; rows may be ragged.
    `titles`: lines of its file above these, which are in the caption. `notes`: what stands below the rows.
    `file`: the URI of the file that it was read from; empty where it stands among the questions themselves.
    `copy_of`: the URI, as a configuration would write it, of the file that this one is a copy of, if it is.
    """

    key: str
    caption: str
    header_rows: tuple[tuple[str, ...], ...]
    rows: tuple[tuple[str, ...], ...]
    titles: int = 0
    notes: tuple[str, ...] = ()
    file: str = field(default="", compare=False)
    copy_of: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class GoldCell:
    """Cells of a table that a benchmark's authors name as evidence.

    Rows, without those of the header, and columns count from 0; None means all of them. `row` -1 is the
    header.
    """

    table_key: str
    row: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """One benchmark question.

    `options` is empty for questions without choices; `answer_index` then is None and `answers` holds the
    accepted answers. For multiple choice `answers` holds the text of the right option. `context` is text
    that the benchmark hands out with the question (PubMedQA's abstract). `table` is the table that the
    question, or the claim, is about; `gold_cells` may name cells of other tables too. `topics` are the names
    of the entities that the benchmark marks as what the question is about, as its graph spells them.
    `answerable`: False where the question is known to have no answer; without it and without answers, nobody
    has said what is right. `answer_keys`: the answers' identifiers in the graph's sources, where the
    benchmark names them: several nodes may share a name.
    """

    question_id: str
    question: str
    options: tuple[str, ...] = ()
    answer_index: int | None = None
    answers: tuple[str, ...] = ()
    gold_evidence: tuple[GoldEvidence, ...] = ()
    context: str = ""
    subject: str = ""
    table: TableRecord | None = None
    gold_cells: tuple[GoldCell, ...] = ()
    topics: tuple[str, ...] = ()
    answerable: bool | None = None
    answer_keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TripleSource:
    """Provenance of a triple; `record` is the place in the file that it was read from."""

    source: str
    record: str
    licence: str


@dataclass(frozen=True, slots=True)
class Triple:
    """One edge of a knowledge graph, by the labels of its ends, with its provenance.

    Where `by_key`, the ends are the keys of concepts that the same source describes (`ConceptRecord`).
    `weight` is the source's own, None where it gives none.
    """

    head: str
    relation: str
    tail: str
    weight: float | None = None
    sources: tuple[TripleSource, ...] = ()
    by_key: bool = False


@dataclass(frozen=True, slots=True)
class ConceptRecord:
    """One concept as a source describes it.

    `key` is the source's own identifier, with the prefix that names its registry (`DOID:1115`), so that two
    sources that use one registry mean one concept. `cross_references` are identifiers of other registries, in
    the spelling of `cross_references.canonical`. `kind` is what sort of thing it is (disease, drug, gene, …),
    empty where the source does not say. `record` is the place in the file that it was read from. `same_as` is
    the identifier of another registry that the source numbers this concept by: where another concept of the
    source refers to it, the source describes one concept twice.
    """

    key: str
    label: str
    synonyms: tuple[str, ...] = ()
    cross_references: tuple[str, ...] = ()
    definition: str = ""
    kind: str = ""
    record: str = ""
    same_as: str = ""


# Cached: the questions of a benchmark share their tables.
@lru_cache(maxsize=256)
def table_id(record: TableRecord) -> str:
    """Return the id of a table in the lake: a hash of its key and content."""
    return content_id("table", record.key, record.caption, record.header_rows, record.rows)
