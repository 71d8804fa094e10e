#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table of tools/conformance writes the right expressions. It needs neither onnx nor a compiler.

conformance_test.py <repository>"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(sys.argv[1]).resolve() / 'tools/onnx'))
import operators  # noqa: E402
import programs  # noqa: E402
from values import Inexpressible, Value  # noqa: E402


class Numbers(list):
    """Numbers in place of an array of NumPy."""

    def reshape(self, _):
        return self


def value(name, *shape, type='float32', numbers=None):
    return Value(name, type, shape, None if numbers is None else Numbers(numbers))


def expect(operator, inputs, attributes, *texts):
    program = programs.Program('case')
    results = operators.TABLE[operator][1](programs.Node(program, inputs, attributes, len(texts)))
    found = [f'{v.text} {v.type}{list(v.shape)}' for v in results]
    if found[:len(texts)] != list(texts):
        sys.exit(f'{operator}: expected {list(texts)}, not {found}')


a, b, ids = value('a', 3, 4), value('b', 4), value('ids', 2, type='int64')
expect('Add', [a, b], {}, '(a + b) float32[3, 4]')
expect('Less', [a, b], {}, 'xg::less(a, b) bool[3, 4]')
expect('Softmax', [a], {'axis': -2}, 'xg::softmax<0>(a) float32[3, 4]')
expect('ReduceSum', [a, value('axes', 1, numbers=[-1])], {'keepdims': 0}, 'xg::sum<1>(a) float32[3]')
expect('ReduceMax', [a], {}, 'xg::max<0, 1>(a, xg::keep_dims) float32[1, 1]')
expect('Gemm', [a, value('w', 5, 4)], {'transB': 1, 'alpha': 0.5}, '(0.5_c * xg::matmul<false, true>(a, w)) float32[3, 5]')
expect('MatMul', [b, value('w', 4, 2)], {}, 'xg::squeeze<0>(xg::matmul(xg::expand_dims<0>(b), w)) float32[2]')
expect('Slice', [a, *(value('n', 1, numbers=[n]) for n in (-1, -9, 1, -2))], {}, 'xg::strided_slice<1, 3, -1, -2>(a) float32[3, 2]')
expect('Split', [a], {'axis': 1, 'num_outputs': 2}, 'xg::slice<1, 0, 2>(a) float32[3, 2]', 'xg::slice<1, 2, 4>(a) float32[3, 2]')
expect('Reshape', [a, value('shape', 3, numbers=[0, 2, -1])], {}, 'xg::reshape<3, 2, 2>(a) float32[3, 2, 2]')
expect('Transpose', [a], {}, 'xg::transpose<1, 0>(a) float32[4, 3]')
expect('Gather', [a, ids], {'axis': 1}, 'xg::take<1>(a, xg::select(xg::less(ids, 0_c), (ids + 4_c), ids)) float32[3, 2]')
expect('Cast', [a], {'to': 7}, 'xg::cast<std::int64_t>(a) int64[3, 4]')
image, weight, scale = value('image', 1, 4, 8, 8), value('weight', 6, 4, 3, 3), value('scale', 4)
expect('Conv', [image, weight], {'strides': [2, 1], 'auto_pad': 'SAME_UPPER'},
       'xg::transpose<0, 3, 1, 2>(xg::conv2d<xg::window{.strides = {2, 1}, .padding = xg::window_padding::same}>'
       '(xg::transpose<0, 2, 3, 1>(image), xg::transpose<2, 3, 1, 0>(weight))) float32[1, 6, 4, 8]')
expect('MaxPool', [image], {'kernel_shape': [2, 2], 'strides': [2, 2], 'pads': [1, 0, 1, 1]},
       'xg::transpose<0, 3, 1, 2>(xg::max_pool2d<2, xg::pool_window{.strides = 2, .padding = xg::window_padding{xg::per_axis{1, 0}, 1}}>'
       '(xg::transpose<0, 2, 3, 1>(image))) float32[1, 4, 5, 4]')
expect('RMSNormalization', [a, scale], {}, 'xg::rms_norm(a, scale, 1e-05_c) float32[3, 4]')
expect('Attention', [image, image, image], {'is_causal': 1}, 'xg::scaled_dot_product_attention<xg::attention_options{.causal = true}>'
       '(image, image, image) float32[1, 4, 8, 8]')
for operator, inputs, attributes in (('Reshape', [a, value('shape', 1)], {}), ('Cast', [a], {'to': 10})):
    try:
        expect(operator, inputs, attributes, '')
    except Inexpressible:
        continue
    sys.exit(f'{operator}: has an expression for what cannot be expressed')
both = set(operators.TABLE) & set(operators.REASONS)
if both:
    sys.exit(f'operators with an expression and a reason against one: {sorted(both)}')
