# Writes small models of random numbers and what the reference makes of texts with
# them. numpy is needed, and ../../subword/testdata/ids.json for the tokens: the
# rest of the reference (model2vec 0.8.2, StaticModel.encode) is a few lines.
import json
import os
import shutil
import struct

import numpy as np

here = os.path.dirname(os.path.abspath(__file__))
subword = os.path.join(here, "../../subword/testdata")
rows = json.load(open(os.path.join(subword, "ids.json")))
rng = np.random.default_rng(7)


def bfloat(a):
    # The upper half of each number, rounded to even.
    bits = a.astype("<f4").view("<u4")
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype("<u2")


def write(path, tensors):
    header, data = {}, b""
    for name, (dtype, array) in tensors.items():
        raw = array.tobytes()
        header[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    open(path, "wb").write(struct.pack("<Q", len(text)) + text + data)


def encode(ids, embedding, weights, mapping, unknown):
    ids = [i for i in ids if i != unknown][:512]
    if not ids:
        return np.zeros(embedding.shape[1])
    emb = embedding[ids if mapping is None else mapping[ids]]
    if weights is not None:
        emb = emb * weights[ids][:, None]
    out = emb.mean(axis=0)
    return out / (np.linalg.norm(out) + 1e-32)


def make(name, tokenizer, dtype, unknown, quantized=False):
    path = os.path.join(here, name)
    os.makedirs(path, exist_ok=True)
    shutil.copy(os.path.join(subword, tokenizer + ".json"), os.path.join(path, "tokenizer.json"))
    spec = json.load(open(os.path.join(path, "tokenizer.json")))
    size = max([len(spec["model"]["vocab"])] + [t["id"] + 1 for t in spec["added_tokens"]])
    n = 40 if quantized else size
    table = rng.standard_normal((n, 6)).astype(np.float32)
    tensors, weights, mapping = {}, None, None
    if dtype == "F16":
        stored = table.astype("<f2")
        table = stored.astype(np.float32)
    elif dtype == "BF16":
        stored = bfloat(table)
        table = (stored.astype("<u4") << 16).view("<f4")
    elif dtype == "I8":
        stored = np.round(table / (np.abs(table).max() / 127)).astype(np.int8)
        table = stored
    else:
        stored = table
    tensors["embeddings"] = (dtype, stored)
    if quantized:
        weights = rng.random(size).astype(np.float32)
        mapping = rng.integers(0, n, size)
        tensors["weights"] = ("F32", weights)
        tensors["mapping"] = ("I64", mapping)
    write(os.path.join(path, "model.safetensors"), tensors)
    config = {"model_type": "model2vec", "architectures": ["StaticModel"], "normalize": True, "hidden_dim": 6}
    json.dump(config, open(os.path.join(path, "config.json"), "w"))
    vectors = [[round(float(x), 7) for x in encode(r["ids"][tokenizer], table, weights, mapping, unknown)] for r in rows]
    lines = [json.dumps({"text": r["text"], "vector": v}) for r, v in zip(rows, vectors)]
    open(os.path.join(path, "vectors.json"), "w").write("[\n" + ",\n".join(lines) + "\n]\n")


make("wordpiece", "bert", "F32", 1)
make("unigram", "potion", "F16", None, quantized=True)  # the reference knows no unknown token of a Unigram
make("bpe", "bytes", "I8", None)
make("words", "words", "BF16", 1)
