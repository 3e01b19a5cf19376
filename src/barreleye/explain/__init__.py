"""Questions that a search can answer about itself, each in sentences that come with their evidence."""
