"""What paths say of options: which of them count, and which options an answer may be (thesis 6.6.2)."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evidence_assets.evidence.experiment import Selected
from evidence_assets.text.negation import is_negated

# A path with a triple that another contradicts says yes and no.
CONTRADICTED = 0.5

# A full stop before a small letter is an abbreviation's (H. pylori).
_NEXT_SENTENCE = re.compile(r"[.?!]\s+(?=[^a-z\s])")
# What stands behind one of these is the scene, or a reason that is asked for.
_SCENE = re.compile(
    r"\b(?:that|who|whom|whose|why|when|where|if|because|although|while|since)\b", re.IGNORECASE
)
_REASON = r"(?!\s+(?:because|by(?!\s+(?:an?|the|patients?)\b)|if|when|as|due|since)\b)"
_AVOIDED = re.compile(
    rf"""
    \bcontra-?\s?indicat(?:ed|ions?|es?)\b{_REASON}
    | (?<!\bcan\ )(?<!\bcan\ best\ ) \b(?:be|is|are)\s+(?:best\s+|better\s+)?avoided\b{_REASON}
    | \bavoid(?:ed)?\s*[-–:?.]*\s*\Z
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NOT_GIVEN = re.compile(
    rf"""
    \b(?:not|never)\s+(?:to\s+)?(?:be\s+)?
      (?:used|given|indicated|recommended|prescribed|administered|advised)\b{_REASON}
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NOT_AVOIDED = re.compile(r"\b(?:not|never)\s+(?:be\s+)?(?:contra-?\s?indicated|avoided)\b", re.IGNORECASE)


def asks_what_is_denied(question: str) -> bool:
    """Tell whether a question's options are claimed to be contraindicated, to be avoided, or not indicated.

    The last sentence decides. Its own negation (`is_negated`) is another matter: "contraindications are all
    except" claims that options are contraindicated, and "which is not given" that they are given.
    """
    last_sentence = _NEXT_SENTENCE.split(question.strip())[-1]
    if is_negated(question):
        return _in_the_open(_AVOIDED, last_sentence)
    return not _NOT_AVOIDED.search(last_sentence) and (
        _in_the_open(_AVOIDED, last_sentence) or _in_the_open(_NOT_GIVEN, last_sentence)
    )


def _in_the_open(pattern: re.Pattern[str], last_sentence: str) -> bool:
    return any(not _SCENE.search(last_sentence[: match.start()]) for match in pattern.finditer(last_sentence))


@dataclass(frozen=True, slots=True)
class OptionPath:
    """A path to an option, as evidence; `denies` and `conflicts` as in `reasoning_paths`."""

    selected: Selected
    cost: float
    denies: bool = False
    conflicts: int = 0


@dataclass(frozen=True, slots=True)
class WeighedPath:
    """A path and how much it counts for its option: 1, a half where it is contradicted, or 0."""

    path: OptionPath
    weight: float

    @property
    def score(self) -> float:
        """The path's score, so much of it as counts."""
        return self.weight * self.path.selected.score

    @property
    def cost(self) -> float:
        """The path's cost, as if a walk took it by its weight as often; infinite where it does not count."""
        return self.path.cost - math.log(self.weight) if self.weight else math.inf


def weighed(question: str, paths: Mapping[int, Sequence[OptionPath]]) -> dict[int, list[WeighedPath]]:
    """Return every option's paths with their weights.

    A path that denies does not count, for it is no support. Where a question asks what is contraindicated, to
    be avoided or not indicated, and a path says so of any option, those count and the others do not. A path
    with a triple that another contradicts counts half, whatever is asked.
    """
    denials = any(path.denies for option_paths in paths.values() for path in option_paths)
    asks_denial = denials and asks_what_is_denied(question)
    return {
        candidate: [
            WeighedPath(path, CONTRADICTED if path.conflicts else float(path.denies == asks_denial))
            for path in option_paths
        ]
        for candidate, option_paths in paths.items()
    }


@dataclass(frozen=True, slots=True)
class OptionEligibility:
    """Which of a question's options an answer may be, by the paths that lead to them.

    `supported`: a path that counts leads to them. `opposed`: paths do, and none of them counts. The graph
    says nothing of the others.
    """

    options: int
    negated: bool
    supported: frozenset[int]
    opposed: frozenset[int]

    def eligible(self, grounded: bool) -> frozenset[int]:
        """Return the options that an answer is chosen among.

        A grounded answer is an option with a path that counts; other answers are any but what is opposed.
        The exception that a negated question asks for is an option that is opposed. Where none is, it is the
        one with the least support, which may be one that no path leads to: the paths to the others are the
        evidence. Empty where no answer would be grounded.
        """
        everything = frozenset(range(self.options))
        if self.negated:
            return self.opposed or (everything if self.supported or not grounded else frozenset())
        return self.supported if grounded else everything - self.opposed or everything


def option_eligibility(
    question: str, options: int, paths: Mapping[int, Sequence[WeighedPath]]
) -> OptionEligibility:
    """Return which options the weighed paths support and which they oppose."""
    supported = frozenset(
        candidate for candidate, weighed_paths in paths.items() if any(path.weight for path in weighed_paths)
    )
    return OptionEligibility(options, is_negated(question), supported, frozenset(paths) - supported)
