# SPDX-License-Identifier: MIT
"""Programs as graphs: each node knows its C++ text and how JAX computes it."""

import jax

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
import numpy as np

M32, M64 = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF


class Dim(int):
    """The size of a named dimension. Its C++ name is `rows`."""

    text = "rows"


def text_of(extent):
    return getattr(extent, "text", None) or str(int(extent))


def same(a, b):
    return len(a) == len(b) and all(text_of(p) == text_of(q) for p, q in zip(a, b))


def numbers(k, n):
    """The elements of leaf k, as fuzz::data<double>(k) in tests/support/fuzz.hpp."""
    i = np.arange(1, n + 1, dtype=np.uint64)
    h = ((i * 2654435761) & M32) ^ ((((k + 1) * 40503) & M32) * 65537 & M32)
    h = ((h ^ (h >> np.uint64(15))) * 2246822519) & M32
    h = ((h ^ (h >> np.uint64(13))) * 3266489917) & M32
    return (h ^ (h >> np.uint64(16))).astype(np.float64) / 2147483648.0 - 1.0


def mix_bits(x):
    z = (x + 0x9E3779B97F4A7C15) & M64
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & M64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & M64
    return z ^ (z >> 31)


def philox(c, k):
    for _ in range(10):
        p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(q >> 32) ^ c[1] ^ k[0], q & M32, (p >> 32) ^ c[3] ^ k[1], p & M32]
        k = [(k[0] + 0x9E3779B9) & M32, (k[1] + 0xBB67AE85) & M32]
    return c


def uniform(name, iteration, shape):
    """uniform_like<name>, with the seed 0, in step 0 and in an iteration of a loop (xgrad/core/random.hpp)."""
    h = 0xCBF29CE484222325
    for c in name.encode():
        h = (h ^ c) * 0x100000001B3 & M64
    key = mix_bits((mix_bits((mix_bits(0) + h) & M64) + (iteration & M32)) & M64)
    r = [philox([i // 64 * 16 + i % 16, 0, 0, 0], [key & M32, key >> 32])[i % 64 // 16] >> 8 for i in range(int(np.prod(shape, dtype=int)))]
    return jnp.array(np.array(r, dtype=np.float64).reshape([int(d) for d in shape]) * 2.0**-24)


class Node:
    """`cpp` has {0}, {1} in place of the operands. `fn` computes it from their values; `near` is how far it is from a kink.
    params and leaves: what it depends on. draws: whether it draws random numbers."""

    def __init__(self, scope, cpp, fn, args, shape, kind="f", near=None, draws=None, limit=None, region=None):
        self.scope, self.cpp, self.fn, self.args, self.shape, self.kind, self.near = scope, cpp, fn, list(args), tuple(shape), kind, near
        self.draw, self.limit, self.region = draws, limit, region
        reads = self.args + (region.captures() if region else [])
        self.params = frozenset().union(*[a.params for a in reads])
        self.leaves = frozenset().union(*[a.leaves for a in reads])
        self.draws = draws is not None or any(a.draws for a in reads) or bool(region and region.draws())
        self.name = None


class Leaf(Node):
    """An input or a variable. Its values are `number` and the offset of the call: see numbers."""

    def __init__(self, scope, name, shape, kind, number, limit=None, variable=False):
        super().__init__(scope, None, None, [], shape, kind, limit=limit)
        self.name, self.number, self.variable = name, number, variable
        if kind == "f":
            self.leaves = frozenset([self])


class Parameter(Node):
    def __init__(self, scope, shape, kind, limit=None):
        super().__init__(scope, None, None, [], shape, kind, limit=limit)
        self.params = frozenset([self])


class Body:
    """A struct with parameters and results. In the results of a gradient or a loop are also carries."""

    def __init__(self, number, scope):
        self.number, self.scope, self.params, self.results, self.asked = number, scope, [], [], None

    def nodes(self):
        """Its own nodes that the results need, in order."""
        seen, order = set(), []

        def visit(n):
            if n.scope is not self.scope or id(n) in seen:
                return
            seen.add(id(n))
            for a in n.args + (n.region.captures() if n.region else []):
                visit(a)
            if not isinstance(n, Parameter):
                order.append(n)

        for r in self.results:
            visit(r)
        return order

    def captures(self):
        """What it reads of the scopes around it, in order."""
        found = []
        for n in self.nodes() + [None]:
            for a in (n.args + (n.region.captures() if n.region else [])) if n else self.results:
                if a.scope is not self.scope and a not in found:
                    found.append(a)
        return found

    def draws(self):
        return any(n.draws for n in self.nodes())


class Region:
    """A step over bodies. `how` names it; `more` has what it needs besides the operands of its node."""

    def __init__(self, how, bodies, outputs, **more):
        self.how, self.bodies, self.outputs, self.more = how, bodies, outputs, more

    def captures(self):
        found = []
        for b in self.bodies:
            found += [c for c in b.captures() if c not in found]
        return found

    def draws(self):
        return any(b.draws() for b in self.bodies)
