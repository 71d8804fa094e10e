#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Jacobians, Hessians and their products with vectors by JAX, written to derivatives.txt in this folder.

Made with JAX 0.10.2 in double (`pip install jax`). A line is `case quantity numbers...`. Element i of an input number k is
((7 i + 3 k) mod 13 - 6) / 8, so that C++ makes the same. The numbers k of the inputs are in the code.
  net:     y = tanh(x w + b) v. The loss is the mean of the cross entropies of the logits y with the labels 1, 0, 1.
  softmax: y = softmax(x) · x.
  loop:    h = tanh(h w + row) over the rows of x. y is the sum of h · h over the iterations.
  table:   y = tanh(rows 4, 1 and 4 of the table).
  given:   y, z = tanh(x w) n, the sum of x · x, with a tangent by jax.custom_jvp that is not their derivative, so that its use shows.
           The loss is the sum of sin(y) times 1 + z.
  each:    the loss of the net for each row of x alone. The norms are of the gradients by w and b, which are clipped to 0.8.
  rows:    Jacobians and Hessians of each row of x: y of the net by x and by tanh(x w + b), that tanh by x, the loss of each row by x.
  grids:   for each of 3 grids g of x, y = softmax(g w) * (1 + tanh(the mean of g)), and the sum of y times seeds.
  words:   tanh(rows i and j of the table), summed with weights, for the examples i, j = 4, 1 and 2, 2.
  turns:   h = tanh(h w) with such a tangent over the rows that are added to h. The loss is the sum of h · h over the iterations.
"""
import functools
import os

import jax

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp


def numbers(k, *shape):
    n = 1
    for e in shape:
        n *= e
    return jnp.array([((7 * i + 3 * k) % 13 - 6) / 8 for i in range(n)]).reshape(shape)


X, W, B, V = numbers(0, 3, 4), numbers(1, 4, 5), numbers(2, 5), numbers(3, 5, 2)
LABELS = jnp.array([1, 0, 1])


def net(x, w, b):
    return jnp.tanh(x @ w + b) @ V


def entropy(y):
    return -jnp.mean(jax.nn.log_softmax(y)[jnp.arange(3), LABELS])


def loss(x, w, b):
    return entropy(net(x, w, b))


def weighted(x):
    return jax.nn.softmax(x) @ x


def loop(w):
    def cell(h, row):
        h = jnp.tanh(h @ w + row)
        return h, h * h

    return jnp.sum(jax.lax.scan(cell, numbers(11, 2, 3), numbers(10, 4, 2, 3))[1], 0)


def looked_up(table):
    return jnp.tanh(table[jnp.array([4, 1, 4])])


@functools.partial(jax.custom_jvp, nondiff_argnums=(2,))
def given(x, w, n):
    return jnp.tanh(x @ w) * n, jnp.sum(x * x)


@given.defjvp
def given_jvp(n, p, t):
    (x, w), (tx, tw) = p, t
    return given(x, w, n), (3 * n * (tx @ w) * jnp.cos(x @ w) + x @ tw, jnp.sum(x * tx))


def loss_of_given(x, w):
    y, z = given(x, w, 2)
    return jnp.sum(jnp.sin(y)) * (1 + z)


@jax.custom_jvp
def turned(h, w):
    return jnp.tanh(h @ w)


@turned.defjvp
def turned_jvp(p, t):
    (h, w), (th, tw) = p, t
    return turned(h, w), 2 * (th @ w) * jnp.cos(h @ w) + jnp.tanh(h) @ tw


def turns(w):
    def cell(h, row):
        h = turned(h + row, w)
        return h, h * h

    return jnp.sum(jax.lax.scan(cell, numbers(11, 2, 3), numbers(10, 4, 2, 3))[1])


def loss_of_one(w, b, x, label):
    return -jax.nn.log_softmax(jnp.tanh(x @ w + b) @ V)[label]


def each(w, b):
    return jax.vmap(jax.grad(loss_of_one, (0, 1)), (None, None, 0, 0))(w, b, X, LABELS)


def norms(w, b):
    of_w, of_b = each(w, b)
    return jnp.sqrt(jnp.sum(of_w**2, (1, 2)) + jnp.sum(of_b**2, 1))


def clipped(w, b):
    factor = 0.8 / jnp.maximum(norms(w, b), 0.8)
    return [jnp.tensordot(factor, g, 1) for g in each(w, b)]


def hidden_of_one(x, w, b):
    return jnp.tanh(x @ w + b)


def of_each_row(f):
    return jax.vmap(f, (0, None, None))(X, W, B)


def size_of_jacobians(w):
    return jnp.sum(jax.vmap(jax.jacrev(lambda x: jnp.tanh(x @ w + B) @ V))(X) ** 2)


def size_of_hessians(w):
    return jnp.sum(jax.vmap(jax.hessian(loss_of_one, 2), (None, None, 0, 0))(w, B, X, LABELS) ** 2)


GRIDS = numbers(18, 3, 2, 4)


def grid(g):
    return jax.nn.softmax(g @ W) * (1 + jnp.tanh(jnp.mean(g)))


def loss_of_grid(g):
    return jnp.sum(grid(g) * numbers(19, 2, 5))


def words(table):
    return jax.vmap(jax.grad(lambda t, i: jnp.sum(jnp.tanh(t[i]) * numbers(17, 2, 2))), (None, 0))(table, jnp.array([[4, 1], [2, 2]]))


def gauss_newton(f, outer, x, v):
    y, jv = jax.jvp(f, (x,), (v,))
    hjv = jv if outer is None else jax.jvp(jax.grad(outer), (y,), (jv,))[1]
    return jax.vjp(f, x)[1](hjv)[0]


TX, TW, TB, S = numbers(4, 3, 4), numbers(5, 4, 5), numbers(6, 5), numbers(7, 3, 2)
LW, LT = numbers(12, 3, 3), numbers(13, 3, 3)
TABLE, TT = numbers(15, 5, 2), numbers(16, 5, 2)
RESULTS = {
    "net y": net(X, W, B),
    "net vjp_w": jax.vjp(net, X, W, B)[1](S)[1],
    "net jvp_w": jax.jvp(lambda w: net(X, w, B), (W,), (TW,))[1],
    "net jvp_all": jax.jvp(net, (X, W, B), (TX, TW, TB))[1],
    "net jacobian_x": jax.jacobian(net, 0)(X, W, B),
    "net jacobian_w": jax.jacobian(net, 1)(X, W, B),
    "net jacobian_b": jax.jacobian(net, 2)(X, W, B),
    "net hessian_b": jax.hessian(loss, 2)(X, W, B),
    "net hessian_w": jax.hessian(loss, 1)(X, W, B),
    "net hvp_w": jax.jvp(jax.grad(lambda w: loss(X, w, B)), (W,), (TW,))[1],
    "net hvp_w_of_both": jax.jvp(jax.grad(lambda w, b: loss(X, w, b), 0), (W, B), (TW, TB))[1],
    "net hvp_b_of_both": jax.jvp(jax.grad(lambda w, b: loss(X, w, b), 1), (W, B), (TW, TB))[1],
    "net gauss_newton_w": gauss_newton(lambda w: net(X, w, B), None, W, TW),
    "net gauss_newton_loss_w": gauss_newton(lambda w: net(X, w, B), entropy, W, TW),
    "softmax hessian": jax.hessian(weighted)(numbers(8, 6)),
    "softmax hvp": jax.hessian(weighted)(numbers(8, 6)) @ numbers(9, 6),
    "softmax jvp_of_jvp": jax.jvp(lambda x: jax.jvp(weighted, (x,), (numbers(9, 6),))[1], (numbers(8, 6),), (numbers(10, 6),))[1],
    "loop y": loop(LW),
    "loop jvp": jax.jvp(loop, (LW,), (LT,))[1],
    "loop vjp": jax.vjp(loop, LW)[1](numbers(14, 2, 3))[0],
    "loop jacobian": jax.jacobian(loop)(LW),
    "loop hessian": jax.hessian(lambda w: jnp.sum(loop(w) * numbers(14, 2, 3)))(LW),
    "loop hvp": jax.jvp(jax.grad(lambda w: jnp.sum(loop(w) * numbers(14, 2, 3))), (LW,), (LT,))[1],
    "given y": given(X, W, 2)[0],
    "given grad_x": jax.grad(loss_of_given, 0)(X, W),
    "given grad_w": jax.grad(loss_of_given, 1)(X, W),
    "given jvp": jax.jvp(lambda x, w: given(x, w, 2)[0], (X, W), (TX, TW))[1],
    "given jvp_z": jax.jvp(lambda x, w: given(x, w, 2)[1], (X, W), (TX, TW))[1],
    "given jvp_of_grad_w": jax.jvp(jax.grad(loss_of_given, 1), (X, W), (TX, TW))[1],
    "given grad_of_grad_x": jax.grad(lambda x: jnp.sum(jax.grad(loss_of_given, 1)(x, W) * TW))(X),
    "given grad_of_jvp_w": jax.grad(lambda w: jax.jvp(loss_of_given, (X, w), (TX, TW))[1])(W),
    "each gradient_w": each(W, B)[0],
    "each gradient_b": each(W, B)[1],
    "each norms": norms(W, B),
    "each clipped_w": clipped(W, B)[0],
    "each clipped_b": clipped(W, B)[1],
    "each slope_of_norms": jax.grad(lambda w: jnp.sum(norms(w, B)))(W),
    "rows jacobian_x": jax.vmap(jax.jacrev(lambda x: jnp.tanh(x @ W + B) @ V))(X),
    "rows jacobian_hidden": jnp.broadcast_to(V.T, (3, 2, 5)),
    "rows jacobian_of_hidden": of_each_row(jax.jacrev(hidden_of_one)),
    "rows hessian_x": jax.vmap(jax.hessian(loss_of_one, 2), (None, None, 0, 0))(W, B, X, LABELS),
    "rows slope_of_jacobians": jax.grad(size_of_jacobians)(W),
    "rows slope_of_hessians": jax.grad(size_of_hessians)(W),
    "grids jacobian": jax.vmap(jax.jacrev(grid))(GRIDS),
    "grids hessian": jax.vmap(jax.hessian(loss_of_grid))(GRIDS),
    "words gradient": words(TABLE),
    "words norms": jnp.sqrt(jnp.sum(words(TABLE) ** 2, (1, 2))),
    "turns y": turns(LW),
    "turns grad": jax.grad(turns)(LW),
    "turns jvp": jax.jvp(turns, (LW,), (LT,))[1],
    "table jvp": jax.jvp(looked_up, (TABLE,), (TT,))[1],
    "table jacobian": jax.jacobian(looked_up)(TABLE),
    "table hvp": jax.jvp(jax.grad(lambda t: jnp.sum(looked_up(t))), (TABLE,), (TT,))[1],
}

if __name__ == "__main__":
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "derivatives.txt"), "w") as out:
        for name, values in RESULTS.items():
            out.write(name + " " + " ".join(repr(float(v)) for v in values.reshape(-1)) + "\n")
