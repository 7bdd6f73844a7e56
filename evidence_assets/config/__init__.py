"""The configuration file: read, and checked against what there is."""
