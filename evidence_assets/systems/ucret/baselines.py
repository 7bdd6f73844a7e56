"""Answers that see no table: a claim's words of form, the commonest label, chance."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evidence_assets.evidence.experiment import Answer
from evidence_assets.reading.extractive import choose
from evidence_assets.systems.ucret.arms import CHANCE, CLAIM_ONLY, MAJORITY
from evidence_assets.tables.claim_only import THREE, TWO, classifiers

NO_LABELS = "the baseline knows no commonest option of a question"

# The cosine of a question and its options, one an option.
Cosines = Callable[[], Sequence[float]]


def guess(question: Mapping[str, Any], is_claim: bool, cosines: Cosines, generator: str) -> Answer:
    """Return the answer of a baseline that sees no table.

    By claim alone a claim's verdict is its likeliest label by its words of form, and a question's option the
    nearest by cosine. The commonest label is that of development claims; a question has none. Chance draws an
    option by the question's id.
    """
    options = list(question["options"])
    if generator == CHANCE:
        drawn = int(hashlib.sha256(question["question_id"].encode()).hexdigest(), 16) % len(options)
        return Answer(drawn, None, generator, "drawn")
    if not is_claim:
        if generator == MAJORITY:
            return Answer.abstention(generator, NO_LABELS)
        choice = choose([round(float(cosine), 6) for cosine in cosines()])
        return Answer(choice.index, None, generator, "nearest option", tie_break=choice.tie_break)
    fitted = classifiers(THREE if len(options) > len(classifiers(TWO).whole.labels) else TWO)
    places = {option.upper(): place for place, option in enumerate(options)}
    if generator == MAJORITY:
        return Answer(places[fitted.commonest], None, generator, f"the commonest label: {fitted.commonest}")
    judged = fitted.of_table(question["table_id"]).probabilities(question["question"])
    label = max(judged, key=lambda name: judged[name])
    return Answer(places[label], round(judged[label], 6), generator, f"{CLAIM_ONLY}: {label}")
