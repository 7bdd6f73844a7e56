"""What is known of one question set: its description, its source, its licence and its reader."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from evidence_assets.sources.records import RejectedRecord, TableRecord

if TYPE_CHECKING:
    from evidence_assets.sources.questions.reading import Reader

Store: TypeAlias = Callable[[str], Iterator[TableRecord | RejectedRecord]]
Task = Literal["multiple_choice", "retrieval", "claim_verification", "table_questions", "graph_questions"]


class MappingError(Exception):
    """A mapping file cannot be used: names the file, the field and the remedy."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One question set: description, source, licence and reader.

    `splits` are those with public labels. `where` says where to get the files. `store`: the tables that all
    questions are asked of, by the URI of a file of questions; None where each question brings its own table,
    or there are none. `licence_source`: where the owners state the licence; empty: not confirmed there.
    `may_offer_options`: False where no question can have any.
    """

    name: str
    title: str
    task: Task
    splits: tuple[str, ...]
    licence: str
    where: str
    reader: Reader
    store: Store | None = None
    licence_source: str = ""
    may_offer_options: bool = True
