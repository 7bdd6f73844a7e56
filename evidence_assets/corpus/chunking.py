"""Chunking of articles: whole sentences packed up to the encoder's limit, with exact character offsets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from evidence_assets.lake.ids import content_id, text_hash
from evidence_assets.lake.schemas import CHUNKS
from evidence_assets.text.sentences import sentence_spans

# Longer runs without white space (base64, broken markup, scripts without spaces) are not cached.
_LONGEST_WORD = 64
# Characters that are white space to only one of Python and tokenizers.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u2028\u2029\ufeff]")
_WORD = re.compile(r"\S+")
_SPACE = re.compile(r"\s")
_PROBES = (
    "Aspirin (1897) isn't new.",
    "naïve café, 3.5 mg/kg",
    "Über-große Wörter: x=y_z",
    "two  spaces\nand\n\nlines\tand tabs",
)
_MEMORY_WORDS = 1 << 20

CountTokens = Callable[[Sequence[str]], list[int]]


class TokenCounter:
    """Counts tokens by caching each word's count: words repeat, so most counts are dictionary look-ups.

    That is exact where the tokenizer splits at white space and drops it, which is checked on probes when the
    counter is made (`is_additive`). Otherwise, and for irregular texts, the tokenizer itself counts.
    """

    def __init__(self, count_tokens: CountTokens) -> None:
        self._count_tokens = count_tokens
        self.special_tokens = count_tokens([""])[0]
        self._counts: dict[str, int] = {}
        self.is_additive = all(
            sum(count_tokens(probe.split())) - self.special_tokens * (len(probe.split()) - 1) == whole
            for probe, whole in zip(_PROBES, count_tokens(_PROBES), strict=True)
        )

    def is_regular(self, text: str) -> bool:
        """Tell whether the text's tokens are the sum of its words', if no word is too long to cache."""
        return self.is_additive and _CONTROL.search(text) is None

    def learn(self, texts: Iterable[str]) -> None:
        """Tokenise, in one call, the uncached words of these texts."""
        if not self.is_additive:
            return
        if len(self._counts) > _MEMORY_WORDS:
            self._counts.clear()
        uncached = set().union(*(text.split() for text in texts)) - self._counts.keys()
        unknown = sorted(word for word in uncached if len(word) <= _LONGEST_WORD)
        counts = self._count_tokens(unknown)
        self._counts.update(
            (word, count - self.special_tokens) for word, count in zip(unknown, counts, strict=True)
        )

    def add_up(self, text: str) -> int | None:
        """Return the tokens of a regular text without special tokens; None where a word is too long."""
        counts = self._counts
        try:
            return sum([counts[word] for word in text.split()])
        except KeyError:
            self.learn([text])
        try:
            return sum([counts[word] for word in text.split()])
        except KeyError:
            return None

    def tokenise(self, texts: Sequence[str]) -> list[int]:
        """Return the tokens of any texts without special tokens, by tokenising them."""
        return [count - self.special_tokens for count in self._count_tokens(texts)]


@dataclass(slots=True)
class ChunkSpan:
    """A chunk of one article: its span, its tokens (special ones counted), its sentences' ends."""

    start: int
    end: int
    n_tokens: int
    sentence_ends: list[int] = field(default_factory=list)


def chunk_spans(text: str, counter: TokenCounter, max_tokens: int) -> Iterator[ChunkSpan]:
    """Pack whole sentences into chunks of at most `max_tokens` tokens, special tokens counted.

    A longer sentence is cut between words, a longer word between characters.
    `n_tokens` is exact. `sentence_ends` are relative to the chunk's start.

    Raises:
        ValueError: `max_tokens` leaves no room beside the special tokens.
    """
    room = max_tokens - counter.special_tokens
    if room < 1:
        raise ValueError(
            f"max_tokens {max_tokens} leaves no room beside {counter.special_tokens} special tokens; remedy: "
            "allow more tokens a chunk (the encoder's chunk_tokens), or an encoder that takes longer texts"
        )
    sentences = list(sentence_spans(text))
    if counter.is_regular(text):
        added = [counter.add_up(text[start:end]) for start, end in sentences]
        if None not in added:
            sums = [count for count in added if count is not None]
            yield from _pack(_bounded(text, sentences, sums, counter, room), counter, max_tokens)
            return
    counts = counter.tokenise([text[start:end] for start, end in sentences])
    counted = ((start, end, count) for (start, end), count in zip(sentences, counts, strict=True))
    for span in _pack(counted, counter, max_tokens):
        yield from _fit(text, span, counter, room)


def _pack(
    sentences: Iterable[tuple[int, int, int]], counter: TokenCounter, max_tokens: int
) -> Iterator[ChunkSpan]:
    chunk: ChunkSpan | None = None
    for start, end, tokens in sentences:
        if chunk is not None and chunk.n_tokens + tokens > max_tokens:
            yield chunk
            chunk = None
        if chunk is None:
            chunk = ChunkSpan(start, end, counter.special_tokens)
        chunk.end = end
        chunk.n_tokens += tokens
        chunk.sentence_ends.append(end - chunk.start)
    if chunk is not None:
        yield chunk


def _bounded(
    text: str, sentences: Sequence[tuple[int, int]], counts: Sequence[int], counter: TokenCounter, room: int
) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, tokens) of a regular text's sentences, those beyond `room` cut."""
    for (start, end), tokens in zip(sentences, counts, strict=True):
        if tokens <= room:
            yield start, end, tokens
        else:
            yield from _cut(text, start, end, counter, room)


def _cut(text: str, start: int, end: int, counter: TokenCounter, room: int) -> Iterator[tuple[int, int, int]]:
    piece_start = piece_end = -1
    tokens = 0
    for word in _WORD.finditer(text, start, end):
        added = counter.add_up(word[0]) or 0
        if piece_start >= 0 and tokens + added > room:
            yield piece_start, piece_end, tokens
            piece_start, tokens = -1, 0
        if added > room:
            long_word = ChunkSpan(word.start(), word.end(), 0, [word.end() - word.start()])
            for part in _fit(text, long_word, counter, room):
                yield part.start, part.end, part.n_tokens - counter.special_tokens
            continue
        if piece_start < 0:
            piece_start = word.start()
        piece_end = word.end()
        tokens += added
    if piece_start >= 0:
        yield piece_start, piece_end, tokens


def _fit(text: str, span: ChunkSpan, counter: TokenCounter, room: int) -> Iterator[ChunkSpan]:
    """Yield the span with its exact count, halved until it fits: at a sentence's end, a space, anywhere."""
    tokens = counter.tokenise([text[span.start : span.end]])[0]
    too_long = tokens > room or span.end - span.start > room * _LONGEST_WORD
    if not too_long or span.end - span.start == 1:
        yield ChunkSpan(span.start, span.end, tokens + counter.special_tokens, span.sentence_ends)
        return
    for half in _halves(text, span):
        yield from _fit(text, half, counter, room)


def _halves(text: str, span: ChunkSpan) -> Iterator[ChunkSpan]:
    middle = (span.start + span.end) // 2
    places = [span.start + end for end in span.sentence_ends if span.start + end < span.end]
    if not places:
        places = [match.start() for match in _SPACE.finditer(text, span.start + 1, span.end - 1)]
    cut = min(places or [middle], key=lambda place: abs(place - middle))
    for start, end in ((span.start, cut), (cut, span.end)):
        # A span begins and ends with a word, so neither half is white space alone.
        half = text[start:end]
        first = start + len(half) - len(half.lstrip())
        last = end - (len(half) - len(half.rstrip()))
        stops = (span.start + stop for stop in span.sentence_ends)
        inner = [stop - first for stop in stops if first < stop < last]
        yield ChunkSpan(first, last, 0, [*inner, last - first])


def chunk_rows(
    articles: Iterable[pa.RecordBatch], counter: TokenCounter, max_tokens: int
) -> Iterator[pa.Table]:
    """Turn batches of `articles` rows into batches of `chunks` rows."""
    for batch in articles:
        columns = (batch.column(name).to_pylist() for name in ("article_id", "corpus", "shard", "text"))
        counter.learn(batch.column("text").to_pylist())
        rows: list[dict[str, object]] = []
        for article_id, corpus, shard, text in zip(*columns, strict=True):
            for span in chunk_spans(text, counter, max_tokens):
                piece = text[span.start : span.end]
                rows.append(
                    {
                        "chunk_id": content_id("chunk", article_id, span.start, span.end, piece),
                        "article_id": article_id,
                        "corpus": corpus,
                        "shard": shard,
                        "char_start": span.start,
                        "char_end": span.end,
                        "text": piece,
                        "text_hash": text_hash(piece),
                        "n_tokens": span.n_tokens,
                        "sentence_ends": span.sentence_ends,
                    }
                )
        yield pa.Table.from_pylist(rows, schema=CHUNKS.schema)
