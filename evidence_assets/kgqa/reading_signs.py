"""How sure a reading is: signs of what had to be guessed, weighed by how often such readings were right."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import simplemma

from evidence_assets.evidence.accounting import Accounting, Role
from evidence_assets.kgqa.algebra import Form
from evidence_assets.kgqa.composition import Composition
from evidence_assets.kgqa.likelihoods import Likelihoods
from evidence_assets.reading.accounting import MEASURED
from evidence_assets.text.function_words import function_words
from evidence_assets.text.words import words

# The signs of a reading. `cost`: what was guessed, in words left out; `margin`: what the next reading of
# other answers costs more, at most 1; `close`: how far that is below `NEAR`, as a share of it; `unlikely`:
# how unlikely the relations and types are that meaning alone binds words to, summed, as -ln of the share;
# `farthest`: the greatest of their distances, as 1 - cosine; `other_form`: what is asked for is of another
# form; `changed`: how far the question is from itself with what its guessed words stand for; `foreign`: the
# share of its words that are no English; `lone_yes_no`: yes or no is asked of a single one; `unasked`:
# nothing accounts for the first word that carries something.
# These few promise what graphs keep that shaped no rule. Others, of how many words are bound how and how many
# steps are walked, were worth something on graphs that did, and on the others nothing.
SIGNS = (
    "cost",
    "margin",
    "close",
    "unlikely",
    "farthest",
    "other_form",
    "changed",
    "foreign",
    "lone_yes_no",
    "unasked",
)
# A reading that costs so little more is a rival.
NEAR = 0.3
_RELATION, _TYPE = "relation ", "type "


def signs(
    best: Composition, accounting: Accounting, margin: float, likelihoods: Likelihoods, changed: float
) -> tuple[float, ...]:
    """Return the signs of a reading, in the order of `SIGNS`."""
    unlikely = farthest = 0.0
    for binding in accounting.bindings:
        kind = next((each for each in (_RELATION, _TYPE) if binding.target.startswith(each)), "")
        if kind and binding.role is Role.MEANING:
            content = [word for word in words(binding.text) if word not in function_words()] or [binding.text]
            target = binding.target.removeprefix(kind)
            cosine, share = likelihoods.near(content, target, kind == _RELATION)
            farthest = max(farthest, 1 - cosine)
            unlikely -= math.log(max(share, 1e-4))
    anchors = sum(binding.role in (Role.EVIDENCE, Role.TYPE) for binding in accounting.bindings)
    return (
        best.cost,
        min(margin, 1.0),
        max(0.0, 1 - margin / NEAR),
        unlikely,
        farthest,
        best.other_form,
        changed,
        foreign(accounting),
        float(best.query.form is Form.EXISTENCE and anchors < 2),
        float(_first_said(accounting) is Role.UNACCOUNTED),
    )


def _first_said(accounting: Accounting) -> Role | None:
    """Return the role of the first word that is neither empty nor an operator."""
    roles = (binding.role for binding in accounting.bindings)
    return next((role for role in roles if role not in (Role.EMPTY, Role.OPERATOR)), None)


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
    """The weight of each sign, and the constant, of a logistic model of whether a reading is right.

    `least`: the least confidence to answer with.
    """

    signs: Mapping[str, float]
    constant: float
    least: float

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
    return Weights(kept["signs"], kept["constant"], kept["least"])


def keep_weights(path: Path, weights: Weights, fitted_on: str) -> None:
    """Write weights as `sign_weights` reads them, with what they were fitted on."""
    content = {"fitted_on": fitted_on, **asdict(weights)}
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
