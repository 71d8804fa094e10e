# SPDX-License-Identifier: MIT
"""headers_alone.py finds a header that does not include what it uses.

    headers_alone_test.py REPOSITORY COMPILER
"""
import pathlib
import subprocess
import sys
import tempfile

root, compiler = pathlib.Path(sys.argv[1]), sys.argv[2]
A = '#pragma once\n#include <vector>\nstruct a { std::vector<int> v; };\n'
B = '#pragma once\n#include <xgrad/a.hpp>\nstruct b : a {};\n'
CASES = {   # what is in include/xgrad, and whether it is right
    'each includes what it uses': ({'a.hpp': A, 'b.hpp': B, 'c.hpp': '#pragma once\n#include <xgrad/b.hpp>\nstruct c : b {};\n'}, True),
    'the last of a row lacks an include': ({'a.hpp': A, 'b.hpp': B, 'c.hpp': '#pragma once\nstruct c : b {};\n'}, False),
    'the first of a row lacks an include': ({'a.hpp': A.replace('#include <vector>\n', ''), 'b.hpp': '#pragma once\n#include <vector>\n' + B}, False),
    'the middle of a row lacks an include': (
        {'a.hpp': A, 'b.hpp': '#pragma once\nstruct b : a {};\n',
         'c.hpp': '#pragma once\n#include <xgrad/a.hpp>\n#include <xgrad/b.hpp>\nstruct c : b {};\n'}, False),
    'an include that a macro decides does not count': (
        {'a.hpp': A, 'b.hpp': '#pragma once\n#if XGRAD_NEVER\n#include <xgrad/a.hpp>\n#endif\nstruct b : a {};\n'}, False),
}
# Many headers on one: it is read precompiled.
LEAVES = {f'{n}.hpp': f'#pragma once\n#include <xgrad/a.hpp>\nstruct leaf_{n} : a {{}};\n' for n in range(6)}
CASES |= {
    'many headers include one': ({'a.hpp': A} | LEAVES, True),
    'one of many lacks its include': ({'a.hpp': A} | LEAVES | {'3.hpp': '#pragma once\nstruct leaf_3 : a {};\n'}, False),
    'one of many lacks an include of the standard library': (
        {'a.hpp': A} | LEAVES | {'3.hpp': LEAVES['3.hpp'] + 'using t = std::list<int>;\n'}, False),
    'the header of many does not compile': ({'a.hpp': A.replace('#include <vector>\n', '')} | LEAVES, False),
}
bad = 0
for what, (files, right) in CASES.items():
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder, 'include/xgrad')
        place.mkdir(parents=True)
        for name, text in files.items():
            (place / name).write_text(text, encoding='utf-8')
        run = subprocess.run([sys.executable, root / 'tests/tools/headers_alone.py', folder, compiler],
                             capture_output=True, text=True, check=False)
        many = '5.hpp' in files and 'does not compile' not in what
        if (run.returncode == 0) != right or many and 'with 1 precompiled headers' not in run.stdout:
            bad += 1
            print(f'{what}: exit status {run.returncode}\n{run.stdout}{run.stderr}')
print(f'{len(CASES)} cases, {bad} wrong')
sys.exit(bad > 0)
