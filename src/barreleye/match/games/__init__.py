"""One game: its opening, its clocks, its referee, its text."""
