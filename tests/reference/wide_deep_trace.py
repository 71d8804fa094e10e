# SPDX-License-Identifier: MIT
"""Losses of wide & deep on Adult by TensorFlow: of the first 20 steps, with the inputs of these steps, or of whole epochs.

    python wide_deep_trace.py FOLDER > wide_deep_trace.txt
    python wide_deep_trace.py FOLDER --epochs 20

FOLDER holds Adult's train.csv and test.csv (examples/data/adult). --epochs makes the losses of examples/wide_and_deep/reference.hpp. It
prints for each epoch the mean training loss, the test log loss before and after the last step, and the seconds of the steps. The losses
differ by 2e-5 from machine to machine.

Recipe: mean sigmoid cross-entropy, batch 40, seed 1, rows in order(1, 0, 32561).
* Ftrl 0.2 with l1 0.05 on 7,122 wide weights and their bias (accumulators start at 0.1),
* Adagrad 0.02 on 8 embeddings of dimension 8 and 69-100-50-1 with relu (accumulators start at 0.1).
Embeddings start at symmetric(1, s, shape, 0.05) with s = 0 ... 7, matrices at glorot(1, 8 ... 10, shape), all else at 0. Every gradient is
computed before the first update; duplicate rows of a sparse gradient are summed first.
"""
import csv
import pathlib
import sys
import time

import numpy as np

from recipe import bucket, glorot, number, order, session, sums, symmetric, tensorflow

CATEGORICAL = ["workclass", "education", "marital-status", "occupation", "relationship", "race", "sex", "native-country"]
NUMERIC = ["age", "education-num", "capital-gain", "capital-loss", "hours-per-week"]
AGE = [18, 25, 30, 35, 40, 45, 50, 55, 60, 65]
HOURS = [20, 30, 35, 40, 41, 46, 51, 60]
HASH, STEPS, BATCH, HIDDEN = 1000, 20, 40, (100, 50)


def read(path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    return {c: np.array([r[c] for r in rows]) for c in rows[0]}


def features(folder):
    """(train, test); vocabularies, means and deviations are those of train."""
    parts = [read(pathlib.Path(folder) / name) for name in ("train.csv", "test.csv")]
    vocabulary = {c: {w: i for i, w in enumerate(sorted(set(parts[0][c])))} for c in CATEGORICAL}
    numbers = [{c: part[c].astype(np.int64) for c in NUMERIC} for part in parts]
    scaled = [{c: np.log1p(v.astype(np.float64)) if c.startswith("capital") else v.astype(np.float64) for c, v in num.items()} for num in numbers]
    return [columns(*part, scaled[0], vocabulary) for part in zip(parts, numbers, scaled)]


def columns(part, num, dense, train, vocabulary):
    ids = {c: np.array([vocabulary[c][w] for w in part[c]]) for c in CATEGORICAL}
    age = np.searchsorted(AGE, num["age"], side="right")
    hours = np.searchsorted(HOURS, num["hours-per-week"], side="right")
    plain = lambda c: (len(vocabulary[c]), ids[c])
    hashed = lambda field, *values: (HASH, bucket(field, values, HASH))
    wide = [plain(c) for c in ("education", "marital-status", "relationship", "workclass", "occupation")]
    wide += [(len(AGE) + 1, age), hashed(1, ids["education"], ids["occupation"]), hashed(2, age, ids["education"], ids["occupation"])]
    wide += [plain(c) for c in ("race", "sex", "native-country")] + [(len(HOURS) + 1, hours)]
    wide += [hashed(3, num["capital-gain"] // 65536, num["capital-gain"]), hashed(4, num["capital-loss"])]
    wide += [hashed(5, age, hours, ids["relationship"]), hashed(6, ids["relationship"], ids["education"])]
    wide += [hashed(7, ids["workclass"], ids["occupation"])]
    offset = np.cumsum([0] + [n for n, _ in wide])
    return {"label": (part["income"] == ">50K").astype(np.float32),
            "wide": np.stack([v + o for (_, v), o in zip(wide, offset)], 1).astype(np.int32), "wide_size": int(offset[-1]),
            "ids": np.stack([ids[c] for c in CATEGORICAL], 1).astype(np.int32), "rows": [len(vocabulary[c]) for c in CATEGORICAL],
            "dense": np.stack([(dense[c] - train[c].mean()) / train[c].std() for c in NUMERIC], 1).astype(np.float32)}


class Model:
    def __init__(self, tf, data):
        self.wide_ids, self.ids = tf.placeholder(tf.int32, [None, 17]), tf.placeholder(tf.int32, [None, 8])
        self.dense, self.label = tf.placeholder(tf.float32, [None, 5]), tf.placeholder(tf.float32, [None])
        weights, bias = tf.Variable(np.zeros(data["wide_size"], np.float32)), tf.Variable(np.zeros([], np.float32))
        self.variables = {"wide": weights, "wide_bias": bias}
        logits = tf.reduce_sum(tf.gather(weights, self.wide_ids), axis=1) + bias
        tables = [tf.Variable(symmetric(1, s, (rows, 8), 0.05)) for s, rows in enumerate(data["rows"])]
        self.variables |= {f"embedding{s}": t for s, t in enumerate(tables)}
        x = tf.concat([tf.gather(t, self.ids[:, i]) for i, t in enumerate(tables)] + [self.dense], axis=1)
        sizes = [69, *HIDDEN, 1]
        for layer, (m, n) in enumerate(zip(sizes, sizes[1:])):
            w, b = tf.Variable(glorot(1, 8 + layer, (m, n))), tf.Variable(np.zeros(n, np.float32))
            self.variables |= {f"w{layer + 1}": w, f"b{layer + 1}": b}
            x = tf.matmul(x, w) + b
            x = tf.nn.relu(x) if layer < len(HIDDEN) else x[:, 0]
        self.losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=self.label, logits=logits + x)
        self.loss = tf.reduce_mean(self.losses)
        variables = list(self.variables.values())
        gradients = tf.gradients(self.loss, variables)
        with tf.control_dependencies([g.values if isinstance(g, tf.IndexedSlices) else g for g in gradients]):
            pairs = list(zip(gradients, variables))
            self.step = tf.group(tf.train.FtrlOptimizer(0.2, l1_regularization_strength=0.05).apply_gradients(pairs[:2]),
                                 tf.train.AdagradOptimizer(0.02).apply_gradients(pairs[2:]))
        self.session = session(tf)
        self.session.run(tf.global_variables_initializer())

    def feed(self, data, rows):
        return {self.label: data["label"][rows], self.wide_ids: data["wide"][rows], self.ids: data["ids"][rows], self.dense: data["dense"][rows]}

    def train(self, data, rows):
        return self.session.run([self.loss, self.step], self.feed(data, rows))[0]

    def log_loss(self, data):
        return float(np.mean(self.session.run(self.losses, self.feed(data, slice(None))), dtype=np.float64))


def epochs(model, data, test, count):
    n = len(data["label"])
    last = (n - 1) // BATCH * BATCH
    for epoch in range(count):
        rows = order(1, epoch, n)
        train = lambda i: model.train(data, rows[i:i + BATCH])
        begin = time.perf_counter()
        losses = [train(i) for i in range(0, last, BATCH)]
        seconds = time.perf_counter() - begin
        before = model.log_loss(test)
        losses.append(train(last))
        print(f"{epoch + 1:2} {np.mean(losses, dtype=np.float64):.6f} {before:.6f} {model.log_loss(test):.6f} {seconds:.3f}", flush=True)


if __name__ == "__main__":
    tf = tensorflow()
    data, test = features(sys.argv[1])
    model = Model(tf, data)
    if sys.argv[2:3] == ["--epochs"]:
        sys.exit(epochs(model, data, test, int(sys.argv[3])))
    rows = order(1, 0, len(data["label"]))
    print("# SPDX-License-Identifier: MIT")
    print(f"# Made by wide_deep_trace.py, TensorFlow {tf.__version__}: wide & deep on Adult, seed 1, the first {STEPS} steps; wide_deep_rows.txt holds their inputs.")
    print("# trace STEPS, then a line a step: the float32 loss before the update.")
    print("# Then for each variable after the last step: variable NAME, sum, L2 norm and number of non-zero elements.")
    print(f"trace {STEPS}")
    for i in range(STEPS):
        print(number(np.float32(model.train(data, rows[i * BATCH:(i + 1) * BATCH]))))
    for name, value in zip(model.variables, model.session.run(list(model.variables.values()))):
        print("variable", name, *map(number, sums(value)), np.count_nonzero(value))
    with open(pathlib.Path(__file__).parent / "wide_deep_rows.txt", "w") as out:
        out.write("# SPDX-License-Identifier: MIT\n# Made by wide_deep_trace.py from Adult (UCI, CC BY 4.0): the rows of the first 20 batches of 40, in order. A line a row:\n")
        out.write("# label, 17 wide ids, 8 embedding ids, 5 standardised numbers (float32).\n")
        for r in rows[:STEPS * BATCH]:
            cells = [int(data["label"][r]), *data["wide"][r], *data["ids"][r], *(np.format_float_positional(v, unique=True) for v in data["dense"][r])]
            out.write(" ".join(map(str, cells)) + "\n")
