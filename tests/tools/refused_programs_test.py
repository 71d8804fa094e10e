#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/compile_fail/run.py judges cases in one compilation as it judges each alone, and finds each kind of mistake.

    refused_programs_test.py REPOSITORY COMPILER...
"""
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT, COMPILERS = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
RUNNER, CHAIN = str(ROOT / 'tests/compile_fail/run.py'), 16
INNER = '''#pragma once
template <int N>
struct refuse {
    static_assert(N < 0, "lib: a number is refused");
    static constexpr int value = 1;
};
template <int N>
int body() {
    static_assert(N < 0, "lib: a body is refused");
    return 1;
}
template <int N>
struct of_two {
    static_assert(N < 0, "lib: of two things");
};
template <int N>
struct first_of_more {
    static_assert(N < 0, "lib: the first of more");
};
'''
HEADERS = {'inner': INNER, 'direct': '#pragma once\n#include <lib/inner.hpp>\n',
           'hidden': '#pragma once\n#if 0\n#    include <lib/inner.hpp>\n#endif\n#include <lib/chain1.hpp>\n'}
HEADERS |= {f'chain{n}': f'#pragma once\n#include <lib/{f"chain{n + 1}" if n < CHAIN else "inner"}.hpp>\n' for n in range(1, CHAIN + 1)}
NUMBER, BODY, TWO, FIRST = 'lib: a number is refused', 'lib: a body is refused', 'lib: of two things', 'lib: the first of more'
MORE = '// more errors: they are allowed\n'


def case(expected, mistake, header='direct', also='', right=''):
    lines = ''.join(f'// expect-error: {text}\n' for text in expected)
    return f'{lines}{also}#include <lib/{header}.hpp>\n#ifdef XGRAD_EXPECT_ERROR\n{mistake}\n#else\n{right}\n#endif\n'


MANY = ''.join(f'int many_{n} = undeclared_{n};\n' for n in range(8))
CASES = {   # a name: the case, whether it is right, whether a compilation of several shows that (None: either)
    # The same error in several cases is printed for one of them.
    'shared_1': (case([NUMBER], 'refuse<1> t;'), True, True),
    'shared_2': (case([NUMBER], 'refuse<1> t;'), True, True),
    'shared_3': (case([NUMBER], 'refuse<1> t;'), True, None),
    'shared_4': (case([NUMBER], 'refuse<1> t;'), True, None),
    'shared_and_other': (case([BODY], 'refuse<1> t;'), False, None),
    'two_lines': (case([TWO, 'of_two<3>'], 'of_two<3> t;'), True, True),
    'two_lines_of_other': (case([TWO, 'of_two<3>'], 'of_two<4> t;'), False, None),
    # Errors of other cases come before this one, and could hide some that it has too.
    'more_body': (case([BODY], 'int i = body<20>();', also=MORE), True, False),
    'more_first': (case([FIRST], 'first_of_more<5> t;\nint i = undeclared;', also=MORE), True, True),
    'more_late': (case([FIRST], MANY + 'first_of_more<6> t;', also=MORE), False, None),
    'more_missing': (case(['lib: another'], MANY, also=MORE), False, None),
    'two_errors': (case([BODY], 'int i = body<7>();\nint j = undeclared;'), False, None),
    'second_error': (case([TWO], 'of_two<17> t;\nint j = undeclared;'), False, None),
    'body': (case([BODY], 'int i = body<8>();'), True, True),
    'changed_sentence': (case(['lib: a number is taken'], 'int i = refuse<9>::value;'), False, None),
    'no_error': (case([NUMBER], 'int i = refuse<-1>::value;'), False, None),
    'refused_unchanged': (case([NUMBER], 'int i = refuse<10>::value;', right='int i = refuse<11>::value;'), False, None),
    'refused_with_others': (case([NUMBER], 'int i = refuse<12>::value;', right='int i = refuse<11>::value;'), False, None),
    # The line of a sentence depends on the headers above it.
    'deep': (case([NUMBER], 'int i = refuse<13>::value;', 'chain1'), False, None),
    'deep_by_condition': (case([NUMBER], 'int i = refuse<14>::value;', 'hidden'), False, None),
    'less_deep': (case([NUMBER], 'int i = refuse<15>::value;', 'chain10'), True, True),
    'right': (case([NUMBER], 'int i = refuse<16>::value;', right='int i = refuse<-1>::value;'), True, True),
}

with tempfile.TemporaryDirectory() as folder:
    base = pathlib.Path(folder)
    (base / 'lib').mkdir()
    (base / 'cases').mkdir()
    for name, text in HEADERS.items():
        (base / 'lib' / f'{name}.hpp').write_text(text, encoding='utf-8')
    for name, (text, _, _) in CASES.items():
        (base / 'cases' / f'{name}.cpp').write_text(text, encoding='utf-8')
    faults, made = [], str(base / 'made')
    judged = [*COMPILERS, '--', str(base / 'cases'), '--', '-std=c++20', f'-I{base}']
    subprocess.run([sys.executable, RUNNER, '--make-headers', made, *judged], check=True)
    for mode in ([], ['--headers', made], ['--alone']):
        command = [sys.executable, RUNNER, *mode, *judged]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        lines = [line for line in result.stdout.splitlines() if line.startswith(('ok ', 'FAILED '))]
        for name, (_, right, among) in CASES.items():
            said = [line for line in lines if f'/{name}.cpp ' in line]
            if len(said) != len(COMPILERS) or any(line.startswith('ok ') != right for line in said):
                faults.append(f'{" ".join(mode)} {name}: expected {"ok" if right else "FAILED"}:\n' + '\n'.join(said))
            elif among is not None and mode != ['--alone'] and any(line.endswith(' among all') != among for line in said):
                faults.append(f'{" ".join(mode)} {name}: is {"" if among else "not "}compiled alone:\n' + '\n'.join(said))
        if result.returncode != 1:
            faults.append(f'exit status {result.returncode}:\n{result.stdout[-2000:]}{result.stderr}')
    if faults:
        sys.exit('\n'.join(faults))
    for name, (_, right, _) in CASES.items():
        if not right:
            os.remove(base / 'cases' / f'{name}.cpp')
    if (result := subprocess.run([sys.executable, RUNNER, *judged], capture_output=True, text=True, check=False)).returncode != 0:
        sys.exit(f'what is right is refused:\n{result.stdout}{result.stderr}')
