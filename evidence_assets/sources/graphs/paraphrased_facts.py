"""Triples from the YAML files of facts that a masked language model is trained on."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.sources.articles.paraphrased_facts import read_facts, read_pair
from evidence_assets.sources.graphs.common import stated_at
from evidence_assets.sources.reading import file_reader
from evidence_assets.sources.records import RejectedRecord, Triple
from evidence_assets.sources.validation import RecordRejectedError


@file_reader
def read(uri: str, key_prefix: str) -> Iterator[Triple | RejectedRecord]:
    """One triple per pair, whatever its templates. A pair that is not two texts is rejected.

    Raises:
        UnusableSourceError: a file is not YAML, or lacks a field.
    """
    relation, _, pairs = read_facts(uri)
    for number, value in enumerate(pairs, start=1):
        place = f"{key_prefix}pair {number}"
        try:
            head, tail = read_pair(value)
        except RecordRejectedError as rejected:
            yield rejected.at(place)
            continue
        yield Triple(head, relation, tail, None, stated_at(place))
