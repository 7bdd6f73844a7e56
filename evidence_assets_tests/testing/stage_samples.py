"""Made-up stages over declared tables: two corpora, two graphs, three benchmarks, a harvest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from evidence_assets.lake.ids import content_id
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import (
    ARTICLES,
    CHUNK_POOLS,
    CHUNKS,
    GRAPH_ALIASES,
    GRAPH_NODES,
    HARVESTS,
    MATERIALIZATIONS,
    PREDICTIONS,
    QUESTION_CONCEPTS,
    QUESTIONS,
    RANKED_CHUNKS,
    REJECTED_RECORDS,
    RELATION_SEEDS,
    SCORE_DIFFERENCES,
    TERM_STATISTICS,
    TRIPLES,
    Table,
)
from evidence_assets.models.generation.protocol import Request, Sampling
from evidence_assets.models.generation.settings import GeneratorSettings
from evidence_assets.models.provider import Models, PairScorerSettings
from evidence_assets.stages.declaration import (
    Input,
    Key,
    Metadata,
    Model,
    Output,
    Removed,
    Rows,
    Scope,
    Stage,
)
from evidence_assets.stages.execution import PartitionResult, Run, make_partition
from evidence_assets.stages.graph import StageGraph
from evidence_assets.stages.inputs import Inputs
from evidence_assets.stages.layout import BenchmarkLinks, Layout
from evidence_assets.stages.step import Step
from evidence_assets_tests.testing.table_rows import table_of

GENERATOR = "small"
ANSWERED = f"best@{GENERATOR}"
LAYOUT = Layout(
    shards={"sea/a": "sea", "sea/b": "sea", "land/a": "land"},
    corpora=("sea", "land"),
    graphs={"plain": (), "mined": ("arm",)},
    benchmarks={
        "first": BenchmarkLinks("sea", "plain"),
        "second": BenchmarkLinks("sea", "plain", training="first"),
        "third": BenchmarkLinks("land", "mined"),
    },
    harvests=("arm",),
    harvest_corpus="sea",
    harvest_reference="plain",
    relations=("IsA",),
)


class PoolSettings(BaseModel):
    """What one run of the pools may set."""

    size: int = 3


@dataclass
class World:
    """The outside files, the configuration, and a lake over them. Whoever changes one changes what is due."""

    lake: Lake
    cache: Path
    layout: Layout = LAYOUT
    articles: dict[str, list[str]] = field(
        default_factory=lambda: {
            "sea/a": ["the whale eats krill", "a crab walks"],
            "sea/b": ["krill is small"],
            "land/a": ["a fox eats a vole"],
        }
    )
    questions: dict[str, list[str]] = field(
        default_factory=lambda: {"first": ["who eats krill"], "second": ["what is small"], "third": ["a fox"]}
    )
    facts: dict[str, dict[str, str]] = field(
        default_factory=lambda: {"plain": {"Eats": "whale crab", "IsA": "krill"}, "mined": {"Eats": "fox"}}
    )
    readings: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    pair_scorer: str = ""
    generator_model: str = "m"

    @property
    def models(self) -> Models:
        """The models as they are named now; none is ever loaded."""
        small = GeneratorSettings(engine="transformers", model=self.generator_model)
        scorer = PairScorerSettings(location=self.pair_scorer)
        return Models(self.cache, pair_scorer=scorer, generators={GENERATOR: small})

    def stages(self) -> list[Stage]:
        """Return every stage of the world."""
        return [
            self._articles(),
            self._chunks(),
            self._terms(),
            self._questions(),
            self._seeds(),
            self._harvests(),
            self._triples(),
            self._nodes(),
            self._concepts(),
            self._pools(),
            self._rankings(),
            self._predictions(),
            self._differences(),
        ]

    @property
    def graph(self) -> StageGraph:
        """The stages as they are declared now."""
        return StageGraph(self.stages(), self.layout)

    def run(self, run_id: str = "run", **more: Any) -> Run:
        """Return a run of its own."""
        return Run(self.lake, self.graph, self.models, run_id, **more)

    def stage(self, name: str) -> Stage:
        """Return a stage by its name."""
        return self.graph.by_name[name]

    def make(self, name: str, *keys: Key, run: Run | None = None) -> list[PartitionResult]:
        """Make partitions of a stage in one run; default: all."""
        run = run or self.run()
        stage = run.graph.by_name[name]
        return [make_partition(stage, key, run) for key in keys or self.layout.keys(stage)]

    def make_all(self, *left_out: str) -> None:
        """Make every partition of every stage, one run a stage, but these and what asks a language model."""
        graph = self.graph
        for stage in sorted(graph.stages, key=lambda stage: graph.order[stage.name]):
            if stage.name not in left_out and Model.GENERATOR not in stage.models and not stage.gathers:
                self.make(stage.name)

    def _stage(
        self,
        table: Table,
        scope: Scope,
        run: Any,
        *inputs: Input,
        carries: tuple[Table, ...] = (),
        **fields: Any,
    ) -> Stage:
        declared = {
            "name": table.name,
            "outputs": (Output(table, "made up", carries),),
            "group": "tests",
            "layer": "tests",
            "version": self.versions.get(table.name, "1"),
        }
        return Stage(scope=scope, inputs=inputs, run=run, **{**declared, **fields})

    def _articles(self) -> Stage:
        def run(step: Step) -> Iterator[Rows]:
            shard = step.key.name
            texts = self.articles[shard]
            step.inputs.note_source(f"{shard}.txt", content_id(*texts))
            place = {"corpus": self.layout.shards[shard], "shard": shard}
            named = [{"article_id": f"{shard} {text}", **place, "text": text} for text in texts if text]
            yield Rows(ARTICLES, table_of(ARTICLES, *named), metadata={"texts": len(named)})
            rejected = [{"source": shard, "record": "empty"}] * ("" in texts)
            yield Rows(REJECTED_RECORDS, table_of(REJECTED_RECORDS, *rejected))

        return self._stage(
            ARTICLES, Scope.SHARD, run, side_tables=(REJECTED_RECORDS,), files=("corpus_files",)
        )

    def _chunks(self) -> Stage:
        def run(step: Step) -> Iterator[Rows]:
            place = {"corpus": self.layout.shards[step.key.name], "shard": step.key.name}
            rows = step.inputs.read(ARTICLES, place, ["article_id", "text"]).to_pylist()
            chunks = [{"chunk_id": f"{row['article_id']}#0", **row, **place} for row in rows]
            yield Rows(CHUNKS, table_of(CHUNKS, *chunks))

        return self._stage(CHUNKS, Scope.SHARD, run, Input(ARTICLES))

    def _terms(self) -> Stage:
        def run(step: Step) -> Iterator[Rows]:
            corpus = step.key.name
            texts = chunk_texts(step.inputs, self.layout, corpus)
            terms = sorted({term for text in texts.values() for term in text.split()})
            counted = [
                {
                    "corpus": corpus,
                    "term": term,
                    "document_frequency": sum(term in text for text in texts.values()),
                }
                for term in terms
            ]
            yield Rows(TERM_STATISTICS, table_of(TERM_STATISTICS, *counted))

        return self._stage(TERM_STATISTICS, Scope.CORPUS, run, Input(CHUNKS))

    def _questions(self) -> Stage:
        def run(step: Step) -> Iterator[Rows | Metadata]:
            benchmark = step.key.name
            named = [
                {"benchmark": benchmark, "question_id": f"{number}", "question": question}
                for number, question in enumerate(self.questions[benchmark])
            ]
            yield Rows(QUESTIONS, table_of(QUESTIONS, *named))
            yield Metadata({"questions": len(named)})

        def reading(key: Key) -> str:
            return self.readings.get(key.name, "")

        return self._stage(QUESTIONS, Scope.BENCHMARK, run, configuration=reading)

    def _seeds(self) -> Stage:
        def run(step: Step) -> Iterator[Rows]:
            yield Rows(RELATION_SEEDS, table_of(RELATION_SEEDS, {"relation": step.key.name}))

        return self._stage(RELATION_SEEDS, Scope.RELATION, run)

    def _harvests(self) -> Stage:
        def run(step: Step) -> Iterator[Rows]:
            places = step.inputs.partitions(RELATION_SEEDS)
            relations = step.inputs.read_partitions(RELATION_SEEDS, places, ["relation"]).column("relation")
            mined = [{"kg": step.key.name, "relation": relation} for relation in relations.to_pylist()]
            yield Rows(HARVESTS, table_of(HARVESTS, *mined))

        return self._stage(HARVESTS, Scope.HARVEST, run, Input(RELATION_SEEDS))

    def _triples(self) -> Stage:
        def run(step: Step) -> Iterator[Rows | Removed]:
            kg = step.key.name
            step.inputs.note_source(f"{kg}.tsv", content_id(repr(self.facts[kg])))
            for arm in self.layout.graphs[kg]:
                if step.inputs.exists(HARVESTS, {"kg": arm}):
                    step.inputs.read(HARVESTS, {"kg": arm})
            places = []
            for relation, heads in self.facts[kg].items():
                places.append({"kg": kg, "relation": relation})
                stated = [
                    {"triple_id": f"{kg} {relation} {head}", "head": head, **places[-1]}
                    for head in heads.split()
                ]
                yield Rows(TRIPLES, table_of(TRIPLES, *stated), places[-1])
            for place in step.inputs.standing(TRIPLES):
                if place not in places:
                    yield Removed(TRIPLES, place)

        return self._stage(TRIPLES, Scope.GRAPH, run, Input(HARVESTS, optional=True))

    def _nodes(self) -> Stage:
        def run(step: Step) -> Iterator[Rows]:
            kg, places = step.key.name, step.inputs.partitions(TRIPLES)
            heads = step.inputs.read_partitions(TRIPLES, places, ["head"]).column("head").to_pylist()
            nodes = [{"kg": kg, "node": number, "label": head} for number, head in enumerate(sorted(heads))]
            if GRAPH_NODES in step.selected:
                yield Rows(GRAPH_NODES, table_of(GRAPH_NODES, *nodes))
            if GRAPH_ALIASES in step.selected:
                aliases = [{**node, "alias": node["label"].upper()} for node in nodes]
                yield Rows(GRAPH_ALIASES, table_of(GRAPH_ALIASES, *aliases))

        outputs = (Output(GRAPH_NODES, "made up"), Output(GRAPH_ALIASES, "made up"))
        return self._stage(GRAPH_NODES, Scope.GRAPH, run, Input(TRIPLES), outputs=outputs, subset=True)

    def nodes_key(self, kg: str) -> tuple[str, ...]:
        """Return the key that a graph's nodes are kept by in a run."""
        return ("nodes", kg)

    def _concepts(self) -> Stage:
        def run(step: Step) -> Iterator[Rows]:
            benchmark = step.key.name
            kg = self.layout.benchmarks[benchmark].graph or ""

            def labels(inputs: Inputs) -> dict[str, int]:
                rows = inputs.read(GRAPH_NODES, {"kg": kg}, ["label", "node"]).to_pylist()
                return {row["label"]: row["node"] for row in rows}

            nodes = step.inputs.cached(self.nodes_key(kg), labels)
            linked = [
                {**row, "benchmark": benchmark, "phrase": label, "label": label, "node": node, "kg": kg}
                for row in step.inputs.read(QUESTIONS, {"benchmark": benchmark}, ["question_id"]).to_pylist()
                for label, node in nodes.items()
            ]
            yield Rows(QUESTION_CONCEPTS, table_of(QUESTION_CONCEPTS, *linked))

        inputs = Input(QUESTIONS), Input(GRAPH_NODES)
        return self._stage(QUESTION_CONCEPTS, Scope.BENCHMARK, run, *inputs, carries=(GRAPH_NODES,))

    def _pools(self) -> Stage:
        def run(step: Step) -> Iterator[Rows]:
            benchmark, corpus = step.key.name, self.layout.benchmarks[step.key.name].corpus or ""
            terms = step.inputs.cached(
                ("terms", corpus),
                lambda inputs: inputs.read(TERM_STATISTICS, {"corpus": corpus}).column("term").to_pylist(),
            )
            texts = step.inputs.cached(
                ("texts", corpus), lambda inputs: chunk_texts(inputs, self.layout, corpus)
            )
            assert isinstance(step.settings, PoolSettings | None)
            size = (step.settings or PoolSettings()).size
            pooled = []
            for row in step.inputs.read(QUESTIONS, {"benchmark": benchmark}).to_pylist():
                wanted = set(row["question"].split()) & set(terms)
                scored = sorted(((-len(wanted & set(text.split())), chunk) for chunk, text in texts.items()))
                pooled += [
                    {
                        "benchmark": benchmark,
                        "retriever": "bm25",
                        "question_id": row["question_id"],
                        "rank": rank,
                        "chunk_id": chunk,
                        "score": float(-score),
                    }
                    for rank, (score, chunk) in enumerate(scored[:size], 1)
                ]
            yield Rows(CHUNK_POOLS, table_of(CHUNK_POOLS, *pooled))

        inputs = Input(QUESTIONS), Input(CHUNKS), Input(TERM_STATISTICS)
        return self._stage(CHUNK_POOLS, Scope.BENCHMARK, run, *inputs, settings=PoolSettings)

    def _rankings(self) -> Stage:
        def run(step: Step) -> Iterator[Rows]:
            benchmark, retrieval = step.key.name, step.key.variant
            pools = step.inputs.read(CHUNK_POOLS, {"benchmark": benchmark}).to_pylist()
            texts = chunk_texts(step.inputs, self.layout, self.layout.benchmarks[benchmark].corpus or "")
            ranked = [
                {**row, "retrieval": retrieval, "rank": rank}
                for rank, row in enumerate(pools if retrieval == "best" else pools[::-1], 1)
                if row["chunk_id"] in texts
            ]
            yield Rows(RANKED_CHUNKS, table_of(RANKED_CHUNKS, *ranked))

        return self._stage(
            RANKED_CHUNKS,
            Scope.BENCHMARK,
            run,
            Input(CHUNK_POOLS),
            Input(CHUNKS, via=CHUNK_POOLS),
            variants=("best", "worst"),
            models=frozenset({Model.PAIR_SCORER}),
        )

    def _predictions(self) -> Stage:
        def run(step: Step) -> Iterator[Rows]:
            benchmark, arm = step.key.name, step.key.variant
            ranked = step.inputs.read(
                RANKED_CHUNKS, {"benchmark": benchmark, "retrieval": "best"}
            ).to_pylist()
            generator = step.generator(GENERATOR, PREDICTIONS, "small_")
            replies = generator.replies([asking(row["chunk_id"]) for row in ranked])
            answered = [
                {
                    "prediction_id": f"{arm} {reply.request_hash}",
                    "system": "guess",
                    "arm": arm,
                    "benchmark": benchmark,
                    "question_id": row["question_id"],
                }
                for row, reply in zip(ranked, replies, strict=True)
            ]
            yield Rows(PREDICTIONS, table_of(PREDICTIONS, *answered))

        return self._stage(
            PREDICTIONS,
            Scope.BENCHMARK,
            run,
            Input(RANKED_CHUNKS, variants={ANSWERED: "best"}),
            name="guess/predictions",
            system="guess",
            variants=(ANSWERED,),
            models=frozenset({Model.GENERATOR}),
        )

    def _differences(self) -> Stage:
        def run(step: Step) -> Iterator[Rows]:
            for place in step.inputs.partitions(PREDICTIONS):
                step.inputs.version(PREDICTIONS, place)
            yield Rows(SCORE_DIFFERENCES, table_of(SCORE_DIFFERENCES))

        return self._stage(
            SCORE_DIFFERENCES,
            Scope.BENCHMARK,
            run,
            Input(PREDICTIONS),
            name="guess/score_differences",
            system="guess",
            gathers=True,
        )


def chunk_texts(inputs: Inputs, layout: Layout, corpus: str) -> dict[str, str]:
    """Return the text of each of a corpus's chunks."""
    places = [{"corpus": corpus, "shard": shard} for shard, of in layout.shards.items() if of == corpus]
    rows = inputs.read_partitions(CHUNKS, places, ["chunk_id", "text"]).to_pylist()
    return {row["chunk_id"]: row["text"] for row in rows}


def asking(user: str) -> Request:
    """Return a request of the made-up language model."""
    return Request("task", "0" * 32, "You answer.", user, Sampling(max_tokens=8))


def records(lake: Lake, table: Table | None = None) -> list[dict[str, Any]]:
    """Return what is recorded: of one table, or of all."""
    places = lake.partitions(MATERIALIZATIONS)
    rows = [row for place in places for row in lake.read(MATERIALIZATIONS, place).to_pylist()]
    return [row for row in rows if table is None or row["table"] == table.name]


def upstream(lake: Lake, table: Table) -> dict[str, list[str]]:
    """Return the tables and partitions that each partition of a table is recorded to be made from."""
    return {
        row["partition"]: [f"{source['table']} {source['partition']}" for source in row["upstream"]]
        for row in records(lake, table)
    }


# What a record says of the run that made a partition, and not of the partition.
_OF_THE_RUN = ("run_id", "materialized_at", "seconds")


def left(lake: Lake, tables: Iterable[Table]) -> dict[str, Any]:
    """Return what runs left of tables: the bytes of files, and the records without their time and run."""
    files: dict[str, Any] = {}
    for table in tables:
        for place in lake.partitions(table):
            path = lake.file(table, place)
            files[path.removeprefix(lake.path)] = lake.filesystem.cat_file(path)
        for row in records(lake, table):
            record = {name: value for name, value in row.items() if name not in _OF_THE_RUN}
            files[f"{table.name} {row['partition']} {row['content_hash']}"] = record
    return files


def batch_differs(batch: Lake, single: Lake, stage: Stage, keys: Sequence[Key], run_of: Any) -> bool:
    """Tell whether one run of several partitions leaves anything else than one run for each.

    `run_of`: returns a new run over a lake. The two lakes hold equal inputs.
    """
    together = run_of(batch)
    for key in keys:
        make_partition(stage, key, together)
    for key in keys:
        make_partition(stage, key, run_of(single))
    tables = (*stage.tables, *stage.side_tables)
    return left(batch, tables) != left(single, tables)
