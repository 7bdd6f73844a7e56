"""Whether a question is told to be another now than when it was answered, by what its answer says of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def question_changed(prediction: Mapping[str, Any], text: str, options: Sequence[str]) -> bool:
    """Return whether a question or its options were changed since: what was chosen stands elsewhere now.

    Or words that the answer accounts for do. Other changes nothing of the answer tells.

    Args:
        prediction: Its `predicted`, `predicted_index` and `bindings`.
        text, options: The question as it is asked now.
    """
    index = prediction["predicted_index"]
    if index is not None and list(options[index : index + 1]) != [prediction["predicted"]]:
        return True
    return any(
        text[binding["start"] : binding["end"]] != binding["text"] for binding in prediction["bindings"] or ()
    )
