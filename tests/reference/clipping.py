#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Six steps of Adam with gradients that TensorFlow clips by their common norm, one of them IndexedSlices; written to clipping.txt here.

Made with tensorflow-cpu 2.21 (compat.v1, graph mode). A line is `type step quantity numbers...`. The inputs are exact binary fractions
that the C++ test makes by the same formulas:

  w0[i] = ((3 i) mod 8 - 4) / 4 for [4, 3], t0[i] = ((5 i) mod 8 - 4) / 4 for [5, 3]

  g[i] = ((7 i + 5 step + 3) mod 16 - 8) / 16 times 1, 1/8 or 0 for step mod 3 = 1, 2, 0: the norm is above the limit of 1, below, and 0

  slices: indices = [step mod 5, (3 step + 1) mod 5, step mod 5], values as g over 3 rows of 3.
TensorFlow takes the values as they are: a row that occurs twice counts twice in the norm, not with its sum.
"""
import os

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
STEPS, LIMIT = 6, 1.0


def numbers(factor, rows):
    return np.array([((factor * i) % 8 - 4) / 4 for i in range(rows * 3)]).reshape(rows, 3)


def gradient(step, rows):
    size = [0, 1, 0.125][step % 3]
    return np.array([size * ((7 * i + 5 * step + 3) % 16 - 8) / 16 for i in range(rows * 3)]).reshape(rows, 3)


if __name__ == "__main__":
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "clipping.txt"), "w") as out:
        for np_type, name in ((np.float32, "float"), (np.float64, "double")):
            with tf.Graph().as_default(), tf.Session() as session:
                w, t = tf.Variable(numbers(3, 4).astype(np_type)), tf.Variable(numbers(5, 5).astype(np_type))
                dw, values, where = tf.placeholder(np_type, [4, 3]), tf.placeholder(np_type, [3, 3]), tf.placeholder(tf.int32, [3])
                slices = tf.IndexedSlices(values, where, tf.constant([5, 3]))
                clipped, norm = tf.clip_by_global_norm([dw, None, slices], tf.constant(LIMIT, np_type))
                h = (lambda x: np.float64(x)) if np_type is np.float64 else float
                train = tf.train.AdamOptimizer(h(0.05), h(0.9), h(0.999), h(1e-8)).apply_gradients([(clipped[0], w), (clipped[2], t)])
                session.run(tf.global_variables_initializer())
                for step in range(1, STEPS + 1):
                    feed = {dw: gradient(step, 4), values: gradient(step, 3), where: [step % 5, (3 * step + 1) % 5, step % 5]}
                    results = session.run([norm, clipped[0], clipped[2].values], feed)
                    session.run(train, feed)
                    for quantity, v in zip(("norm", "dw", "values", "w", "t"), results + session.run([w, t])):
                        out.write(f"{name} {step} {quantity} " + " ".join(str(x) for x in np.ravel(v)) + "\n")
                bad = session.run([norm, clipped[0]], {dw: gradient(1, 4) * np.inf, values: gradient(1, 3), where: [0, 1, 2]})
                print(name, "infinite:", bad[0], np.ravel(bad[1])[:3])
