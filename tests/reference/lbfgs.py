#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Iterations of torch.optim.LBFGS with line_search_fn="strong_wolfe", written to lbfgs.txt in this folder.

Made with PyTorch 2.13.0 in double. A line is `case iteration quantity numbers...`; quantities are theta and loss after the iteration.
  rosenbrock: sum over i of 100 (theta[i+1] - theta[i]^2)^2 + (1 - theta[i])^2, six numbers, from -1.25, 1, -0.5, 1.5, 0.25, -1
  logistic:   mean over 12 rows r of softplus(z) - z y with z = x theta + bias, and 1/64 of the sum of theta^2;
              x[r, i] = ((5 r + 3 i) mod 11 - 5) / 4, y[r] = r mod 3 == 0;
              five numbers and a bias, from 0; theta is theta and the bias
"""
import os

import torch

torch.set_default_dtype(torch.float64)
ITERATIONS = 18


def rosenbrock(theta):
    head, tail = theta[:-1], theta[1:]
    return (100 * (tail - head * head) ** 2 + (1 - head) ** 2).sum()


X = torch.tensor([[((5 * r + 3 * i) % 11 - 5) / 4 for i in range(5)] for r in range(12)])
Y = torch.tensor([float(r % 3 == 0) for r in range(12)])


def logistic(theta):
    z = X @ theta[:5] + theta[5]
    return (torch.nn.functional.softplus(z) - z * Y).mean() + (theta[:5] ** 2).sum() / 64


CASES = {
    "rosenbrock": (rosenbrock, [-1.25, 1, -0.5, 1.5, 0.25, -1], 10),
    "short": (rosenbrock, [-1.25, 1, -0.5, 1.5, 0.25, -1], 2),
    "logistic": (logistic, [0.0] * 6, 3),
}

if __name__ == "__main__":
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "lbfgs.txt"), "w") as out:
        for name, (loss, start, history) in CASES.items():
            theta = torch.tensor(start, requires_grad=True)
            rule = torch.optim.LBFGS([theta], lr=1, max_iter=1, max_eval=1000, tolerance_grad=0, tolerance_change=0, history_size=history,
                                     line_search_fn="strong_wolfe")

            def closure():
                rule.zero_grad()
                y = loss(theta)
                y.backward()
                return y

            for k in range(1, ITERATIONS + 1):
                rule.step(closure)
                out.write(f"{name} {k} theta " + " ".join(repr(v) for v in theta.tolist()) + "\n")
                out.write(f"{name} {k} loss {loss(theta).item()!r}\n")
