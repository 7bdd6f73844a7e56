"""The likelihood reader with the starter's language model, beside the nearest fact and chance.

The first questions of OpenBookQA's development set, each option with the facts nearest to question and option
by cosine. Without evidence the option's own likelihood chooses; with it, the likelihood given the facts, or
what the facts add to it. By token or by character. Needs the data sets.
"""

from __future__ import annotations

import json
import time
import zipfile
from typing import Any

import numpy as np

from benchmarks.estimates import shown
from benchmarks.real_texts import cached_encoder, real_data
from evidence_assets.evaluation.metrics import paired_difference
from evidence_assets.evidence.estimates import proportion
from evidence_assets.models.generation.settings import PROFILE_GENERATORS
from evidence_assets.reading.likelihoods.likelihood import MOST_TEXTS, Asked, read_options
from evidence_assets.text.queries import with_option

QUESTIONS = 100
GENERATOR = "smollm2-135m"
CHANCE = 0.25
# What chooses, by the name of its figure in a reading.
READERS = {
    "without evidence": "without_evidence",
    "given the facts": "with_evidence",
    "what the facts add, a token": "information_per_token",
    "what the facts add, a character": "information_per_character",
}
_FOLDER = "OpenBookQA-V1-Sep2018/Data/Main"


def run() -> dict[str, Any]:
    """Return the accuracy of each reader and of the nearest fact."""
    _, questions = openbookqa(QUESTIONS)
    offered, nearest = offered_facts()
    gold = np.array(["ABCD".index(question["answerKey"]) for question in questions])
    model = PROFILE_GENERATORS["starter"][GENERATOR].load_likelihoods(GENERATOR)
    started = time.perf_counter()
    readings = read_options(offered, model, _printed)
    seconds = time.perf_counter() - started
    baseline = (np.array(nearest) == gold).astype(float)
    rows = {}
    for title, name in READERS.items():
        chosen = [int(np.argmax([part[name] for part in reading.parts])) for reading in readings]
        right = (np.array(chosen) == gold).astype(float)
        rows[title] = {
            "accuracy": shown(proportion(int(right.sum()), len(right))),
            "minus_nearest_fact": shown(paired_difference(right, baseline)),
        }
    return {
        "questions": len(questions),
        "facts_an_option": MOST_TEXTS,
        "model": model.model_id,
        "chance": CHANCE,
        "nearest_fact": shown(proportion(int(baseline.sum()), len(baseline))),
        "readers": rows,
        "seconds_a_question": round(seconds / len(questions), 2),
    }


def offered_facts() -> tuple[list[Asked], list[int]]:
    """Return the questions with the facts of each option, and the option that is nearest to a fact."""
    facts, questions = openbookqa(QUESTIONS)
    encode = cached_encoder().encode
    vectors = encode(facts)
    offered, nearest = [], []
    for question in questions:
        options = [choice["text"] for choice in question["question"]["choices"]]
        stem = question["question"]["stem"]
        cosines = encode([with_option(stem, option) for option in options]) @ vectors.T
        ranked = np.argsort(-cosines, axis=1, kind="stable")[:, :MOST_TEXTS]
        offered.append(Asked(stem, options, [[facts[place] for place in row] for row in ranked.tolist()]))
        nearest.append(int(cosines.max(axis=1).argmax()))
    return offered, nearest


def _printed(done: int, total: int) -> None:
    if done % 100 == 0 or done == total:
        print(f"{done:,} of {total:,} prefixes", flush=True)


def openbookqa(count: int) -> tuple[list[str], list[dict[str, Any]]]:
    """Return OpenBookQA's facts, and the first questions of its development set: all of 500 at most."""
    with zipfile.ZipFile(real_data() / "mcqa" / "OpenBookQA-V1-Sep2018.zip") as archive:
        facts = archive.read(f"{_FOLDER}/openbook.txt").decode().splitlines()
        lines = archive.read(f"{_FOLDER}/dev.jsonl").decode().splitlines()
    questions = [json.loads(line) for line in lines[:count]]
    return [fact.strip().strip('"') for fact in facts if fact.strip()], questions
