# SPDX-License-Identifier: MIT
"""tools/mutate on a small project: it says what finds a fault, that nothing does, and which faults cannot be planted."""
import os
import pathlib
import subprocess
import sys
import tempfile

TOOL = pathlib.Path(sys.argv[1]) / 'tools/mutate'
FILES = {
    'CMakeLists.txt': '''cmake_minimum_required(VERSION 3.25)
project(small CXX)
include_directories(include)
add_executable(test_core tests/main.cpp tests/core/sum_test.cpp tests/core/other_test.cpp)
enable_testing()
add_test(NAME core COMMAND test_core)
''',
    'CMakePresets.json': '''{"version": 6, "configurePresets": [{"name": "native", "generator": "Ninja", "binaryDir": "${sourceDir}/build/native",
"cacheVariables": {"CMAKE_EXPORT_COMPILE_COMMANDS": "ON"}}]}''',
    'include/xgrad/core/sum.hpp': '''inline int sum(int n) {
    int s = 0;
    for (int i = 0; i < n; ++i) s += i;
    return s;
}
inline int more(int n) { return n + 1; }
inline int unseen(int n) { return n + 2; }
''',
    'tests/main.cpp': 'int run();\n__attribute__((weak)) int run_too() { return 0; }\n__attribute__((weak)) int run() { return 0; }\n'
                      'int main() { return run() + run_too(); }\n',
    'tests/core/sum_test.cpp': '#include <xgrad/core/sum.hpp>\nint run() { return sum(4) != 6; }\n',
    'tests/core/other_test.cpp': '#include <xgrad/core/sum.hpp>\nint run_too() { return more(1) != 2; }\n',
}


def fault(name='early', file='include/xgrad/core/sum.hpp', tests='core/sum', old='i < n', new='i + 1 < n'):
    return f'== {name}\nfile: {file}\ntests: {tests}\nbreaks: something\n- {old}\n+ {new}\n'


def run(faults, *arguments, files=()):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**FILES, **dict(files), 'tools/mutations.txt': faults}.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding='utf-8')
        done = subprocess.run([sys.executable, str(TOOL), '--root', folder, *arguments], capture_output=True, text=True, check=False)
        changed = [name for name, text in FILES.items() if name not in dict(files) and pathlib.Path(folder, name).read_text() != text]
        if changed or os.path.exists(os.path.join(folder, 'build')):
            sys.exit(f'the tree itself was changed: {changed}')
        return done.returncode, done.stdout + done.stderr


def expect(what, status, said, faults, *arguments, files=()):
    code, output = run(faults, *arguments, files=files)
    if code != status or said not in ' '.join(output.split()):
        sys.exit(f'{what}: exit status {code}, expected {status} and to read "{said}" in:\n{output}')


GOOD = fault()
expect('a good list', 0, '1 faults, 0 cannot be planted', '# a comment\n\n' + GOOD, '--check')
expect('a fault without a row', 0, 'no row of a run of: early', GOOD, '--check', files=[('docs/planted_faults.md', '| other | a |\n')])
expect('a text that is gone', 1, 'early: its text is found 0 times', fault(old='i <= n'), '--check')
expect('a text that stands there twice', 1, 'early: its text is found 2 times', fault(old='return n +'), '--check')
expect('a header that is gone', 1, 'there is no include/xgrad/core/none.hpp', fault(file='include/xgrad/core/none.hpp'), '--check')
expect('a room that is gone', 1, 'no test source is called plan/sum', fault(tests='plan/sum'), '--check')
expect('a source that was renamed', 1, 'no test source is called core/summation', fault(tests='core/summation'), '--check')
expect('a name twice', 1, 'stands there twice', GOOD + GOOD, '--check')
expect('no change', 1, 'lines with - and + that differ', fault(new='i < n'), '--check')
expect('a line of nothing', 1, 'no line of a fault', GOOD + 'breaks the rest\n', '--check')
expect('a name of nothing', 2, 'no fault and no folder', GOOD, 'late')
expect('the list', 0, 'early core/sum.hpp core/sum something', GOOD, '--list')

MORE = fault('more', old='return n + 1;', new='return n;')
expect('faults that are found, one by a source of the room', 0, '| more | core/sum.hpp | something | core/other | run |', GOOD + MORE, '--deep=room')
expect('a fault that the compiler finds', 0, 'early core/sum compiler', fault(new='i < m'))
expect('a fault that never ends or crashes', 0, 'early core/sum run', fault(old='return s;', new='return *(int volatile*)0;'))
expect('a fault that the named source does not find', 1, 'more NOTHING', MORE)
expect('a fault that nothing finds', 1, '0 of 1 faults are found', fault('unseen', old='return n + 2;', new='return n;'), '--deep')
expect('tests that fail anyway', 1, 'core/sum fails without any fault', GOOD,
       files=[('tests/core/sum_test.cpp', '#include <xgrad/core/sum.hpp>\nint run() { return sum(4) != 7; }\n')])

ROWS = ('| early | core/sum.hpp | b | core/sum | run | 1 |\n| more | core/sum.hpp | b | core/other | run | 2 |\n'
        '| said | ops/mean.hpp | b | compile_fail/ops/mean | sentence | 2 |\n')
expect('faults by folder', 0, '| core | 1 | 1 | | ops | 0 | 1 | | all | 1 | 2 |', GOOD, '--folders',
       files=[('docs/planted_faults.md', ROWS), ('tests/deep.txt', '# a comment\ncore/other\n')])

# The rows of a run in a document that has others.
with tempfile.TemporaryDirectory() as folder:
    document = pathlib.Path(folder, 'faults.md')
    head = '# Faults\n\nText.\n\n| fault | header | what it breaks | found by | how | seconds |\n|---|---|---|---|---|---:|\n'
    document.write_text(head + '| early | a | b | **nothing** |  | 1 |\n| other | a | b | c | run | 2 |\n\n1 of 2 faults are found.\n', encoding='utf-8')
    expect('rows in a document', 0, '2 of 2 faults are found', GOOD + MORE, '--deep=room', '--markdown', str(document))
    lines = document.read_text(encoding='utf-8').splitlines()
    rows = [line.rsplit(' | ', 1)[0] for line in lines[6:9]]
    if lines[:6] != head.splitlines() or lines[9:] != ['', '3 of 3 faults are found.'] or rows != [
            '| early | core/sum.hpp | something | core/sum | run', '| other | a | b | c | run', '| more | core/sum.hpp | something | core/other | run']:
        sys.exit('the rows are not where they belong:\n' + '\n'.join(lines))
    document.unlink()
    expect('a new file', 0, 'early', GOOD, '--markdown', str(document))
    if not document.read_text(encoding='utf-8').startswith('| fault |'):
        sys.exit('the new file has no table')
print('the tool finds what it should')
