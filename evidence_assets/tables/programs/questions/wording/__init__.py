"""What the words of a question ask for: nouns, amounts, operations."""
