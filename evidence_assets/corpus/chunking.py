"""Articles to chunks: whole sentences packed up to the encoder's limit, with exact character offsets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from evidence_assets.corpus.sentences import sentence_spans
from evidence_assets.lake.ids import content_id, text_hash
from evidence_assets.lake.schemas import CHUNKS

# No word of a language is longer; what is (base64, unbroken markup) is cut, so that a chunk stays bounded
# even where a tokenizer calls the whole run one unknown token.
_LONGEST_WORD = 64
_WORD = re.compile(rf"\S{{1,{_LONGEST_WORD}}}")
# Characters that tokenizers drop while Python calls them white space, or the other way round.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u2028\u2029\ufeff]")
_PROBES = ("Aspirin (1897) isn't new.", "naïve café, 3.5 mg/kg", "Über-große Wörter: x=y_z")
_MEMORY_WORDS = 1 << 20

CountTokens = Callable[[Sequence[str]], list[int]]
Count = Callable[[str], int]


class TokenCounter:
    """Counts tokens by remembering each word's count: words repeat, so counting costs a dictionary look-up.

    Exact where the tokenizer splits at white space (BERT's, SentencePiece's, byte-level BPE's), which is
    checked on probes when it is made; for any other tokenizer every text is tokenised.
    """

    def __init__(self, count_tokens: CountTokens) -> None:
        self._count_tokens = count_tokens
        self.special_tokens = count_tokens([""])[0]
        self._counts: dict[str, int] = {}
        self._lead = self._find_lead()

    def _find_lead(self) -> str | None:
        """Return what must precede a lone word for it to count as within a text; None if nothing helps."""
        whole = [count - self.special_tokens for count in self._count_tokens(_PROBES)]
        for lead in ("", " "):
            parts = [
                sum(self._count_tokens([lead + word for word in probe.split()]))
                - self.special_tokens * len(probe.split())
                for probe in _PROBES
            ]
            if parts == whole:
                return lead
        return None

    def learn(self, texts: Iterable[str]) -> None:
        """Tokenise, in one call, the words of these texts that were not met before."""
        if self._lead is None:
            return
        if len(self._counts) > _MEMORY_WORDS:
            self._counts.clear()
        unknown = sorted(set().union(*(text.split() for text in texts)) - self._counts.keys())
        counts = self._count_tokens([self._lead + word for word in unknown])
        self._counts.update(
            (word, count - self.special_tokens) for word, count in zip(unknown, counts, strict=True)
        )

    def count(self, text: str) -> int:
        """Return the tokens of a text without special tokens."""
        if self._lead is None:
            return self.count_exactly(text)
        counts = self._counts
        try:
            return sum([counts[word] for word in text.split()])
        except KeyError:
            self.learn([text])
            return sum([self._counts[word] for word in text.split()])

    def count_exactly(self, text: str) -> int:
        """Return the tokens of a text, tokenising it."""
        return self._count_tokens([text])[0] - self.special_tokens


@dataclass(slots=True)
class ChunkSpan:
    """A chunk of one article: its span, its tokens (special ones counted), its sentences' ends."""

    start: int
    end: int
    n_tokens: int
    sentence_ends: list[int] = field(default_factory=list)


def chunk_spans(text: str, counter: TokenCounter, max_tokens: int) -> Iterator[ChunkSpan]:
    """Pack whole sentences into chunks of at most `max_tokens` tokens, special tokens counted.

    A sentence that is longer alone is cut between words. `sentence_ends` are relative to the chunk's start.

    Raises:
        ValueError: `max_tokens` leaves no room beside the special tokens.
    """
    room = max_tokens - counter.special_tokens
    if room < 1:
        raise ValueError(
            f"max_tokens {max_tokens} leaves no room beside {counter.special_tokens} special tokens"
        )
    longest = room * _LONGEST_WORD
    count = counter.count if _CONTROL.search(text) is None else counter.count_exactly
    chunk: ChunkSpan | None = None
    for start, end, tokens in _bounded_sentences(text, count, room, longest):
        if chunk is not None and (chunk.n_tokens + tokens > max_tokens or end - chunk.start > longest):
            yield chunk
            chunk = None
        if chunk is None:
            chunk = ChunkSpan(start, end, counter.special_tokens)
        chunk.end = end
        chunk.n_tokens += tokens
        chunk.sentence_ends.append(end - chunk.start)
    if chunk is not None:
        yield chunk


def _bounded_sentences(text: str, count: Count, room: int, longest: int) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, tokens) of sentences, those beyond `room` tokens cut between words."""
    for start, end in sentence_spans(text):
        tokens = count(text[start:end])
        if tokens <= room and end - start <= longest:
            yield start, end, tokens
        else:
            yield from _cut(text, start, end, count, room)


def _cut(text: str, start: int, end: int, count: Count, room: int) -> Iterator[tuple[int, int, int]]:
    piece_start = piece_end = -1
    tokens = 0
    for word in _WORD.finditer(text, start, end):
        added = count(word[0])
        if piece_start >= 0 and tokens + added > room:
            yield piece_start, piece_end, tokens
            piece_start, tokens = -1, 0
        if piece_start < 0:
            piece_start = word.start()
        piece_end = word.end()
        tokens += added
    if piece_start >= 0:
        yield piece_start, piece_end, tokens


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
