# SPDX-License-Identifier: MIT
"""Random expressions as tests: values by NumPy, gradients by central differences of NumPy's values, the planner on against off.

    python3 generate.py FIRST COUNT [float|double] > random_FIRST_test.cpp

Case k depends on its number alone. Tests run the fixed set in this folder. For a longer search make more with other numbers,
compile them as the tests are compiled, and keep what fails, made small, as a case of ../corner_test.cpp.
"""
import random
import sys

import numpy as np

SIZE = {"b": 9, "t": 2}
M32 = 0xFFFFFFFF


def numbers(k, n):
    i = np.arange(1, n + 1, dtype=np.uint64)
    h = ((i * 2654435761) & M32) ^ ((((k + 1) * 40503) & M32) * 65537 & M32)
    h = ((h ^ (h >> np.uint64(15))) * 2246822519) & M32
    h = ((h ^ (h >> np.uint64(13))) * 3266489917) & M32
    h = h ^ (h >> np.uint64(16))
    return h.astype(np.float64) / 2147483648.0 - 1.0


def concrete(shape):
    return tuple(SIZE.get(d, d) for d in shape)


# name, shape
LEAVES = [("x", ("b", 5)), ("y", ("b", 1)), ("z", (5,)), ("s", ()), ("q", ("b", "t", 5)), ("p", ("b", 3, 1)), ("r", ("b", 3, 4)), ("u", (1, 5)),
          ("w", (5, 4)), ("v", (4, 5)), ("m", (3, 4)), ("n", ("b",)), ("c", (3, 1)), ("k", ("t", 5)), ("g", (6, 5))]
IDS = [("i", ("b",), 6), ("j", ("b", "t"), 6), ("l", ("b",), 4)]


class Node:
    def __init__(self, text, shape, f, args=(), boolean=False):
        self.text, self.shape, self.f, self.args, self.boolean = text, shape, f, args, boolean

    def value(self, env, memo):
        if self.text in env:   # a leaf, or an inner expression that is varied by itself
            return env[self.text]
        if id(self) not in memo:
            memo[id(self)] = self.f(env, *[a.value(env, memo) for a in self.args])
        return memo[id(self)]


def broadcast(a, b):
    n = max(len(a), len(b))
    a, b = (1,) * (n - len(a)) + a, (1,) * (n - len(b)) + b
    r = []
    for x, y in zip(a, b):
        if x == 1:
            r.append(y)
        elif y == 1 or x == y:
            r.append(x)
        else:
            return None
    return tuple(r)


def arg(d):
    return d if isinstance(d, str) else str(d)


class Maker:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.nodes, self.lines, self.used, self.known = [], [], set(), {}
        self.leaf = {}
        self.env = {}
        for k, (name, shape) in enumerate(LEAVES):
            self.env[name] = numbers(k, int(np.prod(concrete(shape), dtype=int))).reshape(concrete(shape))
            self.leaf[name] = Node(name, shape, lambda env, name=name: env[name])
        for k, (name, shape, limit) in enumerate(IDS):
            n = int(np.prod(concrete(shape)))
            self.env[name] = ((numbers(100 + k, n) + 1.0) / 2.0 * limit).astype(np.int32).reshape(concrete(shape))
            self.leaf[name] = Node(name, shape, lambda env, name=name: env[name])

    def pick(self, test=lambda n: True):
        r = self.rng
        pool = [n for n in self.nodes if test(n)]
        leaves = [self.leaf[name] for name, _ in LEAVES if test(self.leaf[name])]
        if pool and (r.random() < 0.75 or not leaves):
            return r.choice(pool[-6:]) if r.random() < 0.6 else r.choice(pool)
        return r.choice(leaves) if leaves else None

    def add(self, text, shape, f, args, boolean=False):
        # A named dimension twice is omitted: element-wise operations refuse it unless an operand has it twice.
        if len(shape) > 4 or sum(1 for d in shape if d == "b") > 1 or sum(1 for d in shape if d == "t") > 1:
            return None
        if text in self.known:   # equal types are one node
            return self.known[text]
        node = Node(f"e{len(self.lines)}", shape, f, args, boolean)
        with np.errstate(all="ignore"):
            try:
                v = node.value(self.env, {})
            except ValueError as e:
                raise RuntimeError(f"{text}: {e}") from e
        assert tuple(v.shape) == concrete(shape), (text, v.shape, concrete(shape))
        if not boolean and (not np.all(np.isfinite(v)) or np.max(np.abs(v), initial=0) > 60 or v.size > 3000):
            return None
        self.lines.append(f"constexpr auto {node.text} = {text};")
        self.known[text] = node
        for a in args:
            if a.text in self.leaf:
                self.used.add(a.text)
        self.nodes.append(node) if not boolean else None
        return node

    def unary(self):
        a = self.pick()
        name, f = self.rng.choice([("tanh", np.tanh), ("sigmoid", lambda x: 1 / (1 + np.exp(-x))), ("exp", np.exp), ("square", np.square), ("abs", np.abs),
                                   ("relu", lambda x: np.maximum(x, 0)), ("softplus", lambda x: np.log1p(np.exp(x))), ("sin", np.sin), ("neg", np.negative), ("cos", np.cos), ("expm1", np.expm1), ("root", None), ("log", None), ("power", None)])
        if name in ("root", "log", "power"):   # of what is positive
            text, g = {"root": ("xg::sqrt(0.5_c + xg::square({}))", lambda x: np.sqrt(0.5 + x * x)),
                       "log": ("xg::log(1.25_c + xg::abs({}))", lambda x: np.log(1.25 + np.abs(x))),
                       "power": ("xg::pow(1.25_c + xg::square({}), xg::exp(0.5_c) - 1_c)", lambda x: (1.25 + x * x) ** (np.exp(0.5) - 1))}[name]
            self.add(text.format(a.text), a.shape, lambda env, x: g(x), (a,))
            return
        self.add(f"-{a.text}" if name == "neg" else f"xg::{name}({a.text})", a.shape, lambda env, x: f(x), (a,))

    def binary(self):
        a = self.pick()
        b = self.pick(lambda n: broadcast(a.shape, n.shape) is not None)
        if b is None:
            return
        s = broadcast(a.shape, b.shape)
        kind = self.rng.choice(["+", "-", "*", "/", "maximum", "minimum", "select", "squared_error", "+c", "*c"])
        if kind == "select":
            c = self.pick(lambda n: broadcast(s, n.shape) is not None)
            s = broadcast(s, c.shape)
            op, g = self.rng.choice([("greater", np.greater), ("less_equal", np.less_equal), ("less", np.less)])
            other = self.rng.choice([a, b])
            test = self.add(f"xg::{op}({c.text}, {other.text})", broadcast(c.shape, other.shape), lambda env, x, y: g(x, y), (c, other), True)
            if test is None:
                return
            if self.rng.random() < 0.3:
                test = self.add(f"xg::logical_not({test.text})", test.shape, lambda env, x: np.logical_not(x), (test,), True)
            if self.rng.random() < 0.3:
                more = self.add(f"xg::less({a.text}, 0.25_c)", a.shape, lambda env, x: x < 0.25, (a,), True)
                joint = broadcast(test.shape, more.shape)
                word, h = self.rng.choice([("and", np.logical_and), ("or", np.logical_or)])
                test = self.add(f"xg::logical_{word}({test.text}, {more.text})", joint, lambda env, x, y: h(x, y), (test, more), True)
                if test is None:
                    return
            if self.rng.random() < 0.3:
                self.add(f"xg::cast<T>({test.text}) * {a.text}", broadcast(test.shape, a.shape), lambda env, t, x: t * x, (test, a))
                return
            self.add(f"xg::select({test.text}, {a.text}, {b.text})", broadcast(s, test.shape), lambda env, t, x, y: np.where(t, x, y), (test, a, b))
        elif kind in ("maximum", "minimum", "squared_error"):
            g = {"maximum": np.maximum, "minimum": np.minimum, "squared_error": lambda x, y: (x - y) ** 2}[kind]
            loss = kind == "squared_error" and len(a.shape) != len(b.shape)   # which losses refuse
            text = f"xg::square({a.text} - {b.text})" if loss else f"xg::{kind}({a.text}, {b.text})"
            self.add(text, s, lambda env, x, y: g(x, y), (a, b))
        elif kind == "/":
            self.add(f"{a.text} / (1.5_c + xg::square({b.text}))", s, lambda env, x, y: x / (1.5 + y * y), (a, b))
        elif kind == "+c":
            self.add(f"0.25_c + {a.text}", a.shape, lambda env, x: x + 0.25, (a,))
        elif kind == "*c":
            self.add(f"{a.text} * 1.5_c", a.shape, lambda env, x: x * 1.5, (a,))
        else:
            g = {"+": np.add, "-": np.subtract, "*": np.multiply}[kind]
            self.add(f"{a.text} {kind} {b.text}", s, lambda env, x, y: g(x, y), (a, b))

    def reduction(self):
        a = self.pick(lambda n: len(n.shape) > 0)
        axes = sorted(self.rng.sample(range(len(a.shape)), self.rng.randint(1, len(a.shape))))
        keep = self.rng.random() < 0.5
        kind = self.rng.choice(["sum", "mean", "max", "log_sum_exp", "softmax", "sum"])
        t = tuple(axes)
        names = ", ".join(map(str, axes))
        if kind == "softmax":
            def f(env, x):
                e = np.exp(x - x.max(axis=t, keepdims=True))
                return e / e.sum(axis=t, keepdims=True)
            self.add(f"xg::softmax<{names}>({a.text})", a.shape, f, (a,))
            return
        g = {"sum": np.sum, "mean": np.mean, "max": np.max,
             "log_sum_exp": lambda x, axis, keepdims: np.log(np.sum(np.exp(x), axis=axis, keepdims=keepdims))}[kind]
        shape = tuple(1 if i in axes else d for i, d in enumerate(a.shape)) if keep else tuple(d for i, d in enumerate(a.shape) if i not in axes)
        self.add(f"xg::{kind}<{names}>({a.text}{', xg::keep_dims' if keep else ''})", shape, lambda env, x: np.asarray(g(x, axis=t, keepdims=keep)), (a,))

    def matmul(self):
        a = self.pick(lambda n: len(n.shape) >= 2)
        ta = len(a.shape) == 2 and self.rng.random() < 0.3
        tb = self.rng.random() < 0.4
        k = a.shape[-2] if ta else a.shape[-1]
        b = self.pick(lambda n: len(n.shape) == 2 and n.shape[1 if tb else 0] == k)
        if b is None:
            return
        s = list(a.shape)
        if ta:
            s[-2] = a.shape[-1]
        s[-1] = b.shape[0 if tb else 1]

        def f(env, x, y):
            return np.matmul(x.T if ta else x, y.T if tb else y)
        self.add(f"xg::matmul<{str(ta).lower()}, {str(tb).lower()}>({a.text}, {b.text})", tuple(s), f, (a, b))

    def shape(self):
        r = self.rng
        kind = r.choice(["transpose", "slice", "slice", "concat", "concat", "expand", "squeeze", "reshape", "broadcast"])
        if kind == "transpose":
            a = self.pick(lambda n: len(n.shape) >= 2)
            p = list(range(len(a.shape)))
            r.shuffle(p)
            self.add(f"xg::transpose<{', '.join(map(str, p))}>({a.text})", tuple(a.shape[i] for i in p), lambda env, x: np.transpose(x, p), (a,))
        elif kind == "slice":
            a = self.pick(lambda n: any(not isinstance(d, str) and d > 1 for d in n.shape))
            if a is None:
                return
            axis = r.choice([i for i, d in enumerate(a.shape) if not isinstance(d, str) and d > 1])
            lo = r.randint(0, a.shape[axis] - 1)
            hi = r.randint(lo + 1, a.shape[axis])
            s = list(a.shape)
            s[axis] = hi - lo
            self.add(f"xg::slice<{axis}, {lo}, {hi}>({a.text})", tuple(s), lambda env, x: np.take(x, range(lo, hi), axis=axis), (a,))
        elif kind == "concat":
            a = self.pick(lambda n: len(n.shape) >= 1)
            axes = [i for i, d in enumerate(a.shape) if not isinstance(d, str)]
            if not axes:
                return
            axis = r.choice(axes)
            parts = [a]
            for _ in range(r.randint(1, 2)):
                b = self.pick(lambda n: len(n.shape) == len(a.shape) and not isinstance(n.shape[axis], str) and
                              all(n.shape[i] == a.shape[i] for i in range(len(a.shape)) if i != axis))
                if b is not None:
                    parts.append(b)
            s = list(a.shape)
            s[axis] = sum(p.shape[axis] for p in parts)
            self.add(f"xg::concat<{axis}>({', '.join(p.text for p in parts)})", tuple(s), lambda env, *x: np.concatenate(x, axis=axis), tuple(parts))
        elif kind == "expand":
            a = self.pick(lambda n: len(n.shape) < 4)
            axis = r.randint(0, len(a.shape))
            s = list(a.shape)
            s.insert(axis, 1)
            self.add(f"xg::expand_dims<{axis}>({a.text})", tuple(s), lambda env, x: np.expand_dims(x, axis), (a,))
        elif kind == "squeeze":
            a = self.pick(lambda n: 1 in n.shape)
            if a is None:
                return
            axis = r.choice([i for i, d in enumerate(a.shape) if d == 1])
            s = list(a.shape)
            del s[axis]
            self.add(f"xg::squeeze<{axis}>({a.text})", tuple(s), lambda env, x: np.squeeze(x, axis), (a,))
        elif kind == "reshape":
            a = self.pick(lambda n: sum(1 for d in n.shape if not isinstance(d, str)) >= 1 and len(n.shape) >= 2)
            if a is None:
                return
            static = int(np.prod([d for d in a.shape if not isinstance(d, str)], dtype=int))
            s = [d for d in a.shape if isinstance(d, str)]
            r.shuffle(s)
            f = r.choice([f for f in range(1, static + 1) if static % f == 0])
            for part in ([f, static // f] if r.random() < 0.5 else [static]):
                s.insert(r.randint(0, len(s)), part)
            self.add(f"xg::reshape<{', '.join(map(arg, s))}>({a.text})", tuple(s), lambda env, x: np.reshape(x, concrete(s)), (a,))
        else:
            a = self.pick(lambda n: len(n.shape) < 4)
            s = list(a.shape)
            for i, d in enumerate(s):
                if d == 1 and r.random() < 0.6:
                    s[i] = r.choice([2, 3, 5] )
            if r.random() < 0.5:
                s.insert(0, r.choice([2, 3] ))
            self.add(f"xg::broadcast_to<{', '.join(map(arg, s))}>({a.text})", tuple(s), lambda env, x: np.broadcast_to(x, concrete(s)), (a,)) if s != list(a.shape) else None

    def lookup(self):
        r = self.rng
        if r.random() < 0.6:
            ids = self.leaf[r.choice(["i", "j"])]
            if r.random() < 0.5:   # computed ones
                if ids.text == "j" and r.random() < 0.5:
                    ids = self.add("xg::transpose(j)", ids.shape[::-1], lambda env, i: i.T, (ids,), True)
                elif r.random() < 0.5:
                    ids = self.add(f"5_c - {ids.text}", ids.shape, lambda env, i: 5 - i, (ids,), True)
                else:
                    first = self.pick(lambda n: n.shape == ids.shape[:1])
                    test = self.add(f"xg::greater({first.text}, 0.125_c)", first.shape, lambda env, x: x > 0.125, (first,), True)
                    i = self.leaf["i"]
                    ids = self.add(f"xg::select({test.text}, {i.text}, 2_c)", i.shape, lambda env, t, i: np.where(t, i, 2), (test, i), True)
            a = self.pick(lambda n: len(n.shape) == 2 and n.shape[0] == 6) or self.leaf["g"]
            if r.random() < 0.3 and len(ids.shape) == 2:
                self.add(f"xg::embedding_bag({a.text}, {ids.text})", ids.shape[:-1] + a.shape[1:], lambda env, x, i: x[i].sum(axis=-2), (a, ids))
            else:
                self.add(f"xg::gather({a.text}, {ids.text})", ids.shape + a.shape[1:], lambda env, x, i: x[i], (a, ids))
        else:
            ids = self.leaf["l"]
            a = self.pick(lambda n: n.shape == ("b", 4))
            if a is None:
                self.add("xg::one_hot<4, T>(l)", ("b", 4), lambda env, i: np.eye(4)[i], (ids,))
                return

            def f(env, x, i):
                return np.log(np.exp(x).sum(axis=1)) - x[np.arange(len(i)), i]
            self.add(f"xg::sparse_softmax_cross_entropy({a.text}, {ids.text})", ("b",), f, (a, ids))

    def build(self):
        steps = [self.unary] * 4 + [self.binary] * 6 + [self.reduction] * 4 + [self.matmul] * 2 + [self.shape] * 5 + [self.lookup]
        for _ in range(self.rng.randint(6, 16)):
            self.rng.choice(steps)()
        while not self.nodes:
            self.unary()
        n = len(self.nodes)
        outs = [self.nodes[-1]] + ([self.rng.choice(self.nodes)] if n > 1 and self.rng.random() < 0.5 else [])
        return list(dict.fromkeys(outs))


def literal(v):
    return "{" + ", ".join(repr(float(x)) for x in np.asarray(v).ravel()) + "}"


def reach(nodes):
    seen, names = set(), set()
    stack = list(nodes)
    while stack:
        n = stack.pop()
        if id(n) in seen:
            continue
        seen.add(id(n))
        names.add(n.text)
        stack.extend(n.args)
    return names


def total(outs, env):
    memo = {}
    with np.errstate(all="ignore"):
        return sum(float(np.sum(o.value(env, memo))) for o in outs)


def case(number, dtype):
    m = Maker(number)
    outs = m.build()
    names = reach(outs)
    wrt = [name for name, _ in LEAVES if name in names]
    if len(wrt) > 3:
        wrt = m.rng.sample(wrt, 3)
    inner = [n for n in m.nodes if n.text in names and n.value(m.env, {}).size <= 60]
    m.env = dict(m.env)
    values = {n.text: np.array(n.value(m.env, {}), dtype=float) for n in inner}
    if inner:
        wrt.append(m.rng.choice(inner).text)
    print(f"TEST_CASE(\"fuzz {number}\") {{\n    using T [[maybe_unused]] = {dtype};")
    for k, (name, shape) in enumerate(LEAVES):
        if name in names:
            dims = "".join(f", {arg(d)}" for d in shape)
            print(f"    constexpr auto {name} = xg::input<\"{name}\", T{dims}>;")
    for k, (name, shape, limit) in enumerate(IDS):
        if name in names:
            print(f"    constexpr auto {name} = xg::input<\"{name}\", std::int32_t{''.join(f', {d}' for d in shape)}>;")
    for line in m.lines:
        if line.split()[2] in names:
            print("    " + line)
    y = ", ".join(o.text for o in outs)
    print(f"    constexpr auto values = std::tuple({y});")
    print(f"    constexpr auto slopes = xg::gradients(xg::ys({y}), {', '.join(wrt)});" if wrt else "    constexpr std::tuple<> slopes{};")
    binds, arrays = [], []
    for k, (name, shape) in enumerate(LEAVES):
        if name in names:
            size = " * ".join({"b": "B", "t": "N"}.get(d, f"std::size_t{{{d}}}") for d in shape) or "std::size_t{1}"
            ext = "".join(", " + {"b": "B", "t": "N"}.get(d, str(d)) for d in shape)
            arrays.append(f"        auto const d_{name} = fuzz::numbers<T>({k}, {size});")
            binds.append(f"{name} = xg::array(d_{name}.data(){ext})")
    for k, (name, shape, limit) in enumerate(IDS):
        if name in names:
            size = " * ".join({"b": "B", "t": "N"}[d] for d in shape)
            ext = "".join(", " + {"b": "B", "t": "N"}[d] for d in shape)
            arrays.append(f"        auto const d_{name} = fuzz::ids({100 + k}, {size}, {limit});")
            binds.append(f"{name} = xg::array(d_{name}.data(){ext})")
    print("    auto const call = [&](auto& f, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {")
    print("\n".join(arrays))
    print(f"        return f({', '.join(binds)});\n    }};")
    memo, expected = {}, []
    for o in outs:
        expected.append(literal(o.value(m.env, memo)))
    for name in wrt:   # a gradient that is not connected is not in the list of results: all zero here
        g = np.zeros((m.env | values)[name].size)
        trusted = True
        if g.size > 60:
            expected.append("{}")
            continue
        for i in range(g.size):
            def at(h):
                env = dict(m.env)
                env[name] = (m.env | values)[name].copy()
                env[name].reshape(-1)[i] += h
                return total(outs, env)
            g[i] = (at(1e-5) - at(-1e-5)) / 2e-5
            finer = (at(3e-6) - at(-3e-6)) / 6e-6
            here = total(outs, m.env | values if name in values else m.env)
            kink = abs((at(1e-5) - here) - (here - at(-1e-5))) > 1e-8   # a tie, where the slope is a convention
            trusted = trusted and not kink and abs(g[i] - finer) < 2e-5 * max(1, abs(g[i]))
        expected.append(literal(g) if trusted else "{}")
    n = len(outs)
    print(f"    std::vector<std::vector<double>> expected{{{', '.join(expected[:n])}}};")
    for k, e in enumerate(expected[n:]):
        print(f"    if constexpr (!std::is_same_v<std::tuple_element_t<{k}, std::remove_const_t<decltype(slopes)>>, xg::none>) expected.push_back({{{e[1:-1]}}});")
    if wrt and m.rng.random() < 0.3:
        print(f"    constexpr auto all_slopes = std::tuple_cat(slopes, fuzz::second(slopes, {m.rng.choice(wrt)}));")
    else:
        print("    constexpr auto all_slopes = slopes;")
    print(f"    fuzz::run(values, all_slopes, call, expected, {'1e-3' if dtype == 'float' else '1e-10'});\n}}")


def main():
    first, count = int(sys.argv[1]), int(sys.argv[2])
    dtype = sys.argv[3] if len(sys.argv) > 3 else "double"
    print(f"// SPDX-License-Identifier: MIT\n// Made by generate.py {first} {count} {dtype}.\n#include <support/fuzz.hpp>\n\nnamespace {{\nnamespace xg = xgrad;\nusing namespace xg::literals;\nusing fuzz::b;\nusing fuzz::t;\n}}\n")
    for k in range(first, first + count):
        case(k, dtype)


main()
