# SPDX-License-Identifier: MIT
"""Random programs: outer expressions, and bodies in bodies. A program depends on its number alone."""

import random

import jax
import jax.numpy as jnp

from language import Body, Dim, Leaf, Node, Parameter, Region, same, text_of

UNARY = [
    ("xg::tanh({0})", jnp.tanh),
    ("xg::sin({0})", jnp.sin),
    ("xg::cos({0})", jnp.cos),
    ("xg::sigmoid({0})", jax.nn.sigmoid),
    ("xg::softplus({0})", jax.nn.softplus),
    ("xg::erf({0})", jax.lax.erf),
    ("0.7_c * {0}", lambda x: 0.7 * x),
    ("{0} - 0.3_c", lambda x: x - 0.3),
    ("xg::exp(-xg::square({0}))", lambda x: jnp.exp(-x * x)),
    ("-{0}", lambda x: -x),
    ("xg::square({0})", jnp.square),
    ("xg::sqrt(0.5_c + xg::square({0}))", lambda x: jnp.sqrt(0.5 + x * x)),
    ("xg::log1p(xg::square({0}))", lambda x: jnp.log1p(x * x)),
]
KINKS = [("xg::relu({0})", jax.nn.relu), ("xg::abs({0})", jnp.abs)]
BINARY = [
    ("{0} + {1}", lambda a, b: a + b),
    ("{0} - {1}", lambda a, b: a - b),
    ("{0} * {1}", lambda a, b: a * b),
    ("{0} * {1}", lambda a, b: a * b),
    ("{0} / (1.5_c + xg::square({1}))", lambda a, b: a / (1.5 + b * b)),
    ("{0} * xg::sigmoid({1})", lambda a, b: a * jax.nn.sigmoid(b)),
]
EXTREMES = [("xg::maximum({0}, {1})", jnp.maximum), ("xg::minimum({0}, {1})", jnp.minimum)]
WEIGHTS = {
    "unary": 5,
    "binary": 6,
    "kink": 1,
    "reduce": 3,
    "matmul": 3,
    "gather": 2,
    "shape": 2,
    "softmax": 1,
    "select": 2,
    "count": 1,
    "draw": 1,
    "stop": 0.4,
    "derivative": 0.7,
}
REGIONS = {"call": 3, "cond": 3, "switch_case": 2, "layers": 2, "map": 2, "fold": 2, "scan": 4, "while_loop": 3, "custom_gradient": 1.5}


class Scope:
    """Where nodes are made: the program, or a body. `own`: the body reads nothing differentiable from around it."""

    def __init__(self, parent, body=None, own=False, no_variables=False, no_draws=False):
        self.parent, self.body, self.nodes = parent, body, []
        self.own = own or bool(parent and parent.own)
        self.no_variables = no_variables or bool(parent and parent.no_variables)
        self.no_draws = no_draws or bool(parent and parent.no_draws)
        self.depth = parent.depth + 1 if parent else 0


def reads_variable(n):
    return any(leaf.variable for leaf in n.leaves)


class Generator:
    def __init__(self, number):
        self.random = r = random.Random(number)
        self.number, self.root, self.bodies, self.reusable, self.draws = number, Scope(None), [], [], 0
        self.regions, self.has_custom, self.has_derivative = 0, False, False
        self.most_regions = r.choice([2, 3, 3, 4, 5])
        self.rows = Dim(r.choice([2, 3, 4])) if r.random() < 0.35 else r.choice([1, 2, 3, 4])
        self.n, self.m, self.table_rows = r.choice([1, 2, 2]), r.choice([2, 3]), r.choice([3, 4])
        self.leaves = []
        shapes = [
            ("x", (self.n,)),
            ("s", ()),
            ("q", (self.rows, self.n)),
            ("w", (self.n, self.n)),
            ("v", (self.n, self.m)),
            ("p", (self.rows,)),
            ("a", (self.m, self.n)),
            ("e", (self.table_rows, self.n)),
        ]
        chosen = [shapes[0], shapes[2]] + r.sample(shapes[1:2] + shapes[3:], r.choice([2, 3]))
        for k, (name, shape) in enumerate(sorted(chosen)):
            self.leaf(name, shape, "f", k, variable=r.random() < 0.35 and not any(isinstance(d, Dim) for d in shape))
        if any(leaf.name == "e" for leaf in self.leaves):
            self.leaf("ids", r.choice([(3,), (2,), (self.rows,), (self.rows, 2)]), "i", 64 + 2 * self.table_rows, limit=self.table_rows)
        self.leaf("k", (), "i", 80, limit=None)
        self.leaf("yes", (), "b", 81)
        self.turns = self.leaf("turns", (), "i", 82, limit=None)
        self.root.nodes.remove(self.turns)

    def leaf(self, name, shape, kind, number, limit=None, variable=False):
        leaf = Leaf(self.root, name, shape, kind, number, limit, variable)
        self.leaves.append(leaf)
        self.root.nodes.append(leaf)
        return leaf

    # Choices.

    def visible(self, scope):
        """What an expression of the scope may read, own nodes three times."""
        found, s, times = [], scope, 3
        while s is not None:
            for n in s.nodes:
                if s is scope or not (
                    (scope.own and n.kind == "f") or (scope.no_variables and reads_variable(n)) or (scope.no_draws and n.draws)
                ):
                    found += [n] * times
            s, times = s.parent, 1
        return found

    def pick(self, scope, test):
        found = [n for n in self.visible(scope) if test(n)]
        return self.random.choice(found) if found else None

    def floats(self, scope, test=lambda n: True):
        return self.pick(scope, lambda n: n.kind == "f" and test(n))

    def add(self, scope, *args, **more):
        n = Node(scope, *args, **more)
        scope.nodes.append(n)
        return n

    # Nodes.

    def grow(self, scope, count):
        made, tries = [], 0
        while len(made) < count and tries < 40:
            tries += 1
            n = None
            if self.regions < self.most_regions and scope.depth < 3 and self.random.random() < (0.5 if scope.depth == 0 else 0.25):
                if not (scope.own or (scope.depth == 0 and tries < 2)):
                    self.regions += 1
                    kind = self.random.choices(list(REGIONS), list(REGIONS.values()))[0]
                    n = getattr(self, "make_" + kind)(scope)
                    self.regions -= n is None
            else:
                kind = self.random.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
                n = getattr(self, "make_" + kind)(scope)
            if n is not None:
                made += n if isinstance(n, list) else [n]
        return made

    def make_unary(self, scope):
        cpp, fn = self.random.choice(UNARY)
        a = self.floats(scope)
        return a and self.add(scope, cpp, fn, [a], a.shape)

    def make_kink(self, scope):
        if self.random.random() < 0.5:
            cpp, fn = self.random.choice(KINKS)
            a = self.floats(scope)
            return a and self.add(scope, cpp, fn, [a], a.shape, near=jnp.abs)
        a = self.floats(scope)
        b = a and self.floats(scope, lambda n: same(n.shape, a.shape) and n is not a)
        cpp, fn = self.random.choice(EXTREMES)
        return b and self.add(scope, cpp, fn, [a, b], a.shape, near=lambda x, y: jnp.abs(x - y))

    def make_binary(self, scope):
        cpp, fn = self.random.choice(BINARY)
        a = self.floats(scope)
        b = a and self.floats(scope, lambda n: len(n.shape) <= len(a.shape) and same(n.shape, a.shape[len(a.shape) - len(n.shape) :]))
        if b is None:
            return None
        args = [a, b] if self.random.random() < 0.7 else [b, a]
        return self.add(scope, cpp, fn, args, a.shape)

    def make_reduce(self, scope):
        a = self.floats(scope, lambda n: len(n.shape) > 0)
        if a is None:
            return None
        axis = self.random.choice([None] + list(range(len(a.shape))))
        name, fn = self.random.choice(
            [("sum", jnp.sum), ("mean", jnp.mean), ("log_sum_exp", jax.scipy.special.logsumexp), ("sum", jnp.sum), ("prod", jnp.prod)]
        )
        shape = () if axis is None else a.shape[:axis] + a.shape[axis + 1 :]
        return self.add(scope, f"xg::{name}{'' if axis is None else f'<{axis}>'}({{0}})", lambda x: fn(x, axis=axis), [a], shape)

    def make_matmul(self, scope):
        a = self.floats(scope, lambda n: len(n.shape) == 2)
        b = a and self.floats(scope, lambda n: len(n.shape) == 2 and same(n.shape[:1], a.shape[1:]))
        return b and self.add(scope, "xg::matmul({0}, {1})", lambda x, y: x @ y, [a, b], (a.shape[0], b.shape[1]))

    def make_gather(self, scope):
        ids = self.pick(scope, lambda n: n.kind == "i" and n.limit is not None)
        table = ids and self.floats(scope, lambda n: len(n.shape) in (1, 2) and not isinstance(n.shape[0], Dim) and n.shape[0] >= ids.limit)
        if table is None or len(ids.shape) + len(table.shape) > 3:
            return None
        return self.add(scope, "xg::gather({0}, {1})", lambda t, i: t[i], [table, ids], ids.shape + table.shape[1:])

    def make_shape(self, scope):
        a = self.floats(scope, lambda n: len(n.shape) > 0)
        if a is None:
            return None
        choice = self.random.choice(["transpose", "slice", "concat", "flip", "expand", "reshape"])
        fixed = not any(isinstance(d, Dim) for d in a.shape)
        if choice == "transpose" and len(a.shape) == 2:
            return self.add(scope, "xg::transpose<1, 0>({0})", jnp.transpose, [a], a.shape[::-1])
        if choice == "slice" and not isinstance(a.shape[-1], Dim) and a.shape[-1] > 1:
            axis = len(a.shape) - 1
            return self.add(
                scope, f"xg::slice<{axis}, 1, {a.shape[-1]}>({{0}})", lambda x: x[..., 1:], [a], a.shape[:-1] + (a.shape[-1] - 1,)
            )
        if choice == "concat" and not isinstance(a.shape[-1], Dim) and a.shape[-1] < 3:
            b = self.floats(scope, lambda n: same(n.shape, a.shape))
            axis = len(a.shape) - 1
            return self.add(
                scope,
                f"xg::concat<{axis}>({{0}}, {{1}})",
                lambda x, y: jnp.concatenate([x, y], axis),
                [a, b],
                a.shape[:-1] + (2 * a.shape[-1],),
            )
        if choice == "flip":
            return self.add(scope, "xg::flip<0>({0})", lambda x: jnp.flip(x, 0), [a], a.shape)
        if choice == "expand" and len(a.shape) == 1:
            return self.add(scope, "xg::expand_dims<0>({0})", lambda x: x[None], [a], (1,) + a.shape)
        if choice == "reshape" and fixed and len(a.shape) == 2:
            size = a.shape[0] * a.shape[1]
            return self.add(scope, f"xg::reshape<{size}>({{0}})", lambda x: x.reshape(-1), [a], (size,))
        return None

    def make_softmax(self, scope):
        a = self.floats(scope, lambda n: len(n.shape) > 0)
        return a and self.add(scope, "xg::softmax({0})", lambda x: jax.nn.softmax(x, -1), [a], a.shape)

    def make_select(self, scope):
        a = self.floats(scope)
        b = a and self.floats(scope, lambda n: same(n.shape, a.shape) and n is not a)
        c = b and self.floats(scope, lambda n: same(n.shape, a.shape) or n.shape == ())
        return c and self.add(
            scope,
            "xg::select(xg::greater({2}, 0.1_c), {0}, {1})",
            lambda x, y, z: jnp.where(z > 0.1, x, y),
            [a, b, c],
            a.shape,
            near=lambda x, y, z: jnp.abs(z - 0.1),
        )

    def make_count(self, scope):
        k = self.pick(scope, lambda n: n.kind == "i" and n.shape == ())
        return k and not scope.own and self.add(scope, "0.2_c * xg::cast<double>({0})", lambda i: 0.2 * i.astype(float), [k], ())

    def make_draw(self, scope):
        a = self.floats(scope, lambda n: scope.parent is None or any(p.scope is scope for p in n.params))
        if a is None or scope.own:
            return None
        name = f"d{self.draws}"
        self.draws += 1
        if self.random.random() < 0.7:
            return self.add(
                scope, f'xg::dropout<"{name}">({{0}}, 0.4_c)', lambda x, u: jnp.where(u >= 0.4, x / 0.6, 0.0), [a], a.shape, draws=name
            )
        return self.add(scope, f'xg::uniform_like<"{name}">({{0}})', lambda x, u: u, [a], a.shape, draws=name)

    def make_stop(self, scope):
        a = self.floats(scope)
        return a and self.add(scope, "xg::stop_gradient({0})", jax.lax.stop_gradient, [a], a.shape)

    def make_derivative(self, scope):
        """vjp or jvp of a node by a leaf or a parameter, as a part of the program."""
        if self.has_derivative or scope.own or self.has_custom or (scope.parent and not scope.no_draws):
            return None
        y = self.floats(scope, lambda n: n.scope is scope and (n.leaves or n.params) and not isinstance(n, (Leaf, Parameter)))
        xs = (
            [] if y is None else [x for x in list(y.leaves) + list(y.params) if x.kind == "f" and (x.scope is scope or isinstance(x, Leaf))]
        )
        if not xs:
            return None
        x = self.random.choice(sorted(xs, key=lambda n: (n.name or "", scope.nodes.index(n) if n.scope is scope else -1)))
        along = self.random.random() < 0.4
        t = self.floats(scope, lambda n: same(n.shape, (x if along else y).shape))
        if t is None:
            return None
        self.has_derivative = True
        if along:
            return self.add(scope, "xg::jvp({0}, {1}, {2})", None, [y, x, t], y.shape)
        return self.add(scope, "GRADIENT xg::vjp({0}, {1}, {2})", None, [y, x, t], x.shape)

    # Bodies.

    def body(self, scope, given, rows=0, **more):
        """A body with a parameter for each of the given nodes; the last `rows` of them give slices."""
        inner = Scope(scope, **more)
        b = inner.body = Body(len(self.bodies), inner)
        self.bodies.append(b)
        for k, g in enumerate(given):
            shape = g.shape[1:] if k >= len(given) - rows else g.shape
            p = Parameter(inner, shape, g.kind, g.limit)
            p.scope = inner
            b.params.append(p)
            inner.nodes.append(p)
        return b, inner

    def mixed(self, scope, shape, base=None):
        """A bounded expression of this shape, from what was made last in the scope."""
        own = [n for n in scope.nodes if n.kind == "f" and not isinstance(n, (Leaf, Parameter))][-3:]
        n = self.random.choice(own) if own else self.floats(scope)
        if n is None:
            return None
        base = base or self.floats(scope, lambda c: same(c.shape, shape) and c is not n)
        if base is None or self.random.random() < 0.1:
            t = n if n.shape == () else self.add(scope, "xg::mean({0})", jnp.mean, [n], ())
            if shape == ():
                return self.add(scope, "xg::sin({0})", jnp.sin, [t], ())
            extents = ", ".join(text_of(d) for d in shape)
            return self.add(
                scope,
                f"xg::broadcast_to<{extents}>(xg::sin({{0}}))",
                lambda x: jnp.broadcast_to(jnp.sin(x), [int(d) for d in shape]),
                [t],
                shape,
            )
        if not (len(n.shape) <= len(shape) and same(n.shape, shape[len(shape) - len(n.shape) :])):
            n = self.add(scope, "xg::mean({0})", jnp.mean, [n], ())
        cpp, fn = self.random.choice(
            [
                ("xg::tanh({0} + {1})", lambda a, b: jnp.tanh(a + b)),
                ("xg::sin({0} - {1})", lambda a, b: jnp.sin(a - b)),
                ("0.8_c * {0} + xg::sin({1})", lambda a, b: 0.8 * a + jnp.sin(b)),
                ("xg::tanh({0}) * xg::sigmoid({1})", lambda a, b: jnp.tanh(a) * jax.nn.sigmoid(b)),
            ]
        )
        return self.add(scope, cpp, fn, [base, n], shape)

    def region(self, scope, how, bodies, args, cpp, results, **more):
        """The node of a step over bodies, and one for each output. `results`: the shapes and kinds of the outputs."""
        count = len(results)
        node = Node(scope, cpp, None, args, results[0][0], results[0][1], region=Region(how, bodies, count, **more))
        if how == "custom_gradient":
            self.has_custom = True
        if count == 1 and not more.get("tuple"):
            scope.nodes.append(node)
            return node
        node.kind = "tuple"
        return [
            self.add(scope, f"std::get<{k}>({{0}})", lambda v, k=k: v[k], [node], shape, kind) for k, (shape, kind) in enumerate(results)
        ]

    def arguments(self, scope, least=1):
        found = []
        for _ in range(self.random.choice([1, 2, 2, 3])):
            n = self.pick(scope, lambda c: c.kind in "fi" and c not in found)
            if n is not None:
                found.append(n)
        return found if any(n.kind == "f" for n in found) else None

    def quiet(self):
        """A quarter of the bodies may take derivatives; these read nothing that draws."""
        return self.random.random() < 0.3

    def make_call(self, scope):
        args = self.arguments(scope)
        if args is None:
            return None
        for b, results in self.reusable:
            if self.random.random() < 0.5 and len(b.params) <= 3:
                again = [
                    self.pick(
                        scope,
                        lambda c, p=p: c.kind == p.kind and same(c.shape, p.shape) and (p.limit is None or (c.limit or 99) <= p.limit),
                    )
                    for p in b.params
                ]
                reads = [c for c in b.captures() if (scope.no_variables and reads_variable(c)) or (scope.no_draws and c.draws)]
                if None not in again and not reads and not (scope.no_draws and b.draws()):
                    return self.region(scope, "call", [b], again, "xg::call<BODY0>(ARGS)", results)
        b, inner = self.body(scope, args, no_draws=self.quiet())
        self.grow(inner, self.random.choice([1, 2, 3]))
        own = [n for n in inner.nodes if n.kind == "f" and not isinstance(n, Parameter)]
        b.results = [
            r for r in [self.mixed(inner, self.random.choice(own or b.params).shape) for _ in range(self.random.choice([1, 1, 2]))] if r
        ]
        if not b.results:
            return None
        results = [(r.shape, r.kind) for r in b.results]
        if scope.depth == 0 and all(c.scope is self.root for c in b.captures()):
            self.reusable.append((b, results))
        return self.region(scope, "call", [b], args, "xg::call<BODY0>(ARGS)", results)

    def branches(self, scope, how, count, selector, args):
        shapes = [self.floats(scope).shape for _ in range(self.random.choice([1, 1, 2]))]
        bodies = []
        for _ in range(count):
            b, inner = self.body(scope, args, no_draws=True)
            self.grow(inner, self.random.choice([1, 1, 2]))
            b.results = [self.mixed(inner, s) for s in shapes]
            if None in b.results:
                return None
            bodies.append(b)
        names = ", ".join(f"BODY{k}" for k in range(count))
        return self.region(scope, how, bodies, [selector] + args, f"xg::{how}<{names}>(ARGS)", [(s, "f") for s in shapes])

    def make_cond(self, scope):
        args = self.arguments(scope)
        if args is None:
            return None
        p = self.pick(scope, lambda n: n.kind == "b" and n.shape == ())
        if p is None or self.random.random() < 0.6:
            n = self.floats(scope)
            c = self.random.choice([-0.2, 0.15, 0.4])
            p = self.add(
                scope,
                f"xg::greater(xg::mean({{0}}), {c}_c)",
                lambda x: jnp.mean(x) > c,
                [n],
                (),
                "b",
                near=lambda x: jnp.abs(jnp.mean(x) - c),
            )
        return self.branches(scope, "cond", 2, p, args)

    def make_switch_case(self, scope):
        args = self.arguments(scope)
        k = self.pick(scope, lambda n: n.kind == "i" and n.shape == ())
        return self.branches(scope, "switch_case", 3, k, args) if args and k else None

    def rows_of(self, scope, first, most):
        """Sequences with the same first axis as `first`."""
        found = [first]
        for _ in range(self.random.choice(range(most))):
            n = self.pick(
                scope, lambda c: c.kind in "fi" and len(c.shape) > 0 and text_of(c.shape[0]) == text_of(first.shape[0]) and c not in found
            )
            found += [n] if n else []
        return found

    def loop(self, scope, how, starts, rows, next_of, cpp, **more):
        b, inner = self.body(scope, starts + rows, len(rows), no_draws=self.quiet(), no_variables=how == "layers")
        self.grow(inner, self.random.choice([1, 2, 3]))
        length = more.pop("length", None) or rows[0].shape[0]
        b.results = [
            (
                self.mixed(inner, p.shape, p if self.random.random() < 0.6 else None)
                if s.kind == "f"
                else self.add(inner, "{0} + 1_c", lambda i: i + 1, [p], (), "i")
            )
            for s, p in zip(starts, b.params)
        ]
        b.results += [self.random.choice([n for n in inner.nodes if n.kind == "f"] or [None]) for _ in range(next_of)]
        if None in b.results:
            return None
        carried = [(r.shape, r.kind) for r in b.results[: len(starts)]]
        stacked = [((length,) + r.shape, r.kind) for r in b.results[len(starts) :]]
        return self.region(
            scope,
            how,
            [b],
            starts + rows + more.pop("counted", []),
            cpp,
            carried + stacked,
            carries=len(starts),
            length=length,
            emits=next_of,
            **more,
        )

    def make_layers(self, scope):
        h, row = self.floats(scope, lambda n: len(n.shape) < 3), self.floats(scope, lambda n: len(n.shape) > 0)
        if h is None or row is None:
            return None
        rows = self.rows_of(scope, row, 2)
        return self.loop(scope, "layers", [h], rows, 0, f"xg::layers<{text_of(row.shape[0])}, BODY0>(ARGS)", plain=True)

    def make_fold(self, scope):
        h, row = self.floats(scope), self.floats(scope, lambda n: len(n.shape) > 0)
        return self.loop(scope, "fold", [h], self.rows_of(scope, row, 3), 0, "xg::fold<BODY0>(ARGS)", plain=True) if row else None

    def make_map(self, scope):
        row = self.floats(scope, lambda n: len(n.shape) > 0)
        return (
            self.loop(scope, "map", [], self.rows_of(scope, row, 3), self.random.choice([1, 1, 2]), "xg::map<BODY0>(ARGS)", plain=True)
            if row
            else None
        )

    def counter(self, scope):
        return Node(scope, "xg::constant<std::int32_t, 0>", lambda: jnp.int32(0), [], (), "i")

    def make_scan(self, scope):
        starts = [self.floats(scope) for _ in range(self.random.choice([1, 1, 2]))]
        if None in starts:
            return None
        if self.random.random() < 0.3:
            starts.append(self.counter(scope))
        row = self.floats(scope, lambda n: len(n.shape) > 0) if self.random.random() < 0.75 else None
        rows = self.rows_of(scope, row, 3) if row else []
        length = None if rows else self.rows
        counted = (
            [self.turns] if self.random.random() < 0.35 and text_of(rows[0].shape[0] if rows else length) == text_of(self.rows) else []
        )
        number = "" if rows else f", {text_of(length)}"
        carry = f"xg::carry(CARRIES){'.turns(TURNS)' if counted else ''}"
        return self.loop(
            scope,
            "scan",
            starts,
            rows,
            self.random.choice([0, 1, 1, 2]),
            f"xg::scan<BODY0{number}>({carry}{', ROWS' if rows else ''})",
            length=length,
            counted=counted,
            turns=bool(counted),
            tuple=True,
        )

    def make_while_loop(self, scope):
        h = self.floats(scope)
        s = self.floats(scope, lambda n: n.shape == ())
        if h is None or s is None:
            return None
        start = self.add(scope, "xg::sin({0})", jnp.sin, [s], ())
        starts = [h, start] + ([self.counter(scope)] if self.random.random() < 0.5 else [])
        asks, outer = self.body(scope, starts, no_draws=True)
        bound = self.random.choice([0.7, 1.2, 1.7])
        n = self.floats(outer, lambda n: n.kind == "f")
        asks.results = [
            self.add(
                outer,
                f"xg::less({{0}} + 0.1_c * xg::sin(xg::mean({{1}})), {bound}_c)",
                lambda a, b: a + 0.1 * jnp.sin(jnp.mean(b)) < bound,
                [asks.params[1], n],
                (),
                "b",
                near=lambda a, b: jnp.abs(a + 0.1 * jnp.sin(jnp.mean(b)) - bound),
            )
        ]
        b, inner = self.body(scope, starts, no_draws=self.quiet())
        self.grow(inner, self.random.choice([1, 2, 2]))
        m = self.floats(inner)
        b.results = [
            self.mixed(inner, h.shape, b.params[0] if self.random.random() < 0.6 else None),
            self.add(
                inner,
                "{0} + 0.6_c + 0.2_c * xg::sin(xg::mean({1}))",
                lambda a, c: a + 0.6 + 0.2 * jnp.sin(jnp.mean(c)),
                [b.params[1], m],
                (),
            ),
        ]
        if None in b.results:
            return None
        b.results += [self.add(inner, "{0} + 1_c", lambda i: i + 1, [p], (), "i") for p in b.params[2:]]
        return self.region(
            scope,
            "while_loop",
            [asks, b],
            starts,
            "xg::while_loop<BODY0, BODY1, 8>(xg::carry(ARGS))",
            [(r.shape, r.kind) for r in b.results],
            capacity=8,
            tuple=True,
            carries=len(starts),
            emits=0,
        )

    def make_custom_gradient(self, scope):
        if self.has_derivative:
            return None
        args = [a for a in self.arguments(scope) or [] if a.kind == "f"][:2]
        if not args:
            return None
        b, inner = self.body(scope, args, own=True)
        self.grow(inner, 2)
        own = [n for n in inner.nodes if not isinstance(n, Parameter) and n.kind == "f"]
        if not own:
            return None
        b.results = [own[-1]]
        y = b.results[0]
        outer = Scope(scope, own=True)
        back = Body(len(self.bodies), outer)
        self.bodies.append(back)
        back.params = [Parameter(outer, p.shape, "f") for p in b.params + [y, y]]
        g = back.params[-1]
        outer.nodes += back.params[:-1]
        outer.body = back
        self.grow(outer, 2)
        total = Node(outer, "xg::mean({0})", jnp.mean, [g], ())  # not to be read elsewhere
        factors = [self.mixed(outer, p.shape, p) for p in back.params[: len(args)]]
        back.results = []
        for factor, p in zip(factors, back.params):   # linear in g: others have no derivative along a direction
            of = g if same(g.shape, p.shape) else total
            back.results.append(Node(outer, "{0} * {1}", lambda f, u: f * u, [factor, of], p.shape))
        return self.region(scope, "custom_gradient", [b, back], args, "xg::custom_gradient<BODY0, BODY1>(ARGS)", [(y.shape, "f")])
