#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/check_names accepts the documents and finds each kind of mistake in copies of them. All expressions of the tables compile.

    check_names_test.py REPOSITORY [COMPILER [OPTION...]]
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT, COMPILER = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
TOOL = str(ROOT / 'tools/check_names')
PAGE, LIST = 'docs/from_tensorflow.md', 'tests/reference/tensorflow_registry.txt'

with tempfile.TemporaryDirectory() as folder:
    copy = pathlib.Path(folder)
    (copy / 'include').symlink_to(ROOT / 'include')
    for place in ('docs/snippets', 'tests/reference'):
        (copy / place).mkdir(parents=True)
    for name in ('docs/from_keras.md', 'docs/from_numpy.md', 'docs/from_pytorch.md', 'docs/snippets/names.hpp', PAGE, LIST):
        shutil.copyfile(ROOT / name, copy / name)

    def expect(what, said, name=PAGE, before='', after='', code=1):
        text = (copy / name).read_text(encoding='utf-8')
        if before and text.count(before) != 1:
            sys.exit(f'{name} does not hold "{before}" once')
        (copy / name).write_text(text.replace(before, after) if before else text, encoding='utf-8')
        result = subprocess.run([sys.executable, TOOL, '--root', folder], capture_output=True, text=True)
        (copy / name).write_text(text, encoding='utf-8')
        if result.returncode != code or said not in result.stdout:
            sys.exit(f'{what}: exit status {result.returncode}, expected to read "{said}" in:\n{result.stdout}{result.stderr}')

    expect('what is right', 'by a function of the library', code=0)
    expect('a name that is missing', 'nosuch is neither a public name nor an operand', before='`expm1(x)`', after='`nosuch(x)`')
    expect('an operand that is missing', 'xx is neither a public name nor an operand', before='`expm1(x)`', after='`expm1(xx)`')
    expect('a header that is missing', 'the header ops/special/erfc.hpp is missing', before='`erfinv(x)` | `ops/special/erfc.hpp`', after='`erfinv(x)` | ')
    expect('a wrong header', 'there is no header ops/no.hpp', before='`expm1(x)` | ', after='`expm1(x)` | `ops/no.hpp`')
    expect('a row that is missing', "Expm1 of TensorFlow's registry is in no table", before='| `Expm1` | `expm1(x)` | | |\n', after='')
    expect('a row that is there twice', 'Expm1 is there twice', before='| `Expm1` |', after='| `Expm1`, `Expm1` |')
    expect('an unknown operation', "Exp3 is not in TensorFlow's registry", before='| `Expm1` |', after='| `Expm1`, `Exp3` |')
    expect('an operation that is new', "Expm3 of TensorFlow's registry is in no table", name=LIST, before='Expm1\n', after='Expm1\nExpm3\n')
    expect('wrong counts', 'the counts differ', before='\n| missing | ', after='\n| missing | 1')
    expect('lines that are missing', 'must have the lines', before='<!-- end -->\n', after='')

if COMPILER:
    source = subprocess.run([sys.executable, TOOL, '--root', str(ROOT), '--source'], capture_output=True, text=True, check=True).stdout
    compiled = subprocess.run([*COMPILER, '-std=c++20', f'-I{ROOT}', f'-I{ROOT}/include', '-O0', '-fsyntax-only', '-x', 'c++', '-'],
                              input=source, capture_output=True, text=True)
    if compiled.returncode:
        sys.exit('\n'.join(line for line in compiled.stderr.splitlines() if 'error' in line or 'from_' in line)[:4000])
