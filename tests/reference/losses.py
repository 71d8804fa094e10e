#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Losses by TensorFlow (tf.nn, tf.compat.v1.losses) and Keras, written to losses.txt in this folder.

Made with TensorFlow 2.21 and Keras 3.15 (`pip install tensorflow-cpu`). A line is `quantity numbers...`. The operands are at the top
of the file. `name` has the values of a loss. `name.slope` is the gradient of the sum of the values times w by the first operand. If the
loss has one number for each row, it is times v. Lines that begin with tf1 are in float, because tf.compat.v1.losses is. The triplet loss is
that of tf.contrib.losses.metric_learning, whose steps are written here. Keras' tversky multiplies what is missed by alpha, not by beta:
its arguments are exchanged here.
"""
import os

os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
import keras
import numpy as np
import tensorflow as tf

keras.config.set_floatx('float64')
tf1 = tf.compat.v1.losses
K = keras.losses
ROWS, COLUMNS = 4, 7
N = ROWS * COLUMNS


def numbers(seed, low, high, shape=(ROWS, COLUMNS)):
    return np.round(np.random.default_rng(seed).uniform(low, high, shape), 4)


def rows(x):
    return x / x.sum(-1, keepdims=True)


X, T = numbers(1, -3, 3), numbers(2, -3, 3)                  # scores and targets
P, Q = rows(numbers(3, 0.02, 1)), rows(numbers(4, 0.02, 1))    # distributions
Z = (numbers(5, 0, 1) > 0.6).astype(float)                     # labels of 0 and 1
C = np.floor(numbers(6, 0, 5))                                 # counts
R = numbers(7, 0.1, 4)                                         # rates
HOT = np.eye(COLUMNS)[[2, 0, 6, 3]]
WEIGHTS = numbers(8, 0.5, 2) * (numbers(9, 0, 1) > 0.3)
ROW_WEIGHTS = np.array([[0.5], [0], [2], [1.25]])
W = np.cos(np.arange(N)).reshape(ROWS, COLUMNS)
V = np.cos(np.arange(ROWS) + 0.5)
E, IDS = numbers(10, -1, 1, (9, 3)), np.array([0, 1, 2, 0, 1, 1, 3, 0, 2])


def semi_hard(embeddings, margin, root):
    distances = tf.reduce_sum(tf.square(embeddings[:, None, :] - embeddings[None, :, :]), -1)
    if root:
        zero = tf.cast(distances <= 0, tf.float64)
        distances = tf.sqrt(distances + zero) * (1 - zero)
    same = IDS[:, None] == IDS[None, :]
    n = len(IDS)
    tiled = tf.tile(distances, [n, 1])
    mask = tf.logical_and(np.tile(~same, [n, 1]), tf.greater(tiled, tf.reshape(tf.transpose(distances), [-1, 1])))
    found = tf.transpose(tf.reshape(tf.reduce_any(mask, 1), [n, n]))
    mask = tf.cast(mask, tf.float64)
    most = tf.reduce_max(tiled, 1, keepdims=True)
    outside = tf.transpose(tf.reshape(tf.reduce_min((tiled - most) * mask, 1, keepdims=True) + most, [n, n]))
    least = tf.reduce_min(distances, 1, keepdims=True)
    inside = tf.tile(tf.reduce_max((distances - least) * (~same).astype(float), 1, keepdims=True) + least, [1, n])
    pairs = same.astype(float) - np.eye(n)
    return tf.reduce_sum(tf.maximum((margin + distances - tf.where(found, outside, inside)) * pairs, 0)) / pairs.sum()


def main():
    lines = [(n, v) for n, v in (('x', X), ('t', T), ('p', P), ('q', Q), ('z', Z), ('c', C), ('r', R), ('hot', HOT), ('weights', WEIGHTS),
                                 ('row_weights', ROW_WEIGHTS), ('w', W), ('v', V), ('e', E), ('ids', IDS))]

    def add(name, f, x):
        x = tf.constant(x, tf.float64)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
            y = tf.cast(y, tf.float64)
            weights = W if y.shape == (ROWS, COLUMNS) else V if y.shape == (ROWS,) else np.ones(y.shape)
            total = tf.reduce_sum(y * weights)
        lines.extend([(name, y.numpy()), (name + '.slope', tape.gradient(total, x).numpy())])

    add('huber', lambda x: keras.ops.stack([K.huber(t[:, None], a[:, None], 0.75) for t, a in zip(tf.constant(T), tf.unstack(x))]), X)
    add('log_cosh', lambda x: keras.ops.stack([K.log_cosh(t[:, None], a[:, None]) for t, a in zip(tf.constant(T), tf.unstack(x))]), X)
    add('hinge', lambda x: K.hinge((2 * Z - 1)[..., None], x[..., None]), X)
    add('squared_hinge', lambda x: K.squared_hinge((2 * Z - 1)[..., None], x[..., None]), X)
    add('categorical_hinge', lambda x: K.categorical_hinge(HOT, x), X)
    add('poisson', lambda x: x - C * tf.math.log(x), R)
    add('poisson_of_keras', lambda x: K.poisson(C[..., None], x[..., None]), R)
    add('log_poisson', lambda x: tf.nn.log_poisson_loss(tf.constant(C), x), X)
    add('log_poisson_full', lambda x: tf.nn.log_poisson_loss(tf.constant(C), x, compute_full_loss=True), X)
    add('kl_divergence', lambda x: K.kl_divergence(Q, x), P)
    add('cosine_similarity', lambda x: -K.cosine_similarity(T, x), X)
    add('l2_normalize', lambda x: tf.nn.l2_normalize(x, -1), X)
    add('binary_cross_entropy', lambda x: keras.ops.binary_crossentropy(tf.constant(Q), x), P)
    add('weighted_cross_entropy', lambda x: tf.nn.weighted_cross_entropy_with_logits(tf.constant(P), x, 2.5), X)
    add('sigmoid_focal', lambda x: K.binary_focal_crossentropy(Z[..., None], x[..., None], True, 0.3, 1.5, True), X)
    add('categorical_focal', lambda x: K.categorical_focal_crossentropy(HOT, x, 0.3, 1.5, True), X)
    add('dice', lambda x: keras.ops.stack([K.dice(z, a) for z, a in zip(tf.constant(Z), tf.unstack(x))]), P)
    add('tversky', lambda x: keras.ops.stack([K.tversky(z, a, 0.6, 0.3) for z, a in zip(tf.constant(Z), tf.unstack(x))]), P)
    add('label_smoothing', lambda x: K.categorical_crossentropy(HOT, x, True, 0.1), X)
    add('binary_label_smoothing', lambda x: K.binary_crossentropy(Z[..., None], x[..., None], True, 0.1), X)
    add('semi_hard', lambda x: semi_hard(x, 1.0, False), E)
    add('semi_hard_root', lambda x: semi_hard(x, 0.5, True), E)

    kinds = (('none', 'none'), ('sum', 'weighted_sum'), ('mean', 'weighted_mean'), ('batch', 'weighted_sum_over_batch_size'),
             ('nonzero', 'weighted_sum_by_nonzero_weights'))
    for end, weights in (('one', 1.5), ('zero', 0.0), ('rows', ROW_WEIGHTS), ('all', WEIGHTS)):
        for short, kind in kinds:
            add(f'tf1.{short}.{end}', lambda x: tf1.huber_loss(T, x, weights, 0.75, reduction=kind, loss_collection=None), X)
    none = {'reduction': 'none', 'loss_collection': None}
    add('tf1.absolute', lambda x: tf1.absolute_difference(T, x, **none), X)
    add('tf1.hinge', lambda x: tf1.hinge_loss(Z, x, **none), X)
    add('tf1.log_loss', lambda x: tf1.log_loss(Z, x, **none), P)
    add('tf1.pairwise', lambda x: tf1.mean_pairwise_squared_error(T, x, ROW_WEIGHTS, loss_collection=None), X)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'losses.txt')
    with open(path, 'w', encoding='utf-8') as file:
        for name, values in lines:
            digits = 9 if name.startswith('tf1') else 17
            file.write(' '.join([name, *(f'{float(n):.{digits}g}' for n in np.ravel(values))]) + '\n')


if __name__ == '__main__':
    main()
