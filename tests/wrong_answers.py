"""Plausible wrong answers to the labs, and what the message says of each.

Of a lab: (solution cell, test cell, what is changed in the solution, into what, what is said). If
nothing is given to change, the answer is written in full.
"""

WORDS_START = r'r"(?:[^\s\p{P}]|(?<=\d)[.,](?=\d))+'
OVERWRITES = "The lists must stay as they are."

WRONG = {
    "lab1_words": [
        # the pattern of notebook 01
        ("numbers", "numbers", None, r'NUMBERS = r"\p{P}|[^\s\p{P}]+"', "a point stays whole"),
        # the first answer that one thinks of to notebook 01's question
        ("numbers", "numbers", None, r'NUMBERS = r"\d+\.\d+|\p{P}|[^\s\p{P}]+"', "several marks"),
        # put in front, as an alternative of its own
        (
            "numbers",
            "numbers",
            None,
            r'NUMBERS = r"(?<=\d)[.,](?=\d)|\p{P}|[^\s\p{P}]+"',
            "a point stays whole: a word may",
        ),
        ("numbers", "numbers", r"(?=\d)", "", "A point at the end is cut off."),
        ("numbers", "numbers", r"(?<=\d)[.,](?=\d)", "[.,]", "A point at the end is cut off."),
        (
            "numbers",
            "numbers",
            None,
            "from wpedu.pretokenization import WORD_PATTERN as NUMBERS",
            "write it yourself",
        ),
        # a word as `\w` has it
        ("numbers", "numbers", r"[^\s\p{P}]|", r"\w|", "are no punctuation marks"),
        (
            "numbers",
            "numbers",
            r"(?:[^\s\p{P}]|(?<=\d)[.,](?=\d))+|\p{P}",
            r"(?:[^\s\p{P}]|_|(?<=\d)[.,](?=\d))+|\p{P}",
            "`_` is a punctuation mark.",
        ),
        (
            "numbers",
            "numbers",
            None,
            r'NUMBERS = r"\d+(?:[.,]\d+)+|\p{P}|[^\s\p{P}]+"',
            "Letters at a number",
        ),
        # letters alone in front of the apostrophe, numbers alone with a point
        (
            "words",
            "words",
            None,
            r"""WORDS = r"\p{L}+['’](?=\p{L})|(?:[^\s\p{P}]|(?<=\d)[.,](?=\d))+|\p{P}" """,
            "Digits and letters may be",
        ),
        (
            "words",
            "words",
            None,
            r"""WORDS = r"\d+(?:[.,]\d+)+|[^\s\p{P}]+(?:(?<=\p{L})['’](?=\p{L}))?|\p{P}" """,
            "Digits and letters may be",
        ),
        ("words", "words", "['’]", "'", "There are two characters for an apostrophe"),
        ("words", "words", r"(?=\p{L})", "", "A quotation mark is not between two letters."),
        ("words", "words", r"(?<=\d)[.,](?=\d)", r"(?<=\p{L})'(?=\p{L})", "ends the first word"),
        ("words", "words", r"|(?<=\d)[.,](?=\d)", "", "Numbers still stay whole."),
        ("gaps", "gaps", None, 'def gaps(text):\n    return regex.findall(r"\\s+", text)', "three"),
        ("gaps", "gaps", "text[end : match.start()]", '" "', "Two words have three gaps"),
        ("gaps", "gaps", "[*result, text[end:]]", "result", "Two words have three gaps"),
        ("gaps", "real", "text[end : match.start()]", "text[end : match.start()][:1]", "Homer"),
        (
            "untokenize",
            "untokenize",
            'gaps[0] + "".join(word + gap for word, gap in zip(words, gaps[1:]))',
            '" ".join(words)',
            "The first and last gap count too.",
        ),
        ("untokenize", "untokenize", "gaps[0] + ", "gaps.pop(0) + ", "Words and gaps"),
        ("untokenize", "untokenize", "gaps[0] + ", "", "The first and last gap count too."),
        (
            "untokenize",
            "untokenize",
            "return gaps[0]",
            "words += ['']\n    return gaps[0]",
            "The lists must stay as they are.",
        ),
        ("untokenize", "offsets", "(start, end)", "(start, end - 1)", "the place behind"),
        ("untokenize", "offsets", "zip(gaps, words)", 'zip(["", *gaps[1:]], words)', "the first"),
        ("untokenize", "offsets", "len(gap)", "1", "Start, and the place behind."),
        # where such a word stands, and not this one
        (
            "untokenize",
            "offsets",
            "start = end + len(gap)",
            "start = untokenize(words, gaps).index(word)",
            "Each `a` has a place of its own.",
        ),
        (
            "untokenize",
            "offsets",
            "for gap, word in zip(gaps, words):",
            "for word in words:\n        gap = gaps.pop(0)",
            "The lists must stay as they are.",
        ),
        ("count_words", "count_words", '"NFC"', '"NFKC"', "Form C does not take ﬁ apart."),
        ("count_words", "count_words", '"NFC"', '"NFD"', "and composed"),
        (
            "count_words",
            "count_words",
            'unicodedata.normalize("NFC", text)',
            "text",
            "Both spellings are the same word.",
        ),
        (
            "count_words",
            "count_words",
            'cut(unicodedata.normalize("NFC", text), WORDS)',
            '(unicodedata.normalize("NFC", word) for word in cut(text, WORDS))',
            "Compose the text first",
        ),
        (
            "count_words",
            "count_words",
            'Counter(cut(unicodedata.normalize("NFC", text), WORDS))',
            'dict(sorted(Counter(cut(unicodedata.normalize("NFC", text), WORDS)).items()))',
            "First occurrence first.",
        ),
        (
            "count_words",
            "count_words",
            None,
            "from wpedu import count_words",
            "write it yourself",
        ),
        (
            "count_words",
            "real",
            'unicodedata.normalize("NFC", text)',
            "text",
            "A word in two spellings was counted as two.",
        ),
    ],
    "lab2_gains": [
        ("counts", "counts", "C_a = 4 + 3 + 1 + 2", "C_a = 4", "four distinct words"),
        ("counts", "counts", "N = 4 * 4 + 3 * 5 + 1 * 6 + 2 * 4", "N = 35", "starts with the mark"),
        ("counts", "counts", "M = 4 * 3 + 3 * 4 + 1 * 5 + 2 * 3", "M = N", "has k - 1 pairs"),
        (
            "counts",
            "counts",
            "M = 4 * 3 + 3 * 4 + 1 * 5 + 2 * 3",
            "M = N - 4",
            "it has one pair less",
        ),
        ("counts", "counts", "+ 2 * 4", "+ 4", "N: tokens are marks"),
        ("counts", "counts", "4 * 3 + 3 * 4", "4 * 3 + 4", "M: pairs are neighbors"),
        ("counts", "counts", "C_at = 4 + 3", "C_at = 4 + 3 + 1", "as often as it occurs"),
        ("paper", "paper", "9.79", "8.03", "the shares have different totals"),
        ("paper", "paper", "9.79", "1.40", "what one occurrence is worth"),
        ("paper", "paper", "9.79", "14.13", "take the natural logarithm"),
        ("paper", "paper", "9.79", "5", "Not yet."),
        ("paper", "paper", "9.79", "9.77", "Not yet."),
        ("paper", "paper", "9.79", "'9.79'", "Put your number"),
        ("gain_in_bits", "gain_in_bits", "log2(", "log(", "That is in nats"),
        ("gain_in_bits", "gain_in_bits", "(N - words)", "N", "M is not N"),
        ("gain_in_bits", "gain_in_bits", "(N - words)", "words", "M is N less that"),
        (
            "gain_in_bits",
            "gain_in_bits",
            "log2(C_xy * N**2 / ((N - words) * C_x * C_y))",
            "(log2(C_xy / (N - words)) - log2(C_x / N) - log2(C_y / N))",
            "the same to the last bit",
        ),
        (
            "gain_in_bits",
            "gain_in_bits",
            None,
            "from wpedu.scores import gain as gain_in_bits",
            "write it yourself",
        ),
        ("all_gains", "all_gains", '"▁" + word', "word", "the mark included"),
        ("all_gains", "all_gains", "pairs.get(pair, 0) + count", "pairs.get(pair, 0) + 1", "`bo`"),
        ("all_gains", "all_gains", "sum(word_counts.values())", "len(word_counts)", "here 10, and"),
        (
            "all_gains",
            "all_gains",
            "    tokens, pairs = {}, {}",
            "    tokens, pairs = {}, {}\n    word_counts.pop('tab')",
            "The counts must stay as they are.",
        ),
        ("negative", "negative", '"x": 50, "y": 50', '"x": 1, "y": 1', "without each other"),
        ("negative", "negative", '"xy": 5', '"xy": 1', "a word's count counts"),
        ("negative", "negative", '"x": 50', '"x": 50, "xx": 1', "At most three"),
        (
            "avoided",
            "avoided",
            "sorted(each, key=each.get)",
            "sorted(each, key=each.get)[::-1]",
            "lowest",
        ),
        ("avoided", "avoided", " if n >= least", "", "less than 2"),
        ("avoided", "avoided", "n / (tokens", "-n / (tokens", "The lowest first."),
        ("avoided", "avoided", "sorted(each,", "sorted(reversed(each),", "the first comes first"),
        # the gain, divided
        (
            "avoided",
            "avoided",
            "each = {(x, y): n / (tokens[x] * tokens[y]) for",
            "gains = all_gains(word_counts)\n    each = {(x, y): gains[x, y] / n for",
            "take one logarithm, and do not divide",
        ),
        # by the gain, and not by that of one occurrence
        (
            "avoided",
            "avoided",
            "return sorted(each",
            "each = {p: g for p, g in all_gains(word_counts).items() if p in each}\n"
            "    return sorted(each",
            "Homer's pairs",
        ),
    ],
    "lab3_training": [
        ("round_one", "round_one", '("▁", "n")', '("n", "o")', "The pair with the highest gain"),
        ("round_one", "round_one", "= 4.01", "= 4.91", "occur equally often"),
        ("round_one", "round_one", "= 4.91", "= 3.67", "The gain of ▁n is another."),
        ("round_one", "round_one", "= 4.91", "= 4.93", "The gain of ▁n is another."),
        ("round_one", "round_one", "= 4.01", "= 4.03", "The gain of no is another."),
        ("round_two", "round_two", "= 4.96", "= 4.94", "The pair is right, its gain is not."),
        ("round_one", "round_one", '["▁n", "o", "n"]', '["▁n", "on"]', "wherever it stands"),
        ("round_one", "round_one", "= 4.91", "= None", "in the place of None"),
        ("round_one", "round_one", '= ("▁", "n")', "= None", "in the place of None"),
        ("round_one", "round_one", "after_one_round = {", "{", "in the place of None"),
        ("round_one", "round_one", '= ("▁", "n")', '= "▁n"', "two strings in parentheses"),
        ("round_one", "round_one", '= ("▁", "n")', '= ["▁", "n"]', "two strings in parentheses"),
        ("round_two", "round_two", "= 4.96", "= None", "Put your number in the place of None"),
        ("round_two", "round_two", '= ("▁n", "o")', "= None", "Put your pair in the place of None"),
        ("round_two", "round_two", '= ("▁n", "o")', '= "▁no"', "two strings in parentheses"),
        ("round_two", "round_two", '("▁n", "o")', '("n", "o")', "it is gone"),
        ("round_two", "round_two", '("▁n", "o")', '("o", "n")', "Another pair"),
        ("round_two", "round_two", "= 4.96", "= 4.01", "before the first merge"),
        # the function of notebook 03
        (
            "merge_from_right",
            "merge_from_right",
            None,
            """
def merge_from_right(pair, split):
    x, y = pair
    merged, i = [], 0
    while i < len(split):
        if split[i] == x and split[i + 1 : i + 2] == [y]:
            merged.append(x + y)
            i += 2
        else:
            merged.append(split[i])
            i += 1
    return merged
""",
            "The last two are joined first.",
        ),
        # in front of the first one stands the last
        (
            "merge_from_right",
            "merge_from_right",
            None,
            """
def merge_from_right(pair, split):
    merged, i = [], len(split) - 1
    while i >= 0:
        if (split[i - 1], split[i]) == tuple(pair):
            merged.insert(0, pair[0] + pair[1])
            i -= 2
        else:
            merged.insert(0, split[i])
            i -= 1
    return merged
""",
            "`split[-1]` is the last one",
        ),
        # the last occurrence, and no other
        (
            "merge_from_right",
            "merge_from_right",
            None,
            """
def merge_from_right(pair, split):
    for i in range(len(split) - 2, -1, -1):
        if split[i : i + 2] == list(pair):
            return [*split[:i], pair[0] + pair[1], *split[i + 2 :]]
    return list(split)
""",
            "Each occurrence is joined.",
        ),
        # the mistake of notebook 03
        (
            "merge_from_right",
            "merge_from_right",
            None,
            """
def merge_from_right(pair, split):
    x, y = pair
    backwards = " ".join(split)[::-1].replace(f"{x} {y}"[::-1], (x + y)[::-1])
    return backwards[::-1].split(" ")
""",
            "its h is not the subword `h`",
        ),
        (
            "merge_from_right",
            "merge_from_right",
            None,
            """
def merge_from_right(pair, split):
    for i in range(len(split) - 2, -1, -1):
        if split[i : i + 2] == list(pair):
            split[i : i + 2] = [pair[0] + pair[1]]
    return split
""",
            "must not change",
        ),
        (
            "merge_from_right",
            "merge_from_right",
            None,
            """
def merge_from_right(pair, split):
    found = [i for i in range(len(split) - 1) if (split[i], split[i + 1]) == tuple(pair)]
    merged = []
    for i, subword in enumerate(split):
        if i in found:
            merged.append(subword + split[i + 1])
        elif i - 1 not in found:
            merged.append(subword)
    return merged
""",
            "An `a` is used twice.",
        ),
        (
            "merge_from_right",
            "merge_from_right",
            None,
            """
import wpedu


def merge_from_right(pair, split):
    merged = wpedu.merge_pair(pair[::-1], split[::-1])
    return [pair[0] + pair[1] if s == pair[1] + pair[0] else s for s in merged[::-1]]
""",
            "write it yourself",
        ),
        (
            "best_pair",
            "best_pair",
            None,
            "def best_pair(gains):\n    return max(gains, key=gains.get)",
            "Ties: `a` is before `b`.",
        ),
        ("best_pair", "best_pair", "min(pair", "max(pair", "Ties: `a` is before `b`."),
        ("best_pair", "best_pair", "max(gains.values())", "min(gains.values())", "highest gain"),
        (
            "best_pair",
            "best_pair",
            "min(pair for pair in gains if gains[pair] == highest)",
            'min((p for p in gains if gains[p] == highest), key="".join)',
            "Not as joined strings.",
        ),
        (
            "best_pair",
            "best_pair",
            None,
            """
def best_pair(gains):
    best, highest = None, 0
    for pair in sorted(gains):
        if gains[pair] > highest:
            best, highest = pair, gains[pair]
    return best
""",
            "Gains may be negative.",
        ),
        # ties the other way
        ("train_sorted", "train_sorted", "best_pair(gains)", "max(gains, key=gains.get)", "equal"),
        ("train_sorted", "train_sorted", ">= least", "> least", "eight times"),
        ("train_sorted", "train_sorted", "if often[pair] >= least", "", "eight times"),
        ("train_sorted", "train_sorted", "if not gains:", "if False:", "empty"),
        (
            "train_sorted",
            "train_sorted",
            "merges.append(best)",
            "merges.append(''.join(best))",
            "paper",
        ),
        (
            "train_sorted",
            "train_sorted",
            None,
            """
from wpedu import train


def train_sorted(word_counts, num_merges, least=1):
    return train(word_counts, num_merges)
""",
            "write it yourself",
        ),
        # from the left
        (
            "train_sorted",
            "train_sorted",
            "merge_from_right(best, split)",
            '[s.replace("|", "") for s in '
            '"+".join(split).replace("+".join(best), "|".join(best)).split("+")]',
            "Merging is from the right",
        ),
        # what was counted in earlier rounds is still there
        (
            "train_sorted",
            "train_sorted",
            "        often = {}",
            "        often = often if merges else {}",
            "eight times",
        ),
        # the least count is asked for once, in the beginning
        (
            "train_sorted",
            "train_sorted",
            "    merges = []",
            "    word_counts = {w: word_counts[w] for w in splits if word_counts[w] >= least}\n"
            "    merges = []",
            "eight times|five times",
        ),
        ("train_sorted", "real", ">= least", "> 0", "28,000 times or more"),
        ("train_sorted", "real", "merge_from_right(best, split)", "split", "not the first three"),
    ],
    "lab4_encoders": [
        ("breaks_1", "breaks_1", "▁né", "▁n", "That answer is right"),
        ("breaks_1", "breaks_1", '["▁", "n", "."]', "None", "in the place of None"),
        ("breaks_1", "breaks_1", '"n", "."', '"n", ""', "no subword"),
        ("mended_1", "mended_1", "regex.escape(subword)", "subword", "A full stop"),
        ("mended_1", "mended_1", 'return ["[UNK]"]', "break", "the whole word is unknown"),
        (
            "mended_1",
            "mended_1",
            "subwords.insert(0, match.group())",
            "subwords.append(match.group())",
            "From the right.",
        ),
        (
            "mended_1",
            "mended_1",
            "regex.escape(subword)",
            'subword.replace(".", "[.]")',
            "parenthesis|missing|unbalanced",
        ),
        ("mended_1", "mended_1", None, "mended_1 = from_right", "write it yourself"),
        # the encoder of notebook 04: from the left
        (
            "mended_1",
            "mended_1",
            None,
            """
def mended_1(word, vocab):
    longest_first = sorted(vocab, key=len, reverse=True)
    subwords = regex.findall("|".join(regex.escape(s) for s in longest_first), word)
    return subwords if "".join(subwords) == word else ["[UNK]"]
""",
            "From the right.",
        ),
        ("breaks_2", "breaks_2", "▁né", "▁n", "When does the loop not move on?"),
        ("breaks_2", "breaks_2", '"▁né"', "None", "in the place of None"),
        ("breaks_2", "breaks_2", '["▁", "n"]', '{"▁", "n"}', "a vocabulary a list"),
        # nothing is mended
        ("mended_2", "mended_2", 'return ["[UNK]"]', "pass", "no answer yet"),
        ("mended_2", "mended_2", 'return ["[UNK]"]', "break", "the whole word is unknown"),
        ("mended_2", "mended_2", 'return ["[UNK]"]', "end -= 1", "the whole word is unknown"),
        ("mended_2", "mended_2", "range(end)", "range(end - 1, -1, -1)", "From the right."),
        (
            "breaks_3",
            "breaks_3",
            '["▁", "s", "e", "a", "t", "ats"]',
            '["▁seats"[:1], "s"]',
            "never tried",
        ),
        # what the lab shows
        ("breaks_3", "breaks_3", '"t", "ats"]', '"t", "▁sea", "ats"]', "That answer is right"),
        ("breaks_3", "breaks_3", '"▁seats"', "None", "in the place of None"),
        ("mended_3", "mended_3", "end - longest)", "end - longest + 1)", "The longest subword"),
        ("mended_3", "mended_3", "max(0, end - longest)", "0", "it takes too long"),
        ("mended_3", "mended_3", 'return ["[UNK]"]', "break", "the whole word is unknown"),
        # the longest subword is not the number of subwords
        (
            "mended_3",
            "mended_3",
            "max((len(subword) for subword in vocab), default=0)",
            "len(vocab)",
            "it takes too long",
        ),
        # back, if something is left
        *(
            (
                name,
                name,
                None,
                f"""
def {name}(word, vocab):
    for start in range(len(word)):
        before = {name}(word[:start], vocab) if start else []
        if word[start:] in vocab and before != ["[UNK]"]:
            return [*before, word[start:]]
    return ["[UNK]"]
""",
                "Never a step back",
            )
            for name in ("mended_1", "mended_2", "mended_3")
        ),
        # the first way of notebook 05
        (
            "encode_with_places",
            "encode_with_places",
            'end = start + 1\n            tokens.append(("[UNK]", start, end))',
            'return [("[UNK]", 0, len(word))]',
            "the rest of the word is not",
        ),
        (
            "encode_with_places",
            "encode_with_places",
            "end = start + 1",
            "end = start + 5",
            "unknown",
        ),
        (
            "encode_with_places",
            "encode_with_places",
            "end = start + 1",
            "end = start",
            "no answer yet",
        ),
        # one [UNK] for a run of unknown characters
        (
            "encode_with_places",
            "encode_with_places",
            'tokens.append(("[UNK]", start, end))',
            'tokens[-1:] = [*(t for t in tokens[-1:] if t[0] != "[UNK]"), ("[UNK]", start, end)]',
            "its own `[UNK]`",
        ),
        (
            "encode_with_places",
            "encode_with_places",
            "start, end))\n                break",
            "end))\n                break",
            "with its places",
        ),
        (
            "compare",
            "compare",
            "left != right",
            "len(left) != len(right)",
            "`ab a` and `a ba` differ",
        ),
        ("compare", "compare", "len(right) < len(left)", "left != right", "4 from the right"),
        ("compare", "compare", "len(right) > len(left)", "left != right", "2 from the right"),
        ("compare", "compare", "mended_3(word, known)", "encoder.encode(word)", "4 from the right"),
        (
            "compare",
            "compare",
            "mended_3(word, known)",
            "from_right(word, vocab)",
            "`from_right`, which uses `subword_tokenize`: write it yourself",
        ),
    ],
    "lab5_bert": [
        # the function of notebook 06 and the package
        (
            "to_bert_tokens",
            "to_bert_tokens",
            None,
            """
def to_bert_tokens(tokens):
    result, start = [], False
    for token in tokens:
        if token == "▁":
            start = True
            continue
        if token.startswith("▁"):
            result.append(token[1:])
        elif start or token in SPECIAL:
            result.append(token)
        else:
            result.append("##" + token)
        start = False
    return result
""",
            "Each token comes with its word's number.",
        ),
        (
            "to_bert_tokens",
            "to_bert_tokens",
            "elif token in SPECIAL:\n            result.append((token, None))",
            "elif False:\n            pass",
            "`[CLS]` is no word",
        ),
        ("to_bert_tokens", "to_bert_tokens", ' or previous == "▁":', ":", "no ##"),
        ("to_bert_tokens", "to_bert_tokens", 'token == "[UNK]"', "False", "and is a word"),
        (
            "to_bert_tokens",
            "to_bert_tokens",
            "((token, None))",
            "((token, 0))",
            "`[CLS]` is no word",
        ),
        (
            "to_bert_tokens",
            "to_bert_tokens",
            "previous = token\n",
            "previous = previous or token\n",
            "##|continue",
        ),
        (
            "to_bert_tokens",
            "to_bert_tokens",
            'elif token != "▁":',
            "else:",
            "A lone ▁|a word starts",
        ),
        (
            "to_bert_tokens",
            "to_bert_tokens",
            "previous = token\n",
            'previous = previous if previous == "▁" and token in SPECIAL else token\n',
            "on the next token only",
        ),
        # each token is a word
        (
            "to_bert_tokens",
            "to_bert_tokens",
            'result.append(("##" + token, number))',
            'number += 1\n                result.append(("##" + token, number))',
            "continues the first word",
        ),
        (
            "to_bert_tokens",
            "to_bert_tokens",
            None,
            "from wpedu import to_bert as to_bert_tokens",
            "write it yourself",
        ),
        (
            "from_bert_tokens",
            "from_bert_tokens",
            "token in SPECIAL",
            "False",
            "Special tokens stay",
        ),
        ("from_bert_tokens", "from_bert_tokens", '"▁" + token', "token", "starts a word"),
        ("from_bert_tokens", "from_bert_tokens", "token[2:]", 'token.replace("#", "")', "first ##"),
        ("from_bert_tokens", "from_bert_tokens", "token[2:]", 'token.lstrip("#")', "first ##"),
        (
            "from_bert_tokens",
            "from_bert_tokens",
            "token[2:]",
            'token.replace("##", "")',
            "first ##",
        ),
        # those of notebook 06
        ("bare_ones", "bare_ones", '["ould", "qu"]', '["Uly", "out", "ould"]', "as it is not in"),
        ("bare_ones", "bare_ones", '["ould", "qu"]', '["ould", "ans"]', "`▁an` is in larger"),
        ("bare_ones", "bare_ones", '["ould", "qu"]', '["ould", "qu", "out"]', "each beginning"),
        ("bare_ones", "bare_ones", '["ould", "qu"]', '["ould"]', "each beginning"),
        (
            "may_be_bare",
            "may_be_bare",
            "range(1, len(subword) + 1)",
            "range(1, len(subword))",
            "The subword itself is a beginning.",
        ),
        ("may_be_bare", "may_be_bare", '"▁" in vocab and ', "", "Without a ▁"),
        (
            "may_be_bare",
            "may_be_bare",
            "not any(beginning in vocab for beginning in beginnings)",
            "beginnings[-1] not in vocab",
            "`▁an` is there",
        ),
        ("may_be_bare", "may_be_bare", "not any", "any", "Nothing that `Uly`"),
        # the obvious conversion
        ("bert_ids", "bert_ids", "if may_be_bare(subword, vocab):", "if True:", "A bare `ans`"),
        ("bert_ids", "bert_ids", 'in ("▁", "[UNK]")', 'in ("[UNK]",)', "The lone ▁"),
        ("bert_ids", "bert_ids", 'in ("▁", "[UNK]")', '== "▁"', "is special, and no subword"),
        # the order of notebook 06
        (
            "bert_ids",
            "bert_ids",
            "SPECIAL + starts + rest",
            "SPECIAL + rest + starts",
            "Then what starts words",
        ),
        (
            "bert_ids",
            "bert_ids",
            "SPECIAL + starts + rest",
            "starts + rest + SPECIAL",
            "First the special",
        ),
        ("bert_ids", "bert_ids", "enumerate(tokens)", "enumerate(tokens, 1)", "from 0 up"),
        ("bert_ids", "bert_ids", "{token: number for", "{number: token for", "Its keys are tokens"),
        (
            "bert_ids",
            "bert_ids",
            "dict.fromkeys(SPECIAL + starts + rest)",
            "SPECIAL + starts + rest",
            "No token twice",
        ),
        (
            "bert_ids",
            "bert_ids",
            None,
            """
from wpedu import to_bert_vocab


def bert_ids(vocab):
    return {token: number for number, token in enumerate([*SPECIAL, *to_bert_vocab(vocab)])}
""",
            "write it yourself",
        ),
        # the function of notebook 06
        (
            "bert_encode_ids",
            "bert_encode_ids",
            None,
            """
def bert_encode_ids(word, ids):
    tokens, start = [], 0
    while start < len(word):
        prefix = "##" if start > 0 else ""
        for end in range(len(word), start, -1):
            if prefix + word[start:end] in ids:
                break
        else:
            return [ids["[UNK]"]]
        tokens.append(ids[prefix + word[start:end]])
        start = end
    return tokens
""",
            "takes 2 positional arguments but 3 were given",
        ),
        ("bert_encode_ids", "bert_encode_ids", '"##" if start > 0 else ""', '""', "with ##"),
        ("bert_encode_ids", "bert_encode_ids", " and len(word) <= 100", "", "101 characters"),
        ("bert_encode_ids", "bert_encode_ids", "<= 100", "< 100", "100 characters are not"),
        (
            "bert_encode_ids",
            "bert_encode_ids",
            "range(len(word), start, -1)",
            "range(start + 1, len(word) + 1)",
            "longest",
        ),
        # ##[UNK], or one [UNK] for a character
        (
            "bert_encode_ids",
            "bert_encode_ids",
            "            else:\n                break\n",
            "            else:\n                subwords.append(1)\n"
            "                start += 1\n                continue\n",
            "the whole word is [UNK]",
        ),
        (
            "bert_encode_ids",
            "bert_encode_ids",
            '[ids["[CLS]"], *found[: length - 2], ids["[SEP]"]]',
            '[ids["[CLS]"], *found, ids["[SEP]"]][:length]',
            "`[SEP]` stays",
        ),
        (
            "bert_encode_ids",
            "bert_encode_ids",
            'return found + [ids["[PAD]"]] * (length - len(found))',
            'return found[:-1] + [ids["[PAD]"]] * (length - len(found)) + found[-1:]',
            "behind `[SEP]`",
        ),
        (
            "bert_ids",
            "real",
            "if may_be_bare(subword, vocab):",
            "if True:",
            "words of Homer differ",
        ),
        ("to_bert_tokens", "real", ' or previous == "▁":', ":", "words of Homer differ"),
    ],
    "lab6_scores": [
        (
            "end_split",
            "end_split",
            '[*word[:-1], word[-1] + "</w>"]',
            '[*word, "</w>"]',
            "part of the last",
        ),
        (
            "end_split",
            "end_split",
            '[*word[:-1], word[-1] + "</w>"]',
            'list("▁" + word)',
            "part of the last",
        ),
        (
            "train_bpe",
            "train_bpe",
            None,
            """
def train_bpe(word_counts, num_merges):
    return train(word_counts, num_merges, "frequency")
""",
            "write it yourself",
        ),
        # ties the other way
        (
            "train_bpe",
            "train_bpe",
            "max(pairs, key=pairs.get)",
            "max(reversed(pairs), key=pairs.get)",
            "the first is merged",
        ),
        ("train_bpe", "train_bpe", "+ count", "+ 1", "occur 9 times|`lo`"),
        ("train_bpe", "train_bpe", "if not pairs:", "if False:", "empty"),
        # merges have no order in it: a pair is chosen once and for all
        ("train_bpe", "train_bpe", "end_split(word) for", "list(word) for", "`es`"),
        (
            "replay",
            "replay",
            None,
            """
def replay(split, merges):
    for i in range(len(split) - 1, 0, -1):
        if (split[i - 1], split[i]) in merges:
            split[i - 1 : i + 1] = [split[i - 1] + split[i]]
    return split
""",
            "`e s` was learned before `s e`.",
        ),
        # as long as there is something to merge, from the first that fits
        (
            "replay",
            "replay",
            None,
            """
def replay(split, merges):
    split = list(split)
    while learned := [pair for pair in zip(split, split[1:]) if pair in merges]:
        split = merge_pair(min(learned, key=merges.index), split)
    return split
""",
            "Each merge has one turn.",
        ),
        ("replay", "replay", "in merges:", "in reversed(merges):", "`e s` was learned before"),
        (
            "replay",
            "replay",
            None,
            """
def replay(split, merges):
    for x, y in merges:
        while any(pair == (x, y) for pair in zip(split, split[1:])):
            i = list(zip(split, split[1:])).index((x, y))
            split[i : i + 2] = [x + y]
    return split
""",
            "must not change",
        ),
        ("count_both", "count_both", "len(replayed) * count", "len(replayed)", "By replay"),
        (
            "count_both",
            "count_both",
            "differ += replayed != longest",
            "differ += (replayed != longest) * count",
            "By replay",
        ),
        (
            "count_both",
            "count_both",
            "differ += replayed != longest",
            "differ += len(replayed) != len(longest)",
            "By replay",
        ),
        (
            "count_both",
            "count_both",
            'replay(list("▁" + word), merges)',
            'encoder.encode("▁" + word)',
            "By replay",
        ),
        ("my_score", "my_score", "Cxy / max(Cx, Cy)", "Cxy / (Cx * Cy)", "the score 'ratio'"),
        ("my_score", "my_score", "Cxy / max(Cx, Cy)", "2 * Cxy + 1", "the score 'frequency'"),
        ("my_score", "my_score", "Cxy / max(Cx, Cy)", "str(Cxy)", "A score is a number"),
        ("my_score", "my_score", "Cxy / max(Cx, Cy)", "1", "the same number for all counts"),
        (
            "my_score",
            "my_score",
            "return Cxy",
            "import random\n    return random.random() + Cxy",
            "not the same each time",
        ),
        # the first try of notebook 08
        ("my_score", "my_score", "Cxy / max(Cx, Cy)", "Cxy**2 / (Cx * Cy)", "the two tries"),
        ("my_score", "my_score", None, 'my_score = SCORES["gain"]', "write it yourself"),
    ],
    "project": [
        ("text", "text", None, 'text = "ab cd " * 9_000', "is it one page"),
        ("text", "text", None, 'text = "trop court"', "10,000 words or more"),
        (
            "text",
            "text",
            '"NFC", "\\n".join(sources)',
            '"NFD", "é" + "\\n".join(sources)',
            "form C",
        ),
        (
            "text",
            "text",
            None,
            'import wpedu\ntext = " ".join(wpedu.load_corpus("homer").word_counts.elements())',
            "in English",
        ),
        (
            "parts",
            "parts",
            'regex.search(r"\\s", text, pos=len(text) * 9 // 10).start()',
            'regex.search(r"\\w\\w", text, pos=len(text) * 9 // 10).start() + 1',
            "through a word",
        ),
        ("parts", "parts", "9 // 10", "1 // 2", "nine tenths"),
        ("parts", "parts", "text[cut:]", "text[cut + 1 :]", "together are the text"),
        ("train", "train", "num_merges=1_500", "num_merges=200", "500 to 20,000"),
        (
            "train",
            "train",
            "fit(training)",
            "fit(held_out)",
            "was not trained on the training part",
        ),
        ("measure", "measure", "tokens / total", "tokens / len(counts)", "10 tokens, 4 words"),
        (
            "measure",
            "measure",
            'count * (encoded == ["[UNK]"])',
            'encoded == ["[UNK]"]',
            "Each occurrence",
        ),
        ("measure", "measure", '"▁" + word', "word", "10 tokens, 4 words"),
        ("measure", "measure", "if total == 0:", "if False:", "division"),
        ("save", "save", "wp.save", "WordPiece().fit('a b').save", "not what was saved"),
        (
            "save",
            "save",
            "wp.save",
            "WordPiece(num_merges=50).fit(training).save",
            "not what was saved",
        ),
        ("save", "transformers", "wp.to_bert_tokenizer()", "tiny.to_bert_tokenizer()", "otherwise"),
        (
            "save",
            "transformers",
            "wp.to_bert_tokenizer()",
            "WordPiece(num_merges=50).fit(training).to_bert_tokenizer()",
            "otherwise",
        ),
    ],
}
