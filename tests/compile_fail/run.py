# SPDX-License-Identifier: MIT
"""Compiles every case twice: as it stands it must be accepted, with -DXGRAD_EXPECT_ERROR it must be refused.

A case starts with one or more lines
    // expect-error: <regular expression>
each of which must be found in one of the first lines that the compiler prints (15, the lines a person sees without
scrolling). Lines in which the compiler only repeats the source do not count. `expect-error[clang]:` or
`expect-error[g++]:` speaks to that compiler only. The sentence must be the only error, unless a line
    // more errors: <why>
allows others after it.

Cases as they stand are compiled together, each in a namespace of its own, because the headers take longer than the
cases; only if that is refused one by one. With -DXGRAD_EXPECT_ERROR each is compiled alone, as a person compiles it.

usage: run.py [--lines N] <compiler>... -- <folder or case>... -- <compiler options...>
"""
import os
import re
import subprocess
import sys
import tempfile

EXPECT = re.compile(r'^// expect-error(?:\[([^\]]+)\])?: *(.+?) *$')
MORE = re.compile(r'^// more errors: ')


def split_arguments(arguments):
    groups = [[]]
    for argument in arguments:
        if argument == '--' and len(groups) < 3:
            groups.append([])
        else:
            groups[-1].append(argument)
    if len(groups) != 3:
        sys.exit(__doc__)
    return groups


def expectations(path, compiler):
    kind = 'clang' if 'clang' in os.path.basename(compiler) else 'g++'
    found = []
    with open(path, encoding='utf-8') as lines:
        for line in lines:
            match = EXPECT.match(line)
            if match and match.group(1) in (None, kind):
                found.append(match.group(2))
    return found


def may_say_more(path):
    with open(path, encoding='utf-8') as lines:
        return any(MORE.match(line) for line in lines)


def spoken(output, path, limit):
    """The first lines of the compiler's output with their numbers, without those that repeat the source."""
    with open(path, encoding='utf-8') as lines:
        source = {line.strip() for line in lines}
    result = []
    for number, line in enumerate(output.splitlines()[:limit], 1):
        if re.match(r'^\s+\d*\s*\|', line) or line.strip() in source or not line.strip('^~ '):
            continue
        result.append((number, line))
    return result


def run(command):
    environment = dict(os.environ, LC_ALL='C')
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    return done.returncode, done.stderr + done.stdout


def together(cases):
    """One source of all cases as they stand: their headers, then each in a namespace."""
    includes, bodies = [], []
    for number, case in enumerate(cases):
        with open(case, encoding='utf-8') as lines:
            includes += [line.strip() for line in lines if re.match(r'#include <', line)]
        bodies.append(f'namespace case_{number} {{\n#include "{os.path.abspath(case)}"\n}}\n')
    return '\n'.join(dict.fromkeys(includes)) + '\n' + ''.join(bodies)


def accepted_together(compiler, options, cases):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'together.cpp')
        with open(path, 'w', encoding='utf-8') as source:
            source.write(together(cases))
        return run([compiler, *options, '-fsyntax-only', path])[0] == 0


def judge(compiler, options, path, limit, accepted):
    """(None, the line of the last expected sentence) if the case is as it should be, else (what is wrong with it, 0)."""
    wanted = expectations(path, compiler)
    if not wanted:
        return 'has no line "// expect-error: <regular expression>"', 0
    command = [compiler, *options, '-fsyntax-only', path]
    if not accepted:
        status, output = run(command)
        if status != 0:
            return 'is refused without -DXGRAD_EXPECT_ERROR:\n' + output[:3000], 0
    status, output = run([*command, '-DXGRAD_EXPECT_ERROR'])
    if status == 0:
        return 'is accepted with -DXGRAD_EXPECT_ERROR', 0
    if re.search(r'internal compiler error|Segmentation fault|PLEASE submit a bug report', output):
        return 'breaks the compiler:\n' + output[:3000], 0
    lines = spoken(output, path, limit)
    latest = 0
    for pattern in wanted:
        found = next((number for number, line in lines if re.search(pattern, line)), None)
        if found is None:
            head = '\n'.join(output.splitlines()[:min(limit, 25)])
            return f'no line of the first {limit} has /{pattern}/:\n{head[:4000]}', 0
        latest = max(latest, found)
    errors = [line for line in output.splitlines() if re.search(r'(^|: )(fatal )?error: ', line)]
    if len(errors) > len(wanted) and not may_say_more(path):
        return f'{len(errors)} errors where {len(wanted)} is expected:\n' + '\n'.join(line[:300] for line in errors[:8]), 0
    return None, latest


def main():
    arguments, limit = sys.argv[1:], 15
    if arguments[:1] == ['--lines']:
        limit, arguments = int(arguments[1]), arguments[2:]
    compilers, places, options = split_arguments(arguments)
    cases = []
    for place in places:
        if os.path.isdir(place):
            for folder, _, files in os.walk(place):
                cases += [os.path.join(folder, file) for file in sorted(files) if file.endswith('.cpp')]
        else:
            cases.append(place)
    if not cases:
        sys.exit('no case found')
    bad = 0
    accepted = {compiler: accepted_together(compiler, options, cases) for compiler in compilers}
    for case in cases:
        for compiler in compilers:
            fault, line = judge(compiler, options, case, limit, accepted[compiler])
            name = f'{os.path.relpath(case, os.path.dirname(os.path.abspath(__file__)))} {os.path.basename(compiler)}'
            print(f'{"ok    " if fault is None else "FAILED"} {name}' + (f' line {line}' if fault is None else f' {fault}'), flush=True)
            bad += fault is not None
    print(f'{len(cases)} cases with {len(compilers)} compilers, {bad} wrong')
    sys.exit(bad > 0)


if __name__ == '__main__':
    main()
