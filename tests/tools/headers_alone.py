# SPDX-License-Identifier: MIT
"""Every header of xgrad includes what it needs: it compiles with nothing before it.

    headers_alone.py REPOSITORY COMPILER [OPTION...]

Headers are compiled in rows: each header of a row is included by the next one. So nothing precedes a header that it does not include
itself, and most headers cost no compilation. Headers that need a library for which xgrad does not ask are compiled where it is installed.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

INCLUDE = re.compile(r'^ *# *include +<(xgrad/[^>]+)>')
THIRD_PARTIES = {'xgrad/eigen': 'Eigen/Core', 'xgrad/backend/eigen': 'Eigen/Core', 'xgrad/mdspan': 'mdspan',
                 'xgrad/backend/mdspan': 'mdspan', 'xgrad/transport/mpi': 'mpi.h'}


def certain_includes(text):
    """The headers that are included whatever macros are defined."""
    found, depth = [], 0
    for line in text.splitlines():
        if re.match(r' *# *if', line):
            depth += 1
        elif re.match(r' *# *endif', line):
            depth -= 1
        elif depth == 0 and (match := INCLUDE.match(line)):
            found.append(match.group(1))
    return found


def all_included(name, direct, seen):
    for other in direct[name]:
        if other not in seen:
            seen.add(other)
            all_included(other, direct, seen)
    return seen


def rows(direct):
    """All headers, in lists in which each header is included by the next."""
    included = {name: all_included(name, direct, set()) for name in direct}
    by_size = sorted(direct, key=lambda name: (-len(included[name]), name))
    left, result = set(direct), []
    for name in by_size:
        row = []
        while name in left:
            left.remove(name)
            row.insert(0, name)
            name = next((other for other in by_size if other in left and other in included[name]), None)
        if row:
            result.append(row)
    return result


def source_of(row):
    lines = []
    for name in row:
        party = next((needs for header, needs in THIRD_PARTIES.items() if name.startswith(header)), None)
        lines += [f'#if __has_include(<{party}>)', f'#include <{name}>', '#endif'] if party else [f'#include <{name}>']
    return '\n'.join(lines) + '\n'


def main():
    include, compiler = pathlib.Path(sys.argv[1], 'include'), sys.argv[2:]
    direct = {path.relative_to(include).as_posix(): certain_includes(path.read_text(encoding='utf-8'))
              for path in include.rglob('xgrad/**/*.hpp')}
    found = rows(direct)

    def compile_(row):
        return subprocess.run([*compiler, '-std=c++20', f'-I{include}', '-fsyntax-only', '-x', 'c++', '-'],
                              input=source_of(row), capture_output=True, text=True, check=False)

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for row, done in zip(found, pool.map(compile_, found)):
            if done.returncode:
                failed += 1
                print('\n'.join([f'in this order: {" ".join(row)}', *done.stderr.splitlines()[:30]]))
    print(f'{len(direct)} headers in {len(found)} compilations, {failed} failed')
    sys.exit(failed > 0 or not direct)


if __name__ == '__main__':
    main()
