#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Three workers of contrib's AGNOptimizer and ElasticAverageOptimizer, event by event; written to local_steps.txt in this folder.

Made with tensorflow-cpu 2.21 (compat.v1, graph mode). TensorFlow 2 has no contrib, so the script builds the graph of these optimizers:
* the same rules on local and on centre variables, with separate slots, and with separate non-slot scalars for each worker,
* accumulators, assignments and their order.
The processes of contrib share the slots of the centre by name; here the optimizers' tables of slots do.

A line is `case event quantity numbers...`; quantities are w and t (local, of the worker whose event it is), cw and ct (centre). The worker
of event e is (e + e / 3) mod 3. Inputs are exact binary fractions:

* w0[i] = ((3 i) mod 8 - 4) / 4, 5 numbers,  t0[i] = ((5 i) mod 8 - 3) / 4, 4 rows of 2
* gw[i] = ((7 i + 5 e + 3) mod 16 - 8) / 16
* gt: indices (e mod 4, (3 e + 1) mod 4, e mod 4), values ((5 i + 3 e) mod 16 - 7) / 16, 3 rows of 2

Period 2. The spring of elastic averaging pairs each variable with its own centre; alpha = 0.25, rho = 0.5.
"""
import os

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python.training.optimizer import _var_key

tf.disable_eager_execution()
WORKERS, EVENTS, PERIOD = 3, 18, 2
ALPHA, RHO = 0.25, 0.5
RULES = {
    "adam": (lambda h: tf.train.AdamOptimizer(h(0.125), h(0.875), h(0.96875), h(1e-3)), ["m", "v"]),
    "momentum": (lambda h: tf.train.MomentumOptimizer(h(0.125), h(0.875)), ["momentum"]),
    "ftrl": (lambda h: tf.train.FtrlOptimizer(h(0.25), h(-0.5), 0.25, h(0.125), h(0.5)), ["accum", "linear"]),
}


def start(dtype):
    w = np.array([((3 * i) % 8 - 4) / 4 for i in range(5)], dtype)
    t = np.array([((5 * i) % 8 - 3) / 4 for i in range(8)], dtype).reshape(4, 2)
    return w, t


def gradients(e, dtype):
    w = np.array([((7 * i + 5 * e + 3) % 16 - 8) / 16 for i in range(5)], dtype)
    t = np.array([((5 * i + 3 * e) % 16 - 7) / 16 for i in range(6)], dtype).reshape(3, 2)
    return w, t, np.array([e % 4, (3 * e + 1) % 4, e % 4])


class Worker:
    """One process: its local variables, its optimizer object, and the operations of apply_gradients."""

    def __init__(self, make, slot_names, dtype, centre, first, elastic):
        h = (lambda x: np.float64(x)) if dtype is np.float64 else float
        self.feeds = tf.placeholder(dtype, [5]), tf.placeholder(dtype, [3, 2]), tf.placeholder(tf.int64, [3])
        opt = self.opt = make(h)
        self.local = local = [tf.Variable(x, use_resource=False) for x in start(dtype)]
        gw, gt = self.feeds[0], tf.IndexedSlices(self.feeds[1], self.feeds[2], tf.constant([4, 2], tf.int64))
        if elastic:
            self.seen = seen = [tf.Variable(x, use_resource=False) for x in start(dtype)]
            dense = tf.convert_to_tensor(gt)
            pairs = [(g + dtype(RHO) * (v - s), v) for g, v, s in zip([gw, dense], local, seen)]
            self.step = opt.apply_gradients(pairs)
            look = [s.assign(c) for s, c in zip(seen, centre)]
            ways = [dtype(ALPHA) * (v.read_value() - s.read_value()) for v, s in zip(local, seen)]
            given = [tf.placeholder(dtype, v.shape) for v in local]
            move = [[v.assign_sub(d), c.assign_add(d)] for v, c, d in zip(local, centre, given)]

            def exchange(session):
                session.run(look)
                session.run(move, dict(zip(given, session.run(ways))))

            self.exchange = exchange
            return
        sums = [tf.Variable(np.zeros_like(x), use_resource=False) for x in start(dtype)]
        self.step = [opt.apply_gradients([(gw, local[0]), (gt, local[1])]), sums[0].assign_add(gw), sums[1].assign_add(tf.convert_to_tensor(gt))]
        if first is not None:   # slots of the centre are those of the first optimizer
            for name in slot_names:
                for c in centre:
                    opt._slot_dict(name)[_var_key(c)] = first.opt.get_slot(c, name)
        phases = [
            [a.assign(a / dtype(PERIOD)) for a in sums],
            opt.apply_gradients(list(zip(sums, centre))),
            [v.assign(c) for v, c in zip(local, centre)] + [a.assign(tf.zeros_like(a)) for a in sums],
        ]
        if first is not None:
            assert all(opt.get_slot(c, name) is first.opt.get_slot(c, name) for name in slot_names for c in centre)
        self.exchange = lambda session: [session.run(operations) for operations in phases]


def trace(method, rule, dtype, out):
    make, slot_names = RULES[rule]
    with tf.Graph().as_default(), tf.Session() as session:
        centre = [tf.Variable(x, use_resource=False) for x in start(dtype)]
        workers = []
        for _ in range(WORKERS):
            workers.append(Worker(make, slot_names, dtype, centre, workers[0] if workers else None, method == "elastic"))
        session.run(tf.global_variables_initializer())
        steps = [0] * WORKERS
        for e in range(EVENTS):
            k = (e + e // 3) % WORKERS
            worker = workers[k]
            session.run(worker.step, dict(zip(worker.feeds, gradients(e, dtype))))
            steps[k] += 1
            if steps[k] % PERIOD == 0:
                worker.exchange(session)
            values = dict(zip(["w", "t", "cw", "ct"], session.run(worker.local + centre)))
            for quantity, numbers in values.items():
                case = f"{method}_{rule}_{'float' if dtype is np.float32 else 'double'}"
                out.write(f"{case} {e} {quantity} " + " ".join(str(x) for x in np.ravel(numbers)) + "\n")


with open(os.path.splitext(__file__)[0] + ".txt", "w") as out:
    for method, rule, dtype in [("agn", "adam", np.float64), ("agn", "adam", np.float32), ("agn", "momentum", np.float32), ("agn", "ftrl", np.float64),
                                ("elastic", "adam", np.float32), ("elastic", "momentum", np.float64)]:
        trace(method, rule, dtype, out)
