"""Shared by several modules, or by the package and the site.

Checks, a cache, downloads, file writing, colors, and fonts.
"""
