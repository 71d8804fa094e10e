# SPDX-License-Identifier: MIT
"""A program as C++ with the numbers that JAX computes."""

import random

import jax
import jax.numpy as jnp
import numpy as np

from evaluate import Frame, Refused, along, value
from generate import Generator
from language import Leaf, Node, Parameter, numbers, text_of

OFFSETS = [0, 32]  # of the numbers of the leaves, in the two calls of each program
LARGEST = 100.0


class Program:
    def __init__(self, number, wrap=False):
        self.number, self.g, self.wraps = number, Generator(number), random.Random(f"wraps {number}") if wrap else None
        g, r = self.g, self.g.random
        while g.regions == 0:
            before = len(g.root.nodes)
            g.grow(g.root, r.choice([2, 3, 4]))
            if len(g.root.nodes) > 60 or len(g.root.nodes) == before:
                raise Refused("no region")
        read = {id(a) for n in g.root.nodes for a in n.args + (n.region.captures() if n.region else [])}
        ends = [n for n in g.root.nodes if n.kind == "f" and not isinstance(n, Leaf) and id(n) not in read]
        reached = {}
        for n in ends:  # those with the most below them, at most four
            reached[n] = sum(m.region is not None for m in self.below([n]))
        ends = sorted(ends, key=lambda n: -reached[n])[:4]
        terms = [self.add("xg::sum(xg::sin({0}))", lambda x: jnp.sum(jnp.sin(x)), [n]) for n in ends]
        self.loss = terms[0]
        for t in terms[1:]:
            self.loss = self.add("{0} + {1}", lambda a, b: a + b, [self.loss, t])
        self.order = self.below([self.loss])
        if not any(n.region for n in self.order):
            raise Refused("no region")
        self.leaves = [n for n in g.leaves if n in self.order]
        self.floats = [n for n in self.leaves if n.kind == "f"]
        if not self.floats:
            raise Refused("nothing to differentiate")
        self.y = max(ends, key=lambda n: (reached[n], len(n.shape)))
        self.mode = r.choices(["second", "hvp", "jvp", "vjp", "first"], [5, 2, 2, 1, 0] if not g.has_derivative else [0, 0, 1, 1, 3])[0]
        if self.mode in ("hvp", "jvp"):
            self.along = r.sample(self.floats, min(len(self.floats), r.choice([1, 2])))
            self.directions = [Leaf(None, f"t{k}", x.shape, "f", 40 + k) for k, x in enumerate(self.along)]
        elif self.mode == "vjp":
            self.along, self.directions = self.floats, [Leaf(None, "t0", self.y.shape, "f", 40)]
        else:
            self.along, self.directions = [], []
        self.flags = [
            {"k": r.choice([0, 1, 2, -1, 3]), "yes": r.random() < 0.5, "turns": r.choice(range(int(g.rows) + 1))} for _ in OFFSETS
        ]
        self.flags[1]["yes"] = not self.flags[0]["yes"]

    def add(self, cpp, fn, args):
        n = Node(self.g.root, cpp, fn, args, ())
        return n

    def below(self, nodes):
        seen, order = set(), []

        def visit(n):
            if id(n) in seen:
                return
            seen.add(id(n))
            for a in n.args + (n.region.captures() if n.region else []):
                visit(a)
            order.append(n)

        for n in nodes:
            visit(n)
        return order

    # By JAX.

    def leaf_value(self, leaf, call):
        if leaf.name in self.flags[call]:
            return jnp.array(self.flags[call][leaf.name]) if leaf.kind == "b" else jnp.int32(self.flags[call][leaf.name])
        size, offset = int(np.prod(leaf.shape, dtype=int)), OFFSETS[call]
        v = numbers(leaf.number, size + offset)[offset:].reshape([int(d) for d in leaf.shape])
        return jnp.array(((v + 1.0) / 2.0 * leaf.limit).astype(np.int32)) if leaf.kind == "i" else jnp.array(v)

    def results(self, call):
        given = {n: self.leaf_value(n, call) for n in self.leaves}

        def computed(node, values, checks=False):
            return value(node, Frame(None, {**given, **dict(zip(self.floats, values))}, 0, checks))

        xs = [given[n] for n in self.floats]
        loss = computed(self.loss, xs, True)
        every = tuple(range(len(xs)))

        def slopes(*v):
            return jax.grad(lambda *u: computed(self.loss, u), every)(*v)

        r = [loss, computed(self.y, xs)] + list(slopes(*xs))
        t = [self.leaf_value(d, call) for d in self.directions]
        at = [self.floats.index(n) for n in self.along]

        def some(f):  # of the leaves of a direction
            def g(*u):
                v = list(xs)
                for k, x in zip(at, u):
                    v[k] = x
                return f(*v)

            return g

        if self.mode == "second":
            r += jax.grad(lambda *v: sum(jnp.sum(jnp.sin(s)) for s in slopes(*v)), every)(*xs)
        elif self.mode == "hvp":
            product = some(lambda *v: sum(jnp.sum(slopes(*v)[k] * d) for k, d in zip(at, t)))
            r += jax.grad(product, tuple(range(len(at))))(*[xs[k] for k in at])
        elif self.mode == "jvp":
            f, us = some(lambda *v: computed(self.y, v)), [xs[k] for k in at]
            r.append(along(f, us, t) if self.g.has_custom or self.g.has_derivative else jax.jvp(f, tuple(us), tuple(t))[1])
        elif self.mode == "vjp":
            r += jax.vjp(lambda *v: computed(self.y, v), *xs)[1](t[0])
        r = [np.asarray(v, dtype=float).reshape(-1) for v in r]
        if not all(np.all(np.isfinite(v)) and np.all(np.abs(v) < LARGEST) for v in r):
            raise Refused("too large")
        if max(np.max(np.abs(v)) for v in r[2 : 2 + len(xs)]) < 1e-3:
            raise Refused("no gradient")
        return r

    # As C++.

    def name_type(self, node, scope, captures):
        return f"C{captures.index(node)}" if node.scope is not scope else f"decltype({node.name})"

    def text(self, node, scope, captures):
        """How the scope refers to a node."""
        if node.scope is None or node.scope is self.g.root or node.scope is scope:
            return node.name
        return f"C{captures.index(node)}{{}}"

    def outer(self, body):
        return [c for c in body.captures() if c.scope is not self.g.root]

    def wrapped(self, name, how):
        """The body that computes itself again for its gradient, or keeps fewer carries. Values and derivatives are the same."""
        if how in ("scan", "layers", "map", "fold") and self.wraps.random() < 0.6:
            name = f"xg::gradient_checkpoints<{name}, {self.wraps.choice([1, 2, 2, 3])}>"
        if how not in ("cond", "switch_case", "custom_gradient") and self.wraps.random() < 0.3:
            name = f"xg::recompute<{name}>"
        return name

    def expression(self, node, scope, captures):
        args = [self.text(a, scope, captures) for a in node.args]
        if node.region is None:
            return node.cpp.replace("GRADIENT ", "").format(*args)
        cpp, more = node.cpp, node.region.more
        for k, b in enumerate(node.region.bodies):
            types = ", ".join(self.name_type(c, scope, captures) for c in self.outer(b))
            name = f"b{b.number}<{types}>" if types else f"b{b.number}"
            asks = node.region.how == "while_loop" and k == 0
            cpp = cpp.replace(f"BODY{k}", self.wrapped(name, node.region.how) if self.wraps and not asks else name)
        carries = more.get("carries", 0)
        turns = args.pop() if more.get("turns") else ""
        return (
            cpp.replace("CARRIES", ", ".join(args[:carries]))
            .replace("ROWS", ", ".join(args[carries:]))
            .replace("TURNS", turns)
            .replace("ARGS", ", ".join(args))
        )

    def struct(self, body, out, done):
        if body.number in done:
            return
        done.add(body.number)
        nodes, captures = body.nodes(), self.outer(body)
        for n in nodes:
            if n.region:
                for b in n.region.bodies:
                    self.struct(b, out, done)
        for k, p in enumerate(body.params):
            p.name = f"a{k}"
        for k, n in enumerate(nodes):
            n.name = f"n{k}"
        lines = [f"        auto {n.name} = {self.expression(n, body.scope, captures)};" for n in nodes]
        results = [self.text(r, body.scope, captures) for r in body.results]
        how, carries, emits = self.kinds[body.number]
        if how in ("scan", "while_loop") and carries is not None:
            back = f"xg::carry({', '.join(results[:carries])})" + (f".emit({', '.join(results[carries:])})" if emits else "")
        else:
            back = results[0] if len(results) == 1 else f"std::tuple{{{', '.join(results)}}}"
        used = "\n".join(lines) + back
        parameters = ", ".join(f"auto {p.name}" if self.is_read(p, nodes, body) else "auto" for p in body.params)
        if captures:
            out.append(f"template<{', '.join(f'class C{k}' for k in range(len(captures)))}>")
        out.append(f"struct b{body.number} : xg::region {{")
        out.append(f"    static constexpr auto value({parameters}) {{")
        out += lines + [f"        return {back};", "    }", "};"]

    def is_read(self, p, nodes, body):
        return p in body.results or any(p in n.args + (n.region.captures() if n.region else []) for n in nodes)

    def source(self, expected):
        self.kinds = {}
        for n in self.everything():
            for k, b in enumerate(n.region.bodies):
                more = n.region.more
                asks = n.region.how == "while_loop" and k == 0
                self.kinds[b.number] = (n.region.how, None if asks else more.get("carries"), more.get("emits"))
        out, done = [f"namespace p{self.number} {{"], set()
        for n in self.leaves + self.directions:
            element = {"f": "double", "i": "std::int32_t", "b": "bool"}[n.kind]
            what = "variable" if n.variable else "input"
            extents = "".join(f", {text_of(d)}" for d in n.shape)
            out.append(f'constexpr auto {n.name} = xg::{what}<"{n.name}", {element}{extents}>;')
        for k, n in enumerate(m for m in self.order if not isinstance(m, Leaf)):
            n.name = "loss" if n is self.loss else f"e{k}"
            if n.region:
                for b in n.region.bodies:
                    self.struct(b, out, done)
            out.append(f"constexpr auto {n.name} = {self.expression(n, self.g.root, [])};")
        xs = ", ".join(n.name for n in self.floats)
        out.append(f"constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, {xs}));")
        ts = ", ".join(n.name for n in self.directions)
        along_x = ", ".join(n.name for n in self.along)
        if len(self.along) > 1:
            along_x, ts = f"std::tuple({along_x})", f"std::tuple({ts})" if self.mode != "vjp" else ts
        more = {
            "second": f"of(xg::gradients(xg::ys(of_sines(g)), xg::unconnected_zeros, {xs}))",
            "hvp": f"of(xg::hvp(loss, {along_x}, {ts}))",
            "jvp": f"of(xg::jvp({self.y.name}, {along_x}, {ts}))",
            "vjp": f"of(xg::vjp({self.y.name}, {along_x}, {ts}))",
            "first": "std::tuple<>()",
        }[self.mode]
        read = ", ".join(n.name for n in self.leaves + self.directions)
        out.append(
            f"constexpr auto results = list_of(std::tuple_cat(std::tuple(loss, {self.y.name}), g, {more}, std::tuple(read({read}))));"
        )
        out += ["}", f'TEST_CASE("bodies, program {self.number}") {{', f"    using namespace p{self.number};"]
        variables = [n for n in self.leaves if n.kind == "f" and n.variable]
        if variables:
            out.append("    xg::variables owner{loss};")
        out.append(f"    xg::function f{{results{', owner' if variables else ''}}};")
        for call, r in enumerate(expected):
            for n in variables:
                out.append(f"    owner.assign({n.name}, {self.array(n, call)});")
            bound = ", ".join(f"{n.name} = {self.array(n, call)}" for n in self.leaves + self.directions if not n.variable)
            values = ", ".join("{" + ", ".join(f"{v:.15g}" for v in part) + "}" for part in r)
            out.append(f"    random_bodies::expect(f({bound}), {{{values}}});")
        return out + ["}", ""]

    def everything(self):
        """All steps over bodies, at every depth."""
        found, stack = [], [n for n in self.order if n.region]
        while stack:
            n = stack.pop()
            found.append(n)
            for b in n.region.bodies:
                stack += [m for m in b.nodes() if m.region]
        return found

    def array(self, n, call):
        if n.name in self.flags[call]:
            v = self.flags[call][n.name]
            return str(v).lower() if n.kind == "b" else str(v)
        if n.shape == ():
            return f"fuzz::data<double>({n.number})[{OFFSETS[call]}]"
        data = f"fuzz::integers({n.number}, {n.limit})" if n.kind == "i" else f"fuzz::data<double>({n.number})"
        return f"xg::array({data} + {OFFSETS[call]}, {', '.join(str(int(d)) for d in n.shape)})"


def program(number, wrap=False):
    """The lines of a program, or None: not every number has a program."""
    try:
        p = Program(number, wrap)
        expected = [p.results(k) for k in range(len(OFFSETS))]
    except Refused:
        return None
    return p.source(expected)
