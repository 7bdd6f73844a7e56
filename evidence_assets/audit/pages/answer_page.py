"""The page of one answer: what was asked and answered, on what grounds, and where these come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evidence_assets.audit.ablation.plan import Kind
from evidence_assets.audit.pages.drawing import graph_drawing
from evidence_assets.audit.pages.experiment import AnswerRows, ExperimentRows
from evidence_assets.audit.pages.rendering import INDEX, LARGEST, page
from evidence_assets.audit.pages.sources import Source, Standing, Step, TableView, table_view
from evidence_assets.evidence.accounting import Role
from evidence_assets.evidence.experiment import CITED, GIVEN
from evidence_assets.text.queries import NO_OPTION

Row = Mapping[str, Any]
# What a word is bound to, where evidence is a text or what was written of a path.
_PASSAGES = ("chunk ", "path ", "triple ")
# What was removed, in the order that it is shown in.
_REMOVED = {
    Kind.CITED: "everything that it cites",
    Kind.RANDOM: "as many sources at random",
    Kind.ONLY_CITED: "everything that it does not cite",
    Kind.ONLY_RANDOM: "all but as many sources at random",
    Kind.ALL: "all of its evidence",
    Kind.MINIMAL: "all but the least that it needs",
    Kind.ONE: "one source that it does not cite",
}
_MOST_STEPS, _MOST_OTHERS, _MOST_RANKED = 24, 5, 10
_ROLES = {
    Role.EVIDENCE: "bound to evidence",
    Role.OPERATOR: "asks for an operation",
    Role.UNIT: "a unit",
    Role.SCOPE: "restricts the answer",
    Role.TYPE: "names the kind of answer",
    Role.MEANING: "bound by meaning",
    Role.EMPTY: "carries nothing",
    Role.UNACCOUNTED: "not accounted for",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one page shows; the rest stands on further pages."""

    citations: int = 24
    given: int = 140
    listed: int = 160
    characters: int = 1200

    def halved(self) -> Limits:
        """Return half of it, for what is too large a page."""
        return Limits(
            *(max(1, limit // 2) for limit in (self.citations, self.given, self.listed, self.characters))
        )


@dataclass(frozen=True, slots=True)
class Citation:
    """A unit of evidence as a page shows it.

    `mark`: its number in the chain. `others`: the answers that rest on its source too.
    """

    mark: str
    kind: str
    text: str
    source: Source
    option: str = ""
    role: str = ""
    rank: int = 0
    others: tuple[AnswerRows, ...] = ()


@dataclass(frozen=True, slots=True)
class Removal:
    """What became of an answer without some of its evidence. `marks`: of what was removed, what it cites."""

    marks: tuple[str, ...]
    text: str
    what: str
    changed: bool
    predicted: str | None
    confidence_change: float | None


@dataclass(frozen=True, slots=True)
class Span:
    """Some words of a question, and what they were bound to; words between spans have no role."""

    text: str
    role: str = ""
    meaning: str = ""
    target: str = ""


def name_of(answer: AnswerRows) -> str:
    """Return the file name of an answer's page."""
    return f"{answer.prediction['prediction_id']}.html"


def answer_pages(
    experiment: ExperimentRows, answer: AnswerRows, neighbours: Row
) -> Iterator[tuple[str, bytes]]:
    """Yield an answer's page, and those that list all of its evidence where that is more than one page holds.

    `neighbours`: the pages before and after, by `previous` and `next`; None where there is none.
    """
    limits = Limits()
    while True:
        pages = list(_pages(experiment, answer, neighbours, limits))
        if max(len(content) for _, content in pages) <= LARGEST or limits == limits.halved():
            yield from pages
            return
        limits = limits.halved()


def _pages(
    experiment: ExperimentRows, answer: AnswerRows, neighbours: Row, limits: Limits
) -> Iterator[tuple[str, bytes]]:
    cited = _cited(experiment, answer)
    for_others = _cited_for_others(experiment, answer)
    cited_ids = {used["evidence_id"] for used in answer.used.get(CITED, ())}
    given = [
        _citation(experiment, answer, used, "given")
        for used in answer.used.get(GIVEN, ())
        if used["evidence_id"] not in cited_ids
    ]
    everything = [*cited, *for_others, *given]
    all_on_one_page = len(cited) <= limits.citations and len(given) <= limits.given
    places = [] if all_on_one_page else range(0, len(everything), limits.listed)
    stem = answer.prediction["prediction_id"]
    names = [f"{stem}-evidence-{number}.html" for number in range(1, len(places) + 1)]
    common = {"experiment": experiment, "answer": answer, "limits": limits, "index": INDEX, "names": names}
    steps = [step for citation in cited for step in citation.source.steps]
    yield (
        name_of(answer),
        page(
            "answer",
            **common,
            **neighbours,
            options=_options(answer),
            spans=_spans(experiment, answer),
            of_one_passage=_of_one_passage(answer.prediction["bindings"]),
            chain=answer.chain,
            cited=cited,
            groups=_groups(cited[: limits.citations]),
            tables=_tables(experiment, answer, cited or given),
            graph=_graph(steps),
            steps_left_out=max(0, len(_unique(steps)) - _MOST_STEPS),
            other_chains=_other_chains(answer, for_others),
            given=given,
            ranked=answer.ranked[:_MOST_RANKED],
            notices=_notices(experiment, answer, cited),
            removals=_removals(experiment, answer),
            everything=len(everything),
        ),
    )
    for name, place in zip(names, places, strict=True):
        listed = everything[place : place + limits.listed]
        counts = {"first": place + 1, "last": place + len(listed), "everything": len(everything)}
        yield name, page("evidence", **common, **counts, citations=listed, back=name_of(answer), name=name)


def _cited(experiment: ExperimentRows, answer: AnswerRows) -> list[Citation]:
    """Return what was cited for the answer, by the chain's numbers."""
    chain = answer.chain
    used = {
        row["evidence_id"]: row for row in answer.used.get(CITED, ()) if row["candidate"] == answer.candidate
    }
    ids = list(dict.fromkeys([*(chain["cited"] if chain else ()), *used]))
    numbers = (
        {evidence_id: f"E{place}" for place, evidence_id in enumerate(chain["cited"], start=1)}
        if chain
        else {}
    )
    return [
        _citation(
            experiment,
            answer,
            used.get(evidence_id, {"evidence_id": evidence_id, "candidate": answer.candidate, "rank": place}),
            "cited for the answer",
            numbers.get(evidence_id, ""),
        )
        for place, evidence_id in enumerate(ids, start=1)
    ]


def _cited_for_others(experiment: ExperimentRows, answer: AnswerRows) -> list[Citation]:
    rows = [row for row in answer.used.get(CITED, ()) if row["candidate"] != answer.candidate]
    return [_citation(experiment, answer, row, "cited for another option", f"E{row['rank']}") for row in rows]


def _citation(
    experiment: ExperimentRows, answer: AnswerRows, used: Row, role: str, mark: str = ""
) -> Citation:
    unit = experiment.evidence.get(used["evidence_id"])
    option = _option_text(answer, used["candidate"])
    if unit is None:
        problem = "The unit of evidence itself is not in the lake."
        missing = Source(Standing.GONE, f"evidence {used['evidence_id']}", problem=problem)
        return Citation(mark, "missing", "", missing, option, role, used["rank"])
    source = experiment.sources.of(unit)
    resting = {
        neighbour.prediction["prediction_id"]: neighbour
        for key in source.keys
        for neighbour in experiment.resting_on.get(key, ())
        if neighbour is not answer
    }
    kind = str(unit["kind"]).replace("_", " ")
    return Citation(mark, kind, unit["text"], source, option, role, used["rank"], tuple(resting.values()))


def _option_text(answer: AnswerRows, candidate: int) -> str:
    if candidate == NO_OPTION or answer.question is None:
        return ""
    if answer.question_changed:
        # What stood at that place then is known of the option that was chosen alone.
        chosen = candidate == answer.candidate
        return str(answer.prediction["predicted"]) if chosen else f"option {_letter(candidate)} of then"
    options = answer.question["options"]
    return str(options[candidate]) if candidate < len(options) else ""


def _groups(cited: Sequence[Citation]) -> list[list[Citation]]:
    """Return citations as they stand beside their sources: those of one table together, others alone."""
    groups: dict[str, list[Citation]] = {}
    for place, citation in enumerate(cited):
        table = citation.source.table
        groups.setdefault(str(place) if table is None else f"table {table['table_id']}", []).append(citation)
    return list(groups.values())


def _options(answer: AnswerRows) -> list[dict[str, Any]]:
    question, prediction = answer.question, answer.prediction
    if question is None:
        return []
    key, changed = question["answer_index"], answer.question_changed
    return [
        {
            "letter": _letter(number),
            "text": option,
            "chosen": option == prediction["predicted"] if changed else number == answer.candidate,
            "key": number == key,
        }
        for number, option in enumerate(question["options"])
    ]


def _letter(number: int) -> str:
    return chr(ord("A") + number) if number < 26 else str(number + 1)


def _spans(experiment: ExperimentRows, answer: AnswerRows) -> list[Span] | None:
    """Return the question cut where its words were bound; None where nobody accounted for them."""
    bindings, question = answer.prediction["bindings"], answer.question
    if bindings is None or question is None:
        return None
    text, position = str(question["question"]), 0
    spans = []
    for binding in sorted(bindings, key=lambda binding: (binding["start"], binding["end"])):
        start, end = binding["start"], binding["end"]
        if start < position or text[start:end] != binding["text"]:
            continue
        if start > position:
            spans.append(Span(text[position:start]))
        meaning = _ROLES.get(binding["role"], binding["role"])
        if binding["similarity"] is not None:
            meaning += f", similarity {binding['similarity']:.2f}"
        spans.append(Span(binding["text"], binding["role"], meaning, _target(experiment, binding["target"])))
        position = end
    return [*spans, Span(text[position:])] if position < len(text) else spans


def _of_one_passage(bindings: Sequence[Row] | None) -> bool:
    """Return whether a question was bound to one piece of evidence: others may say what that leaves out."""
    targets = {binding["target"] for binding in bindings or () if binding["target"]}
    return len(targets) == 1 and targets.pop().startswith(_PASSAGES)


def _target(experiment: ExperimentRows, target: str) -> str:
    """Return what a word was bound to: a chunk by its article's title, other evidence by what it says."""
    kind, _, key = target.partition(" ")
    if title := experiment.sources.title_of_chunk(key) if kind == "chunk" else "":
        return f"a chunk of {title}"
    evidence_text = experiment.said_by.get(key)
    return target if evidence_text is None else f"{kind}: {evidence_text}"


def _tables(experiment: ExperimentRows, answer: AnswerRows, citations: Sequence[Citation]) -> list[TableView]:
    """Return the tables that these name, once each, with the cells that the answer cites marked."""
    tables = {
        citation.source.keys[0]: citation.source.table
        for citation in citations
        if citation.source.table is not None
    }
    marks: dict[str, list[tuple[str, int | None, int | None]]] = {key: [] for key in tables}
    for number, evidence_id in enumerate(answer.chain["cited"] if answer.chain else (), start=1):
        unit = experiment.evidence.get(evidence_id)
        if unit is not None and unit["source_key"] in tables:
            place = (f"E{number}", unit["locator"]["row"], unit["locator"]["column"])
            marks[unit["source_key"]].append(place)
    return [table_view(table, marks[key]) for key, table in tables.items()]


def _unique(steps: Sequence[Step]) -> list[Step]:
    return list({step.triple_id: step for step in steps}.values())


def _graph(steps: Sequence[Step]) -> Any:
    drawn = _unique(steps)[:_MOST_STEPS]
    label = "; ".join(f"{step.head} {step.relation} {step.tail}" for step in drawn)
    return graph_drawing(drawn, f"The cited triples as a graph: {label}"[:600])


def _other_chains(answer: AnswerRows, citations: Sequence[Citation]) -> list[dict[str, Any]]:
    """Return the chains of the options that were not answered, each with what it cites."""
    chains = [chain for chain in answer.chains if chain["candidate"] != answer.candidate]
    return [
        {
            "option": _option_text(answer, chain["candidate"]) or "the question itself",
            "chain": chain,
            "cited": [
                cited for cited in citations if cited.option == _option_text(answer, chain["candidate"])
            ][:_MOST_OTHERS],
            "cited_count": len(chain["cited"]),
        }
        for chain in chains
    ]


def _removals(experiment: ExperimentRows, answer: AnswerRows) -> list[Removal]:
    """Return what became of the answer without some of its evidence: single citations first, then sets."""
    cited = list(answer.chain["cited"]) if answer.chain else []
    removals = []
    for row in answer.ablations:
        single = row["kind"] == Kind.ONE
        places = sorted(cited.index(key) for key in row["evidence_ids"] if key in cited) if single else []
        units = [experiment.evidence[key] for key in row["evidence_ids"] if key in experiment.evidence]
        description = _REMOVED.get(row["kind"], str(row["kind"]).replace("_", " "))
        removal = Removal(
            tuple(f"E{place + 1}" for place in places),
            units[0]["text"] if single and units else "",
            f"{description} (draw {row['draw']})" if row["draw"] else description,
            row["changed"],
            row["predicted_without"],
            row["confidence_change"],
        )
        kind_order = list(_REMOVED).index(row["kind"]) if row["kind"] in _REMOVED else len(_REMOVED)
        removals.append(((not places, places, kind_order, row["draw"], row["removed"]), removal))
    return [removal for _, removal in sorted(removals, key=lambda keyed: keyed[0])]


def _notices(experiment: ExperimentRows, answer: AnswerRows, cited: Sequence[Citation]) -> list[str]:
    """Return what a reader has to know before the answer: what changed since, what is missing."""
    prediction, notices = answer.prediction, []
    if answer.question is None:
        notices.append("The question is no longer in the lake: what was asked cannot be shown.")
    if answer.question_changed:
        notices.append(
            "The question or its options were changed after this was answered: they are shown as they are "
            "now, and the answer as it was given then; materialise the experiment again to have it answered "
            "anew."
        )
    if answer.key_changed:
        now = "none" if answer.key_now is None else answer.key_now
        then = "none" if prediction["gold"] is None else prediction["gold"]
        notices.append(
            f"The benchmark's key was changed after this was answered. Then: {then}. Now: {now}. The verdict "
            "is by the key of then; materialise the experiment again to have it judged anew."
        )
    if len(experiment.code_versions) > 1:
        notices.append(
            f"This experiment holds answers of {len(experiment.code_versions)} code versions; this one is of "
            f"{prediction['code_version']}."
        )
    if prediction["parse_status"] != "parsed":
        notices.append(f"No answer could be read as it stands: {prediction['parse_status']}.")
    if prediction["unread_words"]:
        notices.append(
            f"The first {prediction['unread_words']} words of the question were not given to the encoder: "
            "the question is longer than it takes."
        )
    moved = [citation for citation in cited if citation.source.standing != Standing.STANDS]
    if moved:
        notices.append(
            f"{len(moved)} of {len(cited)} cited sources do not stand as they did when they were cited: they "
            "are marked below."
        )
    return notices
