"""The table of what language models were asked and what they replied."""

from __future__ import annotations

import pyarrow as pa

from evidence_assets.lake.schemas.declaration import (
    TEXT,
    Table,
    columns,
    optional,
    required,
)

GENERATIONS = Table(
    "generations",
    "Every request that a language model was sent, with how it ended: equal requests are answered from here.",
    columns(
        required("request_hash", TEXT, "hash of generator, messages and parameters"),
        required("generator", TEXT, "engine, model and revision"),
        required("segment", TEXT, "which requests were asked together: names the file"),
        required("model", TEXT),
        required("revision", TEXT, "empty where a server does not state it"),
        required("task", TEXT, "the prompt's name"),
        required("prompt_hash", TEXT, "hash of the prompt's wording"),
        required("system", TEXT, "the instructions as they were sent"),
        required("user", TEXT, "what they were applied to: question, candidates, evidence"),
        required("parameters", TEXT, "sampling and schema, as JSON"),
        required("outcome", TEXT, "answered, or how the request failed"),
        required("text", TEXT),
        optional("prompt_tokens", pa.int64()),
        optional("completion_tokens", pa.int64()),
        optional("cached_tokens", pa.int64(), "of the prompt, found in a prefix cache"),
        optional("log_probability", pa.float64(), "mean over the reply's tokens, in nats"),
        required("attempts", pa.int32(), "0: not sent, the server having failed too often"),
        required("seconds", pa.float64()),
        required("error", TEXT),
    ),
    key=("request_hash",),
    partition_columns=("generator", "segment"),
)
