"""Readers of public question sets, and of the project's own question form."""
