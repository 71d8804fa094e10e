#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/check_operation_docs accepts what is right, reads what headers say and finds each kind of mistake, in a copy of the headers."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])


def run(changes, arguments=(), extra=None):
    """Exit status, what was said, and the document, after changes of (file, from, to)."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        shutil.copytree(ROOT / 'include/xgrad/ops', root / 'include/xgrad/ops')
        for folder_of_headers in ('core', 'grad', 'nn'):
            (root / 'include/xgrad' / folder_of_headers).mkdir()
        (root / 'docs').mkdir()
        for name in ('include/xgrad/core/cast.hpp', 'include/xgrad/grad/with_jvp.hpp', 'include/xgrad/nn/sampled_losses.hpp', 'docs/operations.md'):
            shutil.copyfile(ROOT / name, root / name)
        for name, before, after in changes:
            text = (root / name).read_text(encoding='utf-8')
            if text.count(before) != 1:
                sys.exit(f'{name} does not hold "{before}" once')
            (root / name).write_text(text.replace(before, after), encoding='utf-8')
        if extra:
            (root / extra).write_text('// SPDX-License-Identifier: MIT\n')
        result = subprocess.run([sys.executable, str(ROOT / 'tools/check_operation_docs'), '--root', folder, *arguments], capture_output=True, text=True)
        return result.returncode, result.stdout + result.stderr, (root / 'docs/operations.md').read_text(encoding='utf-8')


def expect(what, said, *changes, code=1, **more):
    found, output, document = run(changes, **more)
    if found != code or said not in output:
        sys.exit(f'{what}: exit status {found}, expected to read "{said}" in:\n{output}')
    return document


OPS = 'include/xgrad/ops/'
expect('what is right', ' operations', code=0)
expect('a document that somebody edited', 'is not what the headers say', ('docs/operations.md', '| The natural logarithm. |', '| A logarithm. |'))
expect('a derivative that changed', 'is not what the headers say', (OPS + 'exponential.hpp', 'return g * xgrad::cos(a); }', 'return -(g * xgrad::cos(a)); }'))
expect('no docstring', 'ops/exponential.hpp: log has no docstring', (OPS + 'exponential.hpp', '/// The natural logarithm.\n', ''), arguments=['--write'])
expect('no gradient', 'ops/slice.hpp: the docstring of concat has no "Gradient:"', (OPS + 'slice.hpp', '/// Gradient: of each operand, its slice of g.\n', ''))
expect('no call in a docstring', 'ops/while_loop.hpp: the docstring of while_loop shows no call',
       (OPS + 'while_loop.hpp', '`auto const [x] = while_loop<condition, body>(carry(start))`', 'carries'),
       (OPS + 'while_loop.hpp', '`while_loop<condition, body, 100>`', '100'), arguments=['--write'])
expect('a header of no family', 'ops/convolution.hpp is in no family', extra=OPS + 'convolution.hpp')
expect('a derivative that is no formula', 'the derivative of log is longer than a formula',
       (OPS + 'exponential.hpp', 'return g / a; }', 'if (g.exists()) return g / a; return {}; }'))
expect('an operation that is gone', 'the operation of tanh is not found', (OPS + 'exponential.hpp', 'elementwise<op::tanh> tanh', 'elementwise<op::tanhyp> tanh'))
expect('a document without its lines', 'must have the lines', ('docs/operations.md', '<!-- end -->', ''))

expect('a derivative of the base that changed', 'is not what the headers say', (OPS + 'rounding.hpp', 'symbol g) { return g * 0_c; }', 'symbol g) { return g; }'))

# Read from a header outside the library: operands in their order, names of other lines, alternatives with and without keep_dims, a default.
written = expect('an operation that is new', ' operations', (OPS + 'erf.hpp', '}\n\n/// 2 /', '''struct mix : elementwise_op {
    XGRAD_INLINE static auto value(auto p, auto q) { return p; }
    static constexpr symbols derivative(symbol p, symbol q, symbol, symbol g) {
        symbol const half = 0.5_c * g, both = xgrad::exp(p) + xgrad::exp(q);
        return {{half * xgrad::exp(p) - both, {}}};
    }
};
}

/// Of two | one.
inline constexpr elementwise<op::mix> mix{};
/// In words.
/// Gradient: said here.
inline constexpr elementwise<op::mix> other_mix{};
/// Folded.
/// Gradient: some.
template<int Axis, bool Twice = false, class A>
constexpr auto fold(A const& x) {
    return 0;
}
template<int Axis, bool Twice = false, class A>
constexpr auto fold(A const& x, keep_dims_tag) {
    return 1;
}
/// 2 /'''), code=0, arguments=['--write'])
for row in ('| [`mix(p, q)`](../include/xgrad/ops/erf.hpp) | Of two \\| one. | numbers | of p `(0.5 * g) * exp(p) - (exp(p) + exp(q))`; of q none |\n',
            '| [`other_mix(p, q)`](../include/xgrad/ops/erf.hpp) | In words. | numbers | said here. |\n',
            '| [`fold<Axis>(x)`<br>`fold<Axis>(x, keep_dims)`](../include/xgrad/ops/erf.hpp) | Folded. |'):
    if row not in written:
        sys.exit(f'not written: {row}\n{written}')
