"""Articles to chunks: exact offsets, exact token counts, never beyond the limit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

import evidence_assets
from evidence_assets.corpus.chunking import ChunkSpan, CountTokens, TokenCounter, chunk_rows, chunk_spans
from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.ids import text_hash
from evidence_assets.lake.schemas import ARTICLES, CHUNKS
from evidence_assets.models.encoder import SentenceTransformerEncoder, packaged_minilm
from evidence_assets.models.encoder_loading import load_encoder
from evidence_assets.text.sentences import sentence_spans
from evidence_assets_tests.testing.profiles import examples

pytestmark = pytest.mark.xdist_group("minilm")


@pytest.fixture(scope="module")
def encoder() -> SentenceTransformerEncoder:
    return load_encoder("all-MiniLM-L6-v2", packaged_minilm(), None, None)


@pytest.fixture(scope="module")
def counter(encoder: SentenceTransformerEncoder) -> TokenCounter:
    return TokenCounter(encoder.count_tokens)


def check_shape(text: str, chunks: Sequence[ChunkSpan]) -> None:
    """Spans in order, trimmed, every character but space covered; sentences tile their chunk."""
    covered = [False] * len(text)
    previous = 0
    for chunk in chunks:
        piece = text[chunk.start : chunk.end]
        assert previous <= chunk.start < chunk.end
        assert piece == piece.strip()
        covered[chunk.start : chunk.end] = [True] * len(piece)
        ends = chunk.sentence_ends
        assert ends == sorted(set(ends))
        assert ends[0] > 0
        assert ends[-1] == len(piece)
        for start, end in zip([0, *ends], ends, strict=False):
            assert piece[start:end].strip()
            assert not piece[end - 1].isspace()
        previous = chunk.end
    assert all(seen or text[place].isspace() for place, seen in enumerate(covered))


def check_tokens(text: str, chunks: Sequence[ChunkSpan], count: CountTokens, limit: int) -> None:
    real = count([text[chunk.start : chunk.end] for chunk in chunks])
    assert [chunk.n_tokens for chunk in chunks] == real
    assert all(tokens <= limit for tokens in real)


_LETTERS = "abcdefghijklmnopqrstuvwxyzABCZéßø0123456789"
_WORDS = st.one_of(
    st.text(alphabet=_LETTERS, min_size=1, max_size=12),
    st.sampled_from(
        ["Dr.", "e.g.", "it's", "(see", '"so"', "x=y_z", "3.5", "U.S.", "naïve", "electroencephalogram"]
    ),
    st.text(alphabet="日本語東京「」、", min_size=1, max_size=10),
    st.text(alphabet="😀👩‍🔬🇩🇪\ufe0f", min_size=1, max_size=6),
    st.text(alphabet="ab\u200b\u00ad\u0301\ufeff\x00\x7f\ufffd", min_size=1, max_size=6),
    st.text(alphabet="हिन्दीภาษาไทย한국어عربي", min_size=1, max_size=10),
)
_SEPARATORS = st.sampled_from([" ", " ", " ", "  ", ". ", "? ", "\n", ".\n", "。", "\u3000", "\u00a0", "\t"])
_ARTICLES = st.lists(st.tuples(_WORDS, _SEPARATORS), max_size=150).map(
    lambda pairs: "".join(word + separator for word, separator in pairs)
)


@examples(120)
@given(text=_ARTICLES, limit=st.sampled_from([40, 64, 128, 256]))
def test_chunks_of_any_text(
    text: str, limit: int, counter: TokenCounter, encoder: SentenceTransformerEncoder
) -> None:
    chunks = list(chunk_spans(text, counter, limit))
    check_shape(text, chunks)
    check_tokens(text, chunks, encoder.count_tokens, limit)


@examples(150)
@given(text=st.text(max_size=200), limit=st.integers(3, 40))
def test_the_shape_holds_for_any_code_points_and_small_limits(
    text: str, limit: int, counter: TokenCounter
) -> None:
    check_shape(text, list(chunk_spans(text, counter, limit)))


def test_sentences_are_packed_whole_and_as_many_as_fit(counter: TokenCounter) -> None:
    text = "One two three. Four five six. Seven eight nine. Ten."
    (first, second) = chunk_spans(text, counter, 12)
    assert text[first.start : first.end] == "One two three. Four five six."
    assert first.sentence_ends == [14, 29]
    assert first.n_tokens == 10
    assert text[second.start : second.end] == "Seven eight nine. Ten."
    assert second.sentence_ends == [17, 22]


@examples(60)
@given(lengths=st.lists(st.integers(1, 30), min_size=1, max_size=30))
def test_no_chunk_could_have_taken_the_next_sentence(lengths: list[int], counter: TokenCounter) -> None:
    text = " ".join(" ".join(["Word"] * length) + "." for length in lengths)
    limit = 40
    chunks = list(chunk_spans(text, counter, limit))
    ends = [chunk.start + end for chunk in chunks for end in chunk.sentence_ends]
    assert ends == [end for _, end in sentence_spans(text)]
    sizes = iter(length + 1 for length in lengths)
    per_chunk = [[next(sizes) for _ in chunk.sentence_ends] for chunk in chunks]
    for chunk, sentence_tokens, following in zip(chunks, per_chunk, [*per_chunk[1:], [limit]], strict=True):
        assert chunk.n_tokens == 2 + sum(sentence_tokens) <= limit
        assert chunk.n_tokens + following[0] > limit


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_a_limit_without_room_is_refused(limit: int, counter: TokenCounter) -> None:
    with pytest.raises(
        ValueError, match=f"max_tokens {limit} leaves no room beside 2 special tokens; remedy"
    ):
        list(chunk_spans("Some text.", counter, limit))


def test_a_long_word_is_cut_into_bounded_chunks(counter: TokenCounter) -> None:
    text = "Before " + "x" * 10_000 + " after. " + "😀" * 10_000
    chunks = list(chunk_spans(text, counter, 64))
    check_shape(text, chunks)
    assert max(chunk.end - chunk.start for chunk in chunks) <= 62 * 64 + 64


# "of at most max_tokens tokens" must hold whatever the words: beyond it the encoder drops text unseen.
@pytest.mark.parametrize(
    "text",
    [
        "Antidisestablishmentarianism and electroencephalography.",
        "日本語" * 40,
        "http://example.org/a-b_c?d=e&f=g;h",
    ],
    ids=["words", "cjk", "address"],
)
def test_no_chunk_exceeds_a_small_limit(
    text: str, counter: TokenCounter, encoder: SentenceTransformerEncoder
) -> None:
    for limit in (40, 32, 16, 8, 5, 3):
        chunks = list(chunk_spans(text, counter, limit))
        real = encoder.count_tokens([text[chunk.start : chunk.end] for chunk in chunks])
        assert max(real) <= limit


@pytest.mark.parametrize(
    "text",
    [
        "word " * 200 + "b" * 10_000 + " word" * 200,
        "see " * 250 + "http://example.com/" + "abcdefgh/" * 20 + " see" * 50,
        "😀" * 20_000,
    ],
    ids=["10,000 letters", "address", "emoji"],
)
def test_n_tokens_is_the_tokenizers_count_where_a_word_was_cut(
    text: str, counter: TokenCounter, encoder: SentenceTransformerEncoder
) -> None:
    chunks = list(chunk_spans(text, counter, 256))
    check_shape(text, chunks)
    check_tokens(text, chunks, encoder.count_tokens, 256)


@pytest.mark.parametrize("control", ["\x1c", "\x85", "\x0c"])
def test_control_characters_that_python_calls_space(
    control: str, counter: TokenCounter, encoder: SentenceTransformerEncoder
) -> None:
    text = f"water{control}knight and " * 150
    chunks = list(chunk_spans(text, counter, 256))
    check_shape(text, chunks)
    check_tokens(text, chunks, encoder.count_tokens, 256)


def test_rows_conform_and_their_ids_are_stable(counter: TokenCounter) -> None:
    texts = ["First sentence. Second one.\nThird.", "", "Another text.", "Another text."]
    articles = pa.table(
        {"article_id": ["a", "b", "c", "d"], "corpus": ["k"] * 4, "shard": ["s"] * 4, "text": texts},
        schema=pa.schema([ARTICLES.schema.field(name) for name in ("article_id", "corpus", "shard", "text")]),
    )
    table = pa.concat_tables(chunk_rows(articles.to_batches(), counter, 9))
    single = pa.concat_tables(chunk_rows(articles.to_batches(max_chunksize=1), counter, 9))
    assert conform(table, CHUNKS).equals(conform(single, CHUNKS))
    rows = table.to_pylist()
    by_article = dict(zip("abcd", texts, strict=True))
    for row in rows:
        assert row["text"] == by_article[row["article_id"]][row["char_start"] : row["char_end"]]
        assert row["text_hash"] == text_hash(row["text"])
        assert (row["corpus"], row["shard"]) == ("k", "s")
    assert [row["article_id"] for row in rows] == ["a", "a", "c", "d"]
    assert len({row["chunk_id"] for row in rows}) == 4  # equal texts of two articles are two chunks
    # Pinned: an id that changes orphans every row that names it.
    assert [row["text"] for row in rows[:2]] == ["First sentence. Second one.", "Third."]
    again = pa.concat_tables(chunk_rows(articles.slice(2).to_batches(), counter, 9)).to_pylist()
    assert [row["chunk_id"] for row in again] == [row["chunk_id"] for row in rows[2:]]


# Tokenizers of other kinds, trained on the starter's own texts.


def starter_text() -> list[str]:
    folder = Path(evidence_assets.__file__).parent
    files = sorted(folder.rglob("*.md")) + sorted(folder.rglob("*.py"))
    return [path.read_text(encoding="utf-8") for path in files][:60]


def counting(tokenizer: Tokenizer) -> CountTokens:
    return lambda texts: [len(encoding.ids) for encoding in tokenizer.encode_batch(list(texts))]


@pytest.fixture(scope="module", params=[False, True], ids=["bare", "prefix space"])
def byte_level(request: pytest.FixtureRequest) -> CountTokens:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=request.param)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=2000, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(starter_text(), trainer)
    return counting(tokenizer)


@pytest.fixture(scope="module")
def unsplit() -> CountTokens:
    """A tokenizer whose pieces reach across spaces."""
    tokenizer = Tokenizer(models.BPE(unk_token="?"))
    trainer = trainers.BpeTrainer(vocab_size=600, special_tokens=["?"], show_progress=False)
    tokenizer.train_from_iterator(["of the in the on the to be. It is a "] * 50 + starter_text()[:3], trainer)
    return counting(tokenizer)


_PLAIN = st.lists(st.text(alphabet="abcdefgtheinof.,'(1é", min_size=1, max_size=8), max_size=20)


@examples(60)
@given(words=_PLAIN)
def test_counts_of_a_byte_level_tokenizer(words: list[str], byte_level: CountTokens) -> None:
    text = " ".join(words)
    counter = TokenCounter(byte_level)
    assert counter.special_tokens == 0
    assert not counter.is_additive
    assert not counter.is_regular(text)
    assert counter.tokenise([text]) == byte_level([text])


@examples(60)
@given(words=_PLAIN, separator=st.sampled_from([" ", "  ", "\n", "\t "]))
def test_counts_of_a_tokenizer_that_does_not_split_at_space(
    words: list[str], separator: str, unsplit: CountTokens
) -> None:
    counter = TokenCounter(unsplit)
    text = separator.join(words)
    assert not counter.is_regular(text)
    assert counter.tokenise([text]) == unsplit([text])


_SEVERAL_LINES = "It is a list:\n\n  - of the first,\n\n  - of the second.\n\nIt is to be. " * 20


def test_chunks_of_a_byte_level_tokenizer_stay_within_the_limit(byte_level: CountTokens) -> None:
    chunks = list(chunk_spans(_SEVERAL_LINES, TokenCounter(byte_level), 24))
    check_shape(_SEVERAL_LINES, chunks)
    assert max(byte_level([_SEVERAL_LINES[chunk.start : chunk.end] for chunk in chunks])) <= 24


def test_chunks_of_a_tokenizer_that_does_not_split_at_space_stay_within_the_limit(
    unsplit: CountTokens,
) -> None:
    chunks = list(chunk_spans(_SEVERAL_LINES, TokenCounter(unsplit), 24))
    check_shape(_SEVERAL_LINES, chunks)
    assert max(unsplit([_SEVERAL_LINES[chunk.start : chunk.end] for chunk in chunks])) <= 24
