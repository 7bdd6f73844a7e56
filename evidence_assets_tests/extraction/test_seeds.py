"""Seed files: what they may say, what their errors say, and those that come with the project."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from evidence_assets.extraction.probing import HEAD, TAIL
from evidence_assets.extraction.seeds import (
    MOST_PAIRS,
    RelationSeed,
    SeedError,
    fingerprint,
    read_seed,
    seed_files,
    seed_of_row,
    seed_row,
)
from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import RELATION_SEEDS
from evidence_assets.text.verbalisation import BIOMEDICAL, CONCEPTNET, templates
from evidence_assets_tests.testing.profiles import examples

LINES = {
    "name": "name: IsA",
    "prompt": "prompt: <ENT0> is a <ENT1>",
    "pairs": "pairs:\n  - [rose, flower]\n  - [hammer, tool]",
    "head_type": "head_type: thing",
    "template": 'template: "{head} is a {tail}"',
}
PROJECT = Path(__file__).resolve().parents[2]


def text_of(**changed: str | None) -> str:
    """A sound seed file with lines replaced, added, or, where None, left out."""
    lines = {**LINES, **changed}
    return "\n".join(line for line in lines.values() if line is not None) + "\n"


def written(folder: Path, text: str | bytes, name: str = "IsA.yaml") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refused(path: Path) -> str:
    """The message of the error, which names the file and a remedy."""
    with pytest.raises(SeedError) as raised:
        read_seed(path)
    message = str(raised.value)
    assert message.startswith(str(path))
    assert "; remedy: " in message
    return message


# --- what is read


def test_a_seed_file_is_read_whole(tmp_path: Path) -> None:
    path = written(tmp_path, text_of(tail_type="tail_type: kind"))
    assert read_seed(path) == RelationSeed(
        name="IsA",
        prompt="<ENT0> is a <ENT1>",
        pairs=(("rose", "flower"), ("hammer", "tool")),
        template="{head} is a {tail}",
        head_type="thing",
        tail_type="kind",
        content_hash=fingerprint(path),
    )


def test_types_may_be_left_out(tmp_path: Path) -> None:
    seed = read_seed(written(tmp_path, text_of(head_type=None)))
    assert (seed.head_type, seed.tail_type) == ("", "")


def test_the_order_of_the_slots_is_free_and_so_is_that_of_the_fields(tmp_path: Path) -> None:
    lines = {**LINES, "prompt": "prompt: one kind of <ENT1> is the <ENT0>"}
    text = "\n".join(lines[field] for field in reversed(lines))
    seed = read_seed(written(tmp_path, text))
    assert seed.prompt == "one kind of <ENT1> is the <ENT0>"
    assert seed.pairs == (("rose", "flower"), ("hammer", "tool"))


def test_white_space_is_collapsed(tmp_path: Path) -> None:
    text = text_of(
        prompt="prompt: >\n  <ENT0>   is\n  a <ENT1>\n", pairs='pairs:\n  - [" oak\t tree ", "a  plant"]'
    )
    seed = read_seed(written(tmp_path, text))
    assert seed.prompt == "<ENT0> is a <ENT1>"
    assert seed.pairs == (("oak tree", "a plant"),)


@pytest.mark.parametrize("count", range(1, MOST_PAIRS + 1))
def test_one_to_five_pairs_are_taken_in_order(tmp_path: Path, count: int) -> None:
    pairs = [(f"thing {letter}", f"kind {letter}") for letter in "abcde"[:count]]
    lines = "pairs:\n" + "\n".join(f"  - [{head}, {tail}]" for head, tail in pairs)
    assert read_seed(written(tmp_path, text_of(pairs=lines))).pairs == tuple(pairs)


def test_what_yaml_takes_for_something_else_is_a_text_in_quotes(tmp_path: Path) -> None:
    text = text_of(pairs='pairs: [["no", "Norwegian word"], [vitamin b12, "2 words"]]')
    assert read_seed(written(tmp_path, text)).pairs == (("no", "Norwegian word"), ("vitamin b12", "2 words"))


@pytest.mark.parametrize("encoded", [b"\xef\xbb\xbf" + text_of().encode(), text_of().encode() + b"# end"])
def test_a_byte_order_mark_and_a_comment_say_nothing(tmp_path: Path, encoded: bytes) -> None:
    plain, dressed = tmp_path / "plain", tmp_path / "dressed"
    plain.mkdir()
    dressed.mkdir()
    expected, seed = read_seed(written(plain, text_of())), read_seed(written(dressed, encoded))
    assert seed == replace(expected, content_hash=seed.content_hash)
    assert seed.content_hash != expected.content_hash, "a changed byte is a changed file"


def test_line_ends_of_windows_are_read(tmp_path: Path) -> None:
    assert read_seed(written(tmp_path, text_of().replace("\n", "\r\n"))).pairs[1] == ("hammer", "tool")
    text = text_of(head_type="head_type: 3").replace("\n", "\r\n")
    assert ", line 6, head_type: " in refused(written(tmp_path, text))


def test_the_hash_is_of_the_bytes_and_not_of_the_place(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    first = written(tmp_path, text_of())
    second = written(tmp_path / "elsewhere", text_of(), "HasA.yaml")
    assert fingerprint(first) == fingerprint(second)
    second.write_bytes(first.read_bytes() + b"\n")
    assert fingerprint(first) != fingerprint(second)


# --- what is refused: file, line, field


@pytest.mark.parametrize(
    ("changed", "line", "field", "problem"),
    [
        ({"prompt": "prompt: a rose is a <ENT1>"}, 2, "prompt", "holds <ENT0> 0 times"),
        ({"prompt": "prompt: <ENT0> is a kind"}, 2, "prompt", "holds <ENT1> 0 times"),
        ({"prompt": "prompt: <ENT0> is a <ENT0> <ENT1>"}, 2, "prompt", "holds <ENT0> 2 times"),
        ({"prompt": "prompt: <ENT0> <ENT1> <ENT1>"}, 2, "prompt", "holds <ENT1> 2 times"),
        ({"prompt": "prompt: <ent0> is a <ENT1>"}, 2, "prompt", "holds <ENT0> 0 times"),
        ({"prompt": "prompt: <ENT0> <ENT1>."}, 2, "prompt", "says nothing beside its two slots"),
        ({"prompt": "prompt:"}, 2, "prompt", "is no text"),
        ({"prompt": "prompt: ' '"}, 2, "prompt", "is no text"),
        ({"prompt": "prompt: [<ENT0>, <ENT1>]"}, 2, "prompt", "a list or mapping is no text"),
        ({"prompt": "prompt: 7"}, 2, "prompt", "'7' is no text"),
        ({"prompt": 'prompt: "<ENT0> \\0 <ENT1>"'}, 2, "prompt", "is no text"),
        ({"name": "name: isa"}, 1, "name", "'isa' is not 'IsA'"),
        ({"name": "name: HasA"}, 1, "name", "'HasA' is not 'IsA'"),
        ({"name": "name: on"}, 1, "name", "'on' is no text"),
        ({"name": "name: {a: b}"}, 1, "name", "a list or mapping is no text"),
        ({"pairs": "pairs:"}, 3, "pairs", "not a list of 1 to 5 pairs"),
        ({"pairs": "pairs: []"}, 3, "pairs", "not a list of 1 to 5 pairs"),
        ({"pairs": "pairs: {rose: flower}"}, 3, "pairs", "not a list of 1 to 5 pairs"),
        ({"pairs": "pairs: rose flower"}, 3, "pairs", "not a list of 1 to 5 pairs"),
        ({"pairs": f"pairs: {[[f'a{c}', f'b{c}'] for c in 'abcdef']}"}, 3, "pairs", "not a list of 1 to 5"),
        ({"pairs": "pairs:\n  - [rose, flower]\n  - [hammer]"}, 5, "pairs", "pair 2 is no [head, tail]"),
        ({"pairs": "pairs:\n  - [rose, red, flower]"}, 4, "pairs", "pair 1 is no [head, tail]"),
        ({"pairs": "pairs:\n  - rose, flower"}, 4, "pairs", "pair 1 is no [head, tail]"),
        ({"pairs": "pairs:\n  - rose: flower"}, 4, "pairs", "pair 1 is no [head, tail]"),
        ({"pairs": "pairs:\n  - [a, b]\n  - [no, word]"}, 5, "pairs", "pair 2: 'no' is no text with letters"),
        ({"pairs": "pairs:\n  - [yes, word]"}, 4, "pairs", "pair 1: 'yes' is no text with letters"),
        ({"pairs": "pairs:\n  - [seven, 7]"}, 4, "pairs", "pair 1: '7' is no text with letters"),
        ({"pairs": "pairs:\n  - [day, 2020-01-31]"}, 4, "pairs", "pair 1: '2020-01-31' is no text"),
        ({"pairs": "pairs:\n  - [day, 2020-99-99]"}, 4, "pairs", "pair 1: '2020-99-99' is no text"),
        ({"pairs": "pairs:\n  - [seven, ~]"}, 4, "pairs", "pair 1: '~' is no text with letters"),
        ({"pairs": "pairs:\n  - [seven, '7']"}, 4, "pairs", "pair 1: '7' is no text with letters"),
        ({"pairs": "pairs:\n  - [rose, '']"}, 4, "pairs", "pair 1: '' is no text with letters"),
        ({"pairs": "pairs:\n  - [[rose], flower]"}, 4, "pairs", "pair 1: a list or mapping is no text"),
        ({"pairs": 'pairs:\n  - [rose, "\\ud800flower"]'}, 4, "pairs", r"pair 1: '\ud800flower' is no text"),
        ({"pairs": "pairs:\n  - [rose, rose]"}, 4, "pairs", "pair 1: head and tail are the same"),
        ({"pairs": "pairs:\n  - [Rose, 'rose ']"}, 4, "pairs", "pair 1: head and tail are the same"),
        ({"pairs": "pairs:\n  - [a, b]\n  - [c, d]\n  - [a, b]"}, 6, "pairs", "pair 3 is given twice"),
        ({"pairs": "pairs:\n  - [a, b]\n  - [A, b]"}, 5, "pairs", "pair 2 is given twice"),
        ({"pairs": "pairs:\n  - [a, b]\n  - [b, a]"}, 5, "pairs", "pair 2 is an earlier pair the other way"),
        ({"head_type": "head_type: 3"}, 6, "head_type", "'3' is no text"),
        ({"head_type": "head_type:"}, 6, "head_type", "is no text"),
        ({"template": "template: '{head} is a kind'"}, 7, "template", "must hold {head} and {tail}"),
        ({"template": "template: '{head} {head} {tail}'"}, 7, "template", "must hold {head} and {tail}"),
        ({"template": "template: '{head} {tail} {x}'"}, 7, "template", "must hold {head} and {tail}"),
        ({"template": "template: {head: tail}"}, 7, "template", "a list or mapping is no text"),
        ({"weight": "weight: 3"}, 8, "weight", "unknown field; remedy: use name, prompt, pairs"),
        ({"more": "? [name]\n: IsA"}, 8, "a list or mapping", "unknown field"),
        ({"more": "no: thing"}, 8, "'no'", "unknown field"),
        ({"more": "prompt: <ENT0> is <ENT1>"}, 8, "prompt", "given twice; remedy: remove one"),
    ],
)
def test_errors_name_file_line_field_and_problem(
    tmp_path: Path, changed: dict[str, str], line: int, field: str, problem: str
) -> None:
    path = written(tmp_path, text_of(**changed))
    message = refused(path)
    assert message.startswith(f"{path}, line {line}, {field}: ")
    assert problem in message


@pytest.mark.parametrize(
    ("last", "line", "problem"),
    [
        ("tail_type: 'x", 9, "found unexpected end of stream"),
        ("tail_type: a: b", 8, "mapping values are not allowed here"),
        ("tail_type: \x07", 8, "special characters are not allowed"),
        ("tail_type: *kind", 8, "found undefined alias 'kind'"),
        ("---\nname: IsA", 8, "found another document"),
        ("tail_type: [a, b", 9, "expected ',' or ']'"),
        ("\ttail_type: kind", 8, "found character '\\t'"),
    ],
)
def test_what_is_not_yaml_is_named_with_its_line(tmp_path: Path, last: str, line: int, problem: str) -> None:
    path = written(tmp_path, text_of(more=last))
    message = refused(path)
    assert message.startswith(f"{path}, line {line}: not YAML (")
    assert problem in message


@pytest.mark.parametrize("field", ["name", "prompt", "pairs", "template"])
def test_a_field_that_is_missing_is_named(tmp_path: Path, field: str) -> None:
    path = written(tmp_path, text_of(**{field: None}))
    assert refused(path) == f"{path}: no field {field}; remedy: add it"


@pytest.mark.parametrize("name", ["1st", "is a", "über", "a.b", "is/a", "a" * 65, "is|a"])
def test_a_name_is_of_plain_letters_and_is_the_files(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, text_of(name=f"name: {name}"), f"{name.replace('/', '-')}.yaml")
    message = refused(path)
    assert message.startswith(f"{path}, line 1, name: ")
    assert "or holds more than letters, digits, - and _" in message


def test_a_name_may_hold_what_the_biomedical_relations_do(tmp_path: Path) -> None:
    name = "belongs_to_drug_super-family"
    assert read_seed(written(tmp_path, text_of(name=f"name: {name}"), f"{name}.yaml")).name == name


@pytest.mark.parametrize("text", ["", "# nothing\n", "- name\n", "words", "null", "'name: x'"])
def test_a_file_without_a_mapping_is_told_what_to_write(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, text)
    message = refused(path)
    assert message.startswith(f"{path}, line 1: not a mapping")
    assert "name, prompt, pairs, template" in message


def test_a_file_that_is_not_utf8_is_told_where(tmp_path: Path) -> None:
    content = text_of(pairs="pairs:\n  - [Füchse, Tiere]").encode("latin-1")
    path = written(tmp_path, content)
    assert f"not UTF-8 at byte {content.index(0xFC)}; remedy: save it as UTF-8" in refused(path)


def test_a_file_that_is_no_seed_file_by_its_size_is_not_parsed(tmp_path: Path) -> None:
    fits = text_of() + "#" * (64 * 1024 - len(text_of()))
    assert read_seed(written(tmp_path, fits)).name == "IsA"
    assert "larger than 65,536 bytes" in refused(written(tmp_path, fits + "#"))


@pytest.mark.parametrize(
    "text",
    ["[" * 10_000, "- " * 10_000, 'name: "\\U00110000"', 'name: "\\Uffffffff"'],
    ids=["brackets", "dashes", "no character", "no number"],
)
def test_what_the_parser_itself_fails_on_is_refused(tmp_path: Path, text: str) -> None:
    assert "not YAML" in refused(written(tmp_path, text))


def test_a_file_that_refers_to_itself_again_and_again_is_refused_at_once(tmp_path: Path) -> None:
    """Written out, the name is a thousand million texts."""
    levels = ["&a0 [x, x]", *(f"&a{level} [{', '.join([f'*a{level - 1}'] * 10)}]" for level in range(1, 10))]
    for name in (f"name: [{', '.join(levels)}]", "name: &me [*me, *me]"):
        assert "a list or mapping is no text" in refused(written(tmp_path, text_of(name=name)))
    for pairs in (f"pairs: [[[{', '.join(levels)}], kind]]", "pairs: &all\n  - &one [*one, *all]"):
        assert "a list or mapping is no text" in refused(written(tmp_path, text_of(pairs=pairs)))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert "No such file" in refused(tmp_path / "IsA.yaml")
    with pytest.raises(SeedError, match="No such file"):
        fingerprint(tmp_path / "IsA.yaml")


def test_a_folder_of_that_name_is_named(tmp_path: Path) -> None:
    (tmp_path / "IsA.yaml").mkdir()
    assert "Is a directory" in refused(seed_files(tmp_path)["IsA"])


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads what nobody may")
def test_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, text_of())
    path.chmod(0)
    assert "Permission denied" in refused(path)


def test_a_file_whose_reading_fails_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, text_of())

    def denied(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", denied)
    assert refused(path) == f"{path}: Permission denied; remedy: make it readable, or remove it"


# --- any text at all

SCALARS = st.sampled_from(
    ["IsA", "rose", "no", "7", "~", "0x_", "1:60", "2020-99-99", "!!int x", "!!bool x", "&a b", "*a", "<<"]
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4).map(lambda items: f"[{', '.join(items)}]")
        | st.tuples(SCALARS, inner).map("{{{0[0]}: {0[1]}}}".format)
    ),
    max_leaves=6,
)
# Sound files with one line exchanged: most of what is drawn freely falls at the first hurdle.
ALMOST = st.tuples(st.sampled_from([*LINES, "more"]), VALUES).map(
    lambda drawn: text_of(**{drawn[0]: f"{drawn[0].replace('more', 'tail_type')}: {drawn[1]}"}).encode()
)
CUT = st.tuples(st.integers(0, len(text_of())), st.binary(max_size=4)).map(
    lambda drawn: text_of().encode()[: drawn[0]] + drawn[1] + text_of().encode()[drawn[0] :]
)


@examples(400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=60) | st.text(max_size=60).map(str.encode) | ALMOST | CUT)
def test_any_bytes_are_a_seed_or_a_seed_error(tmp_path: Path, content: bytes) -> None:
    path = written(tmp_path, content)
    try:
        seed = read_seed(path)
    except SeedError as error:
        assert str(error).startswith(str(path))
        str(error).encode()
    else:
        assert seed.name == "IsA"
        assert 1 <= len(seed.pairs) <= MOST_PAIRS
        assert seed.prompt.count(HEAD) == seed.prompt.count(TAIL) == 1
        assert seed_of_row(seed_row(seed).to_pylist()[0]) == seed


# --- folders


def test_a_folder_is_read_by_the_files_names(tmp_path: Path) -> None:
    for name in ("b.yaml", "A.yaml", "c.yml", "notes.txt", ".b.yaml", ".#b.yaml"):
        (tmp_path / name).touch()
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "d.yaml").touch()
    assert seed_files(tmp_path) == {"A": tmp_path / "A.yaml", "b": tmp_path / "b.yaml"}


def test_an_empty_folder_names_no_relation(tmp_path: Path) -> None:
    assert seed_files(tmp_path) == {}


def test_a_missing_folder_is_named_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(SeedError, match=r"no such folder; remedy: create it, or correct harvest\.seeds"):
        seed_files(tmp_path / "nowhere")
    (tmp_path / "file").touch()
    with pytest.raises(SeedError, match="no such folder"):
        seed_files(tmp_path / "file")


def test_names_that_differ_in_case_alone_are_refused(tmp_path: Path) -> None:
    (tmp_path / "IsA.yaml").touch()
    (tmp_path / "isa.yaml").touch()
    if len(list(tmp_path.iterdir())) == 1:
        pytest.skip("this file system does not tell the two apart")
    with pytest.raises(SeedError, match=r"IsA\.yaml and isa\.yaml name one relation; remedy: remove one"):
        seed_files(tmp_path)


# --- the lake's row


def test_a_seed_comes_back_from_its_row(tmp_path: Path) -> None:
    seed = read_seed(written(tmp_path, text_of(pairs="pairs:\n  - [東京, 都市]\n  - [naïve café, lieu]")))
    rows = conform(seed_row(seed), RELATION_SEEDS)
    assert rows.num_rows == 1
    assert rows.column("seed_hash").to_pylist() == [seed.content_hash]
    assert seed_of_row(rows.to_pylist()[0]) == seed


# --- the files of the project

FOLDER = PROJECT / "data_lake" / "seeds" / "relations"
# Table 6.1 of the thesis.
MEDICAL = {
    "belongs_to_drug_super-family",
    "belongs_to_the_category_of",
    "belongs_to_the_drug_family_of",
    "interacts_with",
    "is_a_category",
    "is_a_risk_factor_of",
    "is_a_subtype_of",
    "is_a_vector_for",
    "is_an_ingredient_of",
    "is_associated_with",
    "may_be_allelic_with",
    "may_cause",
    "may_contraindicate",
    "may_treat",
    "see_also",
}


def test_the_project_seeds_twenty_relations_of_conceptnet_and_fifteen_of_medicine() -> None:
    names = set(seed_files(FOLDER))
    everyday = names & set(templates(CONCEPTNET))
    assert names - everyday == MEDICAL
    assert len(everyday) == 20
    assert set(templates(BIOMEDICAL)) >= MEDICAL


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_seed_file_of_the_project_is_sound_and_reads_out_as_the_graphs_do(path: Path) -> None:
    seed = read_seed(path)
    graph_templates = templates(BIOMEDICAL if path.stem in MEDICAL else CONCEPTNET)
    assert seed.template == graph_templates[seed.name]
    assert len(seed.pairs) == MOST_PAIRS
    assert seed.head_type and seed.tail_type
    # What is checked here is what another reader of YAML sees.
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert [list(pair) for pair in seed.pairs] == data["pairs"]
    assert (seed.name, seed.prompt) == (data["name"], data["prompt"])
