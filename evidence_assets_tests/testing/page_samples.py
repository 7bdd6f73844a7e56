"""A lake whose answers rest on every kind of source, and whose texts try to be markup."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pyarrow as pa

from evidence_assets.audit.pages.answer_page import answer_pages
from evidence_assets.audit.pages.experiment import AnswerRows, ExperimentRows, read_experiment
from evidence_assets.audit.pages.source_tables import SOURCE_TABLES
from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.evidence.experiment import Answer, Chain, Experiment, Selected
from evidence_assets.evidence.units import (
    EvidenceUnit,
    unit_of_cell,
    unit_of_column,
    unit_of_path,
    unit_of_triple,
    units_of_chunks,
)
from evidence_assets.lake.lake import Lake, Partition, PartitionVersion
from evidence_assets.lake.schemas import (
    ARTICLES,
    BENCHMARK_SCORES,
    CHUNKS,
    EVIDENCE_ABLATIONS,
    QUESTIONS,
    TABLES,
    TRIPLES,
    Table,
)
from evidence_assets_tests.testing.table_rows import table_of
from evidence_assets_tests.testing.tiny_lake import (
    BENCHMARK,
    SHARD,
    SYSTEM,
    article_row,
    chunk_row,
    experiment_partition,
    score_row,
    tiny_question,
    write_experiment,
)

ARM = "full@extractive"
PLACE = experiment_partition(ARM)
SCRIPT = "<script>alert('no')</script>"
BREAKOUT = '"><img src=x onerror=alert(1)>'
TEXT = (
    f"Before 💓 it stands {SCRIPT} and Cafe\u0301. The heart pumps </mark>{SCRIPT} blood. "
    "After it stands more."
)
CITED_WORDS = f"The heart pumps </mark>{SCRIPT} blood."
SCHEMA_READABLE = frozenset({*SOURCE_TABLES, BENCHMARK_SCORES, EVIDENCE_ABLATIONS})


class ReadLake(Lake):
    """A lake read as a stage's inputs are, without a declaration."""

    def ancestry(
        self, table: Table, partition: Partition
    ) -> list[tuple[PartitionVersion, list[PartitionVersion]]]:
        version = self.version(table, partition)
        return [(version, self.made_from(version))]


def triple_row(head: str, relation: str, tail: str) -> dict[str, Any]:
    return {
        "triple_id": f"{head}-{relation}-{tail}",
        "kg": "medicine",
        "relation": relation,
        "head": head,
        "tail": tail,
        "sources": [{"source": BREAKOUT, "record": "line 3", "licence": "CC0-1.0"}],
    }


STEPS = (triple_row("heart", "part_of", "body"), triple_row(f"blood {SCRIPT}", "part_of", "body"))
TABLE = {
    "table_id": "t1",
    "source": BENCHMARK,
    "caption": f"Beats a minute {SCRIPT}",
    "header": ["animal", BREAKOUT, "beats"],
    "rows": [[f"animal {number}", "x", str(number)] for number in range(60)],
    "typed_rows": [],
    "source_uri": "tables.csv",
    "licence": "CC0-1.0",
}


def build_page_lake(root: str) -> ReadLake:
    """Write one experiment of four questions.

    "text" is answered right, from a sentence; "graph" wrong and surely, from a path and a triple; "table"
    right, from cells; "silent" is not answered. Nothing is written of their lineage.
    """
    lake = ReadLake(root)
    article = {**article_row("Heart & soul", TEXT, "starter://heart.md"), "title": f"Heart {BREAKOUT}"}
    start = TEXT.index(CITED_WORDS)
    end = start + len(CITED_WORDS)
    chunk = chunk_row(article, 0, len(TEXT), [start - 1, end, len(TEXT)])
    lake.write(ARTICLES, SHARD, table_of(ARTICLES, article))
    lake.write(CHUNKS, SHARD, table_of(CHUNKS, chunk))
    place = {"kg": STEPS[0]["kg"], "relation": STEPS[0]["relation"]}
    lake.write(TRIPLES, place, table_of(TRIPLES, *STEPS))
    lake.write(TABLES, {"source": BENCHMARK}, table_of(TABLES, TABLE))
    questions = [
        tiny_question("graph", f"What is part of the body? {SCRIPT}", ["heart", BREAKOUT], 1),
        tiny_question("silent", "What is not known?", ["a", "b"], 0),
        tiny_question("table", "How often does animal 40 beat?", ["39", "40"], 1),
        tiny_question("text", f"What pumps blood? {BREAKOUT}", ["The liver", f"The heart {SCRIPT}"], 1),
    ]
    lake.write(QUESTIONS, {"benchmark": BENCHMARK}, table_of(QUESTIONS, *questions))
    sentences = units_of_chunks(table_of(CHUNKS, chunk))[str(chunk["chunk_id"])][1]
    write_experiment(lake, experiment_of(questions, sentences))
    scores = table_of(BENCHMARK_SCORES, score_row(ARM, "accuracy", 0.5, low=0.15, high=0.85))
    lake.write(BENCHMARK_SCORES, PLACE, scores)
    return lake


def experiment_of(questions: Sequence[Mapping[str, Any]], sentences: Sequence[EvidenceUnit]) -> Experiment:
    graph, silent, table, text = questions
    before, pumps, after = sentences
    experiment = Experiment(SYSTEM, ARM, BENCHMARK, "1")
    bindings = (
        Binding(0, 4, "What", Role.EMPTY),
        Binding(5, 10, "pumps", Role.EVIDENCE, f"chunk {pumps.source_key}"),
        Binding(11, 16, "blood", Role.UNACCOUNTED),
    )
    evidence = {1: [Selected(unit, 0.9, []) for unit in (pumps, before, after)]}
    experiment.answer(
        text,
        evidence,
        [
            Chain(1, f"{SCRIPT} It pumps [E1], see [E9].", [pumps], 0.9, {}),
            Chain(0, "Bile [E1].", [after], 0.1, {}),
        ],
        Answer(1, 0.8, "extractive", "B", accounting=Accounting(bindings)),
    )
    path = unit_of_path("p1", "the heart, of the body, of the blood", [step["triple_id"] for step in STEPS])
    triple = unit_of_triple(STEPS[0]["triple_id"], "the heart is part of the body")
    experiment.answer(
        graph,
        {0: [Selected(path, 0.7, []), Selected(triple, 0.6, [])]},
        [Chain(0, "heart: [E1] [E2]", [path, triple], 0.7, {})],
        Answer(0, 0.9, "extractive", "A"),
    )
    cells = [unit_of_cell("t1", 40, 2, "animal 40: 40"), unit_of_column("t1", 2, "beats")]
    experiment.answer(
        table,
        {1: [Selected(unit, 0.5, []) for unit in cells]},
        [Chain(1, "40: [E1] [E2]", cells, 0.5, {})],
        Answer(1, 0.6, "extractive", "B"),
    )
    experiment.answer(silent, {}, [], Answer(None, None, "extractive", "", "no option named", abstained=True))
    return experiment


def read_pages(lake: Lake) -> ExperimentRows:
    """The experiment as its pages read it."""
    return read_experiment(lake, SCHEMA_READABLE, PLACE, f"An arm {SCRIPT}")  # type: ignore[arg-type]


def answer_of(experiment: ExperimentRows, question_id: str) -> AnswerRows:
    [answer] = [rows for rows in experiment.answers if rows.prediction["question_id"] == question_id]
    return answer


def pages_of(experiment: ExperimentRows, question_id: str) -> dict[str, bytes]:
    """An answer's pages by name, its own first."""
    answer = answer_of(experiment, question_id)
    return dict(answer_pages(experiment, answer, {"previous": None, "next": None}))


def page_of(experiment: ExperimentRows, question_id: str) -> Page:
    """An answer's own page, read."""
    return Page.of(next(iter(pages_of(experiment, question_id).values())))


def rewritten(lake: Lake, table: Table, place: Partition, **values: Any) -> None:
    """Write a partition anew, with these columns of its first row changed."""
    rows = lake.read(table, place).to_pylist()
    rows[0] |= values
    lake.write(table, place, pa.Table.from_pylist(rows, schema=table.schema))


def many_answers(experiment: ExperimentRows, count: int) -> ExperimentRows:
    """The experiment with so many answers: its own, again and again under other names."""
    answers = []
    for number in range(count):
        answer = experiment.answers[number % len(experiment.answers)]
        names = {"prediction_id": f"{number:032x}", "question_id": f"q{number:06}"}
        answers.append(replace(answer, prediction={**answer.prediction, **names}))
    return replace(experiment, answers=answers)


_BLOCKS = frozenset({"dt", "dd", "li", "p", "td", "th", "h1", "h2", "h3", "summary", "figcaption"})


class Page(HTMLParser):
    """What a browser would make of a page: its elements with their attributes, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.marked: list[str] = []
        self._open: list[str] = []

    @classmethod
    def of(cls, content: bytes) -> Page:
        page = cls()
        page.feed(content.decode())
        page.close()
        return page

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        self._open.append(tag)
        if tag == "mark":
            self.marked.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCKS:
            self.text += "\n"
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] in ("style", "script"):
            return
        self.text += data
        if "mark" in self._open:
            self.marked[-1] += data

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]

    def links(self) -> list[str]:
        return [attributes["href"] for attributes in self.all("a")]

    @property
    def words(self) -> str:
        """The text with white space put in order."""
        return " ".join(self.text.split())


def outside(page: Page) -> Iterable[str]:
    """Every address that a browser would fetch, or follow, outside the page's own folder tree."""
    for tag, attributes in page.elements:
        for name, value in attributes.items():
            fetches = name in ("src", "srcset", "href", "action", "data", "poster", "xlink:href")
            if fetches and (":" in value.split("/")[0] or value.startswith("//")) and value != "data:,":
                yield f"{tag} {name}={value}"
