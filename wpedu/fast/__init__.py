"""The same results faster, or for more text. Every step of the walk works without this folder.

`training` trains by any score, with `linked_tokens`, `candidates` and `estimates`; `suffixes`
learns top-down, `trie` serves `LinearEncoder`, and `distributed` counts the words of more text than
one machine holds. Only `count_words_distributed` checks its arguments: callers of the others have
done so.
"""
