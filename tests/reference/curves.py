#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Curves, covariances and quantiles by NumPy, counts by SciPy, written to curves.txt in this folder.

Made with NumPy 2 and SciPy 1.15 or later in double (`pip install scipy`). A line is `quantity numbers...`. `x`, `xs`, `ys`, `p` and `y`
[3, 5] are operands. `poisson` and `binomial` are the inverse distributions at `u`, for each of the parameters in `rates`, `trials` and
`chances`.
"""
import os

import numpy as np
from scipy import stats


def main():
    rng = np.random.default_rng(5)
    lines = []

    def put(name, numbers):
        lines.append((name, np.asarray(numbers).ravel()))

    x = np.array([-2, -0.5, 0, 0.1, 0.75, 1, 1.5, 2.25, 3, 7, np.inf, -np.inf, np.nan])
    xs, ys, p, y = np.array([-0.5, 0, 0.25, 1, 1, 3]), rng.normal(size=6), rng.normal(size=4), rng.normal(size=(3, 5))
    for name, numbers in (('x', x), ('xs', xs), ('ys', ys), ('p', p), ('y', y)):
        put(name, numbers)
    put('interp', np.interp(x, xs, ys))
    put('polyval', np.polyval(p, y))
    put('vander', np.vander(y[0], 4))
    put('trapezoid', np.trapezoid(y, axis=1))
    put('trapezoid_of', np.trapezoid(y, np.array([0, 1, 1.5, 4, 4.25]), axis=1))
    put('cov', np.cov(y))
    put('cov0', np.cov(y, ddof=0))
    put('corrcoef', np.corrcoef(y))
    put('variance', np.cov(y[0]))
    put('logspace', np.logspace(-1, 2, 5))
    put('quantiles', np.quantile(y, [0, 0.3, 0.5, 1], axis=1))
    u = np.concatenate([[1e-9, 1e-4, 0.999999, 1 - 1e-12], rng.uniform(size=16)])
    rates, trials, chances = [0.01, 0.7, 3, 15.5, 16, 40.25, 1000, 123456], [1, 5, 30, 200, 5000], [0.001, 0.2, 0.5, 0.7, 0.99]
    put('u', u)
    put('rates', rates)
    put('trials', trials)
    put('chances', chances)
    put('poisson', [stats.poisson.ppf(u, rate) for rate in rates])
    put('binomial', [stats.binom.ppf(u, n, chance) for n in trials for chance in chances])
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'curves.txt')
    with open(path, 'w', encoding='utf-8') as file:
        for name, numbers in lines:
            file.write(' '.join([name, *(repr(float(n)) for n in numbers)]) + '\n')


if __name__ == '__main__':
    main()
