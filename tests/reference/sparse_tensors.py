#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sparse tensors, ragged arrays, matrix roots, images and boxes by TensorFlow, written to sparse_tensors.txt in this folder.

Made with TensorFlow 2.21 (`pip install tensorflow-cpu`). A line is `quantity numbers...`: `name` has the values, `name.x` the gradient of
the sum of values times 0.1, 0.2, ... by x.
"""
import os

os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
import numpy as np
import tensorflow as tf

LINES = []
DRAWS = np.random.default_rng(5)


def put(name, numbers):
    LINES.append((name, np.asarray(numbers, dtype=np.float64).ravel()))


def put_all(name, function, **operands):
    """The values of function(operands...), and its gradients by the operands."""
    given = {k: tf.Variable(v) for k, v in operands.items()}
    with tf.GradientTape() as tape:
        y = function(*given.values())
        weights = tf.constant(0.1 * np.arange(1, np.prod(y.shape) + 1), y.dtype)
        total = tf.reduce_sum(y * tf.reshape(weights, y.shape))
    put(name, y.numpy())
    for k, g in zip(given, tape.gradient(total, list(given.values()))):
        put(f'{name}.{k}', tf.convert_to_tensor(g).numpy() if g is not None else np.zeros_like(operands[k]))


def coordinates():
    at = np.array([[0, 1], [0, 4], [1, 0], [3, 2], [3, 5]], np.int64)   # row 2 is empty
    at_b = np.array([[0, 1], [1, 3], [2, 2], [3, 5]], np.int64)
    v, w = DRAWS.normal(size=5), DRAWS.normal(size=4)
    b, c, x = DRAWS.normal(size=(6, 3)), DRAWS.normal(size=(4, 3)), DRAWS.normal(size=(4, 6))
    for name, numbers in (('at', at), ('at_b', at_b), ('v', v), ('w', w), ('b', b), ('c', c), ('x', x)):
        put(name, numbers)

    def sparse(values, places=at):
        return tf.SparseTensor(places, values, (4, 6))
    s = tf.sparse
    put_all('product', lambda q, r: s.sparse_dense_matmul(sparse(q), r), v=v, b=b)
    put_all('adjoint', lambda q, r: s.sparse_dense_matmul(sparse(q), r, adjoint_a=True), v=v, b=c)
    put_all('dense', lambda q: s.to_dense(sparse(q)), v=v)
    put('dense_other', s.to_dense(sparse(v), -1))
    put_all('softmax', lambda q: s.softmax(sparse(q)).values, v=v)
    for name, axes in (('rows', 1), ('columns', 0), ('all', None)):
        put_all(f'sum_{name}', lambda q: tf.reshape(s.reduce_sum(sparse(q), axes), [-1]), v=v)
        put(f'max_{name}', s.reduce_max(sparse(v), axes))
    put_all('times', lambda q, r: tf.raw_ops.SparseDenseCwiseMul(sp_indices=at, sp_values=q, sp_shape=[4, 6], dense=r), v=v, x=x)
    put('plus', tf.raw_ops.SparseDenseCwiseAdd(sp_indices=at, sp_values=v, sp_shape=[4, 6], dense=x))
    put_all('over', lambda q, r: tf.raw_ops.SparseDenseCwiseDiv(sp_indices=at, sp_values=q, sp_shape=[4, 6], dense=r), v=v, x=x)
    put_all('add', lambda q, r: s.add(sparse(q), sparse(r, at_b)).values, v=v, w=w)
    put('add_at', s.add(sparse(v), sparse(w, at_b)).indices)
    put('maximum', s.maximum(sparse(v), sparse(w, at_b)).values)   # TensorFlow's gradient of it raises a TypeError
    put('minimum', s.minimum(sparse(v), sparse(w, at_b)).values)   # TensorFlow's gradient of it raises a TypeError
    put_all('slice', lambda q: s.slice(sparse(q), [0, 1], [4, 4]).values, v=v)
    put('slice_at', s.slice(sparse(v), [0, 1], [4, 4]).indices)
    put_all('filled', lambda q, r: tf.raw_ops.SparseFillEmptyRows(
        indices=at, values=q, dense_shape=[4, 6], default_value=r).output_values, v=v, number=np.float64(2.5))
    put('filled_at', s.fill_empty_rows(sparse(v), 2.5)[0].indices)
    mixed = [3, 0, 4, 2, 1]
    put('mixed', mixed)
    put_all('reorder', lambda q: s.reorder(tf.SparseTensor(at[mixed], q, (4, 6))).values, v=v)
    put('concat_at', s.concat(1, [sparse(v), sparse(w, at_b)]).indices)
    put('transposed', s.to_dense(s.transpose(sparse(v))))
    ragged = np.array([0, 2, 2, 3, 5])
    put('offsets', ragged)
    put_all('ragged', lambda q: tf.RaggedTensor.from_row_splits(q, ragged, validate=False).to_tensor(default_value=np.float64(-2), shape=(4, 3)), v=v)
    put('ragged_cut', tf.RaggedTensor.from_row_splits(v, ragged).to_tensor(shape=(4, 1)))
    put('ragged_at', tf.RaggedTensor.from_row_splits(v, ragged).to_sparse().indices)


def matrices():
    a = DRAWS.normal(size=(2, 4, 4))
    a = a @ a.transpose(0, 2, 1) + 0.3 * DRAWS.normal(size=(2, 4, 4)) + np.eye(4)   # not symmetric, without negative eigenvalues
    put('a', a)
    put_all('sqrtm', tf.linalg.sqrtm, a=a)


def monotone():
    x = np.array([[3, 1, 2, 5, 4, 4, 7, -1], [1, 2, 3, 4, 4, 6, 7, 8], [8, 7, 6, 5, 4, 3, 2, 1]], np.float64)
    put('scores', x)
    put_all('isotonic', lambda q: tf.nn.isotonic_regression(q, decreasing=False)[0], x=x)
    put_all('isotonic_decreasing', lambda q: tf.nn.isotonic_regression(q)[0], x=x)


def images():
    x = DRAWS.normal(size=(2, 5, 6, 2)).astype(np.float32)
    t = np.array([[1.1, 0.2, -0.3, -0.1, 0.9, 0.4, 0.01, -0.02], [0.5, 0, 1, 0, 0.5, 0.5, 0, 0]], np.float32)
    put('image', x)
    put('transforms', t)
    for method in ('BILINEAR', 'NEAREST'):
        put(f'projected_{method.lower()}', tf.raw_ops.ImageProjectiveTransformV3(   # its gradient is that of the inverse map
            images=x, transforms=t, output_shape=[4, 7], fill_value=0., interpolation=method))


def boxes():
    colours = np.random.default_rng(9).uniform(size=(2, 3, 4, 3)).astype(np.float32)
    put('colours', colours)
    for k, (delta, factor) in enumerate([(0.3, 0.4), (-0.7, 1.9)]):
        put(f'hue{k}', tf.image.adjust_hue(colours, delta))
        put(f'saturation{k}', tf.image.adjust_saturation(colours, factor))
    draws = np.random.default_rng(10)
    corners, scores = draws.uniform(size=(12, 4)).astype(np.float32), draws.uniform(size=12).astype(np.float32)
    scores[[3, 7]] = scores[5]
    corners[9] = corners[2] + np.float32(0.01)
    put('boxes', corners)
    put('scores_of_boxes', scores)
    for k, (overlap, least) in enumerate([(0.5, 0.0), (0.1, 0.3), (0.0, 0.2)]):
        put(f'kept{k}', tf.image.non_max_suppression(corners, scores, 8, overlap, least))


def main():
    coordinates()
    matrices()
    monotone()
    images()
    boxes()
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'sparse_tensors.txt')
    with open(path, 'w', encoding='utf-8') as file:
        for name, numbers in LINES:
            file.write(' '.join([name, *(repr(float(n)) if not float(n).is_integer() else str(int(n)) for n in numbers)]) + '\n')


if __name__ == '__main__':
    main()
