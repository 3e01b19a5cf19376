"""Engine processes: how they are named, started, spoken with, watched and ended."""
