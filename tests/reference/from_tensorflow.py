#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Quantization, bands, volumes, scaled images, sampled losses, fractional pools, frames, edit distances, ConvLSTM by TensorFlow.

They are written to from_tensorflow.txt in this folder. Made with TensorFlow 2.21 (`pip install tensorflow`). A line is
`quantity numbers...`: `name` has the values, `name.x` the gradient of the sum of values times weights by x.
"""
import os

os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
import numpy as np
import tensorflow as tf

LINES = []
DRAWS = np.random.default_rng(7)


def put(name, numbers):
    LINES.append((name, np.asarray(numbers, dtype=np.float64).ravel()))


def put_all(name, function, weights, **operands):
    """The values of function(operands...), and its gradients by the operands."""
    given = {k: tf.Variable(v) for k, v in operands.items()}
    with tf.GradientTape() as tape:
        y = function(*given.values())
        total = tf.reduce_sum(y * tf.reshape(tf.constant(weights, y.dtype), y.shape))
    put(name, y.numpy())
    for k, g in zip(given, tape.gradient(total, list(given.values()))):
        put(f'{name}.{k}', tf.convert_to_tensor(g).numpy())


def quantization():
    x = np.array([-7, -6.01, -6, -1.3, -0.05, 0, 0.0235, 0.5, 1, 2.5, 5.97, 6, 6.5, np.inf, -np.inf, np.nan, 0.25, -0.75, 3.3, 2.2, 1.1],
                 np.float32)
    w = np.arange(1, x.size + 1)
    put('quantized', x)
    q = tf.quantization
    put_all('fixed', lambda a: q.fake_quant_with_min_max_args(a, -6, 6, 8, False), w, x=x)
    for k, (low, high) in enumerate([(-1, 2.3), (0.5, 3), (-3, -1), (-6, 6), (0.1, 0.1)]):
        put(f'range{k}', [np.float32(low), np.float32(high)])
        put_all(f'vars{k}', lambda a, b, c: q.fake_quant_with_min_max_vars(a, b, c, 4, True), w, x=x, min=np.float32(low), max=np.float32(high))
        put_all(f'signed{k}', lambda a, b, c: q.quantize_and_dequantize_v2(a, b, c, True, 8, True), w, x=x, min=np.float32(low),
                max=np.float32(high))
        put_all(f'narrow{k}', lambda a, b, c: q.quantize_and_dequantize_v2(a, b, c, True, 4, True, 'HALF_UP', narrow_range=True), w, x=x,
                min=np.float32(low), max=np.float32(high))
        put_all(f'unsigned{k}', lambda a, b, c: q.quantize_and_dequantize_v2(a, b, c, False, 8, True), w, x=x, min=np.float32(low),
                max=np.float32(high))
    finite = np.where(np.isfinite(x), x, -2)
    put('whole', q.quantize_and_dequantize_v2(finite, 0., 0., True, 8, False).numpy())
    least, most = np.array([-1, 0, 0.5], np.float32), np.array([2, 0, 3], np.float32)
    put('channels.least', least)
    put('channels.most', most)
    rows = finite.reshape(7, 3)
    put_all('channels', lambda a, b, c: q.fake_quant_with_min_max_vars_per_channel(a, b, c, 8, False), w, x=rows, min=least, max=most)


def bands():
    n, k = 6, 2
    d, b, w = DRAWS.normal(size=(2, 3, n)), DRAWS.normal(size=(2, n, k)), DRAWS.normal(size=(2, n, k))
    d[0, 1, 0] = 0          # an exchange of rows is needed
    d[1, 1, 2:4] *= 0.01
    d, b, w = d.round(3), b.round(3), w.round(3)
    for name, array in [('d', d), ('b', b), ('w', w)]:
        put('bands.' + name, array)

    def turned(a):
        zero = tf.zeros_like(a[:, 0, :1])
        return tf.stack([tf.concat([a[:, 2, 1:], zero], 1), a[:, 1], tf.concat([zero, a[:, 0, :-1]], 1)], 1)

    put_all('tridiagonal', tf.linalg.tridiagonal_solve, w, d=d, b=b)
    put_all('tridiagonal_transposed', lambda a, c: tf.linalg.tridiagonal_solve(turned(a), c), w, d=d, b=b)
    put_all('product', tf.linalg.tridiagonal_matmul, w, d=d, b=b)
    strong = d.copy()
    strong[:, 0] += 3
    put('bands.lower', strong)
    put('bands.upper', strong[:, ::-1])
    for name, lower in [('lower', True), ('upper', False)]:
        for adjoint in False, True:
            put_all(name + '_transposed' * adjoint, lambda a, c: tf.linalg.banded_triangular_solve(a, c, lower=lower, adjoint=adjoint), w,
                    d=strong if lower else strong[:, ::-1].copy(), b=b)


def volumes():
    x = DRAWS.integers(0, 100, (2, 3, 4, 5, 2)).astype(np.float32)
    w = DRAWS.integers(-9, 10, (2, 3, 2, 3, 24)).astype(np.float32)
    put('volumes', x)
    put('volumes.w', w)
    put_all('patches', lambda a: tf.extract_volume_patches(a, [1, 2, 3, 2, 1], [1, 1, 2, 2, 1], 'SAME'), w, x=x)
    put('valid', tf.extract_volume_patches(x, [1, 3, 2, 4, 1], [1, 1, 2, 1, 1], 'VALID').numpy())


def scales():
    x, w = DRAWS.normal(size=(2, 5, 7, 2)).round(3), DRAWS.normal(size=(2, 6, 4, 2)).round(3)
    put('scaled', x)
    put('scaled.w', w)
    for name, kernel, smooth in [('linear', 'triangle', True), ('cubic', 'keyscubic', True), ('sharp', 'keyscubic', False)]:
        put_all(name, lambda a: tf.raw_ops.ScaleAndTranslate(images=a, size=[6, 4], scale=[1.3, 0.45], translation=[-0.7, 0.9],
                                                             kernel_type=kernel, antialias=smooth), w, x=x.astype(np.float32))


def sampled_losses():
    classes, width, batch = 11, 3, 4
    w, b, h = DRAWS.normal(size=(classes, width)).round(3), DRAWS.normal(size=classes).round(3), DRAWS.normal(size=(batch, width)).round(3)
    labels = np.array([[3, 1], [0, 10], [5, 5], [7, 2]])
    candidates = np.array([0, 4, 3, 4, 9, 5])   # true classes too; of a repeated one TensorFlow removes only the last
    k = np.arange(classes)
    counts = candidates.size * np.log((k + 2) / (k + 1)) / np.log(classes + 1)
    for name, array in [('w', w), ('b', b), ('h', h), ('labels', labels), ('candidates', candidates), ('counts', counts[labels]),
                        ('candidate_counts', counts[candidates])]:
        put('sampled.' + name, array)
    for name, loss in [('softmax', tf.nn.sampled_softmax_loss), ('nce', tf.nn.nce_loss)]:
        for number in 1, 2:
            for remove in False, True:
                true = labels[:, :number]
                given = (tf.constant(candidates), tf.constant(counts[true]), tf.constant(counts[candidates]))
                put_all(f'sampled.{name}{number}{"_removed" * remove}', lambda p, q, r: loss(
                    p, q, true, r, candidates.size, classes, number, given, remove_accidental_hits=remove),
                        np.arange(1, batch + 1), w=w, b=b, h=h)


def fractional_pools():
    x = DRAWS.integers(-9, 10, (2, 11, 8, 3)).astype(np.float64)   # with equal elements
    put('fractional', x)
    w = np.cos(np.arange(2 * 6 * 5 * 3))
    for name, pool in [('max', tf.nn.fractional_max_pool), ('average', tf.nn.fractional_avg_pool)]:
        for pseudo, overlapping in (False, False), (True, False), (False, True):
            how = f'fractional.{name}' + '_pseudo' * pseudo + '_overlapping' * overlapping
            _, rows, columns = pool(x, [1, 11 / 6.1, 8 / 5.1, 1], pseudo, overlapping, seed=3)
            put(how + '.rows', rows)
            put(how + '.columns', columns)
            put_all(how, lambda a: pool(a, [1, 11 / 6.1, 8 / 5.1, 1], pseudo, overlapping, seed=3)[0], w, x=x)


def inverse_transforms():
    signal = tf.signal
    x, frames = DRAWS.normal(size=(2, 26)).round(3), DRAWS.normal(size=(2, 4, 6)).round(3)
    w = np.cos(np.arange(60))
    put('signal', x)
    put('frames', frames)
    put_all('overlap', lambda a: signal.overlap_and_add(a, 4), w[:2 * 18], frames=frames)
    put_all('gaps', lambda a: signal.overlap_and_add(a, 7), w[:2 * 27], frames=frames)
    for length, step in (8, 2), (8, 3), (6, 4):
        window = signal.inverse_stft_window_fn(step)
        put(f'window{length}{step}', window(length, tf.float64))
        count = 1 + (26 - length) // step
        size = 2 * ((count - 1) * step + length)
        both = lambda a: signal.inverse_stft(signal.stft(a, length, step, length), length, step, length, window)
        if step < 4:
            put_all(f'istft{length}{step}', both, np.cos(np.arange(size)), x=x)
        else:
            put_all(f'istft{length}{step}', lambda a: signal.inverse_stft(signal.stft(a, length, step, length), length, step, length),
                    np.cos(np.arange(size)), x=x)


def edit_distances():
    x, y = DRAWS.integers(0, 3, (6, 7)), DRAWS.integers(0, 3, (6, 5))
    x_lengths, y_lengths = np.array([7, 3, 0, 0, 5, 4]), np.array([5, 5, 4, 0, 0, 2])
    for name, array in [('x', x), ('y', y), ('x_lengths', x_lengths), ('y_lengths', y_lengths)]:
        put('edits.' + name, array)
    sparse = [tf.RaggedTensor.from_tensor(a, lengths=n).to_sparse() for a, n in [(x, x_lengths), (y, y_lengths)]]
    for name, normalize in [('normalized', True), ('counted', False)]:
        put('edits.' + name, tf.edit_distance(*sparse, normalize))


def conv_lstm():
    x = DRAWS.normal(size=(2, 3, 5, 4, 2)).round(3)
    layers = {'last': ((3, 2), 'same', 1, False), 'all': ((3, 3), 'valid', 1, True), 'strides': ((2, 3), 'same', 2, True)}
    for name, (size, padding, strides, sequences) in layers.items():
        layer = tf.keras.layers.ConvLSTM2D(3, size, strides, padding, return_sequences=sequences, dtype='float64')
        layer(x)
        weights = [(0.5 * DRAWS.normal(size=v.shape)).round(3) for v in layer.trainable_variables]
        layer.set_weights(weights)
        given = tf.Variable(x)
        with tf.GradientTape() as tape:
            y = layer(given)
            total = tf.reduce_sum(y * np.cos(np.arange(np.prod(y.shape))).reshape(y.shape))
        slopes = tape.gradient(total, [given, *layer.trainable_variables])
        for part, array in zip(('w', 'u', 'b'), weights):
            put(f'conv_lstm.{name}.{part}', array)
        put(f'conv_lstm.{name}', y.numpy())
        for part, array in zip(('x', 'dw', 'du', 'db'), slopes):
            put(f'conv_lstm.{name}.{part}', array.numpy())
    put('conv_lstm.x', x)


def eigen():
    a = DRAWS.normal(size=(2, 5, 5)).round(3)
    put('eig.a', a)
    values = tf.linalg.eig(a)[0].numpy()
    ordered = np.stack([row[np.lexsort((row.imag, row.real))] for row in values])
    put('eig.re', ordered.real)
    put('eig.im', ordered.imag)
    for name, vectors in [('values', False), ('vectors', True)]:   # losses that depend neither on the order nor on phases
        x = tf.Variable(a)
        with tf.GradientTape() as tape:
            e, v = tf.linalg.eig(x)
            of_values = tf.sin(tf.math.real(e)) * tf.math.imag(e) ** 2 + tf.math.real(e) ** 2
            weights = np.arange(1., 6)[:, None]
            total = tf.reduce_sum(of_values)
            if vectors:
                total += tf.reduce_sum(weights * tf.abs(v) ** 4 * (1 + tf.math.real(e)[:, None, :]))
        put(f'eig.{name}', [total.numpy()])
        put(f'eig.{name}.a', tape.gradient(total, x).numpy())
    p = DRAWS.normal(size=7).round(3)
    found = np.roots(p)
    found = found[np.lexsort((found.imag, found.real))]
    put('roots.p', p)
    put('roots.re', found.real)
    put('roots.im', found.imag)


def main():
    quantization()
    bands()
    volumes()
    scales()
    sampled_losses()
    fractional_pools()
    inverse_transforms()
    edit_distances()
    conv_lstm()
    eigen()
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'from_tensorflow.txt')
    with open(path, 'w', encoding='utf-8') as file:
        for name, numbers in LINES:
            file.write(' '.join([name, *(f'{n:.12g}' for n in numbers)]) + '\n')


if __name__ == '__main__':
    main()
