"""What the package gives, in whatever Python this is: one line of JSON."""

import json
import sys

import wpedu

counts = wpedu.load_corpus("homer").word_counts
opening = wpedu.load_corpus("homer").opening
few = dict(list(counts.items())[:1_000])
merges = wpedu.train(counts, 12)
found = {
    "merges": merges,
    "few": {score: wpedu.train(few, 60, score) for score in wpedu.SCORES},
    "words": wpedu.pretokenize_with_offsets(opening),
}
wp = wpedu.WordPiece(num_merges=150).fit(few)
for encoder in (wpedu.LoopEncoder, wpedu.LinearEncoder, wpedu.RegexEncoder):
    encode = encoder(wp.vocab).encode
    found[encoder.__name__] = [encode("▁" + word) for word in counts]
found["tokens"] = wp.tokenize(opening)
found["bert"] = wpedu.to_bert(wp.tokenize("Sit careless in the shade!"))
tokenizer = wp.to_bert_tokenizer()
found["ids"] = tokenizer.encode(opening).ids
print(json.dumps([sys.platform, "numpy" in sys.modules, found]))
