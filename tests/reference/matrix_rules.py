#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Twenty steps of the rules that move matrices, each by the tool that it comes from, written to matrix_rules.txt in this folder.

A line is `case step quantity numbers...` with the steps 1, 2, 5 and 20, in float64.
Each case has a tall matrix (7 by 3), a wide one (3 by 7) and a square one (5 by 5):

  theta0[i] = ((3 i) mod 8 - 4) / 4,  g[i] = ((7 i + 5 step + 3) mod 16 - 8) / 16

Made with torch 2.13 and pytorch_optimizer 4.1.0. torch.optim.Muon forms its products in bfloat16, whatever the variable is. Here
Tensor.bfloat16 gives a copy in the type that the tensor has, so that all of the tool's code runs in float64.
pytorch_optimizer.Shampoo begins its matrices with epsilon times the identity, which is subtracted from the written numbers.
"""
import os

import numpy as np
import pytorch_optimizer
import torch

STEPS, RECORDED = 20, (1, 2, 5, 20)
SHAPES = {"tall": (7, 3), "wide": (3, 7), "square": (5, 5)}

torch.Tensor.bfloat16 = torch.Tensor.clone


def start(shape):
    n = shape[0] * shape[1]
    return torch.tensor([((3 * i) % 8 - 4) / 4 for i in range(n)], dtype=torch.float64).reshape(shape)


def gradient(step, shape):
    n = shape[0] * shape[1]
    return torch.tensor([((7 * i + 5 * step + 3) % 16 - 8) / 16 for i in range(n)], dtype=torch.float64).reshape(shape)


def write(case, step, quantity, values):
    return f"{case} {step} {quantity} " + " ".join(repr(float(v)) for v in values.flatten())


def run(case, make, slots):
    """make(parameters): the tool's optimizer; slots: how to take ours from its state."""
    lines = []
    for kind, shape in SHAPES.items():
        theta = torch.nn.Parameter(start(shape))
        optimizer = make([theta])
        for step in range(1, STEPS + 1):
            theta.grad = gradient(step, shape)
            optimizer.step()
            if step in RECORDED:
                lines.append(write(f"{case}.{kind}", step, "theta", theta.detach()))
                lines += [write(f"{case}.{kind}", step, ours, taken(optimizer.state[theta])) for ours, taken in slots.items()]
    return lines


def muon(**options):
    return lambda parameters: torch.optim.Muon(parameters, **options)


def shampoo(**options):
    return lambda parameters: pytorch_optimizer.Shampoo(parameters, **options)


def contrib_shampoo():
    """TensorFlow contrib's ShampooOptimizer as in earlier sources, where matrices are not divided by their numbers of rows."""
    lines, rate, decay, weight, epsilon = [], 0.25, 0.75, 0.5, 0.1

    def root(matrix):
        u, d, v = torch.linalg.svd(matrix + epsilon * torch.eye(len(matrix), dtype=torch.float64))
        return v.T @ torch.diag(torch.clamp(d, min=epsilon)**-0.25) @ u.T
    for kind, shape in SHAPES.items():
        theta, left, right = start(shape), torch.zeros(shape[0], shape[0], dtype=torch.float64), torch.zeros(shape[1], shape[1], dtype=torch.float64)
        for step in range(1, STEPS + 1):
            g = gradient(step, shape)
            left, right = decay * left + weight * g @ g.T, decay * right + weight * g.T @ g
            moved = root(left) @ g @ root(right)
            theta = theta - rate * moved
            if step in RECORDED:
                for quantity, values in (("theta", theta), ("momentum", moved), ("left", left), ("right", right), ("left_root", root(left)), ("right_root", root(right))):
                    lines.append(write(f"shampoo_decays.{kind}", step, quantity, values))
    return lines


def contrib_shampoo_average(every):
    """TensorFlow 1.15.5's contrib ShampooOptimizer: matrices divided by their numbers of rows, averaged gradients between roots."""
    lines, rate, decay, weight, mat_decay, mat_weight, epsilon = [], 0.25, 0.75, 0.5, 0.875, 0.25, 0.0625

    def root(matrix):
        s, v = np.linalg.eigh(matrix / len(matrix) + epsilon * np.eye(len(matrix)))
        return v @ np.diag(np.maximum(s, epsilon)**-0.25) @ v.T
    for kind, shape in SHAPES.items():
        theta, average = start(shape), np.zeros(shape)
        left, right = (np.zeros((n, n)) for n in shape)
        left_root, right_root = (np.eye(n) for n in shape)
        theta = np.asarray(theta)
        for step in range(1, STEPS + 1):
            g = np.asarray(gradient(step, shape))
            average = decay * average + weight * g
            left, right = mat_decay * left + mat_weight * g @ g.T, mat_decay * right + mat_weight * g.T @ g
            if step % every == 0:
                left_root, right_root = root(left), root(right)
            theta = theta - rate * left_root @ average @ right_root
            if step in RECORDED:
                kept = step >= every   # before, xgrad's are zeros that mean I
                for quantity, values in (("theta", theta), ("average", average), ("left", left), ("right", right),
                                         ("left_root", left_root * kept), ("right_root", right_root * kept)):
                    lines.append(write(f"contrib_shampoo_{every}.{kind}", step, quantity, values))
    return lines


def without_identity(name, epsilon):
    return lambda state: state[name] - epsilon * torch.eye(len(state[name]), dtype=torch.float64)


def main():
    momentum = {"momentum": lambda state: state["momentum_buffer"]}
    lines = run("muon", muon(lr=0.05, weight_decay=0.25, momentum=0.75), momentum)
    lines += run("muon_plain", muon(lr=0.05, weight_decay=0.25, momentum=0.75, nesterov=False, adjust_lr_fn="match_rms_adamw",
                                    ns_coefficients=(2.0, -1.5, 0.5), ns_steps=3, eps=2.0), momentum)
    epsilon = 0.0625
    matrices = {**momentum, "left": without_identity("pre_cond_0", epsilon), "right": without_identity("pre_cond_1", epsilon),
                "left_root": lambda state: state["inv_pre_cond_0"], "right_root": lambda state: state["inv_pre_cond_1"]}
    lines += run("shampoo", shampoo(lr=0.25, matrix_eps=epsilon), matrices)
    lines += run("shampoo_seldom", shampoo(lr=0.25, momentum=0.75, weight_decay=0.125, matrix_eps=epsilon, preconditioning_compute_steps=3),
                 matrices)
    lines += contrib_shampoo() + contrib_shampoo_average(1) + contrib_shampoo_average(3)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "matrix_rules.txt")
    with open(path, "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
