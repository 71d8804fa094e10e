#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Special functions and their derivatives by mpmath, written to special.txt in this folder.

Made with mpmath 1.4.1 (`pip install mpmath`). A line is `quantity numbers...`: `name.x`, `name.y` and `name.z` are the operands, which
are floats without rounding, `name` the values. `name.first` and `name.second` are derivatives of the last operand at `name.at`.
"""
import os
import struct

import mpmath as mp
from mpmath import mpf

mp.mp.dps = 80   # 1 − 1e-37 must keep its digits


WIDE = [-30, -12.5, -9.25, -6, -5, -3.5, -2.25, -1.5, -1, -0.75, -0.3, -0.01, 0, 1e-8, 0.2, 0.5, 0.9, 1, 1.75, 3, 4.5, 5.5, 8, 9.5]
UNIT = [-0.999999, -0.99, -0.9, -0.86, -0.84, -0.5, -0.1, -1e-5, 1e-20, 0.001, 0.25, 0.6, 0.8499, 0.851, 0.95, 0.9999]
PROBABILITIES = [1e-37, 1e-20, 1e-12, 1e-11, 1e-7, 0.001, 0.02, 0.07, 0.08, 0.2, 0.49, 0.51, 0.75, 0.92, 0.93, 0.999, 0.999999]
POSITIVE = [1e-10, 0.01, 0.3, 0.75, 1.25, 1.75, 2.5, 3, 5.5, 9, 10, 11.25, 30, 1000, 1e10]
MIXED = POSITIVE + [-0.001, -0.25, -0.5, -1.5, -2.75, -9.25]
BESSEL = [-700, -60, -9, -8, -7.5, -3, -1, -0.25, -1e-4, 0, 1e-10, 0.5, 2, 5, 8, 8.25, 20, 88, 300]


def sinc(x):
    return mp.sin(mp.pi * x) / (mp.pi * x) if x else mpf(1)


def bessel(order, scaled):
    return lambda x: mp.besseli(order, x) * (mp.exp(-abs(x)) if scaled else 1)


def quantile(p):
    return mp.sqrt(2) * mp.erfinv(2 * p - 1)


def lower_gamma(a, x):
    return mp.gammainc(a, 0, x, regularized=True) if x else mpf(0)


def upper_gamma(a, x):
    return mp.gammainc(a, x, mp.inf, regularized=True) if x else mpf(1)


def slope_of_lower_gamma(a, x):
    return mp.diff(lambda b: mp.gammainc(b, 0, x, regularized=True), a) if x else mpf(0)


def polygamma(n, x):
    return mp.psi(int(n), x)


def beta(a, b, x):
    return mp.betainc(a, b, 0, x, regularized=True) if x else mpf(0)


ONE = {   # function, points, points of derivatives
    'erfc': (mp.erfc, WIDE, [-2, -0.5, 0.25, 1, 3, 5]), 'ndtr': (mp.ncdf, WIDE, [-6, -2, -0.5, 0.25, 1, 3]),
    'gelu': (lambda x: x * mp.ncdf(x), WIDE, [-6, -2, -0.5, 0.25, 1, 3]), 'erfinv': (mp.erfinv, UNIT, [-0.95, -0.5, 0.001, 0.25, 0.9]),
    'ndtri': (quantile, PROBABILITIES, [0.001, 0.1, 0.5, 0.75, 0.95]), 'digamma': (mp.digamma, MIXED, [0.25, 1, 1.75, 5, 12.5]),
    'lgamma': (lambda x: mp.log(abs(mp.gamma(x))) if x < 1000 else mp.loggamma(x), MIXED, [0.25, 1, 1.75, 5, 12.5]),
    'bessel_i0e': (bessel(0, True), BESSEL, [-9, -2, 0.25, 3, 12]), 'bessel_i1e': (bessel(1, True), BESSEL, [-9, -2, 0.25, 3, 12]),
    'bessel_i0': (bessel(0, False), BESSEL[1:], [-9, -2, 0.25, 3, 12]), 'bessel_i1': (bessel(1, False), BESSEL[1:], [-9, -2, 0.25, 3, 12]),
    'sinc': (sinc, [-7.75, -2.5, -1.25, -0.25, -1e-3, 1e-20, 0, 0.1, 0.5, 0.75, 1.5, 100.25], [-2.25, -0.75, 0.01, 0.2, 0.3, 1.5, 6.25]),
}
GAMMA = [(a, x) for a in (0.01, 0.5, 1, 2.5, 10, 100) for x in (0, 1e-3, 0.5, 1, 1.25, 3, 9, 11, 95, 104, 200)]
BETA = [(a, b, x) for a in (0.25, 1, 3.5, 40) for b in (0.5, 2, 30) for x in (0, 1e-4, 0.25, 0.5, 0.875, 1)]
SEVERAL = {
    'igamma': (lower_gamma, GAMMA, [(0.5, 0.25), (2.5, 2), (2.5, 6), (10, 9), (1, 1.5)]),
    'igammac': (upper_gamma, GAMMA, [(0.5, 0.25), (2.5, 2), (2.5, 6), (10, 9), (1, 1.5)]),
    'igamma_slope': (slope_of_lower_gamma, GAMMA, [(0.5, 0.25), (2.5, 2), (2.5, 6), (10, 9), (1, 1.5)]),
    'zeta': (mp.zeta, [(s, q) for s in (1.125, 2, 3, 4.5, 12) for q in (0.01, 0.5, 1, 2.75, 9.5, 100, 1e6)], [(2, 0.5), (3, 1.25), (4.5, 6)]),
    'polygamma': (polygamma, [(n, x) for n in (0, 1, 2, 3, 6) for x in (0.25, 1, 2.5, 8, 9.5, 40, 1e5)], [(1, 0.5), (2, 1.25), (3, 6)]),
    'betainc': (beta, BETA, [(2, 3, 0.25), (0.5, 0.5, 0.75), (3.5, 40, 0.125), (1, 2, 0.5)]),
}
ELEMENTARY = {   # derivatives alone
    'tan': (mp.tan, [-2, -0.5, 0.25, 1.25]), 'asin': (mp.asin, [-0.9, -0.25, 0.5, 0.99]), 'acos': (mp.acos, [-0.9, -0.25, 0.5, 0.99]),
    'atan': (mp.atan, [-20, -0.5, 0.25, 3]), 'sinh': (mp.sinh, [-3, -0.5, 0.25, 5]), 'cosh': (mp.cosh, [-3, -0.5, 0.25, 5]),
    'asinh': (mp.asinh, [-30, -0.5, 0.25, 3]), 'acosh': (mp.acosh, [1.01, 1.5, 3, 100]), 'atanh': (mp.atanh, [-0.9, -0.25, 0.5, 0.99]),
    'exp2': (lambda x: mpf(2)**x, [-3, -0.5, 0.25, 5]), 'exp10': (lambda x: mpf(10)**x, [-3, -0.5, 0.25, 5]),
    'log2': (lambda x: mp.log(x, 2), [0.1, 0.75, 3, 100]), 'log10': (mp.log10, [0.1, 0.75, 3, 100]),
    'cbrt': (lambda x: mp.sign(x) * mp.cbrt(abs(x)), [-8, -0.5, 0.25, 30]), 'rsqrt': (lambda x: 1 / mp.sqrt(x), [0.1, 0.75, 3, 100]),
    'reciprocal': (lambda x: 1 / x, [-3, -0.5, 0.25, 5]),
}


def single(x):
    """The float that is nearest to x."""
    return mpf(struct.unpack('f', struct.pack('f', x))[0])


def slopes(f, points):
    for order, name in ((1, '.first'), (2, '.second')):
        yield name, [mp.diff(lambda x, p=p: f(*p[:-1], x), p[-1], order) for p in points]


def main():
    lines = []
    everything = {name: (f, [(x,) for x in points], [(x,) for x in at]) for name, (f, points, at) in ONE.items()} | SEVERAL
    everything |= {name: (f, [], [(x,) for x in at]) for name, (f, at) in ELEMENTARY.items()}
    for name, (f, points, at) in everything.items():
        points, at = ([tuple(map(single, p)) for p in list_] for list_ in (points, at))
        lines += [(f'{name}.{axis}', column) for axis, column in zip('xyz', zip(*points))]
        if points:
            lines.append((name, [f(*p) for p in points]))
        lines += [(f'{name}.at{k}', column) for k, column in enumerate(zip(*at))]
        lines += [(name + key, numbers) for key, numbers in slopes(f, at)]
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'special.txt')
    with open(path, 'w', encoding='utf-8') as file:
        for name, numbers in lines:
            file.write(' '.join([name, *(repr(float(mp.re(n))) for n in numbers)]) + '\n')


if __name__ == '__main__':
    main()
