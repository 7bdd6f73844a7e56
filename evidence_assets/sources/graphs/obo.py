"""Concepts and triples of ontologies in OBO 1.2 and 1.4: Disease Ontology, HPO, MONDO."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import inf

from evidence_assets.sources.files import text_lines
from evidence_assets.sources.graphs.common import GraphRecords, keyed_triple, unmapped
from evidence_assets.sources.graphs.cross_references import canonical
from evidence_assets.sources.reading import check_field_names, read_each
from evidence_assets.sources.records import ConceptRecord, RejectedRecord, Triple
from evidence_assets.sources.validation import RecordRejectedError, required_text

KIND = "kind"
SUBTYPE = "is_a_subtype_of"
RELATIONSHIPS = {
    "part_of": "is_part_of",
    "located_in": "is_located_in",
    "disease_has_location": "is_located_in",
    "regulates": "regulates",
    "positively_regulates": "regulates",
    "negatively_regulates": "regulates",
}
# Names of something near, not of the term itself.
LOOSE_SCOPES = frozenset({"RELATED", "BROAD", "NARROW"})
TERM = "Term"
STANZAS = frozenset({TERM, "Typedef", "Instance"})
_HEADER = re.compile(r"\[(\w+)\]\s*(?:!.*)?")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"(.*)')
_TRAILING = re.compile(r'(?<!\\)\s+(?:!.*|\{[^{}]*=\s*"[^{}]*\}\s*(?:!.*)?)$')
_AFTER_REFERENCE = re.compile(r'\s+(?=["{!])')
_WORD = re.compile(r"[^\s{!]+")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "W": " "}


def read(uri: str, fields: Mapping[str, str]) -> GraphRecords:
    """One concept a term that is not obsolete; after the last term, one triple for every edge between terms.

    Synonyms are those of the term itself (EXACT, or of no scope), cross-references its `xref` and `alt_id`.
    `is_a` becomes is_a_subtype_of, a `relationship` what RELATIONSHIPS says; those it does not know are
    counted, and rejected once a type. Obsolete terms are passed over, and an edge to one is rejected.

    Of a line that cannot be read only that line is rejected; a term without id or name, or with an earlier
    term's id, is rejected whole. Where a header is broken or missing, what follows is rejected up to the next
    header, as one record, and never taken for the term before: after a line that begins with `[` and is no
    header, and after an id that is not its stanza's first line, where OBO 1.4 has it (`Term-Frame`).

    `fields` may give `kind`: what sort of thing the terms are.

    Raises:
        UnusableSourceError: a file is missing or breaks off; `fields` has another name than `kind`.
    """
    check_field_names(uri, fields, (KIND,))
    yield from read_each(uri, partial(_read_file, kind=fields.get(KIND, "")))


def _read_file(uri: str, key_prefix: str, kind: str) -> GraphRecords:
    ontology = _Ontology(kind, key_prefix)
    # Lines outside terms are passed over: `ids_left` is how many of them may be the id of what they stand in.
    term: _Term | None = None
    ids_left: float = 0
    for line in text_lines(uri):
        if isinstance(line, RejectedRecord):
            yield line
            continue
        content = line.text.strip()
        if not content or content.startswith("!"):
            continue
        tag, colon, value = map(str.strip, content.partition(":"))
        try:
            if content.startswith("["):
                yield from ontology.close(term)
                term, ids_left = None, inf
                term = _Term(line.place) if _begins_term(content) else None
                ids_left = 1
            elif term is not None:
                term.take(tag, value if colon else None, line.place)
            elif colon and tag == "id":
                ids_left -= 1
                if ids_left < 0:
                    raise _LostHeaderError(value)
        except _LostHeaderError as lost:
            yield from ontology.close(term)
            yield lost.at(line.place)
            term, ids_left = None, inf
        except RecordRejectedError as rejected:
            yield rejected.at(line.place)
    yield from ontology.close(term)
    yield from ontology.edges()


class _LostHeaderError(RecordRejectedError):
    """An id where none can stand: it begins a stanza whose header is missing."""

    def __init__(self, identifier: str) -> None:
        super().__init__(
            f"the id {identifier!a:.60} has no header before it; the lines after it are left out",
            "begin each term with a line [Term], and its id in the next line",
        )


def _begins_term(content: str) -> bool:
    """Whether a header begins a term, and no other stanza.

    Raises:
        RecordRejectedError: the line is no header.
    """
    header = _HEADER.fullmatch(content)
    if header is None or header[1] not in STANZAS:
        raise RecordRejectedError(
            f"no header of a stanza: {content!a:.60}; the lines after it are left out",
            "write it as [Term], [Typedef] or [Instance]",
        )
    return header[1] == TERM


# SNOMED CT's names end with a semantic tag, which no text uses.
_SEMANTIC_TAG = re.compile(r"\s*\((?:disorder|finding|morphologic abnormality|procedure|situation|event)\)$")


@dataclass
class _Term:
    """The tags of one stanza, collected line by line."""

    place: str
    begun: bool = False
    key: str = ""
    name: str = ""
    definition: str = ""
    obsolete: bool = False
    synonyms: list[str] = field(default_factory=list)
    references: list[str] = field(default_factory=list)
    edges: list[tuple[str, str, str]] = field(default_factory=list)

    def take(self, tag: str, value: str | None, place: str) -> None:
        """Take one line of the stanza; `value` is None where no colon stands behind the tag.

        Raises:
            RecordRejectedError: it cannot be read.
            _LostHeaderError: it is the id of another term.
        """
        if value is None:
            raise RecordRejectedError(
                f"no colon after a tag: {tag!a:.60}", "write the line as tag: value, or begin it with !"
            )
        match tag:
            case "id":
                self.key = self._own(canonical(_unescaped(_word(value, "the id"))))
            case "name":
                self._check_first(self.name, "name")
                self.name = required_text(_unescaped(_TRAILING.sub("", value)), "the name")
            case "def":
                self.definition = _unescaped(_quoted(value)[0]).strip()
            case "synonym":
                text, remainder = _quoted(value)
                if not LOOSE_SCOPES.intersection(remainder.split()[:1]):
                    name = required_text(_unescaped(text), "the synonym")
                    self.synonyms.append(_SEMANTIC_TAG.sub("", name) or name)
            case "xref":
                self.references.append(_reference(_AFTER_REFERENCE.split(value, maxsplit=1)[0]))
            case "alt_id":
                self.references.append(_reference(_word(value, "the alternative id")))
            case "is_a":
                self.edges.append(("is_a", canonical(_unescaped(_word(value, "the term"))), place))
            case "relationship":
                relationship, _, remainder = value.partition(" ")
                target = canonical(_unescaped(_word(remainder.strip(), "the term")))
                self.edges.append((_word(relationship, "the relationship"), target, place))
            case "is_obsolete":
                self.obsolete = _word(value, "is_obsolete") == "true"
        self.begun = True

    def _own(self, key: str) -> str:
        self._check_first(self.key if key == self.key else "", "id")
        if self.begun:
            raise _LostHeaderError(key)
        return key

    def _check_first(self, earlier: str, tag: str) -> None:
        if earlier:
            raise RecordRejectedError(
                f"a second {tag}; the term's first is {earlier!r}", f"leave one line {tag}: in each term"
            )


class _Ontology:
    """The terms of one file: which there are, which are obsolete, and the edges between them.

    Edges wait for the last term, since one may name a term that comes later and proves to be obsolete.
    """

    def __init__(self, kind: str, key_prefix: str) -> None:
        self._kind, self._key_prefix = kind, key_prefix
        self._places: dict[str, str] = {}
        self._obsolete: set[str] = set()
        self._edges: list[tuple[str, str, str, str]] = []
        self._unmapped: Counter[str] = Counter()

    def close(self, term: _Term | None) -> Iterator[ConceptRecord | RejectedRecord]:
        """Yield the concept of a stanza that has ended, or why it is none; nothing where it is no term."""
        if term is None:
            return
        if term.obsolete:
            self._obsolete.add(term.key)
            return
        try:
            self._check(term)
        except RecordRejectedError as rejected:
            yield rejected.at(term.place)
            return
        self._places[term.key] = term.place
        for relationship, target, place in term.edges:
            relation = SUBTYPE if relationship == "is_a" else RELATIONSHIPS.get(relationship)
            if relation is None:
                self._unmapped[relationship] += 1
            else:
                self._edges.append((term.key, relation, target, place))
        yield ConceptRecord(
            key=term.key,
            label=term.name,
            synonyms=tuple(dict.fromkeys(name for name in term.synonyms if name != term.name)),
            cross_references=tuple(dict.fromkeys(term.references)),
            definition=term.definition,
            kind=self._kind,
            record=f"{self._key_prefix}{term.place}",
        )

    def _check(self, term: _Term) -> None:
        if not term.key:
            raise RecordRejectedError("the term has no id", "give it a line id: with its identifier")
        if not term.name:
            raise RecordRejectedError(
                f"the term {term.key} has no name", "give it a line name: with its name"
            )
        if term.key in self._places:
            raise RecordRejectedError(
                f"{term.key} is the id of the term at {self._places[term.key]} too",
                "give each term an id of its own, or make one of the two",
            )

    def edges(self) -> Iterator[Triple | RejectedRecord]:
        """Yield the triples of every term's edges, and rejections of the others."""
        for head, relation, tail, place in self._edges:
            if tail in self._obsolete and tail not in self._places:
                yield RejectedRecord(place, f"{tail} is obsolete", "name the term that has taken its place")
            else:
                yield keyed_triple(head, relation, tail, f"{self._key_prefix}{place}")
        yield from unmapped(self._unmapped, "relationship")


def _quoted(value: str) -> tuple[str, str]:
    """The text in quotes that a value begins with, its escapes still in it, and what follows."""
    match = _QUOTED.match(value)
    if match is None:
        wrong = "a quote that does not end" if value.startswith('"') else "no text in quotes"
        raise RecordRejectedError(f"{wrong}: {value!a:.60}", "put the text in double quotes, on one line")
    return match[1], match[2]


def _word(value: str, name: str) -> str:
    match = _WORD.match(value)
    if match is None:
        raise RecordRejectedError(f"{name} is missing", f"write {name} after the colon")
    return match[0]


def _reference(text: str) -> str:
    reference = canonical(_unescaped(text))
    if not reference or reference.endswith(":"):
        raise RecordRejectedError(f"no identifier in the reference {text!a:.60}", "write it as REGISTRY:id")
    return reference


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda match: _ESCAPED.get(match[1], match[1]), text)
