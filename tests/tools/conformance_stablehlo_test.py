#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/stablehlo reads a module and writes the right expressions. It needs NumPy and no compiler.

conformance_stablehlo_test.py <repository>"""
import pathlib
import sys

try:
    import numpy
except ImportError:
    print('skipped: no NumPy')
    sys.exit(77)
root = pathlib.Path(sys.argv[1]).resolve()
sys.path[:0] = [str(root / 'tools/onnx'), str(root / 'tools/stablehlo')]
import module  # noqa: E402
import translate  # noqa: E402
from values import Inexpressible  # noqa: E402


def text(inputs, result, lines, check='expect_close'):
    names = ', '.join(f'%i{k}' for k in range(len(inputs)))
    types = ', '.join(inputs)
    constants = [f'%i{k} = stablehlo.constant dense<{k + 1}> : {t}' for k, t in enumerate(inputs)]
    return '\n'.join(['module @m {', f'func.func public @main() -> ({result}) {{', f'%0:{len(inputs)} = call @inputs() : () -> ({types})',
                      f'%1 = call @expected() : () -> {result}', *lines,
                      f'stablehlo.custom_call @check.{check}(%2, %1) {{has_side_effect = true}} : ({result}, {result}) -> ()',
                      f'return %2 : {result}', '}', f'func.func private @inputs() -> ({types}) {{', *constants, f'return {names} : {types}', '}',
                      f'func.func private @expected() -> ({result}) {{', f'%e = stablehlo.constant dense<1> : {result}',
                      f'return %e : {result}', '}', '}'])


def expect(what, source, *parts):
    program = translate.translate('case_', source)
    found = program.text(bytearray())
    for part in parts:
        if part not in found:
            sys.exit(f'{what}: expected "{part}" in\n{found}')


A, B, I, S = 'tensor<2x3xf32>', 'tensor<3x4xf32>', 'tensor<2xi64>', 'tensor<f32>'
expect('an element-wise operation', text([A, A], A, [f'%2 = stablehlo.add %0#0, %0#1 : {A}']), 'constexpr auto t0 = (x0 + x1);')
expect('a product', text([A, B], 'tensor<2x4xf32>', [f'%2 = stablehlo.dot_general %0#0, %0#1, contracting_dims = [1] x [0] : ({A}, {B}) -> tensor<2x4xf32>']),
       'xg::einsum<"ba,ac->bc">(x0, x1)')
expect('a reduction', text([A], 'tensor<2xf32>', ['%c = stablehlo.constant dense<0.0> : tensor<f32>',
       f'%2 = stablehlo.reduce(%0#0 init: %c) applies stablehlo.add across dimensions = [1] : ({A}, {S}) -> tensor<2xf32>']), 'xg::sum<1>(x0)')
expect('a slice', text([A], 'tensor<2x1xf32>', [f'%2 = stablehlo.slice %0#0 [0:2, 1:2] : ({A}) -> tensor<2x1xf32>']), 'xg::slice<1, 1, 2>(x0)')
region = ['^bb0(%a: tensor<f32>, %b: tensor<f32>):', '%9 = stablehlo.add %a, %b : tensor<f32>', 'stablehlo.return %9 : tensor<f32>']
expect('a scatter of which one update is outside', text([A, 'tensor<2x3xf32>'], A, [
    '%c = stablehlo.constant dense<[[0], [5]]> : tensor<2x1xi64>',
    '%2 = "stablehlo.scatter"(%0#0, %c, %0#1) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], '
    'inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({', *region,
    f'}}) : ({A}, tensor<2x1xi64>, tensor<2x3xf32>) -> {A}']), 'xg::pad<0, 1, 0>(xg::reshape<6>(x0))', '{0, 1, 2, 6, 6, 6}', 'xg::scatter_add(')
numbers = module.constant('dense<[[1.5, -2.0], [0x7F800000, 0.0]]>', module.Type('tensor<2x2xf32>'))
if numbers.tolist() != [[1.5, -2.0], [numpy.inf, 0.0]]:
    sys.exit(f'a constant: {numbers}')
try:
    expect('an operation that is not there', text([A], A, [f'%2 = stablehlo.unheard %0#0 : {A}']))
    sys.exit('an operation that is not there has an expression')
except Inexpressible:
    pass
if translate.in_scope(text(['tensor<2xbf16>'], 'tensor<2xbf16>', [])) or not translate.in_scope(text([A], A, [])):
    sys.exit('the element types that count')
