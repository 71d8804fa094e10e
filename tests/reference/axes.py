#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cumulative operations, variances, norms and quantiles by JAX and NumPy, written to axes.txt in this folder.

Made with JAX 0.10.2 in double (`pip install jax`). A line is `quantity numbers...`: `x` is [3, 7], `w` the weights of the
gradients. `name.axis.form` has the values, with `.slope` after it the gradient of the sum of the values times w. The forms of
cumulative operations are inclusive, exclusive, reverse and both. `zeros` is x with two zeros in a row and in a column.
"""
import os

import jax
import numpy as np

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp

X = np.array([[1.5, -0.75, 2.25, 0.5, -1.25, 3.0, 0.25], [-2.0, 1.75, 0.625, -0.5, 4.0, -3.5, 1.125],
              [0.875, 2.5, -1.0, 1.375, -0.125, 0.375, -2.75]])
ZEROS = np.where(np.isin(X, [0.5, 3.0, 2.5, 1.75]), 0, X)
W = np.cos(np.arange(21)).reshape(3, 7)
FORMS = ('inclusive', 'exclusive', 'reverse', 'both')


def cumulative(f, start):
    def run(x, axis, form):
        flip = (lambda a: jnp.flip(a, axis)) if form in ('reverse', 'both') else (lambda a: a)
        y = f(flip(x), axis=axis)
        if form in ('exclusive', 'both'):
            first = jnp.full_like(jax.lax.slice_in_dim(y, 0, 1, axis=axis), start)
            y = jnp.concatenate([first, jax.lax.slice_in_dim(y, 0, y.shape[axis] - 1, axis=axis)], axis)
        return flip(y)
    return run


CUMULATIVE = {'cumsum': cumulative(jax.lax.cumsum, 0), 'cumprod': cumulative(jax.lax.cumprod, 1),
              'cummax': cumulative(jax.lax.cummax, -np.inf), 'cummin': cumulative(jax.lax.cummin, np.inf),
              'cumulative_logsumexp': cumulative(jax.lax.cumlogsumexp, -np.inf)}
REDUCTIONS = {'variance': lambda x, axis: jnp.var(x, axis), 'variance_of_sample': lambda x, axis: jnp.var(x, axis, ddof=1),
              'stddev': lambda x, axis: jnp.std(x, axis), 'l1_norm': lambda x, axis: jnp.sum(jnp.abs(x), axis),
              'max_norm': lambda x, axis: jnp.max(jnp.abs(x), axis), 'p_norm': lambda x, axis: jnp.sum(jnp.abs(x)**3, axis)**(1 / 3),
              'median': lambda x, axis: jnp.median(x, axis), 'quantile': lambda x, axis: jnp.quantile(x, 0.3, axis),
              'high_quantile': lambda x, axis: jnp.quantile(x, 0.95, axis)}


def main():
    lines = [('x', X), ('w', W), ('zeros', ZEROS)]

    def add(name, f, x):
        y = f(x)
        weights = W.ravel()[:y.size].reshape(y.shape)
        finite = np.isfinite(np.asarray(y))
        loss = lambda v: jnp.sum(jnp.where(finite, jnp.where(finite, f(v), 0) * weights, 0))
        lines.extend([(name, y), (name + '.slope', jax.grad(loss)(x))])

    for axis in (0, 1):
        for form in FORMS:
            for name, f in CUMULATIVE.items():
                add(f'{name}.{axis}.{form}', lambda x: f(x, axis, form), X)
            add(f'cumprod_of_zeros.{axis}.{form}', lambda x: CUMULATIVE['cumprod'](x, axis, form), ZEROS)
    for axis in (0, 1, None):
        for name, f in REDUCTIONS.items():
            add(f'{name}.{"all" if axis is None else axis}', lambda x: f(x, axis), X)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'axes.txt')
    with open(path, 'w', encoding='utf-8') as file:
        for name, numbers in lines:
            file.write(' '.join([name, *(f'{float(n):.15g}' for n in np.asarray(numbers).ravel())]) + '\n')


if __name__ == '__main__':
    main()
