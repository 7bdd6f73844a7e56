"""One good sample of each format that sources may have: small files as their publishers write them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evidence_assets_tests.fuzz.binary_samples import Maker, parquet, tensor, workbook

FACTS = """relation: AtLocation
forms:
  - "{head} can be found at {tail}."
  - "{head} is in the {tail}."
pairs:
  - [oven, kitchen]
  - [soap, bathroom]
"""
WIKI = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="en">
<siteinfo><sitename>W</sitename><base>https://en.wikipedia.org/wiki/Main_Page</base>
<namespaces><namespace key="0" /><namespace key="6">File</namespace></namespaces></siteinfo>
<page><title>Cheese</title><ns>0</ns><id>7</id><revision><id>70</id>
<timestamp>2020-01-01T00:00:00Z</timestamp>
<contributor><username>A</username><id>1</id></contributor><model>wikitext</model>
<text>'''Cheese''' is [[Milk|milky]]. {{box|a}} == Head == &lt;ref&gt;x&lt;/ref&gt; {| a |} * one</text>
</revision></page>
<page><title>Old</title><ns>0</ns><id>8</id><redirect title="Cheese" />
<revision><id>80</id><text>#REDIRECT [[Cheese]]</text></revision></page>
</mediawiki>
"""
OBO = """format-version: 1.2
[Term]
id: DOID:1
name: disease
def: "A \\"thing\\"." [url:x]
synonym: "illness" EXACT []
xref: UMLS_CUI:C01
[Term]
id: DOID:2
name: flu (disorder)
alt_id: DOID:3
is_a: DOID:1 ! disease
relationship: part_of DOID:1
[Typedef]
id: part_of
"""
_ENDS = ("id", "type", "name", "source")
_PRIMEKG = ",".join(["relation", "display_relation", *(f"{end}_{name}" for end in "xy" for name in _ENDS)])
_CONCEPTNET_NOTE = {
    "dataset": "/d/x", "license": "cc:by/4.0", "weight": 2.0,
    "sources": [{"contributor": "/s/a", "process": "/s/b"}],
}  # fmt: skip
_CONCEPTNET = "/a/[]\t/r/IsA\t/c/en/ice_cream/n\t/c/en/food\t" + json.dumps(_CONCEPTNET_NOTE)
_UMLS_NAME = "C{}|ENG|P|L1|PF|S1|Y|A1||M1|D1|MSH|MH|D1|{}|0|N|256|"
_UMLS = {
    "MRCONSO.RRF": "\n".join(
        [_UMLS_NAME.format("0000001", "Influenza"), _UMLS_NAME.format("0000002", "fever")]
    ),
    "MRREL.RRF": "C0000001|A1|SCUI|CHD|C0000002|A2|SCUI|isa|R1||MSH|MSH||N|N||\n"
    "C0000002|A1|SCUI|RO|C0000001|A2|SCUI|has_manifestation|R1||MSH|MSH||N|N||",
    "MRSTY.RRF": "C0000001|T047|B2.2|Disease or Syndrome|AT1|256|\nC0000002|T184|A1|Sign or Symptom|AT2|256|",
}
_STARK_NODES = "\n".join(
    json.dumps(node)
    for node in (
        {"node": 0, "name": "F8", "details": {"summary": "A factor.", "alias": ["FVIII"]}},
        {"node": 1, "name": "hemophilia", "details": {"mondo_definition": "It bleeds.", "_id": 7}},
        {"node": 2, "name": "hemophilia", "reviews": [{"text": "good"}]},
    )
)
_STARK = {
    "processed/node_info.jsonl": _STARK_NODES,
    "processed/node_type_dict.json": json.dumps({"0": "disease", "1": "gene/protein"}),
    "processed/edge_type_dict.json": json.dumps({"0": "associated with"}),
}
_STARK_TENSORS = {
    "processed/node_types.pt": tensor([1, 0, 0]),
    "processed/edge_index.pt": tensor([[0, 1], [1, 0]]),
    "processed/edge_types.pt": tensor([0, 0]),
}
_CHOICES = [{"text": "marsh", "label": "A"}, {"text": "desert", "label": "B"}]
_AI2 = {
    "id": "q1", "question": {"stem": "Where?", "choices": _CHOICES, "question_concept": "x"},
    "answerKey": "A", "fact1": "Fog.", "fact2": "Wet.",
}  # fmt: skip
_REQUEST = {
    "task_name": "sciq",
    "native_id": 1,
    "doc": {"query": "Question: Q?\nAnswer:", "choices": ["x", "y"], "gold": 1},
}
_MEDMCQA = {
    "question": "Which?", "opa": "a", "opb": "b", "opc": "c", "opd": "d", "subject_name": "S", "id": "m1",
}  # fmt: skip
_CLAIM = {
    "id": "c1", "claim": "Ours is best.", "label": "supports", "table_id": "t1", "table_caption": "Scores",
    "table_column_names": ["", "F1"], "table_content_values": [["ours", "[BOLD] 0.9"], ["theirs", 0.8]],
}  # fmt: skip
_HEALTH = {
    "_id": 7, "claim": "It cures.", "label": "REFUTES",
    "table": {"_id": "t7", "caption": "Trials", "header_horizontal": ["Trial", "Cured"],
              "header_vertical": ["", ""], "rows": [["one", "12"], ["two", 13]], "html_code": "<table><tr><td>1"},  # noqa: E501
}  # fmt: skip
_FETA = {
    "feta_id": 18162, "table_page_title": "Cats", "table_section_title": "Kinds",
    "table_array": [["Name", "Year"], ["Tom", "1940"]], "highlighted_cell_ids": [[0, 1], [1, 0]],
    "question": "Which cat?", "answer": "Tom, in 1940.",
}  # fmt: skip
_HOTPOT = {
    "_id": "5a", "question": "What is Lilu?", "answer": "spirit", "supporting_facts": [["Alu", 1], ["Lilu", 0]],  # noqa: E501
    "context": [["Alu", ["First.", " A demon."]], ["Lilu", ["Lilu is a spirit."]]],
}  # fmt: skip
_SQUAD = {
    "data": [{"title": "T", "paragraphs": [{"context": "Ten points.", "qas": [
        {"id": "s1", "question": "How many?", "answers": [{"text": "Ten", "answer_start": 0}]}]}]}]
}  # fmt: skip
_WEBQSP = {
    "Questions": [{"QuestionId": "w1", "RawQuestion": "who?", "ProcessedQuestion": "who", "Parses": [
        {"TopicEntityName": "Jamaica", "Answers": [{"AnswerArgument": "1912", "EntityName": "English"}]}]}]
}  # fmt: skip
_MINTAKA = {
    "id": "k1", "question": "Which?", "category": "books", "complexityType": "count",
    "answer": {"answer": [{"name": "Q1", "label": {"en": "Dune"}}, 4.0], "answerNum": 6, "mention": "six"},
    "questionEntity": [{"name": "Q2", "entityType": "entity", "label": "Twilight", "mention": "twilight"}],
}  # fmt: skip
_PUBMED = {"QUESTION": "Do they?", "CONTEXTS": ["Cell death.", "Seen."], "final_decision": "yes"}
_HEAD = {
    "exams": {"e1": {"category": "biology", "data": [
        {"qid": "1", "qtext": "The?", "ra": "2", "answers": [{"aid": 1, "atext": "a"}, {"aid": 2, "atext": "b"}]}]}}  # noqa: E501
}  # fmt: skip
_QUESTION = {
    "id": "good", "question": "Is it?", "options": ["yes", "no"], "answer_index": 1, "answers": ["no"],
    "gold_evidence": [{"title": "Title", "text": "Text."}], "context": "c", "subject": "s", "topics": ["t"],
    "table": {"path": "tables/one.html", "name": 1}, "answer_keys": ["k"],
}  # fmt: skip
_MCQ = (
    "QUESTION,CHOICE 1,CHOICE 2,CHOICE 3,CHOICE 4,CORRECT CHOICE,RELEVANT TABLE,RELEVANT ROW,RELEVANT COL\n"
)
_WORLDTREE_ROWS = "HYPONYM\t[FILL]\t[SKIP] UID\ncat;kitten\tis\tu-1\ndog\tis\tu-2\n"
_HTML = (
    "<html><table><caption>Cap</caption><thead><tr><th colspan=2>a</th></tr></thead>"
    "<tr><td rowspan=2>1</td><td>x<sup>2</sup>&amp;</td></tr><tr><td>2</td></tr></table></html>"
)


@dataclass(frozen=True)
class Sample:
    """Files by name, those of them that a maker writes, and what of them a reader opens."""

    opened: str
    files: Mapping[str, str] = field(default_factory=dict)
    made: Mapping[str, Maker] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    split: str = "test"


def _one(name: str, content: str, **more: Any) -> Sample:
    return Sample(name, {name: content}, **more)


def _lines(*records: object, name: str = "q.jsonl", **more: Any) -> Sample:
    return _one(name, "\n".join(map(json.dumps, records)), **more)


def _document(tree: object, **more: Any) -> Sample:
    return _one("q.json", json.dumps(tree), **more)


ARTICLES: Mapping[str, Sample] = {
    "mediawiki_xml": _one("a.xml", WIKI),
    "wikipedia_parquet": Sample(
        "a.parquet", made={"a.parquet": parquet({"id": "1", "url": "u", "title": "T", "text": "Words."})}
    ),
    "json": _document([{"key": "k", "title": "T", "text": "Words.", "url": "u"}, {"text": ["One.", "Two."]}]),
    "json (object)": _document({"Title": "Words.", "Other": ["One.", " Two."]}),
    "jsonl": _lines({"key": "k", "title": "T", "text": "Words."}, {"title": "U", "text": ["One.", "Two."]}),
    "squad": _document(_SQUAD),
    "text_folder": Sample(
        "a", {"a/one.md": "---\nx: 1\n---\n# Title #\n```\n# no\n```\nWords.", "a/two.txt": "W"}
    ),
    "lines": _one("a.txt", 'One line.\n"Quoted ""line""."\n\nThird.'),
    "paraphrased_facts": _one("a.yaml", FACTS),
    "worldtree_tables": _one("a.tsv", _WORLDTREE_ROWS),
}
GRAPHS: Mapping[str, Sample] = {
    "conceptnet_assertions": _one("g.tsv", f"{_CONCEPTNET}\n/a/\t/r/IsA\t/c/fr/x\t/c/en/y\t{{}}\n"),
    "disease_database": Sample(
        "g",
        {
            "g/ddb_names.json": json.dumps(
                {"ECG finding": ["1", "1"], "Myocarditis": ["2", "1"], "x": ["1", "0"]}
            ),
            "g/ddb_relas.json": json.dumps({"0": ["2", "1", "2"], "1": ["1", "2", "0"]}),
            "g/ddb_to_umls_cui.txt": "Link\tItemPTR\tCUI\tType\n7\t1\tC02\t0\n8\t2\tC01\t0\n",
        },
    ),
    "drug_indications": _one(
        "g.tsv",
        "doid_id\tdrugbank_id\tdisease\tdrug\tcategory\nDOID:1\tDB1\tflu\taspirin\tDM\nDOID:2\tDB1\tb\tc\tSYM\n",
    ),
    "drugbank_vocabulary": _one(
        "g.csv",
        "DrugBank ID,Accession,Common name,CAS,UNII,Synonyms,Standard InChI Key\n"
        'DB1,B1,Aspirin,50-78-2,R1,"ASA | Acetyl, acid",BSYN\n',
    ),
    "hetionet": Sample(
        "g",
        {
            "g/het-nodes.tsv": "id\tname\tkind\nDisease::DOID:263\tcancer\tDisease\nGene::9021\tSOCS3\tGene\n",  # noqa: E501
            "g/het-edges.sif": "source\tmetaedge\ttarget\nDisease::DOID:263\tDaG\tGene::9021\nGene::9021\tGiG\tGene::9021",  # noqa: E501
        },
    ),
    "lake_triples": Sample(
        "g.parquet",
        made={
            "g.parquet": parquet(
                {
                    "head": "a",
                    "relation": "r",
                    "tail": "b",
                    "weight": 1.0,
                    "sources": [{"source": "s", "record": "r", "licence": "l"}],
                }
            )
        },
    ),
    "lake_triples (mined)": Sample(
        "g.parquet",
        made={
            "g.parquet": parquet(
                {
                    "kg": "k",
                    "head": "a",
                    "relation": "r",
                    "tail": "b",
                    "confidence": 1.0,
                    "model_id": "m",
                    "prompts": [{"prompt": "p", "found": True}],
                }
            )
        },
    ),
    "metaqa": Sample(
        "g",
        {
            "g/entity2text.txt": "0\tEden\n1\tAnn\n2\tann\n3\t1990\n",
            "g/relation2text.txt": "0\tdirected by\n1\thas tags\n2\trelease year\n",
            "g/kb_train.tsv": "0\t0\t1\n0\t1\t2\n0\t2\t3\n",
        },
    ),
    "metaqa (one file)": _one("kb.txt", "Eden|directed_by|Ann\nEden|has_tags|Ann\n1984|release_year|1984\n"),
    "node_edge_tables": Sample(
        "g",
        {
            "g/nodes.csv": 'id,name,type,aliases,description\nN:1,one,drug,uno|eins,"a, b"\n2,two,,,\n',
            "g/edges.jsonl": '{"head": "N:1", "relation": "r", "tail": 2, "weight": 0.5}\n'
            '{"head": 2, "relation": "r", "tail": "N:1"}',
        },
    ),
    "node_edge_tables (Parquet)": Sample(
        "g",
        made={
            "g/nodes.parquet": parquet({"id": 1, "name": "one", "aliases": ["uno"]}),
            "g/edges.parquet": parquet({"head": 1, "relation": "r", "tail": 1, "weight": 0.5}),
        },
    ),
    "obo": _one("g.obo", OBO),
    "paraphrased_facts": _one("g.yaml", FACTS),
    "primekg": _one(
        "g.csv",
        f'{_PRIMEKG}\nindication,indication,1,drug,aspirin,DrugBank,2,disease,"flu, bad",MONDO\n'
        "protein_protein,ppi,9,gene/protein,A,NCBI,10,gene/protein,B,NCBI\n",
    ),
    "relation_head_tail": _one("g.tsv", "IsA\tcat\tanimal\nIsA\tdog\tanimal\n"),
    "relation_head_tail (labelled)": _one(
        "g.tsv", "IsA\tcat\tanimal\t0.5\t1\nIsA\tdog\tanimal\t1\t0\n", fields={"weight": "4", "label": "5"}
    ),
    "stark_skb": Sample("processed", _STARK, _STARK_TENSORS),
    "umls_rrf": Sample("g", {f"g/{name}": content for name, content in _UMLS.items()}),
}
QUESTIONS: Mapping[str, Sample] = {
    **dict.fromkeys(
        ("openbookqa", "commonsenseqa", "arc_easy", "arc_challenge", "qasc", "riddlesense"),
        _lines(_AI2, {**_AI2, "id": "q2"}),
    ),
    "piqa": Sample(
        "dev.jsonl",
        {
            "dev.jsonl": json.dumps({"id": "f", "goal": "When", "sol1": "a", "sol2": "b"})
            + "\n"
            + json.dumps({"goal": "To", "sol1": "c", "sol2": "d"}),
            "dev-labels.lst": "1\n0\n",
        },
    ),
    "olmo_requests": _lines(_REQUEST, _REQUEST, {**_REQUEST, "native_id": 2}),
    "medmcqa": _lines({**_MEDMCQA, "cop": 1}),
    "medmcqa_huggingface": _lines({**_MEDMCQA, "cop": 0}),
    "medqa_usmle": _lines(
        {"question": "Q?", "options": {"A": "x", "B": "y"}, "meta_info": "s", "answer_idx": "A"}
    ),
    "mmlu_medical": _one("anatomy_test.csv", '"A lesion, causing",w,x,y,z,D\nSecond,1,2,3,4,A\n'),
    "pubmedqa": Sample(
        "q.json",
        {
            "q.json": json.dumps({"1": _PUBMED, "2": _PUBMED}),
            "test_ground_truth.json": json.dumps({"1": "yes"}),
        },
    ),
    "headqa": _document(_HEAD),
    "hotpotqa": _document([_HOTPOT, {**_HOTPOT, "_id": "5b"}]),
    "xquad": _document(_SQUAD),
    "scitab": _document([_CLAIM, {**_CLAIM, "id": "c2", "label": "refutes"}]),
    "tabfact": Sample(
        "t",
        {
            "t/test_examples.json": json.dumps(
                {"a.csv": [["it be so", "it be not so"], [1, 0], "a caption"]}
            ),
            "t/small_test_id.json": json.dumps(["a.csv", "never.csv"]),
            "t/csv/a.csv": "name#year\nann#1999\nbob#\n",
        },
        split="small_test",
    ),
    "pubhealthtab": _lines(_HEALTH, {**_HEALTH, "_id": 8}),
    "tabmcq": Sample(
        "q.csv",
        {
            "q.csv": f'{_MCQ}What melts?,ice,"rock, hard",wood,air,1,melts,2,1\nWhat?,a,b,c,d,B,melts.csv,,\n',  # noqa: E501
            "tables/melts.csv": "thing,point\niron,high\nice,low\n",
        },
    ),
    "wikitablequestions": Sample(
        "data/training.tsv",
        {
            "data/training.tsv": "id\tutterance\tcontext\ttargetValue\nnt-0\twho\\pwon?\tcsv/1-csv/2.csv\tAnn|B\\pob\n",  # noqa: E501
            "csv/1-csv/2.csv": '"Name","Said"\n"Ann","she said \\"no\\""\n',
        },
    ),
    "fetaqa": _lines(_FETA, {**_FETA, "feta_id": 2}),
    "worldtree_questions": Sample(
        "q.tsv",
        {
            "q.tsv": '",,QuestionID"\tAnswerKey\tcategory\texplanation\tquestion\n'
            "q1\tB\tTrain\tu-2|CENTRAL\tWhich barks? (A) a cat (B) a dog\n",
            "tables/KINDOF.tsv": _WORLDTREE_ROWS,
        },
        split="all",
    ),
    "metaqa": _one("q.tsv", "who directed [Eden]\tAnn Li|Bo Oh\nwhat is [[REC]] about\tzombies\n"),
    "webqsp": _document(_WEBQSP),
    "webquestions": _document(
        [
            {
                "utterance": "what?",
                "targetValue": '(list (description "one \\"b\\"") (description Two))',
                "url": "http://www.freebase.com/view/en/a_b",
            }
        ]
    ),
    "webquestions (lines)": _lines({"question": "what?", "answers": ["a"], "url": "http://x/view/en/a_b"}),
    "simplequestions": Sample(
        "q.tsv",
        {
            "q.tsv": "www.freebase.com/m/04\twww.freebase.com/r\twww.freebase.com/m/05\twhich?\n",
            "names.tsv": "www.freebase.com/m/04\tEden\nm.05\tAnn\n",
        },
    ),
    "mintaka": _document([_MINTAKA]),
    "stark": Sample(
        "qa/stark_qa.csv",
        {
            **_STARK,
            "qa/stark_qa.csv": 'id,query,answer_ids\n0,"which, one?","[0, 1]"\n1,what?,[2]\n',
            "split/test.index": "0\n1\n",
        },
        _STARK_TENSORS,
    ),
    "questions_jsonl": Sample(
        "q.jsonl",
        {
            "q.jsonl": json.dumps(_QUESTION)
            + "\n"
            + json.dumps({**_QUESTION, "id": "b", "table": "tables/two.md"}),
            "tables/one.html": _HTML,
            "tables/two.md": "Table 1\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
        },
    ),
}
TABLES: Mapping[str, Sample] = {
    "csv": _one("t.csv", 'name,"year, of"\nann,1999\n"bob ""x""",2.5%\n'),
    "tsv": _one("t.tsv", "name\tyear\nann\t1999\nbob\t2 (3)\n"),
    "txt": _one("t.txt", "name;year\nann;1999\n"),
    "html": _one("t.html", _HTML),
    "md": _one(
        "t.md",
        "# Head\nTable 1: x\n| a | b \\| `|` |\n|:--|--:|\n| 1 | 2 |\n\n```\n| c | d |\n|---|---|\n```\n",
    ),
    "xlsx": Sample("t.xlsx", made={"t.xlsx": workbook}),
}
