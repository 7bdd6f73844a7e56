"""Readings: the programs that a claim may stand for, one module a kind of claim."""
