"""USCRaKE (thesis chapter 7): multiple choice over text evidence."""
