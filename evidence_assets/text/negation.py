"""Negation: texts that deny something, and questions that ask for the exception among their options."""

from __future__ import annotations

import re

_ASKED = r"(?:[Ww]hich|[Ww]hat|WHICH|WHAT)"
# Words that open a clause of its own, or make the negation part of the scene: what is not so there is given,
# not asked for.
_CLAUSE = r"(?:that|who|whom|whose|why|when|where|if|because|how|while|happens?|best)"
_VERB = r"(?:is|are|was|were|does|do|did|can|could|would|will|should|may|might|has|have|had)"

_NEGATED = re.compile(
    rf"""
    \b(?:NOT|EXCEPT|(?:DOES|IS|ARE|DO|CAN|WAS|WERE)N['’]T)\b(?!\s+gate)
    | \b(?:except|excluding)\b (?:\s+for)? \s* [:?.]? \s* $
    | \b(?:except|excluding)\b (?:\s+for)? \s* (?:which|what|one)? \s* [:?]
    | \b(?:[Aa]ll|[Ee]ach)\b [^.?!]* \bexcept\b
    | ^\s* (?:not|NOT|Not) \s+ (?:true|correct|a|an)\b
    | \b(?:least|LEAST)\s+(?:likely|probable|often|important|useful|suitable|appropriate)\b
    | \b{_ASKED}\b (?: (?! \b{_CLAUSE}\b ) [^.?!,;] )*?
      \b(?: {_VERB}(?:\s+not\b|n['’]t\b) | cannot\b | can['’]t\b | won['’]t\b | never\b )
    | \b{_ASKED}\b [^.?!]* \b(?:is|are)\s+(?:false|incorrect|untrue|wrong)\b
    | (?<! [Ww]hy\ ) \b(?:is|are|was|were)\s+not\s+
      (?:true|correct|a\s+feature|a\s+cause|a\s+sign|a\s+symptom|seen|used|associated|included|an?\s+example)\b
    """,
    re.VERBOSE,
)


def is_negated(question: str) -> bool:
    """Tell whether a question asks which option is not so (not, except, least likely).

    A negation inside a clause ("what happens to plants that do not get water") describes the case asked
    about, and does not count.
    """
    return bool(_NEGATED.search(question))


_DENIAL = re.compile(
    r"\b(?:not|no|none|never|nobody|nothing|nowhere|neither|nor|cannot|without|except)\b|n['’]t\b",
    re.IGNORECASE,
)


def denies(text: str) -> bool:
    """Tell whether a text denies anything, in whatever part of it."""
    return _DENIAL.search(text) is not None
