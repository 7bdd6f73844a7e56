"""Readings: the programs that a claim may stand for, one folder a kind of claim."""
