"""A question taken apart: names, words for relations and types, literals and operators, in their order."""
