"""SimpleQuestions: questions of one step over Freebase or Wikidata, each with the triple it asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evidence_assets.sources.files import named_files
from evidence_assets.sources.questions.graph_questions import ContentNames, column_lines, with_topics
from evidence_assets.sources.questions.reading import Entry, file_name, read_questions, sibling
from evidence_assets.sources.questions.validation import (
    RecordRejectedError,
    open_question,
    required_text,
)
from evidence_assets.sources.records import Question, RejectedRecord, UnusableSourceError

COLUMNS = ("subject", "relation", "object", "question")
NAMES = "names.tsv"
_SITE = "www.freebase.com/"


def read_simplequestions(uri: str, split: str) -> Iterator[Question | RejectedRecord]:
    """Yields the questions of `annotated_fb_data_*.txt`, or of Wikidata's `annotated_wd_data_*.txt`.

    A line is subject, relation, object and question, parted by tabs; the object is the answer, the subject
    the topic. The files know identifiers alone (`www.freebase.com/m/04whkz5` is read as `m.04whkz5`): where
    a file `names.tsv` (identifier, name) lies beside, names take their place, and a question whose answer
    has none is rejected.

    Raises:
        UnusableSourceError: the file is absent, or breaks off.
    """
    ids = ContentNames(file_name(uri).partition(".")[0])
    known = _names(uri)

    def build(entry: Entry) -> Question:
        subject, relation, answer = (
            _identifier(required_text(entry.fields[name], name)) for name in COLUMNS[:3]
        )
        if known is not None and answer not in known:
            raise RecordRejectedError(f"the answer {answer} has no name", f"give it a name in {NAMES}")
        names = known or {}
        question = open_question(
            question_id="",
            question=entry.fields["question"],
            answers=[names.get(answer, answer)],
            answers_name="object",
        )
        content = "\t".join((subject, relation, answer, question.question))
        return with_topics(ids.named(question, content), [names.get(subject, subject)])

    yield from read_questions(column_lines(uri, COLUMNS), build)


def _identifier(text: str) -> str:
    return text.removeprefix(_SITE).replace("/", ".") if text.startswith(_SITE) else text


def _names(uri: str) -> Mapping[str, str] | None:
    beside = sibling(uri, NAMES)
    try:
        named_files(beside)
    except UnusableSourceError:
        return None
    found: dict[str, str] = {}
    for line in column_lines(beside, ("identifier", "name")):
        if isinstance(line, Entry):
            name = str(line.fields["name"]).strip()
            found[_identifier(str(line.fields["identifier"]).strip())] = name
    return {identifier: name for identifier, name in found.items() if name}
