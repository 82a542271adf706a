"""What several modules share: checks, counts, a cache, downloads, and files written whole."""
