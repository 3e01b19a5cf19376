"""What a position is worth when nobody looks any further."""
