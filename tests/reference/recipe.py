# SPDX-License-Identifier: MIT
"""What the reference scripts share: a random source that any language can repeat bit for bit, and TensorFlow in graph mode on one thread.

    mix(x)                  splitmix64's output function: z = x + 0x9E3779B97F4A7C15; z = (z ^ z>>30) * 0xBF58476D1CE4E5B9;
                            z = (z ^ z>>27) * 0x94D049BB133111EB; z ^ z>>31, all mod 2^64
    stream(seed, s, n)      element i: mix(mix(seed<<32 | s) + i)
    uniform(seed, s, n)     (stream >> 40) * 2^-24, in [0, 1)
    symmetric, glorot       (2 uniform - 1) * limit in double, rounded to float32; glorot: limit = sqrt(6 / (rows + columns))
    order(seed, epoch, n)   rows sorted by stream(seed, 0x10000 + epoch)
    bucket(field, values)   mix(field<<48 | a<<32 | b<<16 | c) mod size

The scripts need Python 3 and `pip install tensorflow-cpu==2.21`. The tests read only the text files.
"""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
import numpy as np


def mix(x):
    with np.errstate(over="ignore"):
        z = np.asarray(x, np.uint64) + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def stream(seed, s, n):
    with np.errstate(over="ignore"):
        return mix(mix(np.uint64(seed) << np.uint64(32) | np.uint64(s)) + np.arange(n, dtype=np.uint64))


def uniform(seed, s, n):
    return (stream(seed, s, n) >> np.uint64(40)).astype(np.float64) * 2.0**-24


def symmetric(seed, s, shape, limit):
    return ((2.0 * uniform(seed, s, int(np.prod(shape))) - 1.0) * limit).astype(np.float32).reshape(shape)


def glorot(seed, s, shape):
    return symmetric(seed, s, shape, (6.0 / (shape[0] + shape[1])) ** 0.5)


def order(seed, epoch, n):
    return np.argsort(stream(seed, 0x10000 + epoch, n), kind="stable")


def bucket(field, values, size):
    key = np.full(len(values[0]), field, np.uint64)
    for v in list(values) + [np.zeros(len(values[0]))] * (3 - len(values)):
        key = key << np.uint64(16) | (np.asarray(v).astype(np.int64) & 0xFFFF).astype(np.uint64)
    return (mix(key) % np.uint64(size)).astype(np.int64)


def tensorflow():
    import tensorflow.compat.v1 as tf

    tf.disable_eager_execution()
    return tf


def session(tf):
    return tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1))


def number(v):
    return np.format_float_scientific(v, precision=9, unique=False, trim="k") if isinstance(v, np.float32) else repr(float(v))


def sums(array):
    """The checksum of a variable: the sum and the L2 norm of its elements, in double."""
    a = np.asarray(array, np.float64)
    return float(a.sum()), float(np.sqrt((a * a).sum()))
