"""First-stage search: the top R chunks of a corpus for each query, by vectors (CPU or GPU) and by BM25."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.encoder import FloatArray, best_device
from evidence_assets.progress import Progress, blocks
from evidence_assets.text.term_statistics import BM25_B, BM25_K1, TermStatistics
from evidence_assets.text.words import words

_QUERIES_AT_ONCE = 1024
# Pairs of a query and a row that a search may return at once.
_RESULTS_AT_ONCE = 1 << 20
# Results of shards that are merged at once, in depths of the search.
_DEPTHS_AT_ONCE = 4
_SIGN = np.uint32(1 << 31)

Ranked = tuple[NDArray[np.float32], NDArray[np.int64]]


def exact_top(
    blocks: Iterable[FloatArray], queries: FloatArray, depth: int, device: str | None = None
) -> Ranked:
    """Return scores and row numbers, (q, depth), of the exact nearest rows over streamed (n, d) blocks.

    A chunked matrix product with a running top k: no limit on depth (FAISS stops at 2,048 on a GPU) and
    memory bounded by a block. Fewer rows than `depth` give fewer columns. Ties go to the earlier row.
    `device` None is the GPU where there is one.
    """
    import torch

    device = device or best_device()
    wanted = torch.from_numpy(np.ascontiguousarray(queries)).to(device)
    scores = torch.empty((len(queries), 0), device=device)
    rows = torch.empty((len(queries), 0), dtype=torch.long, device=device)
    seen = 0
    for block in blocks:
        similarity = wanted @ torch.from_numpy(np.ascontiguousarray(block)).to(device).T
        numbers = torch.arange(seen, seen + len(block), device=device).expand(len(queries), -1)
        seen += len(block)
        scores, rows = torch.cat([scores, similarity], dim=1), torch.cat([rows, numbers], dim=1)
        # A stable sort keeps earlier rows first among equals; topk would not.
        scores, order = torch.sort(scores, dim=1, descending=True, stable=True)
        scores, rows = scores[:, :depth], torch.gather(rows, 1, order)[:, :depth]
    return scores.cpu().numpy(), rows.cpu().numpy()


def index_top(
    index: Any, queries: FloatArray, depth: int, progress: Progress | None = None
) -> Iterator[Ranked]:
    """Yield scores and row numbers of the index's best `depth`, some queries at a time.

    An approximate index may find fewer: the missing are row -1, as FAISS gives them.
    """
    depth = min(depth, int(index.ntotal))
    at_once = max(1, min(_QUERIES_AT_ONCE, _RESULTS_AT_ONCE // max(depth, 1)))
    for block in blocks(range(len(queries)), at_once, progress):
        yield index.search(np.ascontiguousarray(queries[block[0] : block[-1] + 1]), depth)


class IndexSet:
    """Indexes of several shards that are searched as one, by FAISS's interface.

    Rows are numbered through, in the order of the shards. What they return is what one index of all vectors
    returns: best first, and of equal scores the later row, as FAISS orders them. Where the depth ends among
    equal scores, either may leave out any of these.
    """

    def __init__(self, indexes: Sequence[Any]) -> None:
        self.indexes = tuple(indexes)
        sizes = [int(index.ntotal) for index in self.indexes]
        self._starts = np.cumsum([0, *sizes[:-1]])
        self.ntotal = sum(sizes)

    def search(self, queries: FloatArray, depth: int) -> Ranked:
        """Return scores and row numbers, (q, depth); where an approximate index finds fewer, row -1."""
        if len(self.indexes) == 1:
            ranked: Ranked = self.indexes[0].search(queries, depth)
            return ranked
        best = np.empty((len(queries), 0), np.uint64)
        waiting: list[NDArray[np.uint64]] = []
        for start, index in zip(self._starts, self.indexes, strict=True):
            scores, rows = index.search(queries, min(depth, int(index.ntotal)))
            waiting.append(_sortable(scores, np.where(rows < 0, rows, rows + start)))
            if sum(keys.shape[1] for keys in waiting) > _DEPTHS_AT_ONCE * depth:
                best, waiting = _greatest([best, *waiting], depth), []
        missing = _sortable(np.full((1, 1), np.finfo(np.float32).min), np.full((1, 1), -1))
        padding = np.broadcast_to(missing, (len(queries), depth))
        best = _greatest([best, *waiting, padding], depth)
        return _unpacked(np.sort(best, axis=1)[:, ::-1])


def _sortable(scores: NDArray[np.float32], rows: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return a number for each score and row that sorts by the score, then by the row."""
    bits = np.ascontiguousarray(scores, np.float32).view(np.uint32)
    ascending = bits ^ np.where(bits >> 31, np.uint32(0xFFFFFFFF), _SIGN)
    keys: NDArray[np.uint64] = ascending.astype(np.uint64) << np.uint64(32) | (rows + 1).astype(np.uint64)
    return keys


def _unpacked(keys: NDArray[np.uint64]) -> Ranked:
    ascending = (keys >> np.uint64(32)).astype(np.uint32)
    bits = ascending ^ np.where(ascending >> 31, _SIGN, np.uint32(0xFFFFFFFF))
    return bits.view(np.float32), (keys & np.uint64(0xFFFFFFFF)).astype(np.int64) - 1


def _greatest(keys: Sequence[NDArray[np.uint64]], depth: int) -> NDArray[np.uint64]:
    together = np.concatenate(keys, axis=1)
    excess = together.shape[1] - depth
    return np.partition(together, excess, axis=1)[:, excess:] if excess > 0 else together


def bm25_top(
    queries: Sequence[str], blocks: Iterable[Sequence[str]], statistics: TermStatistics, depth: int
) -> list[Ranked]:
    """Return scores and row numbers of each query's best texts that share a word with it; ties by row.

    What `Bm25` returns, to rounding error, over texts that stream by: in memory are one block and the best
    `depth` so far. `statistics`: those of all texts.
    """
    terms = {term: place for place, term in enumerate(dict.fromkeys(w for q in queries for w in words(q)))}
    idf = statistics.idf(terms).astype(np.float32)
    query_counts = _counts([words(query) for query in queries], terms)
    best: list[Ranked] = [(np.empty(0, np.float32), np.empty(0, np.int64)) for _ in queries]
    seen = 0
    for texts in blocks:
        tokens = [words(text) for text in texts]
        held = _counts(tokens, terms)
        lengths = np.array([len(text) for text in tokens], dtype=np.float64)
        norms = statistics.length_norm(lengths)
        frequencies = held.data.astype(np.float64)
        of_row = np.repeat(norms, np.diff(held.indptr))
        held.data = (idf[held.indices] * (frequencies / (frequencies + of_row))).astype(np.float32)
        matching = (query_counts @ held.T).tocsr()
        for number, (before, rows) in enumerate(best):
            part = slice(matching.indptr[number], matching.indptr[number + 1])
            scores = np.concatenate([before, matching.data[part]])
            numbers = np.concatenate([rows, matching.indices[part].astype(np.int64) + seen])
            if len(scores) > depth:
                # All that tie with the last that is kept, then the first of these.
                floor = np.partition(scores, len(scores) - depth)[len(scores) - depth]
                kept = scores >= floor
                scores, numbers = scores[kept], numbers[kept]
            order = np.lexsort((numbers, -scores))[:depth]
            best[number] = (scores[order], numbers[order])
        seen += len(texts)
    return best


def _counts(texts: Sequence[Sequence[str]], terms: Mapping[str, int]) -> Any:
    """Return the sparse (texts, terms) matrix of how often each text has each term."""
    from scipy.sparse import csr_matrix

    places = [[terms[word] for word in text if word in terms] for text in texts]
    starts = np.cumsum([0, *map(len, places)])
    columns = np.fromiter((place for text in places for place in text), np.int64, count=int(starts[-1]))
    matrix = csr_matrix((np.ones(len(columns), np.float32), columns, starts), shape=(len(texts), len(terms)))
    matrix.sum_duplicates()
    return matrix


class Bm25:
    """BM25 over a corpus held in memory: k1 1.2, b 0.75, Lucene's IDF; no stemming, stop words kept.

    Raises:
        ValueError: no text has a word.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        import bm25s

        tokens = [words(text) for text in texts]
        if not any(tokens):
            raise ValueError("no text of the corpus has a word: BM25 has nothing to index")
        self._vocabulary = {term for text in tokens for term in text}
        self._model: Any = bm25s.BM25(method="lucene", k1=BM25_K1, b=BM25_B)
        self._model.index(tokens, show_progress=False)

    def top(self, query: str, depth: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Return scores and row numbers of the best texts that share a word with the query; ties by row."""
        terms = [term for term in words(query) if term in self._vocabulary]
        if not terms:
            return np.empty(0, dtype=np.float32), np.empty(0, dtype=np.int64)
        scores: NDArray[np.float32] = self._model.get_scores(terms)
        matching = np.flatnonzero(scores > 0)
        order = matching[np.argsort(-scores[matching], kind="stable")][:depth]
        return scores[order], order
