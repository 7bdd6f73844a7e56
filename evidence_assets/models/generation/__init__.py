"""Generators: language models that are asked in prompts, by one protocol, on several engines."""
