"""Nodes and edges of STaRK's semi-structured knowledge bases (Amazon, MAG, PrimeKG), in its own numbers."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evidence_assets.sources.files import NamedFile, named_files, read_whole
from evidence_assets.sources.graphs.common import WHOLE_NUMBER, GraphRecords, keyed_triple
from evidence_assets.sources.reading import Folder, Row, folder_reader, in_file, records_of, unreadable
from evidence_assets.sources.records import ConceptRecord, RejectedRecord, Triple, UnusableSourceError
from evidence_assets.sources.validation import RecordRejectedError, optional_text, required_mapping

if TYPE_CHECKING:
    from evidence_assets.sources.reading import Entry

NODE_INFO = ("node_info.jsonl", "node_info.json")
NODE = "node"
EDGE_INDEX, EDGE_TYPES, NODE_TYPES = "edge_index.pt", "edge_types.pt", "node_types.pt"
EDGE_TYPE_NAMES, NODE_TYPE_NAMES = "edge_type_dict.json", "node_type_dict.json"
# Where a node keeps its name, the surest first: papers have titles, MAG's other nodes a display name.
NAMES = ("name", "title", "DisplayName", "brand_name", "category_name", "color_name")
SYNONYMS = ("alias", "aliases", "synonyms")
# Where a node keeps its prose, the most telling first: the other fields of text follow, named.
DOCUMENTS = ("abstract", "description", "summary", "mondo_definition", "definition", "feature")
# What is no text to search: names, which the concept has, and what identifies a record elsewhere.
_APART = frozenset({*NAMES, *SYNONYMS, *DOCUMENTS, NODE, "type", "source", "details", "asin", "url", "image"})
_IDENTIFIES = ("id", "_id", "ids", "url", "Id")
# A node type that identifies one of the knowledge bases.
OF_KIND = {"product": "AMAZON", "paper": "MAG", "disease": "PRIME"}
# How MAG writes a relation with the kinds of its ends.
_ENDS_APART = "___"
# Half of a billion numbers: the edges of the largest of the three take a seventh of that.
LARGEST_TENSOR = 1 << 32
_ABSENT = frozenset({"", "-1", "nan", "None"})
Numbers = np.ndarray[Any, np.dtype[np.int64]]


class Node(NamedTuple):
    """One node with its attributes."""

    number: int
    name: str
    label: str
    info: Mapping[str, object]
    place: str


@folder_reader
def read(folder: Folder) -> GraphRecords:
    """One concept a node, its document as the definition, then one triple an edge.

    The folder holds `edge_index.pt`, `edge_types.pt` and `node_types.pt` as STaRK stores them, and three
    files exported from its pickles, which are never loaded here: `node_info.jsonl` (an object a line, its
    number under `node`) or `node_info.json` (by number), `node_type_dict.json` and `edge_type_dict.json`
    (name by number). Tensors are read with `weights_only`. Of nodes that share a name the first keeps it,
    the others have their key behind it, and the name as a synonym. A relation whose every edge stands in
    both directions is stated once, in the direction that comes first.

    Raises:
        UnusableSourceError: a file cannot be read, tensors do not fit each other.
    """
    kinds = _type_names(folder.file(NODE_TYPE_NAMES))
    prefix = _prefix(kinds.values())
    node_types = _tensor(folder.file(NODE_TYPES)).reshape(-1)
    info = folder.file(*NODE_INFO)

    def concept(node: Node) -> Iterator[ConceptRecord]:
        if node.number >= len(node_types):
            reason = f"node {node.number}, where {NODE_TYPES} ends at {len(node_types) - 1}"
            raise RecordRejectedError(reason, "export both from the same version")
        kind = kinds.get(int(node_types[node.number]), "")
        described = _concept(node, _key(prefix, node.number), kind, info.name)
        optional_text(" ".join([*described.synonyms, described.definition]), f"node {node.number}")
        yield described

    yield from in_file(info, records_of(_nodes(info, prefix), concept))
    yield from _triples(folder, prefix)


@lru_cache(maxsize=4)
def node_labels(uri: str) -> Mapping[int, str]:
    """The label of every node of a folder, as `read` tells nodes of one name apart.

    Raises:
        UnusableSourceError: as `read`.
    """
    folder = Folder(uri, named_files(uri))
    nodes = _nodes(folder.file(*NODE_INFO), _folder_prefix(folder))
    return {node.number: node.label for node in nodes if isinstance(node, Node)}


def node_keys(uri: str) -> Mapping[int, str]:
    """The identifier of every node of a folder, as `read` gives it to concepts.

    Raises:
        UnusableSourceError: as `read`.
    """
    prefix = _folder_prefix(Folder(uri, named_files(uri)))
    return {number: _key(prefix, number) for number in node_labels(uri)}


def _folder_prefix(folder: Folder) -> str:
    return _prefix(_type_names(folder.file(NODE_TYPE_NAMES)).values())


def _key(prefix: str, number: int) -> str:
    return f"{prefix}:{number}"


def _concept(node: Node, key: str, kind: str, file: str) -> ConceptRecord:
    names = dict.fromkeys([node.name, *_texts(node.info, SYNONYMS)])
    names.pop(node.label, None)
    return ConceptRecord(
        key=key,
        label=node.label,
        synonyms=tuple(names),
        definition=" ".join([*_texts(node.info, DOCUMENTS), *_other_texts(node.info)]),
        kind=kind.replace("_", " "),
        record=f"{file}:{node.place}",
    )


def _nodes(file: NamedFile, prefix: str) -> Iterator[Node | RejectedRecord]:
    places: dict[int, str] = {}
    used_labels: set[str] = set()

    def node(entry: Entry) -> Iterator[Node]:
        number, name = _number_and_name(entry)
        if number in places:
            reason = f"node {number} was described before, at {places[number]}"
            raise RecordRejectedError(reason, "export each node once")
        places[number] = entry.place
        label = f"{name} ({_key(prefix, number)})" if name in used_labels else name
        used_labels.add(label)
        yield Node(number, name, label, entry.fields, entry.place)

    return records_of(_entries(file), node)


def _entries(file: NamedFile) -> Iterator[Entry | RejectedRecord]:
    from evidence_assets.sources.json_entries import json_lines, json_members

    if ".jsonl" in file.name:
        yield from json_lines(file.uri, needed=(NODE,))
        return
    for number, (node, info) in enumerate(json_members(file.uri, ""), start=1):
        try:
            yield Row(number, f"node {node}", {**required_mapping(info, "the node"), NODE: node})
        except RecordRejectedError as rejected:
            yield rejected.at(f"node {node}")


def _number_and_name(entry: Entry) -> tuple[int, str]:
    stated = entry.fields.get(NODE)
    text = stated if isinstance(stated, str) else f"{stated!a:.60}"
    if not WHOLE_NUMBER.fullmatch(text):
        raise RecordRejectedError(f"{NODE} is {stated!a:.60}, no number", "export the node's number with it")
    name = next(iter(_texts(entry.fields, NAMES)), "")
    if not name:
        raise RecordRejectedError(
            f"node {text} has none of {', '.join(NAMES)}", "nothing to mend where the source has no name"
        )
    return int(text), optional_text(name, "its name")


def _texts(info: Mapping[str, object], names: Sequence[str]) -> list[str]:
    """The texts under names, in the node itself or in its details."""
    details, texts = info.get("details"), []
    for name in names:
        value = info.get(name)
        if value is None and isinstance(details, dict):
            value = details.get(name)
        values = value if isinstance(value, list) else [value]
        texts += [" ".join(item.split()) for item in values if isinstance(item, str)]
    return [text for text in texts if text not in _ABSENT]


def _other_texts(info: Mapping[str, object]) -> Iterator[str]:
    """The text of a node's other fields, and of its details': reviews, answers, each behind its name."""
    details = info.get("details")
    fields = [*info.items(), *(details.items() if isinstance(details, dict) else ())]
    for name, value in fields:
        if name not in _APART and not name.endswith(_IDENTIFIES):
            texts = list(dict.fromkeys(_prose(value)))
            if texts:
                yield f"{name.strip('_').replace('_', ' ')}: {' '.join(texts)}"


def _prose(value: object) -> Iterator[str]:
    """The texts in a value, however deep: of numbers and codes, which hold no letter, none."""
    if isinstance(value, str):
        text = " ".join(value.split())
        if text not in _ABSENT and any(map(str.isalpha, text)):
            yield text
    elif isinstance(value, list | dict):
        for part in value if isinstance(value, list) else value.values():
            yield from _prose(part)


def _triples(folder: Folder, prefix: str) -> Iterator[Triple | RejectedRecord]:
    index_file = folder.file(EDGE_INDEX)
    index = _tensor(index_file)
    types = _tensor(folder.file(EDGE_TYPES)).reshape(-1)
    if index.ndim != 2 or index.shape != (2, len(types)):
        raise UnusableSourceError(
            folder.uri,
            "before the first edge",
            f"{EDGE_INDEX} has the shape {index.shape}, {EDGE_TYPES} has {len(types)}",
            "fetch both files again: an edge is a column of the first and an element of the second",
        )
    names = _type_names(folder.file(EDGE_TYPE_NAMES))
    unknown: Counter[int] = Counter()
    for kind in np.unique(types).tolist():
        edges = np.flatnonzero(types == kind)
        if kind not in names:
            unknown[kind] = len(edges)
            continue
        relation = _relation(names[kind])
        for edge in edges[stated_once(index[:, edges])].tolist():
            head, tail = index[:, edge].tolist()
            record = f"{index_file.name}:edge {edge}"
            yield keyed_triple(_key(prefix, head), relation, _key(prefix, tail), record)
    for kind, count in sorted(unknown.items()):
        reason = f"{count:,} edges of a relation without a name"
        yield RejectedRecord(f"edge type {kind}", reason, f"export the name to {EDGE_TYPE_NAMES}")


def stated_once(edges: Numbers) -> Numbers:
    """Return the places of the edges to keep, of (2, n) ends of one relation, ascending.

    All of them, unless every edge stands in the other direction too: then of each two the first.
    """
    width = int(edges.max(initial=0)) + 1
    forth = edges[0] * width + edges[1]
    back = edges[1] * width + edges[0]
    if not np.isin(back, forth).all():
        return np.arange(edges.shape[1])
    _, first = np.unique(np.minimum(forth, back), return_index=True)
    return np.sort(first)


def _relation(name: str) -> str:
    parts = name.split(_ENDS_APART)
    return "_".join((parts[1] if len(parts) == 3 else name).split())


def _prefix(kinds: Any) -> str:
    return "STARK_" + next((name for kind, name in OF_KIND.items() if kind in kinds), "SKB")


def _type_names(file: NamedFile) -> dict[int, str]:
    from evidence_assets.sources.json_entries import json_members

    names_by_type = {}
    for number, name in json_members(file.uri, ""):
        if not WHOLE_NUMBER.fullmatch(number) or not isinstance(name, str) or not name.strip():
            raise UnusableSourceError(
                file.uri, f"member {number!a:.60}", "no name by number", "export the dictionary as it is"
            )
        names_by_type[int(number)] = name.strip()
    return names_by_type


def _tensor(file: NamedFile) -> Numbers:
    import torch

    content = read_whole(file.uri, LARGEST_TENSOR)
    try:
        # Only tensors: whatever else a file of this kind may hold, it would run on loading.
        loaded = torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
        if loaded.numel() * loaded.element_size() > len(content):
            raise ValueError("it repeats the numbers that are stored")
        with np.errstate(invalid="ignore"):
            numbers: Numbers = loaded.numpy().astype(np.int64)
        if not np.array_equal(numbers, loaded.numpy()):
            raise ValueError("it holds other than whole numbers")
    # A damaged archive fails with whatever the parser meets first.
    except Exception as error:
        reason = f"no tensor that can be read safely ({' '.join(str(error).split())[:200]})"
        raise unreadable(file.uri, reason, "save it with torch.save as a plain tensor of numbers") from error
    return numbers
