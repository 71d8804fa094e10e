#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each tool says what it is and what it needs; wrong arguments get a usage line; public_api is skipped without clang.

help_test.py <repository>"""
import os
import pathlib
import subprocess
import sys
import tempfile

TOOLS = pathlib.Path(sys.argv[1]).resolve() / 'tools'
ANY_ARGUMENT = {'demo'}   # passes them to the program that it builds
FAILURES = []


def run(tool, *arguments, **variables):
    command = [tool] if tool.read_bytes().startswith(b'#!/usr/bin/env bash') else [sys.executable, tool]
    return subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=60, env={**os.environ, **variables})


def expect(what, condition, result):
    if not condition:
        FAILURES.append(f'{what}: status {result.returncode}\n{result.stdout}{result.stderr}')


found = [tool for tool in sorted(TOOLS.iterdir()) if tool.is_file() and os.access(tool, os.X_OK)]
for tool in found:
    for option in ('--help', '-h'):
        shown = run(tool, option)
        lines = shown.stdout.splitlines()
        expect(f'{tool.name} {option}', shown.returncode == 0 and lines and lines[0].startswith('usage: ') and not shown.stderr, shown)
        expect(f'{tool.name} {option} has no line "Needs: ..."', any(line.startswith('Needs: ') for line in lines), shown)
        expect(f'{tool.name} {option} has lines of more than 140 columns', all(len(line) <= 140 for line in lines), shown)
    if tool.name not in ANY_ARGUMENT:
        wrong = run(tool) if tool.name == 'timed' else run(tool, '--no-such-option')
        expect(f'{tool.name} with wrong arguments', wrong.returncode == 2 and 'usage: ' in wrong.stderr and 'Traceback' not in wrong.stderr, wrong)

# Modules named clang that cannot be used: without cindex, without a library, of a version with other kinds.
NO_LIBRARY = r'''
class LibclangError(Exception): pass
class Index:
    def create(): raise LibclangError("no libclang.so\nhere")
AccessSpecifier = CursorKind = None
'''
OTHER_KINDS = '''
class LibclangError(Exception): pass
class Index:
    def create(): return 1
class CursorKind:
    def from_id(number): raise ValueError(number)
    def __init__(self, number): raise ValueError(number)
AccessSpecifier = None
'''
for what, text in (('no cindex', None), ('no library', NO_LIBRARY), ('other kinds', OTHER_KINDS)):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / 'clang').mkdir()
        (pathlib.Path(folder) / 'clang/__init__.py').touch()
        if text:
            (pathlib.Path(folder) / 'clang/cindex.py').write_text(text)
        skipped = run(TOOLS / 'public_api', PYTHONPATH=folder)
        one_line = skipped.stdout.count('\n') == 1 and 'skipped' in skipped.stdout and not skipped.stderr
        expect(f'public_api, {what}', skipped.returncode == 77 and one_line, skipped)
        expect(f'help of public_api, {what}', run(TOOLS / 'public_api', '--help', PYTHONPATH=folder).returncode == 0, skipped)

if not found or FAILURES:
    sys.exit('\n'.join(FAILURES) or 'no tool is found')
print(f'{len(found)} tools say what they need')
