"""Mapping files: how the records of a file become questions, each field named by a path expression."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Annotated, Literal, TypeAlias, get_args

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from evidence_assets.sources.files import list_files
from evidence_assets.sources.questions.expressions import Expression
from evidence_assets.sources.questions.formats import Format, Layout, PathExpression
from evidence_assets.sources.questions.named_tables import NamedTables
from evidence_assets.sources.questions.reading import read_questions
from evidence_assets.sources.questions.spelling import check_spelling
from evidence_assets.sources.questions.table_questions import checked_table, text_cells, text_rows
from evidence_assets.sources.questions.validation import (
    check_unlike,
    choice_texts,
    multiple_choice,
    open_question,
    position_of_answer,
    required_key,
)
from evidence_assets.sources.reading import Entry
from evidence_assets.sources.records import (
    GoldCell,
    GoldEvidence,
    Question,
    RejectedRecord,
    TableRecord,
    UnusableSourceError,
)
from evidence_assets.sources.specification_fields import Strict
from evidence_assets.sources.uris import file_name
from evidence_assets.sources.validation import (
    RecordRejectedError,
    optional_text,
    required_identifier,
    required_list,
    required_mapping,
    required_text,
)
from evidence_assets.text.field_problems import FORMS

Scope: TypeAlias = Mapping[str, object]
Element: TypeAlias = tuple[str, object]


class Each(Strict):
    """Elements of a list, by what each is called and the path to them; a path behind it leads on into each.

    The expressions apply to an element: its text; an option's `label`; the `title` of gold evidence; `row`
    and `column` of a gold cell, from 0, the rows that name columns counted too.
    """

    each: dict[str, PathExpression] = Field(min_length=1)
    text: PathExpression = Expression.of("@")
    label: PathExpression | None = None
    title: PathExpression | None = None
    row: PathExpression | None = None
    column: PathExpression | None = None

    def elements(self, scope: object) -> list[Element]:
        """What messages call each element, and the element.

        Raises:
            RecordRejectedError: there is no list, or an element has none of the fields that are named.
        """
        elements: list[Element] = [("", scope)]
        inner = [part for part in (self.text, self.label, self.title) if part is not None]
        applied = [*([path] for path in list(self.each.values())[1:]), inner]
        for (name, path), after in zip(self.each.items(), applied, strict=True):
            listed = [required_list(path.value(parent), f"'{path.name}'") for _, parent in elements]
            numbered = (pair for values in listed for pair in enumerate(values, start=1))
            elements = [(f"{name} {number}", value) for number, value in numbered]
            if any(expression.of_object for expression in after):
                elements = [(name, required_mapping(value, name)) for name, value in elements]
        return elements


_EXPRESSION, _LIST, _FIELDS, _FILE = FORMS


def _kind(value: object) -> str:
    """Which of its forms a mapping file gives a field; messages leave out these names."""
    if isinstance(value, dict):
        return _FILE if "file" in value else _FIELDS
    return _LIST if isinstance(value, list) else _EXPRESSION


_Path = Annotated[PathExpression, Tag(_EXPRESSION)]
_Several = Annotated[tuple[PathExpression, ...], Tag(_LIST)]
Texts = Annotated[Annotated[Each, Tag(_FIELDS)] | _Several | _Path, Discriminator(_kind)]


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"{text!r} is no pattern ({error}); remedy: correct it") from error
    return text


class Refusal(Strict):
    """Records to reject: those for which `when` holds; or the whole `file`."""

    when: PathExpression
    reason: str
    remedy: str
    file: bool = False


class TableFields(Strict):
    """A table in its question's record: the names of its columns, or how many of its rows are headers."""

    key: PathExpression
    prefix: str = ""
    caption: Texts = ()
    columns: PathExpression | None = None
    rows: PathExpression
    header_rows: int = Field(default=0, ge=0)


class TableFile(Strict):
    """The field that names a question's table by its file: see `NamedTables`."""

    file: PathExpression


TableForm = Annotated[
    Annotated[TableFields, Tag(_FIELDS)] | Annotated[TableFile, Tag(_FILE)] | _Path,
    Discriminator(_kind),
]
KeyForm = Literal["letter", "number from 0", "number from 1", "text"]


class Mapped(Layout):
    """The mapping of a question's fields, as a mapping file gives it.

    Several values are an expression for a list, a list of expressions for one value each, or `Each`.
    `made_id`: parts of the id of a record that has none; `repeats`: what becomes of one that comes again.
    `options` with their `labels`, or `choices`, the same for every question, each with the keys for it.
    `key`: which is right, by `key_is`; without it the option that `answers` names. `files`: a pattern of
    names; only such files of a folder are read, a group `split` must be the split, or what `split_names`
    call it, and other groups are fields. `without_key`: what becomes of a question that nobody gave a key;
    `alike_options`: what becomes of a question two of whose options say the same, as some of public sets do;
    `answerable`: false where there is no answer to give. `spelling`: whether a record is rejected that has a
    field spelt almost as one that is named here and that it lacks.
    """

    files: Annotated[str, AfterValidator(_pattern)] = ""
    split_names: dict[str, str] = Field(default_factory=dict)
    refuse: tuple[Refusal, ...] = ()
    made_id: tuple[PathExpression, ...] = ()
    repeats: Literal["rejected", "numbered"] = "rejected"
    question: PathExpression
    options: Texts | None = None
    labels: PathExpression | None = None
    choices: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    key: PathExpression | None = None
    key_name: str = ""
    key_is: tuple[KeyForm, ...] = ()
    without_key: Literal["rejected", "kept"] = "rejected"
    alike_options: Literal["rejected", "kept"] = "kept"
    answerable: PathExpression | None = None
    spelling: Literal["free", "checked"] = "free"
    answers: Texts | None = None
    answer_keys: PathExpression | None = None
    gold_evidence: Texts = ()
    context: PathExpression | None = None
    subject: PathExpression | None = None
    topics: Texts = ()
    table: TableForm | None = None
    gold_cells: Each | PathExpression | None = None

    @model_validator(mode="after")
    def _answerable(self) -> Mapped:
        if self.id is None and not self.made_id:
            raise ValueError(
                "no id; remedy: name the field of the id, or make one: made_id: [_split, _number]"
            )
        if self.key is None and self.answers is None:
            raise ValueError("neither key nor answers; remedy: name the field that says what is right")
        if self.key is not None and self.options is None and not self.choices:
            raise ValueError(
                "key without options; remedy: name the options, or give the right text as answers"
            )
        labelled = isinstance(self.options, Each) and self.options.label is not None
        if self.key is not None and not (self.key_is or self.choices or self.labels or labelled):
            raise ValueError(f"key without key_is; remedy: say which of {', '.join(get_args(KeyForm))} it is")
        return self

    @cached_property
    def named_fields(self) -> tuple[str, ...]:
        """The fields of a record that the mapping reads, each once."""
        parts = (getattr(self, name) for name in type(self).model_fields)
        return tuple(dict.fromkeys(name for part in parts for name in _fields(part)))

    def read(self, format_: Format, uri: str, split: str) -> Iterator[Question | RejectedRecord]:
        """Yields the questions of a file in a format, and rejections.

        Raises:
            UnusableSourceError: a file is absent or of another form, or proves that it needs another mapping.
        """
        build = _Builder(self)
        entries = (
            entry
            if isinstance(entry, RejectedRecord)
            else replace(entry, fields={**groups, **entry.fields, **_given(file, split, entry)})
            for file, groups in self._files(uri, split)
            for entry in format_(file, split, self)
        )
        yield from read_questions(entries, build)

    def _files(self, uri: str, split: str) -> Iterator[tuple[str, Mapping[str, str]]]:
        if not self.files:
            yield uri, {}
            return
        names = {split, self.split_names.get(split, split)}
        count = 0
        for file in list_files(uri):
            match = re.fullmatch(self.files, file_name(file))
            if match and match.groupdict().get("split") in {None, *names}:
                count += 1
                yield file, {name: text or "" for name, text in match.groupdict().items()}
        if not count:
            raise UnusableSourceError(
                uri,
                "the whole folder",
                f"no file of the split '{split}' has a name such as {self.files}",
                "name the folder that holds such files, or one of them",
            )


def _given(file: str, split: str, entry: Entry) -> dict[str, object]:
    return {
        "_uri": file,
        "_file": file_name(file).partition(".")[0],
        "_split": split,
        "_number": entry.number,
    }


class _Builder:
    """Builds the questions of one file."""

    def __init__(self, mapped: Mapped) -> None:
        self._mapped = mapped
        self._named: Counter[str] = Counter()
        self._tables = lru_cache(maxsize=None)(NamedTables)

    def __call__(self, entry: Entry) -> Question:
        mapped, scope = self._mapped, entry.fields
        if mapped.spelling == "checked":
            key_names = [name for part in (mapped.key, mapped.answers) for name in _fields(part)]
            has_key = any(scope.get(name) is not None for name in key_names)
            check_spelling(scope, mapped.named_fields, () if has_key else tuple(_fields(mapped.answers)))
        text = required_text(mapped.question.value(scope), "the question")
        for refusal in mapped.refuse:
            if refusal.when.value(scope):
                if refusal.file:
                    raise UnusableSourceError(str(scope["_uri"]), entry.place, refusal.reason, refusal.remedy)
                raise RecordRejectedError(refusal.reason, refusal.remedy)
        question = self._without_answer(text, scope) or self._answered(text, scope)
        if mapped.alike_options == "rejected":
            check_unlike(question.options)
        table = self._table(scope)
        question = replace(
            question,
            gold_evidence=tuple(_gold_evidence(mapped.gold_evidence, scope)),
            context=_optional(mapped.context, scope),
            subject=_optional(mapped.subject, scope),
            topics=tuple(_topics(mapped.topics, scope)),
            answer_keys=_answer_keys(mapped.answer_keys, scope),
            table=table,
            gold_cells=tuple(_gold_cells(mapped, scope, table)),
        )
        return replace(question, question_id=self._identifier(question, scope))

    def _identifier(self, question: Question, scope: Scope) -> str:
        mapped = self._mapped
        identifier = None if mapped.id is None else mapped.id.value(scope)
        if mapped.id is not None and (identifier is not None or not mapped.made_id):
            return required_identifier(identifier, f"'{mapped.id.name}'")
        inside = {**scope, "_question": question.question, "_answers": list(question.answers)}
        parts = (required_identifier(part.value(inside), f"'{part.name}'") for part in mapped.made_id)
        name = "-".join(parts)
        # Counted are questions that can be used: an id must not change with those that cannot.
        self._named[name] += 1
        again = self._named[name] > 1 and mapped.repeats == "numbered"
        return f"{name}-{self._named[name]}" if again else name

    def _without_answer(self, text: str, scope: Scope) -> Question | None:
        """Return a question that has no key, and may lack one; None where it has one or must."""
        mapped = self._mapped
        answerable = None if mapped.answerable is None else mapped.answerable.value(scope)
        if answerable is not None and not isinstance(answerable, bool):
            reason = f"{_name(mapped.answerable)} is neither true nor false"
            raise RecordRejectedError(reason, "write true or false, or leave it out")
        key = None if mapped.key is None else mapped.key.value(scope)
        answers = [] if mapped.answers is None else _values(mapped.answers, scope)
        if key is not None or answers:
            if answerable is False:
                reason = f"an answer is given, and {_name(mapped.answerable)} is false"
                raise RecordRejectedError(reason, "leave one of them out")
            return None
        if answerable is not False and mapped.without_key == "rejected":
            return None
        options = choice_texts(self._options(scope)[0]) if mapped.options is not None else ()
        return Question("", text, options, answerable=answerable)

    def _answered(self, text: str, scope: Scope) -> Question:
        mapped = self._mapped
        key = None if mapped.key is None else mapped.key.value(scope)
        key_name = mapped.key_name or _name(mapped.key)
        if mapped.choices:
            labels, key = self._fixed(required_key(key, key_name))
            return multiple_choice(text, list(mapped.choices), labels, key, key_name)
        answers_name = _name(mapped.answers)
        answers = [] if mapped.answers is None else _values(mapped.answers, scope)
        options, labels = self._options(scope)
        if mapped.options is None or (mapped.answers is not None and not options):
            if key is not None:
                reason = f"{key_name} is given without {_name(mapped.options)}"
                raise RecordRejectedError(reason, "give the options")
            return open_question(text, answers, answers_name)
        named = [required_text(answer, f"answer {number}") for number, answer in enumerate(answers, start=1)]
        if key is None and named:
            labels, key = _positions(options), position_of_answer(named, answers_name, options)
        elif mapped.key_is:
            labels = self._implied(options, required_key(key, key_name))
        question = multiple_choice(text, options, labels, key, key_name or answers_name)
        if named and question.answers != tuple(named):
            raise RecordRejectedError(
                f"{answers_name} and {key_name} name different options",
                "correct one of them, or leave one out",
            )
        return question

    def _fixed(self, key: str) -> tuple[list[str], str]:
        accepted = {name: choice for choice, names in self._mapped.choices.items() for name in names}
        return (list(self._mapped.choices), accepted[key]) if key in accepted else (list(accepted), key)

    def _options(self, scope: Scope) -> tuple[list[object], list[str]]:
        options, labels = self._mapped.options, self._mapped.labels
        if isinstance(options, Each) and options.label is not None:
            elements = list(options.elements(scope))
            names = [
                required_identifier(options.label.value(e), f"the {options.label.name} of {n}")
                for n, e in elements
            ]
            return [options.text.value(element) for _, element in elements], names
        values = [] if options is None else _values(options, scope, keep_nulls=True)
        listed = [] if labels is None else required_list(labels.value(scope), f"'{labels.name}'")
        if labels is not None and len(listed) != len(values):
            reason = f"'{labels.name}' has {len(listed)} labels for {len(values)} options"
            raise RecordRejectedError(reason, "give every option a label")
        return values, [required_identifier(label, f"label {n}") for n, label in enumerate(listed, start=1)]

    def _implied(self, options: Sequence[object], key: str) -> list[str]:
        letters = [chr(ord("A" if key.isupper() else "a") + number) for number in range(len(options))]
        by_form = {
            "letter": letters,
            "number from 0": _positions(options),
            "number from 1": [str(number) for number in range(1, len(options) + 1)],
            "text": [str(option).strip() for option in options],
        }
        forms = [by_form[form] for form in self._mapped.key_is]
        return next((labels for labels in forms if key in labels), forms[0])

    def _table(self, scope: Scope) -> TableRecord | None:
        match self._mapped.table:
            case None:
                return None
            case TableFile(file=file):
                value = file.value(scope)
                return None if value is None else self._tables(str(scope["_uri"])).table(value)
            case TableFields() as fields:
                return _table_of_fields(fields, scope)
            case Expression() as made:
                table = made.value(scope)
                if isinstance(table, TableRecord):
                    return table
        raise RecordRejectedError(
            f"'{self._mapped.table.name}' is no table",
            "name its file (table: {file: …}) or its fields in the mapping",
        )


def _table_of_fields(fields: TableFields, scope: Scope) -> TableRecord:
    key = required_identifier(fields.key.value(scope), f"'{fields.key.name}'")
    rows = text_rows(fields.rows.value(scope), f"'{fields.rows.name}'")
    header, rows = rows[: fields.header_rows], rows[fields.header_rows :]
    if fields.columns is not None:
        names = text_cells(fields.columns.value(scope), f"'{fields.columns.name}'")
        header = [names] if any(names) else []
    parts = (optional_text(part, "the table's caption") for part in _values(fields.caption, scope))
    return checked_table(f"{fields.prefix}{key}", " - ".join(filter(None, parts)), header, rows)


def _values(
    texts: Each | Sequence[Expression] | Expression, scope: Scope, keep_nulls: bool = False
) -> list[object]:
    if isinstance(texts, Each):
        return [texts.text.value(element) for _, element in texts.elements(scope)]
    if isinstance(texts, Expression):
        value = texts.value(scope)
        return [] if value is None else required_list(value, f"'{texts.name}'")
    values = (expression.value(scope) for expression in texts)
    return [value for value in values if keep_nulls or value is not None]


def _name(texts: Each | Sequence[Expression] | Expression | None) -> str:
    if isinstance(texts, Each):
        return f"'{list(texts.each.values())[-1].name}'"
    listed = [texts] if isinstance(texts, Expression) else list(texts or ())
    return " and ".join(f"'{expression.name}'" for expression in listed)


def _fields(part: object) -> Iterator[str]:
    """Yield the fields of a record that a part of a mapping begins with."""
    match part:
        case Expression():
            yield part.path[0] if part.path else part.name
        case Each():
            yield from _fields(next(iter(part.each.values())))
        case TableFile() | TableFields():
            for name in type(part).model_fields:
                yield from _fields(getattr(part, name))
        case tuple():
            for inner in part:
                yield from _fields(inner)


def _optional(expression: Expression | None, scope: Scope) -> str:
    return "" if expression is None else optional_text(expression.value(scope), f"'{expression.name}'")


def _gold_evidence(texts: Each | Sequence[Expression] | Expression, scope: Scope) -> Iterator[GoldEvidence]:
    if not isinstance(texts, Each):
        values = [
            optional_text(value, f"gold evidence {n}")
            for n, value in enumerate(_values(texts, scope), start=1)
        ]
        yield from map(GoldEvidence, filter(None, values))
        return
    for name, element in texts.elements(scope):
        called = f"the {texts.text.name} of {name}" if texts.text.path else name
        text = required_text(texts.text.value(element), called)
        title = None if texts.title is None else texts.title.value(element)
        yield GoldEvidence(text, optional_text(title, f"the title of {name}"))


def _topics(texts: Each | Sequence[Expression] | Expression, scope: Scope) -> Iterator[str]:
    # A list of expressions names fields, of which one may be empty; a list in the record holds topics alone.
    listed = isinstance(texts, Each | Expression)
    check = required_text if listed else optional_text
    names = (check(topic, f"topic {number}") for number, topic in enumerate(_values(texts, scope), start=1))
    yield from dict.fromkeys(filter(None, names))


def _answer_keys(expression: Expression | None, scope: Scope) -> tuple[str, ...]:
    """Return the identifiers of a question's answers, each once; none where the record has none."""
    value = None if expression is None else expression.value(scope)
    if expression is None or value is None:
        return ()
    stated = required_list(value, f"'{expression.name}'")
    keys = (required_text(key, f"answer key {number}") for number, key in enumerate(stated, start=1))
    return tuple(dict.fromkeys(keys))


def _gold_cells(mapped: Mapped, scope: Scope, table: TableRecord | None) -> Iterator[GoldCell]:
    cells = mapped.gold_cells
    if isinstance(cells, Expression):
        yield from (cell for cell in _values(cells, scope) if isinstance(cell, GoldCell))
    elif cells is not None and table is not None:
        header = table.titles + len(table.header_rows)
        for _, element in cells.elements(scope):
            place = [part and part.value(element) for part in (cells.row, cells.column)]
            # True and false are whole numbers to Python.
            match [None if isinstance(number, bool) else number for number in place]:
                case [int(row), int(column)] if 0 <= row < header + len(table.rows) and column >= 0:
                    yield GoldCell(table.key, row - header, column)
                case [int(row), None] if cells.column is None and 0 <= row < header + len(table.rows):
                    yield GoldCell(table.key, row - header)
                case _:
                    raise RecordRejectedError(
                        f"{element!r} in {_name(cells)} is no row and column of the table",
                        "give rows, and columns if any, from 0",
                    )


def _positions(options: Sequence[object]) -> list[str]:
    return [str(number) for number in range(len(options))]
