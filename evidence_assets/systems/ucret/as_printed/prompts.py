"""UCRET's explanations and answer generator as printed (thesis 3.3.2, 4.3.2, 4.3.3), in words of ours.

The prompts have the inputs, duties and form of reply of the printed ones. The collapsed table stands in the
form of the thesis's examples, under its caption, without addresses: the printed prompts ask for no citation,
so that their chains cite nothing. Departures: material stands between tags, so that no text can pose as an
instruction; a benchmark with two labels reads of three in the answer prompt, and a reply of the third is no
answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evidence_assets.evidence.citations import quoted
from evidence_assets.evidence.experiment import Chain, Selected
from evidence_assets.evidence.units import EvidenceUnit
from evidence_assets.models.generation.protocol import Form
from evidence_assets.reading.prompting.prompt_files import (
    UCRET_ANSWER,
    UCRET_LABEL,
    UCRET_OPTION,
    UCRET_VERDICT,
)
from evidence_assets.reading.prompting.prompted import Settings
from evidence_assets.reading.prompting.replies import PARSED, UNPARSEABLE, Decision, letter
from evidence_assets.systems.ucret.verdicts import VERDICTS
from evidence_assets.tables.shown import ShownTable, quoted_line


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A collapsed table as the thesis prints it. Evidence is its rows: what does not fit is left out."""

    shown: ShownTable
    task: str

    def values(self, evidence: Sequence[Selected]) -> dict[str, Any]:
        """Return the table with these rows, in its own order."""
        return {"table": table_text(self.shown, {selected.unit.row for selected in evidence})}

    def read(self, text: str, evidence: Sequence[Selected]) -> tuple[str, list[EvidenceUnit], str | None]:
        """Return the explanation, which cites nothing."""
        return quoted(text), [], None

    def argued(self, chain: Chain) -> str:
        """Return the explanation as it was written."""
        return chain.text


def task_of(is_claim: bool) -> str:
    """Return the prompt that asks for the explanation of a label or an option."""
    return UCRET_LABEL if is_claim else UCRET_OPTION


def table_text(shown: ShownTable, rows: set[int | None]) -> str:
    """Return some rows of a collapsed table as lines of cells between bars, under its caption."""

    def line(texts: Sequence[str]) -> str:
        return f"| {' | '.join(quoted_line(text).replace('|', '/') for text in texts)} |"

    table = shown.table
    caption = [f"[Collapsed Evidence Table: {quoted_line(table.caption)}]"] if table.caption else []
    header = line([table.header[column] for column in shown.columns])
    cells = [
        line([table.rows[row][column].text for column in shown.columns]) for row in shown.rows if row in rows
    ]
    return "\n".join([*caption, header, f"|{'-----|' * len(shown.columns)}", *cells])


@dataclass(frozen=True, slots=True)
class PrintedLabel:
    """The printed answer generator: one label and nothing else. `task`: its prompt."""

    task: str

    def schema(self, options: int, may_abstain: bool) -> Mapping[str, Any] | None:
        """Return None: the label is free text."""
        return None

    def form(self, options: int) -> Form:
        """Return the name of a verdict that is offered, or an option's letter."""
        # Where two verdicts are offered, they are the first two.
        names = tuple(VERDICTS)[:options] if self.task == UCRET_VERDICT else map(letter, range(options))
        return Form("|".join(names))

    def read(self, text: str, options: Sequence[str], may_abstain: bool) -> Decision:
        """Return the option of a verdict's name or an option's letter; anything more is unparseable."""
        reply = text.strip().rstrip(".").strip().upper()
        verdicts = self.task == UCRET_VERDICT
        names = [option.upper() if verdicts else letter(place) for place, option in enumerate(options)]
        return Decision(names.index(reply), PARSED) if reply in names else Decision(None, UNPARSEABLE)


def settings(verdicts: bool) -> Settings:
    """Return how explanations and answers are requested as printed."""
    task = UCRET_VERDICT if verdicts else UCRET_ANSWER
    return Settings(verdicts=verdicts, chooses_by=task, choice=PrintedLabel(task))
