# SPDX-License-Identifier: MIT
"""Networks: ONNX operators that are functions of xgrad on arrays with the channels last, or on whole sequences.

ONNX has the channels second. So these expressions move that axis to the end and back.
"""
import math

from operators import cannot, fourier, operator, quantized, several, simple
from values import (LIMITS, Inexpressible, Value, arange, binary, broadcast_to, call, cast, concat, each, element, expand_dims, flip, matmul,
                    number_of, pad, reduce, reshape, select, slice_, to_end, transpose, with_extent)


def last(x):
    """The channels, axis 1, as the last axis."""
    return transpose(x, [0, *range(2, x.rank), 1])


def second(x):
    """The last axis as axis 1."""
    return transpose(x, [0, x.rank - 1, *range(1, x.rank - 1)])


def truth(flag):
    return 'true' if flag else 'false'


def floating(x):
    return x if x.floating else cast('float32', x)


# Windows

RULES = {'SAME_UPPER': 'same', 'SAME_LOWER': 'same_lower'}


def numbers(of, whole=True):
    """Numbers for the spatial axes as an argument of a template, or as a member of such an argument."""
    if len(set(of)) == 1:
        return str(of[0])
    return ('xg::per_axis' if whole else '') + '{' + ', '.join(map(str, of)) + '}'


class Windows:
    """How the windows of a convolution or a pool move: the attributes of a node."""

    def __init__(self, n, x, sizes, counts=None):
        rank = len(sizes)
        if rank > 3:
            raise Inexpressible('more than three spatial axes')
        self.rank, self.sizes = rank, list(sizes)
        self.strides, self.dilations = list(n.get('strides') or [1] * rank), list(n.get('dilations') or [1] * rank)
        pads = n.get('pads') or [0] * (2 * rank)
        self.before, self.after = list(pads[:rank]), list(pads[rank:])
        self.rule, self.groups, self.more, self.beyond = RULES.get(n.get('auto_pad', 'NOTSET')), n.get('group', 1), '', [0] * rank
        extents, spans = x.shape[2:], [(sizes[k] - 1) * self.dilations[k] + 1 for k in range(rank)]
        if counts is None and self.rule:
            counts = [-(-extents[k] // self.strides[k]) for k in range(rank)]
        if counts is None:
            counts = [(extents[k] + self.before[k] + self.after[k] - spans[k]) // self.strides[k] + 1 for k in range(rank)]
        self.counts = tuple(counts)
        if not self.rule:   # places that are rounded up reach beyond the padding
            for k in range(rank):
                reach = (self.counts[k] - 1) * self.strides[k] + spans[k]
                self.beyond[k] = max(0, reach - extents[k] - self.before[k] - self.after[k])

    def text(self, kind='window', before=None, after=None):
        """The arguments of the template after the size."""
        before = self.before if before is None else before
        after = [a + b for a, b in zip(self.after, self.beyond)] if after is None else after
        members = []
        if kind == 'pool_window' or set(self.strides) != {1}:
            members.append(f'.strides = {numbers(self.strides, False)}')
        if set(self.dilations) != {1}:
            members.append(f'.dilations = {numbers(self.dilations, False)}')
        if self.rule:
            members.append(f'.padding = xg::window_padding::{self.rule}')
        elif any(before) or any(after):
            both = [before] if before == after else [before, after]
            members.append('.padding = xg::window_padding{' + ', '.join(numbers(part) for part in both) + '}')
        if kind == 'window' and self.groups > 1:
            members.append(f'.groups = {self.groups}')
        return [f'xg::{kind}{{{", ".join(members)}{self.more}}}'] if members else []


def shape_of_result(n):
    """The spatial extents of the first result, if they are known."""
    return n.shapes[0][2:] if n.shapes and n.shapes[0] is not None else None


def filters(weight):
    """[out, channels, size...] as [size..., channels, out]."""
    return transpose(weight, [*range(2, weight.rank), 1, 0])


def convolved(n, x, weight, bias=None):
    """The convolution with its channels last."""
    w = Windows(n, x, weight.shape[2:], shape_of_result(n))
    if any(w.beyond):
        raise Inexpressible('windows beyond the padding')
    y = call(f'conv{w.rank}d', [last(x), filters(weight)], (x.shape[0], *w.counts, weight.shape[0]), arguments=w.text())
    return y if bias is None else y + bias


@operator('Conv', 'conv2d<window>(x, weight) of channels last, conv1d, conv3d')
def conv(n):
    x, weight, bias = (n.inputs + [None])[:3]
    return [second(convolved(n, x, weight, bias))]


def without_zero(v, zero):
    """Integers less their zero point, in double."""
    if zero is None:
        return cast('float64', v)
    return cast('float64', v) - cast('float64', reshape(zero, (zero.size,) + (1,) * (v.rank - 1) if zero.size > 1 else ()))


@operator('ConvInteger', 'conv2d<window>(x - zx, weight - zw) of channels last, in double')
def conv_integer(n):
    x, weight, zx, zw = (n.inputs + [None, None])[:4]
    return [cast('int32', second(convolved(n, without_zero(x, zx), without_zero(weight, zw))))]


@operator('QLinearConv', 'as ConvInteger, then QuantizeLinear')
def qlinear_conv(n):
    x, sx, zx, weight, sw, zw, sy, zy, bias = (n.inputs + [None])[:9]
    y = convolved(n, without_zero(x, zx), without_zero(weight, zw), None if bias is None else cast('float64', bias))
    y = y * cast('float64', reshape(sx, ()) * (sw if sw.size > 1 else reshape(sw, ())))
    return [second(quantized(y, cast('float64', reshape(sy, ())), reshape(zy, ()), zy.type))]


@operator('ConvTranspose', 'conv2d_transpose<window, output_padding>(x, weight) of channels last, conv1d_transpose, conv3d_transpose')
def conv_transpose(n):
    x, weight, bias = (n.inputs + [None])[:3]
    counts = shape_of_result(n)
    if counts is None:
        raise Inexpressible('a shape that is not known')
    w = Windows(n, x, weight.shape[2:])
    more = list(n.get('output_padding') or [0] * w.rank)
    if not n.get('pads'):
        upper, w.rule = n.get('auto_pad') == 'SAME_UPPER', None
        for k in range(w.rank):   # what is cut
            whole = w.strides[k] * (x.shape[2 + k] - 1) + more[k] + (w.sizes[k] - 1) * w.dilations[k] + 1 - counts[k]
            if whole < -1:
                raise Inexpressible('a result that is larger than what the windows reach')
            more[k], whole = more[k] - min(whole, 0), max(whole, 0)
            w.before[k] = whole // 2 if upper else whole - whole // 2
            w.after[k] = whole - w.before[k]
    w.beyond = [0] * w.rank
    y = call(f'conv{w.rank}d_transpose', [last(x), filters(weight)], (x.shape[0], *counts, weight.shape[1] * w.groups),
             arguments=[*(w.text() or ['xg::window{}']), numbers(more)])
    return [second(y if bias is None else y + bias)]


@operator('CausalConvWithState', 'depthwise_conv1d(concat<1>(state, x), weight) of channels last')
def causal_conv(n):
    x, weight, bias, past = (n.inputs + [None, None])[:4]
    size = weight.shape[2]
    whole = n.name(pad(x, 2, size - 1, 0) if past is None else concat([past, x], 2))
    y = call('depthwise_conv1d', [last(whole), transpose(weight, (2, 0, 1))], (x.shape[0], x.shape[2], x.shape[1]))
    if bias is not None:
        y = y + bias
    y = each('silu', y) if n.get('activation', 'none') in ('silu', 'swish') else y
    return [second(y), slice_(whole, 2, whole.shape[2] - (size - 1), whole.shape[2])]


@operator('DeformConv', 'einsum<"npck,ock->nop">(grid_sample(x, places), weight), places of the offsets')
def deform_conv(n):
    import numpy
    x, weight, offset, bias, mask = (n.inputs + [None, None])[:5]
    if weight.rank != 4:
        raise Inexpressible('images of three axes')
    type_, (x, weight, offset) = x.type, (cast('float64', v) for v in (x, weight, offset))   # ONNX's 0 is a sum of rounded places
    bias, mask = (None if v is None else cast('float64', v) for v in (bias, mask))
    w, parts = Windows(n, x, weight.shape[2:]), n.get('offset_group', 1)
    batch, channels, rows, columns = x.shape
    height, width, size = *offset.shape[2:], math.prod(w.sizes)
    at = [[(p * w.strides[a] - w.before[a] + k * w.dilations[a]) for p in range(count)] for a, count in ((0, height), (1, width))
          for k in range(w.sizes[a])]
    base = numpy.zeros((*w.sizes, height, width, 2))
    for k in range(w.sizes[0]):
        base[k, ..., 0] = numpy.reshape(at[k], (1, height, 1))
    for k in range(w.sizes[1]):
        base[:, k, ..., 1] = numpy.reshape(at[w.sizes[0] + k], (1, 1, width))
    offset = transpose(reshape(offset, (batch * parts, size, 2, height, width)), (0, 1, 3, 4, 2))
    places = offset + n.table(base.reshape(size, height, width, 2), x.type)
    grid = flip((2 * places + 1) / n.table([rows, columns], x.type) - 1, 4)
    grid = reshape(grid, (batch * parts, size * height, width, 2))
    y = call('grid_sample', [last(reshape(x, (batch * parts, channels // parts, rows, columns))), grid], grid.shape[:3] + (channels // parts,))
    y = reshape(y, (batch, parts, size, height * width, channels // parts))
    if mask is not None:
        y = y * reshape(mask, (batch, parts, size, height * width, 1))
    y = n.name(reshape(transpose(y, (0, 3, 1, 4, 2)), (batch, height * width, channels, size)))
    weight = reshape(weight, weight.shape[:2] + (size,))
    each_in, each_out, results = channels // w.groups, weight.shape[0] // w.groups, []
    for g in range(w.groups):
        part, kernels = slice_(y, 2, g * each_in, (g + 1) * each_in), slice_(weight, 0, g * each_out, (g + 1) * each_out)
        results.append(Value(f'xg::einsum<"npck,ock->nop">({part.text}, {kernels.text})', x.type, (batch, each_out, height * width)))
    y = reshape(concat(results, 1), (batch, weight.shape[0], height, width))
    return [cast(type_, y if bias is None else y + reshape(bias, (bias.size, 1, 1)))]


def pooled(n, x, function, w, template=(), window=None):
    """A pool of x with its channels last."""
    window = w.text('pool_window') if window is None else window
    return call(f'{function}{w.rank}d', x, (x.shape[0], *w.counts, x.shape[-1]), arguments=[*template, numbers(w.sizes), *window])


@operator('MaxPool', 'max_pool2d<size, window>(x) of channels last, max_pool_with_argmax2d, and for 1 and 3 axes')
def max_pool(n):
    x, = n.inputs
    w, type_, dims = Windows(n, x, n.get('kernel_shape'), shape_of_result(n)), x.type, x.shape
    x = floating(x)
    if n.output_count < 2:
        return [cast(type_, second(pooled(n, last(x), 'max_pool', w)))]
    pair = n.name(pooled(n, reshape(x, (dims[0] * dims[1], *dims[2:], 1)), 'max_pool_with_argmax', w))   # positions in each channel
    shape = (*dims[:2], *w.counts)
    values, places = cast(type_, reshape(element(pair, 0), shape)), n.name(reshape(cast('int64', element(pair, 1, 'int32')), shape))
    if n.get('storage_order', 0):
        if w.rank != 2:
            raise Inexpressible('positions in another order')
        places = each('mod', places, dims[3]) * dims[2] + each('floor_divide', places, dims[3])
    first = reshape(arange(dims[0] * dims[1]) * math.prod(dims[2:]), (*dims[:2], *[1] * w.rank))
    return [values, places + first]


@operator('AveragePool', 'average_pool2d<size, window>(x) of channels last, average_pool1d, average_pool3d')
def average_pool(n):
    x, = n.inputs
    w = Windows(n, x, n.get('kernel_shape'), shape_of_result(n))
    x = last(x)
    if n.get('count_include_pad', 0) and any(w.beyond):   # what is beyond the padding does not count
        for k in range(w.rank):
            x = pad(x, 1 + k, w.before[k], w.after[k])
        return [second(pooled(n, x, 'average_pool', w, window=w.text('pool_window', [0] * w.rank, w.beyond)))]
    if n.get('count_include_pad', 0):
        w.more = ', .count_padding = true'
    return [second(pooled(n, x, 'average_pool', w))]


@operator('LpPool', 'lp_pool2d<p, size, window>(x) of channels last, lp_pool1d')
def lp_pool(n):
    x, = n.inputs
    w, p = Windows(n, x, n.get('kernel_shape'), shape_of_result(n)), n.get('p', 2)
    if w.rank < 3:
        return [second(pooled(n, last(x), 'lp_pool', w, [p]))]
    if w.rule:
        raise Inexpressible('three axes with padding by a rule')
    batch, channels, depth, rows, columns = x.shape

    def part(kept):
        inner = Windows(n, x, n.get('kernel_shape'), w.counts)
        for name in ('sizes', 'strides', 'dilations', 'before', 'after', 'beyond', 'counts'):
            setattr(inner, name, [getattr(w, name)[k] for k in kept])
        inner.rank = len(kept)
        return inner
    y = pooled(n, reshape(last(x), (batch * depth, rows, columns, channels)), 'lp_pool', part([1, 2]), [p])
    y = pooled(n, reshape(y, (batch, depth, math.prod(y.shape[1:]))), 'lp_pool', part([0]), [p])
    return [second(reshape(y, (batch, *w.counts, channels)))]


def whole_images(onnx_name, name):
    simple(onnx_name, f'{name}(x) of channels last',
           lambda n, x: reshape(call(name, last(x), x.shape[:2]), x.shape[:2] + (1,) * (x.rank - 2)))


whole_images('GlobalAveragePool', 'global_average_pool')
whole_images('GlobalMaxPool', 'global_max_pool')
simple('GlobalLpPool', 'norm<2, 3>(x, keep_dims)', lambda n, x: reduce('norm', x, range(2, x.rank), True))


@operator('MaxUnpool', 'max_unpool2d<extents>(x, positions) of each channel, max_unpool1d, max_unpool3d')
def max_unpool(n):
    x, ids, shape = (n.inputs + [None])[:3]
    sizes, rank = n.get('kernel_shape'), x.rank - 2
    steps, pads = n.get('strides') or [1] * rank, n.get('pads') or [0] * (2 * rank)
    inner = [(x.shape[2 + k] - 1) * steps[k] + sizes[k] - pads[k] - pads[k + rank] for k in range(rank)]
    rows = lambda v: reshape(v, (v.shape[0] * v.shape[1], *v.shape[2:], 1))   # positions are those in each channel
    ids = each('mod', ids, math.prod(inner))
    y = call(f'max_unpool{rank}d', [rows(x), rows(ids)], (x.shape[0] * x.shape[1], *inner, 1), arguments=[numbers(inner)])
    y = reshape(y, (*x.shape[:2], *inner))
    for axis, extent in enumerate(shape.list() if shape is not None else []):
        y = pad(y, axis, 0, extent - y.shape[axis])
    return [y]


@operator('Col2Im', 'fold_patches<h, w, size>(x) of channels last, index_add<2>(zeros, places, x) for 1 and 3 axes')
def col2im(n):
    x, image, block = n.inputs
    image, block = image.list(), block.list()
    rank = len(image)
    steps, distances, pads = n.get('strides') or [1] * rank, n.get('dilations') or [1] * rank, n.get('pads') or [0] * (2 * rank)
    whole = [image[k] + pads[k] + pads[k + rank] for k in range(rank)]
    counts = [(whole[k] - (block[k] - 1) * distances[k] - 1) // steps[k] + 1 for k in range(rank)]
    channels = x.shape[1] // math.prod(block)
    if rank == 2:
        w = Windows(n, broadcast_to(number_of(x.type, 0), (1, 1, *image)), block)
        parts = transpose(reshape(x, (x.shape[0], channels, math.prod(block), *counts)), (0, 3, 4, 2, 1))
        parts = reshape(parts, (x.shape[0], *counts, x.shape[1]))
        return [second(call('fold_patches', parts, (x.shape[0], *image, channels), arguments=[*image, numbers(block), *w.text()]))]
    along = lambda line, axis: reshape(line, [line.size if a == axis else 1 for a in range(2 * rank)])
    places = None
    for k in range(rank):
        place = along(arange(block[k]) * distances[k], k) + along(arange(counts[k]) * steps[k], rank + k)
        places = place if places is None else places * whole[k] + place
    size = math.prod(block) * math.prod(counts)
    zeros = broadcast_to(number_of(x.type, 0), (x.shape[0], channels, math.prod(whole)))
    y = call('index_add', [zeros, n.name(reshape(places, (size,))), reshape(x, (x.shape[0], channels, size))], zeros.shape, arguments=[2])
    y = reshape(y, zeros.shape[:2] + tuple(whole))
    for k in range(rank):
        y = slice_(y, 2 + k, pads[k], pads[k] + image[k])
    return [y]


# Normalizations

@operator('LayerNormalization', 'layer_norm(x, scale, bias, epsilon); standardize<axes>(x, epsilon) * scale without bias')
def layer_normalization(n):
    x, scale, bias = (n.inputs + [None])[:3]
    axes = list(range(x.axis(n.get('axis', -1)), x.rank))
    epsilon = n.get('epsilon', 1e-5)
    shape = x.shape[axes[0]:]
    if bias is None or scale.shape != shape or bias.shape != shape:
        y = call('standardize', [x, epsilon], x.shape, arguments=axes) * scale
        y = y if bias is None else y + bias
    else:
        y = call('layer_norm', [x, scale, bias, epsilon], x.shape)
    mean = reduce('mean', x, axes, True)
    return [y, mean, 1 / each('sqrt', reduce('variance', x, axes, True) + epsilon)]


@operator('RMSNormalization', 'rms_norm(x, scale, epsilon)')
def rms_normalization(n):
    x, scale = n.inputs
    axes, epsilon = list(range(x.axis(n.get('axis', -1)), x.rank)), n.get('epsilon', 1e-5)
    if scale.shape == x.shape[axes[0]:]:
        return [call('rms_norm', [x, scale, epsilon], x.shape)]
    return [x / each('sqrt', reduce('mean', each('square', x), axes, True) + epsilon) * scale]


@operator('BatchNormalization', 'batch_normalization(x, mean, variance, bias, scale, epsilon) of channels last; in training '
          'fused_batch_norm(x, scale, bias, epsilon)')
def batch_normalization(n):
    x, scale, bias, mean, variance = n.inputs
    x, epsilon = n.name(last(x)), n.get('epsilon', 1e-5)
    if not n.get('training_mode', 0):
        return [second(call('batch_normalization', [x, mean, variance, bias, scale, epsilon], x.shape))]
    momentum, axes = n.get('momentum', 0.9), list(range(x.rank - 1))
    whole = n.name(call('fused_batch_norm', [x, scale, bias, epsilon], x.shape))
    of_batch = reduce('variance', x, axes)   # fused_batch_norm returns the one that is divided by n - 1
    return [second(element(whole, 0)), mean * momentum + element(whole, 1, shape=mean.shape) * (1 - momentum),
            variance * momentum + of_batch * (1 - momentum)]


@operator('InstanceNormalization', 'instance_norm(x, scale, bias, epsilon) of channels last')
def instance_normalization(n):
    x, scale, bias = n.inputs
    x = last(x)
    return [second(call('instance_norm', [x, scale, bias, n.get('epsilon', 1e-5)], x.shape))]


@operator('GroupNormalization', 'group_norm<groups>(x, scale, bias, epsilon) of channels last')
def group_normalization(n):
    x, scale, bias = n.inputs
    x = last(x)
    return [second(call('group_norm', [x, scale, bias, n.get('epsilon', 1e-5)], x.shape, arguments=[n.get('num_groups')]))]


@operator('MeanVarianceNormalization', '(x - mean<axes>(x, keep_dims)) / (stddev<axes>(x, keep_dims) + 1e-9_c)')
def mean_variance_normalization(n):
    x, = n.inputs
    axes = n.get('axes', [0, 2, 3])
    return [(x - reduce('mean', x, axes, True)) / (reduce('stddev', x, axes, True) + 1e-9)]


@operator('LRN', 'local_response_normalization<radius>(x, bias, alpha / size, beta) of channels last')
def lrn(n):
    x, = n.inputs
    size = n.get('size')
    if size % 2 == 0:
        raise Inexpressible('an even number of channels')
    x = last(x)
    return [second(call('local_response_normalization', [x, n.get('bias', 1.0), n.get('alpha', 1e-4) / size, n.get('beta', 0.75)], x.shape,
                        arguments=[size // 2]))]


# Losses

def reduced(n, loss, target, weight):
    """`loss` makes the losses of targets. Those of the ignored class have the weight 0."""
    ignored, how = n.get('ignore_index'), n.get('reduction', 'mean')
    kept = None if ignored is None else n.name(each('not_equal', target, ignored, type='bool'))
    ids = target if kept is None else n.name(select(kept, target, number_of(target.type, 0)))
    losses = loss(ids)
    if weight is None and kept is None:
        return losses if how == 'none' else reduce(how, losses)
    weights = cast(losses.type, kept) if weight is None else call('gather', [weight, ids], ids.shape)
    if weight is not None and kept is not None:
        weights = select(kept, weights, number_of(losses.type, 0))
    return call('weighted_loss', [losses, weights], losses.shape if how == 'none' else (), arguments=[f'xg::loss_reduction::{how}'])


@operator('NegativeLogLikelihoodLoss', 'weighted_loss<mean>(-squeeze<1>(take_along_axis<1>(x, expand_dims<1>(target))), weights)')
def nll_loss(n):
    x, target, weight = (n.inputs + [None])[:3]

    def loss(ids):
        shape = ids.shape[:1] + (1,) + ids.shape[1:]
        return -reshape(call('take_along_axis', [x, reshape(ids, shape)], shape, arguments=[1]), ids.shape)
    return [reduced(n, loss, target, weight)]


@operator('SoftmaxCrossEntropyLoss', 'weighted_loss<mean>(sparse_softmax_cross_entropy(x, target), weights) of channels last')
def softmax_cross_entropy(n):
    x, target, weight = (n.inputs + [None])[:3]
    loss = lambda ids: call('sparse_softmax_cross_entropy', [last(x), ids], ids.shape)
    return [reduced(n, loss, target, weight), call('log_softmax', x, x.shape, arguments=[1])]


# Attention

@operator('Attention', 'scaled_dot_product_attention<options>(q, k, v, mask, bias, lengths); with softcap or scores as a result '
          'matmul(softmax(scale * matmul<false, true>(q, k) + bias), v)')
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
    queries, keys = q.shape[2], k.shape[2]
    cap, causal = n.get('softcap', 0.0), n.get('is_causal', 0)
    left, right = n.get('left_window_size', -1), n.get('right_window_size', -1)
    if mask is not None and mask.shape[-1] < keys:
        mask = pad(mask, mask.rank - 1, 0, keys - mask.shape[-1], number_of('bool', False)) if mask.type == 'bool' else \
            pad(mask, mask.rank - 1, 0, keys - mask.shape[-1], n.infinity(mask.type, negative=True))
    allowed = None
    if mask is not None and mask.type == 'bool':
        allowed, mask = mask, None
    row, column = expand_dims(arange(queries), 1), arange(keys)
    count = None if lengths is None else reshape(lengths, (lengths.size, 1, 1, 1))
    place = row + (count - queries) if lengths is not None and past_k is None else row + offset if offset else row
    both = lambda a, b: b if a is None else each('logical_and', a, b)

    def within(allowed):
        if left >= 0:
            allowed = both(allowed, each('less_equal', place - left, column, type='bool'))
        return both(allowed, each('less_equal', column, place + right, type='bool')) if right >= 0 else allowed

    if not cap and n.output_count < 4:
        options = []
        if causal and (lengths is None or past_k is not None) and offset in (0, keys - queries):
            options = ['.causal = true'] + (['.lower_right = true'] if offset else [])
        elif causal:
            allowed = both(allowed, each('less_equal', column, place, type='bool'))
        if n.get('scale') is not None:
            options.append(f'.scale = {n.get("scale")!r}')
        more = [v for v in (within(allowed), mask, lengths) if v is not None]
        y = call('scaled_dot_product_attention', [q, k, v, *more], q.shape[:3] + v.shape[3:],
                 arguments=[f'xg::attention_options{{{", ".join(options)}}}'] if options else [])
        results = [y, present_k, present_v]
    else:
        groups = q.shape[1] // k.shape[1]
        if groups > 1:
            k, v = (call('repeat', x, (x.shape[0], q.shape[1]) + x.shape[2:], arguments=[groups, 1]) for x in (k, v))
        root = math.sqrt(n.get('scale') if n.get('scale') is not None else 1 / math.sqrt(q.shape[3]))
        scores = n.name(matmul(root * q, root * k, False, True))
        if count is not None:
            allowed = both(allowed, each('less', column, count, type='bool'))
        if causal:
            allowed = both(allowed, each('less_equal', column, place, type='bool'))
        allowed = within(allowed)
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
        results = [y, present_k, present_v, (scores, capped, biased, shares)[n.get('qk_matmul_output_mode', 0)]]
    if flat:
        results[0] = reshape(transpose(y, (0, 2, 1, 3)), (y.shape[0], y.shape[2], y.shape[1] * y.shape[3]))
    return results


# Places in images

@operator('AffineGrid', 'affine_grid<h, w, align>(theta); of three axes matmul<false, true>(places, theta)')
def affine_grid(n):
    theta, size = n.inputs
    extents, aligned = size.list()[2:], n.get('align_corners', 0)
    if len(extents) == 2:
        return [call('affine_grid', theta, (theta.shape[0], *extents, 2), arguments=[*extents, truth(aligned)])]
    places = []
    for axis, extent in reversed(list(enumerate(extents))):   # x, y, z
        first, end = (-1.0, 1.0) if aligned else (-1 + 1 / extent, 1 - 1 / extent)
        line = call('linspace', [first, end], (extent,), theta.type, [extent, theta.cpp])
        line = reshape(line, [extent if a == axis else 1 for a in range(len(extents))])
        places.append(reshape(broadcast_to(line, extents), (math.prod(extents), 1)))
    places.append(broadcast_to(number_of(theta.type, 1), places[0].shape))
    grid = matmul(concat(places, 1), theta, False, True)
    return [reshape(grid, [theta.shape[0]] + extents + [len(extents)])]


@operator('RoiAlign', 'average_pool2d<ratio>(grid_sample<outside::border>(take<0>(x, ids), places)) of channels last')
def roi_align(n):
    x, boxes, ids = n.inputs
    ratio, sizes, count = n.get('sampling_ratio', 0), (n.get('output_height', 1), n.get('output_width', 1)), boxes.shape[0]
    if not ratio:
        raise Inexpressible('a number of samples that depends on the data')
    if n.get('mode', 'avg') != 'avg':
        raise Inexpressible("the largest of weighted elements, in place of interpolated ones")
    half = n.get('coordinate_transformation_mode', 'half_pixel') == 'half_pixel'
    boxes = n.name(boxes * n.get('spatial_scale', 1.0) - (0.5 if half else 0.0))
    whole = (count, sizes[0] * ratio, sizes[1] * ratio, 1)
    places, inside = [], None
    for axis, extent in ((1, x.shape[3]), (0, x.shape[2])):   # x, y
        begin, end = slice_(boxes, 1, 1 - axis, 2 - axis), slice_(boxes, 1, 3 - axis, 4 - axis)
        size = end - begin if half else each('maximum', end - begin, 1)
        samples = sizes[axis] * ratio
        at = n.name(begin + size * ((arange(samples, x.type) + 0.5) / samples))
        within = each('logical_and', each('greater_equal', at, -1, type='bool'), each('less_equal', at, extent, type='bool'))
        spread = lambda v: reshape(v, (count, samples, 1, 1) if axis == 0 else (count, 1, samples, 1))
        places.append(broadcast_to(spread((2 * at + 1) / extent - 1), whole))
        inside = spread(within) if inside is None else each('logical_and', inside, spread(within))
    taken = call('take', [last(x), ids], (count, *x.shape[2:], x.shape[1]), arguments=[0])
    y = call('grid_sample', [taken, concat(places, 3)], (*whole[:3], x.shape[1]), arguments=['xg::outside::border'])
    y = select(inside, y, number_of(x.type, 0))
    return [second(call('average_pool2d', y, (count, *sizes, x.shape[1]), arguments=[ratio]))]


@operator('NonMaxSuppression', 'boolean_mask<capacity>(places, chosen), chosen by scan<body>(carry(kept, count), order)')
def non_max_suppression(n):
    boxes, scores, most, limit, least = (n.inputs + [None] * 3)[:5]
    if most is None:
        raise Inexpressible('no box is chosen')
    batch, classes, count = scores.shape
    rows, type_ = batch * classes, scores.type
    part = lambda k: slice_(boxes, 2, k, k + 1)
    if n.get('center_point_box', 0):   # x, y, width, height
        ends = [(part(1 - a) - part(3 - a) / 2, part(1 - a) + part(3 - a) / 2) for a in (0, 1)]
    else:
        ends = [(each('minimum', part(a), part(a + 2)), each('maximum', part(a), part(a + 2))) for a in (0, 1)]
    turned = lambda v: transpose(v, (0, 2, 1))
    area = n.name((ends[0][1] - ends[0][0]) * (ends[1][1] - ends[1][0]))
    inner = None
    for low, high in (map(n.name, pair) for pair in ends):
        length = each('maximum', each('minimum', high, turned(high)) - each('maximum', low, turned(low)), 0)
        inner = length if inner is None else inner * length
    inner = n.name(inner)
    share = each('divide_no_nan', inner, area + turned(area) - inner)
    over = each('greater', share, 0 if limit is None else reshape(limit, ()), type='bool')
    over = n.name(reshape(broadcast_to(expand_dims(cast(type_, over), 1), (batch, classes, count, count)), (rows, count, count)))
    scores, most = n.name(reshape(scores, (rows, count))), n.name(cast(type_, reshape(most, ())))
    order = n.name(call('argsort', -scores, (rows, count), 'int32'))
    start = [broadcast_to(number_of(type_, 0), (rows, count)), broadcast_to(number_of(type_, 0), (rows,))]

    def body(kept, number, best):
        one = n.name(call('one_hot', best, (rows, count), type_, [count, best_type]))
        near = reduce('sum', over * expand_dims(one, 2), [1])
        free = each('less', reduce('sum', near * kept, [1]), 0.5, type='bool')
        chosen = each('logical_and', free, each('less', number, most, type='bool'))
        if least is not None:
            chosen = each('logical_and', chosen, each('greater', reduce('sum', scores * one, [1]), reshape(least, ()), type='bool'))
        chosen = n.name(cast(type_, chosen))
        return f'xg::carry({(kept + expand_dims(chosen, 1) * one).text}, {(number + chosen).text}).emit({chosen.text})'
    best_type = scores.cpp
    name = n.region([*start, Value('', 'int32', (rows,))], body)
    loop = n.name(call(f'scan<{name}>', ['xg::carry(' + ', '.join(v.text for v in start) + ')', transpose(order, (1, 0))], (), type_))
    chosen = each('greater', transpose(element(loop, 2, type_, (count, rows)), (1, 0)), 0.5, type='bool')
    whole, size = (batch, classes, count, 1), rows * count
    along = lambda extent, axis: broadcast_to(reshape(arange(extent), [extent if a == axis else 1 for a in range(4)]), whole)
    places = concat([along(batch, 0), along(classes, 1), reshape(cast('int64', order), whole)], 3)
    pair = n.name(call('boolean_mask', [reshape(places, (size, 3)), reshape(chosen, (size,))], (size, 3), 'int64', [size]))
    return [n.cut(element(pair, 0), element(pair, 1, 'int32', ()), [0, 1])]


# Interpolation

def nearest_places(n, extent, count):
    """The elements that ONNX takes for images of whole scales, and those that resize2d takes."""
    how, rounding = n.get('coordinate_transformation_mode', 'half_pixel'), n.get('nearest_mode', 'round_prefer_floor')
    clipped = lambda places: [min(max(int(p), 0), extent - 1) for p in places]
    if how == 'align_corners':
        at = [i * (extent - 1) / (count - 1) if count > 1 else 0.0 for i in range(count)]
        ours = [math.floor(p + 0.5) for p in at]
    elif how == 'asymmetric':
        at = [i * extent / count for i in range(count)]
        ours = [math.floor(p) for p in at]
    else:
        at = [(i + 0.5) * extent / count - 0.5 for i in range(count)]
        ours = [math.floor(p + 0.5) for p in at]
    function = {'round_prefer_floor': lambda p: math.ceil(p - 0.5), 'round_prefer_ceil': lambda p: math.floor(p + 0.5),
                'floor': math.floor, 'ceil': math.ceil}[rounding]
    return clipped(map(function, at)), clipped(ours)


def resized_images(n, x, roi, shape, axes, scales):
    """Images by resize2d or crop_and_resize, or None for what these do not compute."""
    mode, how = n.get('mode', 'nearest'), n.get('coordinate_transformation_mode', 'half_pixel')
    if x.rank != 4 or not x.floating or n.get('antialias', 0) or n.get('exclude_outside', 0) or tuple(shape[:2]) != x.shape[:2]:
        return None
    if how == 'tf_crop_and_resize':
        if mode != 'linear' or roi is None or not {2, 3} <= set(axes):
            return None
        bounds = [axes.index(2), axes.index(3), len(axes) + axes.index(2), len(axes) + axes.index(3)]
        box = reshape(call('take', [roi, n.table(bounds, 'int32')], (4,), arguments=[0]), (1, 4))
        y = call('crop_and_resize', [last(x), broadcast_to(box, (x.shape[0], 4)), arange(x.shape[0], 'int32'),
                                     n.get('extrapolation_value', 0.0)], (x.shape[0], *shape[2:], x.shape[1]), arguments=list(shape[2:]))
        return second(y)
    real = {axis: scale * x.shape[axis] for axis, scale in zip(axes, scales)}
    if any(abs(real.get(axis, x.shape[axis]) - shape[axis]) > 1e-6 for axis in range(4)):
        return None
    if how == 'pytorch_half_pixel' and 1 in shape[2:]:
        return None
    if mode == 'nearest' and any(ours != theirs for ours, theirs in (nearest_places(n, x.shape[a], shape[a]) for a in (2, 3))):
        return None
    if mode == 'cubic' and n.get('cubic_coeff_a', -0.75) != -0.75:
        return None
    rule = how if how in ('align_corners', 'asymmetric') else 'half_pixel'
    kind = {'nearest': 'nearest', 'linear': 'bilinear', 'cubic': 'bicubic_torch'}[mode]
    return second(call('resize2d', last(x), (x.shape[0], *shape[2:], x.shape[1]),
                       arguments=[*shape[2:], f'xg::interpolation::{kind}', f'xg::coordinates::{rule}']))


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


@operator('Resize', 'resize2d<h, w, how, rule>(x) of channels last, crop_and_resize<h, w>(x, boxes, images, beyond); other rules by take<axis>(x, places) '
          'and weights')
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
    y = resized_images(n, x, roi, shape, axes, scales)
    if y is not None:
        return [y]
    ends = roi.data.tolist() if roi is not None and roi.size else [0.0] * len(axes) + [1.0] * len(axes)
    for k, axis in enumerate(axes):
        if shape[axis] != x.shape[axis] or scales[k] != 1 or n.get('coordinate_transformation_mode') == 'tf_crop_and_resize':
            real = scales[k] * x.shape[axis]
            x = resized(n, x, axis, shape[axis], scales[k], (ends[k], ends[k + len(axes)]), real)
    return [x]


@operator('Upsample', 'resize2d<h, w, interpolation::nearest, coordinates::asymmetric>(x) of channels last')
def upsample(n):
    x = n.inputs[0]
    scales, mode = n.get('scales') or n.inputs[1].data.tolist(), n.get('mode', 'nearest')
    if x.rank != 4 or tuple(scales[:2]) != (1, 1) or any(scale * extent != int(scale * extent) for scale, extent in zip(scales, x.shape)):
        raise Inexpressible('images with other axes or sizes')
    sizes = [int(scale * extent) for scale, extent in zip(scales, x.shape)][2:]
    kind = 'nearest' if mode == 'nearest' else 'bilinear'
    return [second(call('resize2d', last(x), (x.shape[0], *sizes, x.shape[1]),
                        arguments=[*sizes, f'xg::interpolation::{kind}', 'xg::coordinates::asymmetric']))]


def reflected(at, first, last):
    """Places outside of an interval, mirrored at its ends."""
    turn = 2 * (last - first)
    t = each('mod', at - first, turn)
    return each('minimum', t, turn - t) + first


@operator('GridSample', 'grid_sample<outside, align, how>(x, grid) of channels last; bicubic and of three axes einsum<"nchw,nph,npw->ncp">(x, a, b), '
          'weights a and b of the places')
def grid_sample(n):
    x, grid = n.inputs
    dims, aligned, mode, padding = x.shape[2:], n.get('align_corners', 0), n.get('mode', 'linear'), n.get('padding_mode', 'zeros')
    if len(dims) == 2 and mode in ('linear', 'bilinear', 'nearest'):
        return [second(call('grid_sample', [last(x), grid], (x.shape[0], *grid.shape[1:3], x.shape[1]),
                            arguments=[f'xg::outside::{padding}', truth(aligned), f'xg::interpolation::{"nearest" if mode == "nearest" else "bilinear"}']))]
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

def gates(v, order, hidden):
    """The parts of the first axis, one for each gate, in another order."""
    return None if v is None else concat([slice_(v, 0, k * hidden, (k + 1) * hidden) for k in order], 0)


def added(*terms):
    return several(lambda a, b: a + b, *(t for t in terms if t is not None))


def recurrent(name, text, order):
    """Layers of the operands X, W, R, B, lengths, H0, and of LSTM C0 and P. `order` has ONNX's numbers of the gates of a cell."""
    @operator(name, text)
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
        batch, directions, count = x.shape[1], w.shape[0], len(order)
        alls, lasts, cells = [], [], []
        for d in range(directions):
            turned = forward == 'reverse' or d == 1
            one = lambda v: None if v is None else reshape(slice_(v, 0, d, d + 1), v.shape[1:])
            wd, rd, bd, pd = (one(v) for v in (w, r, b, p))
            wd, rd = gates(wd, order, hidden), n.name(transpose(gates(rd, order, hidden), (1, 0)))
            of_input = None if bd is None else gates(bd, order, hidden)
            of_state = None if bd is None else gates(bd, [count + k for k in order], hidden)
            state = None   # the bias of the product of the state, where it is separate
            if name == 'GRU' and n.get('linear_before_reset', 0):
                state = n.name(broadcast_to(number_of(x.type, 0), (count * hidden,)) if of_state is None else of_state)
                of_state = None
            peepholes = None if pd is None else n.name(reshape(gates(pd, (0, 2, 1), hidden), (3, hidden)))
            zero = broadcast_to(number_of(x.type, 0), (batch, hidden))
            start = [zero if h is None else n.name(one(h))]
            if name == 'LSTM':
                start.append(zero if c is None else n.name(one(c)))
            rows = n.name(added(matmul(flip(x, 0) if turned else x, wd, False, True), of_input, of_state))
            parameters = [Value('', v.type, v.shape) for v in start] + [Value('', x.type, rows.shape[1:])]

            def cell(*operands):
                states, into = list(operands[:-1]), operands[-1]
                more = [v for v in (state, peepholes) if v is not None]
                new = n.name(call(f'{name.lower()}_cell', [into, *states, rd, *more], (batch, hidden), x.type))
                new = [element(new, k) for k in range(2)] if name == 'LSTM' else [new]
                return f'xg::carry({", ".join(v.text for v in new)}).emit({new[0].text})'
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


recurrent('RNN', 'scan<cell>(carry(h), x), cell by rnn_cell(in, h, u)', (0,))
recurrent('LSTM', 'scan<cell>(carry(h, c), x), cell by lstm_cell(in, h, c, u, peepholes)', (0, 2, 3, 1))
recurrent('GRU', 'scan<cell>(carry(h), x), cell by gru_cell(in, h, u, b)', (0, 1, 2))


# Short-time transforms

@operator('STFT', 'view_as_real(stft<length, step>(x, window)), fft(complex(frame<length, step>(x) * window))')
def stft(n):
    x, step, window, length = (n.inputs + [None, None])[:4]
    step = step.number()
    length = length.number() if length is not None else window.shape[0]
    if x.rank == 3 and x.shape[2] == 2:
        raise Inexpressible('complex numbers')
    x, type_ = reshape(x, x.shape[:2]), x.type
    x = cast('float64', x)   # in double, for small differences from ONNX
    weights = broadcast_to(number_of('float64', 1), (length,)) if window is None else cast('float64', window)
    count = 1 + (x.shape[1] - length) // step
    if n.get('onesided', 1):
        y = call('stft', [x, weights], (x.shape[0], count, length // 2 + 1), arguments=[length, step])
    else:
        frames = call('frame', x, (x.shape[0], count, length), arguments=[length, step])
        y = call('fft', frames * weights, frames.shape)
    return [cast(type_, call('view_as_real', y, y.shape + (2,)))]


cannot('regions of data-dependent sizes', 'MaxRoiPool')
