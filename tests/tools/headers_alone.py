# SPDX-License-Identifier: MIT
"""Every header of xgrad includes what it needs: it compiles with nothing before it.

    headers_alone.py REPOSITORY COMPILER [OPTION...]

Headers are compiled in rows: each header of a row is included by the next one. So nothing precedes a header that it does not include
itself, and most headers cost no compilation. What the first header of a row includes is read from a precompiled header where that is
worth its cost. Headers that have nothing but includes are not compiled. Headers that need a library for which xgrad does not ask are
compiled where it is installed.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

INCLUDE = re.compile(r'^ *# *include +<(xgrad/[^>]+)>')
STANDARD = re.compile(r'^ *# *include +<([a-z_/.]+)>', re.MULTILINE)
THIRD_PARTIES = {'xgrad/eigen': 'Eigen/Core', 'xgrad/backend/eigen': 'Eigen/Core', 'xgrad/mdspan': 'mdspan',
                 'xgrad/backend/mdspan': 'mdspan', 'xgrad/transport/mpi': 'mpi.h'}
# Guesses of costs. They decide only which headers are precompiled.
STANDARD_LINES = 800   # a standard header, in lines of xgrad
LONG_STANDARD_LINES = {'chrono': 9000, 'thread': 4000, 'memory': 8000, 'mutex': 5000, 'functional': 5000, 'string': 4000, 'cmath': 4000,
                       'complex': 6000, 'algorithm': 3000}
COMPILATION = 4000     # another compilation, in such lines
PRECOMPILING = 2.5     # making a precompiled header, in compilations of that header


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


def only_includes(text, texts):
    """Whether a header has nothing but includes of headers that are there. They are compiled, by consume.single_header in one source."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith('//') and line != '#pragma once']
    return all((match := INCLUDE.match(line)) and match.group(1) in texts for line in lines)


def all_included(name, direct, seen):
    for other in direct[name]:
        if other not in seen:
            seen.add(other)
            all_included(other, direct, seen)
    return seen


def rows(included):
    """All headers, in lists in which each header is included by the next."""
    by_size = sorted(included, key=lambda name: (-len(included[name]), name))
    left, result = set(included), []
    for name in by_size:
        row = []
        while name in left:
            left.remove(name)
            row.insert(0, name)
            name = next((other for other in by_size if other in left and other in included[name]), None)
        if row:
            result.append(row)
    return result


def cost(name, included, texts):
    """About the lines that a compiler reads for a header."""
    all_texts = [texts[other] for other in {name, *included[name]}]
    return sum(text.count('\n') for text in all_texts) + sum(
        LONG_STANDARD_LINES.get(h, STANDARD_LINES) for h in {h for text in all_texts for h in STANDARD.findall(text)})


def with_bases(all_rows, included, texts):
    """Pairs of a header to precompile, or None, and a row that is compiled after it: its first header is that one or includes it.

    A row is cut where a precompiled header replaces more than the part before the cut."""
    costs = {name: cost(name, included, texts) for name in included}
    known = {}   # for each header, what the compiler has read before it; and the precompiled header that replaces it
    for row in all_rows:
        known |= {name: (costs[before] + COMPILATION if before else 0, None) for before, name in zip([None, *row], row)}
    users = {name: [name] for name in included if not party(name)}
    for name, others in included.items():
        for other in others & users.keys():
            users[other].append(name)

    def gain(base):
        return sum(max(0, costs[base] - known[name][0]) for name in users[base]) - PRECOMPILING * costs[base]

    while users:
        best = max(users, key=gain)
        if gain(best) <= 0:
            break
        known |= {name: (costs[best], best) for name in users[best] if costs[best] > known[name][0]}
    result = []
    for row in all_rows:
        for name in row:
            if name == row[0] or known[name][1]:
                result.append((known[name][1], []))
            result[-1][1].append(name)
    return result


def party(name):
    return next((needs for header, needs in THIRD_PARTIES.items() if name.startswith(header)), None)


def source_of(row):
    lines = []
    for name in row:
        needs = party(name)
        lines += [f'#if __has_include(<{needs}>)', f'#include <{name}>', '#endif'] if needs else [f'#include <{name}>']
    return '\n'.join(lines) + '\n'


def main():
    include, compiler = pathlib.Path(sys.argv[1], 'include'), [*sys.argv[2:], '-std=c++20', f'-I{sys.argv[1]}/include']
    clang = 'clang' in subprocess.run([compiler[0], '--version'], capture_output=True, text=True, check=False).stdout
    texts = {path.relative_to(include).as_posix(): path.read_text(encoding='utf-8') for path in include.rglob('xgrad/**/*.hpp')}
    direct = {name: certain_includes(text) for name, text in texts.items()}
    included = {name: all_included(name, direct, set()) for name in direct if not only_includes(texts[name], texts)}
    chosen, found = zip(*with_bases(rows(included), included, texts)) if texts else ([], [])

    def compile_(options, text):
        return subprocess.run([*compiler, *options, '-'], input=text, capture_output=True, text=True, check=False)

    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        def precompile(name):
            """What makes the compiler read the precompiled header. Nothing if the header does not compile: its row tells why."""
            source = pathlib.Path(folder, name.replace('/', '.'))   # g++ precompiles no header from its standard input
            source.write_text(f'#include <{name}>\n', encoding='utf-8')
            file = f'{source}.gch'
            done = subprocess.run([*compiler, '-x', 'c++-header', source, '-o', file], capture_output=True, check=False)
            return [] if done.returncode else ['-include-pch', file] if clang else ['-include', source]

        names = list(dict.fromkeys(name for name in chosen if name))
        options = dict(zip(names, pool.map(precompile, names))) | {None: []}
        failed = 0
        done = pool.map(lambda row, base: compile_([*options[base], '-fsyntax-only', '-x', 'c++'], source_of(row)), found, chosen)
        for row, result in zip(found, done):
            if result.returncode:
                failed += 1
                print('\n'.join([f'in this order: {" ".join(row)}', *result.stderr.splitlines()[:30]]))
    made = sum(options[name] != [] for name in names)
    print(f'{len(direct)} headers in {len(found)} compilations, with {made} precompiled headers, {failed} failed')
    sys.exit(failed > 0 or not direct)


if __name__ == '__main__':
    main()
