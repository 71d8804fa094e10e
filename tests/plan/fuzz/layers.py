# SPDX-License-Identifier: MIT
"""Layers of random networks: their C++ text, and what PyTorch computes for them. networks.py puts them together.

A value has the shape ("b", ..., channels), where "b" and "t" are named dimensions. Arrays are channels last; PyTorch's functions get them
moved.
"""
import math

import torch
import torch.nn.functional as F


class Unfit(Exception):
    """This layer does not take this value."""


class Value:
    def __init__(self, name, shape):
        self.name, self.shape = name, tuple(shape)

    @property
    def spatial(self):
        return self.shape[1:-1]

    @property
    def channels(self):
        return self.shape[-1]


def first(x):
    return torch.movedim(x, -1, 1)


def last(x):
    return torch.movedim(x, 1, -1)


def per_axis(numbers):
    numbers = list(numbers)
    if all(n == numbers[0] for n in numbers):
        return str(numbers[0])
    return f"xg::per_axis({', '.join(map(str, numbers))})"


def need(condition):
    if not condition:
        raise Unfit


class Window:
    """Sizes, strides, dilations and padding along the spatial axes of a value."""

    def __init__(self, r, spatial, pool=False, transposed=False, patches=False):
        d = len(spatial)
        named = "t" in spatial
        need(not (named and (transposed or patches)))
        self.size = [r.choice([1, 2, 3, 3, 4] if d < 3 else [1, 2, 2, 3]) for _ in range(d)]
        if r.random() < 0.5:
            self.size = [self.size[0]] * d
        self.strides = [1] * d if named else [r.choice([1, 1, 2, 3]) for _ in range(d)] if r.random() < 0.5 else [r.choice([1, 2])] * d
        self.dilations = [1] * d if r.random() < 0.65 else [r.choice([1, 2]) for _ in range(d)]
        kinds = ["same", "causal", "same_lower"] if named else ["valid", "same", "same_lower", "number", "numbers"] + (["causal"] if d == 1 else [])
        if pool and named:
            kinds = ["same"]
        if transposed:
            kinds = ["valid", "same", "same_lower", "number", "numbers"]
        self.kind = r.choice(kinds)
        if pool and self.kind != "valid":
            self.dilations = [1] * d
        self.before = [r.randrange(k) for k in self.size] if self.kind in ("number", "numbers") else [0] * d
        self.after = [r.randrange(k) for k in self.size] if self.kind == "numbers" else list(self.before)
        for n, b, a, span in zip(spatial, self.before, self.after, self.spans()):
            need(n == "t" or transposed or self.kind in ("same", "same_lower", "causal") or n + a + b >= span)

    def spans(self):
        return [(k - 1) * l + 1 for k, l in zip(self.size, self.dilations)]

    def pads(self, extents):
        r = []
        for i, (n, s, span) in enumerate(zip(extents, self.strides, self.spans())):
            if self.kind == "causal":
                r.append((span - 1, 0))
            elif self.kind.startswith("same"):
                p = max((-(-n // s) - 1) * s + span - n, 0)
                r.append((p // 2, p - p // 2) if self.kind == "same" else (p - p // 2, p // 2))
            else:
                r.append((self.before[i], self.after[i]))
        return r

    def places(self, spatial):
        if "t" in spatial:
            return ["t" if n == "t" else self.places([n])[0] for n in spatial] if len(spatial) == 1 else self._mixed(spatial)
        r = [(n + b + a - span) // s + 1 for n, (b, a), s, span in zip(spatial, self.pads(spatial), self.strides, self.spans())]
        need(all(n >= 1 for n in r))
        return r

    def _mixed(self, spatial):
        raise Unfit

    def padded(self, x, value=0.0):   # channels first
        flat = []
        for b, a in reversed(self.pads(x.shape[2:])):
            flat += [b, a]
        return F.pad(x, flat, value=value)

    def text(self, name="window", more=""):
        r = []
        if any(s != 1 for s in self.strides):
            r.append(f".strides = {per_axis(self.strides)}")
        elif name == "pool_window":
            r.append(".strides = 1")
        if any(s != 1 for s in self.dilations):
            r.append(f".dilations = {per_axis(self.dilations)}")
        if self.kind in ("same", "same_lower", "causal"):
            r.append(f".padding = xg::window_padding::{self.kind}")
        elif any(self.before) or any(self.after):
            r.append(f".padding = xg::window_padding({per_axis(self.before)}, {per_axis(self.after)})")
        if more:
            r.append(more)
        return f"xg::{name}{{{', '.join(r)}}}"


def convolve(x, w, window, groups=1):
    """x is channels first, w in the layout of PyTorch."""
    f = [F.conv1d, F.conv2d, F.conv3d][x.dim() - 3]
    return f(window.padded(x).contiguous(), w.contiguous(), None, window.strides, 0, window.dilations, groups)


def spatial_axes(x):
    need(1 <= len(x.spatial) <= 3)
    return len(x.spatial)


def divisors(n):
    return [k for k in range(1, n + 1) if n % k == 0]


def conv(net, x):
    r, d, name = net.r, spatial_axes(x), net.layer()
    w, groups = Window(r, x.spatial), r.choice(divisors(x.channels)) if r.random() < 0.4 else 1
    filters, bias = groups * r.choice([1, 2, 3] if groups > 1 else [1, 2, 3, 4, 5]), r.random() < 0.7
    places = w.places(x.spatial)
    net.variable(name + "/w", [*w.size, x.channels // groups, filters], math.prod(w.size) * x.channels // groups)
    if bias:
        net.variable(name + "/b", [filters])

    def run(e, a):
        k = e[name + "/w"].permute(d + 1, d, *range(d))
        y = last(convolve(first(a), k, w, groups))
        return y + e[name + "/b"] if bias else y
    how = w.text(more=f".groups = {groups}" if groups > 1 else "")
    return net.put(f'xg::nn::conv{d}d<"{name}", {filters}, {per_axis(w.size)}, {how}{"" if bias else ", false"}>({x.name})', [x], run,
                   ["b", *places, filters])


def depthwise_weight(w):
    d = w.dim() - 2
    return w.permute(d, d + 1, *range(d)).reshape(-1, 1, *w.shape[:d])


def depthwise(net, x):
    r, d, name = net.r, spatial_axes(x), net.layer()
    need(d < 3)
    w, m, bias = Window(r, x.spatial), r.choice([1, 1, 2, 3]), r.random() < 0.7
    places = w.places(x.spatial)
    net.variable(name + "/w", [*w.size, x.channels, m], math.prod(w.size))
    if bias:
        net.variable(name + "/b", [x.channels * m])

    def run(e, a):
        y = last(convolve(first(a), depthwise_weight(e[name + "/w"]), w, a.shape[-1]))
        return y + e[name + "/b"] if bias else y
    return net.put(f'xg::nn::depthwise_conv{d}d<"{name}", {m}, {per_axis(w.size)}, {w.text()}{"" if bias else ", false"}>({x.name})', [x],
                   run, ["b", *places, x.channels * m])


def separable(net, x):
    r, d, name = net.r, spatial_axes(x), net.layer()
    need(d == 2)
    w, m, filters = Window(r, x.spatial), r.choice([1, 2]), r.choice([1, 2, 3, 4])
    places = w.places(x.spatial)
    net.variable(name + "/depthwise/w", [*w.size, x.channels, m], math.prod(w.size))
    net.variable(name + "/pointwise/w", [1, 1, x.channels * m, filters], x.channels * m)
    net.variable(name + "/pointwise/b", [filters])

    def run(e, a):
        y = last(convolve(first(a), depthwise_weight(e[name + "/depthwise/w"]), w, a.shape[-1]))
        return y @ e[name + "/pointwise/w"][0, 0] + e[name + "/pointwise/b"]
    return net.put(f'xg::nn::separable_conv2d<"{name}", {filters}, {per_axis(w.size)}, {w.text()}, {m}>({x.name})', [x], run,
                   ["b", *places, filters])


def transposed(net, x):
    r, d, name = net.r, spatial_axes(x), net.layer()
    w, groups = Window(r, x.spatial, transposed=True), r.choice(divisors(x.channels)) if r.random() < 0.4 else 1
    filters = groups * r.choice([1, 2, 3])
    more = -1 if w.kind.startswith("same") or r.random() < 0.6 else r.randrange(min(w.strides))
    total, crop = [], []
    for n, s, span, b, a in zip(x.spatial, w.strides, w.spans(), w.before, w.after):
        if w.kind.startswith("same"):
            total.append(n * s)
            p = max((n - 1) * s + span - n * s, 0)
            crop.append(p // 2 if w.kind == "same" else (p + 1) // 2)
        elif not any(w.before) and not any(w.after):   # valid
            total.append((n - 1) * s + (max(span, s) if more < 0 else span + more))
            crop.append(0)
        else:
            total.append((n - 1) * s + span - a - b + max(more, 0))
            crop.append(b)
    need(all(n >= 1 for n in total) and math.prod(total) < 150)
    net.variable(name + "/w", [*w.size, filters // groups, x.channels], math.prod(w.size) * x.channels // groups)
    net.variable(name + "/b", [filters])

    def run(e, a):
        f = [F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d][d - 1]
        y = f(first(a).contiguous(), e[name + "/w"].permute(d + 1, d, *range(d)).contiguous(), None, w.strides, 0, 0, groups, w.dilations)
        for i in range(d):
            beyond = crop[i] + total[i] - y.shape[2 + i]
            if beyond > 0:
                y = torch.cat([y, y.new_zeros([*y.shape[:2 + i], beyond, *y.shape[3 + i:]])], 2 + i)
            y = y.narrow(2 + i, crop[i], total[i])
        return last(y) + e[name + "/b"]
    how = w.text(more=f".groups = {groups}" if groups > 1 else "")
    return net.put(f'xg::nn::conv{d}d_transpose<"{name}", {filters}, {per_axis(w.size)}, {how}{"" if more < 0 else f", {more}"}>({x.name})',
                   [x], run, ["b", *total, filters])


def sums(x, w, f=lambda x: x):
    """Sums over windows of f(x), channels first."""
    c = x.shape[1]
    return convolve(f(x), x.new_ones([c, 1, *w.size]), w, c)


def pool(net, x):
    r, d = net.r, spatial_axes(x)
    kind = r.choice(["max", "max", "average", "average", "lp"] + (["sum", "min"] if d == 2 else []))
    need(kind != "lp" or d < 3)
    w = Window(r, x.spatial, pool=True)
    places = w.places(x.spatial)
    count, p = kind == "average" and r.random() < 0.4, r.choice([1, 2, 3])
    functions = [F.max_pool1d, F.max_pool2d, F.max_pool3d]

    def run(e, a):
        a = first(a)
        if kind in ("max", "min"):
            s = 1 if kind == "max" else -1
            return last(s * functions[d - 1](w.padded(s * a, -math.inf), w.size, w.strides, 0, w.dilations))
        if kind == "lp":
            s = sums(a, w, lambda x: x.abs() ** p)
            return last(torch.where(s > 0, torch.where(s > 0, s, 1) ** (1 / p), 0))
        y = sums(a, w)
        if kind == "average":
            y = y / (math.prod(w.size) if count else sums(torch.ones_like(a), w))
        return last(y)
    how = w.text("pool_window", ".count_padding = true" if count else "")
    number = f"{p}, " if kind == "lp" else ""
    return net.put(f"xg::{kind}_pool{d}d<{number}{per_axis(w.size)}, {how}>({x.name})", [x], run, ["b", *places, x.channels])


def adaptive_pool(net, x):
    r, d = net.r, spatial_axes(x)
    need("t" not in x.spatial)
    kind = r.choice(["max", "average"])
    places = [r.randint(1, min(n, 4)) for n in x.spatial]
    f = {"max": [F.adaptive_max_pool1d, F.adaptive_max_pool2d, F.adaptive_max_pool3d],
         "average": [F.adaptive_avg_pool1d, F.adaptive_avg_pool2d, F.adaptive_avg_pool3d]}[kind][d - 1]
    return net.put(f"xg::adaptive_{kind}_pool{d}d<{per_axis(places)}>({x.name})", [x], lambda e, a: last(f(first(a), places)),
                   ["b", *places, x.channels])


def global_pool(net, x):
    need(len(x.spatial) >= 1)
    axes = tuple(range(1, 1 + len(x.spatial)))
    kind = net.r.choice(["max", "average"])
    return net.put(f"xg::global_{kind}_pool({x.name})", [x], lambda e, a: a.amax(axes) if kind == "max" else a.mean(axes), ["b", x.channels])


PARTS = ["both", "both", "scale", "offset", "none"]


def affine(net, name, parts, channels):
    if parts in ("both", "scale"):
        net.variable(name + "/gamma", [channels], scale=0.25, offset=1)
    if parts in ("both", "offset"):
        net.variable(name + "/beta", [channels])


def with_affine(e, name, y):
    if name + "/gamma" in e:
        y = y * e[name + "/gamma"]
    return y + e[name + "/beta"] if name + "/beta" in e else y


def batch_norm(net, x):
    r, name = net.r, net.layer()
    parts, moving = r.choice(PARTS), r.choice(["of_batch", "of_sample"])
    momentum, epsilon = r.choice([0.99, 0.9, 0.75]), r.choice([1e-3, 1e-5])
    affine(net, name, parts, x.channels)
    net.variable(name + "/moving_mean", [x.channels], trainable=False, scale=0.25)
    net.variable(name + "/moving_variance", [x.channels], trainable=False, scale=0.25, offset=1)

    def run(e, a):
        flat = a.reshape(-1, a.shape[-1])
        gamma, beta = e.get(name + "/gamma"), e.get(name + "/beta")
        mean, variance = e[name + "/moving_mean"], e[name + "/moving_variance"]
        if not e["training"]:
            return F.batch_norm(flat, mean, variance, gamma, beta, False, 0, epsilon).reshape(a.shape)
        y = F.batch_norm(flat, None, None, gamma, beta, True, 0, epsilon).reshape(a.shape)
        with torch.no_grad():
            v = flat.var(0, unbiased=moving == "of_sample")
            e["moved"][name + "/moving_mean"] = momentum * mean + (1 - momentum) * flat.mean(0)
            e["moved"][name + "/moving_variance"] = momentum * variance + (1 - momentum) * v
        return y
    return net.put(f'xg::nn::batch_norm<"{name}", xg::nn::affine::{parts}, xg::nn::moving_variance::{moving}>({x.name}, {momentum}_c, '
                   f'{epsilon}_c)', [x], run, x.shape)


def norm(net, x):
    r, name = net.r, net.layer()
    kind = r.choice(["layer_norm", "group_norm", "instance_norm", "rms_norm"])
    parts, epsilon, groups = r.choice(PARTS), r.choice([1e-3, 1e-5]), r.choice(divisors(x.channels))
    need(x.channels >= 2 or kind == "instance_norm")
    need(kind != "instance_norm" or (x.spatial and math.prod(3 if n == "t" else n for n in x.spatial) > 1))
    need(kind != "group_norm" or x.spatial or x.channels > groups)
    affine(net, name, parts, x.channels)

    def run(e, a):
        if kind == "layer_norm":
            y = F.layer_norm(a, a.shape[-1:], None, None, epsilon)
        elif kind == "rms_norm":
            y = F.rms_norm(a, a.shape[-1:], None, epsilon)
        else:
            y = last(F.group_norm(first(a), groups if kind == "group_norm" else a.shape[-1], None, None, epsilon))
        return with_affine(e, name, y)
    number = f", {groups}" if kind == "group_norm" else ""
    return net.put(f'xg::nn::{kind}<"{name}"{number}, xg::nn::affine::{parts}>({x.name}, {epsilon}_c)', [x], run, x.shape)


ACTIVATIONS = {
    "xg::relu({0})": torch.relu,
    "xg::tanh({0})": torch.tanh,
    "xg::sigmoid({0})": torch.sigmoid,
    "xg::gelu({0})": F.gelu,
    "xg::gelu_tanh({0})": lambda x: F.gelu(x, approximate="tanh"),
    "xg::silu({0})": F.silu,
    "xg::elu({0}, 0.75_c)": lambda x: F.elu(x, 0.75),
    "xg::celu({0}, 0.75_c)": lambda x: F.celu(x, 0.75),
    "xg::selu({0})": F.selu,
    "xg::softplus({0})": F.softplus,
    "xg::leaky_relu({0}, 0.25_c)": lambda x: F.leaky_relu(x, 0.25),
    "xg::relu6({0})": F.relu6,
    "xg::hard_tanh({0})": F.hardtanh,
    "xg::hard_swish({0})": F.hardswish,
    "xg::hard_sigmoid({0})": F.hardsigmoid,
    "xg::mish({0})": F.mish,
    "xg::softsign({0})": F.softsign,
    "xg::log_sigmoid({0})": F.logsigmoid,
    "xg::softmax({0})": lambda x: torch.softmax(x, -1),
    "xg::log_softmax({0})": lambda x: torch.log_softmax(x, -1),
}


def activation(net, x):
    text = net.r.choice(list(ACTIVATIONS))
    f = ACTIVATIONS[text]
    return net.put(text.format(x.name), [x], lambda e, a: f(a), x.shape)


def gate(net, x):
    r, name = net.r, net.layer()
    kind = r.choice(["prelu", "prelu", "layer_scale", "highway"])
    c = x.channels
    if kind != "highway":
        variable = name + ("/alpha" if kind == "prelu" else "/gamma")
        net.variable(variable, [c], scale=0.5, offset=0.25)
        if kind == "prelu":
            return net.put(f'xg::nn::prelu<"{name}">({x.name})', [x], lambda e, a: torch.relu(a) - e[variable] * torch.relu(-a), x.shape)
        return net.put(f'xg::nn::layer_scale<"{name}">({x.name})', [x], lambda e, a: a * e[variable], x.shape)
    net.variable(name + "/w", [c, c], c)
    net.variable(name + "/b", [c])
    net.variable(name + "/gate", [c, c], c)
    net.variable(name + "/gate_b", [c])

    def run(e, a):
        t = torch.sigmoid(a @ e[name + "/gate"] + e[name + "/gate_b"])
        return t * torch.tanh(a @ e[name + "/w"] + e[name + "/b"]) + (1 - t) * a
    return net.put(f'xg::nn::highway<"{name}", xg::op::tanh>({x.name})', [x], run, x.shape)


def dense(net, x):
    name, units = net.layer(), net.r.choice([1, 2, 3, 4, 6, 9])
    net.variable(name + "/w", [x.channels, units], x.channels)
    net.variable(name + "/b", [units])
    return net.put(f'xg::nn::dense<"{name}", {units}>({x.name})', [x], lambda e, a: a @ e[name + "/w"] + e[name + "/b"], [*x.shape[:-1], units])


def residual(net, x):
    name, c = net.layer(), x.channels
    net.variable(name + "/w", [c, c], c)
    net.variable(name + "/b", [c])
    return net.put(f'xg::nn::residual({x.name}, [](auto const& a) {{ return xg::nn::dense<"{name}", {c}>(xg::tanh(a)); }})', [x],
                   lambda e, a: a + torch.tanh(a) @ e[name + "/w"] + e[name + "/b"], x.shape)


def joined(net, x):
    others = [v for v in net.values if v is not x and v.shape[:-1] == x.shape[:-1]]
    need(others)
    y = net.r.choice(others)
    if y.shape == x.shape and net.r.random() < 0.6:
        if net.r.random() < 0.5:
            return net.put(f"{x.name} + {y.name}", [x, y], lambda e, a, b: a + b, x.shape)
        return net.put(f"{x.name} * {y.name}", [x, y], lambda e, a, b: a * b, x.shape)
    return net.put(f"xg::concat<-1>({x.name}, {y.name})", [x, y], lambda e, a, b: torch.cat([a, b], -1),
                   [*x.shape[:-1], x.channels + y.channels])


def flat(net, x):
    need(x.spatial and "t" not in x.spatial and math.prod(x.shape[1:]) <= 120)
    n = math.prod(x.shape[1:])
    return net.put(f"xg::flatten<1, -1>({x.name})", [x], lambda e, a: a.reshape(a.shape[0], -1), ["b", n])


def rows(net, x):
    """An image as a sequence of its rows or of its places."""
    need(len(x.spatial) == 2 and "t" not in x.spatial)
    n = math.prod(x.spatial)
    return net.put(f"xg::flatten<1, 2>({x.name})", [x], lambda e, a: a.reshape(a.shape[0], n, -1), ["b", n, x.channels])


def axis_mean(net, x):
    need(x.spatial)
    axis, kind = net.r.randrange(1, 1 + len(x.spatial)), net.r.choice(["mean", "sum", "max"])
    f = {"mean": lambda a: a.mean(axis), "sum": lambda a: a.sum(axis), "max": lambda a: a.amax(axis)}[kind]
    return net.put(f"xg::{kind}<{axis}>({x.name})", [x], lambda e, a: f(a), x.shape[:axis] + x.shape[axis + 1:])


def without_dropout(net, x):
    return net.put(f'xg::dropout<"{net.layer()}">({x.name}, 0_c)', [x], lambda e, a: a, x.shape)


def resize(net, x):
    r, d = net.r, spatial_axes(x)
    need(d <= 2 and "t" not in x.spatial)
    if r.random() < 0.2:
        k = r.choice([2, 3])
        need(math.prod(x.spatial) * k ** d < 150)
        def copied(e, a):
            for i in range(d):
                a = a.repeat_interleave(k, 1 + i)
            return a
        return net.put(f"xg::upsample_nearest{d}d<{k}>({x.name})", [x], copied, ["b", *[k * n for n in x.spatial], x.channels])
    sizes = [r.randint(2, 7) for _ in range(d)]
    need(min(x.spatial) >= 2)
    how, rule, mode, corners = r.choice([
        ("bilinear", "half_pixel", "bilinear", False), ("bilinear", "align_corners", "bilinear", True), ("nearest", "asymmetric", "nearest", None),
        ("nearest", "half_pixel", "nearest-exact", None), ("bicubic_torch", "half_pixel", "bicubic", False),
        ("bicubic_torch", "align_corners", "bicubic", True)])
    need(d == 2 or mode != "bicubic")
    mode = "linear" if d == 1 and mode == "bilinear" else mode
    more = {} if corners is None else {"align_corners": corners}
    return net.put(f"xg::resize{d}d<{', '.join(map(str, sizes))}, xg::interpolation::{how}, xg::coordinates::{rule}>({x.name})", [x],
                   lambda e, a: last(F.interpolate(first(a), sizes, mode=mode, **more)), ["b", *sizes, x.channels])


def patches(net, x):
    need(len(x.spatial) == 2)
    w = Window(net.r, x.spatial, patches=True)
    places, k = w.places(x.spatial), math.prod(w.size)
    need(math.prod(places) * k * x.channels < 400)

    def run(e, a):
        u = F.unfold(w.padded(first(a)), w.size, w.dilations, 0, w.strides)
        return u.reshape(a.shape[0], a.shape[-1], k, *places).permute(0, 3, 4, 2, 1).reshape(a.shape[0], *places, -1)
    return net.put(f"xg::extract_patches<{per_axis(w.size)}, {w.text()}>({x.name})", [x], run, ["b", *places, k * x.channels])


# Recurrence


def one_direction(e, name, kind, x, n, backwards, how):
    """Outputs of all time steps and the last state. n: lengths, or none."""
    w, u, b = e[name + "/w"], e[name + "/u"], e[name + "/b"]
    units = w.shape[1] // {"rnn": 1, "lstm": 4, "gru": 3}[kind]
    h = x.new_zeros([x.shape[0], how.get("projection") or units])
    c = x.new_zeros([x.shape[0], units])
    out = [None] * x.shape[1]
    order = range(x.shape[1] - 1, -1, -1) if backwards else range(x.shape[1])
    for t in order:
        z = x[:, t] @ w + b
        if kind == "rnn":
            new, c1 = (torch.relu if how["relu"] else torch.tanh)(z + h @ u), c
        elif kind == "lstm":
            i, f, g, o = (z + h @ u).split(units, 1)
            p = e.get(name + "/peepholes")
            if p is not None:
                i, f = i + c * p[0], f + c * p[1]
            c1 = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            if p is not None:
                o = o + c1 * p[2]
            new = torch.sigmoid(o) * torch.tanh(c1)
            if name + "/p" in e:
                new = new @ e[name + "/p"]
        else:
            zz, zr, zh = z.split(units, 1)
            if name + "/recurrent_b" in e:
                rz, rr, rh = (h @ u + e[name + "/recurrent_b"]).split(units, 1)
                s, q = torch.sigmoid(zz + rz), torch.sigmoid(zr + rr)
                c2 = torch.tanh(zh + q * rh)
            else:
                uz, ur, uh = u.split(units, 1)
                s, q = torch.sigmoid(zz + h @ uz), torch.sigmoid(zr + h @ ur)
                c2 = torch.tanh(zh + (q * h) @ uh)
            new, c1 = s * h + (1 - s) * c2, c
        if n is None:
            h, c, out[t] = new, c1, new
        else:
            alive = (t < n)[:, None]
            out[t] = torch.where(alive, new, 0)
            h, c = torch.where(alive, new, h), torch.where(alive, c1, c)
    return torch.stack(out, 1), h


def recurrent(net, x):
    need(len(x.spatial) == 1)
    r, name = net.r, net.layer()
    kind = r.choice(["rnn", "lstm", "gru"])
    units, layers, two, backwards = r.choice([1, 2, 3, 4, 5]), r.choice([1, 1, 1, 2]), r.random() < 0.35, r.random() < 0.2
    sequences, n = r.random() < 0.6, net.lengths(x, 0) if r.random() < 0.5 else None
    options, how, outputs = [], {}, units
    if kind == "rnn":
        how["relu"] = r.random() < 0.3
        options += [".activation = xg::rnn_activation::relu"] * how["relu"]
    if kind == "lstm" and r.random() < 0.25:
        how["peepholes"] = True
        options.append(".peepholes = true")
    if kind == "lstm" and r.random() < 0.25:
        how["projection"] = outputs = r.choice([1, 2, 3])
        options.append(f".projection = {outputs}")
    before = kind == "gru" and r.random() < 0.4
    options += [".reset = xg::gru_reset::before_product"] * before + [f".layers = {layers}"] * (layers > 1) + [".bidirectional = true"] * two
    gates = {"rnn": 1, "lstm": 4, "gru": 3}[kind]
    names = [name if layers == 1 else f"{name}/layer{k}" for k in range(layers)]
    parts = [[k + "/forward", k + "/backward"] if two else [k] for k in names]
    features = x.channels
    for both in parts:
        for k in both:
            net.variable(k + "/w", [features, gates * units], features)
            net.variable(k + "/b", [gates * units])
            net.variable(k + "/u", [outputs, gates * units], outputs)
            if how.get("peepholes"):
                net.variable(k + "/peepholes", [3, units])
            if how.get("projection"):
                net.variable(k + "/p", [units, outputs], units)
            if kind == "gru" and not before:
                net.variable(k + "/recurrent_b", [3 * units])
        features = outputs * len(both)

    def run(e, a, n=None):
        for both in parts:
            made = [one_direction(e, k, kind, a, n, backwards != (i == 1), how) for i, k in enumerate(both)]
            a, state = torch.cat([y for y, _ in made], -1), torch.cat([s for _, s in made], -1)
        return a if sequences else state
    arguments = ["xg::nn::return_sequences"] * sequences + ([f"xg::nn::lengths({n.name})"] if n else []) + ["xg::nn::backwards"] * backwards
    text = f', xg::nn::{kind}_options{{{", ".join(options)}}}' if options else ""
    return net.put(f'xg::nn::{kind}<"{name}", {units}{text}>({", ".join([x.name, *arguments])})', [x] + ([n] if n else []), run,
                   ["b", x.shape[1], features] if sequences else ["b", features])


# Attention


def turned(x):
    """Rotary positions of x [batch, length, heads, width]."""
    n = x.shape[-1] // 2
    angles = torch.arange(x.shape[1], dtype=x.dtype)[:, None] * 10000.0 ** (-torch.arange(n, dtype=x.dtype) / n)
    c, s = torch.cos(angles)[None, :, None], torch.sin(angles)[None, :, None]
    a, b = x[..., :n], x[..., n:]
    return torch.cat([a * c - b * s, a * s + b * c], -1)


def attended(e, name, q, v, k, causal, rotary, seen):
    """seen: lengths of the keys, or a mask [length, keys], or none."""
    def projected(x, what):
        y = torch.einsum("blf,fhw->blhw", x, e[f"{name}/{what}/kernel"])
        bias = e.get(f"{name}/{what}/bias")
        return y if bias is None else y + bias.reshape(y.shape[2:])
    a, b, c = projected(q, "query"), projected(k, "key"), projected(v, "value")
    if rotary:
        a, b = turned(a), turned(b)
    a, b, c = (x.transpose(1, 2) for x in (a, b, c))
    times = a.shape[1] // b.shape[1]
    b, c = b.repeat_interleave(times, 1), c.repeat_interleave(times, 1)
    mask = torch.ones(a.shape[-2], b.shape[-2], dtype=torch.bool)
    if causal:
        mask = mask.tril()
    if seen is not None:
        mask = mask & (seen if seen.dim() == 2 else (torch.arange(b.shape[-2])[None] < seen[:, None])[:, None, None])
    y = F.scaled_dot_product_attention(a, b, c, attn_mask=mask)
    y = torch.einsum("bhlw,hwf->blf", y, e[name + "/attention_output/kernel"])
    bias = e.get(name + "/attention_output/bias")
    return y if bias is None else y + bias


def attention_variables(net, name, heads, width, key_heads, value_width, output, bias, q, v, k):
    for what, f, h, w in (("query", q, heads, width), ("key", k, key_heads, width), ("value", v, key_heads, value_width)):
        net.variable(f"{name}/{what}/kernel", [f, h, w], f)
        if bias:
            net.variable(f"{name}/{what}/bias", [h * w])
    net.variable(name + "/attention_output/kernel", [heads, value_width, output], heads * value_width)
    if bias:
        net.variable(name + "/attention_output/bias", [output])


def seen_of(net, x, keys, lengths_only=False):
    p = net.r.random()
    if p < 0.3:
        return net.lengths(keys, 1)
    if p < 0.55 and not lengths_only and "t" not in x.shape + keys.shape:
        return net.mask(x.shape[1], keys.shape[1])
    return None


def attention(net, x):
    need(len(x.spatial) == 1 and (x.shape[1] == "t" or x.shape[1] <= 12))
    r, name = net.r, net.layer()
    heads = r.choice([1, 2, 3, 4])
    key_heads, width = r.choice(divisors(heads)), r.choice([1, 2, 3, 4])
    causal, rotary, bias = r.random() < 0.4, r.random() < 0.3 and width % 2 == 0, r.random() < 0.7
    value_width, output = r.choice([0, 0, 1, 3]), r.choice([0, 0, 2, 5])
    others = [v for v in net.values if len(v.shape) == 3 and v is not x and (v.shape[1] == "t" or v.shape[1] <= 12)]
    value = r.choice(others) if others and r.random() < 0.4 else x
    need(not causal or value.shape[1] == x.shape[1])
    need(not rotary or value.shape[1] == x.shape[1])
    seen = seen_of(net, x, value, causal)
    attention_variables(net, name, heads, width, key_heads, value_width or width, output or x.channels, bias, x.channels, value.channels, value.channels)
    options = [".causal = true"] * causal + [".bias = false"] * (not bias) + [".rotary = true"] * rotary
    options += [f".key_heads = {key_heads}"] * (key_heads != heads) + [f".value_width = {value_width}"] * (value_width > 0)
    options += [f".output_width = {output}"] * (output > 0)
    arguments = [x] + [value] * (value is not x) + ([seen] if seen else [])

    def run(e, q, *more):
        more = list(more)
        v = more.pop(0) if value is not x else q
        return attended(e, name, q, v, v, causal, rotary, more[0] if more else None)
    return net.put(f'xg::nn::multi_head_attention<"{name}", {heads}, {width}, xg::nn::multi_head_options{{{", ".join(options)}}}>'
                   f'({", ".join(a.name for a in arguments)})', arguments, run, [*x.shape[:2], output or x.channels])


FEED = {"relu": torch.relu, "gelu": F.gelu, "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"), "silu": F.silu}


def transformer(net, x):
    need(len(x.spatial) == 1 and x.channels >= 2 and (x.shape[1] == "t" or x.shape[1] <= 12))
    r, name, c = net.r, net.layer(), x.channels
    heads = r.choice(divisors(c))
    key_heads, inner = r.choice(divisors(heads)), r.choice([1, 3, 4, 8])
    decoder = r.random() < 0.35
    others = [v for v in net.values if len(v.shape) == 3 and v is not x and (v.shape[1] == "t" or v.shape[1] <= 12)]
    memory = r.choice(others) if decoder and others and r.random() < 0.6 else None
    first_norm, rotary, feed = r.random() < 0.5, r.random() < 0.3 and (c // heads) % 2 == 0, r.choice(list(FEED))
    causal = decoder or r.random() < 0.3
    seen = net.lengths(memory or x, 1) if (not decoder or memory) and r.random() < 0.4 else None
    options = [".norm_first = true"] * first_norm + [".causal = true"] * (causal and not decoder) + [".rotary = true"] * rotary
    options += [f".activation = xg::nn::feedforward::{feed}"] * (feed != "relu") + [f".key_heads = {key_heads}"] * (key_heads != heads)
    parts = [name + "/self_attention"] + [name + "/cross_attention"] * (memory is not None)
    for k in parts:
        f = memory.channels if k.endswith("/cross_attention") else c
        attention_variables(net, k, heads, c // heads, key_heads, c // heads, c, True, c, f, f)
        affine(net, k + "/norm", "both", c)
    affine(net, name + "/feedforward/norm", "both", c)
    for k, n, m in (("intermediate", c, inner), ("output", inner, c)):
        net.variable(f"{name}/feedforward_{k}/w", [n, m], n)
        net.variable(f"{name}/feedforward_{k}/b", [m])

    def run(e, a, *more):
        more = list(more)
        m = more.pop(0) if memory else None
        n = more[0] if more else None

        def part(a, k, f):
            def norm(y):
                return F.layer_norm(y, [c], e[k + "/norm/gamma"], e[k + "/norm/beta"], 1e-5)
            return a + f(norm(a)) if first_norm else norm(a + f(a))
        def layer(a, k):
            return a @ e[f"{name}/feedforward_{k}/w"] + e[f"{name}/feedforward_{k}/b"]
        a = part(a, parts[0], lambda y: attended(e, parts[0], y, y, y, causal, rotary, None if memory else n))
        if memory:
            a = part(a, parts[1], lambda y: attended(e, parts[1], y, m, m, False, False, n))
        return part(a, name + "/feedforward", lambda y: layer(FEED[feed](layer(y, "intermediate")), "output"))
    arguments = [x] + ([memory] if memory else []) + ([seen] if seen else [])
    return net.put(f'xg::nn::transformer_{"decoder" if decoder else "encoder"}_block<"{name}", {heads}, {inner}, '
                   f'xg::nn::transformer_options{{{", ".join(options)}}}>({", ".join(a.name for a in arguments)})', arguments, run, x.shape)


def embedding(net, ids, rows_of_table):
    """The first layer of ids [b, time]."""
    r, name, width = net.r, net.layer(), net.r.choice([2, 3, 4, 6])
    if r.random() < 0.7:
        net.variable(name + "/table", [rows_of_table, width])
        return net.put(f'xg::nn::embedding<"{name}", {rows_of_table}, {width}, T>({ids.name})', [ids], lambda e, a: e[name + "/table"][a],
                       ["b", ids.shape[1], width])
    how = r.choice(["sum", "mean", "sqrtn", "max"])
    net.variable(name, [rows_of_table, width])

    def run(e, a):
        y = e[name][a]
        return y.amax(1) if how == "max" else y.sum(1) / {"sum": 1, "mean": a.shape[1], "sqrtn": math.sqrt(a.shape[1])}[how]
    return net.put(f'xg::embedding_bag<xg::combiner::{how}>(xg::variable<"{name}", T, {rows_of_table}, {width}>, {ids.name})', [ids], run,
                   ["b", width])


OF_IMAGES = [conv] * 5 + [depthwise] * 2 + [separable, transposed, transposed] + [pool] * 3 + [adaptive_pool, resize, patches, rows, flat, global_pool]
OF_SEQUENCES = [conv] * 2 + [depthwise, transposed, pool, adaptive_pool, resize] + [recurrent] * 4 + [attention] * 3 + [transformer] * 3 + [flat, global_pool]
OF_ALL = [batch_norm, batch_norm, norm, norm, activation, activation, activation, gate, dense, dense, residual, joined, joined, axis_mean, without_dropout]
