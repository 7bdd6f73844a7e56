"""The reasoning chains and the answer generator as printed (thesis 7.3.3, 7.3.4), in words of ours.

The prompts have the inputs, duties and form of reply of the printed ones. Departures: material stands between
tags, so that no text can pose as an instruction or as evidence, and each chain names the letter of its
candidate. Chapter 7 prints no limit of tokens: both rounds take that of explanations in table 3.1. The
temperature is 0, as in 7.4.1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evidence_assets.models.generation.protocol import Form
from evidence_assets.reading.prompting.prompt_files import USCRAKE_ANSWER, USCRAKE_CHAIN
from evidence_assets.reading.prompting.prompted import ARGUMENT, NumberedEvidence, Settings
from evidence_assets.reading.prompting.replies import PARSED, UNPARSEABLE, Decision, letter
from evidence_assets.text.normal_forms import normal_form

_FINAL_LINE = re.compile(
    r"^[*_#\s]*(?:final\s+)?answer[*_\s]*:[*_\s]*(.*?)[*_\s]*$", re.IGNORECASE | re.MULTILINE
)
# A letter, alone or before the option's text: "B", "(B)", "B) Vitamin B12", "B. Vitamin B12".
_LETTER = re.compile(r"^<?\(?([A-Za-z])(?:[).:\s>]+(.*))?$", re.DOTALL)


class PrintedChains(NumberedEvidence):
    """Evidence as numbered texts, under the prompt for a chain."""

    task = USCRAKE_CHAIN


@dataclass(frozen=True, slots=True)
class StepByStepAnswer:
    """The answer generator: it reasons step by step in words, and ends with a line `Answer: …`."""

    task: str = USCRAKE_ANSWER

    def schema(self, options: int, may_abstain: bool) -> Mapping[str, Any] | None:
        """Return None: the steps are free text."""
        return None

    def form(self, options: int) -> Form:
        """Return the form of the last line, behind the steps."""
        return Form(f"Answer: ({'|'.join(map(letter, range(options)))})", before=True)

    def read(self, text: str, options: Sequence[str], may_abstain: bool) -> Decision:
        """Return the option that the last line `Answer: …` names, by its letter, its text, or both.

        A reply without such a line, or whose last one names no option or two, is unparseable.
        """
        lines = _FINAL_LINE.findall(text)
        index = _named(lines[-1], options) if lines else None
        return Decision(index, UNPARSEABLE if index is None else PARSED)


def _named(text: str, options: Sequence[str]) -> int | None:
    by_text = [index for index, option in enumerate(options) if normal_form(option) == normal_form(text)]
    lettered = _LETTER.match(text.strip())
    letters = [letter(index) for index in range(len(options))]
    if lettered and lettered[1].upper() in letters:
        index = letters.index(lettered[1].upper())
        rest = (lettered[2] or "").strip(" >")
        if not rest or normal_form(rest) == normal_form(options[index]):
            return index
    return by_text[0] if len(by_text) == 1 else None


PRINTED = Settings(material=PrintedChains(), choice=StepByStepAnswer(), decision=ARGUMENT)
