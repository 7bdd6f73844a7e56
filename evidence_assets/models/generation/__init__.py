"""Generators: language models prompted through one protocol, on several engines."""
