"""BERT: marked tokens and vocabularies → BERT's, with ##."""

from wpedu.encoding import UNKNOWN
from wpedu.pretokenization import START


def to_bert(tokens):
    result, at_start = [], False
    for token in tokens:
        if token == START:
            at_start = True
            continue
        if token.startswith(START):
            result.append(token[1:])
        elif token == UNKNOWN or at_start:
            result.append(token)
        else:
            result.append("##" + token)
        at_start = False
    return result


def to_bert_vocab(vocab):
    marked = [t[1:] for t in vocab if t.startswith(START) and t != START]
    plain = [t for t in vocab if not t.startswith(START)]
    starts = set(marked)
    bare = [u for u in plain if not any(u[:i] in starts for i in range(1, len(u) + 1))]
    return list(dict.fromkeys([*marked, *("##" + u for u in plain), *bare]))
