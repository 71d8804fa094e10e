#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Modified Bessel functions K and functions that are integrals, with their derivatives, written to special_integrals.txt.

Made with mpmath 1.4.1 and SciPy 1.17.1 (`pip install mpmath scipy`). A line is `quantity numbers...`: `name.x` are the operands, which
are floats without rounding, `name` the values by mpmath, which SciPy must share. `name.first` and `name.second` are derivatives at
`name.at0`. `name.edge` are the values of SciPy at `name.edge.x`.
"""
import os
import struct

import mpmath as mp
import scipy
from mpmath import mpf

mp.mp.dps = 40

INF, NAN = float('inf'), float('nan')
EDGES = [0, -0.0, INF, -INF, NAN]
POSITIVE = [1e-30, 1e-5, 0.01, 0.25, 0.5, 0.9, 0.999, 1, 1.001, 1.25, 1.75, 1.99, 2, 2.01, 2.5, 3.5, 5, 7.75, 12, 20, 50, 85]
SIGNED = [s * x for x in POSITIVE + [0.37, 0.3725, 0.373, 1.6, 1.61, 3.9, 4.1, 5.9, 6.1, 17.9, 18.1, 30] for s in (1, -1)]
AT = [0.25, 0.75, 1.375, 1.9, 2.5, 4.75, 8.625, 14.75]


def bessel(order, scaled):
    return lambda x: mp.besselk(order, x) * (mp.exp(x) if scaled else 1)


def dawson(x):
    return mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x)


def spence(x):
    return mp.re(mp.polylog(2, 1 - x))


FUNCTIONS = {   # by mpmath, by SciPy, points, points of derivatives, edges
    'bessel_k0': (bessel(0, False), scipy.special.k0, POSITIVE, AT, EDGES + [-1]),
    'bessel_k0e': (bessel(0, True), scipy.special.k0e, POSITIVE + [1e4, 1e30], AT, EDGES + [-1]),
    'bessel_k1': (bessel(1, False), scipy.special.k1, POSITIVE, AT, EDGES + [-1]),
    'bessel_k1e': (bessel(1, True), scipy.special.k1e, POSITIVE + [1e4, 1e30], AT, EDGES + [-1]),
    'dawson': (dawson, scipy.special.dawsn, SIGNED, AT, EDGES + [1e30, -1e30]),
    'expint': (mp.ei, scipy.special.expi, SIGNED, AT, EDGES + [1e4, -1e4]),
    'fresnel_sin': (mp.fresnels, lambda x: scipy.special.fresnel(x)[0], SIGNED + [1000.375], AT, EDGES + [1e30]),
    'fresnel_cos': (mp.fresnelc, lambda x: scipy.special.fresnel(x)[1], SIGNED + [1000.375], AT, EDGES + [1e30]),
    'spence': (spence, scipy.special.spence, POSITIVE + [1e4], [0.995, 1, 1.0078125] + AT, EDGES + [-1, 1]),
}


def single(x):
    """The float that is nearest to x."""
    return mpf(struct.unpack('f', struct.pack('f', x))[0])


def main():
    lines = []
    for name, (f, by_scipy, points, at, edges) in FUNCTIONS.items():
        points, at = ([single(x) for x in list_] for list_ in (points, at))
        values = [f(x) for x in points]
        for x, y in zip(points, values):
            other = mpf(float(by_scipy(float(x))))
            nearly_zero = name == 'expint' and abs(x - 0.3725) < 1e-3   # SciPy has fewer digits there
            assert abs(other - y) <= (1e-10 if nearly_zero else 1e-13) * abs(y), (name, x, y, other)
        lines += [(name + '.x', points), (name, values), (name + '.at0', at)]
        lines += [(name + key, [mp.diff(f, x, order) for x in at]) for order, key in ((1, '.first'), (2, '.second'))]
        lines += [(name + '.edge.x', edges), (name + '.edge', [by_scipy(float(x)) for x in edges])]
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'special_integrals.txt')
    with open(path, 'w', encoding='utf-8') as file:
        for name, numbers in lines:
            file.write(' '.join([name, *(repr(float(n)) for n in numbers)]) + '\n')


if __name__ == '__main__':
    main()
