#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ten steps of Prodigy on four variables together by optax, written to prodigy.txt in this folder.

Made with optax 0.2.8 (optax.contrib.prodigy). A line is `case step quantity numbers...`. The inputs are exact binary fractions that the
C++ test makes by the same formulas, with k the number of the variable:

  theta0[i] = ((3 i + k) mod 8 - 4) / 4,  g[i] = ((7 i + 5 step + 3 k) mod 16 - 2) / 16

  number [], vector [7], matrix [5, 3], table [6, 4]

The gradient of the table is sparse: its rows [step mod 6, (3 step + 1) mod 6, step mod 6] get g over 3 rows of 4. The first and
last add up. optax gets it as a dense one.
"""
import os

import jax
import numpy as np
import optax

jax.config.update("jax_enable_x64", True)
SHAPES, STEPS = {"number": (), "vector": (7,), "matrix": (5, 3), "table": (6, 4)}, 10
CASES = {
    "plain": dict(),
    "large": dict(estim_lr0=0.0625, weight_decay=0.125, eps=1e-3),
    "warm": dict(estim_lr0=0.0625, betas=(0.75, 0.96), beta3=0.875, estim_lr_coef=8.0, safeguard_warmup=True,
                 learning_rate=lambda count: (count + 1) / 16),
}


def theta0(k, shape):
    return np.array([((3 * i + k) % 8 - 4) / 4 for i in range(int(np.prod(shape)))]).reshape(shape)


def numbers(k, step, shape):
    return np.array([((7 * i + 5 * step + 3 * k) % 16 - 2) / 16 for i in range(int(np.prod(shape)))]).reshape(shape)


def gradient(k, step, name, shape):
    if name != "table":
        return numbers(k, step, shape)
    g = np.zeros(shape)
    np.add.at(g, [step % 6, (3 * step + 1) % 6, step % 6], numbers(k, step, (3, 4)))
    return g


def write(out, case, step, quantity, values):
    out.write(f"{case} {step} {quantity} " + " ".join(str(v) for v in np.ravel(values)) + "\n")


if __name__ == "__main__":
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "prodigy.txt"), "w") as out:
        for name, options in CASES.items():
            for np_type, suffix in ((np.float32, "float"), (np.float64, "double")):
                def tree(make):
                    return {v: jax.numpy.asarray(make(k, v, s).astype(np_type)) for k, (v, s) in enumerate(SHAPES.items())}

                rule = optax.contrib.prodigy(**options)
                theta = tree(lambda k, v, s: theta0(k, s))
                state = rule.init(theta)
                for step in range(1, STEPS + 1):
                    change, state = rule.update(tree(lambda k, v, s: gradient(k, step, v, s)), state, theta)
                    theta = optax.apply_updates(theta, change)
                    case = f"{name}.{suffix}"
                    write(out, case, step, "estimate", state.estim_lr)
                    write(out, case, step, "numerator", state.numerator_weighted)
                    for v in SHAPES:
                        write(out, case, step, v, theta[v])
                        if step == STEPS:
                            slots = (("m", state.exp_avg), ("v", state.exp_avg_sq), ("s", state.grad_sum), ("start", state.params0))
                            for slot, values in slots:
                                write(out, case, step, f"{v}/{slot}", values[v])
