"""Fields of a record that are surely meant for others: spelt almost as one that the mapping names."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from evidence_assets.sources.validation import RecordRejectedError

# Of a shorter name another spelling is another name.
_SHORTEST = 5
_NO_LETTER = re.compile(r"[\W_]+")


def check_spelling(
    fields: Mapping[str, object], known: Collection[str], plurals: Collection[str] = ()
) -> None:
    """Refuse a record with a field that is no known one, and almost one that the record lacks.

    Names differ in capitals, in marks between words, or in a letter of what is no English word: `content` is
    no `context`, nor is `options_1`. What differs in the last s alone (`topic`) may well be a field of its
    own: it is refused only for one of `plurals`.

    Raises:
        RecordRejectedError: it has such a field; the message names both.
    """
    unknown = [name for name in fields if name not in known and not name.startswith("_")]
    lacking = [name for name in known if fields.get(name) is None] if unknown else []
    for name in unknown:
        for meant in lacking:
            if _is_misspelt(name, meant, meant in plurals):
                raise RecordRejectedError(
                    f"there is no field {name!r}; the nearest is {meant!r}, which the record lacks",
                    f"rename it: {meant!r}, or something less like it if it is a field of your own",
                )


def _is_misspelt(name: str, meant: str, is_plural: bool) -> bool:
    import simplemma
    from rapidfuzz.distance import OSA

    plain, known = (_NO_LETTER.sub("", text).lower() for text in (name, meant))
    if plain == known:
        return True
    if plain.rstrip("s") == known.rstrip("s"):
        return is_plural
    is_word = simplemma.is_known(name.lower(), lang="en") or any(map(str.isdigit, plain))
    return len(known) >= _SHORTEST and not is_word and OSA.distance(plain, known, score_cutoff=1) <= 1
