# SPDX-License-Identifier: MIT
"""Extents of named dimensions: sums of products of names and quotients, and their values."""


class Extent:
    """terms: {sorted tuple of atoms: factor}; an atom is a name or ("/", name, offset, divisor)."""

    def __init__(self, terms):
        self.terms = {k: v for k, v in terms.items() if v != 0}
        self.key = tuple(sorted(self.terms.items(), key=str))

    def __eq__(self, other):
        return self.key == of(other).key

    def __hash__(self):
        return hash(self.key)

    def __add__(self, other):
        r = dict(self.terms)
        for k, v in of(other).terms.items():
            r[k] = r.get(k, 0) + v
        return Extent(r)

    def __mul__(self, other):
        r = {}
        for k, v in self.terms.items():
            for j, u in of(other).terms.items():
                m = tuple(sorted(k + j, key=str))
                r[m] = r.get(m, 0) + u * v
        return Extent(r)

    def __sub__(self, other):
        return self + of(other) * -1

    @property
    def static(self):
        return all(k == () for k in self.terms)

    @property
    def number(self):
        return self.terms.get((), 0)

    def small(self):
        """Whether the library has room for it."""
        long = [k for k in self.terms if k != ()]
        return len(long) <= 2 and all(len(k) <= 3 for k in long) and all(v > 0 for k, v in self.terms.items() if k != ())

    def names(self):
        return [a for k in self.terms for a in k]

    def at(self, sizes):
        def atom(a):
            return sizes[a] if isinstance(a, str) else (sizes[a[1]] + a[2]) // a[3]
        total = 0
        for k, v in self.terms.items():
            for a in k:
                v *= atom(a)
            total += v
        return total

    def __str__(self):
        if self.static:
            return str(self.number)

        def atom(a):
            if isinstance(a, str):
                return a
            return f"({a[1]} + {a[2]}) / {a[3]}" if a[2] else f"{a[1]} / {a[3]}"
        parts = []
        for k, v in sorted(self.terms.items(), key=lambda e: -len(e[0])):
            if k == ():
                parts.append(("- " if v < 0 else "+ ") + str(abs(v)))
            else:
                parts.append("+ " + " * ".join([atom(k[0])] + [x if isinstance(x, str) else f"({atom(x)})" for x in k[1:]] + ([str(v)] if v != 1 else [])))
        return " ".join(parts)[2:]

    def quotient(self, n):
        """(self + n - 1) / n where self is one name and a number, else None."""
        if self.static:
            return of(-(-self.number // n))
        long = [k for k in self.terms if k != ()]
        if len(long) != 1 or len(long[0]) != 1 or self.terms[long[0]] != 1 or not isinstance(long[0][0], str):
            return None
        r = self.number + n - 1
        return Extent({(("/", long[0][0], r % n, n),): 1, (): r // n})


def of(d):
    if isinstance(d, Extent):
        return d
    return Extent({(d,): 1}) if isinstance(d, str) else Extent({(): int(d)})


def broadcast(*shapes):
    """The common shape by NumPy's rule, or None."""
    n = max(len(s) for s in shapes)
    r = [of(1)] * n
    for s in shapes:
        for i, d in enumerate(s):
            i += n - len(s)
            if r[i] == of(1):
                r[i] = d
            elif d != of(1) and d != r[i]:
                return None
    return tuple(r)


def paired(*shapes):
    """The common shape. None also where a dimension would be in it twice, as for [b, 1] and [b]: xgrad refuses that in element-wise
    operations."""
    r, found = shapes[0], None
    for s in shapes[1:]:
        wide, narrow = (r, s) if len(r) > len(s) else (s, r)
        shift = len(wide) - len(narrow)
        for i, d in enumerate(narrow):
            if shift and set(d.terms) - {()} and wide[shift + i] == of(1) and d in wide[:shift]:
                found = found or d
        r = broadcast(r, s)
        if r is None:
            return None
    return r if found is None or any(s.count(found) > 1 for s in shapes) else None


def product(shape):
    n = of(1)
    for d in shape:
        n = n * d
    return n


def at(shape, sizes):
    return tuple(d.at(sizes) for d in shape)
