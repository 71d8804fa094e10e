#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What TensorFlow's accumulators make of random sequences of events; written to accumulators.txt in this folder.

Made with tensorflow-cpu 2.21 (compat.v1, graph mode); its accumulators are those of 1.15. The file is a list of traces. A trace begins with
  dense|sparse float|double mean|sum LENGTH      gradients are [LENGTH], slices [n, LENGTH] with indices from -1 to 5, of no declared shape
It continues with events, one a line, and their results:
  apply STEP values... = COUNT                   num_accumulated after it, which shows whether it was dropped
  apply STEP N indices... values... = COUNT      slices, in any order and also several times the same
  take REQUIRED = values... | N indices... values...
  step S                                         set_global_step
Numbers are exact (hexadecimal).
"""
import os
import re

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
TRACES, EVENTS, LENGTH = 48, 24, 3


def text(values):
    return " ".join(re.sub(r"\.?0*p", "p", float(v).hex()) for v in np.ravel(values))


def trace(session, random, kind, dtype, reduction, out):
    sparse = kind == "sparse"
    make = tf.SparseConditionalAccumulator if sparse else tf.ConditionalAccumulator
    accumulator = make(dtype, shape=None, reduction_type=reduction.upper())
    values, step, wanted = tf.placeholder(dtype), tf.placeholder(tf.int64, []), tf.placeholder(tf.int32, [])
    where = tf.placeholder(tf.int64, [None])
    apply = accumulator.apply_grad(where, values, local_step=step) if sparse else accumulator.apply_grad(values, local_step=step)
    take, count, move = accumulator.take_grad(wanted), accumulator.num_accumulated(), accumulator.set_global_step(step)
    out.write(f"{kind} {'float' if dtype is tf.float32 else 'double'} {reduction} {LENGTH}\n")
    now = 0
    for _ in range(EVENTS):
        there = session.run(count)
        what = random.integers(0, 12)
        if what < 8:
            local = max(0, now + random.integers(-1, 3))
            if sparse:
                n = random.integers(0, 6)
                indices = random.integers(-1, 6, n)
                if random.integers(0, 2):
                    indices = np.unique(indices)
                rows = random.standard_normal((len(indices), LENGTH)).astype(dtype.as_numpy_dtype)
                session.run(apply, {where: indices, values: rows, step: local})
                out.write(f"apply {local} {len(indices)} {' '.join(map(str, indices))} {text(rows)} = {session.run(count)}\n")
            else:
                v = random.standard_normal(LENGTH).astype(dtype.as_numpy_dtype)
                session.run(apply, {values: v, step: local})
                out.write(f"apply {local} {text(v)} = {session.run(count)}\n")
        elif what < 11 and there > 0:
            required = random.integers(1, there + 1)
            taken = session.run(take, {wanted: required})
            now += 1
            if sparse:
                out.write(f"take {required} = {len(taken.indices)} {' '.join(map(str, taken.indices))} {text(taken.values)}\n")
            else:
                out.write(f"take {required} = {text(taken)}\n")
        elif what == 11:
            now = max(0, now + random.integers(-2, 3))
            session.run(move, {step: now})
            out.write(f"step {now}\n")


if __name__ == "__main__":
    random = np.random.default_rng(1)
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "accumulators.txt"), "w") as out:
        for k in range(TRACES):
            with tf.Graph().as_default(), tf.Session() as session:
                trace(session, random, ("dense", "sparse", "sparse")[k % 3], (tf.float32, tf.float64)[k % 2], ("mean", "sum")[k // 6 % 2], out)
