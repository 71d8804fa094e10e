# SPDX-License-Identifier: MIT
"""The operations of random programs: the result for given operands, the text in C++, the computation in NumPy.

OPS[name] = (infer, text, run, passes):
* infer(infos, par) gives an Info or None;
* run(context, infos, values, par) gives the value, a Jet where it is floating;
* passes are the operands that a gradient passes to.
"""
import math

import numpy as np

from extents import at, broadcast, of, paired, product
from jets import Jet, add, bilinear, chain, exp, linear, log, multiply, reciprocal, stop, subtract


class Reject(Exception):
    """The program means nothing that a test could compare: a tie up to rounding, an overflow, a slice beyond the end."""


class Info:
    def __init__(self, shape, kind="f", low=None, high=None, exact=False):
        self.shape, self.kind, self.low, self.high, self.exact = tuple(shape), kind, low, high, exact

    def like(self, shape, exact=None):
        return Info(shape, self.kind, self.low, self.high, self.exact if exact is None else exact)


class Context:
    def __init__(self, sizes, tie):
        self.sizes, self.tie = sizes, tie


def raw(x):
    return x.v if isinstance(x, Jet) else x


def apart(context, infos, difference):
    """Comparisons of computed numbers that are equal up to rounding mean nothing."""
    if not all(i.exact or i.kind != "f" for i in infos) and np.any(np.abs(difference) < context.tie):
        raise Reject("tie")


OPS = {}


def define(name, infer, text, run, passes=None):
    OPS[name] = (infer, text, run, passes)


def view(f, value):
    return linear(f, value) if isinstance(value, Jet) else f(value)


def names(axes):
    return ", ".join(str(a) for a in axes)


# element by element
def unary(name, f, df, ddf, text=None, exact=False, kink=False):
    def run(context, infos, values, par):
        if kink:
            apart(context, infos, raw(values[0]))
        return chain(f, df, ddf, values[0])
    define(name, lambda i, par: Info(i[0].shape, exact=exact and i[0].exact) if i[0].kind == "f" else None,
           lambda a, par: (text or "xg::" + name + "({0})").format(a[0]), run)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def slope(x):
    return sigmoid(x) * (1 - sigmoid(x))


def zero(x):
    return np.zeros_like(x)


unary("tanh", np.tanh, lambda x: 1 - np.tanh(x) ** 2, lambda x: -2 * np.tanh(x) * (1 - np.tanh(x) ** 2))
unary("sigmoid", sigmoid, slope, lambda x: slope(x) * (1 - 2 * sigmoid(x)))
unary("exp", np.exp, np.exp, np.exp)
unary("expm1", np.expm1, np.exp, np.exp)
unary("square", np.square, lambda x: 2 * x, lambda x: 2 + zero(x))
unary("sin", np.sin, np.cos, lambda x: -np.sin(x))
unary("cos", np.cos, lambda x: -np.sin(x), lambda x: -np.cos(x))
unary("erf", np.vectorize(math.erf, otypes=[float]), lambda x: 2 / math.sqrt(math.pi) * np.exp(-x * x),
      lambda x: -4 / math.sqrt(math.pi) * x * np.exp(-x * x))
unary("softplus", lambda x: np.logaddexp(0, x), sigmoid, slope)
unary("neg", np.negative, lambda x: -1 + zero(x), zero, "-{0}", True)
unary("abs", np.abs, np.sign, zero, None, True, True)
unary("relu", lambda x: np.maximum(x, 0), lambda x: (x > 0) + 0.0, zero, None, True, True)
unary("sign", np.sign, zero, zero, None, True, True)
unary("shifted", lambda x: 0.25 + x, lambda x: 1 + zero(x), zero, "0.25_c + {0}")
unary("scaled", lambda x: x * 1.5, lambda x: 1.5 + zero(x), zero, "{0} * 1.5_c")
unary("sqrt", lambda x: np.sqrt(0.5 + x * x), lambda x: x / np.sqrt(0.5 + x * x), lambda x: 0.5 * (0.5 + x * x) ** -1.5, "xg::sqrt(0.5_c + xg::square({0}))")
unary("log", lambda x: np.log(x + 1.25), lambda x: 1 / (x + 1.25), lambda x: -1 / (x + 1.25) ** 2, "xg::log(1.25_c + {0})")
unary("log1p", lambda x: np.log1p(x * x), lambda x: 2 * x / (1 + x * x), lambda x: (2 - 2 * x * x) / (1 + x * x) ** 2, "xg::log1p(xg::square({0}))")
unary("pow", lambda x: (x + 1.5) ** 1.75, lambda x: 1.75 * (x + 1.5) ** 0.75, lambda x: 1.3125 * (x + 1.5) ** -0.25, "xg::pow(1.5_c + {0}, 1.75_c)")
define("stop_gradient", lambda i, par: i[0].like(i[0].shape), lambda a, par: f"xg::stop_gradient({a[0]})",
       lambda c, i, v, par: stop(v[0]) if isinstance(v[0], Jet) else v[0], ())


def common(i, kind):
    s = paired(*[x.shape for x in i])
    return None if s is None or any(x.kind != kind for x in i) else s


def binary(name, text, run, exact=False):
    def infer(i, par):
        s = common(i, "f")
        return None if s is None else Info(s, exact=exact and all(x.exact for x in i))
    define(name, infer, lambda a, par: text.format(*a), run)


binary("add", "{0} + {1}", lambda c, i, v, par: add(*v))
binary("sub", "{0} - {1}", lambda c, i, v, par: subtract(*v))
binary("mul", "{0} * {1}", lambda c, i, v, par: multiply(*v))
binary("div", "{0} / (1.5_c + xg::square({1}))", lambda c, i, v, par: multiply(
    v[0], chain(lambda x: 1 / (1.5 + x * x), lambda x: -2 * x / (1.5 + x * x)**2, lambda x: (6 * x * x - 3) / (1.5 + x * x)**3, v[1])))


def chosen(test, a, b):
    return linear(lambda x, y: np.where(test, x, y), a, b)


def extremum(compare):
    def run(context, infos, values, par):
        x, y = np.broadcast_arrays(raw(values[0]), raw(values[1]))
        apart(context, infos, x - y)
        return chosen(compare(x, y), *values)
    return run


binary("maximum", "xg::maximum({0}, {1})", extremum(np.greater_equal), True)
binary("minimum", "xg::minimum({0}, {1})", extremum(np.less_equal), True)


def cross(context, infos, values, par):   # softplus(x) - x z
    x, z = values
    return subtract(chain(lambda x: np.logaddexp(0, x), sigmoid, slope, x), multiply(x, z))


define("sigmoid_cross_entropy", lambda i, par: Info(i[0].shape) if common(i, "f") is not None and i[0].shape == i[1].shape else None,
       lambda a, par: f"xg::sigmoid_cross_entropy({a[0]}, {a[1]})", cross)


# comparisons, truth values, integers
def comparison(name, f, sign):
    def infer(i, par):
        s = paired(*[x.shape for x in i])
        return None if s is None or i[0].kind != i[1].kind or i[0].kind == "b" else Info(s, "b", 0, 1)

    def run(context, infos, values, par):
        x, y = np.broadcast_arrays(raw(values[0]), raw(values[1]))
        apart(context, infos, x - y)
        return f(x, y)
    define(name, infer, lambda a, par: f"({a[0]} {sign} {a[1]})" if sign else f"xg::{name}({a[0]}, {a[1]})", run, ())


comparison("greater", np.greater, ">")
comparison("less_equal", np.less_equal, "<=")
comparison("equal", np.equal, None)


def positive(context, infos, values, par):
    apart(context, infos, raw(values[0]) - par)
    return raw(values[0]) > par


define("above", lambda i, par: Info(i[0].shape, "b", 0, 1) if i[0].kind != "b" and (i[0].kind == "f" or par == int(par)) else None,
       lambda a, par: f"({a[0]} > {par:g}_c)", positive, ())
define("logical_not", lambda i, par: Info(i[0].shape, "b", 0, 1) if i[0].kind == "b" else None, lambda a, par: f"xg::logical_not({a[0]})",
       lambda c, i, v, par: np.logical_not(v[0]), ())
for word, function in (("and", np.logical_and), ("or", np.logical_or)):
    define(f"logical_{word}", lambda i, par: None if common(i, "b") is None else Info(common(i, "b"), "b", 0, 1),
           lambda a, par, word=word: f"xg::logical_{word}({a[0]}, {a[1]})", lambda c, i, v, par, function=function: function(v[0], v[1]), ())


def select_infer(i, par):
    s = paired(*[x.shape for x in i])
    if s is None or i[0].kind != "b" or i[1].kind != i[2].kind:
        return None
    bounded = all(x.low is not None for x in i[1:])
    return Info(s, i[1].kind, min(x.low for x in i[1:]) if bounded else None, max(x.high for x in i[1:]) if bounded else None,
                i[1].exact and i[2].exact)


def select_run(context, infos, values, par):
    if isinstance(values[1], Jet):
        shape = np.broadcast_shapes(*[raw(v).shape for v in values])
        return linear(lambda x, y: np.where(np.broadcast_to(values[0], shape), x, y), values[1], values[2])
    return np.where(*values)


define("select", select_infer, lambda a, par: f"xg::select({a[0]}, {a[1]}, {a[2]})", select_run, (1, 2))
define("to_number", lambda i, par: Info(i[0].shape, exact=True) if i[0].kind != "f" else None, lambda a, par: f"xg::cast<T>({a[0]})",
       lambda c, i, v, par: Jet(v[0].astype(float)), ())
define("to_integer", lambda i, par: Info(i[0].shape, "i", 0, 1) if i[0].kind == "b" else None,
       lambda a, par: f"xg::cast<std::int32_t>({a[0]})", lambda c, i, v, par: v[0].astype(np.int64), ())


def integers(name, text, f, bound):
    def infer(i, par):
        s = common(i, "i")
        if s is None:
            return None
        known = all(x.low is not None for x in i)
        low, high = bound([(x.low, x.high) for x in i]) if known else (None, None)
        return Info(s, "i", low, high)
    define(name, infer, lambda a, par: text.format(*a), lambda c, i, v, par: f(*v), ())


integers("integer_add", "{0} + {1}", np.add, lambda r: (r[0][0] + r[1][0], r[0][1] + r[1][1]))
integers("integer_mul", "{0} * {1}", np.multiply, lambda r: (None, None))
integers("integer_max", "xg::maximum({0}, {1})", np.maximum, lambda r: (max(r[0][0], r[1][0]), max(r[0][1], r[1][1])))
integers("integer_min", "xg::minimum({0}, {1})", np.minimum, lambda r: (min(r[0][0], r[1][0]), min(r[0][1], r[1][1])))
integers("five_minus", "5_c - {0}", lambda x: 5 - x, lambda r: (5 - r[0][1], 5 - r[0][0]))
integers("into_three", "xg::minimum(xg::maximum({0}, 0_c), 2_c)", lambda x: np.minimum(np.maximum(x, 0), 2), lambda r: (0, 2))
OPS["into_three"] = (lambda i, par: Info(i[0].shape, "i", 0, 2) if i[0].kind == "i" else None,) + OPS["into_three"][1:]


# reductions; par: axes, keep
def reduced(shape, axes, keep):
    return tuple(of(1) if k in axes else d for k, d in enumerate(shape) if keep or k not in axes)


def reduction(name, run, kinds="f", exact=False):
    def infer(i, par):
        axes, keep = par
        return Info(reduced(i[0].shape, axes, keep), i[0].kind, exact=exact and i[0].exact) if i[0].kind in kinds else None
    define(name, infer, lambda a, par: f"xg::{name.split('.')[-1]}<{names(par[0])}>({a[0]}{', xg::keep_dims' if par[1] else ''})",
           lambda c, i, v, par: run(c, i, v[0], tuple(par[0]), par[1]))


def sums(x, axes, keep):
    return view(lambda y: np.asarray(np.sum(y, axis=axes, keepdims=keep)), x)


def greatest(context, infos, x, axes, keep):
    if not isinstance(x, Jet):
        return np.asarray(np.max(x, axis=axes, keepdims=keep))
    m = np.max(x.v, axis=axes, keepdims=True, initial=-np.inf)
    below = x.v - m
    apart(context, infos, below[below != 0])
    tied = below == 0
    if not infos[0].exact and np.any(tied.sum(axis=axes) > 1):
        raise Reject("tie")
    w = tied / np.maximum(tied.sum(axis=axes, keepdims=True), 1)
    r = linear(lambda y: np.sum(w * y, axis=axes, keepdims=keep), x)
    return Jet(np.asarray(m if keep else m.reshape(r.v.shape)), *r.c[1:])


def averages(context, infos, x, axes, keep):
    n = np.prod([x.v.shape[a] for a in axes])
    return linear(lambda y: np.asarray(np.sum(y, axis=axes, keepdims=keep) / np.float64(n)), x)


def softmax(x, axes):
    m = np.max(x.v, axis=axes, keepdims=True, initial=-np.inf)
    e = exp(linear_shift(x, m))
    return multiply(e, reciprocal(sums(e, axes, True)))


def linear_shift(x, m):
    return Jet(x.v - m, *x.c[1:])


def log_sum_exp(context, infos, x, axes, keep):
    m = np.max(x.v, axis=axes, keepdims=True, initial=-np.inf)
    m = np.where(np.isfinite(m), m, 0)
    s = log(sums(exp(linear_shift(x, m)), axes, True))
    r = Jet(s.v + m, *s.c[1:])
    return r if keep else linear(lambda y: np.squeeze(y, axis=axes), r)


def variance(context, infos, x, axes, keep):
    d = subtract(x, averages(context, infos, x, axes, True))
    return averages(context, infos, multiply(d, d), axes, False)


def products(context, infos, x, axes, keep):
    for axis in sorted(axes, reverse=True):
        r = Jet(np.ones(np.delete(x.v.shape, axis)))
        for k in range(x.v.shape[axis]):
            r = multiply(r, linear(lambda y: np.take(y, k, axis), x))
        x = linear(lambda y: np.expand_dims(y, axis), r) if keep else r
    return x


reduction("prod", products)
reduction("sum", lambda c, i, x, axes, keep: sums(x, axes, keep), "fi")
reduction("max", greatest, "fi", True)
reduction("mean", averages)
reduction("log_sum_exp", log_sum_exp)
define("softmax", lambda i, par: Info(i[0].shape) if i[0].kind == "f" else None, lambda a, par: f"xg::softmax<{names(par)}>({a[0]})",
       lambda c, i, v, par: softmax(v[0], tuple(par)))
define("variance", lambda i, par: Info(reduced(i[0].shape, par, False)) if i[0].kind == "f" else None,
       lambda a, par: f"std::get<1>(xg::moments<{names(par)}>({a[0]}))", lambda c, i, v, par: variance(c, i, v[0], tuple(par), False))


# views
def moved(name, shape, text, f):
    def infer(i, par):
        s = shape(i[0].shape, par)
        return None if s is None or len(s) > 5 or not all(d.small() for d in s) else i[0].like(s)
    define(name, infer, text, lambda c, i, v, par: view(lambda x: f(c, i, x, par), v[0]))


def cut(context, infos, x, par):
    axis, begin, end, step = par
    low, high = of_text(begin).at(context.sizes), of_text(end).at(context.sizes)
    if not 0 <= low <= high <= x.shape[axis]:
        raise Reject("slice")
    return x[(slice(None),) * axis + (slice(low, high, step),)]


def of_text(e):
    """Extents in programs are [name or "", number]."""
    return of(e[0]) + e[1] if e[0] else of(e[1])


def cut_shape(shape, par):
    axis, begin, end, step = par
    if axis >= len(shape):
        return None
    span = of_text(end) - of_text(begin)
    low, rest = of_text(begin), shape[axis] - of_text(end)
    if any(e.static and e.number < 0 for e in (low, span, rest)) or any(v < 0 for e in (low, span, rest) for k, v in e.terms.items() if k != ()):
        return None
    n = span.quotient(step) if step > 1 else span
    return None if n is None else shape[:axis] + (n,) + shape[axis + 1:]


def squeezed(shape, axis):
    return shape[:axis] + shape[axis + 1:] if axis < len(shape) and shape[axis] == of(1) else None


def targets(par):
    r = []
    for factors in par:
        r.append(product([of(f) for f in factors]))
    return tuple(r)


moved("transpose", lambda s, p: tuple(s[k] for k in p) if sorted(p) == list(range(len(s))) else None,
      lambda a, p: f"xg::transpose<{names(p)}>({a[0]})", lambda c, i, x, p: np.transpose(x, p))
moved("slice", cut_shape, lambda a, p: f"xg::slice<{p[0]}, {of_text(p[1])}, {of_text(p[2])}{f', {p[3]}' if p[3] > 1 else ''}>({a[0]})", cut)
moved("expand_dims", lambda s, axis: s[:axis] + (of(1),) + s[axis:] if axis <= len(s) else None,
      lambda a, axis: f"xg::expand_dims<{axis}>({a[0]})", lambda c, i, x, axis: np.expand_dims(x, axis))
moved("squeeze", squeezed, lambda a, axis: f"xg::squeeze<{axis}>({a[0]})", lambda c, i, x, axis: np.squeeze(x, axis))
moved("reshape", lambda s, p: targets(p) if product(targets(p)) == product(s) else None,
      lambda a, p: f"xg::reshape<{names(targets(p))}>({a[0]})", lambda c, i, x, p: np.reshape(x, at(targets(p), c.sizes)))
moved("broadcast_to", lambda s, p: targets(p) if broadcast(s, targets(p)) == targets(p) else None,
      lambda a, p: f"xg::broadcast_to<{names(targets(p))}>({a[0]})", lambda c, i, x, p: np.broadcast_to(x, at(targets(p), c.sizes)))


def joined(i, axis):
    first = i[0]
    if axis >= len(first.shape) or any(len(x.shape) != len(first.shape) or x.kind != first.kind for x in i):
        return None
    if any(x.shape[k] != first.shape[k] for x in i for k in range(len(first.shape)) if k != axis):
        return None
    n = of(0)
    for x in i:
        n = n + x.shape[axis]
    if not n.small():
        return None
    bounded = all(x.low is not None for x in i)
    return Info(first.shape[:axis] + (n,) + first.shape[axis + 1:], first.kind, min(x.low for x in i) if bounded else None,
                max(x.high for x in i) if bounded else None, all(x.exact for x in i))


def join(context, infos, values, axis):
    if isinstance(values[0], Jet):
        return linear(lambda *x: np.concatenate(x, axis=axis), *values)
    return np.concatenate(values, axis=axis)


define("concat", joined, lambda a, axis: f"xg::concat<{axis}>({', '.join(a)})", join)
define("filled", lambda i, par: Info(targets(par), exact=True), lambda a, par: f"xg::broadcast_to<{names(targets(par))}>(xg::constant<T, 2>)",
       lambda c, i, v, par: Jet(np.full(at(targets(par), c.sizes), 2.0)), ())


# products; par: transposed or not
def product_infer(i, par):
    a, b = i[0].shape, i[1].shape
    if common([Info((), i[0].kind), Info((), i[1].kind)], "f") is None or len(a) < 2 or len(b) != 2 or (par[0] and len(a) > 2):
        return None
    if a[-2 if par[0] else -1] != b[1 if par[1] else 0]:
        return None
    return Info(a[:-2] + (a[-1] if par[0] else a[-2], b[0 if par[1] else 1]))


define("matmul", product_infer, lambda a, par: f"xg::matmul<{str(par[0]).lower()}, {str(par[1]).lower()}>({a[0]}, {a[1]})",
       lambda c, i, v, par: bilinear(lambda x, y: np.matmul(x.T if par[0] else x, y.T if par[1] else y), *v))


# rows by index
def in_range(info, n):
    return info.kind == "i" and info.low is not None and info.low >= 0 and n.static and info.high < n.number


def lookup_infer(bag):
    def infer(i, par):
        if i[0].kind != "f" or not i[0].shape or not in_range(i[1], i[0].shape[0]) or (bag and not i[1].shape):
            return None
        kept = i[1].shape[:-1] if bag else i[1].shape
        return None if len(kept) + len(i[0].shape) > 6 else Info(kept + i[0].shape[1:], exact=not bag and i[0].exact)
    return infer


define("gather", lookup_infer(False), lambda a, par: f"xg::gather({a[0]}, {a[1]})",
       lambda c, i, v, par: linear(lambda x: x[v[1]], v[0]), (0,))
define("embedding_bag", lookup_infer(True), lambda a, par: f"xg::embedding_bag({a[0]}, {a[1]})",
       lambda c, i, v, par: linear(lambda x: np.sum(x[v[1]], axis=v[1].ndim - 1), v[0]), (0,))
define("one_hot", lambda i, depth: Info(i[0].shape + (of(depth),), exact=True) if i[0].kind == "i" and len(i[0].shape) < 5 else None,
       lambda a, depth: f"xg::one_hot<{depth}, T>({a[0]})", lambda c, i, v, depth: Jet((v[0][..., None] == np.arange(depth)).astype(float)), ())


def entropy_infer(i, par):
    if i[0].kind != "f" or not i[0].shape or i[1].shape != i[0].shape[:-1] or not in_range(i[1], i[0].shape[-1]):
        return None
    return Info(i[1].shape)


def entropy(context, infos, values, par):
    x, ids = values
    last = x.v.ndim - 1
    return subtract(log_sum_exp(context, infos, x, (last,), False),
                    linear(lambda y: np.take_along_axis(y, ids[..., None], last)[..., 0], x))


define("sparse_softmax_cross_entropy", entropy_infer, lambda a, par: f"xg::sparse_softmax_cross_entropy({a[0]}, {a[1]})", entropy, (0,))


def best_infer(part):
    def infer(i, k):
        s = i[0].shape
        if i[0].kind == "b" or not s or not s[-1].static or not 1 <= k <= s[-1].number:
            return None
        if part == 1:
            return Info(s[:-1] + (of(k),), "i", 0, s[-1].number - 1)
        return i[0].like(s[:-1] + (of(k),))
    return infer


def best(part, sign=-1):
    def run(context, infos, values, k):
        x = raw(values[0])
        order = np.argsort(sign * x, axis=-1, kind="stable")
        ordered = np.take_along_axis(x, order, -1)
        apart(context, infos, np.diff(ordered, axis=-1))
        order = order[..., :k]
        return order if part == 1 else view(lambda y: np.take_along_axis(y, order, -1), values[0])
    return run


define("top_k.0", best_infer(0), lambda a, k: f"std::get<0>(xg::top_k<{k}>({a[0]}))", best(0))
define("top_k.1", best_infer(1), lambda a, k: f"std::get<1>(xg::top_k<{k}>({a[0]}))", best(1), ())


def sorted_infer(part):
    def infer(i, par):
        s = i[0].shape
        if i[0].kind == "b" or not s:
            return None
        return Info(s, "i") if part == 1 else i[0].like(s)
    return infer


define("sort", sorted_infer(0), lambda a, par: f"std::get<0>(xg::sort({a[0]}))", best(0, 1))
define("argsort", sorted_infer(1), lambda a, par: f"xg::argsort({a[0]})", best(1, 1), ())
define("flip", lambda i, par: i[0].like(i[0].shape) if par and max(par) < len(i[0].shape) else None,
       lambda a, par: f"xg::flip<{names(par)}>({a[0]})", lambda c, i, v, par: view(lambda y: np.flip(y, tuple(par)), v[0]))


# Loops: args are start, sequence, and a factor from outside; par: which of EMITS, which output. The body is next = tanh(h * factor + row).
EMITS = [("next", lambda x: x, lambda s: s),
         ("xg::transpose(next)", lambda x: view(np.transpose, x), lambda s: s[::-1] if len(s) == 2 else None),
         ("xg::sum<0>(next)", lambda x: sums(x, (0,), False), lambda s: s[1:] if s else None),
         ("xg::softmax<0>(next)", lambda x: softmax(x, (0,)), lambda s: s if s and s[0].static else None),
         ("xg::expand_dims<0>(next) * xg::expand_dims<1>(next)", lambda x: multiply(view(lambda y: np.expand_dims(y, 0), x), view(lambda y: np.expand_dims(y, 1), x)),
          lambda s: s[:1] + s if len(s) == 1 else None),
         ("xg::cast<T>(next > 0.25_c) * row", None, lambda s: s)]


def loop_infer(i, par):
    start, row, factor = i
    if any(x.kind != "f" for x in i) or len(row.shape) < 1 or row.shape[1:] != start.shape or broadcast(start.shape, factor.shape) != start.shape:
        return None
    s = EMITS[par[0]][2](start.shape)
    if s is None:
        return None
    return Info(start.shape) if par[1] == 0 else Info(row.shape[:1] + s)


def loop(context, infos, values, par):
    h, rows, factor = values
    emitted = []
    for k in range(len(rows.v)):
        row = linear(lambda x: x[k], rows)
        h = add(multiply(h, factor), row)
        h = chain(np.tanh, lambda x: 1 - np.tanh(x)**2, lambda x: -2 * np.tanh(x) * (1 - np.tanh(x)**2), h)
        if EMITS[par[0]][1] is not None:
            emitted.append(EMITS[par[0]][1](h))
        else:
            apart(context, [Info(())], h.v - 0.25)
            emitted.append(multiply(Jet((h.v > 0.25).astype(float)), row))
    if par[1] == 0:
        return h
    if not emitted:
        raise Reject("no turns")
    return linear(lambda *x: np.stack(x), *emitted)


define("scan", loop_infer, lambda a, par: f"std::get<{par[1]}>(xg::scan<BODY>(xg::carry({a[0]}), {a[1]}))", loop)
