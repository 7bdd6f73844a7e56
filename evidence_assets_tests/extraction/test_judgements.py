"""What judges said: files read strictly, and what follows from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence_assets.extraction.judgements import JudgementError, judged, key_of, read_judgements

HEADER = "relation\thead\ttail\tcorrect\n"


def write(folder: Path, judge: str, *rows: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / f"{judge}.tsv").write_text(HEADER + "".join(f"{row}\n" for row in rows), encoding="utf-8")


def test_each_judge_gives_precision_and_noise_and_two_their_kappa(tmp_path: Path) -> None:
    triples = [("UsedFor", "knife", "cutting"), ("UsedFor", "bed", "sleeping"), ("IsA", "cat", "animal")]
    write(tmp_path, "ada", *("\t".join((*triple, "1")) for triple in triples))
    write(
        tmp_path, "ben", "UsedFor\tKnife \tcutting\t1", "UsedFor\tbed\tsleeping\t0", "IsA\tcat\tanimal\tyes"
    )
    judges = read_judgements(tmp_path)
    by_metric = {row[0]: row for row in judged(judges, [key_of(*triple) for triple in triples])}
    assert by_metric["judged_precision:ada"][1] == 1.0
    assert by_metric["judged_precision:ben"][1] == pytest.approx(2 / 3)
    assert by_metric["judged_noisy:ben"][1] == pytest.approx(1 / 3)
    low, high = by_metric["judged_precision:ben"][2:4]
    assert 0 < low < 2 / 3 < high < 1
    # One judge says the same of all: what agreement there is, chance would give too.
    assert by_metric["cohens_kappa:ada:ben"][1] == 0.0
    assert by_metric["cohens_kappa:ada:ben"][4] == 3


def test_only_what_was_judged_counts(tmp_path: Path) -> None:
    write(tmp_path, "ada", "IsA\tcat\tanimal\t1", "IsA\tdog\tstone\t0")
    judges = read_judgements(tmp_path)
    [precision, _] = judged(judges, [key_of("IsA", "cat", "animal"), key_of("IsA", "owl", "bird")])
    assert precision[1] == 1.0
    assert precision[4] == 1
    assert list(judged(judges, [key_of("IsA", "owl", "bird")])) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("relation\thead\ttail\n", "no column correct"),
        (HEADER + "IsA\tcat\tanimal\tperhaps\n", "line 2, correct: 'perhaps' is no answer"),
        (HEADER + "IsA\tcat\tanimal\n", "line 2, correct: '' is no answer"),
        (HEADER + "IsA\tcat\tanimal\t1\nIsA\tCat\tanimal\t0\n", "line 3: contradicts an earlier line"),
        (HEADER + "IsA\tcaf\udce9\tanimal\t1\n", "not UTF-8"),
    ],
)
def test_a_broken_file_is_named_with_its_line(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "ada.tsv").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(JudgementError, match=problem):
        read_judgements(tmp_path)


def test_a_missing_folder_is_told_with_its_remedy(tmp_path: Path) -> None:
    with pytest.raises(JudgementError, match=r"leave harvest\.judgements out"):
        read_judgements(tmp_path / "none")
