"""Readers of public formats: articles, graphs, questions, tables; and what a configuration names of them."""
