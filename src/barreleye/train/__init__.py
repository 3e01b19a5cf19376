"""Learning from games: what turns played games into better numbers for the engine."""
