#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ten steps of SGD with momentum under each constraint by Keras, written to constraints.txt in this folder.

Made with Keras 3.15.1 on tensorflow-cpu 2.21 and optax 0.2.8 (the simplex), in float64. A line is `case step numbers...`: the 12 weights
of [4, 3] after a step. The inputs are exact binary fractions that the C++ test makes by the same formulas:
  w0[i] = ((3 i) mod 8 - 4) / 4,  g[i] = ((7 i + 5 step + 3) mod 16 - 8) / 16
"""
import os

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import jax
import keras
import numpy as np
import optax

jax.config.update("jax_enable_x64", True)

ROWS, COLUMNS, STEPS = 4, 3, 10
C = keras.constraints


def simplex_rows(w):
    return keras.ops.convert_to_tensor(np.stack([optax.projections.projection_simplex(row) for row in np.asarray(w)]), "float64")


CASES = {
    "non_neg": C.NonNeg(),
    "max_norm_columns": C.MaxNorm(0.75, axis=0),
    "max_norm_rows": C.MaxNorm(0.75, axis=1),
    "max_norm_all": C.MaxNorm(1.5, axis=(0, 1)),
    "unit_norm_columns": C.UnitNorm(axis=0),
    "min_max_norm_rows": C.MinMaxNorm(0.5, 0.75, rate=0.25, axis=1),
    "simplex_rows": simplex_rows,
}


def numbers(f):
    return np.array([f(i) for i in range(ROWS * COLUMNS)]).reshape(ROWS, COLUMNS)


class Weights(keras.layers.Layer):
    def __init__(self, constraint):
        super().__init__(dtype="float64")
        self.w = self.add_weight(shape=(ROWS, COLUMNS), dtype="float64", constraint=constraint)


if __name__ == "__main__":
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "constraints.txt"), "w") as out:
        for name, constraint in CASES.items():
            w = Weights(constraint).w
            w.assign(numbers(lambda i: ((3 * i) % 8 - 4) / 4))
            optimizer = keras.optimizers.SGD(0.125, momentum=0.5)
            for step in range(1, STEPS + 1):
                gradient = numbers(lambda i: ((7 * i + 5 * step + 3) % 16 - 8) / 16)
                optimizer.apply_gradients([(keras.ops.convert_to_tensor(gradient, "float64"), w)])
                out.write(f"{name} {step} " + " ".join(str(v) for v in np.ravel(w.numpy())) + "\n")
