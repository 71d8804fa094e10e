#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Convolutions, cosine transforms, reductions without NaN, slopes, fits and special functions, written to signals.txt in this folder.

Made with NumPy and SciPy in double, Bessel functions with mpmath (`pip install scipy mpmath`). A line is `quantity numbers...`.
"""
import os
import warnings

import mpmath as mp
import numpy as np
import scipy.fft
import scipy.integrate
import scipy.special

warnings.simplefilter('ignore')   # of slices that are all NaN


def main():
    random = np.random.default_rng(5)
    lines = []

    def put(name, numbers):
        lines.append((name, np.asarray(numbers, np.float64).ravel()))
        return numbers

    a, v, w = put('a', random.normal(size=41)), put('v', random.normal(size=6)), put('w', random.normal(size=9))
    for mode in ('full', 'same', 'valid'):
        put('convolve.' + mode, np.convolve(a, v, mode))
        put('convolve.swapped.' + mode, np.convolve(v, w, mode))
        put('correlate.' + mode, np.correlate(a, v, mode))
        put('correlate.swapped.' + mode, np.correlate(v, w, mode))
    signal = put('signal', random.normal(size=(2, 12)))
    odd = put('odd', random.normal(size=(2, 9)))
    for type_ in (1, 2, 3, 4):
        for norm in ('none', 'ortho'):
            how = {'type': type_, 'norm': None if norm == 'none' else norm}
            put(f'dct{type_}.{norm}', scipy.fft.dct(signal, **how))
            put(f'dct{type_}.{norm}.odd', scipy.fft.dct(odd, **how))
    x = random.normal(size=(5, 8)).round(2)
    x[0, :] = np.nan
    x[1, 1:] = np.nan
    x[2, [0, 5]] = np.nan
    x[3, 2] = np.inf
    x[4, 4:6] = np.nan
    put('holes', x)
    for name in ('nansum', 'nanprod', 'nanmean', 'nanmax', 'nanmin', 'nanvar', 'nanstd', 'nanmedian'):
        put(name, getattr(np, name)(x[[0, 1, 2, 4]] if name in ('nanvar', 'nanstd') else x, axis=1))
        put(name + '.columns', getattr(np, name)(x[[0, 1, 2, 4]] if name in ('nanvar', 'nanstd') else x, axis=0))
    put('nanvar.sample', np.nanvar(x[[0, 1, 2, 4]], axis=1, ddof=1))
    put('nanquantile', np.nanquantile(x, 0.3, axis=1))
    y = put('heights', random.normal(size=(3, 7)))
    places = put('places', np.cumsum(random.uniform(0.2, 1.5, size=7)))
    for edge in (1, 2):
        put(f'gradient.{edge}', np.gradient(y, 0.25, axis=1, edge_order=edge))
        put(f'gradient.places.{edge}', np.gradient(y, places, axis=1, edge_order=edge))
    put('gradient.columns', np.gradient(y, axis=0))
    put('cumulative_trapezoid', scipy.integrate.cumulative_trapezoid(y, axis=1))
    put('cumulative_trapezoid.places', scipy.integrate.cumulative_trapezoid(y, places, axis=1))
    put('cumulative_trapezoid.columns', scipy.integrate.cumulative_trapezoid(y, dx=0.5, axis=0))
    put('polyfit', np.polyfit(places, y[0], 2))
    put('polyfit.columns', np.polyfit(places, y.T, 3))
    put('polyfit.weights', np.polyfit(places, y[1], 2, w=np.arange(7) + 1.0))
    keys = np.array([[3, 1, 2, 1, 3, 2, 1, 3], [1, 0, 1, 1, 0, 1, 0, 0], [0, 0, 0, 1, 1, 0, 1, 0]])
    put('lexsort', np.lexsort(keys))
    put('lexsort.2', np.lexsort(keys[:2]))

    s = scipy.special
    wide = np.array([0, 2.0**-13, 0.25, 0.5, 1, 2.25, 3.5, 5, 7.5, 8, 8.25, 11, 20, 40.5, 300, 5000], np.float64)
    for name, f in (('bessel_j0', mp.besselj), ('bessel_j1', mp.besselj), ('bessel_y0', mp.bessely), ('bessel_y1', mp.bessely)):
        points = put(name + '.x', wide if 'y' in name else np.concatenate([wide, -wide]))
        put(name, [float(f(int(name[-1]), mp.mpf(float(x)))) if x or 'j' in name else -np.inf for x in points])
    points = np.array([-300, -40, -27.5, -12, -9, -3, -1.25, -1, -0.5, -0.01, 0, 0.01, 0.5, 1, 2.5, 5, 6.5, 20])
    put('log_ndtr.x', points)
    put('log_ndtr', s.log_ndtr(points))
    points = np.array([-8.5, -5, -1, -0.5, -1e-5, 0, 1e-5, 0.5, 1, 3.5, 9, 10.25, 10.5, 25, 27, 28, 500, 1e8])
    put('erfcx.x', points)
    put('erfcx', s.erfcx(points))
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'signals.txt')
    with open(path, 'w', encoding='utf-8') as file:
        for name, numbers in lines:
            file.write(' '.join([name, *(repr(float(n)) for n in numbers)]) + '\n')


if __name__ == '__main__':
    main()
