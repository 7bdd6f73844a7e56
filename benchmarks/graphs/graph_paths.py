"""How likely a relation path is what was asked: questions asked again of a graph without their relation.

    python -m benchmarks graph_paths
    python -m benchmarks.graph_paths --keep

Over a schema with sentences, a question without operators is read as the path that fits best; some path
always does. What tells that none is meant is learnt where a right answer is known to be lacking: of MetaQA's
first development questions that are read rightly, every second is asked again of the graph and schema
without one of the relations of its path. The questions of the development graphs of `schema_graphs` are
learnt from, too. `--keep` fits the weights that the package keeps; else they are tried on MetaQA's other
development questions, and on two small graphs of other schemas, every relation of which is taken away in
turn. Beside them stands answering always.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from benchmarks import fitting
from benchmarks.estimates import shown
from benchmarks.graphs.film_questions import Case, cases, films
from benchmarks.graphs.graph_questions import opened
from benchmarks.graphs.named_topics import named_topics
from benchmarks.graphs.other_graph_questions import museum_questions, space_questions
from benchmarks.graphs.schema_graphs import PARTS
from benchmarks.texts import starter_encoder
from evidence_assets.evidence.estimates import proportion
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.kgqa.graph.node_types import node_types
from evidence_assets.kgqa.paths.parses import ParsedQuery
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.kgqa.understanding.question_reading import READINGS, QuestionReading
from evidence_assets.kgqa.understanding.reading_signs import NONE
from evidence_assets.kgqa.understanding.understanding import PATHS, Understander
from evidence_assets.models.encoder import Encoder
from evidence_assets.reading.accounting import MEASURED, empty_words
from evidence_assets.reading.log_linear import weights_of

# MetaQA's development questions of each number of hops that are fitted on, and as many after those that
# anything else was chosen on.
ASKED, FIRST_HELD_OUT = 1_000, 2_000
LEARNT_ON = f"the first {ASKED} of MetaQA's development questions of one hop and of two"
FITTED_ON = (
    f"{LEARNT_ON}, and every second of them asked again without one of its relations; questions to "
    "graphs with schemas"
)
# The penalty of weights. A word carries nothing if so many readings left it, and were right about as often as
# those that left none.
PENALTY, LEAST, MARGIN = 0.1, 8, 0.05

ALWAYS = "the best path, always"
_READINGS: dict[str, Callable[[Parsed], QuestionReading]] = {
    "paths, composed where unsure": lambda parsed: parsed.reading(),
    "paths alone": lambda parsed: parsed.by_path(),
    ALWAYS: lambda parsed: parsed.by_path(),
}


@dataclass(frozen=True)
class Parsed:
    """A question with its paths, best first.

    `lacking`: the relation that the graph was asked without, or "".
    """

    case: Case
    paths: Sequence[ParsedQuery]
    understander: Understander
    lacking: str

    def by_path(self) -> QuestionReading:
        """Return what the best path is as a reading, by what is kept now as learnt."""
        return self.understander.of_path(self.case.question, self.paths)

    def reading(self) -> QuestionReading:
        """Return how the question is read: composed where the path is unsure."""
        return self.understander.reading(self.case.question, self.paths)

    @property
    def right(self) -> bool:
        """Whether the best path leads to a right answer."""
        return not self.case.gold.isdisjoint(self.paths[0].answers.tolist())

    @property
    def relations(self) -> list[str]:
        """The relations of its best path."""
        return list(dict.fromkeys(name for path in self.paths[0].paths for name, _ in path.steps))


def run() -> dict[str, Any]:
    """Return what is answered, what of it rightly, and what is abstained on where the relation is lacking."""
    encoder = starter_encoder()
    graphs = {
        "MetaQA, held out": asked_again(*film_cases(encoder, FIRST_HELD_OUT), encoder),
        "space": asked_again(*space_questions(), encoder, every=True),
        "museum": asked_again(*museum_questions(), encoder, every=True),
    }
    return {"graphs": {name: _figures(parsed) for name, parsed in graphs.items()}}


def film_cases(encoder: Encoder, first: int) -> tuple[KnowledgeBase, list[Case]]:
    """Return MetaQA's films, and as many development questions of each number of hops from a place on."""
    opened = films(encoder)
    base = KnowledgeBase(opened.graph, opened.schema, node_types(opened.graph, None, opened.schema), {})
    return base, [case for hops in (1, 2) for case in cases(hops, opened.graph)[first : first + ASKED]]


def asked_again(
    base: KnowledgeBase, known_cases: Sequence[Case], encoder: Encoder, every: bool = False
) -> list[Parsed]:
    """Return questions with their best paths, and again where a relation of the right path is lacking.

    Every second one that is read rightly is asked again, without one of its relations in turn; or, with
    `every`, all of them without each of theirs.
    """
    parsed = list(_parsed(base, known_cases, encoder, ""))
    rightly = [parse for parse in parsed if parse.right]
    lacking: dict[str, list[Case]] = {}
    for place, known in enumerate(rightly):
        relations = known.relations
        chosen = relations if every else [relations[place // 2 % len(relations)]] * (place % 2)
        for relation in chosen:
            lacking.setdefault(relation, []).append(replace(known.case, gold=frozenset()))
    for relation, unanswerable in sorted(lacking.items()):
        parsed += _parsed(without(base, relation), unanswerable, encoder, relation)
    return parsed


def _parsed(
    base: KnowledgeBase, asked_cases: Sequence[Case], encoder: Encoder, lacking: str
) -> Iterator[Parsed]:
    """Yield questions that are read by whole paths, those that name something of the graph."""
    understander, reader = base.understander(encoder), base.reader(encoder)
    told_apart = [replace(case, question=reader.told_apart(case.question)) for case in asked_cases]
    by_paths = [case for case in told_apart if not understander.composes(case.question)]
    beams = base.parser(encoder).parse([case.question for case in by_paths])
    for case, beam in zip(by_paths, beams, strict=True):
        if beam:
            yield Parsed(case, beam, understander, lacking)


def schema_graph_cases(encoder: Encoder) -> Iterator[Parsed]:
    """Yield the questions that are read by whole paths to development graphs whose authors wrote a schema."""
    for path in sorted(file.parent for file in PARTS["development"].glob("*/*/schema.yaml")):
        folder = opened(path)
        places = {name: node for node, name in enumerate(folder.ids)}
        asked_cases = [
            Case(
                LinkedQuestion(f"{path.name}:{number}", text, named_topics(text, folder.linker)),
                frozenset(places[name] for name in gold or () if name in places),
            )
            for number, (text, gold) in enumerate(
                zip([question["question"] for question in folder.questions], folder.gold, strict=True)
            )
        ]
        yield from _parsed(folder.base, asked_cases, encoder, "")


def without(base: KnowledgeBase, relation: str) -> KnowledgeBase:
    """Return a graph that knows nothing of a relation; nodes keep their numbers and types."""
    number = base.graph.relation_names.index(relation)
    ids = base.graph.triple_ids.filter(pa.array(base.graph.relations == number))
    relations = {name: schema for name, schema in base.schema.relations.items() if name != relation}
    return KnowledgeBase(
        base.graph.without(ids.to_pylist()), replace(base.schema, relations=relations), base.types, {}
    )


def fitted(parsed: Sequence[Parsed]) -> dict[str, float]:
    """Return the weights of a log-linear model of whether a path is meant, or none."""
    none = {NONE: 1.0}
    groups = [
        [(parse.by_path().features, parse.right), (none, not parse.right)]
        for parse in parsed
        if parse.paths[0].exists
    ]
    return fitting.fitted(groups, PENALTY)


def keep(encoder: Encoder) -> None:
    """Fit on MetaQA's films, and keep what was learnt as the package's data.

    Raises:
        UnavailableError: the data sets are not there.
    """
    place = Path(str(files(MEASURED)))
    parsed = asked_again(*film_cases(encoder, 0), encoder)
    words_kept = place / f"empty_words_{READINGS}.json"
    # What was learnt before is not left over.
    fitting.keep_empty_words(words_kept, {}, LEARNT_ON)
    empty_words.cache_clear()
    left = ((parse.by_path().accounting.unaccounted, parse.right) for parse in parsed if not parse.lacking)
    learnt = fitting.learn_empty_words(left, LEAST, MARGIN)
    fitting.keep_empty_words(words_kept, learnt, LEARNT_ON)
    empty_words.cache_clear()
    everywhere = [*parsed, *schema_graph_cases(encoder)]
    fitting.keep_weights(place / f"ranking_{PATHS}.json", fitted(everywhere), FITTED_ON)
    weights_of.cache_clear()


def _figures(parsed: Sequence[Parsed]) -> list[dict[str, Any]]:
    """Return shares with their intervals: of all reading, of paths alone, of answering from the best path."""
    known = np.array([not parse.lacking for parse in parsed])
    rows = []
    for name, read in _READINGS.items():
        readings = [read(parse) for parse in parsed]
        right = np.array(
            [
                not reading.value and not parse.case.gold.isdisjoint(reading.nodes.tolist())
                for parse, reading in zip(parsed, readings, strict=True)
            ]
        )
        always = name == ALWAYS
        answered = np.array([always or not reading.abstains for reading in readings])
        rows.append(
            {
                "reading": name,
                "known": int(known.sum()),
                "lacking": int((~known).sum()),
                "right": _share(answered & right, known),
                "abstained": _share(~answered, ~known),
                "right_of_answered": _share(right, answered),
            }
        )
    return rows


def _share(of: NDArray[np.bool_], among: NDArray[np.bool_]) -> list[float]:
    return shown(proportion(int((of & among).sum()), int(among.sum())))


def main() -> None:
    """Print the figures; or fit and keep, where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", action="store_true", help="fit on MetaQA's films and keep the weights")
    if parser.parse_args().keep:
        keep(starter_encoder())
        return
    for name, rows in run()["graphs"].items():
        for row in rows:
            print(name, json.dumps(row))


if __name__ == "__main__":
    main()
