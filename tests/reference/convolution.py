#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Convolutions by TensorFlow and PyTorch, written to convolution.txt in this folder.

Made with TensorFlow 2.21 and PyTorch (`pip install tensorflow`, `pip install torch`, one Python environment each): run the script with
each of them. It writes the lines of the tools that it finds and keeps the others. A line is `case.quantity numbers...`: `shape` and `y`
are the result, `dx` and `dw` the gradients of Σ y g. Operands are quarters: element i of x, w and g is numbers(i, 1), numbers(i, 2)
and numbers(i, 3). So all results are exact.
"""
import os

import numpy as np


def numbers(shape, seed):
    i = np.arange(int(np.prod(shape)))
    return (((i * 37 + i // 5 * 11 + seed * 5) % 17 - 8) / 4.0).reshape(shape)


# name: shapes of x and w, then what the tool needs
TENSORFLOW = {
    'same': ([2, 5, 6, 3], [3, 2, 3, 4], 'conv', (1, 1), 'SAME'),
    'valid': ([1, 6, 7, 2], [4, 3, 2, 5], 'conv', (1, 1), 'VALID'),
    'same_stride': ([2, 7, 6, 2], [3, 4, 2, 3], 'conv', (2, 3), 'SAME'),
    'valid_stride': ([1, 8, 9, 1], [2, 3, 1, 9], 'conv', (3, 2), 'VALID'),
    'long_stride': ([1, 7, 8, 2], [1, 1, 2, 3], 'conv', (2, 2), 'SAME'),
    'line': ([2, 9, 3], [4, 3, 2], 'conv', (2,), 'SAME'),
    'volume': ([1, 4, 3, 5, 2], [2, 3, 2, 2, 3], 'conv', (1, 2, 1), 'SAME'),
    'depthwise': ([2, 5, 6, 3], [3, 3, 3, 1], 'depthwise', (1, 1), 'SAME'),
    'multiplier': ([1, 6, 5, 3], [2, 3, 3, 2], 'depthwise', (2, 2), 'SAME'),
    'causal': ([2, 7, 2], [3, 2, 3], 'causal', (1,), None),
    'transpose_same': ([1, 3, 4, 2], [3, 3, 3, 2], 'transpose', (2, 2), 'same'),
    'transpose_valid': ([1, 3, 2, 2], [2, 4, 3, 2], 'transpose', (3, 2), 'valid'),
    'transpose_even': ([1, 4, 3, 2], [4, 2, 1, 2], 'transpose', (2, 1), 'same'),
    'transpose_more': ([1, 3, 3, 1], [3, 3, 2, 1], 'transpose_more', (2, 2), 'same'),
    'transpose_more_valid': ([1, 3, 3, 1], [3, 3, 2, 1], 'transpose_more', (2, 2), 'valid'),
}
# strides, dilations, padding before and after, groups, output padding
TORCH = {
    'dilated': ([2, 8, 9, 2], [3, 2, 2, 3], 'conv', (1, 1), (2, 3), ((2, 2), (1, 3)), 1, 0),
    'dilated_stride': ([1, 9, 8, 1], [2, 3, 1, 4], 'conv', (2, 1), (3, 2), ((1, 0), (2, 2)), 1, 0),
    'groups': ([2, 5, 5, 6], [3, 3, 2, 9], 'conv', (1, 2), (1, 1), ((1, 1), (1, 1)), 3, 0),
    'wide': ([1, 4, 4, 2], [3, 2, 2, 2], 'conv', (2, 2), (1, 1), ((4, 3), (3, 3)), 1, 0),
    'same_lower': ([1, 5, 4, 1], [2, 4, 1, 2], 'conv', (1, 1), (1, 1), ((1, 0), (2, 1)), 1, 0),
    'torch_transpose': ([1, 3, 4, 4], [3, 2, 3, 4], 'transpose', (2, 3), (1, 2), ((1, 1), (0, 0)), 2, 1),
}


def by_tensorflow():
    os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
    import tensorflow as tf
    tf.keras.backend.set_floatx('float64')

    def run(kind, x, w, strides, padding):
        if kind == 'conv':
            return tf.nn.convolution(x, w, strides=strides, padding=padding, data_format={1: 'NWC', 2: 'NHWC', 3: 'NDHWC'}[len(strides)])
        if kind == 'depthwise':
            return tf.nn.depthwise_conv2d(x, w, [1, *strides, 1], padding)
        if kind == 'causal':
            return tf.keras.ops.conv(tf.pad(x, [[0, 0], [w.shape[0] - 1, 0], [0, 0]]), w)
        more = 1 if kind == 'transpose_more' else None
        return tf.keras.ops.conv_transpose(x, w, strides=strides, padding=padding, output_padding=more)

    for name, (x_shape, w_shape, kind, strides, padding) in TENSORFLOW.items():
        x, w = tf.Variable(numbers(x_shape, 1)), tf.Variable(numbers(w_shape, 2))
        with tf.GradientTape() as tape:
            y = run(kind, x, w, strides, padding)
            loss = tf.reduce_sum(y * numbers(y.shape, 3))
        dx, dw = tape.gradient(loss, [x, w])
        yield name, y.numpy(), dx.numpy(), dw.numpy()


def by_torch():
    import torch

    for name, (x_shape, w_shape, kind, strides, dilations, pads, groups, more) in TORCH.items():
        x = torch.tensor(numbers(x_shape, 1), requires_grad=True)
        w = torch.tensor(numbers(w_shape, 2), requires_grad=True)
        channels_first = torch.movedim(x, -1, 1)
        if kind == 'conv':
            padded = torch.nn.functional.pad(channels_first, (*pads[1], *pads[0]))
            y = torch.nn.functional.conv2d(padded, w.permute(3, 2, 0, 1), None, strides, 0, dilations, groups)
        else:
            y = torch.nn.functional.conv_transpose2d(channels_first, w.permute(3, 2, 0, 1), None, strides, [p[0] for p in pads], more,
                                                     groups, dilations)
        y = torch.movedim(y, 1, -1)
        (y * torch.tensor(numbers(tuple(y.shape), 3))).sum().backward()
        yield name, y.detach().numpy(), x.grad.numpy(), w.grad.numpy()


def main():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'convolution.txt')
    lines = {}
    if os.path.exists(path):
        with open(path, encoding='utf-8') as file:
            lines = dict(line.rstrip('\n').split(' ', 1) for line in file)
    for tool in (by_tensorflow, by_torch):
        try:
            for name, y, dx, dw in tool():
                for quantity, values in (('shape', y.shape), ('y', y), ('dx', dx), ('dw', dw)):
                    lines[f'{name}.{quantity}'] = ' '.join(f'{v:.10g}' for v in np.ravel(values))
        except ImportError as error:
            print(error)
    with open(path, 'w', encoding='utf-8') as file:
        file.writelines(f'{name} {lines[name]}\n' for name in sorted(lines))


if __name__ == '__main__':
    main()
