"""What an option alone gives away of being right: a control that training takes out of what a reader learns.

Sets of questions carry the habits of who wrote their wrong options. A conditional logit over the options'
own vectors, and their lengths, finds such habits without question or evidence. Each half of the questions is
scored with weights fitted on the other half: what is left is what holds of options in general.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from evidence_assets.lake.ids import text_hash
from evidence_assets.models.encoder import Encode
from evidence_assets.reading.weighing.conditional_logit import fitted_weights

_PENALTY = 20.0
_DECIMALS = 4

Scores = NDArray[np.float64]


def option_biases(options: Sequence[Sequence[str]], right: Sequence[int], encode: Encode) -> list[Scores]:
    """Return the score of each option of each question that the options alone give, fitted on the other half.

    Halves are by the hash of the options. A half of no question leaves the other without bias.
    """
    flat = [option for of_question in options for option in of_question]
    lengths = np.sqrt([[len(option)] for option in flat])
    features = np.concatenate([encode(flat).astype(np.float64), lengths / 10], axis=1)
    starts = np.cumsum([0, *map(len, options)])
    rows = [features[begin:end] for begin, end in pairwise(starts.tolist())]
    rows = [row - row.mean(axis=0) for row in rows]
    halves = np.array([int(text_hash("\0".join(of_question))[:2], 16) % 2 for of_question in options])
    biases = [np.zeros(len(row)) for row in rows]
    for half in (0, 1):
        shown = np.flatnonzero(halves != half)
        if len(shown):
            keys = [right[place] for place in shown.tolist()]
            weights = fitted_weights([rows[place] for place in shown.tolist()], keys, _PENALTY)
            for place in np.flatnonzero(halves == half):
                biases[place] = (rows[place] @ weights).round(_DECIMALS)
    return biases
