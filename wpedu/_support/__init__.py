"""Shared by several modules: checks, pair counts, a cache, downloads, and safe file writing."""
