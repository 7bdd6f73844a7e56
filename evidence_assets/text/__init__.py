"""Text itself: words, normal forms, sentences, function words, negation, how triples are read out."""
