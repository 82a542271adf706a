"""What several modules share: checks, pair counts, a cache, downloads, and safe file writing."""
