# SPDX-License-Identifier: MIT
"""Signals, curves, reductions without NaN, bands, quantization, further functions and products, for the programs from number 3000000 on.

NumPy and SciPy compute them. LATER has the name of each operation, how many operands it takes, and what its parameters are chosen from.
"""
import numpy as np
from scipy import fft, integrate, special

from extents import of
from jets import Jet, add, bilinear, exp, linear, log, multiply, reciprocal, subtract
from operations import Info, Reject, apart, define, paired, raw, zero
from wide_operations import between, extended, lift, plain, scaled, shifted, square, where

LATER = []


def later(name, infer, text, run, count=1, parameters=(None,), passes=None, kinds="f"):
    """`kinds` are those of the operands, one letter for each."""
    def checked(i, par):
        return infer(i, par) if all(x.kind == kind for x, kind in zip(i, kinds * count)) else None
    define(name, checked, text, run, passes)
    LATER.append((name, count, parameters, (kinds * count)[:count]))


def form_of(template):
    return lambda a, par: template.format(*a, p=par)


# element by element
def element(name, f, domain=plain, ties=()):
    def run(context, infos, values, par):
        for at in ties:
            apart(context, [Info(())], raw(values[0]) - at)
        return f(domain[1](values[0]))
    later(name, lambda i, par: Info(i[0].shape), lambda a, par: "xg::" + name + "(" + domain[0].format(a[0]) + ")", run)


def of_order(f, n, sign):   # J, Y: f_n' = (f_(n-1) - f_(n+1)) / 2; K: -(f_(n-1) + f_(n+1)) / 2
    def slope(x, n):
        return (f(n - 1, x) - f(n + 1, x)) / 2 if sign > 0 else -(f(n - 1, x) + f(n + 1, x)) / 2

    def second(x):
        return (slope(x, n - 1) - slope(x, n + 1)) / 2 if sign > 0 else -(slope(x, n - 1) + slope(x, n + 1)) / 2
    return lift(lambda x: f(n, x), lambda x: slope(x, n), second)


for n in (0, 1):
    element(f"bessel_j{n}", of_order(special.jv, n, 1))
    element(f"bessel_y{n}", of_order(special.yv, n, 1), between)
    element(f"bessel_k{n}e", lambda x, n=n: multiply(exp(x), of_order(special.kv, n, -1)(x)), between)
element("bessel_k1", of_order(special.kv, 1, -1), between)
positive_i = [lift(special.i0, special.i1, lambda x: (special.iv(2, x) + special.i0(x)) / 2),
              lift(special.i1, lambda x: (special.iv(2, x) + special.i0(x)) / 2, lambda x: (special.iv(3, x) + 3 * special.i1(x)) / 4)]
for n in (0, 1):
    element(f"bessel_i{n}e", lambda x, n=n: multiply(exp(scaled(x, -1)), positive_i[n](x)), between)


def erfcx_slope(x):
    return 2 * x * special.erfcx(x) - 2 / np.sqrt(np.pi)


def mills(x):
    return np.exp(-x * x / 2 - special.log_ndtr(x)) / np.sqrt(2 * np.pi)


element("erfcx", lift(special.erfcx, erfcx_slope, lambda x: 2 * special.erfcx(x) + 2 * x * erfcx_slope(x)))
element("log_ndtr", lift(special.log_ndtr, mills, lambda x: -mills(x) * (x + mills(x))))
element("fresnel_cos", lift(lambda x: special.fresnel(x)[1], lambda x: np.cos(np.pi / 2 * x * x), lambda x: -np.pi * x * np.sin(np.pi / 2 * x * x)))
element("log_or_zero", lambda x: where(x.v > 0, log(Jet(np.where(x.v > 0, x.v, 1), *x.c[1:])), Jet(zero(x.v))), ties=(0,))


def pair(name, template, f, passes=None):
    def infer(i, par):
        s = paired(i[0].shape, i[1].shape)
        return None if s is None else Info(s)
    later(name, infer, form_of(template), lambda c, i, v, par: f(c, *v), 2, passes=passes)


pair("xlogy", "xg::xlogy({0}, 0.5_c + xg::square({1}))", lambda c, x, y: multiply(x, log(shifted(square(y), 0.5))))
pair("multiply_no_nan", "xg::multiply_no_nan({0}, {1})", lambda c, x, y: multiply(x, y))


def divided(context, x, y):
    apart(context, [Info(())], y.v)
    inside = np.broadcast_to(y.v > 0, np.broadcast_shapes(x.v.shape, y.v.shape))
    return where(inside, multiply(x, reciprocal(Jet(np.where(y.v > 0, y.v, 1), *y.c[1:]))), Jet(np.zeros(inside.shape)))


pair("divide_no_nan", "xg::divide_no_nan({0}, xg::relu({1}))", divided)


def floors(context, x, y):
    q = x.v / (y.v ** 2 + 0.5)
    apart(context, [Info(())], q - np.round(q))
    return Jet(np.floor(q))


pair("floor_divide", "xg::floor_divide({0}, 0.5_c + xg::square({1}))", floors)


# quantization: the gradient passes inside of the range
def passed(value, x, inside, more=()):
    return Jet(value, *linear(lambda *y: sum((m * z for m, z in zip((inside,) + tuple(m for m, _ in more), y)), np.zeros(np.shape(inside))), x,
                              *[m for _, m in more]).c[1:])


def fake_quant(context, infos, values, par):
    x, high = values[0], shifted(square(values[1]), 1)
    least, steps = -0.8, 15
    step = (high.v - least) / steps
    origin = -least / step
    apart(context, [Info(())], origin - np.floor(origin) - 0.5)
    low, top = -np.round(origin) * step, (steps - np.round(origin)) * step
    place = (np.clip(x.v, low, top) - low) / step + 0.5
    for d in (place - np.round(place), x.v - low, x.v - top):
        apart(context, [Info(())], d)
    return passed(np.floor(place) * step + low, x, (x.v >= low) & (x.v <= top), [((x.v > top) + 0.0, high)])


later("fake_quant", lambda i, par: Info(i[0].shape) if not i[1].shape else None, form_of("xg::fake_quant<4>({0}, -0.8_c, 1_c + xg::square({1}))"), fake_quant, 2)


def dequantized(context, infos, values, par):
    x = values[0]
    place = np.clip(x.v, -8 / 7, 1) * 7
    for d in (place - np.floor(place) - 0.5, x.v + 1, x.v - 1, x.v + 8 / 7):
        apart(context, [Info(())], d)
    return passed(np.round(place) / 7, x, abs(x.v) <= 1)


later("quantize_and_dequantize", lambda i, par: Info(i[0].shape),
      form_of("xg::quantize_and_dequantize<xg::quantization{{.num_bits = 4}}>({0}, -1_c, 1_c)"), dequantized)


# signals along the last axis
def sliding(i, mode):
    a, v = i[0].shape, i[1].shape
    if not a or not v or (len(a) > 1 and len(v) > 1 and a[:-1] != v[:-1]):
        return None
    n, m = a[-1], v[-1]
    if any(d.static and d.number < 1 for d in (n, m)) or not (n.static or m.static):
        return None
    if not m.static or (n.static and m.number > n.number):
        n, m = m, n
    return Info((a[:-1] if len(a) > 1 else v[:-1]) + ({"full": n + (m.number - 1), "same": n, "valid": n + (1 - m.number)}[mode],))


def slid(f):
    def run(context, infos, values, mode):
        small = [k for k in (0, 1) if infos[k].shape[-1].static]
        if len(small) == 1 and values[1 - small[0]].v.shape[-1] < values[small[0]].v.shape[-1] or any(v.v.size == 0 for v in values):
            raise Reject("short")

        def rows(x, y):
            lead = max(x.shape[:-1], y.shape[:-1], key=len)
            x, y = (np.broadcast_to(z, lead + z.shape[-1:]).reshape(-1, z.shape[-1]) for z in (x, y))
            r = np.stack([f(p, q, mode) for p, q in zip(x, y)])
            return r.reshape(lead + r.shape[-1:])
        return bilinear(rows, *values)
    return run


for name, f in (("convolve", np.convolve), ("correlate", np.correlate)):
    later(name, sliding, form_of("xg::" + name + "<xg::convolve_mode::{p}>({0}, {1})"), slid(f), 2, ("full", "same", "valid"))


def last_of(least, most=12):
    return lambda i, par: i[0] if i[0].shape and i[0].shape[-1].static and least <= i[0].shape[-1].number <= most else None


def lines(name, template, f, least=1, parameters=(None,), shape=lambda s, par: s):
    """Linear along the last axis."""
    later(name, lambda i, par: None if last_of(least)(i, par) is None else Info(shape(i[0].shape, par)), form_of(template),
          lambda c, i, v, par: linear(lambda x: f(x, par), v[0]), parameters=parameters)


for name, f in (("dct", fft.dct), ("idct", fft.idct)):
    lines(name, "xg::" + name + "<{p[0]}, xg::dct_norm::{p[1]}>({0})", lambda x, p, f=f: f(x, p[0], norm=None if p[1] == "none" else "ortho"), 2,
          [(k, n) for k in (1, 2, 3, 4) for n in ("none", "ortho")])
for part, f in (("real", np.real), ("imag", np.imag)):
    lines("rfft." + part, "xg::" + part + "(xg::rfft({0}))", lambda x, p, f=f: f(np.fft.rfft(x)), 1, shape=lambda s, p: extended(s, len(s) - 1, lambda n: n // 2 + 1))
lines("fftshift", "xg::fftshift<-1>({0})", lambda x, p: np.fft.fftshift(x, -1))
lines("frame", "xg::frame<2, 1>({0})", lambda x, p: np.lib.stride_tricks.sliding_window_view(x, 2, -1), 2,
      shape=lambda s, p: s[:-1] + (of(s[-1].number - 1), of(2)))
later("fft", lambda i, par: Info(i[0].shape) if last_of(1)(i, par) and i[0].shape == i[1].shape else None, form_of("xg::imag(xg::fft(xg::complex({0}, {1})))"),
      lambda c, i, v, par: linear(lambda x, y: np.fft.fft(x + 1j * y).imag, *v), 2)


# curves; par: axis
def points(s, axis, least, less=0, drop=False):
    """The shape of what is computed along an axis with at least `least` points."""
    if axis >= len(s) or (s[axis].static and s[axis].number < least):
        return None
    return s[:axis] + (() if drop else (s[axis] + (-less),)) + s[axis + 1:]


def curve(name, template, f, least, less=0, drop=False):
    def infer(i, p):
        s = points(i[0].shape, p, least, less, drop)
        return None if s is None or (len(i) > 1 and i[1].shape != (i[0].shape[p],)) else Info(s)

    def run(context, infos, values, p):
        if values[0].v.shape[p] < least or values[0].v.size == 0:
            raise Reject("short")
        return f(context, p, *values)
    later(name, infer, form_of(template), run, 2 if "{1}" in template else 1, (0, 1, 1, 2))


curve("trapezoid", "xg::trapezoid<{p}>({0})", lambda c, p, y: linear(lambda y: np.asarray(np.trapezoid(y, axis=p)), y), 1, drop=True)
curve("trapezoid.x", "xg::trapezoid<{p}>({0}, {1})", lambda c, p, *v: bilinear(lambda y, x: np.asarray(np.trapezoid(y, x, axis=p)), *v), 1, drop=True)
curve("cumulative_trapezoid", "xg::cumulative_trapezoid<{p}>({0}, 0.5_c)",
      lambda c, p, y: linear(lambda y: integrate.cumulative_trapezoid(y, dx=0.5, axis=p), y), 2, 1)
curve("cumulative_trapezoid.x", "xg::cumulative_trapezoid<{p}>({0}, {1})",
      lambda c, p, *v: bilinear(lambda y, x: integrate.cumulative_trapezoid(y, x, axis=p), *v), 2, 1)
for order in (1, 2):
    curve(f"numerical_gradient.{order}", "xg::numerical_gradient<{p}, " + str(order) + ">({0}, 0.25_c)",
          lambda c, p, y, order=order: linear(lambda y: np.gradient(y, 0.25, axis=p, edge_order=order), y), order + 1)


def slopes(context, p, y, x):
    """At places x: their distances are those of sums of squares."""
    place = linear(lambda z: np.cumsum(z), shifted(square(x), 0.5))
    w = linear(np.diff, place)
    shape = [1] * y.v.ndim
    w = linear(lambda z: z.reshape([-1 if k == p else 1 for k in range(len(shape))]), w)

    def part(z, a, b):
        return linear(lambda q: np.take(q, range(a, q.shape[p] + b), p), z)
    rise = multiply(subtract(part(y, 1, 0), part(y, 0, -1)), reciprocal(w))
    a, b = part(w, 0, -1), part(w, 1, 0)
    inside = multiply(add(multiply(part(rise, 1, 0), a), multiply(part(rise, 0, -1), b)), reciprocal(add(a, b)))
    n = rise.v.shape[p]
    return linear(lambda *z: np.concatenate(z, p), part(rise, 0, 1 - n), inside, part(rise, n - 1, 0))


curve("numerical_gradient.x", "xg::numerical_gradient<{p}>({0}, xg::cumsum<0>(0.5_c + xg::square({1})))", slopes, 2)


def polyval(context, infos, values, par):
    p, x = values
    r = Jet(zero(x.v))
    for k in range(p.v.shape[0]):
        r = add(multiply(r, x), linear(lambda z: z[k], p))
    return r


later("polyval", lambda i, par: Info(i[1].shape) if len(i[0].shape) == 1 and i[0].shape[0].static and i[0].shape[0].number > 0 else None,
      form_of("xg::polyval({0}, {1})"), polyval, 2)
later("vander", lambda i, par: Info(i[0].shape + (of(3),)) if len(i[0].shape) < 4 else None, form_of("xg::vander<3>({0})"),
      lambda c, i, v, par: linear(lambda *z: np.stack(z, -1), square(v[0]), v[0], Jet(zero(v[0].v) + 1)))


def interp(context, infos, values, par):
    x, y = values
    n = y.v.shape[0]
    at = np.linspace(-1, 0.75, n)
    for a in at:
        apart(context, [Info(())], x.v - a)
    k = np.clip(np.searchsorted(at, x.v) - 1, 0, n - 2)
    inside = (x.v > at[0]) & (x.v < at[-1])
    part = scaled(linear(lambda z: np.where(inside, z, 0), Jet(np.where(inside, x.v - at[k], (x.v >= at[-1]) * (at[1] - at[0])), *x.c[1:])), 1 / (at[1] - at[0]))
    part = Jet(np.where(inside, (x.v - at[k]) / (at[1] - at[0]), x.v >= at[-1]), *part.c[1:])
    low, high = linear(lambda z: z[k], y), linear(lambda z: z[k + 1], y)
    return add(low, multiply(part, subtract(high, low)))


later("interp", lambda i, n: Info(i[0].shape) if i[1].shape == (of(n),) else None, form_of("xg::interp({0}, xg::linspace<{p}, T>(-1_c, 0.75_c), {1})"), interp, 2,
      (2, 3, 4, 5))
