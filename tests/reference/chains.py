#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Eight steps of chains of transforms by optax, written to chains.txt in this folder.

Made with optax 0.2.8 on jax with 64 bits. A line is `case step quantity numbers...`. The inputs are exact binary fractions that the C++
test makes by the same formulas. They are 15 numbers as a matrix [5, 3] and, for two variables together, 4 more as a vector:

  theta0[i] = ((3 i) mod 8 - 4) / 4,  g[i] = ((7 i + 5 step + 3) mod 16 - 8) / 16;  of the vector i counts from 15 on
"""
import os

import jax
import jax.numpy as jnp
import numpy as np
import optax

STEPS, ROWS, WIDTH, REST = 8, 5, 3, 4
jax.config.update("jax_enable_x64", True)


def numbers(values):
    return jnp.asarray(np.array(values[:ROWS * WIDTH]).reshape(ROWS, WIDTH)), jnp.asarray(np.array(values[ROWS * WIDTH:]))


def theta0():
    return numbers([((3 * i) % 8 - 4) / 4 for i in range(ROWS * WIDTH + REST)])


def gradient(step):
    return numbers([((7 * i + 5 * step + 3) % 16 - 8) / 16 for i in range(ROWS * WIDTH + REST)])


CASES = {
    "clip_momentum": optax.chain(optax.clip(0.25), optax.sgd(0.5, momentum=0.75)),
    "l2_momentum": optax.chain(optax.add_decayed_weights(0.125), optax.sgd(0.5, momentum=0.75)),
    "adaptive_clip": optax.chain(optax.adaptive_grad_clip(0.25, 0.125), optax.sgd(0.5, momentum=0.75)),
    "centralize": optax.chain(optax.centralize(), optax.sgd(0.5, momentum=0.75)),
    "global_norm_lamb": optax.chain(optax.clip_by_global_norm(0.75), optax.lamb(0.05, eps=1e-3, weight_decay=0.125)),
}


def write(out, case, step, name, values):
    out.write(f"{case} {step} {name} " + " ".join(repr(float(v)) for v in np.ravel(values)) + "\n")


def main():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "chains.txt"), "w") as out:
        for case, rule in CASES.items():
            theta = theta0()
            state = rule.init(theta)
            for step in range(1, STEPS + 1):
                change, state = rule.update(gradient(step), state, theta)
                theta = optax.apply_updates(theta, change)
                if step in (1, 2, STEPS):
                    write(out, case, step, "matrix", theta[0])
                    write(out, case, step, "vector", theta[1])
        fast = theta0()
        params = optax.LookaheadParams(fast, fast)
        rule = optax.lookahead(optax.sgd(0.5, momentum=0.75), 3, 0.25)
        state = rule.init(params)
        for step in range(1, STEPS + 1):
            change, state = rule.update(gradient(step), state, params)
            params = optax.apply_updates(params, change)
            if step in (1, 2, 3, STEPS):
                for name, values in (("matrix", params.fast[0]), ("vector", params.fast[1]), ("slow", params.slow[0])):
                    write(out, "lookahead", step, name, values)


if __name__ == "__main__":
    main()
