"""Shared by several modules: checks, pair counts, a cache, downloads, file writing, and colors."""
