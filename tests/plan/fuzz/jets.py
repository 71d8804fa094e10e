# SPDX-License-Identifier: MIT
"""Numbers with derivatives in two directions: v + a*v1 + c_k*v2[k] + a*c_k*v12[k], where a*a = c_j*c_k = 0.

v1 is along one direction, v2 along as many as there are elements to differentiate by. The results are exact, and the method shares
nothing with the reverse sweep that it is compared with.
A component that is None is zero.
"""
import numpy as np


class Jet:
    def __init__(self, v, v1=None, v2=None, v12=None):
        self.c = [np.asarray(v, dtype=float), v1, v2, v12]

    @property
    def v(self):
        return self.c[0]


def linear(f, *jets):
    """f is linear in all operands together."""
    v = f(*[j.v for j in jets])
    out = [v]
    for i in (1, 2, 3):
        if all(j.c[i] is None for j in jets):
            out.append(None)
        elif i == 1:
            out.append(f(*[np.zeros_like(j.v) if j.c[1] is None else j.c[1] for j in jets]))
        else:
            count = next(len(j.c[i]) for j in jets if j.c[i] is not None)
            parts = [f(*[np.zeros_like(j.v) if j.c[i] is None else j.c[i][k] for j in jets]) for k in range(count)]
            out.append(np.stack(parts) if parts else np.zeros((0,) + np.shape(v)))
    return Jet(*out)


def plus(*parts):
    parts = [p for p in parts if p is not None]
    return sum(parts[1:], parts[0]) if parts else None


def bilinear(f, a, b):
    def g(x, y):   # of components, of which one or both may have a leading axis
        if x is None or y is None:
            return None
        (x, many_x), (y, many_y) = x, y
        if not many_x and not many_y:
            return f(x, y)
        n = len(x) if many_x else len(y)
        parts = [f(x[k] if many_x else x, y[k] if many_y else y) for k in range(n)]
        return np.stack(parts) if parts else np.zeros((0,) + np.shape(f(a.v, b.v)))

    def parts(j):
        return [(j.c[0], False)] + [None if j.c[i] is None else (j.c[i], i > 1) for i in (1, 2, 3)]
    p, q = parts(a), parts(b)
    return Jet(g(p[0], q[0]), plus(g(p[0], q[1]), g(p[1], q[0])), plus(g(p[0], q[2]), g(p[2], q[0])),
               plus(g(p[0], q[3]), g(p[3], q[0]), g(p[1], q[2]), g(p[2], q[1])))


def chain(f, df, ddf, a):
    """Element by element: the function and its first two derivatives."""
    v, v1, v2, v12 = a.c
    d, dd = df(v), ddf(v)
    mixed = None if v12 is None else d * v12
    if v1 is not None and v2 is not None:
        mixed = plus(mixed, dd * v1 * v2)
    return Jet(f(v), None if v1 is None else d * v1, None if v2 is None else d * v2, mixed)


def stop(a):
    return Jet(a.v)


def reciprocal(a):
    return chain(lambda x: 1 / x, lambda x: -1 / x**2, lambda x: 2 / x**3, a)


def exp(a):
    return chain(np.exp, np.exp, np.exp, a)


def log(a):
    return chain(np.log, lambda x: 1 / x, lambda x: -1 / x**2, a)


def multiply(a, b):
    return bilinear(np.multiply, a, b)


def add(a, b):
    return linear(np.add, a, b)


def subtract(a, b):
    return linear(np.subtract, a, b)
