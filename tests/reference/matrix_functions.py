#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""LU factors, exponentials, pseudo-inverses and least squares by JAX, written to matrix_functions.txt in this folder.

Made with JAX 0.10.2 in double (`pip install jax`). A line is `quantity numbers...`. `a` [2, 4, 4], `tall` [2, 5, 3], `wide` [2, 3, 5] and
`low` [2, 5, 3] of rank 2 are operands, `b` are right sides. `name.x` and `name.b` are the gradients of sum(w * result), where w are the
numbers 0.1, 0.2, ... in the shape of the result.
"""
import os

import jax
import numpy as np

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
from jax.scipy.linalg import expm
from jax.lax.linalg import lu


def main():
    rng = np.random.default_rng(11)
    lines = []

    def put(name, numbers):
        lines.append((name, np.asarray(numbers).ravel()))

    a, tall, wide = rng.normal(size=(2, 4, 4)), rng.normal(size=(2, 5, 3)), rng.normal(size=(2, 3, 5))
    low = rng.normal(size=(2, 5, 2)) @ rng.normal(size=(2, 2, 3))
    b5, b3 = rng.normal(size=(2, 5, 2)), rng.normal(size=(2, 3, 2))
    for name, numbers in (('a', a), ('tall', tall), ('wide', wide), ('low', low), ('b5', b5), ('b3', b3)):
        put(name, numbers)

    def weights(y):
        return (0.1 * (1 + np.arange(y.size))).reshape(y.shape)

    def of(name, f, *x):
        y = f(*x)
        put(name, y)
        for suffix, g in zip(('.x', '.b'), jax.grad(lambda *v: jnp.sum(weights(y) * f(*v)), tuple(range(len(x))))(*x)):
            put(name + suffix, g)

    of('expm', jax.vmap(expm), a)
    of('expm_large', jax.vmap(expm), 8 * a)
    of('lu', lambda x: lu(x)[0], a)
    put('rows', lu(a)[2])
    of('pinv_tall', jnp.linalg.pinv, tall)
    of('pinv_wide', jnp.linalg.pinv, wide)
    put('pinv_low', np.linalg.pinv(low, rcond=1e-12))
    put('rank_low', np.linalg.matrix_rank(low))

    def least(x, y):   # of full rank
        return jnp.linalg.pinv(x) @ y
    of('lstsq_tall', least, tall, b5)
    of('lstsq_wide', least, wide, b3)
    for n in (-3, 2, 7):
        of(f'power{n}', lambda x: jnp.linalg.matrix_power(x, n), a)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'matrix_functions.txt')
    with open(path, 'w', encoding='utf-8') as file:
        for name, numbers in lines:
            file.write(' '.join([name, *(repr(float(n)) for n in numbers)]) + '\n')


if __name__ == '__main__':
    main()
