#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Five steps of SGD after which a variable is clipped, written to variable_clipping.txt in this folder.

Made with tensorflow-cpu 2.21, tf.compat.v1, in float64. It does what contrib's VariableClippingOptimizer does: the inner update, then
clip_by_norm over `dims`; of slices the rows that occur alone, unless `dims` contains 0. A line is `case step numbers...`: the 12 elements
of [4, 3] after a step. The inputs are exact binary fractions:
  w0[i] = ((3 i) mod 8 - 4) / 4,  g[i] = ((7 i + 5 step + 3) mod 16 - 8) / 16
Slices have the rows step mod 4 and 3. If these are the same row, it occurs twice.
"""
import os

os.environ['TF_ENABLE_ONEDNN_OPTS'] = '0'
os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
ROWS, COLUMNS, STEPS = 4, 3, 5
CASES = {'all': ([0, 1], 1.5, False), 'columns': ([0], 0.75, False), 'rows': ([1], 0.75, False), 'slices_all': ([0, 1], 1.5, True),
         'slices_columns': ([0], 0.75, True), 'slices_rows': ([1], 0.75, True)}


def numbers(f, rows=ROWS):
    return np.array([f(i) for i in range(rows * COLUMNS)]).reshape(rows, COLUMNS)


def run(out, name, dims, most, slices):
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(numbers(lambda i: ((3 * i) % 8 - 4) / 4))
        g = tf.placeholder(tf.float64, [None, COLUMNS])
        rows = tf.placeholder(tf.int32, [None])
        gradient = tf.IndexedSlices(g, rows, tf.constant([ROWS, COLUMNS])) if slices else g
        moved = tf.train.GradientDescentOptimizer(0.5).apply_gradients([(gradient, v)])
        with tf.control_dependencies([moved]):
            if slices and 0 not in dims:
                present = tf.unique(rows)[0]
                clipped = tf.scatter_update(v, present, tf.clip_by_norm(tf.gather(v, present), most, dims))
            else:
                clipped = tf.assign(v, tf.clip_by_norm(v.read_value() if hasattr(v, 'read_value') else v, most, dims))
        session.run(tf.global_variables_initializer())
        for step in range(1, STEPS + 1):
            of = lambda i: ((7 * i + 5 * step + 3) % 16 - 8) / 16
            session.run(clipped, {g: numbers(of, 2 if slices else ROWS), rows: [step % 4, 3]})
            out.write(f'{name} {step} ' + ' '.join(repr(float(x)) for x in session.run(v).ravel()) + '\n')


if __name__ == '__main__':
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'variable_clipping.txt'), 'w') as file:
        for case, (dims, most, slices) in CASES.items():
            run(file, case, dims, most, slices)
