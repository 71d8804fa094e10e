# SPDX-License-Identifier: MIT
"""Losses of the first 20 steps of 784-128-10 (relu, mean sparse softmax cross-entropy, Adam 1e-3, batch 64) by TensorFlow.

    python fashion_trace.py > fashion_trace.txt        FASHION_MNIST = folder of Debian's dataset-fashion-mnist, if elsewhere

Initial values: w1 = glorot(1, 0, (784, 128)), w2 = glorot(1, 1, (128, 10)), biases 0 (recipe.py). Two inputs:
    fashion    the training images / 255, rows 64 t ... 64 t + 63 of order(1, 0, 60000) in step t
    synthetic  element (r, c) of step t: uniform(1, 0x200, .)[(64 t + r) * 784 + c], its label: stream(1, 0x201, .)[64 t + r] mod 10
A line has TensorFlow's float32 loss and that of the same step in numpy float64. Their distance shows the effect of rounding.
"""
import gzip
import os

import numpy as np

from recipe import glorot, number, order, session, stream, sums, tensorflow, uniform

FOLDER = os.environ.get("FASHION_MNIST", "/usr/share/datasets/fashion-mnist")
STEPS, BATCH = 20, 64


def idx(name, header):
    with gzip.open(f"{FOLDER}/{name}.gz") as file:
        return np.frombuffer(file.read(), np.uint8, offset=header)


def fashion():
    images = idx("train-images-idx3-ubyte", 16).reshape(60000, 784)
    labels = idx("train-labels-idx1-ubyte", 8).astype(np.int32)
    rows = order(1, 0, 60000)[: STEPS * BATCH]
    return images[rows].astype(np.float32) / np.float32(255), labels[rows]


def synthetic():
    n = STEPS * BATCH
    return uniform(1, 0x200, n * 784).astype(np.float32).reshape(n, 784), (stream(1, 0x201, n) % np.uint64(10)).astype(np.int32)


def initial():
    return [glorot(1, 0, (784, 128)), np.zeros(128, np.float32), glorot(1, 1, (128, 10)), np.zeros(10, np.float32)]


def by_tensorflow(tf, images, labels):
    tf.reset_default_graph()
    x, y = tf.placeholder(tf.float32, [None, 784]), tf.placeholder(tf.int32, [None])
    w1, b1, w2, b2 = variables = [tf.Variable(v) for v in initial()]
    logits = tf.matmul(tf.nn.relu(tf.matmul(x, w1) + b1), w2) + b2
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    step = tf.train.AdamOptimizer(1e-3).minimize(loss)
    with session(tf) as s:
        s.run(tf.global_variables_initializer())
        cut = lambda i: slice(i * BATCH, (i + 1) * BATCH)
        losses = [s.run([loss, step], {x: images[cut(i)], y: labels[cut(i)]})[0] for i in range(STEPS)]
        return losses, [sums(v) for v in s.run(variables)]


def by_hand(images, labels):
    p = [v.astype(np.float64) for v in initial()]
    m, v, losses = [np.zeros_like(a) for a in p], [np.zeros_like(a) for a in p], []
    for t in range(1, STEPS + 1):
        x, y = images[(t - 1) * BATCH:t * BATCH].astype(np.float64), labels[(t - 1) * BATCH:t * BATCH]
        h = np.maximum(x @ p[0] + p[1], 0)
        z = h @ p[2] + p[3]
        z -= z.max(1, keepdims=True)
        e = np.exp(z)
        losses.append(float(np.mean(np.log(e.sum(1)) - z[np.arange(BATCH), y])))
        d = e / e.sum(1, keepdims=True)
        d[np.arange(BATCH), y] -= 1
        d /= BATCH
        dh = (d @ p[2].T) * (h > 0)
        rate = 1e-3 * np.sqrt(1 - 0.999**t) / (1 - 0.9**t)
        for i, g in enumerate([x.T @ dh, dh.sum(0), h.T @ d, d.sum(0)]):
            m[i] += 0.1 * (g - m[i])
            v[i] += 0.001 * (g * g - v[i])
            p[i] -= rate * m[i] / (np.sqrt(v[i]) + 1e-8)
    return losses, [sums(a) for a in p]


if __name__ == "__main__":
    tf = tensorflow()
    print("# SPDX-License-Identifier: MIT")
    print(f"# Made by fashion_trace.py, TensorFlow {tf.__version__}: 784-128-10 relu, sparse softmax cross-entropy, Adam 1e-3, batch {BATCH}, {STEPS} steps.")
    print("# trace NAME STEPS, then a line a step: TensorFlow's float32 loss, numpy's float64 loss (both before the update);")
    print("# then of w1 b1 w2 b2 after the last step: variable NAME, sum and L2 norm by TensorFlow, the same two by numpy.")
    for name, data in (("fashion", fashion), ("synthetic", synthetic)):
        images, labels = data()
        (a, end_a), (b, end_b) = by_tensorflow(tf, images, labels), by_hand(images, labels)
        print(f"trace {name} {STEPS}")
        for u, v in zip(a, b):
            print(number(np.float32(u)), number(v))
        for variable, u, v in zip(("w1", "b1", "w2", "b2"), end_a, end_b):
            print("variable", variable, *map(number, u + v))
