#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Small random programs as tests: values by NumPy, gradients and second derivatives by jets (jets.py), training steps by both.

    python3 programs.py NUMBER... > NAME_test.cpp
    python3 programs.py --choose COUNT FIRST LAST    the numbers of those that have most between them

Program k depends on its number alone; from 1000000 on they are training steps, from 2000000 on they have operations of <xgrad/all.hpp>,
from 3000000 on those of later_operations.py. These need SciPy. Tests run the fixed sets in this folder. `search` makes
other programs, compiles and runs them, and keeps the failing ones, reduced. operations.py has the operations.
"""
import json
import random
import sys

import numpy as np

from extents import at, of, product
from jets import Jet, linear
from operations import OPS, EMITS, Context, Info, Reject, of_text, targets

M32 = 0xFFFFFFFF
MAIN = (9, 2)
OTHER = [(1, 3), (0, 2), (4, 1), (2, 0), (3, 3), (17, 1), (1, 1)]
RATE = 0.5


def numbers(k, n):
    i = np.arange(1, n + 1, dtype=np.uint64)
    h = ((i * 2654435761) & M32) ^ ((((k + 1) * 40503) & M32) * 65537 & M32)
    h = ((h ^ (h >> np.uint64(15))) * 2246822519) & M32
    h = ((h ^ (h >> np.uint64(13))) * 3266489917) & M32
    h = h ^ (h >> np.uint64(16))
    return h.astype(np.float64) / 2147483648.0 - 1.0


FLOATS = [("x", "b 5"), ("y", "b 1"), ("z", "5"), ("s", ""), ("q", "b t 5"), ("p", "b 3 1"), ("r", "b 3 4"), ("u", "1 5"), ("w", "5 4"), ("v", "4 5"),
          ("m", "3 4"), ("n", "b"), ("c", "3 1"), ("k", "t 5"), ("g", "6 5"), ("o", "1"), ("a", "1 b"), ("d", "t b"), ("f", "b 1 3"), ("h", "2 1 3"),
          ("xa", "3"), ("xb", "1 1 4"), ("xc", "b b"), ("xd", "2 3 2"), ("xe", "t 3"), ("xf", "3 3"), ("xg_", "t b 3")]
INTEGERS = [("i", "b", 6), ("j", "b t", 6), ("l", "4", 3), ("ia", "t 2", 3), ("ib", "", 3)]
LEAVES = {}
for number, (name, shape) in enumerate(FLOATS):
    LEAVES[name] = (number, Info(tuple(of(int(d) if d.isdigit() else d) for d in shape.split()), exact=True))
for number, (name, shape, limit) in enumerate(INTEGERS):
    LEAVES[name] = (100 + number, Info(tuple(of(int(d) if d.isdigit() else d) for d in shape.split()), "i", 0, limit - 1, True))
# Training programs have a separate pool: variables of equal and of transposed shapes.
FIRST_TRAINING = 1000000
FIRST_WIDE = 2000000
FIRST_LATER = 3000000
for number, (name, shape) in enumerate([("wa", "5 4"), ("wb", "4 5"), ("wc", "5"), ("wd", "4"), ("we", "5 1")]):
    LEAVES[name] = (40 + number, Info(tuple(of(int(d)) for d in shape.split()), exact=True))
COMMON = [name for name in LEAVES if name not in ("wa", "wb", "wc", "wd", "we")]
TRAINED = ["x", "y", "n", "k", "w", "v", "wa", "wb", "wc", "wd", "we", "z", "g", "m", "c", "xa", "xf", "s", "i", "l"]


def leaf_value(name, sizes, single):
    k, info = LEAVES[name]
    shape = at(info.shape, sizes)
    v = numbers(k, int(np.prod(shape, dtype=int)))
    if info.kind == "i":
        return ((v + 1.0) / 2.0 * (info.high + 1)).astype(np.int64).reshape(shape)
    if single:
        v = v.astype(np.float32).astype(np.float64)
    return v.reshape(shape)


class Program:
    """data: number, type, nodes [[operation, [operands], parameters]], outputs, wrt, second [leaf, square or not] or null, variables, off,
    sizes.
    Node k is called ek. With variables it is a training program: the first output is the loss."""

    def __init__(self, data):
        self.data = data
        self.info = {}
        for k, (op, args, par) in enumerate(data["nodes"]):
            r = OPS[op][0]([self.info_of(a) for a in args], par)
            if r is None or len(r.shape) > 5 or not all(d.small() for d in r.shape + (product(r.shape),)):
                raise Reject("shape")
            self.info[f"e{k}"] = r

    def info_of(self, name):
        return self.info[name] if name in self.info else LEAVES[name][1]

    def reached(self, names):
        seen, stack = set(), list(names)
        while stack:
            n = stack.pop()
            if n not in seen:
                seen.add(n)
                if n not in LEAVES:
                    stack += self.data["nodes"][int(n[1:])][1]
        return seen

    def used(self):
        d = self.data
        return self.reached(d["outputs"] + d["wrt"] + ([d["second"][0]] if d["second"] else []))

    def connected(self, name, outputs):
        """Whether a gradient passes from the outputs to `name`."""
        stack, seen = [o for o in outputs if self.info_of(o).kind == "f"], set()
        while stack:
            n = stack.pop()
            if n == name:
                return True
            if n in seen or n in LEAVES:
                continue
            seen.add(n)
            op, args, par = self.data["nodes"][int(n[1:])]
            passes = OPS[op][3]
            stack += [a for k, a in enumerate(args) if (passes is None or k in passes) and self.info_of(a).kind == "f"]
        return False

    def wide(self):
        return "wide_operations" in sys.modules and any(op in sys.modules["wide_operations"].ADDED for op, _, _ in self.data["nodes"])

    def sizes(self, pair):
        return {"b": pair[0], "t": pair[1]}

    def run(self, pair, values=None, one=None, many=None):
        """All values; `one` and `many` are the directions to differentiate in, by name."""
        d = self.data
        sizes = self.sizes(pair)
        single = d["type"] == "float"
        context = Context(sizes, 1e-3 if single else 1e-7)
        env = {}
        names = self.used()

        def seeded(name, jet):
            if name in (one or {}):
                jet = Jet(jet.v, one[name] if jet.c[1] is None else jet.c[1] + one[name], jet.c[2], jet.c[3])
            if name in (many or {}):
                jet = Jet(jet.v, jet.c[1], many[name] if jet.c[2] is None else jet.c[2] + many[name], jet.c[3])
            return jet
        with np.errstate(all="ignore"):
            for name in names & set(LEAVES):
                v = (values or {}).get(name, leaf_value(name, sizes, single))
                env[name] = seeded(name, Jet(v)) if LEAVES[name][1].kind == "f" else v
            for k, (op, args, par) in enumerate(d["nodes"]):
                name = f"e{k}"
                if name not in names:
                    continue
                r = OPS[op][2](context, [self.info_of(a) for a in args], [env[a] for a in args], par)
                shape = r.v.shape if isinstance(r, Jet) else r.shape
                assert shape == at(self.info[name].shape, sizes), (d, name, shape)
                env[name] = seeded(name, r) if isinstance(r, Jet) else r
        return env

    def slopes(self, pair, outputs, wrt, one=None, values=None):
        """Gradients of the sum of the outputs (and, along `one`, of their derivative)."""
        r = []
        for name in wrt:
            shape = at(self.info_of(name).shape, self.sizes(pair))
            n = int(np.prod(shape, dtype=int))
            env = self.run(pair, values, one, {name: np.eye(n).reshape((n,) + shape)})
            total = np.zeros(n)
            for o in outputs:
                if isinstance(env[o], Jet):
                    c = env[o].c[3 if one else 2]
                    if c is not None:
                        total = total + c.reshape(n, -1).sum(axis=1)
            r.append(total.reshape(shape))
        return r

    def expected(self, pair):
        """The results of the program as arrays."""
        d = self.data
        if d["variables"]:
            return self.steps(pair)
        env = self.run(pair)
        results = [env[o].v if isinstance(env[o], Jet) else env[o] for o in d["outputs"]]
        g = self.slopes(pair, d["outputs"], d["wrt"])
        results += g
        if d["second"]:
            leaf, square = d["second"]
            one = {name: 2 * s if square else np.ones_like(s) for name, s in zip(d["wrt"], g)}
            results += self.slopes(pair, d["outputs"], [leaf], one)
        return results

    def steps(self, pair):
        d = self.data
        values, results = {}, []
        single = d["type"] == "float"
        for name in d["variables"]:
            values[name] = leaf_value(name, self.sizes(pair), single)
        for _ in range(2):
            env = self.run(pair, values)
            results.append(env[d["outputs"][0]].v)
            g = self.slopes(pair, d["outputs"][:1], d["variables"], values=values)
            values = {name: values[name] - RATE * s for name, s in zip(d["variables"], g)}
        return results + [values[name] for name in d["variables"]]

    # C++
    def source(self):
        d = self.data
        names = self.used()
        number = d["number"]
        out = [f"namespace p{number} {{", f"using T = {d['type']};"]
        binds = []
        for name in sorted(names & set(LEAVES)):
            k, info = LEAVES[name]
            variable = name in d["variables"]
            kind = "T" if info.kind == "f" else "std::int32_t"
            out.append(f"constexpr auto {name} = xg::{'variable' if variable else 'input'}<\"{name}\", {kind}{''.join(f', {e}' for e in info.shape)}>;")
            data = f"fuzz::data<T>({k})" if info.kind == "f" else f"fuzz::integers({k}, {info.high + 1})"
            array = f"xg::array({data}{''.join(', ' + {'b': 'B', 't': 'N'}.get(str(e), str(e)) for e in info.shape)})"
            binds.append((name, array, variable))
        for k, (op, args, par) in enumerate(d["nodes"]):
            if f"e{k}" not in names:
                continue
            text = OPS[op][1](args, par)
            if op == "scan":
                out.append(f"struct body_{k} : xg::region {{\n    static constexpr auto value(auto h, auto row) {{\n"
                           f"        auto const next = xg::tanh(h * {args[2]} + row);\n        return xg::carry(next).emit({EMITS[par[0]][0]});\n    }}\n}};")
                text = text.replace("BODY", f"body_{k}")
            out.append(f"constexpr auto e{k} = {text};")
        body = []
        inputs = ", ".join(f"{n} = {a}" for n, a, variable in binds if not variable)
        named = "[[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N"
        if d["variables"]:
            def trainer(more):
                return f"xg::minimize{more}({d['outputs'][0]}, xg::gradient_descent{{.learning_rate = {RATE}}})"
            body.append(f"    auto const call = [](auto& train, {named}) {{")
            body += [f"        train.assign({n}, {a});" for n, a, variable in binds if variable]
            body.append("        std::vector<std::vector<double>> all;")
            body += [f"        all.push_back(fuzz::flat(train({inputs})));"] * 2
            body += [f"        all.push_back(fuzz::flat(train.value({n})));" for n in d["variables"]]
            body.append("        return all;\n    };")
            body.append(f"    auto on = {trainer('')};")
            off = trainer("<xg::gating::graph, false>")
        else:
            results = list(d["outputs"])
            if d["wrt"]:
                out.append(f"constexpr auto slopes = xg::gradients(xg::ys({', '.join(o for o in d['outputs'] if self.info_of(o).kind == 'f')}), xg::unconnected_zeros, {', '.join(d['wrt'])});")
                g = [f"fuzz::dense(std::get<{k}>(slopes))" for k in range(len(d["wrt"]))]
                if d["second"]:
                    out += [f"constexpr auto g{k} = {e};" for k, e in enumerate(g)]
                    g = [f"g{k}" for k in range(len(g))]
                    square = "xg::sum(xg::square({}))" if d["second"][1] else "xg::sum({})"
                    out.append(f"constexpr auto h_ = fuzz::dense(std::get<0>(xg::gradients({' + '.join(square.format(e) for e in g)}, xg::unconnected_zeros, "
                               f"{d['second'][0]})));")
                    g = g + ["h_"]
                results += g
            out.append(f"constexpr auto results = xg::outputs({', '.join(results)});")
            body.append(f"    auto const call = [](auto& fn, {named}) {{ return fuzz::copies(fn({inputs})); }};")
            body.append("    test::both_ways on{xg::function{results}};")
            off = "fuzz::without_planner(results)"
        tolerance = "1e-3" if d["type"] == "float" else "1e-8"
        out.append("}")
        out.append(f"TEST_CASE(\"program {number}\") {{\n    using namespace p{number};")
        out += body
        if d["off"]:
            out.append(f"    auto off = {off};")
        for pair in d["sizes"]:
            try:
                e = self.expected(pair)
            except (Reject, ValueError, ZeroDivisionError):
                if pair == d["sizes"][0]:
                    raise
                continue
            lists = ", ".join("{" + ", ".join(literal(x) for x in np.asarray(a, dtype=float).ravel()) + "}" for a in e)
            at_size = f"{pair[0]}, {pair[1]}"
            if d["off"]:
                out.append(f"    fuzz::agree(call(on, {at_size}), call(off, {at_size}), {tolerance});")
            out.append(f"    fuzz::expect(call(on, {at_size}), {{{lists}}}, {tolerance});")
        out.append("}\n")
        return "\n".join(out)


def literal(x):
    if not np.isfinite(x):
        return "fuzz::any"
    return str(int(x)) if x == int(x) and abs(x) < 1e6 else f"{x:.12g}"


HEADER = """// SPDX-License-Identifier: MIT
// {made}
#include <support/programs.hpp>
{more}
namespace {{
namespace xg = xgrad;
using namespace xg::literals;
using fuzz::b;
using fuzz::t;

}}
"""


def source_of(programs, made):
    more = "\n#include <xgrad/all.hpp>\n" if any(p.data["number"] >= FIRST_WIDE or p.wide() for p in programs) else ""
    return HEADER.format(made=made, more=more) + "\n".join(p.source() for p in programs)


class Maker:
    def __init__(self, number):
        self.r = random.Random(f"program {number}")
        self.number = number
        self.nodes, self.info, self.known = [], {}, {}
        self.leaves = COMMON

    def get(self, name):
        return self.info[name] if name in self.info else LEAVES[name][1]

    def pick(self, test=lambda i: True, recent=0.9, kind="f"):
        r = self.r
        made = [n for n in self.info if self.get(n).kind in kind and test(self.get(n))]
        leaves = [n for n in self.leaves if self.get(n).kind in kind and test(self.get(n))]
        if made and (r.random() < recent or not leaves):
            return made[-1] if r.random() < 0.7 else r.choice(made)
        return r.choice(leaves) if leaves else None

    def add(self, op, args, par=None):
        if any(a is None for a in args):
            return None
        key = json.dumps([op, sorted(args) if op in ("add", "mul", "logical_and", "logical_or") else args, par])
        if key in self.known:
            return None
        i = OPS[op][0]([self.get(a) for a in args], par)
        if i is None or len(i.shape) > 5 or not all(d.small() for d in i.shape + (product(i.shape),)):
            return None
        if max(np.prod(at(i.shape, {"b": 9, "t": 2}), dtype=int), np.prod(at(i.shape, {"b": 2, "t": 9}), dtype=int)) > 700:
            return None
        if i.shape and sum(1 for d in i.shape if not d.static) > 3:
            return None
        name = f"e{len(self.nodes)}"
        self.nodes.append([op, args, par])
        try:
            p = Program({"type": "double", "nodes": self.nodes, "outputs": [name], "wrt": [], "second": None})
            v = p.run(MAIN)[name]
            v = v.v if isinstance(v, Jet) else v
            good = i.kind == "b" or (np.all(np.isfinite(v)) and np.max(np.abs(v), initial=0) < 100)
        except (Reject, ValueError):
            good = False
        if not good:
            self.nodes.pop()
            return None
        self.known[key] = name
        self.info[name] = i
        return name

    # steps
    def unary(self):
        op = self.r.choice(["tanh", "sigmoid", "exp", "expm1", "square", "sin", "cos", "erf", "softplus", "neg", "abs", "relu", "sign", "shifted", "scaled", "sqrt",
                            "log", "log1p", "pow", "neg", "square", "scaled"] + ["stop_gradient"] * (self.r.random() < 0.3))
        return self.add(op, [self.pick()])

    def binary(self):
        a = self.pick()
        op = self.r.choice(["add", "sub", "mul", "mul", "mul", "sub", "div", "maximum", "minimum"])
        b = self.pick(lambda i: OPS[op][0]([self.get(a), i], None) is not None and (len(i.shape) != len(self.get(a).shape) or self.r.random() < 0.6), 0.35)
        if b is None:
            return None
        if self.r.random() < 0.1:
            self.add("sigmoid_cross_entropy", [a, b])
        return self.add(op, [a, b] if self.r.random() < 0.6 else [b, a])

    def axes(self, s):
        r = self.r
        if not s:
            return None
        if len(s) >= 3 and r.random() < 0.5:
            return [r.randint(1, len(s) - 2)]
        return sorted(r.sample(range(len(s)), r.choice([1, 1, 1, 2, len(s)]) if len(s) > 1 else 1))

    def reduce(self):
        r = self.r
        a = self.pick(lambda i: len(i.shape) > 0, kind="fi" if r.random() < 0.2 else "f")
        axes = self.axes(self.get(a).shape)
        op = r.choice(["sum", "max", "mean", "log_sum_exp", "softmax", "variance", "sum", "max", "softmax", "prod"])
        if self.get(a).kind == "i":
            op = r.choice(["sum", "max"])
        return self.add(op, [a], axes if op in ("softmax", "variance") else [axes, r.random() < 0.5])

    def factors(self, d):
        """An extent as factors of one product, where it is one."""
        if d.static:
            return [d.number]
        if len(d.terms) != 1:
            return None
        (atoms, n), = d.terms.items()
        return None if any(not isinstance(a, str) for a in atoms) else list(atoms) + ([n] if n != 1 else [])

    def view(self):
        r = self.r
        kind = r.choice(["transpose"] * 4 + ["slice"] * 4 + ["concat"] * 2 + ["expand", "squeeze", "reshape", "reshape", "broadcast", "broadcast"])
        kinds = "fib" if r.random() < 0.3 else "f"
        if kind == "transpose":
            a = self.pick(lambda i: len(i.shape) >= 2, kind=kinds)
            p = list(range(len(self.get(a).shape)))
            r.shuffle(p)
            return self.add("transpose", [a], p) if p != sorted(p) else None
        if kind == "slice":
            a = self.pick(lambda i: len(i.shape) >= 1, kind=kinds)
            s = self.get(a).shape
            axis = r.randrange(len(s))
            step = r.choice([1, 1, 2, 3])
            if s[axis].static:
                n = s[axis].number
                if n < 2:
                    return None
                low = r.randint(0, n - 1)
                return self.add("slice", [a], [axis, ["", low], ["", r.randint(low + 1, n)], step])
            name = str(s[axis])
            if name not in ("b", "t"):
                return None
            bounds = r.choice([(["", 0], [name, -1]), (["", 1], [name, 0]), (["", 0], [name, 0]), (["", 0], ["", 1]), ([name, -1], [name, 0]), (["", 1], ["", 2])])
            return self.add("slice", [a], [axis, *bounds, step])
        if kind == "concat":
            a = self.pick(lambda i: len(i.shape) >= 1, kind=kinds)
            axis = r.randrange(len(self.get(a).shape))
            parts = [a]
            for _ in range(r.randint(1, 2)):
                b = self.pick(lambda i: OPS["concat"][0]([self.get(a), i], axis) is not None, 0.6, kinds)
                if b is not None:
                    parts.append(b)
            r.shuffle(parts)
            return self.add("concat", parts, axis)
        if kind == "expand":
            a = self.pick(lambda i: len(i.shape) < 4, kind=kinds)
            return self.add("expand_dims", [a], r.randint(0, len(self.get(a).shape)))
        if kind == "squeeze":
            a = self.pick(lambda i: of(1) in i.shape, kind=kinds)
            return None if a is None else self.add("squeeze", [a], r.choice([k for k, d in enumerate(self.get(a).shape) if d == of(1)]))
        if kind == "reshape":
            a = self.pick(lambda i: len(i.shape) >= 1 and all(self.factors(d) is not None for d in i.shape), kind=kinds)
            if a is None:
                return None
            f = [x for d in self.get(a).shape for x in self.factors(d)]
            static = int(np.prod([x for x in f if not isinstance(x, str)], dtype=int))
            f = [x for x in f if isinstance(x, str)]
            part = r.choice([k for k in range(1, static + 1) if static % k == 0])
            f += r.choice([[part, static // part], [static], [1, static]])
            r.shuffle(f)
            shape = []
            for x in f:
                if shape and r.random() < 0.25:
                    shape[-1].append(x)
                else:
                    shape.append([x])
            return self.add("reshape", [a], shape)
        a = self.pick(lambda i: len(i.shape) < 4 and all(self.factors(d) is not None for d in i.shape), kind=kinds)
        if a is None:
            return None
        shape = [self.factors(d) for d in self.get(a).shape]
        shape = [r.choice([[2], [3], ["t"], ["b"], x]) if x == [1] else x for x in shape]
        if r.random() < 0.5:
            shape.insert(0, [r.choice([2, 3, "t", 1])])
        return self.add("broadcast_to", [a], shape)

    def truth(self):
        r = self.r
        a = self.pick(recent=0.9) if r.random() < 0.7 else self.pick(kind="i", recent=0.9)
        if r.random() < 0.5:
            c = self.add("above", [a], 0.25 if self.get(a).kind == "f" else 1)
        else:
            b = self.pick(lambda i: OPS["greater"][0]([self.get(a), i], None) is not None and i is not self.get(a), 0.3, self.get(a).kind)
            c = self.add(r.choice(["greater", "less_equal"] + ["equal"] * (self.get(a).kind == "i")), [a, b])
        if c is None:
            return None
        if r.random() < 0.2:
            c = self.add("logical_not", [c]) or c
        if r.random() < 0.2:
            d = self.pick(lambda i: OPS["logical_or"][0]([self.get(c), i], None) is not None, kind="b")
            c = self.add(r.choice(["logical_and", "logical_or"]), [c, d]) or c
        choice = r.random()
        if choice < 0.25:
            return self.add("to_number", [c])
        if choice < 0.35:
            return self.add("to_integer", [c])
        if choice < 0.5:
            return c
        kind = "i" if r.random() < 0.15 else "f"
        first = self.pick(lambda i: True, 0.7, kind)
        second = self.pick(lambda i: OPS["select"][0]([self.get(c), self.get(first), i], None) is not None, 0.5, kind)
        return self.add("select", [c, first, second])

    def integer(self):
        r = self.r
        a = self.pick(kind="i")
        op = r.choice(["integer_add", "integer_mul", "integer_max", "integer_min", "five_minus", "into_three", "to_number", "one_hot", "one_hot"])
        if op == "one_hot":
            return self.add("one_hot", [a], r.choice([1, 3, 4]))
        if op in ("five_minus", "into_three", "to_number"):
            return self.add(op, [a])
        return self.add(op, [a, self.pick(lambda i: OPS["integer_add"][0]([self.get(a), i], None) is not None, kind="i")])

    def product(self):
        r = self.r
        a = self.pick(lambda i: len(i.shape) >= 2)
        if a is None:
            return None
        par = [r.random() < 0.4, r.random() < 0.4]
        b = self.pick(lambda i: OPS["matmul"][0]([self.get(a), i], par) is not None, 0.4)
        return self.add("matmul", [a, b], par)

    def lookup(self):
        r = self.r
        ids = self.pick(lambda i: i.low is not None and i.low >= 0, 0.8, "i")
        if ids is None:
            return None
        op = r.choice(["gather", "gather", "embedding_bag", "sparse_softmax_cross_entropy"])
        a = self.pick(lambda i: OPS[op][0]([i, self.get(ids)], None) is not None, 0.6)
        return self.add(op, [a, ids])

    def arranged(self):
        op = self.r.choice(["sort", "argsort", "flip", "flip"])
        a = self.pick(lambda i: len(i.shape) > 0, kind="fi" if self.r.random() < 0.2 else "f")
        return None if a is None else self.add(op, [a], self.axes(self.get(a).shape) if op == "flip" else None)

    def best(self):
        a = self.pick(lambda i: i.shape and i.shape[-1].static and i.shape[-1].number >= 1, 0.85, "fi" if self.r.random() < 0.2 else "f")
        if a is None:
            return None
        k = self.r.randint(1, min(3, self.get(a).shape[-1].number))
        if self.r.random() < 0.4:
            return self.add("top_k.1", [a], k)
        return self.add("top_k.0", [a], k)

    def loop(self):
        r = self.r
        row = self.pick(lambda i: len(i.shape) >= 1 and str(i.shape[0]) in ("b", "t", "3", "4", "2"), 0.5)
        if row is None:
            return None
        s = self.get(row).shape[1:]
        start = self.pick(lambda i: i.shape == s, 0.5)
        if start is None:
            start = self.add("filled", [], [self.factors(d) for d in s]) if all(self.factors(d) for d in s) else None
        emit = r.randrange(len(EMITS))
        factor = self.pick(lambda i: OPS["scan"][0]([self.get(start), self.get(row), i], [0, 0]) is not None, 0.3) if start is not None else None
        return self.add("scan", [start, row, factor], [emit, 0 if r.random() < 0.3 else 1])

    def filled(self):
        r = self.r
        return self.add("filled", [], r.choice([[["b"], [3]], [[2], [3]], [["t"], [1], [5]], [[5]], [[3], [1]]]))

    def build(self):
        r = self.r
        steps = [self.unary] * 3 + [self.binary] * 6 + [self.reduce] * 5 + [self.view] * 9 + [self.truth] * 2 + [self.integer] * 1 + [self.product] * 2 + \
            [self.lookup] * 2 + [self.best] * 1 + [self.arranged] * 2 + [self.filled] * (r.random() < 0.2) + [self.loop] * (2 if r.random() < 0.25 else 0)
        if r.random() < 0.25:   # an outer product to begin with
            self.add("mul", list(r.choice([("z", "y"), ("n", "c"), ("c", "xa"), ("y", "a"), ("n", "y"), ("u", "y"), ("s", "o"), ("f", "c"), ("d", "n"), ("xb", "p")])))
        wanted = r.choice([2, 3, 3, 4, 4, 5])
        for _ in range(60):
            if len(self.nodes) >= wanted:
                break
            r.choice(steps)()
        if r.random() < 0.3:
            self.view()

    def make(self):
        r = self.r
        self.build()
        nodes = list(self.info)
        data = {"number": self.number, "type": "float" if r.random() < 0.15 else "double", "nodes": self.nodes, "outputs": [], "wrt": [], "second": None,
                "variables": [], "off": r.random() < 0.33, "sizes": []}
        if not nodes:
            raise Reject("nothing")
        floats = [n for n in nodes if self.get(n).kind == "f"]
        if r.random() < 0.2 and floats:
            return self.training(data, floats[-1])
        read = {a for n in self.nodes for a in n[1]}
        ends = [n for n in nodes[:-1] if n not in read]
        outs = [nodes[-1]] + ends[:r.choice([0, 1, 2])]
        if len(nodes) > 1 and r.random() < 0.25:
            outs.append(r.choice(nodes[:-1]))
        p = Program(data | {"outputs": outs})
        reached = p.reached(outs)
        if r.random() < 0.08:
            outs += [n for n in sorted(reached) if n in LEAVES][:1]
        sizes = dict(b=9, t=2)
        for k, o in enumerate(outs):   # long outputs are summed, so that the tests stay short
            if np.prod(at(self.get(o).shape, sizes), dtype=int) > 100 and self.get(o).kind == "f":
                s = self.add("sum", [o], [[len(self.get(o).shape) - 1], False])
                outs[k] = s or o
        outs = list(dict.fromkeys(outs))
        data["outputs"] = outs
        p = Program(data)
        if r.random() < 0.65:
            leaves = [n for n in sorted(reached) if n in LEAVES and p.connected(n, outs) and np.prod(at(self.get(n).shape, sizes), dtype=int) <= 81]
            if leaves:
                data["wrt"] = r.sample(leaves, min(len(leaves), r.choice([1, 1, 2])))
                plain = [n for n in floats if n in reached and self.nodes[int(n[1:])][0] in ("tanh", "mul", "sum", "matmul", "exp", "softmax", "log_sum_exp")
                         and np.prod(at(self.get(n).shape, sizes), dtype=int) <= 60]
                if r.random() < 0.35:
                    data["second"] = [r.choice(leaves), r.random() < 0.6]
                elif plain and r.random() < 0.2:
                    data["wrt"].append(r.choice(plain))
        return self.finish(data)

    def training(self, data, last):
        r = self.r
        if self.get(last).shape:
            last = self.add(r.choice(["sum", "mean", "sum"]), [last], [list(range(len(self.get(last).shape))), False])
            if last is None:
                raise Reject("loss")
        data["outputs"] = [last]
        p = Program(data)
        reached = p.reached([last])
        static = [n for n in sorted(reached) if n in LEAVES and LEAVES[n][1].kind == "f" and all(d.static for d in LEAVES[n][1].shape)]
        good = [n for n in static if p.connected(n, [last])]
        if not good:
            raise Reject("no variables")
        data["variables"] = static if r.random() < 0.6 else r.sample(good, 1)
        return self.finish(data)

    def finish(self, data):
        r = self.r
        p = Program(data)
        dims = {a for n in p.used() for d in p.info_of(n).shape for a in d.names()}
        bound = {a for n in p.reached(data["outputs"]) if n in LEAVES and n not in data["variables"] for d in LEAVES[n][1].shape for a in d.names()}
        if not dims <= bound:
            raise Reject("nothing says how large a dimension is")
        data["sizes"] = [list(MAIN)] + ([list(r.choice(OTHER))] if dims else [])
        for e in p.expected(MAIN):
            if not np.all(np.isfinite(e)) or np.max(np.abs(e), initial=0) > 1e4:
                raise Reject("too large")
        return simplified(data)


class TrainingMaker(Maker):
    """Sums of variables, products with them and of them, transposed and not, all of them trained."""

    def __init__(self, number):
        super().__init__(number)
        self.leaves = TRAINED

    def combined(self):
        """Two variables of one shape, or one and another transposed, as one matrix."""
        a, b = self.r.choice([("w", "wa"), ("wa", "w"), ("v", "wb"), ("w", "v"), ("wb", "w"), ("wa", "wc"), ("xf", "xf"), ("we", "wd"), ("c", "xa"), ("g", "z"), ("wc", "we"), ("w", "we")])
        if LEAVES[a][1].shape == LEAVES[b][1].shape[::-1] and len(LEAVES[a][1].shape) == 2 and a not in ("we", "c"):
            b = self.add("transpose", [b], [1, 0]) or b
        return self.add(self.r.choice(["add", "sub", "mul", "add"]), [a, b])

    def build(self):
        r = self.r
        if r.random() < 0.6:
            self.combined()
        steps = [self.product] * 4 + [self.binary] * 4 + [self.view] * 4 + [self.combined] * 2 + [self.unary] * 2 + [self.reduce] * 2 + [self.lookup, self.truth]
        wanted = r.choice([2, 3, 4, 4, 5])
        for _ in range(60):
            if len(self.nodes) >= wanted:
                break
            r.choice(steps)()

    def make(self):
        r = self.r
        self.build()
        floats = [n for n in self.info if self.get(n).kind == "f"]
        read = {a for n in self.nodes for a in n[1]}
        ends = [n for n in floats if n not in read]
        if not ends:
            raise Reject("nothing")
        totals = []
        for e in ends[-2:]:   # what nothing reads is summed to the loss
            totals.append(self.add("sum" if r.random() < 0.5 else "mean", [e], [list(range(len(self.get(e).shape))), False]) if self.get(e).shape else e)
        last = totals[0] if len(totals) == 1 else self.add("add", totals)
        if last is None:
            raise Reject("loss")
        data = {"number": self.number, "type": "float" if r.random() < 0.15 else "double", "nodes": self.nodes, "outputs": [], "wrt": [], "second": None,
                "variables": [], "off": r.random() < 0.33, "sizes": []}
        return self.training(data, last)


class WideMaker(Maker):
    """Half of the steps are operations that only <xgrad/all.hpp> has."""

    def __init__(self, number):
        super().__init__(number)
        import wide_operations
        self.wide = wide_operations.WIDE
        self.einsums = len(wide_operations.EINSUMS)

    def one(self):
        return self.add(self.r.choice(self.wide["unary"]), [self.pick()])

    def two(self):
        op = self.r.choice(self.wide["binary"])
        a = self.pick()
        return self.add(op, [a, self.pick(lambda i: OPS[op][0]([self.get(a), i], None) is not None, 0.4)])

    def over_axes(self):
        a = self.pick(lambda i: len(i.shape) > 0)
        return self.add(self.r.choice(self.wide["reduce"]), [a], [self.axes(self.get(a).shape), self.r.random() < 0.5])

    def along(self):
        r = self.r
        a = self.pick(lambda i: len(i.shape) > 0, kind="fi" if r.random() < 0.2 else "f")
        op = r.choice(self.wide["row"])
        return self.add(op, [a], [r.randrange(len(self.get(a).shape)), 0 if op.startswith("arg") else r.choice([0, 0, 1, 2])])

    def moved(self):
        op = self.r.choice(self.wide["view"])
        axes = [0, 1, 2]
        self.r.shuffle(axes)
        for axis in axes:
            a = self.pick(lambda i: OPS[op][0]([i], axis) is not None, kind="fib" if self.r.random() < 0.3 else "f")
            if a is not None:
                return self.add(op, [a], axis)

    def number_array(self):
        op = self.r.choice(self.wide["number"])
        a = self.add(op, [])
        return a and self.add("mul", [a, self.pick(lambda i: OPS["mul"][0]([self.get(a), i], None) is not None, 0.6)])

    def by_index(self):
        r = self.r
        op = r.choice(["take", "take", "take_along_axis", "ordered", "segment_sum", "segment_mean", "segment_max", "segment_min", "scatter_add", "scatter_update"])
        if op == "ordered":
            a = self.pick(lambda i: len(i.shape) > 0)
            return self.add(op, [a, self.pick(lambda i: i.shape == self.get(a).shape)], len(self.get(a).shape) - 1)
        ids = self.pick(lambda i: i.low is not None and i.low >= 0, 0.5, "i")
        axis = r.choice([0, 1, 1, 2])
        if op.startswith("scatter"):
            a = self.pick(lambda i: i.shape and OPS[op][0]([i, self.get(ids), Info(self.get(ids).shape + i.shape[1:])], None) is not None, 0.5)
            if a is None:
                return None
            return self.add(op, [a, ids, self.pick(lambda i: OPS[op][0]([self.get(a), self.get(ids), i], None) is not None, 0.6)])
        axis = axis if op.startswith("take") else None
        return self.add(op, [self.pick(lambda i: OPS[op][0]([i, self.get(ids)], axis) is not None, 0.6), ids], axis)

    def sums_of_products(self):
        k = self.r.randrange(self.einsums)
        a = self.pick(lambda i: len(i.shape) == len(self.letters(k)[0]), 0.7)
        b = a and self.pick(lambda i: OPS["einsum"][0]([self.get(a), i], k) is not None, 0.5)
        return self.add("einsum", [a, b], k)

    @staticmethod
    def letters(k):
        import wide_operations
        return wide_operations.EINSUMS[k].split("->")[0].split(",")

    def equations(self):
        op = self.r.choice(["solve", "cholesky_solve"])
        a = self.pick(lambda i: len(i.shape) == 2 and i.shape[0].static and i.shape[0].number < 6, 0.6)
        if a is None:
            return None
        n = self.get(a).shape[0].number
        return self.add(op, [a, self.pick(lambda i: OPS[op][0]([self.get(a), i], n) is not None, 0.4)], n)

    def build(self):
        r = self.r
        old = [self.unary, self.binary, self.binary, self.reduce, self.view, self.view, self.truth, self.product, self.lookup, self.best, self.arranged]
        new = [self.one] * 4 + [self.two] * 2 + [self.over_axes] * 2 + [self.along] * 2 + [self.moved] * 3 + [self.number_array] + [self.by_index] * 3 + \
            [self.sums_of_products] * 2 + [self.equations]
        wanted = r.choice([2, 3, 3, 4, 4, 5])
        for _ in range(60):
            if len(self.nodes) >= wanted:
                break
            r.choice(new if r.random() < 0.65 else old)()


class LaterMaker(WideMaker):
    """More than half of the steps are operations of later_operations.py and later_matrices.py."""

    def __init__(self, number):
        super().__init__(number)
        import later_matrices
        self.later, self.over = later_matrices.LATER, later_matrices.OVER

    def recent(self):
        r = self.r
        op, count, parameters, kinds = r.choice(self.later)
        par = r.choice(parameters)
        infer = OPS[op][0]
        if count == 1:
            return self.add(op, [self.pick(lambda i: infer([i], par) is not None, 0.8)], par)
        for _ in range(4):   # the operands change places, so that each of them may be the recent one
            a, at = self.pick(recent=0.6), r.randrange(2)
            b = self.pick(lambda i: infer([self.get(a), i][::1 - 2 * at], par) is not None, 0.4)
            if b is not None:
                return self.add(op, [a, b][::1 - 2 * at], par)
        return None

    def recent_over(self):
        a = self.pick(lambda i: len(i.shape) > 0)
        return self.add(self.r.choice(self.over), [a], [self.axes(self.get(a).shape), self.r.random() < 0.5])

    def build(self):
        r = self.r
        old = [self.unary, self.binary, self.binary, self.reduce, self.view, self.view, self.truth, self.product, self.one, self.two, self.over_axes,
               self.along, self.moved, self.by_index]
        wanted = r.choice([2, 3, 3, 4, 4, 5])
        for _ in range(80):
            if len(self.nodes) >= wanted:
                break
            r.choice([self.recent] * 4 + [self.recent_over] if r.random() < 0.65 else old)()


def simplified(data):
    """Without nodes that are not read."""
    names = Program(data).used()
    new, nodes = {}, []
    for k, (op, args, par) in enumerate(data["nodes"]):
        if f"e{k}" in names:
            new[f"e{k}"] = f"e{len(nodes)}"
            nodes.append([op, [new.get(a, a) for a in args], par])
    def renamed(l):
        return [new.get(a, a) for a in l]
    return data | {"nodes": nodes, "outputs": renamed(data["outputs"]), "wrt": renamed(data["wrt"])}


def make(number):
    """The program of that number; of several attempts the first that a test can compare."""
    for attempt in range(50):
        try:
            maker = Maker if number < FIRST_TRAINING else TrainingMaker if number < FIRST_WIDE else WideMaker if number < FIRST_LATER else LaterMaker
            data = maker(f"{number}.{attempt}").make()
            data["number"] = number
            Program(data).source()
            return data
        except (Reject, ZeroDivisionError):
            pass
    raise RuntimeError(f"no program {number}")


def traits(data):
    """What of a program another one may not have: operations, what they read, how they are differentiated."""
    mode = "step" if data["variables"] else "second" if data["second"] else "slope" if data["wrt"] else "value"
    operation = {f"e{k}": op for k, (op, _, _) in enumerate(data["nodes"])}
    r = {mode, data["type"]} | {("out", operation.get(o, "leaf")) for o in data["outputs"]}
    for op, args, _ in data["nodes"]:
        r |= {op, (op, mode), (op, data["off"]), (op, data["type"])}
        r |= {(op, operation[a]) for a in args if a in operation}
    return r


def choose(count, first, last, always):
    small = [d for d in map(make, range(first, last + 1)) if len(d["nodes"]) <= (4 if d["second"] else 5)]
    seen, chosen = set(), []
    for d in [make(k) for k in always]:
        seen |= traits(d)
        chosen.append(d)
    while len(chosen) < count:
        best = max(small, key=lambda d: sum(2 if isinstance(f, str) else 1 for f in sorted(traits(d) - seen, key=str)) / (1.5 + len(d["nodes"]) - bool(d["wrt"])))
        seen |= traits(best)
        chosen.append(best)
        small.remove(best)
    return sorted(d["number"] for d in chosen)


def main():
    if sys.argv[1] == "--choose":
        count, first, last, *always = map(int, sys.argv[2:])
        print(*choose(count, first, last, always))
        return
    made = [Program(make(int(k))) for k in sys.argv[1:]]
    sys.stdout.write(source_of(made, "Made by programs.py from the numbers of its cases."))


if __name__ == "__main__":
    main()
