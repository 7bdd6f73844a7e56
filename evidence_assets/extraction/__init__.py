"""Knowledge graphs out of language models: seeds, prompts, search, scores, K-Bloom and BertNet."""
