"""The cases of the first table: each is a call, and the result that it must have."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path

import peers
from peers import HuggingFace, SentencePiece, Wpedu
from tokenizers import BertWordPieceTokenizer

from wpedu import BertTokenizer, LoopEncoder, load_vocab, pretokenize, to_bert, to_bert_vocab
from wpedu.fast.estimates import ESTIMATES
from wpedu.pretokenization import START
from wpedu.scores import gain
from wpedu.vocabularies import train_top_down

FAST = [score.__name__ for score in ESTIMATES]


@dataclass
class Case:
    """`call()`, or `call(fresh())` with `fresh()` not timed.

    The `summary` of its result must equal `expected`, unless that is None. A slow case is timed
    `once`, when it is checked.
    """

    task: str
    merges: int | None
    system: str
    call: Callable
    expected: object = None
    summary: Callable = lambda result: result
    fresh: Callable | None = None
    once: bool = False
    times: list[float] = field(default_factory=list)

    def time(self):
        """Time one call, and return its result."""
        call = partial(self.call, self.fresh()) if self.fresh else self.call
        seconds, result = peers.timed(call)
        self.times.append(seconds)
        return result

    def check(self):
        """Make one call, and raise ValueError if its result is not the expected one."""
        result = self.summary(self.time())
        if self.expected is not None and result != self.expected:
            raise ValueError(f"{self.system}, {self.task} {self.merges}: not what is expected")
        if not self.once:
            self.times.clear()


def training_cases(text, alphabet, merges):
    """Yield the cases of training from `text`, which has these `merges` to the end."""
    lines = text.splitlines()
    count_words, naive_train = peers.naive_training()
    for number in (200, 1_000, 8_000, len(merges)):
        case = partial(Case, "train", number)
        for score in FAST if number in (1_000, 8_000) else ["gain"]:
            call = partial(Wpedu.train, text, number, score=score)
            yield case(f"wpedu, {score}", call, number, lambda wp: len(wp.merges))
        hf, sp = (
            partial(peer.train, lines, number, alphabet) for peer in (HuggingFace, SentencePiece)
        )
        # At the end Hugging Face has fewer: its words have no mark of their own to be merged.
        full = None if number == len(merges) else number
        yield case("HF WordPieceTrainer", hf, full, peers.num_merged)
        yield case("SentencePiece BPE", sp, number, peers.num_merged)
        if number == 200:
            call = partial(Wpedu.train, text, number, score=partial(gain))  # which has no estimate
            yield case("by a function", call, number, lambda wp: len(wp.merges))
            naive = partial(_train_naively, count_words, naive_train, text, number)
            yield case("notebooks 01 to 03, one round", naive, merges[:number], once=True)


def tokenizing_cases(text, alphabet, folder):
    """Yield the cases of tokenizing `text`; a cold wpedu is loaded from `folder`."""
    lines = text.splitlines()
    for number in (200, 8_000):
        wp = Wpedu.train(text, number)
        path = Path(folder, str(number))
        wp.save(path)
        encode = LoopEncoder(wp.vocab).encode
        tokens = list(chain.from_iterable(encode(START + word) for word in pretokenize(text)))
        case = partial(Case, "tokenize", number)
        cold, fresh = partial(Wpedu.tokenize, text=text), partial(Wpedu.load, path)
        yield case("wpedu, cold", cold, tokens, fresh=fresh)
        yield case("wpedu, warm", partial(wp.tokenize, text), tokens)
        hf, bert = HuggingFace.from_tokens(to_bert_vocab(wp.vocab)), to_bert(tokens)
        batch, fast = partial(hf.encode_batch, lines), partial(hf.encode_batch_fast, lines)
        yield case("HF encode_batch, lines", batch, bert, _join)
        # It gives ids without tokens.
        yield case("HF encode_batch_fast, lines", fast, bert, partial(_spell, hf))
        yield case("HF encode_batch, lines, and tokens", lambda b=batch: _join(b()), bert)
        yield case("HF encode, one string", partial(hf.encode, text), bert, lambda e: e.tokens)
        sp = SentencePiece.train(lines, number, alphabet)
        yield case("SentencePiece ids, lines", partial(sp.encode, lines))
        yield case("SentencePiece pieces, lines", partial(sp.encode, lines, out_type=str))


def encoding_cases(text):
    """Yield the cases of encoding the lines of `text`, one a call, with BERT's own vocabulary."""
    lines = text.splitlines()
    vocab = load_vocab("bert-base-uncased")
    hf, warm = BertWordPieceTokenizer(dict(vocab), lowercase=True), BertTokenizer(vocab)
    case = partial(Case, "encode", None, expected=_spell_out(map(hf.encode, lines)))
    case = partial(case, summary=_spell_out)
    cold, fresh = partial(_encode_lines, lines=lines), partial(BertTokenizer, vocab)
    yield case("wpedu, cold", cold, fresh=fresh)
    yield case("wpedu, warm", partial(_encode_lines, warm, lines))
    yield case("HF encode, line by line", partial(_encode_lines, hf, lines))


def learning_cases(word_counts):
    """Yield the cases of learning a vocabulary top-down from words, without counting them."""
    naive = peers.naive_learning()
    for discount in ("kept", "all"):
        case = partial(Case, f"learn, {discount}", None)
        call = partial(train_top_down, word_counts, min_count=50, discount=discount)
        yield case("wpedu, top-down", call)
        naively = partial(naive, word_counts, min_count=50, discount=discount)
        yield case("the notebooks, one round", naively, call(), once=True)


def _encode_lines(tokenizer, lines):
    return [tokenizer.encode(line) for line in lines]


def _spell_out(encodings):
    # As one str: many live objects would slow the garbage collector down for all.
    columns = ((x.tokens, x.ids, x.type_ids, x.offsets) for x in encodings)
    return "\n".join(map(repr, columns))


def _train_naively(count_words, naive_train, text, num_merges):
    return naive_train(count_words(text), num_merges)


def _join(encodings):
    return list(chain.from_iterable(encoding.tokens for encoding in encodings))


def _spell(hf, encodings):
    return [hf.id_to_token(number) for encoding in encodings for number in encoding.ids]
