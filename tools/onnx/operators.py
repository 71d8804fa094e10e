# SPDX-License-Identifier: MIT
"""ONNX operators as xgrad expressions.

Each function takes a Node and gives the values of its outputs. It raises Inexpressible with a reason for what xgrad cannot express.
The text of a table row is what docs/conformance.md shows.
"""
import math

from values import (LIMITS, ONNX_TYPES, Inexpressible, Value, arange, binary, broadcast, broadcast_to, call, cast, concat, each, element,
                    expand_dims, flip, matmul, number_of, pad, reduce, reshape, select, slice_, to_end, transpose, with_extent)

TABLE = {}      # operator: (text, function)
REASONS = {}    # operator: why it has no expression
NETWORKS = 'networks: not there yet'
ROUNDED = 'rounding errors of ONNX are expected: 1.9e-7 in place of 0'
CASES = {'test_dft_inverse': ROUNDED, 'test_dft_inverse_opset19': ROUNDED}   # reasons against single cases


def operator(name, text):
    def keep(function):
        TABLE[name] = (text, function)
        return function
    return keep


def cannot(reason, *names):
    for name in names:
        REASONS[name] = reason


def simple(name, text, function):
    TABLE[name] = (text, lambda n: [function(n, *n.inputs)])


# Element by element

for onnx_name, name in {'Abs': 'abs', 'Acos': 'acos', 'Acosh': 'acosh', 'Asin': 'asin', 'Asinh': 'asinh', 'Atan': 'atan', 'Atanh': 'atanh',
                        'Ceil': 'ceil', 'Cos': 'cos', 'Cosh': 'cosh', 'Erf': 'erf', 'Exp': 'exp', 'Floor': 'floor',
                        'HardSwish': 'hard_swish', 'Log': 'log', 'Mish': 'mish', 'Not': 'logical_not', 'Relu': 'relu', 'Round': 'round',
                        'Sigmoid': 'sigmoid', 'Sign': 'sign', 'Sin': 'sin', 'Sinh': 'sinh', 'Softplus': 'softplus', 'Softsign': 'softsign',
                        'Sqrt': 'sqrt', 'Tan': 'tan', 'Tanh': 'tanh', 'BitwiseNot': 'bitwise_not'}.items():
    simple(onnx_name, f'{name}(x)', lambda n, x, name=name: each(name, x))
simple('IsNaN', 'isnan(x)', lambda n, x: each('isnan', x, type='bool'))
simple('Neg', '-x', lambda n, x: -x)
simple('Reciprocal', '1_c / x', lambda n, x: 1 / x)
simple('Identity', 'x', lambda n, x: x)

for onnx_name, name in {'And': 'logical_and', 'Or': 'logical_or', 'Xor': 'logical_xor', 'BitwiseAnd': 'bitwise_and',
                        'BitwiseOr': 'bitwise_or', 'BitwiseXor': 'bitwise_xor'}.items():
    simple(onnx_name, f'{name}(a, b)', lambda n, a, b, name=name: each(name, a, b))
for onnx_name, name in {'Equal': 'equal', 'Greater': 'greater', 'GreaterOrEqual': 'greater_equal', 'Less': 'less',
                        'LessOrEqual': 'less_equal'}.items():
    simple(onnx_name, f'{name}(a, b)', lambda n, a, b, name=name: each(name, a, b, type='bool') if a.type != 'bool' else
           each('logical_not', each('logical_xor', a, b)))
simple('Add', 'a + b', lambda n, a, b: a + b)
simple('Sub', 'a - b', lambda n, a, b: a - b)
simple('Mul', 'a * b', lambda n, a, b: a * b)
simple('Div', 'a / b', lambda n, a, b: a / b)
simple('Mod', 'mod(a, b), fmod(a, b)', lambda n, a, b: each('fmod' if n.get('fmod', 0) else 'mod', a, b))
simple('Where', 'select(c, a, b)', lambda n, c, a, b: select(c, a, b))


def several(function, a, *rest):
    for b in rest:
        a = function(a, b)
    return a


simple('Max', 'maximum(a, b)', lambda n, *x: several(lambda a, b: each('maximum', a, b), *x))
simple('Min', 'minimum(a, b)', lambda n, *x: several(lambda a, b: each('minimum', a, b), *x))
simple('Sum', 'a + b + c', lambda n, *x: several(lambda a, b: a + b, *x))
simple('Mean', '(a + b + c) / 3_c', lambda n, *x: several(lambda a, b: a + b, *x) / len(x))


@operator('Pow', 'pow(a, b); integers by cast<double>')
def pow_(n):
    a, b = n.inputs
    if a.floating:
        return [each('pow', a, cast(a.type, b))]
    return [cast(a.type, each('round', each('pow', cast('float64', a), cast('float64', b))))]


@operator('BitShift', 'left_shift(a, b), right_shift(a, b)')
def bit_shift(n):
    return [each('left_shift' if n.get('direction') == 'LEFT' else 'right_shift', *n.inputs)]


@operator('Cast', 'cast<T>(x)')
def cast_(n):
    if n.get('to') not in ONNX_TYPES:
        raise Inexpressible('an element type that xgrad does not have')
    return [cast(ONNX_TYPES[n.get('to')], n.inputs[0])]


simple('CastLike', 'cast<T>(x)', lambda n, x, like: cast(like.type, x))


@operator('Clip', 'clip(x, least, most)')
def clip(n):
    x, least, most = (n.inputs + [None, None])[:3]
    if least is not None:
        x = each('maximum', x, reshape(least, ()))
    return [x if most is None else each('minimum', x, reshape(most, ()))]


simple('Elu', 'elu(x, alpha)', lambda n, x: each('elu', x, n.get('alpha', 1.0)))
simple('Celu', 'celu(x, alpha)', lambda n, x: each('celu', x, n.get('alpha', 1.0)))
simple('Selu', 'selu(x)', lambda n, x: n.get('gamma', 1.05070102214813) * each('elu', x, n.get('alpha', 1.67326319217681)))
simple('LeakyRelu', 'leaky_relu(x, slope)', lambda n, x: each('leaky_relu', x, n.get('alpha', 0.01)))
simple('PRelu', 'leaky_relu(x, slope)', lambda n, x, slope: each('leaky_relu', x, slope))
simple('ThresholdedRelu', 'threshold(x, alpha, 0_c)', lambda n, x: each('threshold', x, n.get('alpha', 1.0), 0))
simple('HardSigmoid', 'clip(alpha * x + beta, 0_c, 1_c)', lambda n, x: each('clip', n.get('alpha', 0.2) * x + n.get('beta', 0.5), 0, 1))
simple('Gelu', 'gelu(x), gelu_tanh(x)', lambda n, x: each('gelu_tanh' if n.get('approximate') == 'tanh' else 'gelu', x))
simple('Swish', 'silu(x), x * sigmoid(alpha * x)', lambda n, x: x * each('sigmoid', n.get('alpha', 1.0) * x))
simple('SwiGLU', 'silu(a) * b', lambda n, a, b: a * each('sigmoid', n.get('alpha', 1.0) * a) * b)
simple('Binarizer', 'cast<float>(x > threshold)', lambda n, x: cast(x.type, each('greater', x, n.get('threshold', 0.0), type='bool')))


@operator('Shrink', 'select(x > lambda, x - bias, select(x < -lambda, x + bias, 0_c))')
def shrink(n):
    x, = n.inputs
    bias, least = n.get('bias', 0.0), n.get('lambd', 0.5)
    below = select(each('less', x, -least, type='bool'), x + bias, number_of(x.type, 0))
    return [select(each('greater', x, least, type='bool'), x - bias, below)]


@operator('IsInf', 'isinf(x)')
def isinf(n):
    x, = n.inputs
    positive, negative = n.get('detect_positive', 1), n.get('detect_negative', 1)
    if not positive and not negative:
        raise Inexpressible('detects nothing')
    y = each('isinf', x, type='bool')
    if positive and negative:
        return [y]
    return [each('logical_and', y, each('greater' if positive else 'less', x, 0, type='bool'))]


# Over axes

def axes_of(n, x):
    """The axes of a reduction: an attribute or the second operand. [] with keep is no reduction."""
    axes = n.get('axes')
    if axes is None and len(n.inputs) > 1 and n.inputs[1] is not None:
        axes = n.inputs[1].list()
    if not axes:
        return [] if n.get('noop_with_empty_axes', 0) else list(range(x.rank))
    return axes


def reduction(onnx_name, text, function):
    TABLE[onnx_name] = (text, lambda n: [function(n.inputs[0], axes_of(n, n.inputs[0]), bool(n.get('keepdims', 1)))])


def extremum(name, boolean):
    def of(x, axes, keep):
        return reduce(boolean if x.type == 'bool' else name, x, axes, keep)
    return of


reduction('ReduceSum', 'sum<axes>(x)', lambda x, axes, keep: reduce('sum', x, axes, keep))
reduction('ReduceMean', 'mean<axes>(x)', lambda x, axes, keep: reduce('mean', x, axes, keep))
reduction('ReduceMax', 'max<axes>(x), any<axes>(x)', extremum('max', 'any'))
reduction('ReduceMin', 'min<axes>(x), all<axes>(x)', extremum('min', 'all'))
reduction('ReduceProd', 'prod<axes>(x)', lambda x, axes, keep: reduce('prod', x, axes, keep))
reduction('ReduceL1', 'l1_norm<axes>(x)', lambda x, axes, keep: reduce('l1_norm', x, axes, keep) if axes else each('abs', x))
reduction('ReduceL2', 'norm<axes>(x)', lambda x, axes, keep: reduce('norm', x, axes, keep) if axes else each('abs', x))
reduction('ReduceLogSum', 'log(sum<axes>(x))', lambda x, axes, keep: each('log', reduce('sum', x, axes, keep)))
reduction('ReduceLogSumExp', 'log_sum_exp<axes>(x)', lambda x, axes, keep: reduce('log_sum_exp', x, axes, keep))
reduction('ReduceSumSquare', 'sum_of_squares<axes>(x)',
          lambda x, axes, keep: reduce('sum_of_squares', x, axes, keep) if axes else each('square', x))


def arg_reduction(onnx_name, name):
    @operator(onnx_name, f'{name}<axis>(x)')
    def translate(n):
        x, = n.inputs
        axis = x.axis(n.get('axis', 0))
        last = n.get('select_last_index', 0)
        y = call(name, flip(x, axis) if last else x, x.shape[:axis] + x.shape[axis + 1:], 'int32', [axis])
        if last:
            y = binary('({} - {})', x.shape[axis] - 1, y)
        return [cast('int64', expand_dims(y, axis) if n.get('keepdims', 1) else y)]


arg_reduction('ArgMax', 'argmax')
arg_reduction('ArgMin', 'argmin')


def scanned(onnx_name, name):
    @operator(onnx_name, f'{name}<axis>(x)')
    def translate(n):
        x, axis = n.inputs
        how = [f'xg::cumulative::{word}' for word in ('exclusive', 'reverse') if n.get(word, 0)]
        return [call(name, x, x.shape, arguments=[x.axis(axis.number())] + ([' | '.join(how)] if how else []))]


scanned('CumSum', 'cumsum')
scanned('CumProd', 'cumprod')


def over_axis(name):
    return lambda n, x: call(name, x, x.shape, arguments=[x.axis(n.get('axis', -1))])


simple('Softmax', 'softmax<axis>(x)', over_axis('softmax'))
simple('LogSoftmax', 'log_softmax<axis>(x)', over_axis('log_softmax'))


@operator('Hardmax', 'one_hot<n>(argmax<axis>(x))')
def hardmax(n):
    x, = n.inputs
    rows, back = to_end(x, n.get('axis', -1))
    best = call('argmax', rows, rows.shape[:-1], 'int32', [rows.rank - 1])
    return [transpose(call('one_hot', best, rows.shape, x.type, [rows.shape[-1], x.cpp]), back)]


@operator('TopK', 'top_k<k>(x), bottom_k<k>(x)')
def top_k(n):
    x, k = n.inputs
    rows, back = to_end(x, n.get('axis', -1))
    k = k.number()
    shape = rows.shape[:-1] + (k,)
    pair = n.name(call('top_k' if n.get('largest', 1) else 'bottom_k', rows, shape, arguments=[k]))
    values, places = element(pair, 0), element(pair, 1, 'int32')
    return [transpose(values, back), cast('int64', transpose(places, back))]


@operator('LpNormalization', 'divide_no_nan(x, norm<axis>(x, keep_dims))')
def lp_normalization(n):
    x, = n.inputs
    axis = [x.axis(n.get('axis', -1))]
    size = reduce('l1_norm' if n.get('p', 2) == 1 else 'norm', x, axis, True)
    return [each('divide_no_nan', x, size)]


# Normalizations and losses

def normalized(n, x, axes, epsilon):
    """(x - mean) / sqrt(variance + epsilon), the mean and the reciprocal."""
    mean = n.name(reduce('mean', x, axes, True))
    variance = reduce('variance', x, axes, True)
    scale = n.name(1 / each('sqrt', variance + epsilon))
    return (x - mean) * scale, mean, scale


@operator('LayerNormalization', '(x - m) / sqrt(v + epsilon) * scale + bias, m = mean<axes>(x), v = variance<axes>(x)')
def layer_normalization(n):
    x, scale, bias = (n.inputs + [None])[:3]
    axes = list(range(x.axis(n.get('axis', -1)), x.rank))
    y, mean, inverse = normalized(n, x, axes, n.get('epsilon', 1e-5))
    y = y * scale
    return [y if bias is None else y + bias, mean, inverse]


@operator('RMSNormalization', 'x / sqrt(mean<axes>(square(x), keep_dims) + epsilon) * scale')
def rms_normalization(n):
    x, scale = n.inputs
    axes = list(range(x.axis(n.get('axis', -1)), x.rank))
    return [x / each('sqrt', reduce('mean', each('square', x), axes, True) + n.get('epsilon', 1e-5)) * scale]


def per_channel(v, rank):
    return reshape(v, (v.shape[0],) + (1,) * (rank - 2)) if rank > 2 else v


@operator('BatchNormalization', '(x - mean) / sqrt(variance + epsilon) * scale + bias')
def batch_normalization(n):
    x, scale, bias, mean, variance = n.inputs
    outputs = []
    if n.get('training_mode', 0):
        axes = [a for a in range(x.rank) if a != 1]
        momentum = n.get('momentum', 0.9)
        m = n.name(reduce('mean', x, axes))
        v = n.name(reduce('variance', x, axes))
        outputs = [mean * momentum + m * (1 - momentum), variance * momentum + v * (1 - momentum)]
        mean, variance = m, v
    scale, bias, mean, variance = (per_channel(v, x.rank) for v in (scale, bias, mean, variance))
    return [(x - mean) / each('sqrt', variance + n.get('epsilon', 1e-5)) * scale + bias] + outputs


@operator('InstanceNormalization', '(x - m) / sqrt(v + epsilon) * scale + bias, m = mean<2, 3>(x), v = variance<2, 3>(x)')
def instance_normalization(n):
    x, scale, bias = n.inputs
    y, _, _ = normalized(n, x, range(2, x.rank), n.get('epsilon', 1e-5))
    return [y * per_channel(scale, x.rank) + per_channel(bias, x.rank)]


@operator('GroupNormalization', 'reshape<n, groups, size>(x), then as LayerNormalization')
def group_normalization(n):
    x, scale, bias = n.inputs
    groups = n.name(reshape(x, (x.shape[0], n.get('num_groups'), -(-x.size // x.shape[0] // n.get('num_groups')))))
    y, _, _ = normalized(n, groups, [2], n.get('epsilon', 1e-5))
    return [reshape(y, x.shape) * per_channel(scale, x.rank) + per_channel(bias, x.rank)]


@operator('MeanVarianceNormalization', '(x - mean<axes>(x, keep_dims)) / (stddev<axes>(x, keep_dims) + 1e-9_c)')
def mean_variance_normalization(n):
    x, = n.inputs
    axes = n.get('axes', [0, 2, 3])
    return [(x - reduce('mean', x, axes, True)) / (reduce('stddev', x, axes, True) + 1e-9)]


@operator('LRN', 'x / pow(bias + alpha / size * (sum of slices of pad<1>(square(x))), beta)')
def lrn(n):
    x, = n.inputs
    size = n.get('size')
    before = (size - 1) // 2
    squares = n.name(pad(each('square', x), 1, before, size - 1 - before))
    whole = several(lambda a, b: a + b, *(slice_(squares, 1, k, k + x.shape[1]) for k in range(size)))
    return [x / each('pow', n.get('bias', 1.0) + n.get('alpha', 1e-4) / size * whole, n.get('beta', 0.75))]


def negative_log_likelihood(n, x, target, weight):
    """x [n, classes, ...] holds logarithms of probabilities."""
    classes, ignored = x.shape[1], n.get('ignore_index')
    rows, _ = to_end(x, 1)
    chosen = reduce('sum', rows * call('one_hot', target, target.shape + (classes,), x.type, [classes, x.cpp]), [rows.rank - 1])
    counts = None
    if weight is not None or ignored is not None:
        kept = None if ignored is None else each('not_equal', target, ignored, type='bool')
        ids = target if kept is None else select(kept, target, number_of(target.type, 0))
        counts = call('gather', [weight, ids], target.shape) if weight is not None else broadcast_to(number_of(x.type, 1), target.shape)
        counts = n.name(counts if kept is None else select(kept, counts, number_of(x.type, 0)))
    loss = -chosen if counts is None else -(counts * chosen)
    how = n.get('reduction', 'mean')
    if how == 'none':
        return loss
    if how == 'sum' or counts is None:
        return reduce(how, loss)
    return reduce('sum', loss) / reduce('sum', counts)


@operator('NegativeLogLikelihoodLoss', '-sum<-1>(x * one_hot<classes>(target)), weighted')
def nll_loss(n):
    x, target, weight = (n.inputs + [None])[:3]
    return [negative_log_likelihood(n, x, target, weight)]


@operator('SoftmaxCrossEntropyLoss', 'sparse_softmax_cross_entropy(x, target); weighted by log_softmax<1>(x)')
def softmax_cross_entropy(n):
    x, target, weight = (n.inputs + [None])[:3]
    logarithm = n.name(call('log_softmax', x, x.shape, arguments=[1]))
    return [negative_log_likelihood(n, logarithm, target, weight), logarithm]


# Shapes

@operator('Reshape', 'reshape<d...>(x)')
def reshape_(n):
    x, shape = n.inputs
    whole = [x.shape[i] if d == 0 and not n.get('allowzero', 0) else d for i, d in enumerate(shape.list())]
    if -1 in whole:
        others = math.prod(d for d in whole if d != -1)
        whole[whole.index(-1)] = x.size // others if others else 0
    return [reshape(x, whole)]


@operator('Flatten', 'flatten<first, last>(x), reshape<m, n>(x)')
def flatten(n):
    x, = n.inputs
    axis = x.axis(n.get('axis', 1))
    return [reshape(x, (math.prod(x.shape[:axis]), math.prod(x.shape[axis:])))]


@operator('Squeeze', 'squeeze<axes>(x)')
def squeeze(n):
    x, axes = (n.inputs + [None])[:2]
    axes = n.get('axes') or (axes.list() if axes is not None else [a for a, d in enumerate(x.shape) if d == 1])
    axes = sorted(x.axis(a) for a in axes)
    return [reshape(x, [d for a, d in enumerate(x.shape) if a not in axes])]


@operator('Unsqueeze', 'expand_dims<axes>(x)')
def unsqueeze(n):
    x = n.inputs[0]
    axes = n.get('axes') or n.inputs[1].list()
    for axis in sorted(a % (x.rank + len(axes)) for a in axes):
        x = expand_dims(x, axis)
    return [x]


simple('Transpose', 'transpose<axes>(x)', lambda n, x: transpose(x, n.get('perm') or range(x.rank)[::-1]))
simple('Expand', 'broadcast_to<d...>(x)', lambda n, x, shape: broadcast_to(x, broadcast(x.shape, tuple(shape.list()))))
simple('Concat', 'concat<axis>(a, b)', lambda n, *x: concat(x, x[0].axis(n.get('axis'))))


@operator('Tile', 'tile<times, axis>(x)')
def tile(n):
    x, times = n.inputs
    for axis, count in enumerate(times.list()):
        if count != 1:
            x = call('tile', x, x.shape[:axis] + (x.shape[axis] * count,) + x.shape[axis + 1:], arguments=[count, axis])
    return [x]


@operator('Slice', 'slice<axis, begin, end, step>(x), strided_slice for negative steps')
def slice_operator(n):
    x = n.inputs[0]
    if n.get('starts') is not None:
        starts, ends, axes, steps = n.get('starts'), n.get('ends'), n.get('axes'), None
    else:
        starts, ends, axes, steps = ([v.list() if v is not None else None for v in n.inputs[1:]] + [None, None])[:4]
    axes = axes or range(len(starts))
    for k, axis in enumerate(axes):
        axis = x.axis(axis)
        x = slice_(x, axis, *slice(starts[k], ends[k], steps[k] if steps else 1).indices(x.shape[axis]))
    return [x]


@operator('Split', 'split<n, axis>(x), slice<axis, begin, end>(x)')
def split(n):
    x, sizes = (n.inputs + [None])[:2]
    axis = x.axis(n.get('axis', 0))
    if sizes is not None:
        sizes = sizes.list()
    else:
        parts = n.get('num_outputs') or n.output_count
        size = -(-x.shape[axis] // parts)
        sizes = [min(size, x.shape[axis] - k * size) for k in range(parts)]
    begins = [sum(sizes[:k]) for k in range(len(sizes))]
    return [slice_(x, axis, b, b + s) for b, s in zip(begins, sizes)]


@operator('Pad', 'pad<before, after, axis, how>(x, value)')
def pad_operator(n):
    x, pads, value, axes = (n.inputs + [None, None, None])[:4]
    sizes = n.get('pads') or pads.list()
    axes = [x.axis(a) for a in axes.list()] if axes is not None else list(range(x.rank))
    how = n.get('mode', 'constant')
    value = None if value is None or how != 'constant' else reshape(value, ())
    if x.type == 'bool' and value is None:
        value = number_of('bool', False)
    for k, axis in enumerate(axes):
        before, after = sizes[k], sizes[k + len(axes)]
        if how == 'wrap':
            extent = x.shape[axis]
            if max(before, after) > extent or min(before, after) < 0:
                raise Inexpressible('wraps more than once')
            parts = ([slice_(x, axis, extent - before, extent)] if before else []) + [x] + ([slice_(x, axis, 0, after)] if after else [])
            x = concat(parts, axis)
        else:
            x = pad(x, axis, before, after, value, how)
    return [x]


@operator('CenterCropPad', 'slice<axis, begin, end>(x), pad<before, after, axis>(x)')
def center_crop_pad(n):
    x, sizes = n.inputs
    for axis, size in zip(n.get('axes') or range(x.rank), sizes.list()):
        axis = x.axis(axis)
        extent = x.shape[axis]
        if size < extent:
            x = slice_(x, axis, (extent - size) // 2, (extent - size) // 2 + size)
        else:
            x = pad(x, axis, (size - extent) // 2, size - extent - (size - extent) // 2)
    return [x]


@operator('Shape', 'value_of<decltype(x)>.dims')
def shape_of(n):
    x, = n.inputs
    axes = range(x.rank)[slice(n.get('start', 0), n.get('end'))]
    if not len(axes):
        return [broadcast_to(number_of('int64', 0), (0,))]
    return [n.extents(x, ', '.join(f'{{like}}.extents[{a}].constant' for a in axes), 1, len(axes))]


simple('Size', 'value_of<decltype(x)>.dims.size()', lambda n, x: n.extents(x, '{like}.size().constant', 0, 1))


@operator('ConstantOfShape', 'full<T, d...>(value)')
def constant_of_shape(n):
    value = n.get('value')
    type_ = 'float32' if value is None else str(value.dtype)
    return [broadcast_to(number_of(type_, 0 if value is None else value.reshape(-1)[0].item()), n.inputs[0].list())]


@operator('Constant', 'constant_array<table>, constant<T, value>')
def constant(n):
    for key, type_ in (('value_float', 'float32'), ('value_int', 'int64')):
        if n.get(key) is not None:
            return [number_of(type_, n.get(key))]
    for key, type_ in (('value_floats', 'float32'), ('value_ints', 'int64')):
        if n.get(key) is not None:
            return [n.table(n.get(key), type_)]
    if n.get('value') is None:
        raise Inexpressible('strings or sparse tensors')
    return [n.table(n.get('value'), str(n.get('value').dtype))]


@operator('Range', 'start + step * arange<n, T>()')
def range_(n):
    start, end, step = n.inputs
    begin, stop, by = (v.data.item() for v in n.inputs)
    return [reshape(start, ()) + reshape(step, ()) * arange(max(0, math.ceil((stop - begin) / by)), start.type)]


@operator('EyeLike', 'eye<n, T>(), equal(arange<m>() + k, arange<n>()) for others')
def eye_like(n):
    x, = n.inputs
    type_ = ONNX_TYPES[n.get('dtype')] if n.get('dtype') else x.type
    rows = expand_dims(arange(x.shape[0], 'int32'), 1) + n.get('k', 0)
    return [cast(type_, each('equal', rows, arange(x.shape[1], 'int32'), type='bool'))]


@operator('Trilu', 'triu<k>(x), tril<k>(x)')
def trilu(n):
    x, k = (n.inputs + [None])[:2]
    return [call('triu' if n.get('upper', 1) else 'tril', x, x.shape, arguments=[k.number()] if k is not None else [])]


def channels_last(function, x, shape, arguments):
    return transpose(call(function, transpose(x, (0, 2, 3, 1)), [shape[k] for k in (0, 2, 3, 1)], arguments=arguments), (0, 3, 1, 2))


@operator('DepthToSpace', 'depth_to_space<b>(x) of channels last, pixel_shuffle<b>(x)')
def depth_to_space(n):
    x, = n.inputs
    b = n.get('blocksize')
    shape = (x.shape[0], x.shape[1] // b ** 2, x.shape[2] * b, x.shape[3] * b)
    return [channels_last('depth_to_space', x, shape, [b]) if n.get('mode', 'DCR') == 'DCR' else call('pixel_shuffle', x, shape, arguments=[b])]


@operator('SpaceToDepth', 'space_to_depth<b>(x) of channels last, pixel_unshuffle<b>(x)')
def space_to_depth(n):
    x, = n.inputs
    b = n.get('blocksize')
    shape = (x.shape[0], x.shape[1] * b ** 2, x.shape[2] // b, x.shape[3] // b)
    return [channels_last('space_to_depth', x, shape, [b]) if n.get('mode', 'DCR') == 'DCR' else call('pixel_unshuffle', x, shape, arguments=[b])]


# Products

@operator('MatMul', 'matmul(a, b)')
def matmul_operator(n):
    a, b = n.inputs
    if not a.floating:
        return [cast(a.type, matmul(cast('float64', a), cast('float64', b)))]
    return [matmul(a, b)]


@operator('Gemm', 'alpha * matmul<ta, tb>(a, b) + beta * c')
def gemm(n):
    a, b, c = (n.inputs + [None])[:3]
    y = matmul(a, b, bool(n.get('transA', 0)), bool(n.get('transB', 0)))
    if n.get('alpha', 1.0) != 1:
        y = n.get('alpha') * y
    if c is not None:
        y = y + (c if n.get('beta', 1.0) == 1 else n.get('beta') * c)
    return [y]


@operator('Einsum', 'einsum<"bij,bjk->bik">(a, b)')
def einsum(n):
    equation = n.get('equation')
    return [Value(f'xg::einsum<"{equation}">({", ".join(v.text for v in n.inputs)})', n.inputs[0].type, n.shapes[0])]


simple('Det', 'det(x)', lambda n, x: call('det', x, x.shape[:-2]))


@operator('MatMulInteger', 'cast<int32>(matmul(a - za, b - zb)) in double')
def matmul_integer(n):
    a, b, za, zb = (n.inputs + [None, None])[:4]
    a, b = (cast('float64', v) for v in (a, b))
    if za is not None:
        a = a - cast('float64', reshape(za, za.shape + (1,)) if za.rank == 1 and za.size > 1 else reshape(za, ()))
    if zb is not None:
        b = b - cast('float64', zb if zb.size > 1 else reshape(zb, ()))
    return [cast('int32', matmul(a, b))]


# Indices

def from_start(n, ids, extent):
    """Negative indices count from the end."""
    if ids.data is not None and (ids.data >= 0).all():
        return ids
    ids = n.name(ids)
    return select(each('less', ids, 0, type='bool'), ids + extent, ids)


@operator('Gather', 'take<axis>(x, ids)')
def gather(n):
    x, ids = n.inputs
    axis = x.axis(n.get('axis', 0))
    return [call('take', [x, from_start(n, ids, x.shape[axis])], x.shape[:axis] + ids.shape + x.shape[axis + 1:], arguments=[axis])]


@operator('GatherElements', 'take_along_axis<axis>(x, ids)')
def gather_elements(n):
    x, ids = n.inputs
    axis = x.axis(n.get('axis', 0))
    for a, extent in enumerate(ids.shape):   # ONNX allows ids that are shorter along the other axes
        x = x if a == axis else slice_(x, a, 0, extent)
    return [call('take_along_axis', [x, from_start(n, ids, x.shape[axis])], ids.shape, arguments=[axis])]


@operator('GatherND', 'gather_nd(x, ids); take<1, 1>(x, ids) for batches')
def gather_nd(n):
    x, ids = n.inputs
    batch, depth = n.get('batch_dims', 0), ids.shape[-1]
    if ids.data is not None and (ids.data < 0).any():
        raise Inexpressible('negative indices of several axes')
    if not batch:
        return [call('gather_nd', [x, ids], ids.shape[:-1] + x.shape[depth:])]
    if depth != 1:
        raise Inexpressible('batches of indices of several axes')
    y = call('take', [x, reshape(ids, ids.shape[:-1])], ids.shape[:-1] + x.shape[batch + 1:], arguments=[batch, batch])
    return [y]


COMBINE = {'none': 'update', 'add': 'add', 'mul': 'mul', 'max': 'max', 'min': 'min'}


def scatter_elements(n):
    x, ids, updates = n.inputs
    axis = x.axis(n.get('axis', 0))
    how = n.get('reduction', 'none')
    ids = from_start(n, ids, x.shape[axis])
    part = x
    for a, extent in enumerate(ids.shape):
        if a != axis and extent != x.shape[a]:
            raise Inexpressible('indices that are shorter than x along another axis')
    return [call('scatter_elements', [part, ids, updates], x.shape, arguments=[axis, f'xg::combine::{COMBINE[how]}'])]


TABLE['ScatterElements'] = ('scatter_elements<axis, how>(x, ids, updates)', scatter_elements)
TABLE['Scatter'] = ('scatter_elements<axis>(x, ids, updates)', scatter_elements)


@operator('ScatterND', 'scatter_nd_update(x, ids, updates), scatter_nd_add, scatter_nd_max, scatter_nd_min')
def scatter_nd(n):
    x, ids, updates = n.inputs
    how = COMBINE[n.get('reduction', 'none')]
    if ids.data is not None and (ids.data < 0).any():
        raise Inexpressible('negative indices of several axes')
    if how == 'mul' and ids.shape[-1] == 1:
        return [call('scatter_mul', [x, reshape(ids, ids.shape[:-1]), updates], x.shape)]
    return [call(f'scatter_nd_{how}', [x, ids, updates], x.shape)]


@operator('TensorScatter', 'scatter_elements<axis>(x, start + arange<n>(), updates)')
def tensor_scatter(n):
    x, updates, starts = (n.inputs + [None])[:3]
    axis = x.axis(n.get('axis', -2))
    count = updates.shape[axis]
    places = arange(count)
    places = reshape(places, [count if a == axis else 1 for a in range(x.rank)])
    if starts is not None:
        places = reshape(starts, (starts.shape[0],) + (1,) * (x.rank - 1)) + places
    if n.get('mode', 'linear') == 'circular':
        places = each('mod', places, x.shape[axis])
    return [call('scatter_elements', [x, broadcast_to(places, updates.shape), updates], x.shape, arguments=[axis, 'xg::combine::update'])]


simple('ArrayFeatureExtractor', 'take<-1>(x, ids)', lambda n, x, ids: call('take', [x, ids], x.shape[:-1] + ids.shape, arguments=[x.rank - 1]))


@operator('OneHot', 'one_hot<depth, axis>(ids, on, off)')
def one_hot(n):
    ids, depth, values = n.inputs
    depth, axis = depth.number(), n.get('axis', -1)
    ids = n.name(cast('int64', ids))
    ids = select(each('less', ids, 0, type='bool'), ids + depth, ids)
    off, on = (reshape(slice_(values, 0, k, k + 1), ()) for k in (0, 1))
    axis = axis + ids.rank + 1 if axis < 0 else axis
    return [call('one_hot', [ids, on, off], ids.shape[:axis] + (depth,) + ids.shape[axis:], values.type, [depth, axis])]


@operator('ReverseSequence', 'reverse_sequence<elements, sequences>(x, lengths)')
def reverse_sequence(n):
    x, lengths = n.inputs
    return [call('reverse_sequence', [x, lengths], x.shape, arguments=[n.get('time_axis', 0), n.get('batch_axis', 1)])]


@operator('NonZero', 'nonzero<capacity>(x)')
def nonzero(n):
    x, = n.inputs
    pair = n.name(call('nonzero', x, (x.size, x.rank), 'int32', [x.size]))
    return [n.cut(cast('int64', element(pair, 0)), element(pair, 1, 'int32', ()), [1, 0])]


@operator('Compress', 'boolean_mask<capacity>(x, mask)')
def compress(n):
    x, mask = n.inputs
    axis = n.get('axis')
    order = list(range(x.rank))
    if axis is None:
        x, order = reshape(x, (x.size,)), [0]
    else:
        axis = x.axis(axis)
        order = [axis] + [a for a in order if a != axis]
        x = transpose(x, order)
    if mask.size < x.shape[0]:
        x = slice_(x, 0, 0, mask.size)
    pair = n.name(call('boolean_mask', [x, mask], x.shape, arguments=[x.shape[0]]))
    return [n.cut(element(pair, 0), element(pair, 1, 'int32', ()), order)]


@operator('Unique', 'boolean_mask<capacity>(values, first), values of sort(x), first where they differ from the one before')
def unique(n):
    x, = n.inputs
    if n.get('axis') is not None and x.rank > 1:
        raise Inexpressible('rows in lexicographic order')
    if not n.get('sorted', 1):
        raise Inexpressible('values in their order in the data')
    size = x.size
    pair = n.name(call('sort', reshape(x, (size,)), (size,)))
    values, places = n.name(element(pair, 0)), n.name(element(pair, 1, 'int32'))
    first = broadcast_to(number_of('bool', True), (1,))
    if size > 1:
        first = n.name(concat([first, each('not_equal', slice_(values, 0, 1, size), slice_(values, 0, 0, size - 1), type='bool')], 0))
    masked = lambda v: n.name(call('boolean_mask', [v, first], (size,), arguments=[size]))
    kept = masked(values)
    count = n.name(element(kept, 1, 'int32', ()))
    ids = n.name(call('cumsum', cast('int64', first), (size,), arguments=[0]) - 1)
    zeros = broadcast_to(number_of('int64', 0), (size,))
    inverse = call('scatter_update', [zeros, places, ids], (size,))
    counts = call('scatter_add', [zeros, ids, broadcast_to(number_of('int64', 1), (size,))], (size,))
    return [n.cut(element(kept, 0, x.type), count, [0]), n.cut(cast('int64', element(masked(places), 0, 'int32')), count, [0]), inverse,
            n.cut(counts, count, [0])]


# Further

@operator('Dropout', 'eval(y): x; with rate 0 too')
def dropout(n):
    x, rate, training = (n.inputs + [None, None])[:3]
    if training is not None and training.data.item() and (rate is None or rate.data.item() != 0):
        raise Inexpressible("random numbers: xgrad's streams differ")
    return [x, broadcast_to(number_of('bool', True), x.shape)]


simple('GlobalAveragePool', 'mean<2, 3>(x, keep_dims)', lambda n, x: reduce('mean', x, range(2, x.rank), True))
simple('GlobalMaxPool', 'max<2, 3>(x, keep_dims)', lambda n, x: reduce('max', x, range(2, x.rank), True))


def window(onnx_name, text, terms):
    @operator(onnx_name, text)
    def translate(n):
        size = n.inputs[0].number()
        length = size if n.get('periodic', 1) else size - 1
        turn = n.name(arange(size, 'float32') * (2 * math.pi / length))
        y = terms[0] - terms[1] * each('cos', turn)
        if len(terms) > 2:
            y = y + terms[2] * each('cos', 2 * turn)
        return [cast(ONNX_TYPES[n.get('output_datatype', 1)], y)]


window('HannWindow', '0.5_c - 0.5_c * cos(turn * arange<n, float>())', (0.5, 0.5))
window('HammingWindow', 'as HannWindow, with other numbers', (25 / 46, 21 / 46))
window('BlackmanWindow', 'as HannWindow, with a second cos', (0.42, 0.5, 0.08))


@operator('AffineGrid', 'matmul<false, true>(places, theta), places of linspace and concat')
def affine_grid(n):
    theta, size = n.inputs
    extents = size.list()[2:]
    places = []
    for axis, extent in reversed(list(enumerate(extents))):   # x, y, z
        first, last = (-1.0, 1.0) if n.get('align_corners', 0) else (-1 + 1 / extent, 1 - 1 / extent)
        line = call('linspace', [first, last], (extent,), theta.type, [extent, theta.cpp])
        line = reshape(line, [extent if a == axis else 1 for a in range(len(extents))])
        places.append(reshape(broadcast_to(line, extents), (math.prod(extents), 1)))
    places.append(broadcast_to(number_of(theta.type, 1), places[0].shape))
    grid = matmul(concat(places, 1), theta, False, True)
    return [reshape(grid, [theta.shape[0]] + extents + [len(extents)])]


@operator('RotaryEmbedding', 'concat<3>(cos * a - sin * b, sin * a + cos * b), a and b the halves of x')
def rotary_embedding(n):
    x, cosine, sine, places = (n.inputs + [None])[:4]
    whole = x.shape
    if x.rank == 4:
        x = transpose(x, (0, 2, 1, 3))
    else:
        x = reshape(x, (x.shape[0], x.shape[1], n.get('num_heads'), x.shape[2] // n.get('num_heads')))
    x = n.name(x)
    turned = n.get('rotary_embedding_dim', 0) or x.shape[3]
    if places is not None:
        cosine, sine = (call('gather', [v, places], places.shape + v.shape[1:]) for v in (cosine, sine))
    cosine, sine = (n.name(expand_dims(v, 2)) for v in (cosine, sine))
    if n.get('interleaved', 0):
        a, b = slice_(x, 3, 0, turned, 2), slice_(x, 3, 1, turned, 2)
    else:
        a, b = slice_(x, 3, 0, turned // 2), slice_(x, 3, turned // 2, turned)
    real, imaginary = cosine * a - sine * b, sine * a + cosine * b
    if n.get('interleaved', 0):
        y = reshape(concat([expand_dims(real, 4), expand_dims(imaginary, 4)], 4), x.shape[:3] + (turned,))
    else:
        y = concat([real, imaginary], 3)
    if turned < x.shape[3]:
        y = concat([y, slice_(x, 3, turned, x.shape[3])], 3)
    return [reshape(y, whole) if len(whole) == 3 else transpose(y, (0, 2, 1, 3))]


@operator('Attention', 'matmul(softmax(scale * matmul<false, true>(q, k) + bias), v)')
def attention(n):
    q, k, v, mask, past_k, past_v, lengths = (n.inputs + [None] * 6)[:7]
    flat = q.rank == 3
    if flat:
        heads = lambda x, count: transpose(reshape(x, (x.shape[0], x.shape[1], count, x.shape[2] // count)), (0, 2, 1, 3))
        q = heads(q, n.get('q_num_heads'))
        k, v = (heads(x, n.get('kv_num_heads')) for x in (k, v))
    offset = 0
    if past_k is not None:
        offset = past_k.shape[2]
        k, v = concat([past_k, k], 2), concat([past_v, v], 2)
    present_k, present_v = k, v = n.name(k), n.name(v)
    groups = q.shape[1] // k.shape[1]
    if groups > 1:
        k, v = (call('repeat', x, (x.shape[0], q.shape[1]) + x.shape[2:], arguments=[groups, 1]) for x in (k, v))
    root = math.sqrt(n.get('scale') if n.get('scale') is not None else 1 / math.sqrt(q.shape[3]))
    scores = n.name(matmul(root * q, root * k, False, True))
    queries, keys = scores.shape[2:]
    allowed = None
    both = lambda a, b: b if a is None else each('logical_and', a, b)
    if mask is not None and mask.shape[-1] < keys:
        mask = pad(mask, mask.rank - 1, 0, keys - mask.shape[-1], number_of('bool', False)) if mask.type == 'bool' else \
            pad(mask, mask.rank - 1, 0, keys - mask.shape[-1], n.infinity(mask.type, negative=True))
    if mask is not None and mask.type == 'bool':
        allowed, mask = mask, None
    left, right = n.get('left_window_size', -1), n.get('right_window_size', -1)
    row, column = expand_dims(arange(queries), 1), arange(keys)
    if lengths is not None:
        count = reshape(lengths, (lengths.size, 1, 1, 1))
        allowed = both(allowed, each('less', column, count, type='bool'))
        place = row + (count - queries) if past_k is None else row + offset
    else:
        place = row + offset if offset else row
    if n.get('is_causal', 0):
        allowed = both(allowed, each('less_equal', column, place, type='bool'))
    if left >= 0:
        allowed = both(allowed, each('less_equal', place - left, column, type='bool'))
    if right >= 0:
        allowed = both(allowed, each('less_equal', column, place + right, type='bool'))
    cap = n.get('softcap', 0.0)
    capped = scores if not cap else n.name(cap * each('tanh', scores / cap))
    biased = capped if mask is None else capped + mask
    if allowed is not None:
        biased = select(allowed, biased, n.infinity(q.type, negative=True))
    biased = n.name(biased)
    shares = call('softmax', biased, biased.shape)
    if allowed is not None or mask is not None:   # a row of which nothing is allowed is 0
        shares = select(each('greater', reduce('max', biased, [3], True), n.infinity(q.type, negative=True), type='bool'), shares,
                        number_of(q.type, 0))
    shares = n.name(shares)
    y = matmul(shares, v)
    if flat:
        y = reshape(transpose(y, (0, 2, 1, 3)), (y.shape[0], y.shape[2], y.shape[1] * y.shape[3]))
    return [y, present_k, present_v, (scores, capped, biased, shares)[n.get('qk_matmul_output_mode', 0)]]


@operator('CausalConvWithState', 'sum of weight[k] * slice<2, k, k + n>(concat<2>(state, x))')
def causal_conv(n):
    x, weight, bias, past = (n.inputs + [None, None])[:4]
    size, length = weight.shape[2], x.shape[2]
    whole = n.name(pad(x, 2, size - 1, 0) if past is None else concat([past, x], 2))
    y = several(lambda a, b: a + b, *(reshape(slice_(weight, 2, k, k + 1), (weight.shape[0], 1)) * slice_(whole, 2, k, k + length)
                                      for k in range(size)))
    if bias is not None:
        y = y + reshape(bias, (bias.size, 1))
    y = each('silu', y) if n.get('activation', 'none') in ('silu', 'swish') else y
    return [y, slice_(whole, 2, whole.shape[2] - (size - 1), whole.shape[2])]


def optimizer(onnx_name, text, states, step):
    @operator(onnx_name, text)
    def translate(n):
        rate, time, rest = n.inputs[0], n.inputs[1], n.inputs[2:]
        rate, time = reshape(rate, ()), reshape(time, ())
        count = len(rest) // (2 + states)
        groups = [rest[k::count] for k in range(count)]
        new = [step(n, rate, time, *group) for group in groups]
        return [new[k][part] for part in range(1 + states) for k in range(count)]


def momentum(n, rate, time, x, g, v):
    g = n.name(n.get('norm_coefficient') * x + g)
    scale = select(each('greater', time, 0, type='bool'), number_of(x.type, n.get('beta')), number_of(x.type, 1))
    new = n.name(n.get('alpha') * v + scale * g)
    return x - rate * (g + n.get('alpha') * new if n.get('mode') == 'nesterov' else new), new


def adagrad(n, rate, time, x, g, h):
    g = n.name(n.get('norm_coefficient', 0.0) * x + g)
    new = n.name(h + each('square', g))
    rate = rate / (1 + cast(x.type, time) * n.get('decay_factor', 0.0))
    return x - rate * g / (each('sqrt', new) + n.get('epsilon', 1e-6)), new


def adam(n, rate, time, x, g, v, h):
    alpha, beta = n.get('alpha', 0.9), n.get('beta', 0.999)
    g = n.name(n.get('norm_coefficient', 0.0) * x + g)
    v = n.name(alpha * v + (1 - alpha) * g)
    h = n.name(beta * h + (1 - beta) * each('square', g))
    count = cast(x.type, time)
    later = rate * each('sqrt', 1 - each('pow', number_of(x.type, beta), count)) / (1 - each('pow', number_of(x.type, alpha), count))
    rate = select(each('greater', time, 0, type='bool'), later, rate)
    y = x - rate * v / (each('sqrt', h) + n.get('epsilon', 1e-6))
    return (1 - n.get('norm_coefficient_post', 0.0)) * y, v, h


optimizer('Momentum', 'x - rate * (alpha * v + g); in training, momentum{}', 1, momentum)
optimizer('Adagrad', 'x - rate * g / (sqrt(h + square(g)) + epsilon); in training, adagrad{}', 1, adagrad)
optimizer('Adam', 'x - rate * v / (sqrt(h) + epsilon); in training, adam{}', 2, adam)


# Integers of few bits

def channel(n, x, v, axis):
    """Scales or zero points: a number, one for each place along an axis, or one for each block along it."""
    block = n.get('block_size', 0)
    if v.rank == x.rank and v.rank > 1 and block:
        return call('repeat', v, x.shape, arguments=[block, axis])
    if v.size == 1:
        return reshape(v, ())
    return reshape(v, [v.size if a == axis else 1 for a in range(x.rank)])


def quantized(x, scale, zero, type_):
    least, most = LIMITS[type_]
    y = each('round', x / scale)
    return cast(type_, each('clip', y if zero is None else y + cast(x.type, zero), least, most))


@operator('QuantizeLinear', 'cast<T>(clip(round(x / scale) + zero, least, most))')
def quantize(n):
    x, scale, zero = (n.inputs + [None])[:3]
    axis = x.axis(n.get('axis', 1)) if x.rank > 1 else 0
    type_ = zero.type if zero is not None else ONNX_TYPES.get(n.get('output_dtype', 2) or 2)
    if type_ not in LIMITS:
        raise Inexpressible('an element type that xgrad does not have')
    return [quantized(x, channel(n, x, scale, axis), None if zero is None else channel(n, x, zero, axis), type_)]


@operator('DequantizeLinear', '(cast<float>(x) - zero) * scale')
def dequantize(n):
    x, scale, zero = (n.inputs + [None])[:3]
    axis = x.axis(n.get('axis', 1)) if x.rank > 1 else 0
    y = cast(scale.type, x)
    if zero is not None:
        y = y - cast(scale.type, channel(n, x, zero, axis))
    return [y * channel(n, x, scale, axis)]


@operator('DynamicQuantizeLinear', 'as QuantizeLinear, scale and zero by max(x), min(x)')
def dynamic_quantize(n):
    x, = n.inputs
    most, least = each('maximum', reduce('max', x), 0), n.name(each('minimum', reduce('min', x), 0))
    scale = n.name((most - least) / 255)
    zero = n.name(cast('uint8', each('clip', each('round', -(least / scale)), 0, 255)))
    return [quantized(x, scale, zero, 'uint8'), scale, zero]


@operator('QLinearMatMul', 'as MatMulInteger, then QuantizeLinear')
def qlinear_matmul(n):
    a, sa, za, b, sb, zb, sy, zy = n.inputs
    whole = lambda v: reshape(v, ()) if v.size == 1 else v
    left, right = (cast('float64', v) - cast('float64', whole(z)) for v, z in ((a, za), (b, zb)))
    y = matmul(left, right) * cast('float64', whole(sa) * whole(sb))
    return [quantized(y, cast('float64', whole(sy)), whole(zy), zy.type)]


simple('OptionalGetElement', 'x', lambda n, x: x)
simple('OptionalHasElement', 'known while compiling', lambda n, *x: number_of('bool', any(v is not None for v in x)))

# Bodies

@operator('If', 'cond<then, otherwise>(predicate)')
def if_(n):
    if n.inputs[0].static:   # as if constexpr
        return n.inline(n.get('then_branch' if n.inputs[0].data.item() else 'else_branch'))
    kept = []

    def give(results):
        kept.extend(results)
        return ', '.join(v.text for v in results)
    then, otherwise = (n.body(n.get(name), [], give, []) for name in ('then_branch', 'else_branch'))
    if len(kept) != 2:
        raise Inexpressible('several results')
    if (kept[0].type, kept[0].shape) != (kept[1].type, kept[1].shape):
        raise Inexpressible('branches whose results have different shapes')
    return [Value(f'xg::cond<{then}, {otherwise}>({reshape(n.inputs[0], ()).text})', kept[0].type, kept[0].shape)]


def scan(n, graph, carries, rows, before=(), check=None):
    """The last carries, then the stacked results of each turn. The body of a Loop has two operands `before` the carries, the number of the
    turn and a condition, and its first result is a condition."""
    whole = []

    def give(results):
        if check:
            check(results[0])
            results = results[1:]
        whole.extend(results)
        last, emitted = results[:len(carries)], results[len(carries):]
        return f'xg::carry({", ".join(v.text for v in last)})' + (f'.emit({", ".join(v.text for v in emitted)})' if emitted else '')
    parameters = [Value('', v.type, v.shape[1:]) for v in rows]
    name = n.body(graph, [*before, *carries] if before else [*carries, *parameters], give,
                  [*carries, *(before[:1] if before else parameters)])
    loop = n.name(call(f'scan<{name}>', ['xg::carry(' + ', '.join(v.text for v in carries) + ')', *rows], (), 'float32'))
    count = rows[0].shape[0]
    return [element(loop, k, v.type, v.shape if k < len(carries) else (count,) + v.shape) for k, v in enumerate(whole)]


@operator('Scan', 'scan<body>(carry(start), x)')
def scan_operator(n):
    if n.version < 9:
        raise Inexpressible('a batch of sequences, from the first version of the operator')
    count = n.get('num_scan_inputs')
    if any(any(n.get(key) or []) for key in ('scan_input_axes', 'scan_output_axes', 'scan_input_directions', 'scan_output_directions')):
        raise Inexpressible('sequences along another axis')
    return scan(n, n.get('body'), n.inputs[:-count], n.inputs[-count:])


@operator('Loop', 'scan<body>(carry(start), arange<n>())')
def loop(n):
    import numpy
    count, condition, carries = n.inputs[0], n.inputs[1], n.inputs[2:]

    def check(condition):
        if condition is None or condition.data is None or not condition.data.item():
            raise Inexpressible('the number of turns depends on the data')
    check(condition)
    if count is None:
        raise Inexpressible('the number of turns depends on the data')
    true = Value('', 'bool', (), numpy.asarray(True), True)
    return scan(n, n.get('body'), carries, [arange(count.number())], [Value('', 'int64', ()), true], check)


def defined(name, text):
    TABLE[name] = (text, lambda n: n.definition())


defined('LinearAttention', 'scan<body>(carry(state), k, v, q), by the definition of ONNX')
defined('FlexAttention', 'matmul(softmax(scale * matmul<false, true>(q, k) + bias), v), by the definition of ONNX')


# Fourier transforms

def fourier(n, x, length, inverse, onesided):
    """x [..., m, 1 or 2] along the axis before the last: real and imaginary parts. It is computed in double."""
    axis, type_ = x.rank - 2, x.type
    x = n.name(cast('float64', x))
    if not (inverse and onesided):
        x = slice_(x, axis, 0, min(length, x.shape[axis]))
        x = pad(x, axis, 0, length - x.shape[axis])
    if x.shape[-1] == 1:
        z, count = reshape(x, x.shape[:-1]), length // 2 + 1 if onesided else length
        if inverse and onesided:
            z = Value(f'xg::complex({z.text})', z.type, z.shape)
    else:
        z, count = Value(f'xg::view_as_complex({x.text})', x.type, x.shape[:-1]), length
    if inverse and onesided:
        return cast(type_, expand_dims(call('irfft', z, z.shape[:-1] + (length,), arguments=[length]), -1))
    if onesided and x.shape[-1] == 2:
        raise Inexpressible('half of the terms of complex numbers')
    y = call('rfft' if onesided else 'ifft' if inverse else 'fft', z, z.shape[:-1] + (count,))
    return cast(type_, call('view_as_real', y, y.shape + (2,)))


@operator('DFT', 'view_as_real(fft(view_as_complex(x))), ifft, rfft, irfft')
def dft(n):
    x, length, axis = (n.inputs + [None, None])[:3]
    axis = x.axis(axis.number() if axis is not None else n.get('axis', 1 if n.version < 20 else -2))
    inverse, onesided = n.get('inverse', 0), n.get('onesided', 0)
    order = [a for a in range(x.rank - 1) if a != axis] + [axis, x.rank - 1]
    back = [order.index(a) for a in range(x.rank)]
    rows = transpose(x, order)
    length = length.number() if length is not None else (2 * (x.shape[axis] - 1) if inverse and onesided else x.shape[axis])
    return [transpose(fourier(n, rows, length, inverse, onesided), back)]


@operator('STFT', 'rfft(take<1>(x, starts + arange<n>()) * window)')
def stft(n):
    x, step, window, length = (n.inputs + [None, None])[:4]
    step = step.number()
    length = length.number() if length is not None else window.shape[0]
    if x.rank == 2:
        x = expand_dims(x, 2)
    count = 1 + (x.shape[1] - length) // step
    places = expand_dims(arange(count) * step, 1) + arange(length)
    frames = call('take', [x, places], (x.shape[0], count, length, x.shape[2]), arguments=[1])
    if window is not None:
        frames = frames * reshape(window, (length, 1))
    return [fourier(n, n.name(frames), length, 0, n.get('onesided', 1))]


# Windows. Slow next to a convolution of its own, but short.

def windows(x, axis, count, size, step, distance):
    """`count` windows of `size` elements along an axis, which becomes two axes."""
    places = expand_dims(arange(count) * step if step != 1 else arange(count), 1) + (arange(size) * distance if distance != 1 else arange(size))
    return call('take', [x, places], x.shape[:axis] + (count, size) + x.shape[axis + 1:], arguments=[axis])


def extents_of_windows(n, x, counts, sizes):
    """For each axis of an image: its number, windows, elements in one, step, distance, padding before and behind, and the part of that
    which no padding of the operator covers."""
    rank = len(sizes)
    steps, distances = n.get('strides') or [1] * rank, n.get('dilations') or [1] * rank
    pads, how = n.get('pads') or [0] * (2 * rank), n.get('auto_pad', 'NOTSET')
    for k in range(rank):
        extent, reach = x.shape[2 + k], (counts[k] - 1) * steps[k] + (sizes[k] - 1) * distances[k] + 1
        before, behind = pads[k], pads[k + rank]
        if how in ('SAME_UPPER', 'SAME_LOWER'):
            whole = max(0, reach - extent)
            before = whole // 2 if how == 'SAME_UPPER' else whole - whole // 2
            behind = whole - before
        yield 2 + k, counts[k], sizes[k], steps[k], distances[k], before, reach - extent - before, max(0, reach - extent - before - behind)


def pool(n, x, function, value):
    for axis, count, size, step, distance, before, behind, _ in extents_of_windows(n, x, n.shapes[0][2:], n.get('kernel_shape')):
        x = n.name(reduce(function, windows(n.name(pad(x, axis, before, behind, value)), axis, count, size, step, distance), [axis + 1]))
    return x


@operator('MaxPool', 'max<axis + 1>(take<axis>(pad(x), windows)), axis by axis')
def max_pool(n):
    x, = n.inputs
    if n.output_count > 1:
        raise Inexpressible(NETWORKS)
    least = n.infinity(x.type, negative=True) if x.floating else number_of(x.type, LIMITS[x.type][0])
    return [pool(n, x, 'max', least)]


@operator('AveragePool', 'sum<axis + 1>(take<axis>(pad(x), windows)), axis by axis, divided by the sums of ones')
def average_pool(n):
    x, = n.inputs
    y = pool(n, x, 'sum', None)
    for axis, count, size, step, distance, before, behind, beyond in extents_of_windows(n, x, n.shapes[0][2:], n.get('kernel_shape')):
        inside = x.shape[axis] + (before + behind - beyond if n.get('count_include_pad', 0) else 0)
        ones = broadcast_to(number_of(x.type, 1), (inside,))
        ones = pad(ones, 0, *((0, beyond) if n.get('count_include_pad', 0) else (before, behind)))
        numbers = reduce('sum', windows(n.name(ones), 0, count, size, step, distance), [1])
        y = y / reshape(numbers, (count,) + (1,) * (x.rank - axis - 1))
    return [y]


@operator('LpPool', 'pow(sum<axis + 1>(take<axis>(pad(pow(abs(x), p)), windows)), 1 / p)')
def lp_pool(n):
    x, = n.inputs
    p = n.get('p', 2)
    return [each('pow', pool(n, each('pow', each('abs', x), p), 'sum', None), 1 / p)]


simple('GlobalLpPool', 'norm<2, 3>(x, keep_dims)', lambda n, x: reduce('norm', x, range(2, x.rank), True))


def convolved(n, x, weight, extents, groups):
    """x [n, c, h, w] and weight [m, c / groups, k, l], or with one axis of each fewer."""
    for axis, count, size, step, distance, before, behind, _ in reversed(list(extents)):
        x = n.name(windows(n.name(pad(x, axis, before, behind)), axis, count, size, step, distance))
    if weight.rank not in (3, 4):
        raise Inexpressible(NETWORKS)
    image, kernel, result = ('nchk', 'mck', 'nmh') if weight.rank == 3 else ('nchkwl', 'mckl', 'nmhw')
    shape = (x.shape[0], weight.shape[0] // groups) + tuple(x.shape[2::2])
    parts = []
    each_in, each_out = x.shape[1] // groups, weight.shape[0] // groups
    for g in range(groups):
        part = slice_(x, 1, g * each_in, (g + 1) * each_in)
        kernels = slice_(weight, 0, g * each_out, (g + 1) * each_out)
        parts.append(Value(f'xg::einsum<"{image},{kernel}->{result}">({part.text}, {kernels.text})', x.type, shape))
    return concat(parts, 1)


@operator('Conv', 'einsum<"nchkwl,mckl->nmhw">(take of windows, weight)')
def conv(n):
    x, weight, bias = (n.inputs + [None])[:3]
    sizes = weight.shape[2:]
    if n.shapes[0] is None:
        raise Inexpressible(NETWORKS)
    y = convolved(n, x, weight, extents_of_windows(n, x, n.shapes[0][2:], sizes), n.get('group', 1))
    return [y if bias is None else y + reshape(bias, (bias.size,) + (1,) * len(sizes))]


@operator('ConvInteger', 'as Conv, in double')
def conv_integer(n):
    x, weight, zx, zw = (n.inputs + [None, None])[:4]
    if zx is not None:
        zx = cast('float64', reshape(zx, ()))
    if zw is not None:
        zw = cast('float64', reshape(zw, (zw.size,) + (1,) * (weight.rank - 1) if zw.size > 1 else ()))
    x, weight = (cast('float64', v) if z is None else cast('float64', v) - z for v, z in ((x, zx), (weight, zw)))
    return [cast('int32', convolved(n, x, weight, extents_of_windows(n, x, n.shapes[0][2:], weight.shape[2:]), n.get('group', 1)))]


@operator('ConvTranspose', 'as Conv, of x with zeros between its elements and the flipped weight')
def conv_transpose(n):
    x, weight, bias = (n.inputs + [None])[:3]
    sizes, groups, rank = weight.shape[2:], n.get('group', 1), weight.rank - 2
    counts = n.shapes[0][2:]
    steps, distances = n.get('strides') or [1] * rank, n.get('dilations') or [1] * rank
    more, pads, how = n.get('output_padding') or [0] * rank, n.get('pads'), n.get('auto_pad', 'NOTSET')
    weight = call('flip', weight, weight.shape, arguments=range(2, weight.rank))
    if groups > 1:
        raise Inexpressible(NETWORKS)
    weight = transpose(weight, [1, 0] + list(range(2, weight.rank)))
    extents = []
    for k in range(rank):
        axis, extent, reach = 2 + k, x.shape[2 + k], (sizes[k] - 1) * distances[k]
        if steps[k] > 1:
            x = pad(expand_dims(x, axis + 1), axis + 1, 0, steps[k] - 1)
            x = reshape(x, x.shape[:axis] + (extent * steps[k],) + x.shape[axis + 2:])
            x = slice_(x, axis, 0, extent * steps[k] - steps[k] + 1)
        whole = steps[k] * (extent - 1) + more[k] + reach + 1 - counts[k]
        before = pads[k] if pads else 0
        if not pads and (how.startswith('SAME') or n.get('output_shape')):
            before = whole // 2 if how == 'SAME_UPPER' else whole - whole // 2
        first = reach - before
        extents.append((axis, counts[k], sizes[k], 1, distances[k], first, counts[k] + reach - first - x.shape[axis], 0))
    y = convolved(n, n.name(x), n.name(weight), extents, 1)
    return [y if bias is None else y + reshape(bias, (bias.size,) + (1,) * rank)]


@operator('Col2Im', 'index_add<2>(zeros, places, x), places of arange<n>()')
def col2im(n):
    x, image, block = n.inputs
    image, block = image.list(), block.list()
    rank = len(image)
    steps, distances, pads = n.get('strides') or [1] * rank, n.get('dilations') or [1] * rank, n.get('pads') or [0] * (2 * rank)
    whole = [image[k] + pads[k] + pads[k + rank] for k in range(rank)]
    counts = [(whole[k] - (block[k] - 1) * distances[k] - 1) // steps[k] + 1 for k in range(rank)]
    along = lambda line, axis: reshape(line, [line.size if a == axis else 1 for a in range(2 * rank)])
    places = None
    for k in range(rank):
        place = along(arange(block[k]) * distances[k], k) + along(arange(counts[k]) * steps[k], rank + k)
        places = place if places is None else places * whole[k] + place
    size, channels = math.prod(block) * math.prod(counts), x.shape[1] // math.prod(block)
    zeros = broadcast_to(number_of(x.type, 0), (x.shape[0], channels, math.prod(whole)))
    y = call('index_add', [zeros, n.name(reshape(places, (size,))), reshape(x, (x.shape[0], channels, size))], zeros.shape, arguments=[2])
    y = reshape(y, zeros.shape[:2] + tuple(whole))
    for k in range(rank):
        y = slice_(y, 2 + k, pads[k], pads[k] + image[k])
    return [y]


@operator('MaxUnpool', 'scatter_update(zeros, ids, x)')
def max_unpool(n):
    x, ids, shape = (n.inputs + [None])[:3]
    sizes, rank = n.get('kernel_shape'), x.rank - 2
    steps, pads = n.get('strides') or [1] * rank, n.get('pads') or [0] * (2 * rank)
    inner = list(x.shape[:2]) + [(x.shape[2 + k] - 1) * steps[k] + sizes[k] - pads[k] - pads[k + rank] for k in range(rank)]
    zeros = broadcast_to(number_of(x.type, 0), (math.prod(inner),))
    y = reshape(call('scatter_update', [zeros, reshape(ids, (ids.size,)), reshape(x, (x.size,))], zeros.shape), inner)
    for axis, extent in enumerate(shape.list() if shape is not None else []):
        y = pad(y, axis, 0, extent - y.shape[axis])
    return [y]


# Interpolation

def cubic(n, t, a):
    """The weight of an element at a distance t. Source: Keys 1981, "Cubic convolution interpolation"."""
    near = ((a + 2) * t - (a + 3)) * t * t + 1
    far = ((a * t - 5 * a) * t + 8 * a) * t - 4 * a
    return select(each('less_equal', t, 1, type='bool'), near, select(each('less', t, 2, type='bool'), far, number_of(t.type, 0)))


def resized(n, x, axis, count, scale, first_last, real):
    """One axis with `count` elements; `real` is the extent that the scale gives."""
    extent, mode, how = x.shape[axis], n.get('mode', 'nearest'), n.get('coordinate_transformation_mode', 'half_pixel')
    if how == 'asymmetric':
        slope, start = 1 / scale, 0.0
    elif how == 'align_corners':
        slope, start = ((extent - 1) / (real - 1) if real != 1 else 0.0), 0.0
    elif how == 'tf_crop_and_resize':
        first, last = first_last
        slope = (last - first) * (extent - 1) / (count - 1) if count > 1 else 0.0
        start = first * (extent - 1) if count > 1 else 0.5 * (first + last) * (extent - 1)
    else:
        slope, start = 1 / scale, 0.5 / scale - 0.5
        if how == 'pytorch_half_pixel' and count == 1:
            slope, start = 0.0, -0.5
        if how == 'half_pixel_symmetric':
            start += extent / 2 * (1 - count / real)
    at = n.name(arange(count, 'float64') * slope + start)
    if mode == 'nearest':
        rounding = n.get('nearest_mode', 'round_prefer_floor')
        place = {'round_prefer_floor': lambda: each('ceil', at - 0.5), 'round_prefer_ceil': lambda: each('floor', at + 0.5),
                 'floor': lambda: each('floor', at), 'ceil': lambda: each('ceil', at)}[rounding]()
        ids = cast('int64', each('clip', place, 0, extent - 1))
        y = call('take', [x, ids], with_extent(x.shape, axis, count), arguments=[axis])
    else:
        reach = 1 if mode == 'linear' else 2
        small = min(scale, 1.0) if n.get('antialias', 0) else 1.0
        begin = math.floor(-reach / small) + 1
        size = 2 - 2 * begin
        floor = n.name(each('floor', at))
        places = n.name(expand_dims(floor, 1) + (arange(size, 'float64') + begin))
        t = n.name(each('abs', (places - expand_dims(at, 1)) * small))
        if mode == 'linear':
            weights = each('clip', 1 - t, 0, 1)
        else:
            weights = cubic(n, t, n.get('cubic_coeff_a', -0.75))
        if n.get('exclude_outside', 0):
            inside = each('logical_and', each('greater_equal', places, 0, type='bool'), each('less_equal', places, extent - 1, type='bool'))
            weights = select(inside, weights, number_of('float64', 0))
        weights = n.name(weights)
        if n.get('exclude_outside', 0) or n.get('antialias', 0):
            weights = n.name(weights / reduce('sum', weights, [1], True))
        ids = cast('int64', each('clip', places, 0, extent - 1))
        taken = call('take', [x, ids], x.shape[:axis] + (count, size) + x.shape[axis + 1:], arguments=[axis])
        y = reduce('sum', taken * reshape(cast(x.type, weights), (count, size) + (1,) * (x.rank - axis - 1)), [axis + 1])
    if how == 'tf_crop_and_resize':
        outside = each('logical_or', each('less', at, 0, type='bool'), each('greater', at, extent - 1, type='bool'))
        y = select(reshape(outside, (count,) + (1,) * (x.rank - axis - 1)), number_of(x.type, n.get('extrapolation_value', 0.0)), y)
    return n.name(y)


@operator('Resize', 'take<axis>(x, places), or sums of it with weights, axis by axis; places of arange<n>()')
def resize(n):
    x, roi, scales, sizes = (n.inputs + [None, None, None])[:4]
    shape = n.shapes[0]
    axes = [x.axis(a) for a in n.get('axes') or range(x.rank)]
    scales = scales.data.tolist() if scales is not None and scales.size else []
    policy = n.get('keep_aspect_ratio_policy', 'stretch')
    if not scales:
        scales = [size / x.shape[a] for size, a in zip(sizes.list(), axes)]
        if policy != 'stretch':
            scales = [(min if policy == 'not_larger' else max)(scales)] * len(scales)
    ends = roi.data.tolist() if roi is not None and roi.size else [0.0] * len(axes) + [1.0] * len(axes)
    for k, axis in enumerate(axes):
        if shape[axis] != x.shape[axis] or scales[k] != 1 or n.get('coordinate_transformation_mode') == 'tf_crop_and_resize':
            real = scales[k] * x.shape[axis]
            x = resized(n, x, axis, shape[axis], scales[k], (ends[k], ends[k + len(axes)]), real)
    return [x]


@operator('Upsample', 'repeat<times, axis>(x)')
def upsample(n):
    x = n.inputs[0]
    scales = n.get('scales') or n.inputs[1].data.tolist()
    if n.get('mode', 'nearest') != 'nearest' or any(scale != int(scale) for scale in scales):
        raise Inexpressible(NETWORKS)
    for axis, times in enumerate(int(scale) for scale in scales):
        if times != 1:
            x = call('repeat', x, with_extent(x.shape, axis, x.shape[axis] * times), arguments=[times, axis])
    return [x]


def reflected(at, first, last):
    """Places outside of an interval, mirrored at its ends."""
    turn = 2 * (last - first)
    t = each('mod', at - first, turn)
    return each('minimum', t, turn - t) + first


@operator('GridSample', 'einsum<"nchw,nph,npw->ncp">(x, a, b), weights a and b of the places, such as clip(1_c - abs(at - arange<h>()), 0_c, 1_c)')
def grid_sample(n):
    x, grid = n.inputs
    dims, aligned, mode, padding = x.shape[2:], n.get('align_corners', 0), n.get('mode', 'linear'), n.get('padding_mode', 'zeros')
    rank, points = len(dims), math.prod(grid.shape[1:-1])
    grid = n.name(reshape(grid, (grid.shape[0], points, rank)))
    weights = []
    for k, extent in enumerate(dims):
        at = slice_(grid, 2, rank - 1 - k, rank - k)
        at = (at + 1) * ((extent - 1) / 2) if aligned else ((at + 1) * extent - 1) / 2
        if mode == 'nearest':
            at = each('round', at)
        if padding != 'zeros':
            if padding == 'reflection':
                at = reflected(at, 0 if aligned else -0.5, extent - 1 if aligned else extent - 0.5)
            at = each('clip', at, 0, extent - 1)
        t = n.name(each('abs', n.name(at) - arange(extent, x.type)))
        if mode == 'nearest':
            weight = cast(x.type, each('less', t, 0.5, type='bool'))
        elif mode in ('linear', 'bilinear'):
            weight = each('clip', 1 - t, 0, 1)
        elif padding == 'zeros':
            weight = cubic(n, t, -0.75)
        else:
            raise Inexpressible('cubic interpolation beyond the border')
        weights.append(n.name(weight))
    letters = 'dhw'[-rank:]
    terms = ','.join([f'nc{letters}', *(f'np{letter}' for letter in letters)])
    y = Value(f'xg::einsum<"{terms}->ncp">({", ".join(v.text for v in [x, *weights])})', x.type, x.shape[:2] + (points,))
    return [reshape(y, n.shapes[0])]


# Recurrent layers

def recurrent(name, gates, step):
    """Layers of the operands X, W, R, B, lengths, H0, and of LSTM C0 and P."""
    @operator(name, f'scan<cell>(carry(h), x), cell written with matmul' + (' and sigmoid' if gates > 1 else ''))
    def translate(n):
        x, w, r, b, lengths, h, c, p = (n.inputs + [None] * 8)[:8]
        hidden, forward = n.get('hidden_size'), n.get('direction', 'forward')
        if lengths is not None and lengths.data is not None and (lengths.data != (x.shape[1] if n.get('layout', 0) else x.shape[0])).any():
            raise Inexpressible('sequences of several lengths, to be written as carry(h).lengths(n)')
        if n.get('activations') not in (None, ['Tanh'], ['Sigmoid', 'Tanh'], ['Sigmoid', 'Tanh', 'Tanh']) or n.get('clip'):
            raise Inexpressible('other activations')
        if n.get('layout', 0):
            x = transpose(x, (1, 0, 2))
            h, c = (None if v is None else transpose(v, (1, 0, 2)) for v in (h, c))
        x = n.name(x)
        batch, directions = x.shape[1], w.shape[0]
        alls, lasts, cells = [], [], []
        for d in range(directions):
            turned = forward == 'reverse' or d == 1
            one = lambda v: None if v is None else n.name(reshape(slice_(v, 0, d, d + 1), v.shape[1:]))
            wd, rd, bd, pd = (one(v) for v in (w, r, b, p))
            zero = broadcast_to(number_of(x.type, 0), (batch, hidden))
            start = [zero if h is None else one(h)]
            if name == 'LSTM':
                start.append(zero if c is None else one(c))
            rows = n.name(flip(x, 0)) if turned else x
            parameters = [Value('', v.type, v.shape) for v in start] + [Value('', x.type, x.shape[1:])]

            def cell(*operands):
                state = step(n, *operands, wd, rd, bd, pd, hidden)
                return f'xg::carry({", ".join(v.text for v in state)}).emit({state[0].text})'
            body = n.region(parameters, cell)
            loop = n.name(call(f'scan<{body}>', ['xg::carry(' + ', '.join(v.text for v in start) + ')', rows], (), x.type))
            whole = element(loop, len(start), x.type, (x.shape[0], batch, hidden))
            alls.append(expand_dims(n.name(flip(whole, 0) if turned else whole), 1))
            lasts.append(expand_dims(element(loop, 0, x.type, (batch, hidden)), 0))
            if name == 'LSTM':
                cells.append(expand_dims(element(loop, 1, x.type, (batch, hidden)), 0))
        results = [concat(alls, 1), concat(lasts, 0)] + ([concat(cells, 0)] if cells else [])
        if n.get('layout', 0):
            results = [transpose(results[0], (2, 0, 1, 3))] + [transpose(v, (1, 0, 2)) for v in results[1:]]
        return results


def gate(v, k, hidden, axis=0):
    return None if v is None else slice_(v, axis, k * hidden, (k + 1) * hidden)


def parts_of(x, h, w, r, b, k, gates, hidden):
    """x Wᵀ, h Rᵀ and the two biases of a gate."""
    return (matmul(x, gate(w, k, hidden), False, True), matmul(h, gate(r, k, hidden), False, True),
            None if b is None else gate(b, k, hidden), None if b is None else gate(b, gates + k, hidden))


def added(*terms):
    return several(lambda a, b: a + b, *(t for t in terms if t is not None))


def rnn_cell(n, h, x, w, r, b, p, hidden):
    return [n.name(each('tanh', added(*parts_of(x, h, w, r, b, 0, 1, hidden))))]


def lstm_cell(n, h, c, x, w, r, b, p, hidden):
    i, o, f, u = (added(*parts_of(x, h, w, r, b, k, 4, hidden)) for k in range(4))
    if p is not None:
        i, f = i + gate(p, 0, hidden) * c, f + gate(p, 2, hidden) * c
    new = n.name(each('sigmoid', f) * c + each('sigmoid', i) * each('tanh', u))
    if p is not None:
        o = o + gate(p, 1, hidden) * new
    return [n.name(each('sigmoid', o) * each('tanh', new)), new]


def gru_cell(n, h, x, w, r, b, p, hidden):
    z, reset = (n.name(each('sigmoid', added(*parts_of(x, h, w, r, b, k, 3, hidden)))) for k in range(2))
    if n.get('linear_before_reset', 0):
        a, hr, wb, rb = parts_of(x, h, w, r, b, 2, 3, hidden)
        u = added(a, wb, reset * added(hr, rb))
    else:
        u = added(*parts_of(x, n.name(reset * h), w, r, b, 2, 3, hidden))
    return [n.name((1 - z) * each('tanh', u) + z * h)]


recurrent('RNN', 1, rnn_cell)
recurrent('LSTM', 4, lstm_cell)
recurrent('GRU', 3, gru_cell)

cannot(NETWORKS, 'MaxRoiPool', 'RoiAlign', 'QLinearConv', 'DeformConv')
cannot('random numbers: the streams differ', 'Bernoulli', 'RandomUniformLike', 'RandomNormalLike', 'RandomUniform', 'RandomNormal',
       'Multinomial')
cannot('a search that stops, by boxes', 'NonMaxSuppression')
cannot('no operation takes bits as another type', 'BitCast')
cannot('decodes files of images', 'ImageDecoder')
cannot('texts and n-grams', 'TfIdfVectorizer', 'StringNormalizer', 'StringConcat', 'StringSplit', 'RegexFullMatch', 'LabelEncoder')
cannot('trees of decisions', 'TreeEnsemble')
cannot('a table of filters, to be made outside', 'MelWeightMatrix')
