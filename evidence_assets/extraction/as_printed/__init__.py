"""BertNet as published: what K-Bloom is measured against."""
