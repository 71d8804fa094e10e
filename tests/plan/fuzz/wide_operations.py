# SPDX-License-Identifier: MIT
"""More operations of random programs: those of <xgrad/all.hpp>. SciPy computes the special functions.

Only programs from number 2000000 on have them (WideMaker in programs.py). Importing adds them to OPS. WIDE has the names by kind.
"""
import numpy as np
from scipy import special

from extents import of
from jets import Jet, add, bilinear, chain, exp, linear, log, multiply, reciprocal, subtract
from operations import (OPS, Info, Reject, apart, averages, common, define, greatest, log_sum_exp, moved, names, raw, reduced, reduction, sigmoid, slope, sums,
                        zero)

BEFORE = set(OPS)
WIDE = {"unary": [], "binary": [], "reduce": [], "row": [], "view": [], "number": []}


def lift(f, df, ddf):
    return lambda x: chain(f, df, ddf, x)


def shifted(x, c):
    return Jet(x.v + c, *x.c[1:])


def scaled(x, c):
    return linear(lambda y: c * y, x)


def power(x, p):
    return chain(lambda v: v ** p, lambda v: p * v ** (p - 1), lambda v: p * (p - 1) * v ** (p - 2), x)


def where(test, x, y):
    return linear(lambda p, q: np.where(np.broadcast_to(test, np.broadcast_shapes(p.shape, q.shape)), p, q), x, y)


tanh = lift(np.tanh, lambda x: 1 - np.tanh(x) ** 2, lambda x: -2 * np.tanh(x) * (1 - np.tanh(x) ** 2))
soft = lift(lambda x: np.logaddexp(0, x), sigmoid, slope)
logistic = lift(sigmoid, slope, lambda x: slope(x) * (1 - 2 * sigmoid(x)))
square = lift(np.square, lambda x: 2 * x, lambda x: 2 + zero(x))
near = ("(0.75_c * xg::tanh({0}))", lambda x: scaled(tanh(x), 0.75))
above = ("(0.5_c + xg::square({0}))", lambda x: shifted(square(x), 0.5))
over_one = ("(1.25_c + xg::square({0}))", lambda x: shifted(square(x), 1.25))
plain = ("{0}", lambda x: x)
root_pi = np.sqrt(np.pi)


def phi(x):
    return np.exp(-x * x / 2) / np.sqrt(2 * np.pi)


def element(name, f, domain=plain, text=None, ties=()):
    """f computes with jets. `ties` are numbers near which an operand means nothing."""
    def run(context, infos, values, par):
        for at in ties:
            apart(context, [Info(())], raw(values[0]) - at)
        return f(domain[1](values[0]))
    define(name, lambda i, par: Info(i[0].shape) if i[0].kind == "f" else None,
           lambda a, par: (text or "xg::" + name + "({0})").format(domain[0].format(a[0]) if not text else a[0]), run)
    WIDE["unary"].append(name)


element("tan", lift(np.tan, lambda x: 1 / np.cos(x) ** 2, lambda x: 2 * np.tan(x) / np.cos(x) ** 2), near)
element("asin", lift(np.arcsin, lambda x: (1 - x * x) ** -0.5, lambda x: x * (1 - x * x) ** -1.5), near)
element("acos", lift(np.arccos, lambda x: -(1 - x * x) ** -0.5, lambda x: -x * (1 - x * x) ** -1.5), near)
arctan = lift(np.arctan, lambda x: 1 / (1 + x * x), lambda x: -2 * x / (1 + x * x) ** 2)
element("atan", arctan)
element("sinh", lift(np.sinh, np.cosh, np.sinh))
element("cosh", lift(np.cosh, np.sinh, np.cosh))
element("asinh", lift(np.arcsinh, lambda x: (1 + x * x) ** -0.5, lambda x: -x * (1 + x * x) ** -1.5))
element("acosh", lift(np.arccosh, lambda x: (x * x - 1) ** -0.5, lambda x: -x * (x * x - 1) ** -1.5), over_one)
element("atanh", lift(np.arctanh, lambda x: 1 / (1 - x * x), lambda x: 2 * x / (1 - x * x) ** 2), near)
for base in (2, 10):
    c = np.log(base)
    element(f"exp{base}", lambda x, c=c: exp(scaled(x, c)), near)
    element(f"log{base}", lambda x, c=c: scaled(log(x), 1 / c), above)
element("cbrt", lambda x: power(x, 1 / 3), above)
element("reciprocal", reciprocal, above)
element("rsqrt", lambda x: power(x, -0.5), above)
element("deg2rad", lambda x: scaled(x, np.pi / 180))
element("rad2deg", lambda x: scaled(x, 180 / np.pi))
element("sinc", lift(np.sinc, lambda x: (np.cos(np.pi * x) - np.sinc(x)) / x,
                     lambda x: -np.pi ** 2 * np.sinc(x) - 2 * (np.cos(np.pi * x) - np.sinc(x)) / x ** 2), ("{0}", lambda x: x), ties=(0,))
element("erfc", lift(special.erfc, lambda x: -2 / root_pi * np.exp(-x * x), lambda x: 4 / root_pi * x * np.exp(-x * x)))
normal = lift(special.ndtr, phi, lambda x: -x * phi(x))
element("ndtr", normal)
element("erfinv", lift(special.erfinv, lambda x: root_pi / 2 * np.exp(special.erfinv(x) ** 2),
                       lambda x: np.pi / 2 * special.erfinv(x) * np.exp(2 * special.erfinv(x) ** 2)), near)
element("ndtri", lift(special.ndtri, lambda x: 1 / phi(special.ndtri(x)), lambda x: special.ndtri(x) / phi(special.ndtri(x)) ** 2),
        ("xg::sigmoid({0})", logistic))
element("lgamma", lift(special.gammaln, special.digamma, lambda x: special.polygamma(1, x)), above)
element("digamma", lift(special.digamma, lambda x: special.polygamma(1, x), lambda x: special.polygamma(2, x)), above)
element("polygamma", lift(lambda x: special.polygamma(1, x), lambda x: special.polygamma(2, x), lambda x: special.polygamma(3, x)), above,
        "xg::polygamma(1_c, 0.5_c + xg::square({0}))")
element("zeta", lift(lambda x: special.zeta(2.5, x), lambda x: -2.5 * special.zeta(3.5, x), lambda x: 8.75 * special.zeta(4.5, x)), above,
        "xg::zeta(2.5_c, 0.5_c + xg::square({0}))")


def gamma_density(x):
    return x ** 0.5 * np.exp(-x) / special.gamma(1.5)


for name, sign, f in (("igamma", 1, special.gammainc), ("igammac", -1, special.gammaincc)):
    element(name, lift(lambda x, f=f: f(1.5, x), lambda x, s=sign: s * gamma_density(x), lambda x, s=sign: s * gamma_density(x) * (0.5 / x - 1)), above,
            "xg::" + name + "(1.5_c, 0.5_c + xg::square({0}))")


def beta_density(x):
    return x ** 0.5 * (1 - x) ** 1.5 / special.beta(1.5, 2.5)


element("betainc", lift(lambda x: special.betainc(1.5, 2.5, x), beta_density, lambda x: beta_density(x) * (0.5 / x - 1.5 / (1 - x))), ("", logistic),
        "xg::betainc(1.5_c, 2.5_c, xg::sigmoid({0}))")


def i0_second(x):
    return (special.iv(2, x) + special.i0(x)) / 2


element("bessel_i0", lift(special.i0, special.i1, i0_second))
element("bessel_i1", lift(special.i1, i0_second, lambda x: (special.iv(3, x) + 3 * special.i1(x)) / 4))
between = ("(2.5_c + xg::tanh({0}))", lambda x: shifted(tanh(x), 2.5))
element("bessel_k0", lift(special.k0, lambda x: -special.k1(x), lambda x: special.k0(x) + special.k1(x) / x), between)
element("dawson", lift(special.dawsn, lambda x: 1 - 2 * x * special.dawsn(x),
                       lambda x: -2 * special.dawsn(x) - 2 * x * (1 - 2 * x * special.dawsn(x))))
element("expint", lift(special.expi, lambda x: np.exp(x) / x, lambda x: np.exp(x) * (x - 1) / (x * x)), between)
element("fresnel_sin", lift(lambda x: special.fresnel(x)[0], lambda x: np.sin(np.pi / 2 * x * x), lambda x: np.pi * x * np.cos(np.pi / 2 * x * x)), near)
element("spence", lift(special.spence, lambda x: np.log(x) / (1 - x), lambda x: 1 / (x * (1 - x)) + np.log(x) / (1 - x) ** 2), between)
# activations
element("relu6", lambda x: scaled(where(x.v > 0, where(x.v < 1.5, x, Jet(zero(x.v) + 1.5)), Jet(zero(x.v))), 4), text="xg::relu6({0} * 4_c)", ties=(0, 1.5))
element("hard_tanh", lambda x: where(abs(x.v) < 1, x, Jet(np.sign(x.v))), ties=(-1, 1))


def hard(x):
    return where(abs(x.v) < 3, shifted(scaled(x, 1 / 6), 0.5), Jet((x.v > 0) + 0.0))


element("hard_sigmoid", lambda x: hard(scaled(x, 3)), text="xg::hard_sigmoid({0} * 3_c)", ties=(-1, 1))
element("hard_swish", lambda x: multiply(scaled(x, 3), hard(scaled(x, 3))), text="xg::hard_swish({0} * 3_c)", ties=(-1, 1))
element("leaky_relu", lambda x: where(x.v > 0, x, scaled(x, 0.2)), text="xg::leaky_relu({0}, 0.2_c)", ties=(0,))
element("threshold", lambda x: where(x.v > 0.25, x, Jet(zero(x.v) - 2)), text="xg::threshold({0}, 0.25_c, -2_c)", ties=(0.25,))
element("softsign", lambda x: multiply(x, reciprocal(shifted(where(x.v > 0, x, scaled(x, -1)), 1))), ties=(0,))
small_exp = lift(np.expm1, np.exp, np.exp)
element("elu", lambda x: where(x.v > 0, x, scaled(small_exp(x), 1.5)), text="xg::elu({0}, 1.5_c)", ties=(0,))
element("celu", lambda x: where(x.v > 0, x, scaled(small_exp(scaled(x, 1 / 1.5)), 1.5)), text="xg::celu({0}, 1.5_c)", ties=(0,))
element("selu", lambda x: scaled(where(x.v > 0, x, scaled(small_exp(x), 1.6732632423543772)), 1.0507009873554805), ties=(0,))
element("gelu", lambda x: multiply(x, normal(x)))
element("gelu_tanh", lambda x: scaled(multiply(x, shifted(tanh(scaled(add(x, scaled(power(x, 3), 0.044715)), np.sqrt(2 / np.pi))), 1)), 0.5))
element("silu", lambda x: multiply(x, logistic(x)))
element("mish", lambda x: multiply(x, tanh(soft(x))))
element("log_sigmoid", lambda x: scaled(soft(scaled(x, -1)), -1))


# rounding
def whole(name, f, half=0.0):
    def run(context, infos, values, par):
        x = raw(values[0]) * 3 + 0.0625
        apart(context, [Info(())], x - half - np.round(x - half))
        return Jet(f(x))
    define(name, lambda i, par: Info(i[0].shape) if i[0].kind == "f" else None, lambda a, par: f"xg::{name}(0.0625_c + {a[0]} * 3_c)", run)
    WIDE["unary"].append(name)


whole("floor", np.floor)
whole("ceil", np.ceil)
whole("trunc", np.trunc)
whole("round", np.round, 0.5)
element("clip", lambda x: where(x.v < -0.5, Jet(zero(x.v) - 0.5), where(x.v > 0.375, Jet(zero(x.v) + 0.375), x)), text="xg::clip({0}, -0.5_c, 0.375_c)",
        ties=(-0.5, 0.375))


def pair(name, text, f):
    def infer(i, par):
        s = common(i, "f")
        return None if s is None else Info(s)
    define(name, infer, lambda a, par: text.format(*a), lambda c, i, v, par: f(c, i, *v))
    WIDE["binary"].append(name)


def remainder(quotient):
    def f(context, infos, x, y):
        y = shifted(square(y), 0.5)
        q = x.v / y.v
        apart(context, [Info(())], q - np.round(q))
        return subtract(x, multiply(Jet(quotient(q)), y))
    return f


pair("mod", "xg::mod({0}, 0.5_c + xg::square({1}))", remainder(np.floor))
pair("fmod", "xg::fmod({0}, 0.5_c + xg::square({1}))", remainder(np.trunc))
pair("atan2", "xg::atan2({0}, 0.5_c + xg::square({1}))", lambda c, i, x, y: arctan(multiply(x, reciprocal(shifted(square(y), 0.5)))))
pair("hypot", "xg::hypot({0}, 0.5_c + xg::square({1}))", lambda c, i, x, y: power(add(square(x), square(shifted(square(y), 0.5))), 0.5))
pair("logaddexp", "xg::logaddexp({0}, {1})", lambda c, i, x, y: add(y, soft(subtract(x, y))))
pair("logaddexp2", "xg::logaddexp2({0}, {1})", lambda c, i, x, y: add(y, scaled(soft(scaled(subtract(x, y), np.log(2))), 1 / np.log(2))))
log1p = lift(np.log1p, lambda x: 1 / (1 + x), lambda x: -1 / (1 + x) ** 2)
pair("xlog1py", "xg::xlog1py({0}, xg::square({1}))", lambda c, i, x, y: multiply(x, log1p(square(y))))


def signed(context, infos, x, y):
    for v in (x, y):
        apart(context, [Info(())], v.v)
    return multiply(x, Jet(np.sign(x.v) * np.sign(y.v)))


pair("copysign", "xg::copysign({0}, {1})", signed)
define("logical_xor", lambda i, par: None if common(i, "b") is None else Info(common(i, "b"), "b", 0, 1),
       lambda a, par: f"xg::logical_xor({a[0]}, {a[1]})", lambda c, i, v, par: np.logical_xor(v[0], v[1]), ())


# over axes
def over(name, run, kinds="f"):
    reduction(name, run, kinds)
    WIDE["reduce"].append(name)


def deviations(context, infos, x, axes, keep):
    d = subtract(x, averages(context, infos, x, axes, True))
    return averages(context, infos, multiply(d, d), axes, keep)


def rooted(context, r):
    if np.any(r.v < 1e-2):
        raise Reject("near the root of zero")
    return r


def absolute(context, x):
    apart(context, [Info(())], x.v)
    return multiply(x, Jet(np.sign(x.v)))


def smallest(context, infos, x, axes, keep):
    return scaled(greatest(context, infos, scaled(x, -1), axes, keep), -1)


reduction("w.variance", deviations)
WIDE["reduce"].append("w.variance")
over("stddev", lambda c, i, x, axes, keep: power(rooted(c, deviations(c, i, x, axes, keep)), 0.5))
over("l1_norm", lambda c, i, x, axes, keep: sums(absolute(c, x), axes, keep))
over("sum_of_squares", lambda c, i, x, axes, keep: sums(square(x), axes, keep))
over("ptp", lambda c, i, x, axes, keep: subtract(greatest(c, [Info(())], x, axes, keep), smallest(c, [Info(())], x, axes, keep)))
define("p_norm", lambda i, par: Info(reduced(i[0].shape, *par)) if i[0].kind == "f" else None,
       lambda a, par: f"xg::p_norm<{names(par[0])}>({a[0]}, 3_c{', xg::keep_dims' if par[1] else ''})",
       lambda c, i, v, par: power(rooted(c, sums(power(absolute(c, v[0]), 3), tuple(par[0]), par[1])), 1 / 3))
WIDE["reduce"].append("p_norm")


def at_rank(context, x, axes, keep, q):
    axes = tuple(axes)
    rest = [k for k in range(x.v.ndim) if k not in axes]
    shape = [x.v.shape[k] for k in rest]
    n = int(np.prod([x.v.shape[k] for k in axes]))
    if n == 0:
        raise Reject("no elements")
    flat = linear(lambda y: np.transpose(y, rest + list(axes)).reshape(shape + [n]), x)
    order = np.argsort(flat.v, axis=-1)
    apart(context, [Info(())], np.diff(np.take_along_axis(flat.v, order, -1), axis=-1))
    place = q * (n - 1)
    low = int(np.floor(place))
    high, part = min(low + 1, n - 1), place - low

    def chosen(y):
        s = np.take_along_axis(y, order, -1)
        r = s[..., low] * (1 - part) + s[..., high] * part
        return np.expand_dims(r, axes) if keep else r
    return linear(chosen, flat)


over("median", lambda c, i, x, axes, keep: at_rank(c, x, axes, keep, 0.5))
define("quantile", lambda i, par: Info(reduced(i[0].shape, *par)) if i[0].kind == "f" else None,
       lambda a, par: f"xg::quantile<{names(par[0])}>({a[0]}, 0.3_c{', xg::keep_dims' if par[1] else ''})",
       lambda c, i, v, par: at_rank(c, v[0], par[0], par[1], 0.3))
WIDE["reduce"].append("quantile")


# along one axis; par: axis, form
FORMS = ["", ", xg::cumulative::exclusive", ", xg::cumulative::reverse"]


def cut_last(shape, axis):
    return shape[:axis] + shape[axis + 1:]


def along(name, run, kinds="f"):
    define(name, lambda i, par: Info(i[0].shape, i[0].kind) if i[0].kind in kinds and par[0] < len(i[0].shape) else None,
           lambda a, par: f"xg::{name}<{par[0]}{FORMS[par[1]]}>({a[0]})", lambda c, i, v, par: accumulated(c, i, v[0], run, *par))
    WIDE["row"].append(name)


def accumulated(context, infos, x, run, axis, form):
    if not isinstance(x, Jet):
        return np.rint(accumulated(context, infos, Jet(x.astype(float)), run, axis, form).v).astype(np.int64)
    if form == 2:
        x = linear(lambda y: np.flip(y, axis), x)
    parts = [linear(lambda y, k=k: np.take(y, k, axis), x) for k in range(x.v.shape[axis])]
    first, join = run
    out, total = [], Jet(np.full(np.delete(x.v.shape, axis), first))
    for k, p in enumerate(parts):
        if form == 1:
            out.append(total)
        total = p if k == 0 else join(context, total, p)
        if form != 1:
            out.append(total)
    if not out:
        raise Reject("empty")
    r = linear(lambda *y: np.stack(y, axis), *out)
    return linear(lambda y: np.flip(y, axis), r) if form == 2 else r


def larger(sign):
    def join(context, x, y):
        apart(context, [Info(())], x.v - y.v)
        return where(sign * (x.v - y.v) > 0, x, y)
    return join


along("cumsum", (0.0, lambda c, x, y: add(x, y)), "fi")
along("cumprod", (1.0, lambda c, x, y: multiply(x, y)))
along("cummax", (-np.inf, larger(1)))
along("cummin", (np.inf, larger(-1)))
along("cumulative_logsumexp", (-np.inf, lambda c, x, y: add(y, soft(subtract(x, y)))))


def place(name, f):
    def run(context, infos, values, par):
        x = raw(values[0])
        if x.shape[par[0]] == 0:
            raise Reject("empty")
        if infos[0].kind == "f":
            apart(context, [Info(())], np.diff(np.sort(x, axis=par[0]), axis=par[0]))
        return f(x, par[0])

    def infer(i, par):
        if i[0].kind == "b" or par[0] >= len(i[0].shape):
            return None
        n = i[0].shape[par[0]]
        return Info(cut_last(i[0].shape, par[0]), "i", 0 if n.static else None, n.number - 1 if n.static else None)
    define(name, infer, lambda a, par: f"xg::{name}<{par[0]}>({a[0]})", run, ())
    WIDE["row"].append(name)


place("argmax", np.argmax)
place("argmin", np.argmin)


# shapes; par: axis
def known(s, axis, least=1):
    return axis < len(s) and s[axis].static and s[axis].number >= least


def extended(s, axis, f):
    return s[:axis] + (of(f(s[axis].number)),) + s[axis + 1:]


def form(name, shape, text, f):
    moved(name, shape, lambda a, p: text.format(a[0], p), lambda c, i, x, p: f(x, p))
    WIDE["view"].append(name)


form("roll", lambda s, p: s if known(s, p) else None, "xg::roll<-2, {1}>({0})", lambda x, p: np.roll(x, -2, p))
form("tile", lambda s, p: extended(s, p, lambda n: 2 * n) if known(s, p) else None, "xg::tile<2, {1}>({0})", lambda x, p: np.concatenate([x, x], p))
form("repeat", lambda s, p: extended(s, p, lambda n: 2 * n) if known(s, p) else None, "xg::repeat<2, {1}>({0})", lambda x, p: np.repeat(x, 2, p))


def padded(mode):
    return lambda x, p: np.pad(x, [(1, 2) if k == p else (0, 0) for k in range(x.ndim)], mode)


for mode, cpp, least in (("reflect", "reflect", 3), ("symmetric", "symmetric", 2), ("edge", "edge", 1)):
    form(f"pad.{mode}", lambda s, p, least=least: extended(s, p, lambda n: n + 3) if known(s, p, least) else None,
         "xg::pad<1, 2, {1}, xg::padding::" + cpp + ">({0})", padded(mode))
form("moveaxis", lambda s, p: s[1:p + 1] + s[:1] + s[p + 1:] if 0 < p < len(s) else None, "xg::moveaxis<0, {1}>({0})", lambda x, p: np.moveaxis(x, 0, p))
form("swapaxes", lambda s, p: s[-1:] + s[1:-1] + s[:1] if len(s) > 1 else None, "xg::swapaxes<0, -1>({0})", lambda x, p: np.swapaxes(x, 0, -1))
form("rot90", lambda s, p: (s[1], s[0]) + s[2:] if len(s) > 1 else None, "xg::rot90({0})", lambda x, p: np.rot90(x))
form("stack", lambda s, p: s[:p] + (of(2),) + s[p:] if p <= len(s) else None, "xg::stack<{1}>({0}, {0})", lambda x, p: np.stack([x, x], p))
form("unstack", lambda s, p: cut_last(s, p) if known(s, p, 2) and s[p].number < 32 else None, "std::get<1>(xg::unstack<{1}>({0}))", lambda x, p: np.take(x, 1, p))
form("split", lambda s, p: extended(s, p, lambda n: n // 2) if known(s, p, 2) and s[p].number % 2 == 0 else None, "std::get<1>(xg::split<2, {1}>({0}))",
     lambda x, p: np.split(x, 2, p)[1])


def numeric(name, shape, text, f):
    """Not of bool."""
    form(name, shape, text, f)
    infer, *rest = OPS[name]
    OPS[name] = (lambda i, par: None if i[0].kind != "f" else (lambda r: r and Info(r.shape))(infer(i, par)), *rest)


numeric("pad.zero", lambda s, p: extended(s, p, lambda n: n + 3) if known(s, p) else None, "xg::pad<1, 2, {1}>({0})", padded("constant"))
numeric("flatten", lambda s, p: flat_shape(s), "xg::flatten<-2>({0})", lambda x, p: x.reshape(x.shape[:-2] + (-1,)) if x.size else reject())
numeric("diff", lambda s, p: extended(s, p, lambda n: n - 1) if known(s, p, 2) else None, "xg::diff<{1}>({0})", lambda x, p: np.diff(x, axis=p))
for name, f in (("tril", np.tril), ("triu", np.triu)):
    numeric(name, lambda s, p: s if len(s) > 1 else None, "xg::" + name + "<1>({0})", lambda x, p, f=f: f(x, 1))
numeric("band_part", lambda s, p: s if len(s) > 1 else None, "xg::band_part<1, 0>({0})", lambda x, p: np.tril(np.triu(x, -1)))
numeric("diag", lambda s, p: s + s[-1:] if s and s[-1].static else None, "xg::diag({0})", lambda x, p: x[..., None] * np.eye(x.shape[-1]))
numeric("diag_part", lambda s, p: s[:-1] if len(s) > 1 and s[-1] == s[-2] else None, "xg::diag_part({0})", lambda x, p: np.diagonal(x, 0, -2, -1))
numeric("trace", lambda s, p: s[:-2] if len(s) > 1 and s[-1] == s[-2] else None, "xg::trace({0})", lambda x, p: np.asarray(np.trace(x, 0, -2, -1)))


def reject():
    raise Reject("empty")


def flat_shape(s):
    if len(s) < 2:
        return None
    n = s[-1] * s[-2]
    return s[:-2] + (n,) if n.small() else None


# numbers from nothing
def constant(name, text, shape, f):
    define(name, lambda i, par: Info(shape, exact=True), lambda a, par: text, lambda c, i, v, par: Jet(f(c.sizes)), ())
    WIDE["number"].append(name)


constant("linspace", "xg::linspace<5, T>(-1_c, 0.75_c)", (of(5),), lambda sizes: np.linspace(-1, 0.75, 5))
constant("linspace.b", "xg::linspace<b, T>(0_c, 1_c)", (of("b"),), lambda sizes: np.linspace(0, 1, sizes["b"]))
constant("arange", "xg::arange<b, T>()", (of("b"),), lambda sizes: np.arange(sizes["b"]) + 0.0)
constant("eye", "xg::eye<4, T>()", (of(4), of(4)), lambda sizes: np.eye(4))
constant("ones", "xg::ones<T, b, 3>()", (of("b"), of(3)), lambda sizes: np.ones((sizes["b"], 3)))


# by index
def in_range(info, n):
    return info.kind == "i" and info.low is not None and info.low >= 0 and n.static and info.high < n.number


def take_infer(i, axis):
    s = i[0].shape
    if i[0].kind != "f" or axis >= len(s) or not in_range(i[1], s[axis]):
        return None
    return Info(s[:axis] + i[1].shape + s[axis + 1:])


define("take", take_infer, lambda a, axis: f"xg::take<{axis}>({a[0]}, {a[1]})", lambda c, i, v, axis: linear(lambda x: np.take(x, v[1], axis), v[0]), (0,))


def element_infer(i, axis):
    s, ids = i[0].shape, i[1].shape
    if i[0].kind != "f" or axis >= len(s) or len(ids) != len(s) or not in_range(i[1], s[axis]):
        return None
    if any(d != e for k, (d, e) in enumerate(zip(s, ids)) if k != axis):
        return None
    return Info(ids)


define("take_along_axis", element_infer, lambda a, axis: f"xg::take_along_axis<{axis}>({a[0]}, {a[1]})",
       lambda c, i, v, axis: linear(lambda x: np.take_along_axis(x, v[1], axis), v[0]), (0,))


def argsorted(context, infos, values, par):
    """Rows in the order of other rows: take_along_axis of argsort."""
    order = np.argsort(values[1].v, axis=-1, kind="stable")
    apart(context, [Info(())], np.diff(np.take_along_axis(values[1].v, order, -1), axis=-1))
    return linear(lambda x: np.take_along_axis(x, order, -1), values[0])


define("ordered", lambda i, par: Info(i[0].shape) if common(i, "f") is not None and i[0].shape == i[1].shape and i[0].shape else None,
       lambda a, par: f"xg::take_along_axis<{par}>({a[0]}, xg::argsort({a[1]}))", argsorted, (0,))


def segment_infer(i, par):
    if i[0].kind != "f" or not i[0].shape or i[1].kind != "i" or len(i[1].shape) != 1 or i[1].shape != i[0].shape[:1] or not in_range(i[1], of(6)):
        return None
    return Info((of(6),) + i[0].shape[1:])


def hits(ids):
    return (ids[None, :] == np.arange(6)[:, None]) + 0.0


def rows_in(m, x):
    return (m @ x.reshape(x.shape[0], -1) if x.size else np.zeros((6, int(np.prod(x.shape[1:]))))).reshape((6,) + x.shape[1:])


define("segment_sum", segment_infer, lambda a, par: f"xg::segment_sum<6>({a[0]}, {a[1]})",
       lambda c, i, v, par: linear(lambda x: rows_in(hits(v[1]), x), v[0]), (0,))
define("segment_mean", segment_infer, lambda a, par: f"xg::segment_mean<6>({a[0]}, {a[1]})",
       lambda c, i, v, par: linear(lambda x: rows_in(hits(v[1]) / np.maximum(hits(v[1]).sum(1, keepdims=True), 1), x), v[0]), (0,))


def extreme(sign):
    def run(context, infos, values, par):
        x, m = values[0].v, hits(values[1])
        if not x.size:
            raise Reject("empty")
        out = np.zeros((6,) + x.shape[1:], dtype=int)
        for s in range(6):
            rows = np.flatnonzero(m[s])
            if len(rows):
                part = sign * x[rows]
                apart(context, [Info(())], np.diff(np.sort(part, axis=0), axis=0))
                out[s] = rows[np.argmax(part, axis=0)]
        filled = (m.sum(1) > 0).reshape((6,) + (1,) * (x.ndim - 1))
        return linear(lambda y: np.where(filled, np.take_along_axis(y, out, 0), 0.0), values[0])
    return run


define("segment_max", segment_infer, lambda a, par: f"xg::segment_max<6>({a[0]}, {a[1]})", extreme(1), (0,))
define("segment_min", segment_infer, lambda a, par: f"xg::segment_min<6>({a[0]}, {a[1]})", extreme(-1), (0,))


def scatter_infer(i, par):   # table, ids [n], updates [n, row...]
    if i[0].kind != "f" or i[2].kind != "f" or not i[0].shape or len(i[1].shape) != 1 or not in_range(i[1], i[0].shape[0]):
        return None
    return Info(i[0].shape) if i[2].shape == i[1].shape + i[0].shape[1:] else None


def scatter(how):
    def run(context, infos, values, par):
        x, ids, u = values

        def f(x, u):
            x = x.copy()
            if how == "add":
                np.add.at(x, ids, u)
            else:
                for k, row in enumerate(ids):
                    x[row] = u[k]
            return x
        return linear(f, x, u)
    return run


for how in ("add", "update"):
    define(f"scatter_{how}", scatter_infer, lambda a, par, how=how: f"xg::scatter_{how}({', '.join(a)})", scatter(how), (0, 2))


# products; par: which of EINSUMS
EINSUMS = ["ij,kj->ik", "ij,jk->ki", "ij,ij->i", "ij,ij->j", "bij,bkj->bik", "bi,bj->bij", "ijk,kl->jil", "ij,j->i", "i,j->ij", "bij,bj->bi", "ii,ij->j"]


def einsum_infer(i, par):
    if any(x.kind != "f" for x in i):
        return None
    left, right = EINSUMS[par].split("->")
    found = {}
    for x, letters in zip(i, left.split(",")):
        if len(x.shape) != len(letters):
            return None
        for d, letter in zip(x.shape, letters):
            if found.setdefault(letter, d) != d:
                return None
    return Info(tuple(found[letter] for letter in right))


define("einsum", einsum_infer, lambda a, par: f"xg::einsum<\"{EINSUMS[par]}\">({a[0]}, {a[1]})",
       lambda c, i, v, par: bilinear(lambda x, y: np.einsum(EINSUMS[par], x, y), *v))


# linear algebra
def solved(context, infos, values, par):
    """x of (a aᵀ + 2 1) x = b, with a first and a second derivative by the rule of the inverse."""
    a, b = values
    m = bilinear(lambda x, y: x @ np.swapaxes(y, -1, -2), a, a)
    m = Jet(m.v + 2 * np.eye(m.v.shape[-1]), *m.c[1:])
    inverse = np.linalg.inv(m.v)
    # Newton's step doubles the order in nilpotent directions: three are enough for two directions.
    r = Jet(inverse)
    for _ in range(3):
        e = bilinear(np.matmul, m, r)
        r = bilinear(np.matmul, r, Jet(2 * np.eye(m.v.shape[-1]) - e.v, *[None if c is None else -c for c in e.c[1:]]))
    return bilinear(np.matmul, r, b)


def solve_infer(i, par):
    a, b = i[0].shape, i[1].shape
    if common([Info((), i[0].kind), Info((), i[1].kind)], "f") is None or len(a) != 2 or len(b) != 2 or a[0] != b[0] or not a[0].static or a[0].number > 6:
        return None
    return Info(b)


SPD = "(xg::matmul<false, true>({0}, {0}) + 2_c * xg::eye<{n}, T>())"


def solve_text(form):
    def text(a, par):
        return form.format(SPD.format(a[0], n=par), a[1])
    return text


define("solve", lambda i, par: solve_infer(i, par) if i[0].shape and i[0].shape[0] == of(par) else None, solve_text("xg::solve({0}, {1})"), solved)
define("cholesky_solve", lambda i, par: solve_infer(i, par) if i[0].shape and i[0].shape[0] == of(par) else None,
       solve_text("xg::cholesky_solve(xg::cholesky({0}), {1})"), solved)
ADDED = set(OPS) - BEFORE
