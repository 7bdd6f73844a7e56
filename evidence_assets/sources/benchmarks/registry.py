"""The question sets that the project can read, by the name that a configuration gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from evidence_assets.sources.benchmarks.ai2_choices import ai2_choices_reader
from evidence_assets.sources.benchmarks.headqa import read_headqa
from evidence_assets.sources.benchmarks.hotpotqa import read_hotpotqa
from evidence_assets.sources.benchmarks.medmcqa import medmcqa_reader
from evidence_assets.sources.benchmarks.medqa import read_medqa
from evidence_assets.sources.benchmarks.mmlu import MEDICAL_SUBJECTS, mmlu_reader
from evidence_assets.sources.benchmarks.piqa import read_piqa
from evidence_assets.sources.benchmarks.pubmedqa import read_pubmedqa
from evidence_assets.sources.benchmarks.questions_jsonl import read_questions_jsonl
from evidence_assets.sources.benchmarks.reading import Reader
from evidence_assets.sources.benchmarks.squad import read_squad


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One question set: what it is, where to get it, and how to read it.

    `splits` are those with public labels. `where` says where to get the files, `gold` what gold evidence
    they keep (empty if none), `paper` the short citation.
    """

    name: str
    title: str
    task: Literal["multiple_choice", "retrieval"]
    splits: tuple[str, ...]
    licence: str
    where: str
    reader: Reader
    paper: str = ""
    gold: str = ""


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

_OWN = (
    Benchmark(
        name="questions_jsonl",
        title="Questions of your own, with or without options, as JSON lines",
        task="multiple_choice",
        splits=("train", "dev", "test"),
        licence="that of your own file",
        where="your own file, in the form that the project's documentation describes",
        reader=read_questions_jsonl,
        gold="the texts, and titles where given, under gold_evidence",
    ),
)

BENCHMARKS: Mapping[str, Benchmark] = MappingProxyType(
    {benchmark.name: benchmark for benchmark in (*_COMMONSENSE_AND_SCIENCE, *_MEDICINE, *_RETRIEVAL, *_OWN)}
)
