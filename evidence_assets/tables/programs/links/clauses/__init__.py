"""Clauses of a claim: two halves, several things that it says the same of, and what a clause leaves out."""
