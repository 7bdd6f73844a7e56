"""USCRaKE (thesis chapter 7): questions over text and a commonsense graph."""
