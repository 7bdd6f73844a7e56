"""Knowledge graphs harvested from masked language models: K-Bloom, and BertNet as its baseline."""
