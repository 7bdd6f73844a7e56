"""Facts of one relation in several wordings."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence_assets.sources.articles import paraphrased_facts
from evidence_assets.sources.articles.paraphrased_facts import read
from evidence_assets.sources.records import Article, RejectedRecord, UnusableSourceError
from evidence_assets_tests.testing.records_read import all_of, only_of

STARTER = Path(__file__).resolve().parents[3] / "evidence_assets" / "starter" / "facts"
FORMS = 'forms: ["{head} is for {tail}.", "for {tail} take {head}.", "{head} serves {tail}."]\n'
HEAD = f"relation: UsedFor\n{FORMS}"


def written(folder: Path, content: str | bytes, name: str = "facts.yaml") -> str:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def test_every_second_pair_is_not_told_in_the_first_form(tmp_path: Path) -> None:
    uri = written(tmp_path, f"\ufeff{HEAD}pairs: [[axe, cutting], [pen, writing], [bed, sleeping]]\n")
    text = (
        "axe is for cutting.\nfor cutting take axe.\naxe serves cutting.\n"
        "for writing take pen.\npen serves writing.\n"
        "bed is for sleeping.\nfor sleeping take bed.\nbed serves sleeping."
    )
    assert list(read(uri, {})) == [Article(key="UsedFor", title="", text=text)]


def test_braces_and_line_breaks_of_entities_are_safe(tmp_path: Path) -> None:
    uri = written(tmp_path, HEAD + 'pairs: [["a {tail}", "{head}  {0}\\n%s {"]]')
    article = only_of(Article, read(uri, {}))
    assert article.text.split("\n") == [
        "a {tail} is for {head} {0} %s {.",
        "for {head} {0} %s { take a {tail}.",
        "a {tail} serves {head} {0} %s {.",
    ]


@pytest.mark.parametrize(
    ("pair", "reason"),
    [
        ("[axe]", "not a list of two texts"),
        ("[axe, cutting, wood]", "not a list of two texts"),
        ("axe cutting", "not a list of two texts"),
        ("{axe: cutting}", "not a list of two texts"),
        ("", "not a list of two texts"),
        ("[axe, ' ']", "tail is empty"),
        ("[~, cutting]", "head is missing"),
        ("[no, cutting]", "head is not text but bool"),
        ("[axe, 365]", "tail is not text but int"),
        ("[pen, writing ]", "it repeats pair 1"),
    ],
)
def test_a_bad_pair_is_rejected_alone_and_keeps_its_number(tmp_path: Path, pair: str, reason: str) -> None:
    uri = written(tmp_path, f"{HEAD}pairs:\n  - [pen, writing]\n  - {pair}\n  - [bed, sleeping]\n")
    rejected, article = read(uri, {})
    assert isinstance(rejected, RejectedRecord)
    assert rejected.record == "pair 2"
    assert reason in rejected.reason
    assert rejected.remedy
    assert isinstance(article, Article)
    # Both pairs that are left have odd numbers, and are told in every form.
    assert len(article.text.split("\n")) == 6


def test_a_file_without_usable_pairs_gives_no_article(tmp_path: Path) -> None:
    [rejected] = read(written(tmp_path, f"{HEAD}pairs: [[a]]"), {})
    assert isinstance(rejected, RejectedRecord)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "the whole file: not a mapping of fields"),
        ("- a\n- b", "not a mapping of fields"),
        (f"{FORMS}pairs: [[a, b]]", "relation is missing"),
        (f"relation: 5\n{FORMS}pairs: [[a, b]]", "relation is not text but int"),
        ("relation: r\npairs: [[a, b]]", "forms is missing"),
        ("relation: r\nforms: '{head} {tail}'\npairs: [[a, b]]", "forms is not a list but str"),
        ("relation: r\nforms: ['{head} {tail}', '{head} is']\npairs: [[a, b]]", r"form 2 does not hold.*is'"),
        ("relation: r\nforms: ['{head} {head} {tail}']\npairs: [[a, b]]", "form 1 does not hold"),
        ("relation: r\nforms: ['{head} {tail} {other}']\npairs: [[a, b]]", "form 1 does not hold"),
        ("relation: r\nforms: ['{head} {tail}']\npairs: [[a, b]]", "forms holds 1 sentence"),
        ("relation: r\nforms: ['{head} {tail}', '{head}  {tail}']\npairs: [[a, b]]", "1 of them different"),
        ("relation: r\nforms: []\npairs: [[a, b]]", "forms holds 0 sentence"),
        (HEAD, "pairs is missing"),
        (f"{HEAD}pairs: []", "pairs is empty"),
        (f"{HEAD}pairs: {{a: b}}", "pairs is not a list but dict"),
        ("relation: r\nforms:\n  - {head} is {tail}.\n", "not YAML, line 3, column .*expected"),
        ("relation: !!python/object:os.system x", "not YAML, line 1"),
        (
            f"{HEAD}pairs: [[a, b]]\npairs: [[c, d]]",
            "not YAML, line 4, column 1: pairs stands twice, first in line 3",
        ),
        # The reader in C knows no half of a pair of surrogates.
        (f'{HEAD}pairs: [[axe, "\\ud800"]]', "not YAML, line 3"),
        ("relation: !!int x", "not YAML"),
        ("[" * 20_000, "not YAML"),
        (b"relation: caf\xe9", "byte 13, 0xe9, is not UTF-8"),
    ],
)
def test_an_unusable_file_is_named_with_its_fault_and_a_remedy(
    tmp_path: Path, content: str | bytes, reason: str
) -> None:
    with pytest.raises(UnusableSourceError, match=rf"(?s)facts\.yaml, .*{reason}.*Remedy: ."):
        list(read(written(tmp_path, content), {}))


def test_a_file_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = f"{HEAD}pairs: [[a, b]]"
    monkeypatch.setattr(paraphrased_facts, "LARGEST_BYTES", len(content))
    assert len(list(read(written(tmp_path, content), {}))) == 1
    with pytest.raises(UnusableSourceError, match="larger than"):
        list(read(written(tmp_path, f"{content}\n"), {}))


def test_several_files_and_a_relation_told_twice(tmp_path: Path) -> None:
    written(tmp_path, f"{HEAD}pairs: [[a, b], [c]]", "a.yaml")
    written(tmp_path, f"{HEAD}pairs: [[d, e]]", "b.yaml")
    written(tmp_path, f"relation: IsA\n{FORMS}pairs: [[f, g]]", "c.yaml")
    bad_pair, first, second_file, last = read(str(tmp_path), {})
    assert isinstance(first, Article)
    assert isinstance(last, Article)
    assert (first.key, last.key) == ("UsedFor", "IsA")
    assert isinstance(bad_pair, RejectedRecord)
    assert isinstance(second_file, RejectedRecord)
    assert (bad_pair.record, second_file.record) == ("a.yaml, pair 2", "b.yaml, relation 'UsedFor'")
    assert second_file.reason == "a.yaml tells this relation already"
    articles = all_of(Article, read(f"{tmp_path}/[bc].yaml", {}))
    assert [article.key for article in articles] == ["UsedFor", "IsA"]


def test_the_starter_facts_are_read_whole() -> None:
    articles = all_of(Article, read(str(STARTER), {}))
    assert [article.key for article in articles] == ["AtLocation", "IsA", "MadeOf", "PartOf", "UsedFor"]
    for article in articles:
        sentences = article.text.split("\n")
        assert len(sentences) == len(set(sentences)) == 64 * 6 - 32
        assert all(sentence.endswith(".") and "{" not in sentence for sentence in sentences)
    assert articles[-1].text.startswith("knife is used for cutting.\n")
    assert "axe is used for cutting." not in articles[-1].text
    assert "people use axe for cutting." in articles[-1].text
