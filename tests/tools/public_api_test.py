#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/api.txt has the public names of the headers: tools/public_api sees each change that is made to one in a copy, and nothing else.

So the headers are read once. One small header shows that the tool accepts what is right.

It sees no change of a comment or of an overload that only gives an error sentence. Members of a base of namespace detail are seen.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(sys.argv[1])
CHANGES = [   # header, text, its replacement, lines of the difference
    ('include/xgrad/optim/rules/adam.hpp', 'beta1{0.9}', 'beta1{0.8}', ['-        hyper beta1{0.9}', '+        hyper beta1{0.8}']),
    ('include/xgrad/replicas/reports/timeline_svg.hpp', 'std::string to_svg(', 'std::string to_picture(',
     ['-    std::string to_svg(timeline const& all, timeline_svg_options const& options = {})',
      '+    std::string to_picture(timeline const& all, timeline_svg_options const& options = {})']),
    ('include/xgrad/backend/xtensor.hpp', 'auto adapt(tensor_view<T, Rank> const& view)', 'auto adapt(tensor_view<T, Rank> view)',
     ['-    template<class T, int Rank> auto adapt(tensor_view<T, Rank> const& view)', '+    template<class T, int Rank> auto adapt(tensor_view<T, Rank> view)']),
    ('include/xgrad/data/batches.hpp', 'std::int64_t rows() const', 'std::int64_t row_count() const',   # a member of detail::batch_rows
     ['-        std::int64_t rows() const', '+        std::int64_t row_count() const']),
    ('include/xgrad/config/config.hpp', '#ifndef XGRAD_CHECKS', '#ifndef XGRAD_CHECK', ['-    XGRAD_CHECKS', '+    XGRAD_CHECK']),
    ('CMakeLists.txt', 'option(XGRAD_INSTALL ', 'option(XGRAD_INSTALLED ', ['-    XGRAD_INSTALL', '+    XGRAD_INSTALLED']),
]
NO_CHANGES = [
    ('include/xgrad/optim/rules/adam.hpp', 'struct adam {', 'struct adam {   // a comment\n'),
    ('include/xgrad/ops/misuse.hpp', 'constexpr auto operator~(A const&)', 'constexpr auto operator~(A&)'),   # calls refuse_form
    ('include/xgrad/train/trainer.hpp', 'float step(B const&...) {', 'double step(B const&...) {'),   # asserts detail::never
    ('include/xgrad/io/checkpoint.hpp', 'void save(Owner const&) {', 'void save(Owner&) {'),   # asserts sizeof(Owner) == 0
    ('include/xgrad/core/error.hpp', ': message_part(number, n)', ': message_part(number, n + 0)'),   # what a constructor sets
]


def run(root, *arguments):
    result = subprocess.run([sys.executable, REPOSITORY / 'tools/public_api', '--root', root, *arguments], capture_output=True, text=True)
    if result.returncode == 77:
        print(result.stdout)
        sys.exit(77)
    return result.returncode, result.stdout + result.stderr


def change(root, name, text, other):
    source = (root / name).read_text(encoding='utf-8')
    if text not in source:
        sys.exit(f'{name} has no "{text}" to change')
    (root / name).write_text(source.replace(text, other), encoding='utf-8')


with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder, 'small')
    for name in ('include/xgrad', 'docs'):
        (root / name).mkdir(parents=True)
    (root / 'CMakeLists.txt').touch()
    (root / 'include/xgrad/small.hpp').write_text('namespace xgrad { int one(int); }\n', encoding='utf-8')
    for arguments in (['--write'], []):
        code, output = run(root, *arguments)
        if code != 0:
            sys.exit(f'one header with {arguments}: exit status {code}\n{output}')
    change(root, 'include/xgrad/small.hpp', 'int one', 'int two')
    code, output = run(root)
    if code != 1 or '-    int one(int)\n+    int two(int)\n' not in output:
        sys.exit(f'one header with another name: exit status {code}\n{output}')

    root = pathlib.Path(folder, 'whole')
    root.mkdir()
    for name in ('include', 'cmake', 'docs'):
        shutil.copytree(REPOSITORY / name, root / name)
    shutil.copy(REPOSITORY / 'CMakeLists.txt', root)
    # Both kinds together: the headers are read once. A change that should not be seen would be an unexpected line.
    for name, text, other in NO_CHANGES:
        change(root, name, text, other)
    for name, text, other, _ in CHANGES:
        change(root, name, text, other)
    code, output = run(root)
    changed = {line for line in output.splitlines() if line[:1] in '+-' and not line.startswith(('---', '+++'))}
    expected = {line for *_, lines in CHANGES for line in lines}
    if code != 1 or changed != expected:
        sys.exit(f'exit status {code}; not found {expected - changed}, found besides {changed - expected}:\n{output}')
print(f'{len(CHANGES)} changes are found')
