"""Ranking chunks, and scoring what was found of text and graph together."""
