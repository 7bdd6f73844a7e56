"""The question sets that the project can read, by the name that a configuration gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from evidence_assets.sources.questions.ai2_choices import ai2_choices_reader
from evidence_assets.sources.questions.fetaqa import read_fetaqa
from evidence_assets.sources.questions.headqa import read_headqa
from evidence_assets.sources.questions.hotpotqa import read_hotpotqa
from evidence_assets.sources.questions.medmcqa import medmcqa_reader
from evidence_assets.sources.questions.medqa import read_medqa
from evidence_assets.sources.questions.metaqa import read_metaqa
from evidence_assets.sources.questions.mintaka import read_mintaka
from evidence_assets.sources.questions.mmlu import MEDICAL_SUBJECTS, mmlu_reader
from evidence_assets.sources.questions.piqa import read_piqa
from evidence_assets.sources.questions.pubhealthtab import read_pubhealthtab
from evidence_assets.sources.questions.pubmedqa import read_pubmedqa
from evidence_assets.sources.questions.questions_jsonl import read_questions_jsonl
from evidence_assets.sources.questions.reading import Reader
from evidence_assets.sources.questions.scitab import read_scitab
from evidence_assets.sources.questions.simplequestions import read_simplequestions
from evidence_assets.sources.questions.squad import read_squad
from evidence_assets.sources.questions.stark import read_stark
from evidence_assets.sources.questions.tabfact import read_tabfact
from evidence_assets.sources.questions.tabmcq import read_tabmcq
from evidence_assets.sources.questions.webqsp import read_webqsp
from evidence_assets.sources.questions.webquestions import read_webquestions
from evidence_assets.sources.questions.wikitablequestions import read_wikitablequestions
from evidence_assets.sources.questions.worldtree_questions import read_worldtree_questions, store_beside
from evidence_assets.sources.records import RejectedRecord, TableRecord


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One question set: what it is, where to get it, and how to read it.

    `splits` are those with public labels. `where` says where to get the files, `gold` what gold evidence
    they keep (empty if none), `paper` the short citation. `store`: the tables that all questions are asked
    of, by the URI of a file of questions; None where each question brings its own table, or there are none.
    """

    name: str
    title: str
    task: Literal["multiple_choice", "retrieval", "claim_verification", "table_questions", "graph_questions"]
    splits: tuple[str, ...]
    licence: str
    where: str
    reader: Reader
    paper: str = ""
    gold: str = ""
    store: Callable[[str], Iterator[TableRecord | RejectedRecord]] | None = None


_COMMONSENSE_AND_SCIENCE = (
    Benchmark(
        name="openbookqa",
        title="OpenBookQA: elementary science with an open book of 1,326 core facts",
        task="multiple_choice",
        splits=("train", "dev", "test"),
        licence="Apache-2.0",
        where="Data/Additional/*_complete.jsonl in OpenBookQA-V1-Sep2018.zip, https://allenai.org/data/open-book-qa",
        reader=ai2_choices_reader(gold_fields=("fact1",)),
        paper="Mihaylov et al., EMNLP 2018",
        gold="the core fact (fact1) of the *_complete.jsonl files; the main files have none",
    ),
    Benchmark(
        name="commonsenseqa",
        title="CommonsenseQA: everyday knowledge over ConceptNet concepts, five options",
        task="multiple_choice",
        splits=("train", "dev"),
        licence="MIT",
        where="{train,dev}_rand_split.jsonl, https://www.tau-nlp.org/commonsenseqa",
        reader=ai2_choices_reader(),
        paper="Talmor et al., NAACL 2019",
    ),
    Benchmark(
        name="arc_easy",
        title="ARC Easy: grade-school science questions",
        task="multiple_choice",
        splits=("train", "dev", "test"),
        licence="CC BY-SA 4.0",
        where="ARC-Easy/ARC-Easy-{Train,Dev,Test}.jsonl in ARC-V1-Feb2018-2.zip, https://allenai.org/data/arc",
        reader=ai2_choices_reader(),
        paper="Clark et al., 2018, arXiv:1803.05457",
    ),
    Benchmark(
        name="arc_challenge",
        title="ARC Challenge: the grade-school science questions that simple retrieval answers wrongly",
        task="multiple_choice",
        splits=("train", "dev", "test"),
        licence="CC BY-SA 4.0",
        where="ARC-Challenge/ARC-Challenge-{Train,Dev,Test}.jsonl in ARC-V1-Feb2018-2.zip, "
        "https://allenai.org/data/arc",
        reader=ai2_choices_reader(),
        paper="Clark et al., 2018, arXiv:1803.05457",
    ),
    Benchmark(
        name="piqa",
        title="PIQA: which of two solutions reaches a physical goal",
        task="multiple_choice",
        splits=("train", "dev"),
        licence="AFL-3.0",
        where="physicaliqa-train-dev.zip: {train,dev}.jsonl beside *-labels.lst, https://yonatanbisk.com/piqa/",
        reader=read_piqa,
        paper="Bisk et al., AAAI 2020",
    ),
    Benchmark(
        name="riddlesense",
        title="RiddleSense: riddles that need commonsense and figurative language, five options",
        task="multiple_choice",
        splits=("train", "dev"),
        licence="research use only, not to be redistributed (see the data set's page)",
        where="rs_{train,dev}.jsonl, on request from https://inklab.usc.edu/RiddleSense/",
        reader=ai2_choices_reader(),
        paper="Lin et al., Findings of ACL 2021",
    ),
    Benchmark(
        name="qasc",
        title="QASC: grade-school science that needs two facts together, eight options",
        task="multiple_choice",
        splits=("train", "dev"),
        licence="CC BY 4.0",
        where="QASC_Dataset/{train,dev}.jsonl, https://allenai.org/data/qasc",
        reader=ai2_choices_reader(gold_fields=("fact1", "fact2")),
        paper="Khot et al., AAAI 2020",
        gold="the two facts to combine (fact1, fact2); their combination is not corpus text and is left out",
    ),
)

_MEDICINE = (
    Benchmark(
        name="medmcqa",
        title="MedMCQA: Indian medical entrance exams, original files (keys from 1)",
        task="multiple_choice",
        splits=("train", "dev"),
        licence="Apache-2.0",
        where="{train,dev}.json linked from https://github.com/medmcqa/medmcqa",
        reader=medmcqa_reader(first_key=1),
        paper="Pal et al., CHIL 2022",
    ),
    Benchmark(
        name="medmcqa_huggingface",
        title="MedMCQA: Indian medical entrance exams, Hugging Face copy saved as JSON lines (keys from 0)",
        task="multiple_choice",
        splits=("train", "validation"),
        licence="Apache-2.0",
        where="https://huggingface.co/datasets/openlifescienceai/medmcqa, each split saved as JSON lines",
        reader=medmcqa_reader(first_key=0),
        paper="Pal et al., CHIL 2022",
    ),
    Benchmark(
        name="medqa_usmle",
        title="MedQA: questions in the style of the United States Medical Licensing Examination",
        task="multiple_choice",
        splits=("train", "dev", "test"),
        licence="MIT",
        where="questions/US/{train,dev,test}.jsonl or their four-option version, "
        "linked from https://github.com/jind11/MedQA",
        reader=read_medqa,
        paper="Jin et al., Applied Sciences 2021",
    ),
    Benchmark(
        name="mmlu_medical",
        title="MMLU: its six medical subjects",
        task="multiple_choice",
        splits=("dev", "val", "test"),
        licence="MIT",
        where="data/{dev,val,test}/*.csv in the archive linked from https://github.com/hendrycks/test",
        reader=mmlu_reader(MEDICAL_SUBJECTS),
        paper="Hendrycks et al., ICLR 2021",
    ),
    Benchmark(
        name="pubmedqa",
        title="PubMedQA: 1,000 expert-labelled yes, no or maybe questions on PubMed abstracts",
        task="multiple_choice",
        splits=("all", "test"),
        licence="MIT",
        where="data/ori_pqal.json and data/test_ground_truth.json, https://github.com/pubmedqa/pubmedqa",
        reader=read_pubmedqa,
        paper="Jin et al., EMNLP 2019",
        gold="the sections of the abstract that the question comes from, without its conclusion",
    ),
    Benchmark(
        name="headqa",
        title="HEAD-QA: Spanish exams for healthcare positions, in Spanish or English",
        task="multiple_choice",
        splits=("train", "dev", "test"),
        licence="MIT",
        where="{train,dev,test}_HEAD.json or *_HEAD_EN.json, https://aghie.github.io/head-qa/",
        reader=read_headqa,
        paper="Vilares and Gómez-Rodríguez, ACL 2019",
    ),
)

_RETRIEVAL = (
    Benchmark(
        name="hotpotqa",
        title="HotpotQA: questions over two Wikipedia articles, with supporting sentences",
        task="retrieval",
        splits=("train", "dev"),
        licence="CC BY-SA 4.0",
        where="hotpot_train_v1.1.json, hotpot_dev_distractor_v1.json, https://hotpotqa.github.io/",
        reader=read_hotpotqa,
        paper="Yang et al., EMNLP 2018",
        gold="the supporting sentences with their articles' titles, where all of them are in the record",
    ),
    Benchmark(
        name="xquad",
        title="XQuAD, and any file in SQuAD form: a question and the paragraph that answers it",
        task="retrieval",
        splits=("test",),
        licence="CC BY-SA 4.0",
        where="xquad.en.json, https://github.com/google-deepmind/xquad",
        reader=read_squad,
        paper="Artetxe et al., ACL 2020; Rajpurkar et al., EMNLP 2016",
        gold="the paragraph that the question was written for, with its article's title",
    ),
)

_TABLES = (
    Benchmark(
        name="scitab",
        title="SciTab: claims about tables of papers, supported, refuted or neither",
        task="claim_verification",
        splits=("test",),
        licence="MIT",
        where="dataset/sci_tab.json, https://github.com/XinyuanLu00/SciTab",
        reader=read_scitab,
        paper="Lu et al., EMNLP 2023",
    ),
    Benchmark(
        name="tabfact",
        title="TabFact: statements about Wikipedia tables, true or false",
        task="claim_verification",
        splits=("small_test", "test", "dev", "train"),
        licence="MIT (repository), CC BY-SA (tables)",
        where="one folder of tokenized_data/*_examples.json, data/small_test_id.json and data/all_csv/, "
        "https://github.com/wenhuchen/Table-Fact-Checking",
        reader=read_tabfact,
        paper="Chen et al., ICLR 2020",
    ),
    Benchmark(
        name="pubhealthtab",
        title="PubHealthTab: public health claims and web tables that support or refute them",
        task="claim_verification",
        splits=("train", "dev", "test"),
        licence="see the data set's page",
        where="{train,dev,test}.jsonl, https://github.com/mubasharaak/PubHealthTab",
        reader=read_pubhealthtab,
        paper="Akhtar et al., Findings of NAACL 2022",
    ),
    Benchmark(
        name="tabmcq",
        title="TabMCQ: multiple-choice science questions written from tables",
        task="multiple_choice",
        splits=("all",),
        licence="CC BY-SA 4.0",
        where="the questions' file beside its folder of tables in TabMCQ_v_1.0.zip, "
        "https://ai2-public-datasets.s3.amazonaws.com/aristo-tabmcq/TabMCQ_v_1.0.zip",
        reader=read_tabmcq,
        paper="Jauhar et al., 2016, arXiv:1602.03960",
        gold="the row and column that the question was written from (gold_cells)",
    ),
    Benchmark(
        name="wikitablequestions",
        title="WikiTableQuestions: questions over Wikipedia tables, answered by values",
        task="table_questions",
        splits=("training", "pristine-unseen-tables"),
        licence="CC BY-SA 4.0",
        where="data/{training,pristine-unseen-tables}.tsv beside csv/, "
        "https://github.com/ppasupat/WikiTableQuestions",
        reader=read_wikitablequestions,
        paper="Pasupat and Liang, ACL 2015",
    ),
    Benchmark(
        name="fetaqa",
        title="FeTaQA: questions over Wikipedia tables, answered by a sentence",
        task="table_questions",
        splits=("train", "dev", "test"),
        licence="CC BY-SA 4.0",
        where="data/fetaQA-v1_{train,dev,test}.jsonl, https://github.com/Yale-LILY/FeTaQA",
        reader=read_fetaqa,
        paper="Nan et al., TACL 2022",
        gold="the cells that the answer rests on (gold_cells)",
    ),
    Benchmark(
        name="worldtree_questions",
        title="WorldTree: elementary science questions explained by rows of a store of tables",
        task="multiple_choice",
        splits=("all", "train", "dev", "test"),
        licence="CC BY-SA 4.0 (tables, explanations); the questions' own licences",
        where="tsv/questionsAndExplanations.tsv beside tsv/tables/, http://www.cognitiveai.org/explanationbank",
        reader=read_worldtree_questions,
        paper="Jansen et al., LREC 2018",
        gold="the rows of the tables that the explanation names (gold_cells)",
        store=store_beside,
    ),
)

_GRAPHS = (
    Benchmark(
        name="metaqa",
        title="MetaQA: questions of one to three steps over a graph of films",
        task="graph_questions",
        splits=("train", "dev", "test"),
        licence="CC BY 3.0",
        where="{1,2,3}-hop/vanilla/qa_{train,dev,test}.txt linked from https://github.com/yuyuz/MetaQA",
        reader=read_metaqa,
        paper="Zhang et al., AAAI 2018",
    ),
    Benchmark(
        name="webqsp",
        title="WebQSP: questions over Freebase with their semantic parses",
        task="graph_questions",
        splits=("train", "test"),
        licence="see the data set's page",
        where="data/WebQSP.{train,test}.json, https://www.microsoft.com/en-us/download/details.aspx?id=52763",
        reader=read_webqsp,
        paper="Yih et al., ACL 2016",
    ),
    Benchmark(
        name="webquestions",
        title="WebQuestions: what people asked a search engine, answered over Freebase",
        task="graph_questions",
        splits=("train", "test"),
        licence="CC BY 4.0",
        where="webquestions.examples.{train,test}.json, https://nlp.stanford.edu/software/sempre/, or "
        "https://huggingface.co/datasets/stanfordnlp/web_questions saved as JSON lines",
        reader=read_webquestions,
        paper="Berant et al., EMNLP 2013",
    ),
    Benchmark(
        name="simplequestions",
        title="SimpleQuestions: questions of one step over Freebase or Wikidata",
        task="graph_questions",
        splits=("train", "valid", "test"),
        licence="CC BY 3.0",
        where="SimpleQuestions_v2/annotated_fb_data_{train,valid,test}.txt, or annotated_wd_data_*.txt from "
        "https://github.com/askplatypus/wikidata-simplequestions; names.tsv (identifier, name) beside",
        reader=read_simplequestions,
        paper="Bordes et al., 2015, arXiv:1506.02075",
    ),
    Benchmark(
        name="mintaka",
        title="Mintaka: complex questions that people asked, annotated with entities of Wikidata",
        task="graph_questions",
        splits=("train", "dev", "test"),
        licence="CC BY 4.0",
        where="data/mintaka_{train,dev,test}.json, https://github.com/amazon-science/mintaka",
        reader=read_mintaka,
        paper="Sen et al., COLING 2022",
    ),
    Benchmark(
        name="stark",
        title="STaRK: questions over semi-structured knowledge bases, answered by their nodes",
        task="graph_questions",
        splits=("train", "val", "test", "human_generated_eval"),
        licence="CC BY 4.0",
        where="stark_qa/*.csv and split/*.index of amazon, mag or primekg, beside processed/ (the folder of "
        "the graph reader stark_skb), https://github.com/snap-stanford/stark",
        reader=read_stark,
        paper="Wu et al., NeurIPS 2024",
    ),
)

_OWN = (
    Benchmark(
        name="questions_jsonl",
        title="Questions of your own, with or without options, about tables of your own too, as JSON lines",
        task="multiple_choice",
        splits=("train", "dev", "test"),
        licence="that of your own file",
        where="your own file, in the form that the project's documentation describes",
        reader=read_questions_jsonl,
        gold="the texts, and titles where given, under gold_evidence",
    ),
)

BENCHMARKS: Mapping[str, Benchmark] = MappingProxyType(
    {
        benchmark.name: benchmark
        for benchmark in (*_COMMONSENSE_AND_SCIENCE, *_MEDICINE, *_RETRIEVAL, *_TABLES, *_GRAPHS, *_OWN)
    }
)
