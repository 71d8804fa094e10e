#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Minima within bounds by SciPy's L-BFGS-B, and inverse Hessians by JAX, written to calibration.txt in this folder.

Made with SciPy 1.17.1 and JAX 0.10.2 in double. A line is `case quantity numbers...`. The losses are those of lbfgs.py.

  bounds/<k>:  rosenbrock from -1.25, 1, -0.5, 1.5, 0.25, -1 with all six numbers within [lower, upper]: bounds, theta, loss

  covariance:  logistic at its minimum: theta, then the inverse Hessian, row by row; with the bias within [-0.5, 0.25], the same without it
"""
import os

import jax
import jax.numpy as jnp
import numpy as np
from scipy.optimize import minimize

jax.config.update("jax_enable_x64", True)


def rosenbrock(theta):
    head, tail = theta[:-1], theta[1:]
    return (100 * (tail - head * head) ** 2 + (1 - head) ** 2).sum()


X = jnp.array([[((5 * r + 3 * i) % 11 - 5) / 4 for i in range(5)] for r in range(12)])
Y = jnp.array([float(r % 3 == 0) for r in range(12)])


def logistic(theta):
    z = X @ theta[:5] + theta[5]
    return (jax.nn.softplus(z) - z * Y).mean() + (theta[:5] ** 2).sum() / 64


def minimum(loss, start, bounds=None):
    return minimize(jax.jit(loss), start, jac=jax.jit(jax.grad(loss)), bounds=bounds, method="L-BFGS-B",
                    options={"ftol": 0, "gtol": 1e-12, "maxiter": 10000, "maxfun": 100000})


if __name__ == "__main__":
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "calibration.txt"), "w") as out:
        def write(name, numbers):
            out.write(name + "".join(f" {float(n)!r}" for n in np.ravel(numbers)) + "\n")

        start = np.array([-1.25, 1, -0.5, 1.5, 0.25, -1])
        for k, (lower, upper) in enumerate([(-2, 0.8), (-np.inf, 0.5), (1.2, np.inf), (-0.3, 0.3), (-5, 5)]):
            found = minimum(rosenbrock, np.clip(start, lower, upper), [(lower, upper)] * 6)
            write(f"bounds/{k}/bounds", [lower, upper])
            write(f"bounds/{k}/theta", found.x)
            write(f"bounds/{k}/loss", [found.fun])
        theta = minimum(logistic, np.zeros(6)).x
        hessian = jax.hessian(logistic)
        write("covariance/theta", theta)
        write("covariance/inverse", np.linalg.inv(hessian(theta)))
        held = minimum(logistic, np.zeros(6), [(None, None)] * 5 + [(-0.5, 0.25)]).x
        free = [0, 1, 2, 3, 4]
        write("held/theta", held)
        write("held/inverse", np.linalg.inv(hessian(held)[np.ix_(free, free)]))
