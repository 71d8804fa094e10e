# SPDX-License-Identifier: MIT
"""Programs computed by JAX: loops and conditions run in Python, so that JAX sees only what ran."""

import jax
import jax.numpy as jnp

from language import Leaf, Parameter, uniform

NEAR = 1e-4  # a program is not used if a comparison is nearer to equality


class Refused(Exception):
    """The program is not used: it is too near to a kink, or its numbers are too large."""


class Frame:
    """The values of one run of a body; without a parent, of the whole program."""

    def __init__(self, parent, values, iteration, checks):
        self.parent, self.values, self.iteration, self.checks, self.memo = parent, values, iteration, checks, {}

    def fresh(self, changed):
        """The same run with another value of a leaf or a parameter, and nothing computed yet."""
        values = {k: changed.get(k, v) for k, v in self.values.items()}
        return Frame(self.parent.fresh(changed) if self.parent else None, values, self.iteration, False)


def home(node, frame):
    """The innermost run on whose parameters the node depends. There it is computed once."""
    while frame.parent is not None and not any(p in frame.values for p in node.params):
        frame = frame.parent
    return frame


def value(node, frame):
    frame = home(node, frame)
    if isinstance(node, (Leaf, Parameter)):
        return frame.values[node]
    if node not in frame.memo:
        frame.memo[node] = computed(node, frame)
    return frame.memo[node]


def computed(node, frame):
    if node.region is not None:
        return RUN[node.region.how](node, node.region, frame)
    if node.cpp.startswith("GRADIENT"):
        y, x, seed = node.args
        s = value(seed, frame)
        return jax.vjp(lambda v: value(y, frame.fresh({x: v})), value(x, frame))[1](s)[0]
    if node.cpp.startswith("xg::jvp"):
        y, x, t = node.args
        return along(lambda v: value(y, frame.fresh({x: v})), [value(x, frame)], [value(t, frame)])
    args = [value(a, frame) for a in node.args]
    if node.draw is not None:
        args.append(uniform(node.draw, frame.iteration, node.shape))
    if frame.checks and node.near is not None and float(jnp.min(jnp.array(node.near(*args)))) < NEAR:
        raise Refused("a comparison is too near")
    r = node.fn(*args)
    if frame.checks and node.kind == "f" and r.size and not float(jnp.max(jnp.abs(r))) < 30:
        raise Refused("too large")
    return r


def along(f, xs, ts):
    """The derivative of f along ts, in reverse mode only: it is linear in the seed of the gradient."""
    y, back = jax.vjp(f, *xs)
    if not jnp.issubdtype(y.dtype, jnp.floating):
        raise Refused("no gradient")

    def product(seed):
        return sum(jnp.sum(g * t) for g, t in zip(jax.vjp(f, *xs)[1](seed), ts))

    return jax.grad(product)(jnp.zeros_like(y))


def run(body, frame, args, iteration):
    inner = Frame(frame, dict(zip(body.params, args)), iteration, frame.checks)
    return [value(r, inner) for r in body.results]


def one_or_all(region, results):
    return results if region.outputs > 1 or region.more.get("tuple") else results[0]


def call(node, region, frame):
    return one_or_all(region, run(region.bodies[0], frame, [value(a, frame) for a in node.args], frame.iteration))


def branch(node, region, frame):
    selector, *args = [value(a, frame) for a in node.args]
    if region.how == "cond":
        k = 0 if bool(selector) else 1
    else:
        k = int(selector)
        k = k if 0 <= k < len(region.bodies) else len(region.bodies) - 1
    return one_or_all(region, run(region.bodies[k], frame, args, frame.iteration))


def scan(node, region, frame):
    args = [value(a, frame) for a in node.args]
    carries, length, body = region.more["carries"], int(region.more["length"]), region.bodies[0]
    turns = int(args.pop()) if region.more.get("turns") else length
    h, rows = args[:carries], args[carries:]
    emitted = []
    for t in range(turns):
        r = run(body, frame, h + [x[t] for x in rows], frame.iteration * length + t)
        h = r[:carries]
        emitted.append(r[carries:])
    stacked = []
    for k, b in enumerate(body.results[carries:]):
        zeros = [jnp.zeros([int(d) for d in b.shape], dtype={"f": float, "i": jnp.int32, "b": bool}[b.kind])] * (length - turns)
        stacked.append(jnp.stack([e[k] for e in emitted] + zeros))
    return one_or_all(region, h + stacked)


def until(node, region, frame):
    h = [value(a, frame) for a in node.args]
    condition, body = region.bodies
    capacity = int(region.more["capacity"])
    for t in range(capacity + 1):
        if not bool(run(condition, frame, h, frame.iteration * capacity + t)[0]):
            return one_or_all(region, h)
        if t == capacity:
            raise Refused("too many iterations")
        h = run(body, frame, h, frame.iteration * capacity + t)


def custom(node, region, frame):
    body, back = region.bodies
    single = region.outputs == 1

    @jax.custom_vjp
    def f(*args):
        r = run(body, frame, args, frame.iteration)
        return r[0] if single else tuple(r)

    def forward(*args):
        y = f(*args)
        return y, (args, y)

    def backward(saved, g):
        args, y = saved
        return tuple(run(back, frame, list(args) + ([y, g] if single else list(y) + list(g)), frame.iteration))

    f.defvjp(forward, backward)
    r = f(*[value(a, frame) for a in node.args])
    return r if single else list(r)


RUN = {
    "call": call,
    "cond": branch,
    "switch_case": branch,
    "scan": scan,
    "layers": scan,
    "fold": scan,
    "map": scan,
    "while_loop": until,
    "custom_gradient": custom,
}
