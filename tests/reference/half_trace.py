# SPDX-License-Identifier: MIT
"""bfloat16 and float16 of NumPy 2.4.6 and ml_dtypes 0.6.0: roundings of many floats, and a model whose variables are of such elements.

    python -m venv venv && venv/bin/pip install numpy==2.4.6 ml_dtypes==0.6.0
    venv/bin/python half_trace.py > half_trace.txt

First a line for each type: its name and the hash (FNV-1a of the 16 bits, low byte first) of the roundings. They are of the floats with
the bits k * 2654435761 mod 2^32, k below 2^20, without NaN. Then ten steps of Adam with the variables

    table [11, 3] bfloat16, w1 [8, 6] bfloat16, b1 [6] float, w2 [6, 2] float16, b2 [2] bfloat16

and inputs x [7, 5] float16, ids [7], target [7, 2]. Everything is computed in float32 of the stored values. A variable is rounded once,
where the step writes it, and the moments are float32. A line for each step: the loss. Then a line for each variable: its final values.
"""
import ml_dtypes
import numpy as np

F, H, B = np.float32, np.float16, ml_dtypes.bfloat16
RATE, BETA1, BETA2, EPSILON, STEPS = 0.05, 0.9, 0.999, 1e-7, 10


def hash_of(halves):
    h = 0xCBF29CE484222325
    for byte in halves.view(np.uint16).astype("<u2").tobytes():
        h = (h ^ byte) * 0x100000001B3 % 2**64
    return h


def start(count, number):
    return np.sin(np.arange(count) * 1.7 + number).astype(F) * F(0.5)


def main():
    bits = (np.arange(2**20, dtype=np.uint64) * 2654435761 % 2**32).astype(np.uint32)
    floats = bits.view(F)
    floats = floats[~np.isnan(floats)]
    with np.errstate(over="ignore"):
        print("bfloat16", hash_of(floats.astype(B)))
        print("float16", hash_of(floats.astype(H)))

    shapes = {"table": ((11, 3), B), "w1": ((8, 6), B), "b1": ((6,), F), "w2": ((6, 2), H), "b2": ((2,), B)}
    v = {name: start(np.prod(s), k).reshape(s).astype(t) for k, (name, (s, t)) in enumerate(shapes.items())}
    m = {name: np.zeros(s, F) for name, (s, _) in shapes.items()}
    u = {name: np.zeros(s, F) for name, (s, _) in shapes.items()}
    x = start(35, 5).reshape(7, 5).astype(H)
    ids = np.array([3, 0, 10, 3, 7, 3, 0])
    target = start(14, 6).reshape(7, 2)
    for step in range(1, STEPS + 1):
        f = {name: value.astype(F) for name, value in v.items()}
        joined = np.concatenate([x.astype(F), f["table"][ids]], 1)
        h = np.tanh(joined @ f["w1"] + f["b1"])
        error = h @ f["w2"] + f["b2"] - target
        print(f"{np.mean(error * error):.9g}")
        dy = error * F(2 / error.size)
        dh = (dy @ f["w2"].T) * (F(1) - h * h)
        g = {"w2": h.T @ dy, "b2": dy.sum(0), "w1": joined.T @ dh, "b1": dh.sum(0), "table": np.zeros((11, 3), F)}
        np.add.at(g["table"], ids, (dh @ f["w1"].T)[:, 5:])
        rate = F(RATE * np.sqrt(1 - BETA2**step) / (1 - BETA1**step))
        for name in v:
            m[name] += (g[name] - m[name]) * F(1 - BETA1)
            u[name] += (g[name] * g[name] - u[name]) * F(1 - BETA2)
            v[name] = (f[name] - rate * m[name] / (np.sqrt(u[name]) + F(EPSILON))).astype(v[name].dtype)
    for value in v.values():
        print(*[f"{e:.9g}" for e in value.astype(F).ravel()])


if __name__ == "__main__":
    main()
