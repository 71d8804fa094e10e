#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A recurrent layer over rows of different lengths by JAX, written to lengths.txt in this folder.

Made with JAX 0.10.2 in double (`pip install jax`). The semantics are those of tf.nn.dynamic_rnn: a row that has ended keeps its state,
and its outputs are zeros. A line is `quantity numbers...`. Element i of input number k is ((7 i + 3 k) mod 13 - 6) / 8, so that C++
makes the same. The numbers k of the inputs are in the code. After the end of a row JAX reads numbers, and C++ NaN.
  h' = tanh(h w + x u), and y = h' * h' is stacked. The loss is the sum of last^2 and of y^3.
  `at_*` are gradients of the loss, `second_*` those of the sum of sin(at_h) and of at_w^2 and of at_x^2.
"""
import os

import jax

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp


def numbers(k, *shape):
    n = 1
    for e in shape:
        n *= e
    return jnp.array([((7 * i + 3 * k) % 13 - 6) / 8 for i in range(n)]).reshape(shape)


LENGTHS = jnp.array([3, 0, 5, 1])
H, X, W, U = numbers(0, 4, 3), numbers(1, 5, 4, 2), numbers(2, 3, 3), numbers(3, 2, 3)


def layer(h, x, w, u):
    def turn(h, row_and_time):
        row, time = row_and_time
        runs = (time < LENGTHS)[:, None]
        after = jnp.tanh(h @ w + row @ u)
        return jnp.where(runs, after, h), jnp.where(runs, after * after, 0)

    return jax.lax.scan(turn, h, (x, jnp.arange(x.shape[0])))


def loss(*a):
    last, outputs = layer(*a)
    return jnp.sum(last**2) + jnp.sum(outputs**3)


def of_gradients(*a):
    h, x, w, _ = jax.grad(loss, (0, 1, 2, 3))(*a)
    return jnp.sum(jnp.sin(h)) + jnp.sum(w**2) + jnp.sum(x**2)


data = (H, X, W, U)
lines = dict(zip(("last", "outputs"), layer(*data)))
lines.update(zip(("at_h", "at_x", "at_w", "at_u"), jax.grad(loss, (0, 1, 2, 3))(*data)))
lines.update(zip(("second_h", "second_x", "second_w", "second_u"), jax.grad(of_gradients, (0, 1, 2, 3))(*data)))
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "lengths.txt"), "w") as out:
    for name, value in lines.items():
        out.write(" ".join([name] + [repr(float(v)) for v in value.reshape(-1)]) + "\n")
