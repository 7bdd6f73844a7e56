"""The nodes that a name or a phrase stands for: by form, by spelling, by meaning."""
