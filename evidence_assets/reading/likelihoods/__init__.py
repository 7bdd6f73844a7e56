"""Options by how likely a language model's weights hold them, without a word generated."""
