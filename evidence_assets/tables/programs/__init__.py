"""Claims over a table checked without a language model: typed programs, run on its cells."""

from evidence_assets.tables.programs.verdicts.verification import Verdict, rank_programs, row_coverage, verify

__all__ = ["Verdict", "rank_programs", "row_coverage", "verify"]
