# SPDX-License-Identifier: MIT
"""Compiles every case twice: unchanged the first compiler must accept it, with -DXGRAD_EXPECT_ERROR all must refuse it.
(That the sentence is the only error shows the rest of the case to the other compilers.)

A case starts with one or more lines
    // expect-error: <regular expression>
Each must match one of the first lines that the compiler prints: 15, the lines that a person sees without scrolling. Lines in
which the compiler only repeats the source do not count, unless they show a deleted function with a comment after it.
`expect-error[clang]:` or `expect-error[g++]:` is for that compiler only. The sentence must be the only error, unless a line
    // more errors: <why>
allows others after it.

The headers take longer to compile than the cases. So all cases are compiled together, each in its own namespace: once unchanged,
once with -DXGRAD_EXPECT_ERROR. Each case gets those messages of the second compilation that name its file and no other case. The
case is right if they are:
* one error, the expected one,
* within 15 lines of their beginning, with the lines "In file included from" that a separate source would have.
A case with several expectations is right if its one error has them all. One with more errors is right if its sentence is in the first
error of all. Cases without a message may share an error with another case, so they are compiled together once more.
Every other case is compiled alone, as a person compiles it, and that result counts. Examples: a late line, a second error, no error.
(If two cases share an error, the compiler prints it for one of them. So a case can hide a second error only if another case has the
same error, and that case is found.) --alone compiles every case alone.

--make-headers FOLDER precompiles for each compiler what the cases include, and does nothing else. With --headers FOLDER the
compilations of several cases read that. Cases that are compiled alone do not.

usage: run.py [--lines N] [--alone] [--headers FOLDER | --make-headers FOLDER] <compiler>... -- <folder or case>... -- <compiler options...>
"""
import concurrent.futures
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
from headers import LINES, Depths, Precompiled, Together, headers, is_clang, run   # noqa: E402

EXPECT = re.compile(r'^// expect-error(?:\[([^\]]+)\])?: *(.+?) *$')
MORE = re.compile(r'^// more errors: ')
ERROR = re.compile(r'(^|: )(fatal )?error: ', re.MULTILINE)
BROKEN = re.compile(r'internal compiler error|Segmentation fault|PLEASE submit a bug report')
WORTH_A_ROUND = 3   # cases; fewer that the first round leaves are compiled one by one


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
    kind = 'clang' if is_clang(compiler) else 'g++'
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
        if (re.match(r'^\s+\d*\s*\|', line) or line.strip() in source or not line.strip('^~ ')) and not DELETED.search(line):
            continue
        result.append((number, line))
    return result


def together(cases):
    """One source of all cases: their headers, then each in a namespace."""
    includes = dict.fromkeys(headers(case) for case in cases)
    bodies = [f'namespace case_{number} {{\n#include "{os.path.abspath(case)}"\n}}\n' for number, case in enumerate(cases)]
    return '\n'.join(includes) + '\n' + ''.join(bodies)


def compile_together(compiler, options, cases):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'together.cpp')
        with open(path, 'w', encoding='utf-8') as source:
            source.write(together(cases))
        # Cases that wreck each other, say by a header inside a namespace, make thousands of errors: then each is compiled alone.
        most = 20 * len(cases) + 100
        limits = [f'-ferror-limit={most}', '-ftemplate-backtrace-limit=0'] if is_clang(compiler) else [f'-fmax-errors={most}']
        # A main in a namespace is a plain function, for which compilers want a return statement.
        status, output = run([compiler, *Together.options(compiler), *options, *limits, '-Wno-return-type', '-fsyntax-only', path])
        return status, output, len(ERROR.findall(output)) >= most or BROKEN.search(output) is not None


DELETED = re.compile(r'= delete;\s+// \S')   # the declaration that a compiler shows, with a comment that says what to do
# What a compiler prints before an error: where it is included and what is being instantiated.
INCLUDED = re.compile(r'^(In file included from |                 from )')
BEFORE = re.compile(r"^(In file included from |                 from |\S+: (In|At) |\S+:\d+:\d+:   +((recursively )?required |in 'constexpr' ))")


def messages(output):
    """The compiler's messages: each a list of lines, from what is printed before an error to the last of its notes."""
    blocks, before = [], []
    for line in output.splitlines():
        if ERROR.search(line):
            blocks.append([*before, line])
            before = []
        elif BEFORE.match(line):
            before.append(line)
        else:   # a note, also with lines before it, or a line of source: it belongs to the last error
            if blocks:
                blocks[-1] += [*before, line]
            before = []
    return blocks


def accepted_together(compiler, options, cases):
    """The cases that are accepted in a compilation of all of them. Omits those that are refused, or missing."""
    while cases:
        status, output, wrecked = compile_together(compiler, options, cases)
        if status == 0 or wrecked:
            return set(cases) if status == 0 else set()
        left = [case for case in cases if os.path.abspath(case) + ':' not in output]
        cases = left if len(left) < len(cases) else []
    return set()


def sort_messages(compiler, options, cases):
    """Sorts the messages of a compilation of all cases. Returns
    * for each case the messages that name its file and no other case's; None for one that names several,
    * the messages that name no case,
    * the first message of all."""
    _, output, wrecked = compile_together(compiler, [*options, '-DXGRAD_EXPECT_ERROR'], cases)
    if wrecked:
        return {case: [] for case in cases}, [], None
    paths = {os.path.abspath(case): case for case in cases}
    named = re.compile('(' + '|'.join(re.escape(path) for path in paths) + '):')
    of_case, nobodys, blocks = {case: [] for case in cases}, [], messages(output)
    for block in blocks:
        owners = {paths[path] for path in named.findall('\n'.join(block))}
        for owner in owners:
            of_case[owner].append(block if len(owners) == 1 else None)
        if not owners:
            nobodys.append(block)
    return of_case, nobodys, blocks[0] if blocks else None


def place(block):
    """The file that an error is in. Clang names a precompiled one by its whole path."""
    return os.path.abspath(next(line for line in block if ERROR.search(line)).split(':', 1)[0])


def clearly_right(compiler, options, cases, depths):
    """The cases that a compilation of all of them shows to be refused as they should be, with the line of the sentence. And those that
    it says nothing of, or only with others: they may share an error with a case that is right."""
    right, silent = {}, None
    while len(cases) > 1:
        of_case, nobodys, first = sort_messages(compiler, options, cases)
        wanted = {case: expectations(case, compiler) for case in cases}
        if silent is None:
            silent = [case for case, blocks in of_case.items() if not any(blocks)]
        unheard = [case for case, blocks in of_case.items() if not blocks]
        for block in list(nobodys):   # a compiler may not say who called; the sentence does where one silent case alone expects it
            text = '\n'.join(spoken_lines(block))
            callers = [case for case in unheard if wanted[case] and all(re.search(pattern, text) for pattern in wanted[case])]
            if len(callers) == 1:
                of_case[callers[0]].append(block)
                nobodys.remove(block)
        right = {}
        for case, blocks in of_case.items():
            # Where more errors are allowed, the other cases' errors may hide some that come before the sentence. Not before the first.
            if not blocks or blocks[0] is None or (blocks[0] is not first if may_say_more(case) else len(blocks) != 1):
                continue
            where = place(blocks[0])
            before = 0 if where == os.path.abspath(case) else depths.of(case, where) or LINES
            text = '\n'.join(line for line in blocks[0] if not INCLUDED.match(line))
            lines = spoken(text, case, max(0, LINES - before))
            found = [next((number for number, line in lines if re.search(pattern, line)), 0) for pattern in wanted[case]]
            if found and all(found):
                right[case] = max(found) + before
        if not nobodys:
            break
        # A message without a case may belong to any. So compile once more without the cases that are judged alone.
        cases, right = list(right) if len(right) < len(cases) else [], {}
    return right, [case for case in silent or [] if case not in right]


def right_in_rounds(compiler, options, cases):
    """The cases of clearly_right. The silent ones are compiled together again: those that share an error with a case that is right have it
    for themselves then. Each round has one case that allows more errors, as its first."""
    depths = Depths(compiler, options, cases)
    right, left, more = {}, [case for case in cases if not may_say_more(case)], [case for case in cases if may_say_more(case)]
    while len(more[:1] + left) >= (WORTH_A_ROUND if right else 2):
        found, silent = clearly_right(compiler, options, more[:1] + left, depths)
        if not found:
            break
        right |= found
        left, more = [case for case in silent if not may_say_more(case)], more[1:]
    return right


def spoken_lines(block):
    return [line for line in block if not re.match(r'^\s+\d*\s*\|', line)]


def judge_quickly(compiler, options, path, limit, accepted, precompiled):
    """As judge, with the precompiled header of the case where it has one."""
    quick = precompiled.options(compiler, options, path)
    fault, line = judge(compiler, [*quick, *options], path, limit, accepted)
    return judge(compiler, options, path, limit, accepted) if fault and quick else (fault, line)


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
    if BROKEN.search(output):
        return 'breaks the compiler:\n' + output[:3000], 0
    lines = spoken(output, path, limit)
    latest = 0
    for pattern in wanted:
        found = next((number for number, line in lines if re.search(pattern, line)), None)
        if found is None:
            head = '\n'.join(output.splitlines()[:min(limit, 25)])
            return f'no line of the first {limit} has /{pattern}/:\n{head[:4000]}', 0
        latest = max(latest, found)
    errors = [line for line in output.splitlines() if ERROR.search(line)]
    if len(errors) > len(wanted) and not may_say_more(path):
        return f'{len(errors)} errors where {len(wanted)} is expected:\n' + '\n'.join(line[:300] for line in errors[:8]), 0
    return None, latest


def main():
    arguments, limit, alone = sys.argv[1:], LINES, False
    if arguments[:1] == ['--lines']:
        limit, arguments = int(arguments[1]), arguments[2:]
    if arguments[:1] == ['--alone']:
        alone, arguments = True, arguments[1:]
    making = arguments[:1] == ['--make-headers']
    if making or arguments[:1] == ['--headers']:
        Together.folder, arguments = os.path.abspath(arguments[1]), arguments[2:]
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
    if making:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            sys.exit('\n'.join(filter(None, pool.map(lambda compiler: Together.make(compiler, options, cases), compilers))) or 0)
    bad = 0
    together_too = not alone and limit >= LINES
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        clear = {c: pool.submit(right_in_rounds, c, options, cases) if together_too else None for c in compilers}
        accepted = pool.submit(accepted_together, compilers[0], options, cases).result()
        clear = {c: future.result() if future else {} for c, future in clear.items()}
        unclear = [(case, c) for case in cases for c in compilers if case not in accepted or case not in clear[c]]
        precompiled = Precompiled(folder, unclear if together_too else [])   # --alone: as a person compiles a case
        futures = {(case, c): pool.submit(judge_quickly, c, options, case, limit, case in accepted, precompiled) for case, c in unclear}
        for case, c in ((case, c) for case in cases for c in compilers):
            if (case, c) in futures:
                fault, line = futures[case, c].result()
            else:
                fault, line = None, f'{clear[c][case]} among all'
            name = f'{os.path.relpath(case, os.path.dirname(os.path.abspath(__file__)))} {os.path.basename(c)}'
            print(f'{"ok    " if fault is None else "FAILED"} {name}' + (f' line {line}' if fault is None else f' {fault}'), flush=True)
            bad += fault is not None
    print(f'{len(cases)} cases with {len(compilers)} compilers, {bad} wrong')
    sys.exit(bad > 0)


if __name__ == '__main__':
    main()
