"""A harvest so small that its model is trained in seconds: three relations, and a graph that merges them."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dagster as dg
from sqlalchemy import event
from sqlalchemy.engine import Engine

from evidence_assets.config.configuration import load_project
from evidence_assets.orchestration.code_location import code_location
from evidence_assets.orchestration.seed_sensor import register_relations
from evidence_assets.systems.registry import SYSTEMS
from evidence_assets_tests.testing.follower import Follower, Requested
from evidence_assets_tests.testing.small_project import ProjectFolder, run_assets, run_job, write_yaml

CORPUS = "facts"
# A file of facts is a shard.
SHARDS = ("facts.told.atlocation-yaml", "facts.told.devours-yaml", "facts.told.isa-yaml")
KBLOOM, BERTNET = ARMS = ("kbloom", "bertnet")
# The first states triples alone, the second merges them with what was harvested.
REFERENCE, MERGED = "stated", "merged"
# Asks the merged graph.
QUIZ = "quiz"
RELATIONS = ("AtLocation", "Devours", "IsA")
# No template of the project reads it out: only its own seed file does.
OWN = "Devours"

Pair = tuple[str, str]


def _pairs(listed: str) -> tuple[Pair, ...]:
    """Pairs of single words: `oven kitchen, spoon kitchen`."""
    return tuple((head, tail) for head, tail in (pair.split() for pair in listed.split(", ")))


# Relation: the sentences that tell a pair, and the pairs that are told.
TOLD: Mapping[str, tuple[tuple[str, ...], tuple[Pair, ...]]] = {
    "AtLocation": (
        (
            "{head} can be found at {tail}.",
            "{head} is located in the {tail}.",
            "in the {tail} one often sees {head}.",
            "someone searching for {head} should go to the {tail}.",
        ),
        _pairs(
            "oven kitchen, spoon kitchen, knife kitchen, soap bathroom, towel bathroom, "
            "shower bathroom, pillow bedroom, blanket bedroom, desk office, printer office, "
            "book library, shelf library, nurse hospital, patient hospital, cow farm, "
            "barn farm, whale ocean, coral ocean"
        ),
    ),
    "Devours": (
        (
            "{head} devours {tail}.",
            "{head} often hunts {tail} for a meal.",
            "the prey of {head} is {tail}.",
            "a hungry {head} swallows {tail}.",
        ),
        _pairs(
            "wolf sheep, lion zebra, fox rabbit, hawk vole, frog beetle, pike perch, "
            "heron minnow, snake gecko, tiger deer, otter crab, seal squid, spider mosquito"
        ),
    ),
    "IsA": (
        (
            "{head} is a kind of {tail}.",
            "{head} is classified as {tail}.",
            "the category {tail} covers every {head}.",
            "one familiar type of {tail} is {head}.",
        ),
        _pairs(
            "wolf mammal, otter mammal, lion mammal, hawk bird, heron bird, pike fish, "
            "perch fish, minnow fish, apple fruit, cherry fruit, carrot vegetable, "
            "onion vegetable, iron metal, copper metal, beetle insect, mosquito insect"
        ),
    ),
}

PROMPTS: Mapping[str, tuple[str, str]] = {
    "AtLocation": ("<ENT0> is in the <ENT1>", "{head} can be found at {tail}"),
    "Devours": ("<ENT0> devours <ENT1>", "{head} devours {tail} whole"),
    "IsA": ("<ENT0> is a <ENT1>", "{head} is a kind of {tail}"),
}
# How many of its pairs are a relation's seeds. A prompt with a keyword is paraphrased at length: one will do.
SEEDS = {"AtLocation": 4, "Devours": 1, "IsA": 4}

# Settings under which a relation costs a fraction of a second, for what many of them do together.
CHEAP: Mapping[str, Any] = {
    "triples": 2,
    "list_size": 2,
    "prompts": 1,
    "most_first": 2,
    "most_phrases": 1,
    "branch": 1,
}
PLAIN = tuple(f"Plain{number:02}" for number in range(33))

# What someone stated: relation, head, tail.
STATED = (
    ("IsA", "otter", "mammal"),
    ("IsA", "salmon", "fish"),
    ("AtLocation", "cow", "farm"),
    ("AtLocation", "whale", "ocean"),
)


@dataclass(frozen=True)
class HarvestProject(ProjectFolder):
    """Where one copy of the project lives. `cache_folder` may be shared: what is in it is kept by content."""

    folder: Path
    cache_folder: Path

    @property
    def seeds_folder(self) -> Path:
        return self.folder / "seeds"

    def seed(self, relation: str) -> Path:
        return self.seeds_folder / f"{relation}.yaml"

    def definitions(
        self,
        generators: Mapping[str, Mapping[str, Any]] | None = None,
        eager: Sequence[str] = (),
        **harvest: Any,
    ) -> dg.Definitions:
        """The project's definitions, with the lake in this folder; `harvest`: settings that differ."""
        key = repr((sorted(harvest.items()), list(eager)))
        name = f"sources_{hashlib.sha256(key.encode()).hexdigest()[:8]}.yaml"
        content = {
            **configuration(**harvest),
            "generators": dict(generators or {}),
            "automation": {"eager": list(eager)},
        }
        return code_location(load_project(write_yaml(self.folder / name, content)), SYSTEMS, self.resource)

    def register(self, instance: dg.DagsterInstance) -> list[str]:
        """Make the seed files partitions, as for a run from the command line."""
        return register_relations(instance, self.seeds_folder)

    def files(self) -> dict[str, str]:
        """The SHA-256 of every file of the lake, by path, but for what says when and where it was made."""
        return {
            str(path.relative_to(self.lake_folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(self.lake_folder.rglob("*"))
            if path.is_file() and "materializations" not in path.parts and path.suffix != ".duckdb"
        }

    def copy(self, folder: Path) -> HarvestProject:
        """This project with all that its folder holds, in another one, to be changed at will."""
        shutil.copytree(self.folder, folder)
        return HarvestProject(folder, self.cache_folder)


def configuration(**harvest: Any) -> dict[str, Any]:
    """The project's configuration, as the YAML file says it; `harvest`: settings that differ."""
    facts = {"name": "told", "uri": "facts/*.yaml", "format": "paraphrased_facts", "licence": "CC0-1.0"}
    stated = {"name": "by_hand", "uri": "stated.tsv", "format": "relation_head_tail", "licence": "CC0-1.0"}
    return {
        "corpora": {CORPUS: {"sources": [facts]}},
        "harvest": {
            "seeds": "seeds",
            "corpus": CORPUS,
            "arms": list(ARMS),
            "reference": REFERENCE,
            "triples": 10,
            "list_size": 15,
            "prompts": 2,
            "most_phrases": 6,
            "branch": 2,
            "least_readiness": 0.0,
            "training": {"from_scratch": True, "steps": 120, "vocabulary": 400},
            **harvest,
        },
        "graphs": {REFERENCE: {"sources": [stated]}, MERGED: {"sources": [stated], "harvests": [KBLOOM]}},
        "benchmarks": {
            QUIZ: {
                "reader": "questions_jsonl",
                "uri": "quiz.jsonl",
                "split": "test",
                "graph": MERGED,
                "systems": ["ugat_medqa"],
            }
        },
    }


def seed_of(
    relation: str, pairs: Sequence[Pair] | None = None, prompt: str = "", template: str = ""
) -> dict[str, Any]:
    """What a seed file says: of a relation that is told, with its own prompt and first pairs."""
    wording = PROMPTS.get(relation, ("", ""))
    listed = TOLD[relation][1][: SEEDS[relation]] if pairs is None else pairs
    return {
        "name": relation,
        "prompt": prompt or wording[0],
        "pairs": [list(pair) for pair in listed],
        "template": template or wording[1],
    }


def write_harvest_project(folder: Path, cache: Path, relations: Iterable[str] = RELATIONS) -> HarvestProject:
    """Write the corpus, the seed files, the stated triples and the configuration; nothing is materialised."""
    project = HarvestProject(folder, cache)
    for name in ("facts", "seeds"):
        (folder / name).mkdir(parents=True)
    for relation, (forms, pairs) in TOLD.items():
        content = {"relation": relation, "forms": list(forms), "pairs": [list(pair) for pair in pairs]}
        write_yaml(folder / "facts" / f"{relation}.yaml", content)
    for relation in relations:
        write_yaml(project.seed(relation), seed_of(relation))
    text = "".join("\t".join(triple) + "\n" for triple in STATED)
    (folder / "stated.tsv").write_text(text, encoding="utf-8")
    ask(project, "What is an otter?", ["mammal", "fish"])
    write_yaml(project.configuration, configuration())
    return project


def plain_seed(relation: str, turn: int = 0) -> dict[str, Any]:
    """What the seed file of a relation of `PLAIN` says; `turn`: another number is another pair.

    Its prompt has no keyword, so there is little to paraphrase.
    """
    number = PLAIN.index(relation)
    facts = [pair for _, pairs in TOLD.values() for pair in pairs]
    prompt = f"<ENT0> is {('in', 'on', 'at')[number % 3]} <ENT1>"
    pair = facts[(number + turn) % len(facts)]
    return seed_of(relation, [pair], prompt, f"{{head}} is {relation} to {{tail}}")


def ask(project: HarvestProject, question: str, options: Sequence[str]) -> None:
    """Make this the benchmark's only question."""
    line = {"id": "q", "question": question, "options": list(options), "answer_index": 0}
    (project.folder / f"{QUIZ}.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")


@contextmanager
def remembered(folder: Path) -> Iterator[dg.DagsterInstance]:
    """Who remembers the runs, in a folder that can be copied together with the lake that they made."""
    folder.mkdir(parents=True, exist_ok=True)
    # Thousands of small commits: a test's memory need not outlive a power cut.
    event.listen(Engine, "connect", _unsynced)
    instance = dg.DagsterInstance.local_temp(str(folder))
    try:
        yield instance
    finally:
        instance.dispose()
        event.remove(Engine, "connect", _unsynced)


def _unsynced(connection: Any, _: object) -> None:
    connection.execute("PRAGMA synchronous=OFF")


OF_A_RELATION = (
    "relation_seeds",
    "relation_prompts",
    "candidate_pairs",
    "prompt_captures",
    "harvested_triples",
)
OF_AN_ARM = ("harvests", "harvest_scores")
OF_A_GRAPH = ("triples", "graph_concepts", "graph_conflicts", "graph_nodes", "graph_aliases")
JOBS = {
    frozenset(OF_A_RELATION): "harvest_relation",
    frozenset(OF_AN_ARM): "gather_harvest",
    frozenset(OF_A_GRAPH): "build_graph",
}


@dataclass
class Daemon:
    """What Dagster's daemon does: one sensor looks at the seed files, another requests what is due."""

    project: HarvestProject
    definitions: dg.Definitions
    instance: dg.DagsterInstance
    sensor_cursor: str | None = None
    cursor: str | None = None

    @property
    def relations(self) -> set[str]:
        """The partitions that are registered."""
        return set(self.instance.get_dynamic_partitions("relations"))

    def look(self) -> set[str]:
        """Let the sensor look, do what it asks for, and return the relations it noted."""
        [sensor] = [
            candidate for candidate in self.definitions.sensors or () if candidate.name == "watch_seed_files"
        ]
        context = dg.build_sensor_context(instance=self.instance, cursor=self.sensor_cursor)
        result = sensor(context)
        assert isinstance(result, dg.SensorResult)
        for request in result.dynamic_partitions_requests or ():
            if isinstance(request, dg.AddDynamicPartitionsRequest):
                self.instance.add_dynamic_partitions("relations", request.partition_keys)
            else:
                for key in request.partition_keys:
                    self.instance.delete_dynamic_partition("relations", key)
        for noted in result.asset_events:
            self.instance.report_runless_asset_event(noted)
        self.sensor_cursor = result.cursor
        return {str(noted.partition) for noted in result.asset_events}

    def requested(self) -> Requested:
        """The partitions that a look at the lake requests, by stage; nothing is run."""
        with self._following() as follower:
            return follower.requested()

    def follow(self, success: bool = True) -> Requested:
        """Run what a look at the lake requests; return the partitions made, by asset."""
        with self._following() as follower:
            return follower.follow(success)

    @contextmanager
    def _following(self) -> Iterator[Follower]:
        follower = Follower(self.definitions, self.instance, self.cursor)
        yield follower
        self.cursor = follower.cursor

    def run(self, assets: Iterable[str], key: str) -> dg.ExecuteInProcessResult:
        """Some assets of one partition: by the job that holds just them, if there is one."""
        job = JOBS.get(frozenset(assets))
        if job is not None:
            return run_job(self.definitions, job, key, self.instance)
        return run_assets(self.definitions, assets, self.instance, key)
