"""Characters that nobody sees, and that change how the text beside them is shown, made visible."""

from __future__ import annotations

import re

# Control characters, which a terminal obeys, but for line breaks and tabs; and the embeddings, overrides and
# isolates of Unicode's bidirectional algorithm, which reorder what follows them.
_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\r(?!\n)")


def visible(text: str) -> str:
    r"""Return a text that changes nothing around it where it is shown: its control characters as `\x1b`.

    Positions in it are no longer those of the text: cut first what is to be marked.
    """
    return _UNSEEN.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
