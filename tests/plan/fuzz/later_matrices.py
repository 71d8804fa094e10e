# SPDX-License-Identifier: MIT
"""More of later_operations.py: reductions without NaN, norms, bands, matrices, products, places of elements, images."""
import numpy as np

from extents import of
from jets import Jet, add, bilinear, exp, linear, log, multiply, reciprocal, subtract
from later_operations import LATER, form_of, later
from operations import Info, Reject, apart, averages, greatest, log_sum_exp, names, products, reduced, sums, zero
from wide_operations import absolute, deviations, known, power, rooted, scaled, shifted, smallest, square, tanh, where

OVER = []   # names of operations over axes; par: axes, keep


def over(name, run, text=None, infer=None):
    def shape(i, par):
        return Info(reduced(i[0].shape, *par)) if i[0].shape and max(par[0]) < len(i[0].shape) else None
    later(name, infer or shape, text or (lambda a, par: f"xg::{name}<{names(par[0])}>({a[0]}{', xg::keep_dims' if par[1] else ''})"),
          lambda c, i, v, par: run(c, i, v[0], tuple(par[0]), par[1]))
    LATER.pop()
    OVER.append(name)


def same(name, run, more=""):
    over(name, run, lambda a, par: f"xg::{name}<{names(par[0])}>({a[0]}{more})",
         lambda i, par: Info(i[0].shape) if i[0].shape and max(par[0]) < len(i[0].shape) else None)


over("norm", lambda c, i, x, axes, keep: power(rooted(c, sums(square(x), axes, keep)), 0.5))
over("max_norm", lambda c, i, x, axes, keep: greatest(c, [Info(())], absolute(c, x), axes, keep))
same("log_softmax", lambda c, i, x, axes, keep: subtract(x, log_sum_exp(c, i, x, axes, True)))
same("l2_normalize", lambda c, i, x, axes, keep: multiply(x, power(rooted(c, sums(square(x), axes, True)), -0.5)))
same("standardize", lambda c, i, x, axes, keep: multiply(subtract(x, averages(c, i, x, axes, True)),
                                                         power(shifted(deviations(c, i, x, axes, True), 0.125), -0.5)), ", 0.125_c")


# without NaN: elements up to -0.5 are made NaN
def without_nan(name, run, more=""):
    def computed(context, infos, x, axes, keep):
        apart(context, [Info(())], x.v + 0.5)
        there = x.v > -0.5
        count = np.sum(there, axis=axes, keepdims=True)
        if np.any(count == 0):
            raise Reject("nothing but NaN")
        return run(context, x, there, count, axes, keep)
    over(name, computed, lambda a, par: f"xg::{name}<{names(par[0])}>(xg::select({a[0]} > -0.5_c, {a[0]}, xg::zeros_like({a[0]}) / xg::zeros_like({a[0]})){more}"
                                        f"{', xg::keep_dims' if par[1] else ''})")


def kept(x, axes, keep):
    return x if keep else linear(lambda y: np.squeeze(y, axes), x)


def filled(x, there, value):
    return where(there, x, Jet(zero(x.v) + value))


def mean(x, there, count, axes):
    return multiply(sums(filled(x, there, 0), axes, True), Jet(1 / count))


def spread(x, there, count, axes):
    d = filled(subtract(x, mean(x, there, count, axes)), there, 0)
    return multiply(sums(square(d), axes, True), Jet(1 / count))


def rank_of(q):
    def run(context, x, there, count, axes, keep):
        rest = [k for k in range(x.v.ndim) if k not in axes]
        shape = [x.v.shape[k] for k in rest]

        def flat(y):
            return np.transpose(y, rest + list(axes)).reshape(int(np.prod(shape, dtype=int)), -1)
        v, t = flat(x.v), flat(there)
        weights = np.zeros(v.shape)
        for row, (numbers, good) in enumerate(zip(v, t)):
            at = np.flatnonzero(good)
            at = at[np.argsort(numbers[at])]
            apart(context, [Info(())], np.diff(numbers[at]))
            place = q * (len(at) - 1)
            low = int(np.floor(place))
            weights[row, at[low]] += 1 - (place - low)
            weights[row, at[min(low + 1, len(at) - 1)]] += place - low
        r = linear(lambda y: np.sum(weights * flat(y), 1).reshape(shape), x)
        return linear(lambda y: np.expand_dims(y, axes), r) if keep else r
    return run


without_nan("nan_sum", lambda c, x, there, n, axes, keep: sums(filled(x, there, 0), axes, keep))
without_nan("nan_prod", lambda c, x, there, n, axes, keep: products(c, None, filled(x, there, 1), axes, keep))
without_nan("nan_mean", lambda c, x, there, n, axes, keep: kept(mean(x, there, n, axes), axes, keep))
without_nan("nan_max", lambda c, x, there, n, axes, keep: greatest(c, [Info(())], filled(x, there, -1e6), axes, keep))
without_nan("nan_min", lambda c, x, there, n, axes, keep: smallest(c, [Info(())], filled(x, there, 1e6), axes, keep))
without_nan("nan_variance", lambda c, x, there, n, axes, keep: kept(spread(x, there, n, axes), axes, keep))
without_nan("nan_stddev", lambda c, x, there, n, axes, keep: kept(power(rooted(c, spread(x, there, n, axes)), 0.5), axes, keep))
without_nan("nan_median", rank_of(0.5))
without_nan("nan_quantile", rank_of(0.3), ", 0.3_c")


def neighbours(x, par):
    padded = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(1, 1)])
    return padded[..., :-2] + padded[..., 1:-1] + padded[..., 2:]


later("local_response_normalization", lambda i, par: Info(i[0].shape) if i[0].shape and i[0].shape[-1].static else None,
      form_of("xg::local_response_normalization<1>({0}, 1_c, 0.5_c, 0.75_c)"),
      lambda c, i, v, par: multiply(v[0], power(shifted(scaled(linear(lambda y: neighbours(y, par), square(v[0])), 0.5), 1), -0.75)))


# matrices
def transposed(x):
    return linear(lambda y: np.swapaxes(y, -1, -2), x)


def times(a, b):
    return bilinear(np.matmul, a, b)


def inverse(m):
    if np.linalg.cond(m.v) > 100:
        raise Reject("nearly singular")
    r = Jet(np.linalg.inv(m.v))
    for _ in range(3):   # Newton's step doubles the order in nilpotent directions
        e = times(m, r)
        r = times(r, Jet(2 * np.eye(m.v.shape[-1]) - e.v, *[None if c is None else -c for c in e.c[1:]]))
    return r


def definite(a):
    m = times(a, transposed(a))
    return shifted_by(m, 2 * np.eye(m.v.shape[-1]))


def shifted_by(x, c):
    return Jet(x.v + c, *x.c[1:])


def pivots(m):
    r = []
    while m.v.shape[0]:
        p = linear(lambda y: y[0, 0], m)
        r.append(p)
        row, column = linear(lambda y: y[0, 1:], m), linear(lambda y: y[1:, 0], m)
        m = subtract(linear(lambda y: y[1:, 1:], m), multiply(bilinear(np.outer, column, row), reciprocal(p)))
    return r


def log_size(m):
    r = Jet(np.asarray(0.0))
    for p in pivots(m):
        r = add(r, log(p))
    return r


def square_matrix(i, n=None):
    s = i[0].shape
    return len(s) == 2 and s[0].static and 0 < s[0].number < 6 and (n is None or s[0].number == n)


SIZES = (2, 3, 4, 5)
ROWS = "(xg::matmul<false, true>({0}, {0}) + 2_c * xg::eye<{p}, T>())"
later("logdet", lambda i, n: Info(()) if square_matrix(i, n) else None, form_of(f"xg::logdet({ROWS})"), lambda c, i, v, n: log_size(definite(v[0])), 1, SIZES)
later("slogdet", lambda i, n: Info(()) if square_matrix(i, n) else None, form_of(f"std::get<1>(xg::slogdet({ROWS}))"),
      lambda c, i, v, n: log_size(definite(v[0])), 1, SIZES)
later("det", lambda i, n: Info(()) if square_matrix(i, n) else None, form_of(f"xg::det(0.25_c * {ROWS})"),
      lambda c, i, v, n: scaled(exp(log_size(definite(v[0]))), 0.25 ** n), 1, SIZES)


def matrix(name, template, f, count=1, infer=None):
    def equal(i, par):
        return Info(i[0].shape) if square_matrix(i) and i[0].shape[0] == i[0].shape[1] else None
    later(name, infer or equal, form_of(template), lambda c, i, v, par: f(*v), count)


def exponential(a):
    r = term = Jet(np.eye(a.v.shape[-1]))
    for k in range(1, 30):
        term = scaled(times(term, a), 1 / k)
        r = add(r, term)
    return r


matrix("expm", "xg::expm(xg::tanh({0}))", lambda a: exponential(tanh(a)))
matrix("matrix_power", "xg::matrix_power<3>({0})", lambda a: times(a, times(a, a)))


def tall(i, par=None):
    return len(i[0].shape) == 2 and all(d.static for d in i[0].shape) and 0 < i[0].shape[1].number < i[0].shape[0].number


def least_squares(a, b):
    return times(times(inverse(times(transposed(a), a)), transposed(a)), b)


matrix("lstsq", "xg::lstsq({0}, {1})", least_squares, 2,
       lambda i, par: Info((i[0].shape[1], i[1].shape[1])) if tall(i) and len(i[1].shape) == 2 and i[1].shape[0] == i[0].shape[0] else None)
matrix("pinv", "xg::pinv({0})", lambda a: times(inverse(times(transposed(a), a)), transposed(a)), 1, lambda i, par: Info(i[0].shape[::-1]) if tall(i) else None)


def fitted(x, y):
    flat = len(y.c[0].shape) == 1
    a = linear(lambda *z: np.stack(z, -1), x, Jet(zero(x.v) + 1))
    r = least_squares(a, linear(lambda z: z[:, None], y) if flat else y)
    return linear(lambda z: z[:, 0], r) if flat else r


matrix("polyfit", "xg::polyfit<1>({0}, {1})", fitted, 2,
       lambda i, par: Info((of(2),) + i[1].shape[1:]) if len(i[0].shape) == 1 and known(i[0].shape, 0, 3) and 1 <= len(i[1].shape) <= 2 and
       i[1].shape[0] == i[0].shape[0] else None)


def system(i):
    return len(i[1].shape) == 2 and known(i[1].shape, 0, 1) and len(i[0].shape) == 2


for side, up in (("lower", False), ("upper", True)):
    for way in (False, True):
        later(f"triangular_solve.{side}.{way}", lambda i, n: Info(i[1].shape) if system(i) and square_matrix(i, n) and i[1].shape[0] == i[0].shape[0] else None,
              form_of(f"xg::triangular_solve<xg::triangle::{side}, {str(way).lower()}>({ROWS}, {{1}})"),
              lambda c, i, v, n, up=up, way=way: times(inverse((transposed if way else lambda m: m)(linear(np.triu if up else np.tril, definite(v[0])))), v[1]),
              2, SIZES)


def banded(offsets):
    """Row r of bands has the diagonal offsets[r]; its element i is in row i of the matrix."""
    def f(bands):
        n = bands.shape[-1]
        m = np.zeros((n, n))
        for r, k in enumerate(offsets):
            for i in range(n):
                if 0 <= i + k < n:
                    m[i, i + k] = bands[r, i]
        return m
    return f


def bands(name, before, after, offsets, solved, cpp):
    """The operand gets 3 on the main diagonal, so that the matrix is far from singular."""
    rows = before + 1 + after

    def infer(i, par):
        return Info(i[1].shape) if system(i) and i[0].shape[0] == of(rows) and i[0].shape[1] == i[1].shape[0] else None

    def run(context, infos, values, par):
        d = scaled(tanh(values[0]), 0.5)
        n = d.v.shape[1]
        d = shifted_by(d, np.pad(np.full((1, n), 3.0), [(before, after), (0, 0)]))
        m = linear(banded(offsets), d)
        return times(inverse(transposed(m) if par else m) if solved else m, values[1])

    def text(a, par):
        full = f"(0.5_c * xg::tanh({a[0]}) + xg::pad<{before}, {after}, 0>(xg::expand_dims<0>(xg::full_like(xg::sum<0>({a[0]}), 3_c))))"
        return cpp.format(full, a[1], str(bool(par)).lower())
    later(name, infer, text, run, 2, (False, True) if solved else (False,))


bands("tridiagonal_solve", 1, 1, (1, 0, -1), True, "xg::tridiagonal_solve<{2}>({0}, {1})")
bands("tridiagonal_matmul", 1, 1, (1, 0, -1), False, "xg::tridiagonal_matmul({0}, {1})")
bands("banded_triangular_solve.lower", 0, 2, (0, -1, -2), True, "xg::banded_triangular_solve<xg::triangle::lower, {2}>({0}, {1})")
bands("banded_triangular_solve.upper", 2, 0, (2, 1, 0), True, "xg::banded_triangular_solve<xg::triangle::upper, {2}>({0}, {1})")


# products
def prod_of(s):
    r = of(1)
    for d in s:
        r = r * d
    return r


def product(name, infer, text, f):
    later(name, infer, form_of(text), lambda c, i, v, par: bilinear(f, *v), 2)


def kron_shape(i, par):
    a, b = i[0].shape, i[1].shape
    n = max(len(a), len(b))
    a, b = (of(1),) * (n - len(a)) + a, (of(1),) * (n - len(b)) + b
    return Info(tuple(d * e for d, e in zip(a, b))) if 0 < n < 3 else None


product("kron", kron_shape, "xg::kron({0}, {1})", np.kron)
product("outer", lambda i, par: Info((prod_of(i[0].shape), prod_of(i[1].shape))) if i[0].shape and i[1].shape else None, "xg::outer({0}, {1})", np.outer)
product("tensordot", lambda i, par: Info(i[0].shape[:-1] + i[1].shape[1:]) if i[0].shape and i[1].shape and i[0].shape[-1] == i[1].shape[0] else None,
        "xg::tensordot<1>({0}, {1})", lambda x, y: np.asarray(np.tensordot(x, y, 1)))


def joined(x, y):
    r = np.zeros((x.shape[0] + y.shape[0], x.shape[1] + y.shape[1]))
    r[:x.shape[0], :x.shape[1]], r[x.shape[0]:, x.shape[1]:] = x, y
    return r


matrix("block_diag", "xg::block_diag({0}, {1})", lambda x, y: linear(joined, x, y), 2,
       lambda i, par: Info((i[0].shape[0] + i[1].shape[0], i[0].shape[1] + i[1].shape[1])) if all(len(x.shape) == 2 and x.shape[1].static for x in i) else None)


def covariance(x):
    n = x.v.shape[1]
    if n < 2:
        raise Reject("one observation")
    d = subtract(x, scaled(sums(x, (1,), True), 1 / n))
    return scaled(times(d, transposed(d)), 1 / (n - 1))


def correlation(x):
    c = covariance(x)
    v = linear(np.diagonal, c)
    if np.any(v.v < 1e-2):
        raise Reject("no spread")
    r = power(v, -0.5)
    return multiply(multiply(c, linear(lambda y: y[:, None], r)), linear(lambda y: y[None], r))


for name, f in (("cov", covariance), ("corrcoef", correlation)):
    matrix(name, "xg::" + name + "({0})", f, 1,
           lambda i, par: Info((i[0].shape[0],) * 2) if len(i[0].shape) == 2 and i[0].shape[0].static and i[0].shape[0].number > 1 else None)


def cosine(context, infos, values, par):
    a, b = values
    n, m = (rooted(context, sums(square(x), (x.v.ndim - 1,), False)) for x in values)
    return multiply(sums(multiply(a, b), (a.v.ndim - 1,), False), power(multiply(n, m), -0.5))


later("cosine_similarity", lambda i, par: Info(i[0].shape[:-1]) if i[0].shape and i[0].shape == i[1].shape else None, form_of("xg::cosine_similarity({0}, {1})"), cosine, 2)
later("squared_distances", lambda i, par: Info(i[0].shape[:-1] + i[1].shape[-2:-1]) if len(i[0].shape) == len(i[1].shape) == 2 and
      i[0].shape[1] == i[1].shape[1] else None, form_of("xg::squared_distances({0}, {1})"),
      lambda c, i, v, par: sums(square(subtract(linear(lambda x: x[:, None], v[0]), linear(lambda x: x[None], v[1]))), (2,), False), 2)


# images of one channel, [batch, height, width]
def weights(n, m, scale, move):
    """Of each of n elements in each of m, bilinear with a wider filter where the image shrinks."""
    at = (np.arange(m) + 0.5 - move) / scale - 0.5
    wide = max(1 / scale, 1)
    w = np.maximum(1 - abs(at[:, None] - np.arange(n)[None]) / wide, 0)
    w = w / np.maximum(w.sum(1, keepdims=True), 1e-9)
    return np.where((at[:, None] < -0.5) | (at[:, None] > n - 0.5), 0, w)


later("scale_and_translate", lambda i, par: Info((i[0].shape[0], of(4), of(3))) if len(i[0].shape) == 3 and known(i[0].shape, 1) and known(i[0].shape, 2) else None,
      form_of("xg::squeeze<3>(xg::scale_and_translate<4, 3>(xg::expand_dims<3>({0}), xg::linspace<2, T>(1.375_c, 0.8125_c), xg::linspace<2, T>(0.3_c, -0.2_c)))"),
      lambda c, i, v, par: linear(lambda x: np.einsum("mh,bhw,nw->bmn", weights(x.shape[1], 4, 1.375, 0.3), x, weights(x.shape[2], 3, 0.8125, -0.2)), v[0]))
