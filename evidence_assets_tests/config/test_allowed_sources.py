"""Where sources may lie: anywhere, or below the places that whoever runs the project lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence_assets.config.configuration import load_project
from evidence_assets.extraction.domain_model.corpus_model import take_prepared
from evidence_assets.extraction.judgements import JudgementError, read_judgements
from evidence_assets.extraction.seeds import SeedError, read_seed
from evidence_assets.sources.allowed_places import ALLOWED_VARIABLE
from evidence_assets.sources.articles.registry import READERS
from evidence_assets.sources.files import fingerprint, list_files, open_binary
from evidence_assets.sources.locating import locate
from evidence_assets.sources.project import Project
from evidence_assets.sources.records import RejectedRecord, UnusableSourceError
from evidence_assets.sources.specifications import ConfigurationError, Sources
from evidence_assets.training.prepared_readers import take_reader
from evidence_assets_tests.testing.small_project import write_yaml

SECRET = "What nobody may read."


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "project").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "project" / "link").symlink_to(tmp_path / "elsewhere")
    monkeypatch.setenv(ALLOWED_VARIABLE, f"{tmp_path}/project, s3://ours/data/")
    return tmp_path / "project"


@pytest.mark.parametrize(
    "uri",
    ["a.csv", "sub/*.csv", "zip://a.csv::b.zip", "s3://ours/data/a", "simplecache::s3://ours/data/a", "."],
)
def test_what_lies_below_a_listed_place_is_located(base: Path, uri: str) -> None:
    assert locate(uri, base)


@pytest.mark.parametrize(
    "uri",
    [
        *(
            "../elsewhere/a.csv",
            "/etc/passwd",
            "~/a.csv",
            "file:///etc/passwd",
            "link/a.csv",
            "../projects/a.csv",
        ),
        *("s3://theirs/a", "s3://ours/database/a", "s3://ours/data/../other", "https://example.org/a"),
        *("zip://a.csv::/etc/a.zip", "zip://a.csv::s3://theirs/a.zip", "https://example.org/a::a.csv"),
    ],
)
def test_anything_else_is_refused_with_its_remedy(base: Path, uri: str) -> None:
    with pytest.raises(ConfigurationError, match=rf"{ALLOWED_VARIABLE}.*remedy"):
        locate(uri, base)


@pytest.mark.parametrize("listed", ["", "  "])
def test_without_a_list_any_place_may_be_read(
    base: Path, listed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ALLOWED_VARIABLE, listed)
    assert locate("../elsewhere/a.csv", base) == str(base.parent / "elsewhere" / "a.csv")
    assert locate("https://example.org/a", base) == "https://example.org/a"


@pytest.fixture
def linked(base: Path) -> Path:
    """A folder of pages with links to a file and a folder elsewhere, and to a page that may be read."""
    pages = base / "pages"
    pages.mkdir()
    (pages / "a.txt").write_text("A page.\n", encoding="utf-8")
    (base.parent / "elsewhere" / "secret.txt").write_text(SECRET, encoding="utf-8")
    (pages / "out.txt").symlink_to(base.parent / "elsewhere" / "secret.txt")
    return base


def project_of(base: Path, uri: str, reader: str) -> Project:
    source = {"name": "pages", "uri": uri, "format": reader, "licence": "CC0-1.0"}
    write_yaml(base / "sources.yaml", {"corpora": {"small": {"sources": [source]}}})
    return load_project(base / "sources.yaml")


def read(project: Project) -> list[str]:
    """The text of every article of every shard."""
    return [
        record.reason if isinstance(record, RejectedRecord) else record.text
        for shard in project.shards.values()
        for record in READERS.reader(shard.source.format)(shard.uri, {})
    ]


@pytest.mark.parametrize(
    ("uri", "named"), [("pages/*.txt", "pages/out.txt"), ("*/secret.txt", "link/secret.txt")]
)
def test_a_pattern_that_leads_out_by_a_link_is_refused_by_name(linked: Path, uri: str, named: str) -> None:
    with pytest.raises(
        ConfigurationError, match=rf"{named}.*{ALLOWED_VARIABLE}.*remedy: put the file itself"
    ):
        project_of(linked, uri, "lines")


def test_a_folder_that_leads_out_by_a_link_is_refused_by_name(linked: Path) -> None:
    project = project_of(linked, "pages", "text_folder")
    with pytest.raises(UnusableSourceError, match=rf"pages/out\.txt.*{ALLOWED_VARIABLE}.*Remedy: put"):
        read(project)
    for look in (list_files, fingerprint):
        with pytest.raises(UnusableSourceError, match=r"pages/out\.txt"):
            look(str(linked / "pages"))


def test_links_between_listed_places_are_followed(linked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = linked.parent / "elsewhere"
    monkeypatch.setenv(ALLOWED_VARIABLE, f"{linked},{elsewhere}")
    assert read(project_of(linked, "pages", "text_folder")) == ["A page.", SECRET]
    assert read(project_of(linked, "pages/*.txt", "lines")) == ["A page.", SECRET]
    monkeypatch.setenv(ALLOWED_VARIABLE, "")
    assert SECRET in read(project_of(linked, "*/secret.txt", "lines"))


def test_a_record_names_no_file_behind_a_link_that_leads_out(linked: Path) -> None:
    for path in ("pages/out.txt", "link/secret.txt"):
        with pytest.raises(UnusableSourceError, match="links lead from it"), open_binary(str(linked / path)):
            pass


def test_places_that_are_links_themselves_hold_what_is_in_them(
    linked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The project is worked on by another path than the one that is listed."""
    alias = linked.parent / "alias"
    alias.symlink_to(linked)
    with open_binary(str(alias / "pages" / "a.txt")) as stream:
        assert stream.read() == b"A page.\n"
    with pytest.raises(UnusableSourceError, match="links lead from it"):
        list_files(str(alias / "pages"))


def test_what_no_configuration_can_name_is_not_asked_for(linked: Path) -> None:
    """The lake, and files of the package, lie where they lie."""
    with open_binary(str(linked.parent / "elsewhere" / "secret.txt")) as stream:
        assert stream.read() == SECRET.encode()


def test_seeds_judgements_and_prepared_models_are_held_to_the_places_too(linked: Path) -> None:
    secret = linked.parent / "elsewhere" / "secret.txt"
    for name in ("IsA.yaml", "one.tsv", "evaluations.json", "reader.json"):
        (linked / "pages" / name).symlink_to(secret)
    with pytest.raises(SeedError, match=rf"IsA\.yaml: links lead.*{ALLOWED_VARIABLE}.*remedy"):
        read_seed(linked / "pages" / "IsA.yaml")
    with pytest.raises(JudgementError, match=rf"one\.tsv: links lead.*{ALLOWED_VARIABLE}.*remedy"):
        read_judgements(linked / "pages")
    with pytest.raises(UnusableSourceError, match="links lead"):
        take_prepared(linked, linked / "cache", "pages")
    with pytest.raises(UnusableSourceError, match="links lead"):
        take_reader("theirs", None, linked / "pages", linked / "cache")


def test_an_address_in_the_lake_does_not_leave_it(base: Path) -> None:
    project = Project(Sources(), base / "sources.yaml", {}, str(base.parent / "lake"))
    assert project.locate("lake://asked/quiz.jsonl") == str(base.parent / "lake" / "asked" / "quiz.jsonl")
    with pytest.raises(ConfigurationError, match="leads out of the lake; remedy"):
        project.locate("lake://asked/../../elsewhere/secret.txt")
