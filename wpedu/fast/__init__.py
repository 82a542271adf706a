"""The same results faster, or for more text.

Nothing here is needed to understand the walk: `train_plain`, `LoopEncoder` and `RegexEncoder` do
without. `train`, `WordPiece` and `LinearEncoder` use it.

`training` trains by any score, with `linked_tokens`, `candidates` and `estimates`; `suffixes`
learns top-down, `trie` serves `LinearEncoder`, and `distributed` counts the words of more text than
one machine holds. Only `count_words_distributed` checks its arguments: callers of the others have
done so.
"""
