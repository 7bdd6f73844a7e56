"""The stage of the questions: every benchmark's, with options, key and gold evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from evidence_assets.lake.schemas import QUESTIONS, REJECTED_RECORDS
from evidence_assets.sources.project import Project
from evidence_assets.sources.records import NothingReadError
from evidence_assets.sources.specifications import reading
from evidence_assets.stages.declaration import Metadata, Output, Rows, Scope, Stage

if TYPE_CHECKING:
    from evidence_assets.stages.step import Step


class NoQuestionsError(NothingReadError):
    """None of a benchmark's records is a question: names the file, the first record and the remedy."""


def note_files(step: Step, written: str, located: str, opened: Iterable[str]) -> None:
    """Note what a URI of the configuration names as read, and the files opened beside it: labels, tables."""
    from evidence_assets.sources.files import contents_of, files_beside

    step.inputs.note_source(written, *contents_of(located))
    for beside, uri in files_beside(written, located, opened):
        step.inputs.note_source(beside, *contents_of(uri))


def source_stages(project: Project) -> list[Stage]:
    """Return the stage of the questions."""

    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.sources.files import opened_files
        from evidence_assets.sources.questions.registry import BENCHMARKS
        from evidence_assets.sources.questions.rows import (
            no_questions,
            question_files,
            question_rows,
            sampled,
        )
        from evidence_assets.sources.rejections import how_many, left_out_of, rejected_rows

        benchmark = step.key.name
        source = project.benchmark(benchmark)
        located = project.locate(source.uri)
        reader = BENCHMARKS[source.reader].reader
        records = (record for uri in question_files(located) for record in reader(uri, source.split))
        with opened_files() as opened:
            every, rejected = question_rows(records, benchmark, source)
        note_files(step, source.uri, located, opened)
        rows = sampled(every, source.sample)
        yield Rows(QUESTIONS, rows)
        yield Rows(REJECTED_RECORDS, rejected_rows(benchmark, source.uri, rejected))
        if not every.num_rows:
            # Both tables stand and can be looked at; nothing is recorded, and what reads them does not run.
            raise NoQuestionsError(no_questions(f"benchmark {benchmark}", source, rejected))
        if rejected:
            step.log.warning(left_out_of(f"benchmark {benchmark}", rejected))
        yield Metadata(
            {
                "sample": f"{rows.num_rows:,} of {every.num_rows:,} questions",
                "rejected": how_many(rejected),
                "with_gold_evidence": sum(map(bool, rows.column("gold_evidence").to_pylist())),
                "without_key": sum(not answers for answers in rows.column("answers").to_pylist()),
                "licence": source.licence,
            }
        )

    description = "Every benchmark's questions with options, key, and the gold evidence its authors name."
    return [
        Stage(
            name=QUESTIONS.name,
            scope=Scope.BENCHMARK,
            outputs=(Output(QUESTIONS, description),),
            inputs=(),
            run=run,
            group="sources",
            layer="source",
            version="9",
            files=("benchmark_files",),
            file_uris=lambda key: (project.benchmark(key.name).uri,),
            configuration=lambda key: reading(project.benchmark(key.name)),
            side_tables=(REJECTED_RECORDS,),
        )
    ]
