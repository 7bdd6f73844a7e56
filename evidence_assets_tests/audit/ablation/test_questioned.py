from __future__ import annotations

from evidence_assets.audit.ablation.questioned import Cells, questioned_predictions
from evidence_assets.evidence.experiment import Answer, Chain, Experiment, Selected
from evidence_assets.evidence.units import (
    EvidenceUnit,
    unit_of_cell,
    unit_of_column,
    unit_of_question,
    unit_of_triple,
)
from evidence_assets.stages.withholding import Source

OPTIONS = ["sea", "land"]


def sentence(article: str, start: int) -> EvidenceUnit:
    return EvidenceUnit(
        "sentence", f"{article} {start}", "chunks", f"c{article}", "v", article, start, start + 5
    )


def question_of(key: str = "q") -> dict[str, object]:
    return {"question_id": key, "question": "where", "options": OPTIONS, "answer_index": 0, "answers": []}


def chosen(units: list[EvidenceUnit]) -> list[Selected]:
    return [Selected(unit, 1.0, []) for unit in units]


def questioned(experiment: Experiment, cells: Cells | None = None) -> list[tuple[list[str], list[str]]]:
    tables = experiment.tables()
    predictions, used, evidence = (
        tables[name] for name in ("predictions", "prediction_evidence", "evidence")
    )
    return [
        ([source.name for source in prediction.given], [source.name for source in prediction.cited])
        for prediction in questioned_predictions(predictions, used, evidence, cells or {})
    ]


def test_an_article_counts_once_and_citations_are_those_of_the_answers_chain() -> None:
    experiment = Experiment("s", "a@r", "b", "1")
    whale, krill, fox = sentence("whale", 0), sentence("whale", 9), sentence("fox", 0)
    triple = unit_of_triple("t1", "a fox eats voles")
    chains = [Chain(0, "[E1] [E2]", [whale, krill], 1.0, {}), Chain(1, "[E1]", [fox], 0.5, {})]
    evidence = {0: chosen([whale, krill]), 1: chosen([fox, triple])}
    experiment.answer(question_of(), evidence, chains, Answer(0, 0.7, "r", "A"))
    assert questioned(experiment) == [(["articles/whale", "articles/fox", "triples/t1"], ["articles/whale"])]


def test_abstentions_and_answers_from_the_question_alone_rest_on_no_evidence() -> None:
    experiment = Experiment("s", "a@r", "b", "1")
    unit = unit_of_question("q", "where")
    experiment.answer(question_of("q"), {-1: chosen([unit])}, [], Answer(0, 0.7, "r", "A"))
    silent = Answer(None, None, "r", "", abstained=True)
    experiment.answer(question_of("q2"), {0: chosen([sentence("whale", 0)])}, [], silent)
    assert questioned(experiment) == []


def test_a_column_stands_for_its_cells_that_hold_something() -> None:
    experiment = Experiment("s", "a@r", "b", "1")
    column, cell = unit_of_column("t", 1, "area"), unit_of_cell("t", 1, 0, "R2.C1: name: fox")
    chains = [Chain(0, "[E1]", [cell], 1.0, {})]
    experiment.answer(question_of(), {-1: chosen([column])}, chains, Answer(0, None, "r", "A"))
    cells = {"t": [["whale", "3"], ["fox", " "], ["crab", "5"]]}
    assert questioned(experiment, cells) == [
        (["tables/t R1.C2", "tables/t R3.C2", "tables/t R2.C1"], ["tables/t R2.C1"])
    ]


def test_a_source_without_a_place_is_named_by_its_row() -> None:
    assert Source("triples", "t1").name == "triples/t1"
