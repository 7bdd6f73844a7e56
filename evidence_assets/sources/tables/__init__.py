"""Readers of plain tables, and their rows for the lake."""
