#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pools and operations on images, by TensorFlow and PyTorch, written to images.txt in this folder.

Made with TensorFlow 2.21 and PyTorch 2 on a CPU (`pip install tensorflow torch`). A line is `quantity numbers...`: rank, extents, elements.
`name` has the values, `name.d` the gradient of sum(weights * y) by x, where the weights are those of `weights`. PyTorch's images have
channels second; they are moved here.
"""
import os

os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
import numpy as np
import tensorflow as tf
import torch

F = torch.nn.functional
LINES = []


def put(name, a):
    a = np.asarray(a)
    LINES.append(' '.join([name, str(a.ndim)] + [str(n) for n in a.shape] + ['%.6g' % v for v in a.reshape(-1)]))


def numbers(shape, seed):
    """Multiples of 1/8 with ties."""
    return (np.random.RandomState(seed).randint(-12, 13, shape) / 8.0).astype(np.float32)


def weights(shape):
    """1, 2, 3, 4, 5, 1, ... : each element of a result has a weight."""
    n = int(np.prod(shape))
    return (1 + np.arange(n) % 5).reshape(shape).astype(np.float32)


def by_tf(name, f, *x):
    x = [tf.constant(v) for v in x]
    with tf.GradientTape() as tape:
        for v in x:
            tape.watch(v)
        y = f(*x)
        loss = tf.reduce_sum(tf.constant(weights(y.shape)) * y)
    put(name, y)
    for k, g in enumerate(tape.gradient(loss, x)):
        if g is not None:
            put(name + '.d' + (str(k) if k else ''), g)


def last(t):
    return torch.movedim(t, 1, -1)


def by_torch(name, f, *x):
    x = [torch.tensor(v, requires_grad=True) for v in x]
    y = last(f(torch.movedim(x[0], -1, 1), *x[1:]))
    (torch.tensor(weights(tuple(y.shape))) * y).sum().backward()
    put(name, y.detach())
    for k, v in enumerate(x):
        put(name + '.d' + (str(k) if k else ''), v.grad)


def value_by_torch(name, f, x):
    put(name, last(f(torch.movedim(torch.tensor(x), -1, 1))))


X = numbers((2, 7, 6, 2), 1)
N = numbers((2, 9, 3), 2)
C = numbers((1, 5, 4, 6, 2), 3)
S = X[1:, :, :, 1:]
put('x', X)
put('s', S)
put('n', N)
put('c', C)
nn = tf.nn
by_tf('max_2', lambda x: nn.max_pool2d(x, 2, 2, 'VALID'), X)
by_tf('max_3_2_same', lambda x: nn.max_pool2d(x, 3, 2, 'SAME'), X)
by_tf('max_23_same', lambda x: nn.max_pool2d(x, [2, 3], [1, 2], 'SAME'), X)
by_tf('max_1d', lambda x: nn.max_pool1d(x, 3, 2, 'SAME'), N)
put('max_3d', nn.max_pool3d(C, 2, 2, 'SAME'))
by_torch('max_dilated', lambda x: F.max_pool2d(x, 2, 1, padding=1, dilation=2), X)
by_torch('max_3d_first', lambda x: F.max_pool3d(x, (2, 2, 3), (2, 1, 2)), C)
by_torch('max_adaptive', lambda x: F.adaptive_max_pool2d(x, (3, 4)), X)
positions = nn.max_pool_with_argmax(X, 3, 2, 'SAME')[1]
put('positions', positions)
by_tf('average_3_2_same', lambda x: nn.avg_pool2d(x, 3, 2, 'SAME'), X)
by_tf('average_2', lambda x: nn.avg_pool2d(x, 2, 2, 'VALID'), X)
by_tf('average_1d', lambda x: nn.avg_pool1d(x, 4, 3, 'SAME'), N)
by_tf('average_3d', lambda x: nn.avg_pool3d(x, [2, 3, 2], [1, 2, 2], 'SAME'), C)
by_torch('average_padded', lambda x: F.avg_pool2d(x, 3, 2, padding=1, count_include_pad=True), X)
by_torch('average_ceil', lambda x: F.avg_pool2d(x, 3, 2, padding=1, ceil_mode=True, count_include_pad=True), X)
by_torch('average_ceil_elements', lambda x: F.avg_pool2d(x, (2, 4), (3, 3), padding=(1, 2), ceil_mode=True, count_include_pad=False), X)
by_torch('max_ceil', lambda x: F.max_pool2d(x, (2, 3), (2, 2), (1, 0), ceil_mode=True), X)
by_torch('average_adaptive', lambda x: F.adaptive_avg_pool2d(x, (3, 4)), X)
by_torch('average_adaptive_1d', lambda x: F.adaptive_avg_pool1d(x, 4), N)
value_by_torch('lp', lambda x: F.lp_pool2d(x.abs() + 0.125, 3, 2, 1), X)
unpooled = F.max_unpool2d(*F.max_pool2d(torch.movedim(torch.tensor(X), -1, 1), 2, return_indices=True), 2, output_size=(7, 6))
put('unpooled', last(unpooled))
by_tf('patches', lambda x: tf.image.extract_patches(x, [1, 2, 3, 1], [1, 2, 1, 1], [1, 2, 1, 1], 'SAME'), X)
columns = F.unfold(torch.movedim(torch.tensor(X), -1, 1), (2, 3), stride=(2, 1))
put('folded', last(F.fold(columns, (7, 6), (2, 3), stride=(2, 1))))

KERNEL = numbers((2, 3, 2), 4)
put('kernel', KERNEL)
by_tf('dilation', lambda x, k: nn.dilation2d(x, k, [1, 2, 1, 1], 'SAME', 'NHWC', [1, 1, 2, 1]), X, KERNEL)
by_tf('erosion', lambda x, k: nn.erosion2d(x, k, [1, 1, 1, 1], 'VALID', 'NHWC', [1, 1, 1, 1]), X, KERNEL)

v1 = tf.compat.v1.image
for kind in ('nearest_neighbor', 'bilinear', 'bicubic', 'area'):
    resize = getattr(v1, 'resize_' + kind)
    for size, mark in (((5, 9), ''), ((10, 4), '_other')):
        run = by_tf if kind != 'area' and not mark else lambda name, f, x: put(name, f(x))   # TensorFlow has none of resize_area
        run(kind + '_asymmetric' + mark, lambda x: resize(x, size), S)
        if not mark:
            run(kind + '_corners' + mark, lambda x: resize(x, size, align_corners=True), S)
        if kind != 'area':
            run(kind + '_half' + mark, lambda x: resize(x, size, half_pixel_centers=True), S)
put('v2', tf.image.resize(S, (5, 9), 'bilinear'))
for corners in (False, True):
    mark = '_corners' if corners else ''
    value_by_torch('torch_bilinear' + mark, lambda x: F.interpolate(x, (5, 9), mode='bilinear', align_corners=corners), S)
    by_torch('torch_bicubic' + mark, lambda x: F.interpolate(x, (5, 9), mode='bicubic', align_corners=corners), S)
value_by_torch('torch_linear', lambda x: F.interpolate(x, 14, mode='linear'), N)
value_by_torch('torch_nearest', lambda x: F.interpolate(x, (5, 9), mode='nearest'), S)
value_by_torch('torch_nearest_exact', lambda x: F.interpolate(x, (5, 9), mode='nearest-exact'), S)

GRID = (np.random.RandomState(5).uniform(-1.6, 1.6, (2, 3, 4, 2))).astype(np.float32)
put('grid', GRID)
for where in ('zeros', 'border', 'reflection'):
    for corners in (False, True):
        by_torch('grid_%s_%d' % (where, corners), lambda x, g: F.grid_sample(x, g, 'bilinear', where, corners), X, GRID)
by_torch('grid_nearest', lambda x, g: F.grid_sample(x, g, 'nearest', 'border', False), X, GRID)
THETA = np.array([[[0.5, -0.25, 0.125], [0.25, 0.75, -0.5]], [[1, 0, 0], [0, 1, 0.25]]], np.float32)
put('theta', THETA)
for corners in (False, True):
    put('affine_%d' % corners, F.affine_grid(torch.tensor(THETA), (2, 1, 3, 4), align_corners=corners))
BOXES = np.array([[0, 0, 1, 1], [0.1, 0.7, 0.8, 0.2], [-0.3, 0.2, 0.6, 1.4]], np.float32)
put('boxes', BOXES)
by_tf('crop', lambda x, b: tf.image.crop_and_resize(x, b, [1, 0, 1], (4, 3), extrapolation_value=2.0), X, BOXES)
put('crop_nearest', tf.image.crop_and_resize(X, BOXES, [1, 0, 1], (4, 1), method='nearest'))

RGB = (np.random.RandomState(6).randint(0, 9, (2, 4, 5, 3)) / 8.0).astype(np.float32)
RGB[0, 0, 0] = 0
put('rgb', RGB)
RGB = tf.constant(RGB)
put('gray', tf.image.rgb_to_grayscale(RGB))
put('hsv', tf.image.rgb_to_hsv(RGB))
put('back', tf.image.hsv_to_rgb(RGB))
put('standardized', tf.image.per_image_standardization(RGB))
put('contrast', tf.image.adjust_contrast(RGB, 1.75))
put('variation', tf.image.total_variation(RGB))
put('dy', tf.image.image_gradients(RGB)[0])
put('dx', tf.image.image_gradients(RGB)[1])
put('sobel', tf.image.sobel_edges(RGB))
A = np.random.RandomState(7).uniform(0, 1, (2, 12, 11, 1)).astype(np.float32)
put('a', A)
put('psnr', tf.image.psnr(A, A[:, ::-1], 1.0))
put('ssim', tf.image.ssim(tf.constant(A), tf.constant(0.5 * A + 0.5 * A[:, ::-1]), 1.0))

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'images.txt'), 'w') as out:
    out.write('\n'.join(LINES) + '\n')
