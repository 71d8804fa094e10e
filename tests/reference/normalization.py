#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Normalization by TensorFlow and Keras, written to normalization.txt in this folder.

Made with TensorFlow 2.21 and Keras 3 (`pip install tensorflow`), in double where they compute in double: fused_batch_norm and lrn are in
float. A line is `quantity numbers...`. `name.x`, `name.scale`, `name.offset` are the gradients of the sum of y · w by these operands.
"""
import os

os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
import keras
import numpy as np
import tensorflow as tf

R = np.random.RandomState(7)
SHAPE = (3, 2, 2, 4)
X = R.normal(0.5, 2, SHAPE).round(3)
W = R.normal(0, 1, SHAPE).round(3)
SCALE = R.normal(1, 0.5, 4).round(3)
OFFSET = R.normal(0, 0.5, 4).round(3)
NEXT = R.normal(-1, 1, SHAPE).round(3)
KERNEL = R.normal(0, 1, (2, 3, 4)).round(3)


def with_gradients(lines, name, f, operands, dtype=tf.float64, weight=W):
    """The value of f and the gradients of the sum of value · weight."""
    given = {key: tf.constant(value, dtype) for key, value in operands.items()}
    with tf.GradientTape() as tape:
        tape.watch(given)
        y = f(**given)
        total = tf.reduce_sum(y * tf.constant(weight, dtype))
    lines.append((name, y))
    lines.extend((f'{name}.{key}', g) for key, g in tape.gradient(total, given).items())


def layer(lines, name, made, has_offset=True):
    """A Keras layer with scale and offset, and its gradients."""
    made.build(SHAPE)
    made.set_weights([SCALE, OFFSET] if has_offset else [SCALE])
    given = tf.constant(X)
    with tf.GradientTape() as tape:
        tape.watch(given)
        y = made(given)
        total = tf.reduce_sum(y * tf.constant(W))
    parts = ['.x', '.scale', '.offset']
    lines.append((name, y))
    lines.extend((name + part, g) for part, g in zip(parts, tape.gradient(total, [given, *made.trainable_variables])))


def main():
    lines = [('x', X), ('w', W), ('scale', SCALE), ('offset', OFFSET), ('next', NEXT), ('kernel', KERNEL)]
    operands = {'x': X, 'scale': SCALE, 'offset': OFFSET}

    with_gradients(lines, 'fused', lambda x, scale, offset: tf.compat.v1.nn.fused_batch_norm(x, scale, offset)[0], operands, tf.float32)
    f = [tf.constant(v, tf.float32) for v in (X, SCALE, OFFSET)]
    lines += [(f'fused.{part}', v) for part, v in zip(('mean', 'variance'), tf.compat.v1.nn.fused_batch_norm(*f)[1:])]
    one = tf.compat.v1.nn.fused_batch_norm(f[0][:1, :1, :1], *f[1:])
    lines += [('fused_one' + part, v) for part, v in zip(('', '.mean', '.variance'), one)]

    def batch(x, scale, offset):
        mean, variance = tf.nn.moments(x, [0, 1, 2])
        return tf.nn.batch_normalization(x, mean, variance, offset, scale, 1e-3)
    with_gradients(lines, 'batch', batch, operands)
    given = {**operands, 'mean': OFFSET + 0.5, 'variance': SCALE ** 2}
    with_gradients(lines, 'given', lambda x, scale, offset, mean, variance:
                   tf.nn.batch_normalization(x, mean, variance, offset, scale, 1e-3), given)

    made = keras.layers.BatchNormalization(dtype='float64')
    made.build(SHAPE)
    made.set_weights([SCALE, OFFSET, np.zeros(4), np.ones(4)])
    made(X, training=True)
    made(NEXT, training=True)
    lines += [('keras.moving_mean', made.moving_mean), ('keras.moving_variance', made.moving_variance),
              ('keras.evaluated', made(X, training=False))]

    layer(lines, 'layer', keras.layers.LayerNormalization(dtype='float64'))
    layer(lines, 'group', keras.layers.GroupNormalization(groups=2, dtype='float64'))
    layer(lines, 'instance', keras.layers.GroupNormalization(groups=-1, dtype='float64'))
    layer(lines, 'rms', keras.layers.RMSNormalization(dtype='float64'), False)

    with_gradients(lines, 'l2', lambda x: tf.nn.l2_normalize(x, -1), {'x': X})
    with_gradients(lines, 'l2_short', lambda x: tf.nn.l2_normalize(x, -1, 40), {'x': X})
    for name, numbers in (('lrn', (1, 1.0, 1.0, 0.5)), ('lrn_power', (2, 2.0, 0.3, 0.75)), ('lrn_other', (5, 1.5, 0.2, 1.3))):
        with_gradients(lines, name, lambda x, n=numbers: tf.nn.lrn(x, *n), {'x': X}, tf.float32)

    u = np.ones((1, 4))
    dense = keras.layers.Dense(4, use_bias=False, dtype='float64')
    spectral = keras.layers.SpectralNormalization(dense, dtype='float64')
    matrix = KERNEL.reshape(6, 4)
    rows = tf.constant(R.normal(0, 1, (2, 6)).round(3))
    spectral(rows)
    dense.kernel.assign(matrix)
    spectral.vector_u.assign(u)
    spectral(rows, training=True)
    lines += [('spectral', dense.kernel), ('spectral.u', spectral.vector_u)]

    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'normalization.txt')
    with open(path, 'w', encoding='utf-8') as file:
        for name, numbers in lines:
            numbers = np.asarray(numbers)
            file.write(' '.join([name, *('%.*g' % (9 if numbers.dtype == np.float32 else 16, n) for n in numbers.ravel())]) + '\n')


if __name__ == '__main__':
    main()
