"""Questions of all kinds to a small graph in a folder: what is answered, what of it rightly, and when not.

    python -m benchmarks.graph_questions [FOLDER ...] [--wrong] [--keep] [--keep-signs] [--cross]

A folder holds nodes.tsv (id, name, type), edges.tsv (head, relation, tail: ids, or literals) and
questions.yaml: a list of `question`, `kind`, and `query`, SQL over the views triples(head, relation, tail)
and nodes(id, label, type) whose first column is the answer; null where the graph has none.

How sure readings are is learnt from development graphs, and most of all from how the latest four of them were
read when they were opened, before any rule was chosen on them: `graph_readings_when_blind.json` keeps the
signs of those readings, and whether they were right. The least confidence to answer with is the one from
which `ASKED` of them are right, each graph's decided by what the others show. `--cross` decides the readings
of each development graph likewise.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import yaml
from sklearn.linear_model import LogisticRegression

from benchmarks.film_questions import Case, cases, films
from benchmarks.texts import starter_encoder
from evidence_assets.graphs.graph import Graph, build_graph
from evidence_assets.graphs.linking import Linker
from evidence_assets.graphs.nodes import alias_rows
from evidence_assets.kgqa.knowledge_base import KnowledgeBase
from evidence_assets.kgqa.linked_questions import LinkedQuestion
from evidence_assets.kgqa.node_types import node_types
from evidence_assets.kgqa.parses import ParsedQuery
from evidence_assets.kgqa.question_reading import RELIABILITY, QuestionReading, judged
from evidence_assets.kgqa.reading_signs import SIGNS, Weights, keep_weights, sign_weights
from evidence_assets.kgqa.schema import derived_schema
from evidence_assets.kgqa.topics import named_topics
from evidence_assets.kgqa.understanding import Understander
from evidence_assets.models.encoder import Encoder
from evidence_assets.reading.accounting import MEASURED, empty_words, keep_empty_words, learn_empty_words
from evidence_assets.reading.reliability import Outcome as Answered
from evidence_assets.reading.reliability import keep_reliability, measure, reliability

DEVELOPMENT = Path(__file__).parent / "authored" / "graph_questions_development"
# Development graphs among those of `authored/graph_questions`; the others there are held out.
ALSO_DEVELOPMENT = (
    "hospital",
    "islands",
    "museum",
    "observatory",
    "opera",
    "packages",
    "power_grid",
    "railway",
    "shipping",
    "wine",
)
# How graphs were read when they were opened.
WHEN_BLIND = DEVELOPMENT.parent / "graph_readings_when_blind.json"
# The strength of the prior that a sign tells nothing, how much more a graph counts as it was read when no
# rule had been chosen on it, and the share of answers that are to be right on such: above the 85 % asked for,
# since other graphs are of another sample.
RIDGE, BLIND, ASKED = 0.03, 4.0, 0.9
# MetaQA's development questions of each number of hops that whole paths are measured on.
FILMS_ASKED = 1_000
FILMS_MEASURED = f"the first {FILMS_ASKED} of MetaQA's development questions of one hop and of two"
# A word carries nothing if so many readings left it, and were right about as often as those that left none.
LEAST, MARGIN = 8, 0.05


@dataclass(frozen=True)
class Folder:
    """A graph with its node ids, and its questions with their right answers; None where there is none."""

    base: KnowledgeBase
    ids: Sequence[str]
    linker: Linker
    questions: Sequence[dict[str, Any]]
    gold: Sequence[frozenset[str] | None]


@dataclass(frozen=True)
class Outcome:
    """A question with its reading, its right answers, and whether it was read rightly."""

    question: dict[str, Any]
    reading: QuestionReading
    answers: frozenset[str]
    gold: frozenset[str] | None
    milliseconds: float

    @property
    def answered(self) -> bool:
        """Whether it was answered at all."""
        return not self.reading.abstains

    @property
    def right(self) -> bool:
        """Whether the answers are the right ones; abstaining is right where there are none."""
        return self.answers == self.gold if self.answered else self.gold is None


def opened(folder: Path) -> Folder:
    """Read a folder.

    Raises:
        FileNotFoundError: one of its three files is not there.
    """
    nodes, triples = _rows(folder / "nodes.tsv"), _rows(folder / "edges.tsv")
    ids = [row["id"] for row in nodes]
    literals = sorted({row["tail"] for row in triples} - set(ids))
    labels = [row["name"] or row["id"] for row in nodes] + literals
    kinds = [row["type"] or None for row in nodes] + [None] * len(literals)
    ids += literals
    columns = {
        name: pa.array([row[name] for row in triples], pa.string()) for name in ("head", "relation", "tail")
    }
    table = pa.table(
        {
            "triple_id": pa.array([f"{folder.name}:{place}" for place in range(len(triples))]),
            **columns,
            "weight": pa.array([1.0] * len(triples)),
        }
    )
    graph = replace(build_graph(folder.name, table, pa.table({"label": ids})), labels=pa.array(labels))
    schema = derived_schema(graph, kinds, {})
    templates = {name: relation.sentences[0] for name, relation in schema.relations.items()}
    base = KnowledgeBase(graph, schema, node_types(graph, kinds, schema), templates)
    questions = yaml.safe_load((folder / "questions.yaml").read_text(encoding="utf-8"))
    connection = duckdb.connect()
    connection.register("triples", table.select(["head", "relation", "tail"]))
    connection.register("nodes", pa.table({"id": ids, "label": labels, "type": pa.array(kinds, pa.string())}))
    return Folder(base, ids, _linker(graph), questions, [_gold(connection, row) for row in questions])


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def _linker(graph: Graph) -> Linker:
    """Return what finds the nodes of a phrase, several where they share a label."""
    table = pa.table(
        {
            "node": pa.array(range(len(graph.labels)), pa.int32()),
            "label": graph.labels,
            "kg": pa.array([graph.name] * len(graph.labels)),
        }
    )
    return Linker(alias_rows(table), np.diff(graph.offsets).astype(np.int32))


def _gold(connection: duckdb.DuckDBPyConnection, question: dict[str, Any]) -> frozenset[str] | None:
    if not question["query"]:
        return None
    values = connection.execute(question["query"]).fetchall()
    return frozenset(_told(row[0]) for row in values)


def _told(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def outcomes(folder: Folder, encoder: Encoder) -> Iterator[Outcome]:
    """Yield every question's outcome: answers are compared by node id, or by label where SQL gives that."""
    understander = folder.base.understander(encoder)
    labels = folder.base.graph.labels.to_pylist()
    for place, (question, gold) in enumerate(zip(folder.questions, folder.gold, strict=True)):
        started = time.perf_counter()
        topics = named_topics(question["question"], folder.linker)
        asked = LinkedQuestion(str(place), question["question"], topics)
        reading = understander.reading(asked)
        spent = 1000 * (time.perf_counter() - started)
        if value := reading.value:
            answers = frozenset({value})
        else:
            nodes = reading.nodes.tolist()
            by_id = gold is None or gold <= set(folder.ids)
            answers = frozenset(folder.ids[node] if by_id else labels[node] for node in nodes)
        yield Outcome(question, reading, answers, gold, spent)


def figures(measured: Sequence[Outcome]) -> dict[str, Any]:
    """Return what is answered, what of it rightly, and what of the unanswerable is abstained on."""
    asked = [each for each in measured if each.gold is not None]
    nothing = [each for each in measured if each.gold is None]
    answered = [each for each in measured if each.answered]
    kinds = dict.fromkeys(each.question["kind"] for each in asked)
    return {
        "n": len(measured),
        "answerable": len(asked),
        "answered_of_answerable": sum(each.answered for each in asked),
        "right_of_those": sum(each.right for each in asked if each.answered),
        "right_of_answered": _share(sum(each.right for each in answered), len(answered)),
        "unanswerable": len(nothing),
        "abstained_of_unanswerable": sum(not each.answered for each in nothing),
        "abstaining_recall": _share(sum(not each.answered for each in nothing), len(nothing)),
        "abstaining_precision": _share(
            sum(not each.answered for each in nothing), len(measured) - len(answered)
        ),
        "milliseconds_median": round(float(np.median([each.milliseconds for each in measured])), 1),
        "by_kind": {
            kind: "{} right of {} answered of {}".format(
                sum(each.right and each.answered for each in asked if each.question["kind"] == kind),
                sum(each.answered for each in asked if each.question["kind"] == kind),
                sum(each.question["kind"] == kind for each in asked),
            )
            for kind in kinds
        },
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def development() -> list[Path]:
    """Return the folders of the development graphs."""
    others = [DEVELOPMENT.parent / "graph_questions" / name for name in ALSO_DEVELOPMENT]
    return [*sorted(DEVELOPMENT.iterdir()), *others]


@dataclass(frozen=True)
class Judged:
    """The signs of a reading that only its confidence decides, and whether it was right."""

    signs: tuple[float, ...]
    right: bool


def judged_of(measured: Iterable[Outcome]) -> list[Judged]:
    """Return the readings that only their confidence decides: others tell nothing of it."""
    return [
        Judged(each.reading.signs, each.gold is not None and each.answers == each.gold)
        for each in measured
        if not each.reading.abstains or each.reading.is_unsure
    ]


def when_blind() -> dict[str, list[Judged]]:
    """Return how graphs were read when they were opened, by a parser that they had not shaped yet."""
    kept = json.loads(WHEN_BLIND.read_text(encoding="utf-8"))
    return {
        graph: [Judged(tuple(each["signs"]), each["right"]) for each in readings]
        for graph, readings in kept.items()
    }


def weighed(graphs: Iterable[Sequence[Judged]], blind: Iterable[Sequence[Judged]]) -> Weights:
    """Return the weights of signs that tell right readings from others: a logistic model, by ridge.

    Each graph weighs the same, however many questions were asked of it, and `BLIND` times as much as it was
    read when it was opened. Nothing is too unsure to be answered yet.
    """
    shares = [
        (each, weight / len(readings))
        for part, weight in ((graphs, 1.0), (blind, BLIND))
        for readings in part
        for each in readings
    ]
    signs = np.array([each.signs for each, _ in shares])
    share = np.array([share for _, share in shares])
    scale = signs.std(axis=0) + (signs.std(axis=0) == 0)
    model = LogisticRegression(C=RIDGE).fit(
        (signs - signs.mean(axis=0)) / scale,
        [each.right for each, _ in shares],
        sample_weight=share * len(share) / share.sum(),
    )
    weights = model.coef_[0] / scale
    constant = float(model.intercept_[0] - weights @ signs.mean(axis=0))
    return Weights(dict(zip(SIGNS, np.round(weights, 4).tolist(), strict=True)), round(constant, 4), 0.0)


def fitted(graphs: Mapping[str, Sequence[Judged]], blind: Mapping[str, Sequence[Judged]]) -> Weights:
    """Return weights of all graphs; from their least confidence on `ASKED` of the blind readings are right.

    The readings of a graph when it was opened are decided by what the other graphs show.
    """
    decided = [
        (weights.confidence(each.signs), each.right)
        for name, readings in blind.items()
        for weights in [weighed(_without(graphs, name).values(), _without(blind, name).values())]
        for each in readings
    ]
    right = np.array([each for _, each in sorted(decided, reverse=True)], dtype=float)
    enough = np.flatnonzero(np.cumsum(right) >= ASKED * np.arange(1, len(right) + 1))
    least = sorted(decided, reverse=True)[enough[-1]][0] if len(enough) else 1.0
    return replace(weighed(graphs.values(), blind.values()), least=round(least, 2))


def _without(graphs: Mapping[str, Sequence[Judged]], name: str) -> dict[str, Sequence[Judged]]:
    """Return the other graphs than this one, in whatever folder it stands."""
    return {other: readings for other, readings in graphs.items() if Path(other).name != Path(name).name}


def crossed(measured: Mapping[str, Sequence[Outcome]]) -> dict[str, list[Outcome]]:
    """Return each graph's outcomes as weights decide them that the other graphs show."""
    graphs, blind = {name: judged_of(answers) for name, answers in measured.items()}, when_blind()
    decided = {}
    for name, answers in measured.items():
        weights = fitted(_without(graphs, name), _without(blind, name))
        decided[name] = [replace(each, reading=judged(each.reading, weights)) for each in answers]
    return decided


def keep(encoder: Encoder) -> None:
    """Measure what whole paths are worth on MetaQA's films, and keep it as the package's data.

    Raises:
        FileNotFoundError: the data sets are not there: whole paths are measured on MetaQA's films.
    """
    place = Path(str(files(MEASURED)))
    understander, parsed = _films(encoder)

    def read() -> Iterator[tuple[QuestionReading, bool]]:
        for case, parses in parsed:
            reading = understander.of_path(case.asked, parses[0])
            yield reading, bool(set(reading.nodes.tolist()) & case.gold)

    left = ((reading.accounting.unaccounted, right) for reading, right in read())
    learnt = learn_empty_words(left, LEAST, MARGIN)
    keep_empty_words(place / f"empty_words_{RELIABILITY}.json", learnt, FILMS_MEASURED)
    empty_words.cache_clear()
    rows = [Answered(reading.kind, "path", reading.left, right) for reading, right in read()]
    keep_reliability(place / f"reliability_{RELIABILITY}.json", measure(rows), FILMS_MEASURED)
    reliability.cache_clear()


def keep_signs(encoder: Encoder) -> None:
    """Weigh the signs of readings on the development questions, and keep it as the package's data."""
    place = Path(str(files(MEASURED)))
    graphs = {path.as_posix(): judged_of(outcomes(opened(path), encoder)) for path in development()}
    weights = fitted(graphs, when_blind())
    fitted_on = f"the folders of {DEVELOPMENT.name}, and {', '.join(ALSO_DEVELOPMENT)} of graph_questions"
    keep_weights(place / f"signs_{RELIABILITY}.json", weights, fitted_on)
    sign_weights.cache_clear()


def _films(encoder: Encoder) -> tuple[Understander, list[tuple[Case, list[ParsedQuery]]]]:
    """Return what reads questions on MetaQA's films, and those that are read by whole paths."""
    opened_films = films(encoder)
    graph, schema = opened_films.graph, opened_films.schema
    base = KnowledgeBase(graph, schema, node_types(graph, None, schema), {})
    understander = base.understander(encoder)
    chosen = [case for hops in (1, 2) for case in cases(hops, graph)[:FILMS_ASKED]]
    whole = [case for case in chosen if not understander.composes(case.asked)]
    parses = opened_films.parser().parse([case.asked for case in whole])
    return understander, [(case, beam) for case, beam in zip(whole, parses, strict=True) if beam]


def main() -> None:
    """Print the figures of each folder, and what went wrong where that is wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=development())
    parser.add_argument("--keep", action="store_true", help="measure whole paths on MetaQA's films")
    parser.add_argument("--keep-signs", action="store_true", help="weigh signs on the development questions")
    parser.add_argument(
        "--cross", action="store_true", help="decide each graph's readings by what the others show"
    )
    parser.add_argument("--wrong", action="store_true", help="print what was not read rightly")
    arguments = parser.parse_args()
    encoder = starter_encoder()
    if arguments.keep:
        keep(encoder)
    if arguments.keep_signs:
        keep_signs(encoder)
    measured = {
        f"{path.parent.name}/{path.name}": list(outcomes(opened(path), encoder)) for path in arguments.folders
    }
    for name, answers in (crossed(measured) if arguments.cross else measured).items():
        for each in answers if arguments.wrong else ():
            if not each.right:
                _print(each)
        for figure, value in figures(answers).items():
            print(f"{name} {figure}: {value}")


def _print(each: Outcome) -> None:
    print(f"  {each.question['kind']}: {each.question['question']}")
    print(f"    read: {each.reading.query} left: {each.reading.left} cost {each.reading.cost}")
    print(f"    rival: {each.reading.rival}")
    print(f"    answers: {sorted(each.answers)} gold: {sorted(each.gold or ())}")
    print(f"    abstains: {each.reading.abstains}")


if __name__ == "__main__":
    main()
