"""What a person may do with all that is kept of them: see it, take it along, have it erased."""
