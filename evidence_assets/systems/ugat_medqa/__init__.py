"""UGAT-MedQA (thesis chapter 6): medical multiple choice over a biomedical graph."""
