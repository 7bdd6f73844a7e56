"""The verdicts on a claim: the options by which a question is known as one."""

from __future__ import annotations

from collections.abc import Mapping

SUPPORTS, REFUTES, NEITHER = "SUPPORTS", "REFUTES", "NOT ENOUGH INFORMATION"
VERDICTS: Mapping[str, bool | None] = {SUPPORTS: True, REFUTES: False, NEITHER: None}
