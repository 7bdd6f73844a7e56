"""How sure a reading is: signs of what had to be guessed, weighed by how often such readings were right."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import simplemma

from evidence_assets.evidence.accounting import Accounting, Role
from evidence_assets.kgqa.algebra import Form, relations_of
from evidence_assets.kgqa.composition import Composition
from evidence_assets.kgqa.likelihoods import Likelihoods
from evidence_assets.reading.accounting import MEASURED
from evidence_assets.text.function_words import function_words
from evidence_assets.text.words import words

# The signs of a reading. `unaccounted`: words that nothing accounts for; `cost`: what was guessed, in words
# left out; `unsaid`: steps that no word says; `margin`: what the next reading of other answers costs more, at
# most 1; `relation_words`, `type_words`: words bound by meaning alone; `relation_distance`,
# `type_distance`: how far these are, summed, as 1 - cosine; `unlikely`: how unlikely they are, summed, as
# -ln of the share; `farthest`: the greatest of the distances; `superfluous`: words bound to relations that
# other words say already; `steps`: relations walked; `fit`: the cosine of the farthest relation walked;
# `lacking`: the graph has nothing of what was likelier; `other_form`: what is asked for is of another form;
# `lost`, `changed`: how far the question is from itself without the words that were guessed, and with what
# they stand for; `foreign`: the share of its words that are no English; `anchors`: names, values and words
# bound by form, at most 3; `lone_yes_no`: yes or no is asked of a single one.
SIGNS = (
    "unaccounted",
    "cost",
    "unsaid",
    "margin",
    "relation_words",
    "relation_distance",
    "type_words",
    "type_distance",
    "unlikely",
    "farthest",
    "superfluous",
    "steps",
    "fit",
    "lacking",
    "other_form",
    "lost",
    "changed",
    "foreign",
    "anchors",
    "lone_yes_no",
)
_RELATION, _TYPE = "relation ", "type "


def signs(
    best: Composition,
    accounting: Accounting,
    margin: float,
    lacking: bool,
    likelihoods: Likelihoods,
    changes: tuple[float, float],
) -> tuple[float, ...]:
    """Return the signs of a reading, in the order of `SIGNS`."""
    walked = Counter(relations_of(best.query.of))
    said: Counter[str] = Counter()
    guessed: Counter[str] = Counter()
    far: dict[str, list[float]] = {_RELATION: [], _TYPE: []}
    unlikely = 0.0
    for binding in accounting.bindings:
        kind = next((each for each in far if binding.target.startswith(each)), "")
        target = binding.target.removeprefix(kind)
        if kind and binding.role is Role.MEANING:
            content = [word for word in words(binding.text) if word not in function_words()] or [binding.text]
            cosine, share = likelihoods.near(content, target, kind == _RELATION)
            far[kind].append(1 - cosine)
            unlikely -= math.log(max(share, 1e-4))
        if kind == _RELATION:
            (guessed if binding.role is Role.MEANING else said)[target] += 1
    anchors = sum(binding.role in (Role.EVIDENCE, Role.TYPE) for binding in accounting.bindings)
    distances = far[_RELATION] + far[_TYPE]
    return (
        float(len(accounting.unaccounted)),
        best.cost,
        float(best.unsaid),
        min(margin, 1.0),
        float(len(far[_RELATION])),
        sum(far[_RELATION]),
        float(len(far[_TYPE])),
        sum(far[_TYPE]),
        unlikely,
        max(distances, default=0.0),
        float(
            sum(
                max(0, count + min(said[name], walked[name]) - walked[name])
                for name, count in guessed.items()
            )
        ),
        float(sum(walked.values())),
        min((likelihoods.fit(name) for name in walked), default=0.0),
        float(lacking),
        best.other_form,
        *changes,
        foreign(accounting),
        float(min(anchors, 3)),
        float(best.query.form is Form.EXISTENCE and anchors < 2),
    )


def guessed_words(accounting: Accounting) -> dict[tuple[int, int], str]:
    """Return what the words stand for that meaning alone binds, or "" where nothing binds them, by place."""
    return {
        (binding.start, binding.end): binding.target.removeprefix(_RELATION).removeprefix(_TYPE)
        for binding in accounting.bindings
        if binding.role in (Role.MEANING, Role.UNACCOUNTED)
    }


def foreign(accounting: Accounting) -> float:
    """Return the share of a question's words, besides names, that no English dictionary knows."""
    others = [
        word
        for binding in accounting.bindings
        if not binding.target.startswith("node ")
        for word in words(binding.text)
        if word.isalpha()
    ]
    unknown = [word for word in others if not simplemma.is_known(word, lang="en")]
    return len(unknown) / max(1, len(others))


@dataclass(frozen=True)
class Weights:
    """The weight of each sign, and the constant, of a logistic model of whether a reading is right."""

    signs: Mapping[str, float]
    constant: float

    def confidence(self, values: Sequence[float]) -> float:
        """Return how likely a reading of these signs is right."""
        total = self.constant + sum(
            self.signs[name] * value for name, value in zip(SIGNS, values, strict=True)
        )
        return round(1 / (1 + math.exp(-total)), 4)


@cache
def sign_weights(name: str) -> Weights:
    """Return weights that were fitted: `measured/signs_NAME.json`."""
    kept = json.loads(files(MEASURED).joinpath(f"signs_{name}.json").read_text(encoding="utf-8"))
    return Weights(kept["signs"], kept["constant"])


def keep_weights(path: Path, weights: Weights, fitted_on: str) -> None:
    """Write weights as `sign_weights` reads them, with what they were fitted on."""
    content = {"fitted_on": fitted_on, "constant": weights.constant, "signs": dict(weights.signs)}
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
