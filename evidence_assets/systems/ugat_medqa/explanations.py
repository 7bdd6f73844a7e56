"""Chains of two to four sentences, each passage one of them, with its mark (prompt of thesis 6.4.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evidence_assets.evidence.citations import mark, quoted
from evidence_assets.evidence.units import EvidenceUnit
from evidence_assets.graphs.passages import in_one_sentence
from evidence_assets.systems.ugat_medqa.option_eligibility import WeighedPath

# With the sentence that says the option, four.
MOST_CITED = 3

Explanation = tuple[str, list[EvidenceUnit]]


def option_explanation(option: str, paths: Sequence[WeighedPath], exception: bool) -> Explanation:
    """Return the text of an option's chain, and the units that its marks cite.

    It cites the option's best paths that count, and the best of those that do not, if any.

    `paths`: at least one, best first. `exception`: the option answers a negated question.
    """
    counted = [path for path in paths if path.weight]
    uncounted = [path for path in paths if not path.weight]
    cited = [*counted[: MOST_CITED - bool(uncounted)], *uncounted][:MOST_CITED]
    if exception:
        claim = f"The question asks for the exception, and the graph says least for {_named(option)}"
    elif counted:
        claim = f"The graph leads from the question to {_named(option)}"
    else:
        claim = f"No path speaks for {_named(option)}"
    notes = ["" if path.weight else " (this does not speak for it)" for path in cited]
    return _text(claim, [path.path.selected.unit for path in cited], notes)


def unreached_explanation(
    answer: int, options: Sequence[str], paths: Mapping[int, Sequence[WeighedPath]], negated: bool
) -> Explanation:
    """Return the text and citations of an answer without a path.

    The answer to a negated question cites the best paths to other options; any other cites nothing, and the
    chain's `citation_status` says so.
    """
    answer_name = _named(options[answer])
    passages: dict[str, tuple[EvidenceUnit, str]] = {}
    for candidate, option_paths in paths.items():
        best = next((path.path.selected.unit for path in option_paths if path.weight), None)
        if best is not None:
            passages.setdefault(best.evidence_id, (best, f" (this leads to {_named(options[candidate])})"))
    if not passages or not negated:
        return f"No passage leads to {answer_name}. It is chosen by the question and the options alone.", []
    cited = list(passages.values())[:MOST_CITED]
    claim = f"The question asks for the exception, and no path leads to {answer_name}"
    return _text(claim, [unit for unit, _ in cited], [note for _, note in cited])


def _named(option: str) -> str:
    return f"“{quoted(option)}”"


def _text(claim: str, cited: Sequence[EvidenceUnit], notes: Sequence[str]) -> Explanation:
    sentences = [
        f"{quoted(in_one_sentence(unit.text, len(unit.triple_ids)))}{note} {mark(number)}"
        for number, (unit, note) in enumerate(zip(cited, notes, strict=True), start=1)
    ]
    return " ".join(f"{sentence}." for sentence in (claim, *sentences)), list(cited)
