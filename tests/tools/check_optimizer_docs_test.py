#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/check_optimizer_docs accepts what is right and finds each kind of mistake, in a copy of what it reads."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])
READ = ('docs/optimizers.md', 'tests/reference/defaults.txt', 'tests/optim/defaults_test.cpp')


def expect(what, said, *changes, code=1):
    """Exit status and what is said after changes of (file, from, to)."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        shutil.copytree(ROOT / 'include/xgrad/optim', root / 'include/xgrad/optim')
        for name in READ:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, root / name)
        for name, before, after in changes:
            text = (root / name).read_text(encoding='utf-8')
            if text.count(before) != 1:
                sys.exit(f'{name} does not hold "{before}" once')
            (root / name).write_text(text.replace(before, after), encoding='utf-8')
        result = subprocess.run([sys.executable, str(ROOT / 'tools/check_optimizer_docs'), '--root', folder], capture_output=True, text=True)
        output = result.stdout + result.stderr
        if result.returncode != code or said not in output:
            sys.exit(f'{what}: exit status {result.returncode}, expected to read "{said}" in:\n{output}')


LION, DOCUMENT, NUMBERS, TEST = 'include/xgrad/optim/rules/lion.hpp', *READ
expect('what is right', ' rules', code=0)
expect('a default that changed', 'is not what the headers say', (LION, 'learning_rate{1e-4}', 'learning_rate{1e-3}'))
expect('a docstring without its source', 'lion.hpp: the docstring of lion has no "Source:"', (LION, '/// Source: ', '/// '))
expect('a number that nobody looks at', 'lion.hpp: hypers() of lion lists', (LION, 'weight_decay{0.0}', 'weight_decay{0.0}, gamma{1.0}'))
expect('another member first', 'lion.hpp: lion{0.1} does not set the learning rate',
       (LION, 'hyper learning_rate{1e-4}, ', 'hyper weight_decay{0.0}, learning_rate{1e-4}, '), (LION, ', weight_decay{0.0};', ';'))
expect('an optimizer without a line', 'docs/optimizers.md: optax.fromage has no line below "### optax"', (DOCUMENT, '| `fromage` | `fromage` |\n', ''))
expect('a line of no optimizer', 'docs/optimizers.md: optax has no optimizer frommage', (DOCUMENT, '| `fromage` | `fromage` |\n', '| `fromage`, `frommage` | `fromage` |\n'))
expect('a new release of a tool', 'docs/optimizers.md: torch.optim.Newest has no line', (NUMBERS, 'name torch.optim.SGD\n', 'name torch.optim.SGD\nname torch.optim.Newest\n'))
expect('numbers that no test reads', 'nothing is compared with the numbers of optax.fromage', (TEST, '"optax.fromage"', '"optax.adam"'))
