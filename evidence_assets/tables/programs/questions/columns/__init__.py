"""The columns that may tell what a question asks for."""
