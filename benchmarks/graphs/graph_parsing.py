"""The parser without a language model: MetaQA's films, an invented museum, a biomedical graph.

Needs the data sets (see real_texts). MetaQA's development questions of one hop and of two, ordered by the
hash of their lines: the first 2,000 a hop chose the constants and wordings ("development"), all others are
held out. The hop is not told. Questions of MetaQA are made from some two hundred wordings, and both parts
share them: held out are the questions, not their wordings. The museum's questions (the tests' own) and the
biomedical ones are worded by this project; the weights were never changed for them, some rules were: see
`biomedical`, and nouns after plurals (the museum).

`hits@k` is expected over ties: all answers of one reading are equal. `ceiling`: the best path of at most two
steps, chosen by the answers; what is left is missing triples. Baselines in the same run: the topic's own
triples by cosine, the topic masked in both, and by BM25. Intervals are of 95 %.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from benchmarks.estimates import shown
from benchmarks.graphs.film_questions import Case, Films, cases, films
from benchmarks.graphs.other_graph_questions import biomedical, museum
from benchmarks.graphs.triple_ranking import by_cosine, by_words, ranked
from benchmarks.result_files import Row
from benchmarks.texts import starter_encoder
from evidence_assets.evaluation.metrics import mean
from evidence_assets.evaluation.ranked_answers import hits_at, reciprocal_rank, ties_of
from evidence_assets.evidence.estimates import proportion
from evidence_assets.kgqa.graph.schema import Schema
from evidence_assets.kgqa.paths.parses import ParsedQuery
from evidence_assets.kgqa.paths.parsing import Parser
from evidence_assets.kgqa.paths.path_scoring import (
    COSINE,
    COVERAGE,
    LENGTH,
    POSITION,
    TYPE,
    UNSAID,
    ParsingOptions,
)
from evidence_assets.kgqa.paths.relation_paths import RelationPath, path_types

DEVELOPMENT, ABLATED, RANKED, SHOWN = 2_000, 2_000, 400, 25
AT_ONCE = 500
COVERED = 0.8


def run() -> Row:
    """Return MetaQA's figures, ablations, baselines and errors, and those on other schemas."""
    started = time.perf_counter()
    encoder = starter_encoder()
    opened = films(encoder)
    figures, ablations, baselines, errors = [], [], [], []
    for hops in (1, 2):
        every = cases(hops, opened.graph)
        parts = {"development": every[:DEVELOPMENT], "held out": every[DEVELOPMENT:]}
        for part, selected in parts.items():
            parsed, spent = parse(opened.parser(), selected)
            row = {"hops": hops, "part": part, **measured(selected, parsed), **ceiling(opened, selected)}
            figures.append({**row, "milliseconds_a_question": round(1000 * spent / len(selected), 2)})
            print(f"{time.perf_counter() - started:6.0f} s  {figures[-1]}", flush=True)
            if part == "held out":
                errors.append({"hops": hops, **misses(opened, selected[:DEVELOPMENT], parsed[:DEVELOPMENT])})
        held = parts["held out"][:ABLATED]
        for name, options in arms().items():
            parsed, _ = parse(opened.parser(options), held)
            ablations.append({"hops": hops, "arm": name, **measured(held, parsed)})
            print(f"{time.perf_counter() - started:6.0f} s  {name}", flush=True)
        for name, rank in {"triples by cosine": by_cosine, "triples by BM25": by_words}.items():
            baselines.append({"hops": hops, "baseline": name, **ranked(held[:RANKED], rank(opened))})
    return {
        "metaqa": figures,
        "ablations": ablations,
        "baselines": baselines,
        "errors": errors,
        "museum": museum(encoder),
        "biomedical": biomedical(encoder),
        "seconds": round(time.perf_counter() - started, 1),
    }


def arms() -> dict[str, ParsingOptions]:
    """Return the parser without each of its parts."""
    full = ParsingOptions()

    def without(*parts: str) -> ParsingOptions:
        return replace(full, weights={**full.weights, **dict.fromkeys(parts, 0.0)})

    return {
        "full": full,
        "no templates": replace(full, templates=False),
        "no masking": replace(full, masking=False),
        "no answer type": without(TYPE),
        "no coverage": without(COVERAGE, UNSAID),
        "no position": without(POSITION),
        "no length": without(LENGTH),
        "cosine alone": without(TYPE, COVERAGE, POSITION, LENGTH, UNSAID),
        "no encoder": without(COSINE),
    }


def parse(parser: Parser, selected: Sequence[Case]) -> tuple[list[list[ParsedQuery]], float]:
    """Return every case's readings, and the seconds it took."""
    started = time.perf_counter()
    parsed: list[list[ParsedQuery]] = []
    for begin in range(0, len(selected), AT_ONCE):
        parsed += parser.parse([case.question for case in selected[begin : begin + AT_ONCE]])
    return parsed, time.perf_counter() - started


def measured(selected: Sequence[Case], parsed: Sequence[Sequence[ParsedQuery]]) -> Row:
    """Return hits, F1 and exact sets, what is answered at all, and what is right where the parser is sure.

    Answers are those of the best reading that the graph has; `said_lacking` are questions whose best reading
    it lacks, `lacking_right` those of them for which no answer of the best reading that it has is right.
    """
    values = np.array([_of_case(case, beam) for case, beam in zip(selected, parsed, strict=True)])
    sure = np.array([_sureness(beam) for beam in parsed])
    order = np.argsort(-sure, kind="stable")[: round(COVERED * len(selected))]
    lacking = np.array([bool(beam) and not beam[0].exists for beam in parsed])
    lacking_count = int(lacking.sum())
    return {
        "n": len(selected),
        **{
            name: shown(mean(values[:, column]))
            for column, name in enumerate(("hits@1", "hits@10", "mrr", "f1", "exact_set"))
        },
        "answered": shown(
            proportion(sum(any(reading.exists for reading in beam) for beam in parsed), len(selected))
        ),
        "said_lacking": shown(proportion(lacking_count, len(selected))),
        "lacking_right": shown(proportion(int((values[lacking, 0] == 0).sum()), lacking_count))
        if lacking_count
        else None,
        "hits@1_at_80_percent": shown(mean(values[order, 0])),
    }


def _sureness(beam: Sequence[ParsedQuery]) -> float:
    """Return the score of the best reading; below all others where the graph lacks it."""
    return beam[0].score - (0.0 if beam[0].exists else 10.0) if beam else -100.0


def _of_case(case: Case, beam: Sequence[ParsedQuery]) -> tuple[float, float, float, float, float]:
    scores, right, seen = [], [], set[int]()
    existing = [reading for reading in beam if reading.exists]
    for place, reading in enumerate(existing):
        for node in reading.answers.tolist():
            if node not in seen:
                seen.add(node)
                scores.append(-float(place))
                right.append(node in case.gold)
    ties = ties_of(scores, right)
    best = set(existing[0].answers.tolist()) if existing else set()
    return (
        hits_at(ties, 1)[0],
        hits_at(ties, 10)[0],
        reciprocal_rank(ties)[0],
        _f1(best, case.gold),
        float(best == case.gold),
    )


def _f1(predicted: set[int], gold: frozenset[int]) -> float:
    return 2 * len(predicted & gold) / (len(predicted) + len(gold)) if predicted or gold else 1.0


def ceiling(opened: Films, selected: Sequence[Case]) -> Row:
    """Return what the best path at each topic would reach, and the share of topics where none has it all."""
    hits, f1, exact = [], [], []
    for case in selected:
        ends = [set(path.ends.tolist()) for path in opened.walker.paths(case.question.topics[0].nodes, 2)]
        hits.append(max((len(end & case.gold) / len(end) for end in ends), default=0.0))
        f1.append(max((_f1(end, case.gold) for end in ends), default=0.0))
        exact.append(any(end == case.gold for end in ends))
    names = ("hits@1", "f1", "exact_set")
    values: tuple[list[float], ...] = (hits, f1, [float(matches) for matches in exact])
    return {
        "ceiling": {name: round(float(np.mean(value)), 4) for name, value in zip(names, values, strict=True)},
        "nothing_right_within_two_steps": shown(proportion(sum(hit == 0 for hit in hits), len(selected))),
    }


def misses(opened: Films, selected: Sequence[Case], parsed: Sequence[Sequence[ParsedQuery]]) -> Row:
    """Return why sets are not exact: gaps of the graph, and errors of the parser by their kind; some shown.

    A gap: no path reaches a set that is nearer to the right one than the parser's.
    """
    causes: Counter[str] = Counter()
    first: list[Row] = []
    for case, beam in zip(selected, parsed, strict=True):
        cause, wanted = _cause(opened, case, beam)
        if cause:
            causes[cause] += 1
            if len(first) < SHOWN:
                reading = str(beam[0].paths[0]) if beam else ""
                first.append({"wording": case.wording, "read": reading, "nearest": wanted, "cause": cause})
    return {"n": len(selected), "causes": dict(causes.most_common()), "first": first}


def _cause(opened: Films, case: Case, beam: Sequence[ParsedQuery]) -> tuple[str, str]:
    best = next((reading for reading in beam if reading.exists), None)
    answers = set(best.answers.tolist()) if best is not None else set()
    if answers == case.gold:
        return "", ""
    if best is None:
        return "gap: the graph has nothing of the topic, or nothing near what is asked", ""
    paths = opened.walker.paths(case.question.topics[0].nodes, 2)
    scored = [(_f1(set(path.ends.tolist()), case.gold), path.path) for path in paths]
    reach, wanted = max(scored, key=lambda reached: reached[0])
    if reach > _f1(answers, case.gold):
        return _error(opened, case, beam[0], best, wanted), str(wanted)
    if answers & case.gold:
        return "gap: part of the set is missing, or more is there", ""
    remark = "not noticed" if beam[0].exists else "and said to be lacking"
    return f"gap: no right answer within two steps, {remark}", ""


def _error(opened: Films, case: Case, first: ParsedQuery, best: ParsedQuery, wanted: RelationPath) -> str:
    """Return what kind of error it is that another path comes nearer to the right set."""
    if not first.exists:
        return "gap: said to be lacking, another path reaches some of it by chance"
    if len(case.question.topics[0].nodes) > 1:
        return "parser: several nodes of one name"
    return f"parser: {_difference(best.paths[0], wanted, opened.schema)}"


def _difference(read: RelationPath, wanted: RelationPath, schema: Schema) -> str:
    if len(read.steps) != len(wanted.steps):
        return "too long" if len(read.steps) > len(wanted.steps) else "too short"
    if path_types(read, schema)[-1] != path_types(wanted, schema)[-1]:
        return "another answer type"
    if sorted(read.steps) != sorted(wanted.steps) and {name for name, _ in read.steps} == {
        name for name, _ in wanted.steps
    }:
        return "steps in another order or direction"
    return "another relation"
