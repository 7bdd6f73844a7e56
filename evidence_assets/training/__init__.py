"""Readers that are trained: tasks and public questions to a cross-encoder, evaluated before it is used."""
