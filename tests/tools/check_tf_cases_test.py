#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/check_tf_cases accepts what is right and finds each kind of mistake, in a temporary tree."""
import pathlib
import subprocess
import sys
import tempfile

CHECKER = pathlib.Path(sys.argv[1]) / 'tools/check_tf_cases'
TESTS = 'TEST_CASE("A1 one") {\n}\nTEST_CASE_TEMPLATE("A2 to A4, and B1: more", T, float) {\n}\nTEST_CASE("nothing of it, such as F16x") {\n}\n'
PAGE = '''* A: `1 2 3 4 7`
* B: `1 9`

| A1 | one | `optim/x_test.cpp` |
| A2 | two | `optim/x_test.cpp` |
| A3 | three | `optim/x_test.cpp` |
| A4 | four | `optim/x_test.cpp` |
| A7 | seven | none: it cannot be |
| B1 | one | `optim/x_test.cpp` |
| B9 | nine | not yet: it is not there |
'''


def run(page=PAGE, tests=TESTS):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / 'docs').mkdir()
        (root / 'tests/optim').mkdir(parents=True)
        (root / 'docs/tf_cases.md').write_text(page)
        (root / 'tests/optim/x_test.cpp').write_text(tests)
        result = subprocess.run([sys.executable, str(CHECKER), '--root', folder], capture_output=True, text=True)
        return result.returncode, result.stdout + result.stderr


def expect(what, said, code=1, **files):
    found, output = run(**files)
    if found != code or said not in output:
        sys.exit(f'{what}: exit status {found}, expected to read "{said}" in:\n{output}')


expect('what is right', '7 cases, 5 with tests, 1 that cannot be, 0 that differ, 1 not yet, 0 faults', code=0)
expect('a test that is gone', 'no test of tests/optim/x_test.cpp names A1', tests=TESTS.replace('A1 one', 'one'))
expect('a test of an unknown case', 'a title names A5', tests=TESTS.replace('A2 to A4', 'A2 to A5'))
expect('a test of a case without one', 'a title names A7', tests=TESTS.replace('A1 one', 'A1 A7 one'))
expect('neither a test nor a reason', 'A7 has neither', page=PAGE.replace('none: it cannot be', 'no'))
expect('a case twice', 'B9 stands there twice', page=PAGE + '| B9 | nine | none: x |\n')
expect('a case out of order', 'A8 is out of order', page=PAGE.replace('4 7', '4 7 8') + '| A8 | eight | none: x |\n')
expect('a case that was left out', 'A7 is not both in the list of numbers and a row', page=PAGE.replace('| A7 | seven | none: it cannot be |\n', ''))
expect('a refused program that is gone', 'tests/compile_fail/x.cpp is not there', page=PAGE.replace('none: it cannot be', '`compile_fail/x.cpp`'))
expect('a row that is none', 'not a row of three columns', page=PAGE.replace('| A7 | seven |', '| A7 |'))
expect('an empty page', '0 cases', page='', tests='')
