#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Activations by JAX, remainders and rounding by NumPy, written to elementary.txt in this folder.

Made with JAX 0.10.2 in double (`pip install jax`). A line is `quantity numbers...`: `x` has the operands, `name` the values,
`name.first` and `name.second` the derivatives of the operand. The operands are not at kinks, where tools differ.
"""
import os

import jax
import numpy as np

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp

X = np.array([-1e4, -40, -12.5, -7, -3.5, -2.875, -1.5, -1.0625, -0.75, -0.25, -1e-3, 1e-6, 0.125, 0.5, 0.96875, 1.25, 2.5, 2.9375,
              3.25, 5.75, 6.5, 12, 40, 1e4])
FUNCTIONS = {
    'relu6': jax.nn.relu6, 'hard_tanh': jax.nn.hard_tanh, 'hard_sigmoid': jax.nn.hard_sigmoid, 'hard_swish': jax.nn.hard_swish,
    'leaky_relu': lambda x: jax.nn.leaky_relu(x, 0.2), 'softsign': jax.nn.soft_sign, 'elu': lambda x: jax.nn.elu(x, 1.5),
    'celu': lambda x: jax.nn.celu(x, 0.75), 'selu': jax.nn.selu, 'gelu': lambda x: jax.nn.gelu(x, approximate=False),
    'gelu_tanh': lambda x: jax.nn.gelu(x, approximate=True), 'silu': jax.nn.silu, 'mish': jax.nn.mish,
    'log_sigmoid': jax.nn.log_sigmoid}
A = np.array([7.5, -7.5, 7.5, -7.5, 6, -6, 1e17, 0.3, -0.3, 5.25, 0, -0.0, 1e-300, 3, -3, 8])
B = np.array([2, 2, -2, -2, 3, 3, 3, 0.1, 0.1, np.inf, 4, 4, 1.0, -np.inf, np.inf, 0])
ROUNDED = np.array([-2.5, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 2.4999999, -3.7, 3.7, 1e300, -1e18, np.inf, -np.inf, np.nan])


def main():
    lines = [('x', X)]
    for name, f in FUNCTIONS.items():
        first = jax.grad(f)
        second = jax.grad(first)
        lines += [(name, [f(jnp.float64(x)) for x in X]), (name + '.first', [first(x) for x in X]),
                  (name + '.second', [second(x) for x in X])]
    with np.errstate(all='ignore'):
        lines += [('a', A), ('b', B), ('mod', np.mod(A, B)), ('fmod', np.fmod(A, B)), ('floor_divide', np.floor(A / B)),
                  ('rounded', ROUNDED), ('floor', np.floor(ROUNDED)), ('ceil', np.ceil(ROUNDED)), ('round', np.round(ROUNDED)),
                  ('trunc', np.trunc(ROUNDED))]
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'elementary.txt')
    with open(path, 'w', encoding='utf-8') as file:
        for name, numbers in lines:
            file.write(' '.join([name, *(repr(float(n)) for n in numbers)]) + '\n')


if __name__ == '__main__':
    main()
