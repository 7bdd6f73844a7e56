"""Facts of a graph around a question's topics: single triples, and whole paths found by a beam.

A fact is a walk of one to three edges that starts at a topic. It is scored as a whole, by the cosine of the
question to the walk read out, the topic in both replaced by its type ("that movie"): with its name in both,
what merely names it is nearest. Walks of one kind, the same relations in the same directions, differ in their
names alone; the beam is over kinds, which are few, so a node of 100,000 neighbours costs one pass over its
edges.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evidence_assets.graphs.graph import Graph, Integers
from evidence_assets.models.encoder import Encode, FloatArray
from evidence_assets.text.verbalisation import verbalise, words_of

# Kinds that are walked further at each hop, and shown at the end.
BEAM = 24
# Walks of one kind that are held, and edges that are looked at from one kind: the heaviest come first.
MOST_WALKS, MOST_EDGES = 5_000, 400_000
# Triples of one question that are encoded one by one.
MOST_ENCODED = 512
DECIMALS = 6
THING = "thing"

# Relation's number, and whether the walk goes from tail to head.
Kind = tuple[tuple[int, bool], ...]


@dataclass(frozen=True, slots=True)
class Wording:
    """How a relation is read out, `{head} was directed by {tail}`, and the types of its ends as words."""

    sentence: str
    head: str = THING
    tail: str = THING


def plain_wording(relation: str) -> Wording:
    """Return the wording of a relation of which nothing but its name is known."""
    return Wording(f"{{head}} {words_of(relation)} {{tail}}")


@dataclass(frozen=True, slots=True)
class EntityQuestion:
    """A question, and the nodes that it is about, each with the words that name it there."""

    question_id: str
    question: str
    topics: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """A walk from a topic: its edges, kind, end node, text and similarity to the question."""

    topic: int
    edges: tuple[int, ...]
    kind: Kind
    answer: int
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class KindFound:
    """All walks of one kind from a question's topics. `answers`: (a,) the nodes they end at, ascending."""

    kind: Kind
    score: float
    answers: Integers


@dataclass(frozen=True, slots=True)
class Around:
    """The result of one question: best facts, and the kinds of walks."""

    facts: list[Fact]
    kinds: Sequence[KindFound] = ()


@dataclass(frozen=True, slots=True)
class Walks:
    """w walks of one kind: (w, hops) edges and (w, hops + 1) nodes, the topic first."""

    kind: Kind
    edges: Integers
    nodes: Integers
    score: float = 0.0

    @property
    def ends(self) -> Integers:
        """(w,) the nodes they end at."""
        return np.asarray(self.nodes[:, -1])


class Vectors:
    """A cache of text vectors, at most `most` of them."""

    def __init__(self, encode: Encode, most: int = 200_000) -> None:
        self._encode, self._most = encode, most
        self._held: dict[str, FloatArray] = {}

    def __call__(self, texts: Sequence[str]) -> FloatArray:
        """Return (n, d) the vectors; those not in the cache are encoded in one call. n is at least 1."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._held]
        if len(self._held) + len(missing) > self._most:
            self._held.clear()
            missing = list(dict.fromkeys(texts))
        if missing:
            self._held.update(zip(missing, self._encode(missing), strict=True))
        return np.stack([self._held[text] for text in texts])


class WalkRetriever:
    """Finds the facts around topics.

    Args:
        wordings: How each relation is read out; those that are missing are read out by their names.
        encode: Texts to (n, d) unit vectors.
        beam: Kinds of walks that are kept at each hop.
    """

    def __init__(
        self, graph: Graph, wordings: Mapping[str, Wording], encode: Encode, beam: int = BEAM
    ) -> None:
        self.graph, self._beam = graph, beam
        self._wordings = [wordings.get(name, plain_wording(name)) for name in graph.relation_names]
        self.vectors = Vectors(encode)

    def prepare(self, questions: Sequence[EntityQuestion], singly: bool = False, named: bool = False) -> None:
        """Encode the questions and the kinds of walks at their topics in one call, ahead of the comparisons.

        `singly`: each triple at the topics too. `named`: the questions, and these triples, as printed alone.
        """
        if named:
            printed = [line.text for question in questions for line in self._printed(_topics(question))]
            self.vectors(sorted({*printed, *(question.question for question in questions)}) or [""])
            return
        texts: list[str] = []
        for question in questions:
            topics = _topics(question)
            level = _merged([walks for node in topics for walks in self._grow(_at(node), ())])
            words = sorted({self.start_word(walks.kind) for walks in level})
            texts += [masked(question, word) for word in words]
            texts += [self.kind_text(walks.kind) for walks in level]
            if singly:
                texts += [text for _, _, text in self._lines(level, topics)]
        if texts:
            self.vectors(sorted(set(texts)))

    def find(self, question: EntityQuestion, hops: int, depth: int) -> Around:
        """Return the `depth` best walks of up to `hops` edges around a question's topics.

        If there are several kinds, none takes more than half of the places while another has walks left: a
        second interpretation of the question is worth more than a further node. Within a kind, walks to new
        ends come first; before these, of several topics, walks to ends that each of them leads to: who asks
        for both asks for what they share. Equal scores are in the order of relations and edges.
        """
        topics = _topics(question)
        all_walks: list[Walks] = []
        level = [_at(node) for node in topics]
        for _ in range(hops):
            grown = [walks for shorter in level for walks in self._grow(shorter, topics)]
            level = self._nearest(question, _merged(grown))
            all_walks += level
        all_walks.sort(key=lambda walks: (-walks.score, len(walks.kind), walks.kind))
        shown = _shared_out(all_walks, depth, _joined(question, all_walks))
        return Around(
            [self._fact(walks, row) for walks, row in shown],
            [KindFound(walks.kind, walks.score, np.unique(walks.ends)) for walks in all_walks],
        )

    def printed_triples(self, question: EntityQuestion, depth: int) -> Around:
        """Return the `depth` triples at the topics that are nearest to the question, as KAPING is printed.

        Question and triple are compared as they stand, every name in them; a triple reads `(subject,
        relation, object)`. Of a topic with more than `MOST_ENCODED` triples the heaviest are compared.
        """
        facts = self._printed(_topics(question))
        if facts:
            question_vector = self.vectors([question.question])[0]
            cosines = self.vectors([fact.text for fact in facts]) @ question_vector
            facts = [
                replace(fact, score=round(float(cosine), DECIMALS))
                for fact, cosine in zip(facts, cosines, strict=True)
            ]
        return Around(_best(facts, depth))

    def _printed(self, topics: Sequence[int]) -> list[Fact]:
        """Return the triples at topics, each once, as KAPING reads them out, not yet scored."""
        graph, facts = self.graph, dict[int, Fact]()
        for topic in topics:
            for edge in graph.edges_of(topic, MOST_ENCODED).tolist():
                head, relation, tail = graph.triple(edge)
                backwards = int(graph.heads[edge]) != topic
                end = int(graph.heads[edge] if backwards else graph.tails[edge])
                kind = ((int(graph.relations[edge]), backwards),)
                text = f"({head}, {words_of(relation)}, {tail})"
                facts.setdefault(edge, Fact(topic, (edge,), kind, end, text, 0.0))
        return list(facts.values())

    def triples(self, question: EntityQuestion, hops: int, depth: int) -> Around:
        """Return the `depth` single triples within `hops` of the topics that are nearest to the question.

        Names of topics are masked by their types. Of a hop, the triples with the nearest relations are
        encoded, at most `MOST_ENCODED`; the next hop starts where the best ones end.
        """
        topics = _topics(question)
        fact_of_edge: dict[int, Fact] = {}
        frontier = list(topics)
        for _ in range(hops):
            grown = [walks for node in frontier for walks in self._grow(_at(node), ())]
            level = self._nearest(question, _merged(grown))
            single = self._single(question, level, topics)
            fresh = _best(fact for fact in single if fact.edges[0] not in fact_of_edge)
            for fact in fresh:
                fact_of_edge.setdefault(fact.edges[0], fact)
            frontier = sorted({fact.answer for fact in fresh[: self._beam]} - set(topics))
        return Around(_best(fact_of_edge.values(), depth))

    def _grow(self, walks: Walks, topics: Sequence[int]) -> Iterator[Walks]:
        """Yield the walks one edge longer, kind by kind; none returns to a topic or over its last edge."""
        graph = self.graph
        begins = graph.offsets[walks.ends]
        counts = graph.offsets[walks.ends + 1] - begins
        if counts.sum() > MOST_EDGES:
            # Every walk is extended over its heaviest edges, as many as the limit allows.
            counts = np.minimum(counts, max(1, MOST_EDGES // len(counts)))
        owner = np.repeat(np.arange(len(counts)), counts)
        starts = np.cumsum(counts) - counts
        edges = graph.incident[begins[owner] + np.arange(len(owner)) - starts[owner]]
        near = walks.ends[owner]
        backwards = graph.heads[edges] != near
        far = np.where(backwards, graph.heads[edges], graph.tails[edges])
        fresh = ~np.isin(far, topics)
        if walks.kind:
            fresh &= edges != walks.edges[owner, -1]
        codes = graph.relations[edges].astype(np.int64) * 2 + backwards
        for code in np.unique(codes[fresh]).tolist():
            rows = np.flatnonzero(fresh & (codes == code))[:MOST_WALKS]
            yield Walks(
                (*walks.kind, (code // 2, bool(code % 2))),
                np.column_stack([walks.edges[owner[rows]], edges[rows]]),
                np.column_stack([walks.nodes[owner[rows]], far[rows]]),
            )

    def _nearest(self, question: EntityQuestion, grown: Sequence[Walks]) -> list[Walks]:
        """Return the walks of the kinds nearest to the question, scored."""
        if not grown:
            return []
        scores = self.kind_scores(question, [walks.kind for walks in grown])
        order = sorted(range(len(grown)), key=lambda place: (-scores[place], grown[place].kind))
        return [replace(grown[place], score=scores[place]) for place in order[: self._beam]]

    def kind_scores(self, question: EntityQuestion, kinds: Sequence[Kind]) -> list[float]:
        """Return the cosine of the question to each kind of walk, verbalised with types for nodes."""
        question_vectors = self.vectors([masked(question, self.start_word(kind)) for kind in kinds])
        kind_vectors = self.vectors([self.kind_text(kind) for kind in kinds])
        return [round(float(cosine), DECIMALS) for cosine in (question_vectors * kind_vectors).sum(axis=1)]

    def start_word(self, kind: Kind) -> str:
        """Return the type of the node that a kind of walk starts at."""
        relation, backwards = kind[0]
        words = self._wordings[relation]
        return words.tail if backwards else words.head

    def end_word(self, kind: Kind) -> str:
        """Return the type of the node that a kind of walk ends at."""
        relation, backwards = kind[-1]
        words = self._wordings[relation]
        return words.head if backwards else words.tail

    def kind_text(self, kind: Kind) -> str:
        """Return a kind of walk verbalised, with types for nodes."""
        names = [f"that {self.start_word(kind)}"]
        names += [f"the {self.end_word(kind[: place + 1])}" for place in range(len(kind))]
        return self._read_out(kind, names)

    def walk_text(self, kind: Kind, nodes: Sequence[int], topic: str | None = None) -> str:
        """Return a walk verbalised with its nodes' labels; `topic` replaces the label of the first."""
        names = [str(self.graph.labels[node].as_py()) for node in nodes]
        return self._read_out(kind, [names[0] if topic is None else topic, *names[1:]])

    def _read_out(self, kind: Kind, names: Sequence[str]) -> str:
        sentences = []
        for place, (relation, backwards) in enumerate(kind):
            head, tail = (place + 1, place) if backwards else (place, place + 1)
            sentences.append(verbalise(self._wordings[relation].sentence, names[head], names[tail]))
        return "; ".join(sentences)

    def _fact(self, walks: Walks, row: int, score: float | None = None) -> Fact:
        nodes = walks.nodes[row].tolist()
        edges = tuple(walks.edges[row].tolist())
        text = self.walk_text(walks.kind, nodes)
        return Fact(nodes[0], edges, walks.kind, nodes[-1], text, walks.score if score is None else score)

    def _lines(self, level: Sequence[Walks], topics: Sequence[int]) -> list[tuple[Walks, int, str]]:
        """Return one-edge walks, at most `MOST_ENCODED`, each read out with its topic's name masked."""
        rows = [(walks, row) for walks in level for row in range(len(walks.edges))][:MOST_ENCODED]
        lines = []
        for walks, row in rows:
            nodes = walks.nodes[row].tolist()
            masked_topic = f"that {self.start_word(walks.kind)}" if nodes[0] in topics else None
            lines.append((walks, row, self.walk_text(walks.kind, nodes, masked_topic)))
        return lines

    def _single(self, question: EntityQuestion, level: Sequence[Walks], topics: Sequence[int]) -> list[Fact]:
        """Return one-edge walks as facts, each scored by its own text."""
        lines = self._lines(level, topics)
        if not lines:
            return []
        question_vectors = self.vectors(
            [masked(question, self.start_word(walks.kind)) for walks, _, _ in lines]
        )
        cosines = (self.vectors([text for _, _, text in lines]) * question_vectors).sum(axis=1)
        return [
            self._fact(walks, row, round(float(cosine), DECIMALS))
            for (walks, row, _), cosine in zip(lines, cosines, strict=True)
        ]


def masked(question: EntityQuestion, word: str) -> str:
    """Return the question with "that" and a type for each of its topics' names, whole words, any case."""
    names = sorted({name for name, _ in question.topics if name}, key=lambda name: (-len(name), name))
    if not names:
        return question.question
    alternatives = "|".join(re.escape(name) for name in names)
    return re.sub(rf"(?<!\w)(?:{alternatives})(?!\w)", f"that {word}", question.question, flags=re.IGNORECASE)


def _best(facts: Iterable[Fact], depth: int | None = None) -> list[Fact]:
    """Return facts, the nearest first, of those as near by their edges; at most `depth`, or all."""
    return sorted(facts, key=lambda fact: (-fact.score, fact.edges))[:depth]


def _topics(question: EntityQuestion) -> list[int]:
    return sorted({node for _, node in question.topics})


def _at(node: int) -> Walks:
    return Walks((), np.empty((1, 0), np.int32), np.array([[node]], np.int32))


def _merged(grown: Iterable[Walks]) -> list[Walks]:
    """Return the walks merged by kind, in the order of kinds."""
    by_kind: dict[Kind, list[Walks]] = {}
    for walks in grown:
        by_kind.setdefault(walks.kind, []).append(walks)
    return [
        Walks(
            kind,
            np.concatenate([walks.edges for walks in same_kind]),
            np.concatenate([walks.nodes for walks in same_kind]),
        )
        for kind, same_kind in sorted(by_kind.items())
    ]


def _joined(question: EntityQuestion, all_walks: Sequence[Walks]) -> Integers:
    """Return the nodes that walks from every topic of a question end at, ascending; none of fewer than two.

    The nodes of one name are one topic.
    """
    by_name: dict[str, set[int]] = {}
    for name, node in question.topics:
        by_name.setdefault(name, set()).add(node)
    if len(by_name) < 2:
        return np.empty(0, np.int32)
    shared: set[int] | None = None
    for nodes in by_name.values():
        starts = np.array(sorted(nodes), dtype=np.int32)
        ends = {
            int(end) for walks in all_walks for end in walks.ends[np.isin(walks.nodes[:, 0], starts)].tolist()
        }
        shared = ends if shared is None else shared & ends
    return np.array(sorted(shared or ()), dtype=np.int32)


def _shared_out(ranked: Sequence[Walks], depth: int, joined: Integers) -> list[tuple[Walks, int]]:
    """Return `depth` walks, kind by kind: at most half of the places to each, then the remaining places."""
    orders = [_elsewhere_first(walks, joined)[:depth] for walks in ranked]
    share = -(-depth // 2)
    counts = [min(len(order), share) for order in orders]
    for place in range(len(counts)):
        counts[place] = min(counts[place], depth - sum(counts[:place]))
    for place, order in enumerate(orders):
        counts[place] += min(len(order) - counts[place], depth - sum(counts))
    return [
        (walks, row)
        for walks, order, count in zip(ranked, orders, counts, strict=True)
        for row in order[:count]
    ]


def _elsewhere_first(walks: Walks, joined: Integers) -> list[int]:
    """Return rows, the first walk to each end before the second to any; to joined ends, by node, first."""
    ends, places = np.unique(walks.ends, return_index=True)
    to_joined = places[np.isin(ends, joined)]
    first_to_others = np.setdiff1d(np.sort(places), to_joined)
    repeated = np.setdiff1d(np.arange(len(walks.ends)), places)
    return [*to_joined.tolist(), *first_to_others.tolist(), *repeated.tolist()]
