"""A small grammar of programs over one table: sets of rows, numbers and truth values."""
