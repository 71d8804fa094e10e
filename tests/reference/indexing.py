#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Elements taken, put and joined by index, by JAX and NumPy, written to indexing.txt in this folder.

Made with JAX 0.10.2 in double (`pip install jax`). A line is `quantity numbers...`. `name` has the values, `name.x` and `name.u` the
gradients of sum(w * y) by x and by the updates u. Products and extrema are written out as reductions of masked arrays, whose gradients
JAX has also for zeros and ties.
"""
import os

import jax
import numpy as np

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp

R = np.random.RandomState(7)
ROWS, WIDTH, UPDATES, SEGMENTS = 4, 3, 7, 5
IDS = np.array([2, 0, 2, 2, 1, 0, 2])            # row 3 has no update
X = R.randint(-4, 5, (ROWS, WIDTH)) / 4.0        # zeros and ties
U = R.randint(-4, 5, (UPDATES, WIDTH)) / 4.0
W = R.randint(-8, 9, (ROWS, WIDTH)) / 8.0
SEGMENT_IDS = np.array([0, 3, 0, 1, 3, 3, 1])    # segments 2 and 4 are empty
UNSORTED = np.array([4, -1, 1, 4, 1, -3, 4])
SEGMENT_W = R.randint(-8, 9, (SEGMENTS, WIDTH)) / 8.0
ALONG = R.randint(0, WIDTH, (ROWS, 5))
ALONG_W = R.randint(-8, 9, (ROWS, 5)) / 8.0
BAGS = np.array([[1, 3, 0], [2, 2, 0], [0, 0, 0], [3, 1, 2]])   # 0 is a padding
BAG_WEIGHTS = R.randint(1, 9, (4, 3)) / 4.0


def masked(u, ids, rows, neutral):
    """[updates, rows, width]: each update in its row, the neutral number elsewhere."""
    here = ids[:, None] == np.arange(rows)[None, :]
    return jnp.where(here[:, :, None], u[:, None, :], neutral)


def last(x, u):
    y = x
    for k, i in enumerate(IDS):
        y = y.at[i].set(u[k])
    return y


JOINED = {
    'update': last,
    'add': lambda x, u: x.at[IDS].add(u),
    'mul': lambda x, u: x * jnp.prod(masked(u, IDS, ROWS, 1.0), axis=0),
    'max': lambda x, u: jnp.max(jnp.concatenate([x[None], masked(u, IDS, ROWS, -jnp.inf)]), axis=0),
    'min': lambda x, u: jnp.min(jnp.concatenate([x[None], masked(u, IDS, ROWS, jnp.inf)]), axis=0)}


def counts(ids):
    return np.maximum(np.array([(ids == s).sum() for s in range(SEGMENTS)]), 1.0)[:, None]


def segments(ids, empty_max, empty_min):
    full = np.array([(ids == s).any() for s in range(SEGMENTS)])[:, None]
    return {
        'sum': lambda x: jnp.sum(masked(x, ids, SEGMENTS, 0.0), axis=0),
        'mean': lambda x: jnp.sum(masked(x, ids, SEGMENTS, 0.0), axis=0) / counts(ids),
        'sqrt_n': lambda x: jnp.sum(masked(x, ids, SEGMENTS, 0.0), axis=0) / np.sqrt(counts(ids)),
        'prod': lambda x: jnp.prod(masked(x, ids, SEGMENTS, 1.0), axis=0),
        'max': lambda x: jnp.where(full, jnp.max(masked(x, ids, SEGMENTS, -jnp.inf), axis=0), empty_max),
        'min': lambda x: jnp.where(full, jnp.min(masked(x, ids, SEGMENTS, jnp.inf), axis=0), empty_min)}


def bags(table, weights, how):
    here = jnp.where(BAGS != 0, weights, 0.0)
    rows = table[BAGS]
    if how == 'max':
        y = jnp.max(jnp.where((BAGS != 0)[:, :, None], rows, -jnp.inf), axis=1)
        return jnp.where((BAGS != 0).any(1)[:, None], y, 0.0)
    total = jnp.sum(rows * here[:, :, None], axis=1)
    by = {'sum': jnp.ones(4), 'mean': jnp.sum(here, axis=1), 'sqrtn': jnp.sum(here * here, axis=1)}[how]
    by = jnp.where(by == 0, 1.0, by)
    return total / (jnp.sqrt(by) if how == 'sqrtn' else by)[:, None]


def main():
    lines = [('ids', IDS), ('x', X), ('u', U), ('w', W), ('segment_ids', SEGMENT_IDS), ('unsorted_ids', UNSORTED), ('segment_w', SEGMENT_W),
             ('along', ALONG), ('along_w', ALONG_W), ('bags', BAGS), ('bag_weights', BAG_WEIGHTS)]
    for name, f in JOINED.items():
        loss = lambda x, u: jnp.sum(W * f(x, u))
        x, u = jnp.array(X), jnp.array(U)
        lines += [(name, f(x, u)), (name + '.x', jax.grad(loss, 0)(x, u)), (name + '.u', jax.grad(loss, 1)(x, u))]
    for kind, ids, low, high in (('segment', SEGMENT_IDS, 0.0, 0.0), ('unsorted', UNSORTED, -np.finfo(float).max, np.finfo(float).max)):
        for name, f in segments(ids, low, high).items():
            lines += [(f'{kind}_{name}', f(U)), (f'{kind}_{name}.u', jax.grad(lambda u: jnp.sum(SEGMENT_W * f(u)))(jnp.array(U)))]
    take = lambda x: jnp.take_along_axis(x, ALONG, axis=1)
    lines += [('take_along', take(X)), ('take_along.x', jax.grad(lambda x: jnp.sum(ALONG_W * take(x)))(jnp.array(X)))]
    for how in ('sum', 'mean', 'sqrtn', 'max'):
        for kind, weights in (('plain', np.ones((4, 3))), ('weighted', BAG_WEIGHTS)):
            if how == 'max' and kind == 'weighted':
                continue
            f = lambda t, v: bags(t, v, how)
            loss = lambda t, v: jnp.sum(W * f(t, v))
            name = f'bag_{kind}_{how}'
            lines += [(name, f(jnp.array(X), weights)), (name + '.x', jax.grad(loss, 0)(jnp.array(X), weights))]
            if kind == 'weighted':
                lines += [(name + '.v', jax.grad(loss, 1)(jnp.array(X), jnp.array(weights)))]
    values = np.array([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0, 4.999, 2.5])
    lines += [('histogram_of', values), ('histogram', np.histogram(np.clip(values, 0.0, 4.9999), bins=5, range=(0.0, 5.0))[0])]
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'indexing.txt')
    with open(path, 'w', encoding='utf-8') as file:
        for name, numbers in lines:
            file.write(' '.join([name, *(repr(float(n)) for n in np.asarray(numbers).ravel())]) + '\n')


if __name__ == '__main__':
    main()
