"""Many games: what was asked for, who plays whom, what is kept, what is shown."""
