"""Measure options, or open questions, alone, and print: `python -m benchmarks.attention2query options`."""

from __future__ import annotations

import argparse

from benchmarks.attention2query import CONCEPTS, PARTS
from benchmarks.attention2query.cases import AskedGraph, commonsense
from benchmarks.attention2query.open_questions import open_measured
from benchmarks.attention2query.options import options_measured
from benchmarks.real_texts import cached_encoder, real_data

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=PARTS)
    data = real_data()
    if parser.parse_args().part == "options":
        options_measured(AskedGraph(CONCEPTS, cached_encoder()), commonsense(data))
    else:
        open_measured(cached_encoder())
