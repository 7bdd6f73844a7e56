"""Whether a program bears on its claim, or measures, reads or passes over something else."""
