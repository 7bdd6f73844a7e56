"""Authored questions about twenty small graphs, with the answers that queries give: a check, and counts.

`python -m benchmarks.authored.graph_questions` checks everything and prints the counts of the README;
`--jsonl FOLDER` also writes a file a graph that the reader `questions_jsonl` takes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import duckdb
import yaml

from evidence_assets.text.plain_yaml import load_yaml

FOLDER = Path(__file__).with_suffix("")
NODES, EDGES, QUESTIONS = "nodes.tsv", "edges.tsv", "questions.yaml"
ANSWERABLE = (
    "one_hop",
    "two_hops",
    "three_hops",
    "conjunction",
    "unnamed",
    "count",
    "comparison",
    "superlative",
    "negation",
    "or",
    "yes_no",
)
UNANSWERABLE = (
    "unknown_relation",
    "missing_fact",
    "unknown_entity",
    "untellable_condition",
    "instruction",
    "other_language",
    "nonsense",
)
Value = bool | int | float


class GraphQuestionError(ValueError):
    """A graph or a question cannot be used: names the file, the question or line, and the remedy."""

    def __init__(self, file: Path, place: str, problem: str, remedy: str) -> None:
        super().__init__(f"{file.parent.name}/{file.name}, {place}: {problem}; remedy: {remedy}")


@dataclass(frozen=True, order=True)
class Node:
    """A node of a graph. `id` is the table's: the reader `node_edge_tables` puts the folder's name before."""

    id: str
    label: str
    type: str


@dataclass(frozen=True)
class GraphQuestion:
    """A question with its answer: nodes, a value, or neither where the graph cannot tell (then `why`)."""

    id: str
    question: str
    kind: str
    query: str | None
    why: str | None
    nodes: tuple[Node, ...]
    value: Value | None

    @property
    def answerable(self) -> bool:
        """Whether the graph can tell."""
        return self.query is not None

    @property
    def answers(self) -> list[str]:
        """The answer as texts: labels of nodes, a number, yes or no; none where the graph cannot tell."""
        if isinstance(self.value, bool):
            return ["yes" if self.value else "no"]
        if self.value is not None:
            return [f"{self.value:g}"]
        return [node.label for node in self.nodes]


class QuestionedGraph:
    """A graph's folder as the views `triples(head, relation, tail)` and `nodes(id, label, type)`.

    Raises:
        GraphQuestionError: a table is missing or lacks a column; two nodes of one id, a triple stated twice,
            or one whose end is no node.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._connection = duckdb.connect()
        self._view("nodes", NODES, ("id", "name", "type"), "id, name AS label, type")
        self._view("triples", EDGES, ("head", "relation", "tail"), "head, relation, tail")
        self._refuse(
            NODES,
            "SELECT id FROM nodes GROUP BY id HAVING count(*) > 1",
            "two nodes of this id",
            "give every node an id of its own",
        )
        self._refuse(
            EDGES,
            "SELECT concat_ws(' | ', head, relation, tail) FROM triples GROUP BY ALL HAVING count(*) > 1",
            "stated twice",
            "leave one of the lines out",
        )
        self._refuse(
            EDGES,
            "SELECT unnest([head, tail]) AS id FROM triples EXCEPT SELECT id FROM nodes",
            "no node of this id",
            f"add it to {NODES}, or correct the triple",
        )

    @cached_property
    def nodes(self) -> Mapping[str, Node]:
        """Every node by its id."""
        return {row[0]: Node(*row) for row in self.rows("SELECT id, label, type FROM nodes")}

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """What a query over the views returns."""
        return self._connection.execute(query).fetchall()

    def _view(self, name: str, file: str, columns: tuple[str, ...], projection: str) -> None:
        path = self.folder / file
        if not path.is_file():
            raise GraphQuestionError(path, "before the first line", "no such file", "add the table")
        table = self._connection.read_csv(
            str(path), header=True, delimiter="\t", quotechar="", escapechar="", all_varchar=True
        )
        if not set(columns) <= set(table.columns):
            problem = f"lacks a column of {', '.join(columns)}"
            raise GraphQuestionError(path, "line 1", problem, "name the columns, parted by tabs")
        table.project(projection).create(name)

    def _refuse(self, file: str, query: str, problem: str, remedy: str) -> None:
        for (place,) in sorted(self.rows(query)):
            raise GraphQuestionError(self.folder / file, place, problem, remedy)


def graph_folders(folder: Path = FOLDER) -> list[Path]:
    """Return the folders that hold a graph and its questions, by name."""
    return sorted(path.parent for path in folder.glob(f"*/{QUESTIONS}"))


def load(folder: Path) -> list[GraphQuestion]:
    """Return the questions of a graph's folder in the order of its file, their answers computed.

    Raises:
        GraphQuestionError: a table or the file of questions is wrong, a query fails or returns nothing, or
            two questions have one id or one wording.
    """
    graph = QuestionedGraph(folder)
    file = folder / QUESTIONS
    questions: list[GraphQuestion] = []
    ids: set[str] = set()
    wordings: dict[str, str] = {}
    for position, entry in enumerate(_entries(file), start=1):
        identifier, wording, kind, query, why = _fields(file, position, entry)
        if identifier in ids:
            raise GraphQuestionError(file, identifier, "this id was used before", "give it an id of its own")
        ids.add(identifier)
        same = wordings.setdefault(" ".join(wording.casefold().split()).rstrip("?. "), identifier)
        if same != identifier:
            raise GraphQuestionError(file, identifier, f"worded as {same}", "word one of them otherwise")
        nodes, value = ((), None) if query is None else _answer(graph, file, identifier, query)
        questions.append(GraphQuestion(identifier, wording, kind, query, why, nodes, value))
    return questions


def _entries(file: Path) -> list[Any]:
    try:
        entries = load_yaml(file.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise GraphQuestionError(file, "as a whole", f"not YAML: {error}", "correct the file") from error
    if not isinstance(entries, list) or not entries:
        raise GraphQuestionError(file, "as a whole", "not a list of questions", "write a list of mappings")
    return entries


def _fields(file: Path, position: int, entry: Any) -> tuple[str, str, str, str | None, str | None]:
    """The id, question, kind, query and reason of an entry, each of its type and fitting the others."""
    if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
        raise GraphQuestionError(file, f"entry {position}", "no id", "give it an id, a text")
    identifier: str = entry["id"]
    if unknown := sorted(set(map(str, entry)) - {"id", "question", "kind", "query", "why"}):
        raise GraphQuestionError(file, identifier, f"unknown keys {', '.join(unknown)}", "leave them out")
    if "query" not in entry:
        raise GraphQuestionError(file, identifier, "no query", "write it, or null if the graph cannot tell")
    query, why = entry["query"], entry.get("why")
    if not isinstance(entry.get("question"), str) or not entry["question"].strip():
        raise GraphQuestionError(file, identifier, "no question", "write its wording")
    if not isinstance(query, str | None) or not isinstance(why, str | None):
        raise GraphQuestionError(file, identifier, "query or why is no text", "write it as text")
    if (query is None) == (why is None):
        problem = "neither query nor why" if query is None else "both a query and why"
        raise GraphQuestionError(file, identifier, problem, "write a query, or null and why")
    kinds = UNANSWERABLE if query is None else ANSWERABLE
    if entry.get("kind") not in kinds:
        raise GraphQuestionError(
            file, identifier, f"kind is {entry.get('kind')!r}", f"write one of {', '.join(kinds)}"
        )
    return identifier, entry["question"], entry["kind"], query, why


def _answer(
    graph: QuestionedGraph, file: Path, identifier: str, query: str
) -> tuple[tuple[Node, ...], Value | None]:
    """The nodes that a query returns, by id, or the one value."""
    remedy = "correct the query, or the graph"
    try:
        rows = graph.rows(query)
    except duckdb.Error as error:
        raise GraphQuestionError(file, identifier, f"the query fails: {error}", remedy) from error
    if not rows:
        raise GraphQuestionError(file, identifier, "the query returns nothing", remedy)
    if any(len(row) != 1 or row[0] is None for row in rows):
        raise GraphQuestionError(file, identifier, "the query returns several columns, or null", remedy)
    if len(rows) == 1 and isinstance(rows[0][0], Value):
        return (), rows[0][0]
    ids = {str(row[0]) for row in rows}
    if unknown := sorted(ids - graph.nodes.keys()):
        problem = f"the query returns {unknown[0]}, no node's id"
        raise GraphQuestionError(file, identifier, problem, "return ids, or one number or boolean")
    return tuple(sorted(graph.nodes[identifier] for identifier in ids)), None


def check(folder: Path = FOLDER) -> dict[str, list[GraphQuestion]]:
    """Return every graph's questions by the name of its folder.

    Raises:
        GraphQuestionError: as `load`; or an id occurs in two graphs.
    """
    questions = {path.name: load(path) for path in graph_folders(folder)}
    ids: dict[str, str] = {}
    for name, entries in questions.items():
        for question in entries:
            if ids.setdefault(question.id, name) != name:
                raise GraphQuestionError(
                    folder / name / QUESTIONS,
                    question.id,
                    f"{ids[question.id]} has a question of this id",
                    "give it another id",
                )
    return questions


def counts(questions: Mapping[str, Sequence[GraphQuestion]], folder: Path = FOLDER) -> str:
    """Return two Markdown tables: what each graph holds, and its questions by kind."""
    sizes: dict[str, list[int]] = {"triples": [], "nodes": [], "relations": [], "types of nodes": []}
    for name in questions:
        graph = QuestionedGraph(folder / name)
        for row, query in zip(
            sizes.values(),
            (
                "SELECT count(*) FROM triples",
                "SELECT count(*) FROM nodes",
                "SELECT count(DISTINCT relation) FROM triples",
                "SELECT count(DISTINCT type) FROM nodes",
            ),
            strict=True,
        ):
            row.append(graph.rows(query)[0][0])
    tallies = [Counter(question.kind for question in entries) for entries in questions.values()]
    kinds = {kind: [tally[kind] for tally in tallies] for kind in (*ANSWERABLE, *UNANSWERABLE)}
    kinds["answerable"] = [sum(tally[kind] for kind in ANSWERABLE) for tally in tallies]
    kinds["unanswerable"] = [sum(tally[kind] for kind in UNANSWERABLE) for tally in tallies]
    kinds["all"] = [tally.total() for tally in tallies]
    return "\n".join([*_table("graph", list(questions), sizes), "", *_table("kind", list(questions), kinds)])


def _table(title: str, names: Sequence[str], rows: Mapping[str, Sequence[int]]) -> Iterator[str]:
    yield f"| {' | '.join([title, *names, 'all'])} |"
    yield f"| --- |{' ---: |' * (len(names) + 1)}"
    for name, numbers in rows.items():
        yield f"| {' | '.join([name, *map(str, [*numbers, sum(numbers)])])} |"


def write_jsonl(questions: Mapping[str, Sequence[GraphQuestion]], folder: Path) -> None:
    """Write a file a graph with id, question and answers; what the graph cannot tell is not answerable."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, entries in questions.items():
        lines = [
            json.dumps(
                {"id": entry.id, "question": entry.question, "answers": entry.answers}
                if entry.answerable
                else {"id": entry.id, "question": entry.question, "answerable": False}
            )
            for entry in entries
        ]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Check all graphs and print the counts; return 1, with the error, where something is wrong."""
    parser = argparse.ArgumentParser(prog="benchmarks.authored.graph_questions", description=__doc__)
    parser.add_argument("--jsonl", type=Path, metavar="FOLDER", help="also write a file of questions a graph")
    options = parser.parse_args(arguments)
    try:
        questions = check()
    except GraphQuestionError as error:
        print(error, file=sys.stderr)
        return 1
    print(counts(questions))
    if options.jsonl is not None:
        write_jsonl(questions, options.jsonl)
    return 0


if __name__ == "__main__":
    sys.exit(main())
