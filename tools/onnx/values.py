# SPDX-License-Identifier: MIT
"""Values of an ONNX graph as xgrad expressions: text, element type and shape."""
import math

TYPES = {'float32': 'float', 'float64': 'double', 'bool': 'bool', 'int8': 'std::int8_t', 'int16': 'std::int16_t', 'int32': 'std::int32_t',
         'int64': 'std::int64_t', 'uint8': 'std::uint8_t', 'uint16': 'std::uint16_t', 'uint32': 'std::uint32_t', 'uint64': 'std::uint64_t'}
ONNX_TYPES = {1: 'float32', 2: 'uint8', 3: 'int8', 4: 'uint16', 5: 'int16', 6: 'int32', 7: 'int64', 9: 'bool', 11: 'float64',
              12: 'uint32', 13: 'uint64'}
LIMITS = {'int8': (-128, 127), 'uint8': (0, 255), 'int16': (-32768, 32767), 'uint16': (0, 65535)}
MAX_RANK = 6


class Inexpressible(Exception):
    """The reason why an operator, or a case of it, has no xgrad expression."""


class Value:
    """An expression. `data` is the array of the test case, if it is known; `static` says that it follows from shapes and constants.
    The text may be a function that makes it when it is wanted."""

    def __init__(self, text, type_, shape, data=None, static=False):
        self._text, self.type, self.shape, self.data, self.static = text, type_, tuple(int(n) for n in shape), data, static
        if len(self.shape) > MAX_RANK:
            raise Inexpressible('more than six axes')

    @property
    def text(self):
        if callable(self._text):
            self._text = self._text()
        return self._text

    rank = property(lambda self: len(self.shape))
    size = property(lambda self: math.prod(self.shape))
    cpp = property(lambda self: TYPES[self.type])
    floating = property(lambda self: self.type in ('float32', 'float64'))

    def axis(self, axis):
        return axis + self.rank if axis < 0 else axis

    def list(self):
        """The numbers, which become arguments of templates."""
        if self.data is None:
            raise Inexpressible('sizes or axes that are computed from data')
        return [int(n) for n in self.data.reshape(-1)]

    def number(self):
        return self.list()[0]

    __add__ = lambda a, b: binary('({} + {})', a, b)
    __sub__ = lambda a, b: binary('({} - {})', a, b)
    __mul__ = lambda a, b: binary('({} * {})', a, b)
    __truediv__ = lambda a, b: binary('({} / {})', a, b)
    __radd__ = lambda a, b: binary('({} + {})', b, a)
    __rsub__ = lambda a, b: binary('({} - {})', b, a)
    __rmul__ = lambda a, b: binary('({} * {})', b, a)
    __rtruediv__ = lambda a, b: binary('({} / {})', b, a)
    __neg__ = lambda a: Value(f'(-{a.text})', a.type, a.shape)


def literal(number):
    """A number of the program, which takes the element type of the other operand."""
    if isinstance(number, float) and not math.isfinite(number):
        raise Inexpressible('a constant that is not finite')
    text = repr(abs(number))
    text = text[:-2] if text.endswith('.0') and len(text) < 18 else text
    return f'(-{text}_c)' if number < 0 else f'{text}_c'


def text_of(x):
    return x.text if isinstance(x, Value) else literal(x)


def broadcast(*shapes):
    rank = max(map(len, shapes))
    whole = []
    for extents in zip(*([1] * (rank - len(s)) + list(s) for s in shapes)):
        others = [n for n in extents if n != 1]
        whole.append(others[0] if others else 1)
    return tuple(whole)


def binary(form, a, b, type_=None):
    known = [v for v in (a, b) if isinstance(v, Value)]
    return Value(form.format(text_of(a), text_of(b)), type_ or known[0].type, broadcast(*(v.shape for v in known)))


def each(function, *operands, type=None):
    """An element-wise function: the shape is broadcast."""
    known = [v for v in operands if isinstance(v, Value)]
    return Value(f'xg::{function}({", ".join(map(text_of, operands))})', type or known[0].type, broadcast(*(v.shape for v in known)))


def call(function, operands, shape, type=None, arguments=()):
    operands = operands if isinstance(operands, (list, tuple)) else [operands]
    template = f'<{", ".join(map(str, arguments))}>' if len(arguments) or function == 'reshape' else ''
    known = [v for v in operands if isinstance(v, Value)]
    texts = [v if isinstance(v, str) else text_of(v) for v in operands]
    return Value(f'xg::{function}{template}({", ".join(texts)})', type or known[0].type, shape)


def select(condition, a, b):
    known = [v for v in (a, b) if isinstance(v, Value)]
    return each('select', condition, a, b, type=known[0].type)


def cast(type_, x):
    return x if x.type == type_ else Value(f'xg::cast<{TYPES[type_]}>({x.text})', type_, x.shape)


def number_of(type_, number):
    """A scalar of an element type."""
    if type_ == 'bool':
        return Value(f'xg::equal(xg::constant<std::int32_t, {int(bool(number))}>, 1_c)', 'bool', ())
    if float(number) == int(number) and abs(number) < 2 ** 53 and abs(number) < 2 ** (23 if type_ == 'float32' else 53):
        return Value(f'xg::constant<{TYPES[type_]}, {int(number)}>', type_, ())
    return Value(f'xg::cast<{TYPES[type_]}>({literal(float(number))})', type_, ())


def reshape(x, shape):
    shape = tuple(int(n) for n in shape)
    return x if shape == x.shape else call('reshape', x, shape, arguments=shape)


def broadcast_to(x, shape):
    return x if tuple(shape) == x.shape else call('broadcast_to', x, shape, arguments=shape)


def transpose(x, order):
    order = [int(n) for n in order]
    if order == list(range(x.rank)):
        return x
    return call('transpose', x, [x.shape[n] for n in order], arguments=order)


def with_extent(shape, axis, extent):
    return tuple(shape[:axis]) + (extent,) + tuple(shape[axis + 1:])


def slice_(x, axis, begin, end, step=1):
    """NumPy's x[begin:end:step] along an axis; begin and end are those that slice.indices gives."""
    extent = x.shape[axis]
    if step < 0:
        count = len(range(begin, end, step))
        return slice_(x, axis, 0, 0) if count == 0 else \
            call('strided_slice', x, with_extent(x.shape, axis, count), arguments=(axis, begin, end, step))
    end = max(begin, end)
    if (begin, end, step) == (0, extent, 1):
        return x
    return call('slice', x, with_extent(x.shape, axis, len(range(begin, end, step))), arguments=(axis, begin, end) + ((step,) if step != 1 else ()))


def flip(x, axis):
    return call('flip', x, x.shape, arguments=(axis,))


def concat(values, axis):
    if len(values) == 1:
        return values[0]
    return call('concat', values, with_extent(values[0].shape, axis, sum(v.shape[axis] for v in values)), arguments=(axis,))


def expand_dims(x, axis):
    axis = axis + x.rank + 1 if axis < 0 else axis
    return call('expand_dims', x, x.shape[:axis] + (1,) + x.shape[axis:], arguments=(axis,))


def pad(x, axis, before, after, value=None, how='constant'):
    """Negative numbers of elements cut."""
    x = slice_(x, axis, max(0, -before), x.shape[axis] - max(0, -after))
    before, after = max(before, 0), max(after, 0)
    if before == after == 0:
        return x
    arguments = [before, after, axis] + ([f'xg::padding::{how}'] if how != 'constant' else [])
    return call('pad', [x] if value is None else [x, value], with_extent(x.shape, axis, before + x.shape[axis] + after), arguments=arguments)


def reduce(function, x, axes=None, keep=False, type=None):
    """sum, mean, max, ... over axes; None is all of them."""
    axes = list(range(x.rank)) if axes is None else sorted(a % x.rank for a in axes)
    shape = tuple(1 if a in axes else n for a, n in enumerate(x.shape) if keep or a not in axes)
    if not axes:
        return x
    return call(function, [x, 'xg::keep_dims'] if keep else [x], shape, type, axes)


def arange(count, type_='int64'):
    return Value(f'xg::arange<{count}, {TYPES[type_]}>()', type_, (count,))


def to_end(x, axis):
    """An axis as the last one, and the order of the axes that brings it back."""
    axis = x.axis(axis)
    order = [a for a in range(x.rank) if a != axis] + [axis]
    return transpose(x, order), [order.index(a) for a in range(x.rank)]


def element(x, index, type_=None, shape=None):
    """One expression of a tuple."""
    return Value(f'std::get<{index}>({x.text})', type_ or x.type, x.shape if shape is None else shape)


def matmul(a, b, ta=False, tb=False):
    """NumPy's product, also with vectors."""
    if a.rank == 1:
        y = matmul(expand_dims(a, 0), b, False, tb)
        return call('squeeze', y, y.shape[:-2] + y.shape[-1:], arguments=(y.rank - 2,)) if y.rank >= 2 else \
            call('squeeze', y, (), arguments=(0,))
    if b.rank == 1:
        y = matmul(a, expand_dims(b, 1), ta)
        return call('squeeze', y, y.shape[:-1], arguments=(y.rank - 1,))
    m = a.shape[-1] if ta else a.shape[-2]
    n = b.shape[-2] if tb else b.shape[-1]
    shape = broadcast(a.shape[:-2], b.shape[:-2]) if a.rank > 2 or b.rank > 2 else ()
    return call('matmul', [a, b], shape + (m, n), arguments=(str(ta).lower(), str(tb).lower()) if ta or tb else ())
