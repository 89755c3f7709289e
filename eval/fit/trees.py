"""Trains boosted trees on what fit -rows writes, and says what they would gain over the profile.

    go run ./eval/fit -pools POOLS -rows ROWS code
    python eval/fit/trees.py ROWS            # held out in five parts
    python eval/fit/trees.py -test ROWS      # the test projects too, once, at the end

Needs lightgbm and numpy (PyPI). Nothing of the program depends on it: trees are tried, and
eval/runs says what came of it.
"""
import argparse
import json
import math
import time

import lightgbm
import numpy as np

SHARES = {"questions": .315, "read": .27, "changes": .18, "cores": .1, "comments": .09, "subjects": .045}
CUT = 10


def read(path):
    with open(path) as f:
        signals = json.loads(next(f))["signals"]
        asked = [json.loads(line) for line in f]
    for q in asked:
        files = sorted(q["files"], key=lambda x: -x["worth"])
        top, n = files[0]["worth"], len(files)
        q["files"] = files
        q["right"] = np.array([x["right"] for x in files])
        q["worth"] = np.array([x["worth"] for x in files])
        own = np.array([x["values"] for x in files])
        among = own - own.max(axis=0)  # how far behind the best of this question
        more = [[x["worth"], x["worth"] - top, x["second"], math.log1p(x["chunks"]), math.log1p(i), math.log1p(n), q["column"]] for i, x in enumerate(files)]
        q["x"] = np.hstack([own, among, np.array(more)]).astype(np.float32)
    return signals, asked


def ndcg(q, worth):
    order = np.argsort(-worth, kind="stable")[:CUT]
    return sum(1 / math.log2(i + 2) for i, d in enumerate(order) if q["right"][d]) / q["ideal"]


def tally(asked, worths):
    """NDCG@10 by set: the mean over projects."""
    by = {}
    for q, w in zip(asked, worths):
        by.setdefault(q["set"], {}).setdefault(q["project"], []).append(ndcg(q, w))
    return {s: {p: float(np.mean(x)) for p, x in ps.items()} for s, ps in by.items()}


def mean(by):
    sets = {s: float(np.mean(list(ps.values()))) for s, ps in by.items()}
    return sum(SHARES[s] * x for s, x in sets.items()) / sum(SHARES[s] for s in sets)


def train(asked, o, seed=1):
    data = lightgbm.Dataset(
        np.vstack([q["x"] for q in asked]),
        label=np.concatenate([q["right"] for q in asked]).astype(int),
        group=[len(q["x"]) for q in asked],
        weight=np.concatenate([np.full(len(q["x"]), q["share"]) for q in asked]) * sum(1 for _ in asked),
        init_score=np.concatenate([q["worth"] * o.start for q in asked]) if o.start else None,
        free_raw_data=False,
    )
    return lightgbm.train(
        dict(objective="lambdarank", lambdarank_truncation_level=20, num_leaves=o.leaves, max_depth=o.depth, learning_rate=o.rate,
             min_data_in_leaf=o.least, lambda_l2=o.ridge, feature_fraction=.5, bagging_fraction=.7, bagging_freq=1, verbose=-1, num_threads=2, seed=seed),
        data, num_boost_round=o.trees)


def ranked(model, asked, start):
    return [model.predict(q["x"]) + start * q["worth"] for q in asked]


def show(name, asked, was, now):
    a, b = tally(asked, was), tally(asked, now)
    print(f"{name}: mean {mean(a):.4f} -> {mean(b):.4f}")
    rng = np.random.default_rng(1)
    for s in sorted(a):
        d = np.array([b[s][p] - a[s][p] for p in sorted(a[s])])
        samples = np.sort(rng.choice(d, (2000, len(d))).mean(axis=1))
        n = sum(q["set"] == s for q in asked)
        print(f"  {s:10} {len(d):3} projects {n:4} questions  {np.mean(list(a[s].values())):.4f} -> {np.mean(list(b[s].values())):.4f}"
              f" ({d.mean():+.4f}, 95% {samples[50]:+.4f} to {samples[1949]:+.4f})")
    return mean(b) - mean(a)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("rows")
    p.add_argument("-test", action="store_true")
    p.add_argument("-start", type=float, default=3.3, help="what the evidence of the profile counts before the first tree; 0: trees start from nothing")
    p.add_argument("-trees", type=int, default=120)
    p.add_argument("-leaves", type=int, default=8)
    p.add_argument("-depth", type=int, default=3)
    p.add_argument("-rate", type=float, default=.03)
    p.add_argument("-least", type=int, default=200)
    p.add_argument("-ridge", type=float, default=10)
    o = p.parse_args()
    _, asked = read(o.rows)
    held, now = [], []
    for part in range(5):
        rest = [q for q in asked if q["part"] not in (part, 5)]
        here = [q for q in asked if q["part"] == part]
        held += here
        now += ranked(train(rest, o), here, o.start)
    show("held out", held, [q["worth"] for q in held], now)
    if o.test:
        model = train([q for q in asked if q["part"] != 5], o)
        model.save_model(o.rows + ".trees")
        here = [q for q in asked if q["part"] == 5]
        t = time.perf_counter()
        now = ranked(model, here, o.start)
        show("test projects", here, [q["worth"] for q in here], now)
        print(f"  {time.perf_counter() - t:.2f} s for {len(here)} questions")


main()
