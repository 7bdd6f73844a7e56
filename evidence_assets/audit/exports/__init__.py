"""What others take along of an experiment: its provenance, its lineage, its evidence in one folder."""
