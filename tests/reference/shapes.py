#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Axes, coordinates and windows by NumPy, SciPy and JAX, written to shapes.txt in this folder.

Made with NumPy 2, SciPy 1 and JAX 0.10.2 (`pip install jax scipy`). A line is `quantity rank extents... elements...`.
"""
import itertools
import os

import jax
import numpy as np
import scipy.linalg

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp

X = (np.arange(24) * 7 % 25 - 9).reshape(2, 3, 4)
FLAGS = X % 3 == 0
STARTS = list(itertools.product((-4, -2, 0, 1, 2, 5), (-6, -3, 0, 2, 9)))
IDS = np.array([[2, -1], [0, 5]])


def main():
    lines = {
        'x': X, 'flags': FLAGS, 'moved': np.moveaxis(X, 0, 2), 'moved_back': np.moveaxis(X, -1, 0), 'swapped': np.swapaxes(X, 0, 2),
        'swapped_last': np.swapaxes(X, -1, 1), 'turned': np.rot90(X), 'turned_twice': np.rot90(X, 2), 'turned_three': np.rot90(X, 3),
        'turned_back': np.rot90(X, -1, (1, 2)), 'turned_last': np.rot90(X, 5, (-1, 0)), 'diff': np.diff(X), 'diff_first': np.diff(X, axis=0),
        'diff_twice': np.diff(X, 2), 'diff_all': np.diff(X, 3, axis=1), 'diff_flags': np.diff(FLAGS),
        'expanded': np.expand_dims(X, (0, -1)), 'expanded_inside': np.expand_dims(X, (-2, 1)),
        'one': np.atleast_1d(3), 'two': np.atleast_2d(X[0, 0]), 'three': np.atleast_3d(X[0, 0]), 'three_of_two': np.atleast_3d(X[0]),
        'blocks': scipy.linalg.block_diag(X[0], X[1, :2], X[0, :1, :1]),
        'line': np.linspace(-1.5, 2.25, 7), 'line_down': np.linspace(3, -0.1, 4), 'line_of_one': np.linspace(3, 5, 1),
        'ids': IDS,
    }
    for name, grid in (('xy', np.meshgrid([1, 2, 3], [4, 5], [6])), ('ij', np.meshgrid([1, 2, 3], [4, 5], [6], indexing='ij'))):
        lines |= {f'grid_{name}_{k}': g for k, g in enumerate(grid)}
    x = np.arange(15).reshape(3, 5)
    window = np.full((2, 3), -1)
    lines['starts'] = np.array(STARTS)
    lines['slices'] = np.array([jax.lax.dynamic_slice(jnp.array(x), s, (2, 3)) for s in STARTS])
    lines['updates'] = np.array([jax.lax.dynamic_update_slice(jnp.array(x), jnp.array(window), s) for s in STARTS])
    lines['down'] = X[:, :, 3::-2]
    lines['down_inside'] = X[:, :, 2:0:-1]
    lines['at'] = np.stack(jnp.nonzero(jnp.array(FLAGS), size=12), -1)
    lines['at_few'] = np.stack(jnp.nonzero(jnp.array(FLAGS), size=3), -1)
    lines['unraveled'] = np.stack(np.unravel_index(X.ravel() + 9, (5, 3, 2)))
    for axis in (0, 1, -1):
        lines[f'hot_{axis}'] = np.array(jax.nn.one_hot(jnp.array(IDS), 3, axis=axis, dtype=jnp.float64)) * 3.5 - 1
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'shapes.txt')
    with open(path, 'w', encoding='utf-8') as file:
        for name, a in lines.items():
            a = np.asarray(a)
            file.write(' '.join([name, str(a.ndim), *map(str, a.shape), *(f'{float(n):.17g}' for n in a.ravel())]) + '\n')


if __name__ == '__main__':
    main()
