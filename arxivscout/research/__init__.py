"""What a batch job makes of the papers it found: pure functions, no model and no database."""
