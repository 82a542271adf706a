"""Shared by several modules: checks, a cache, downloads, file writing, colors, and fonts."""
