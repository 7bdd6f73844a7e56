"""The small project through every job: what it leaves, and what stays when it runs again."""

from __future__ import annotations

import shutil
from itertools import pairwise
from pathlib import Path

import dagster as dg
import pytest

from evidence_assets.lake import catalogue
from evidence_assets.lake.schemas import (
    CHUNKS,
    GOLD_CHUNKS,
    TABLES_BY_NAME,
    Table,
    answers,
    attention,
    knowledge,
)
from evidence_assets.models.encoder import SentenceTransformerEncoder
from evidence_assets.reading.baselines import CHANCE, MAJORITY
from evidence_assets.systems.uscrake.arms import ARMS, COMPARED_WITH
from evidence_assets.text.verbalisation import CONCEPTNET, templates, verbalise
from evidence_assets_tests.testing.lake_queries import noted_materializations, query
from evidence_assets_tests.testing.small_project import (
    ANIMAL_QUIZ,
    ARMS_MADE,
    BENCHMARKS,
    CONTROLLED,
    FOX_DEN,
    LAND,
    MINERAL_QUIZ,
    NATURE,
    ROCKS,
    SEA,
    SHARDS,
    STONES,
    Built,
    SmallProject,
    arms_made,
    checks_of,
    failure_of,
    metadata_of,
    run_everything_in_batches,
    run_job,
    run_range,
    write_small_project,
)

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("small_project")]

QUESTION_COUNT = {ANIMAL_QUIZ: 3, MINERAL_QUIZ: 2}
PREDICTION_COUNT = sum(len(arms_made(name)) * count for name, count in QUESTION_COUNT.items())
# Of a system that reads tables, of language models, and of what is not built yet: other tests run those.
UNWRITTEN = {
    "tables",
    "collapsed_tables",
    "generations",
    "evidence_ablations",
    "ablation_scores",
    "leakage_flags",
    "evidence_pages",
    "scoreboard_pages",
    "trained_readers",
    "reader_questions",
    "reader_admissions",
}
# Of UGAT-MedQA, which no benchmark of the small project takes.
WALKED = {"question_subgraphs", "node_relevance", "relevance_diagnostics", "reasoning_paths"}
# Of the systems that ask a graph, which no benchmark of the small project takes.
ANSWER_TABLES = {
    table.name for table in (*vars(answers).values(), *vars(attention).values()) if isinstance(table, Table)
}
# Of the harvest, which the small project's configuration does not name.
HARVESTED = {table.name for table in vars(knowledge).values() if isinstance(table, Table)}


def run_all(project: SmallProject) -> list[dg.ExecuteInProcessResult]:
    with dg.DagsterInstance.ephemeral() as instance:
        return run_everything_in_batches(project.definitions(), instance)


def refuse_to_encode(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: object, texts: list[str]) -> None:
        raise AssertionError(f"encoded again: {texts}")

    monkeypatch.setattr(SentenceTransformerEncoder, "encode", refuse)
    monkeypatch.setattr(SentenceTransformerEncoder, "encode_words", refuse)


def edit(project: SmallProject, source: str, name: str, old: str, new: str) -> None:
    path = project.article(source, name)
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_every_job_succeeds_and_every_check_passes(built: Built) -> None:
    assert all(result.success for _, _, result in built.results)
    checks = [check for _, _, result in built.results for check in checks_of(result)]
    assert [check for check in checks if not check[2]] == []
    checked = {asset for asset, name, _ in checks if name == "rows_fit_declaration"}
    assert {asset.rpartition("/")[2] for asset in checked} == (
        TABLES_BY_NAME.keys()
        - UNWRITTEN
        - WALKED
        - ANSWER_TABLES
        - HARVESTED
        - {"materializations", "rejected_records", "graph_sources"}
    )


def test_every_question_is_answered_by_every_arm(built: Built) -> None:
    rows = query(
        built.project.lake, "SELECT arm, benchmark, count(*) FROM predictions GROUP BY ALL ORDER BY ALL"
    )
    assert rows == sorted((arm, name, QUESTION_COUNT[name]) for name in BENCHMARKS for arm in arms_made(name))
    assert len(arms_made(ANIMAL_QUIZ)) > len(arms_made(MINERAL_QUIZ)) > 5


def test_every_prediction_is_traced_to_source_text(built: Built) -> None:
    sources = {
        path.stem: path.read_text(encoding="utf-8") for path in built.project.folder.rglob("articles/*/*.md")
    }
    lines = {
        f"{path.stem}, line {number}": line.split("\t")
        for path in built.project.folder.glob("*.tsv")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
    }
    kinds: set[str] = set()
    with catalogue.connect(built.project.lake) as connection:
        wanted = connection.execute("SELECT prediction_id, abstained, arm FROM predictions").fetchall()
        assert len(wanted) == PREDICTION_COUNT
        assert sum(abstained for _, abstained, _ in wanted) == 0
        for prediction_id in (prediction_id for prediction_id, _, arm in wanted if ARMS[arm].retrieval):
            rows = connection.execute(
                "SELECT role, kind, evidence_text, source_text, source_uri, source_record, licence, "
                "source_unchanged FROM trace(?)",
                [prediction_id],
            ).fetchall()
            assert {row[0] for row in rows} == {"given", "cited"}
            for _, kind, evidence_text, source_text, source_uri, source_record, licence, unchanged in rows:
                kinds.add(kind)
                assert unchanged
                assert licence == "CC0-1.0"
                if kind == "triple":
                    assert set(source_uri.split("; ")) <= {"facts.tsv", "more.tsv"}
                    for record in source_record.split("; "):
                        relation, head, tail = lines[record]
                        assert source_text == f"{head} {relation} {tail}"
                        assert evidence_text == verbalise(templates(CONCEPTNET)[relation], head, tail)
                    continue
                assert evidence_text == source_text
                assert any(source_text in text for text in sources.values())
                assert source_uri in {"articles/land", "articles/sea", "articles/rocks"}
    assert kinds == {"chunk", "sentence", "triple"}


def test_impact_of_an_article_is_every_prediction_that_rests_on_it(built: Built) -> None:
    [(article_id,)] = query(built.project.lake, "SELECT article_id FROM articles WHERE title = 'Quartz'")
    impacted = {
        row[0] for row in query(built.project.lake, "SELECT prediction_id FROM impact(?)", article_id)
    }
    resting = query(
        built.project.lake,
        "SELECT DISTINCT prediction_id FROM prediction_evidence JOIN evidence USING (evidence_id) "
        "WHERE locator.article_id = ?",
        article_id,
    )
    assert impacted == {row[0] for row in resting}
    benchmarks = query(built.project.lake, "SELECT DISTINCT benchmark FROM impact(?)", article_id)
    assert benchmarks == [(MINERAL_QUIZ,)]
    by_file = query(built.project.lake, "SELECT DISTINCT prediction_id FROM impact('articles/rocks')")
    assert impacted <= {row[0] for row in by_file}
    with_evidence = [arm for arm in arms_made(MINERAL_QUIZ) if ARMS[arm].retrieval]
    assert len(impacted) == len(with_evidence) * QUESTION_COUNT[MINERAL_QUIZ]


def test_impact_of_a_triple_is_every_prediction_that_rests_on_it(built: Built) -> None:
    [(triple_id,)] = query(
        built.project.lake,
        "SELECT triple_id FROM triples WHERE head = 'kelp' AND relation = 'IsA' AND kg = ?",
        NATURE,
    )
    impacted = query(built.project.lake, "SELECT DISTINCT arm, question_id FROM impact(?)", triple_id)
    resting = query(
        built.project.lake,
        "SELECT DISTINCT used.arm, question_id FROM prediction_evidence AS used "
        "JOIN evidence USING (evidence_id) JOIN predictions USING (prediction_id) "
        "WHERE list_contains(locator.triple_ids, ?)",
        triple_id,
    )
    assert set(impacted) == set(resting)
    assert {question_id for _, question_id in impacted} == {"a1"}
    readers = {arm for arm in ARMS_MADE if ARMS[arm].selection.triples}
    assert 3 < len({arm for arm, _ in impacted}) <= len(readers)
    assert {arm for arm, _ in impacted} <= readers
    assert query(built.project.lake, "SELECT * FROM impact(?)", STONES) == []


def test_gold_evidence_is_found_where_it_stands_and_nowhere_else(built: Built) -> None:
    rows = built.project.lake.read(GOLD_CHUNKS, {"benchmark": ANIMAL_QUIZ}).to_pylist()
    assert {(row["question_id"], row["gold_index"]) for row in rows} == {("a1", 0), ("a1", 1), ("a2", 0)}
    [result] = [
        result for job, key, result in built.results if (job, key) == ("prepare_benchmark", ANIMAL_QUIZ)
    ]
    shown = metadata_of(result, "gold_chunks")[ANIMAL_QUIZ]
    assert (shown["gold_items"], shown["found_in_corpus"]) == (4, 3)


def test_recall_counts_gold_text_that_the_corpus_lacks_as_missed(built: Built) -> None:
    rows = query(
        built.project.lake,
        "SELECT DISTINCT value FROM benchmark_scores WHERE benchmark = ? AND metric = 'recall@15'",
        ANIMAL_QUIZ,
    )
    # Every arm ranks all four chunks: a1 and a2 are found whole, a3's text is nowhere.
    assert rows == [(pytest.approx(2 / 3),)]


def test_every_arm_is_compared_with_each_that_was_made(built: Built) -> None:
    for benchmark in BENCHMARKS:
        made = arms_made(benchmark)
        rows = query(
            built.project.lake,
            "SELECT DISTINCT arm, baseline_arm FROM score_differences "
            "WHERE benchmark = ? AND metric = 'accuracy'",
            benchmark,
        )
        others = [*(arm for arm in COMPARED_WITH if arm in made), CHANCE, MAJORITY]
        expected = {(arm, baseline) for baseline in others for arm in made if arm != baseline}
        expected |= {CONTROLLED} if set(CONTROLLED) <= set(made) else set()
        assert set(rows) == expected
        assert len({baseline for _, baseline in expected}) > 1


def test_without_an_arm_to_compare_with_the_remedy_is_told(tmp_path: Path) -> None:
    project = write_small_project(tmp_path / "project")
    with dg.DagsterInstance.ephemeral() as instance:
        result = run_job(
            project.definitions(), "compare_uscrake", MINERAL_QUIZ, instance, raise_on_error=False
        )
    message = failure_of(result)
    assert f"benchmark {MINERAL_QUIZ}: none of the arms to compare with is materialised" in message
    assert f"remedy: materialise {COMPARED_WITH[0]}" in message


def test_materializations_name_the_versions_they_were_made_from(built: Built) -> None:
    rows = noted_materializations(built.project.lake)
    files = [upstream for row in rows for upstream in row["upstream"] if upstream["table"] == "source_files"]
    assert all(len(file["content_hash"]) > 32 for file in files)
    upstream_of = {row["table"]: {upstream["table"] for upstream in row["upstream"]} for row in rows}
    assert upstream_of["articles"] == upstream_of["questions"] == {"source_files"}
    assert upstream_of["chunks"] == {"articles"}
    assert upstream_of["chunk_embeddings"] == {"chunks"}
    assert upstream_of["shard_indexes"] == {"chunk_embeddings"}
    assert upstream_of["shard_terms"] == {"chunks"}
    assert upstream_of["term_statistics"] == {"shard_terms"}
    assert upstream_of["chunk_pools"] == {
        "questions",
        "shard_indexes",
        "chunks",
        "articles",
        "term_statistics",
    }
    assert upstream_of["gold_chunks"] == {"questions", "articles", "chunks"}
    assert upstream_of["triples"] == upstream_of["graph_concepts"] == {"source_files"}
    # Conflicts are looked for in what the same step has just written, which is no input of it.
    assert upstream_of["graph_conflicts"] == {"source_files"}
    assert upstream_of["graph_nodes"] == upstream_of["graph_aliases"] == {"triples", "graph_concepts"}
    assert upstream_of["reranked_evidence"] == {"questions", "ranked_chunks", "ranked_triples", "chunks"}
    assert upstream_of["score_differences"] == {"question_scores", "questions"}
    assert upstream_of["question_scores"] >= {"predictions", "questions", "selected_evidence", "evidence"}
    of_quiz = {
        (row["table"], row["partition"]): {upstream["table"] for upstream in row["upstream"]} for row in rows
    }
    graph = {"questions", "triples", "graph_nodes", "graph_aliases"}
    for table in ("question_concepts", "ranked_triples"):
        assert of_quiz[table, f"benchmark={ANIMAL_QUIZ}"] == graph
        assert of_quiz[table, f"benchmark={MINERAL_QUIZ}"] == set(), "it names no graph"
    for arm in ARMS_MADE:
        place = f"system=uscrake/arm={arm}/benchmark={ANIMAL_QUIZ}"
        selection = ARMS[arm].selection
        read = {"questions", "ranked_chunks", "chunks"} if ARMS[arm].retrieval else {"questions"}
        assert of_quiz["predictions", place] >= read
        assert ("ranked_triples" in of_quiz["predictions", place]) == bool(selection.triples)
        assert ("reranked_evidence" in of_quiz["predictions", place]) == selection.needs_scores


def test_what_an_asset_read_stands_above_it_in_the_graph(built: Built) -> None:
    graph = built.project.definitions().resolve_asset_graph()
    rows = query(
        built.project.lake, 'SELECT DISTINCT "table", partition, unnest(upstream).table FROM materializations'
    )
    # Two systems have tables of one name: the partition says whose.
    systems = {partition.partition("/")[0] for _, partition, _ in rows if partition.startswith("system=")}
    assert systems == {"system=uscrake"}
    reads = {(partition.startswith("system="), table, read) for table, partition, read in rows}
    assert len(reads) > 20
    for of_system, table, read in sorted(reads):
        if read == "source_files":
            continue
        asset = dg.AssetKey(["uscrake", table] if of_system else [table])
        above = {key.path[-1] for key in graph.get_ancestor_asset_keys(asset)}
        assert read in above, f"{table} reads {read}, which the graph does not say"


def test_a_second_run_changes_no_byte_and_encodes_nothing(
    copied: SmallProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_to_encode(monkeypatch)
    files, modified = copied.files(), copied.modified()
    results = run_all(copied)
    assert all(result.success for result in results)
    assert copied.files() == files
    assert copied.modified() == modified
    assert not any("up_to_date" in shown for shown in metadata_of(results[0], "articles").values())
    embedded = metadata_of(results[0], "chunk_embeddings")
    assert embedded.keys() == set(SHARDS)
    assert [shown["encoded"] for shown in embedded.values()] == [0, 0, 0]
    assert [shown["changed"] for shown in embedded.values()] == [False, False, False]


def test_a_job_leaves_what_is_up_to_date(built: Built, copied: SmallProject) -> None:
    """Nothing is read, made or written; what Dagster is told of it is what it was told when it was made."""
    files, modified = copied.files(), copied.modified()
    steps = [
        ("ingest_corpus", ROCKS),
        ("build_graph", NATURE),
        ("rank_triples", ANIMAL_QUIZ),
        ("run_uscrake", f"{arms_made(ANIMAL_QUIZ)[0]}|{ANIMAL_QUIZ}"),
    ]
    instance = built.instance
    for job, key in steps:
        before = versions_of(instance, copied.definitions(), job, key)
        result = run_job(copied.definitions(), job, key, instance)
        assert before and versions_of(instance, copied.definitions(), job, key) == before
        for asset in before:
            [shown] = metadata_of(result, asset).values()
            assert (shown["up_to_date"], shown["changed"]) == (True, False)
    assert copied.files() == files
    assert copied.modified() == modified


def versions_of(
    instance: dg.DagsterInstance, definitions: dg.Definitions, job: str, partition: str
) -> dict[str, str]:
    """The data version of each of a job's assets, as Dagster has it."""
    versions = {}
    for key in definitions.resolve_job_def(job).asset_layer.selected_asset_keys:
        record = instance.get_latest_data_version_record(key, partition_key=partition)
        assert record is not None and record.asset_materialization is not None
        versions[key.to_user_string()] = (record.asset_materialization.tags or {})["dagster/data_version"]
    return versions


def test_batched_runs_make_the_bytes_that_single_runs_make(built: Built, tmp_path: Path) -> None:
    project = write_small_project(tmp_path / "project")
    results = run_all(project)
    checks = [check for result in results for check in checks_of(result)]
    assert len(checks) > 20
    assert all(passed for _, _, passed in checks)
    # Run ids and times live in `materializations` alone; the catalogue names the lake's own folder.
    of_the_run = ("materializations/", "evidence.duckdb")
    files, expected = project.files(), built.project.files()
    assert {name for name in files if not name.startswith(of_the_run)} == {
        name for name in expected if not name.startswith(of_the_run)
    }
    assert {name: sha for name, sha in files.items() if not name.startswith(of_the_run)} == {
        name: sha for name, sha in expected.items() if not name.startswith(of_the_run)
    }
    assert files.keys() == expected.keys()
    counts = metadata_of(results[0], "articles")
    assert {shard: shown["dagster/row_count"] for shard, shown in counts.items()} == dict.fromkeys(SHARDS, 2)


def test_a_batched_run_can_cover_some_benchmarks_and_arms(copied: SmallProject) -> None:
    arms = next(pair for pair in pairwise(ARMS) if set(pair) <= set(ARMS_MADE))
    with dg.DagsterInstance.ephemeral() as instance:
        result = run_range(
            copied.definitions(),
            "run_uscrake",
            f"{arms[0]}|{ANIMAL_QUIZ}",
            f"{arms[1]}|{ANIMAL_QUIZ}",
            instance,
        )
    assert metadata_of(result, "uscrake/predictions").keys() == {f"{arm}|{ANIMAL_QUIZ}" for arm in arms}
    assert all(passed for _, _, passed in checks_of(result))


def test_deleting_the_cache_costs_time_and_no_byte(copied: SmallProject) -> None:
    files = copied.files()
    arm = ARMS[arms_made(MINERAL_QUIZ)[0]]
    shutil.rmtree(copied.cache_folder)
    steps = [
        ("ingest_corpus", ROCKS),
        ("add_up_terms", "minerals"),
        ("prepare_benchmark", MINERAL_QUIZ),
        ("rank_chunks", f"{arm.retrieval}|{MINERAL_QUIZ}"),
        ("run_uscrake", f"{arm.name}|{MINERAL_QUIZ}"),
    ]
    with dg.DagsterInstance.ephemeral() as instance:
        results = [
            run_job(copied.definitions(), job, key, instance, run_config=copied.again) for job, key in steps
        ]
    assert metadata_of(results[0], "chunk_embeddings")[ROCKS]["encoded"] == 2
    assert copied.files() == files


def test_an_edited_article_changes_what_rests_on_it_and_nothing_else(copied: SmallProject) -> None:
    before, modified = copied.files(), copied.modified()
    old_chunks = set(
        copied.lake.read(CHUNKS, {"corpus": "animals", "shard": LAND}).column("chunk_id").to_pylist()
    )
    edit(copied, "land", "fox.md", FOX_DEN, "A red fox raises its cubs in a burrow.")
    results = run_all(copied)
    assert all(passed for result in results for _, _, passed in checks_of(result))
    after = copied.files()
    changed = {name for name in before if after.get(name) != before[name]}
    assert {name for name in changed if "minerals" in name or MINERAL_QUIZ in name or ROCKS in name} == set()
    assert {name for name in changed if f"shard={SEA}" in name} == set()
    for table in ("articles", "chunks", "chunk_embeddings"):
        assert f"{table}/corpus=animals/shard={LAND}/data.parquet" in changed
    for table in ("gold_chunks", "chunk_pools"):
        assert f"{table}/benchmark={ANIMAL_QUIZ}/data.parquet" in changed
    assert f"questions/benchmark={ANIMAL_QUIZ}/data.parquet" not in changed
    # The files of the other corpus were not even written anew.
    times = copied.modified()
    untouched = [name for name in modified if "mineral" in name]
    assert len(untouched) > 20
    assert all(times[name] == modified[name] for name in untouched)
    # One article of two was encoded again; its old chunk is named nowhere.
    assert metadata_of(results[0], "chunk_embeddings")[LAND]["encoded"] == 1
    [gone] = old_chunks - set(
        copied.lake.read(CHUNKS, {"corpus": "animals", "shard": LAND}).column("chunk_id").to_pylist()
    )
    for table in ("chunk_embeddings", "chunk_pools", "ranked_chunks", "gold_chunks"):
        assert query(copied.lake, f"SELECT count(*) FROM {table} WHERE chunk_id = ?", gone) == [(0,)]
    assert query(copied.lake, "SELECT count(*) FROM evidence WHERE source_key = ?", gone) == [(0,)]
    # The gold sentence is gone from the article.
    gold = copied.lake.read(GOLD_CHUNKS, {"benchmark": ANIMAL_QUIZ}).column("question_id").to_pylist()
    assert set(gold) == {"a1"}


def test_an_edit_taken_back_restores_every_table(built: Built, copied: SmallProject) -> None:
    before = copied.files()
    edit(copied, "land", "fox.md", FOX_DEN, "A red fox raises its cubs in a burrow.")
    with dg.DagsterInstance.ephemeral() as instance:
        run_job(copied.definitions(), "ingest_corpus", LAND, instance)
        assert copied.files() != before
        edit(copied, "land", "fox.md", "A red fox raises its cubs in a burrow.", FOX_DEN)
        run_job(copied.definitions(), "ingest_corpus", LAND, instance)
    after = copied.files()
    # Records of what was made, and when, say that it was made again; nothing else knows.
    content_files = {name for name in before if not name.startswith("materializations/")}
    assert {name: after[name] for name in content_files} == {name: before[name] for name in content_files}
    assert all(name.startswith("materializations/") for name in after.keys() - before.keys())
    # Articles, chunks, embeddings, the shard's index and its terms.
    assert len(after.keys() - before.keys()) == 5
