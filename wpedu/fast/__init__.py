"""The same results sooner, or for more text. Taken away, no step of the walk is lost, only time.

`row`, `quick` and `contest` train by the scores that have a name, `tails` learns top-down, `trie`
is behind LinearEncoder, and `distributed` counts the words of more text than one machine holds.
But for `count_words_distributed`, what is here trusts its arguments: callers have checked them.
"""
