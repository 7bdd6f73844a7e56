"""Chains of two to four sentences, each passage one of them, with its mark (prompt of thesis 6.4.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evidence_assets.evidence.citations import mark, quoted
from evidence_assets.evidence.units import EvidenceUnit
from evidence_assets.graphs.passages import in_one_sentence
from evidence_assets.systems.ugat_medqa.option_eligibility import WeighedPath

# With the sentence that says the option, four.
MOST_CITED = 3

Told = tuple[str, list[EvidenceUnit]]


def told_of_option(option: str, paths: Sequence[WeighedPath], exception: bool) -> Told:
    """Return the text of an option's chain, and what its marks stand for.

    Cited are its best paths that count, and where one does not count, the best such one.

    Parameters
    ----------
    paths
        At least one, best first.
    exception
        The option answers a negated question.
    """
    counted = [one for one in paths if one.weight]
    others = [one for one in paths if not one.weight]
    cited = [*counted[: MOST_CITED - bool(others)], *others][:MOST_CITED]
    if exception:
        said = f"The question asks for the exception, and the graph says least for {_named(option)}"
    elif counted:
        said = f"The graph leads from the question to {_named(option)}"
    else:
        said = f"No path speaks for {_named(option)}"
    notes = ["" if one.weight else " (this does not speak for it)" for one in cited]
    return _text(said, [one.path.selected.unit for one in cited], notes)


def told_of_unreached(
    answer: int, options: Sequence[str], paths: Mapping[int, Sequence[WeighedPath]], negated: bool
) -> Told:
    """Return the same for an answer without a path: where it is an exception, the best paths to others.

    Else nothing is cited, and the chain's `citation_status` says so.
    """
    named = _named(options[answer])
    found: dict[str, tuple[EvidenceUnit, str]] = {}
    for candidate, own in paths.items():
        best = next((one.path.selected.unit for one in own if one.weight), None)
        if best is not None:
            found.setdefault(best.evidence_id, (best, f" (this leads to {_named(options[candidate])})"))
    if not found or not negated:
        return f"No passage leads to {named}. It is chosen by the question and the options alone.", []
    cited = list(found.values())[:MOST_CITED]
    said = f"The question asks for the exception, and no path leads to {named}"
    return _text(said, [unit for unit, _ in cited], [note for _, note in cited])


def _named(option: str) -> str:
    return f"“{quoted(option)}”"


def _text(said: str, cited: Sequence[EvidenceUnit], notes: Sequence[str]) -> Told:
    sentences = [
        f"{quoted(in_one_sentence(unit.text, len(unit.triple_ids)))}{note} {mark(number)}"
        for number, (unit, note) in enumerate(zip(cited, notes, strict=True), start=1)
    ]
    return " ".join(f"{sentence}." for sentence in (said, *sentences)), list(cited)
