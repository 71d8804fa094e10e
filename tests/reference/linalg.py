#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Linear algebra by JAX and NumPy, written to linalg.txt in this folder.

Made with JAX 0.10.2 and NumPy in double (`pip install jax`). A line is `quantity numbers...`. `a`, `s` and `b` are operands with two
matrices each. `w` are the factors of a result in the loss sum(w * result). `name.x` and `name.b` are the gradients of that loss for
the operands. A number in a name is the size n. Gradients of eigh are those of the lower triangle, as TensorFlow has them.
"""
import os

import jax
import numpy as np

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
from jax.scipy.linalg import solve_triangular


def lower_part(g):
    """Of the gradient of a symmetric operand, what belongs to the lower triangle."""
    both = g + np.swapaxes(g, -1, -2)
    return np.tril(both) - 0.5 * np.eye(g.shape[-1]) * both


def each(f):
    return jax.vmap(f)


def main():
    rng = np.random.default_rng(7)
    lines = []

    def put(name, numbers):
        lines.append((name, np.asarray(numbers).ravel()))

    for n in (4, 7):
        a, b, w, wb = rng.normal(size=(2, n, n)), rng.normal(size=(2, n, 3)), rng.normal(size=(2, n, n)), rng.normal(size=(2, n, 3))
        s = a @ np.swapaxes(a, -1, -2) + 0.5 * np.eye(n)
        for name, numbers in (('a', a), ('b', b), ('s', s), ('w', w), ('wb', wb)):
            put(f'{name}{n}', numbers)

        def of_one(name, f, weights, x, to=lambda g: g):
            put(f'{name}{n}', f(x))
            put(f'{name}{n}.x', to(np.asarray(jax.grad(lambda v: jnp.sum(weights * f(v)))(x))))

        of_one('cholesky', jnp.linalg.cholesky, w, s)
        of_one('inverse', jnp.linalg.inv, w, a)
        of_one('det', jnp.linalg.det, w[:, 0, 0], a)
        of_one('log_abs_det', lambda x: jnp.linalg.slogdet(x)[1], w[:, 0, 0], a)
        put(f'sign{n}', jnp.linalg.slogdet(a)[0])
        of_one('logdet', lambda x: jnp.linalg.slogdet(x)[1], w[:, 0, 0], s)
        of_one('values', lambda x: jnp.linalg.eigh(x)[0], w[:, 0], s, lower_part)
        of_one('squared_vectors', lambda x: jnp.linalg.eigh(x)[1] ** 2, w, s, lower_part)

        def of_two(name, f, x, y):
            put(f'{name}{n}', f(x, y))
            gx, gy = jax.grad(lambda u, v: jnp.sum(wb * f(u, v)), (0, 1))(x, y)
            put(f'{name}{n}.x', gx)
            put(f'{name}{n}.b', gy)

        of_two('solve', jnp.linalg.solve, a, b)
        t = a + 3 * np.eye(n)
        for name, lower, trans in (('lower', True, 0), ('lower_transposed', True, 1), ('upper', False, 0), ('upper_transposed', False, 1)):
            of_two(name, each(lambda x, y, l=lower, tr=trans: solve_triangular(x, y, lower=l, trans=tr)), t, b)

    a, wq, wr = rng.normal(size=(2, 7, 4)), rng.normal(size=(2, 7, 4)), np.triu(rng.normal(size=(2, 4, 4)))
    put('tall', a)
    put('tall.wq', wq)
    put('tall.wr', wr)
    q, r = jnp.linalg.qr(a)
    put('tall.q', q)
    put('tall.r', r)
    for name, cq, cr in (('both', 1, 1), ('q_alone', 1, 0), ('r_alone', 0, 1)):
        put(f'tall.{name}', jax.grad(lambda x, cq=cq, cr=cr: sum(jnp.sum(c * w * y) for c, w, y in zip((cq, cr), (wq, wr), jnp.linalg.qr(x))))(a))
    put('tall.s', np.linalg.svd(a)[1])
    a = rng.normal(size=(2, 3, 5))
    q, r = np.linalg.qr(a)
    put('wide', a)
    put('wide.q', q)
    put('wide.s', np.linalg.svd(a)[1])
    put('wide.r', r)

    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'linalg.txt')
    with open(path, 'w', encoding='utf-8') as file:
        for name, numbers in lines:
            file.write(' '.join([name, *(format(float(x), '.13g') for x in numbers)]) + '\n')


if __name__ == '__main__':
    main()
