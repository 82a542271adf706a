"""Shared by several modules: checks, a cache, downloads, file writing, and colors."""
