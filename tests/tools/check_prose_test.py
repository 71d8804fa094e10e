# SPDX-License-Identifier: MIT
"""tools/check_prose on temporary trees: it finds each kind of fault, and nothing in code. check_prose_test.py <repository>"""
import os
import subprocess
import sys
import tempfile

TOOL = os.path.join(sys.argv[1], 'tools', 'check_prose')
LIST = '# words\nbehind -> after\nof its own -> separate\nexcept "lags behind": a rank does\n'
LONG, TEN = 'is ' * 31, 'is ' * 10
CODE = 'int f(int a_long_name, int b);'
FAILURES = []


def run(files, *options):
    """Exit status, output and the list of allowed faults after a run."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in {'tools/prose_words.txt': LIST, **files}.items():
            path = os.path.join(root, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'w', encoding='utf-8') as handle:
                handle.write(text)
        paths = [os.path.join(root, o) if '.' in o or o.endswith('/x') else o for o in options]
        done = subprocess.run([sys.executable, TOOL, '--root', root, *paths], capture_output=True, text=True)
        allowed = os.path.join(root, 'tools', 'prose_allowed.txt')
        return done.returncode, done.stdout + done.stderr, open(allowed, encoding='utf-8').read() if os.path.exists(allowed) else ''


def expect(name, status, said, result):
    if result[0] != status or said not in result[1]:
        FAILURES.append(f'{name}: expected status {status} and "{said}", status {result[0]}:\n{result[1]}')


FAULTS = [
    ('docs/a.md', f'# Title\n\n{LONG}.\n', 'docs/a.md:3: sentence: 31 words'),
    ('docs/a.md', f'Short. {TEN}\n{TEN};\n{TEN} end.\n', 'docs/a.md:1: sentence: 31 words'),
    ('docs/a.md', f'* one\n* {TEN}\n  {TEN}\n  {TEN} x\n', 'docs/a.md:2: sentence: 31 words'),
    ('docs/a.md', f'| a | b |\n|---|---|\n| x | {LONG} |\n', 'docs/a.md:3: sentence: 31 words'),
    ('docs/a.md', f'{TEN} e.g. {TEN} of 0.5 and {TEN}.\n', 'sentence: 34 words'),
    ('docs/a.md', 'is ' * 28 + ' `int x` [a link](to/a/place with words) end.\n', 'sentence: 32 words'),
    ('docs/a.md', 'w' * 141 + '\n', 'docs/a.md:1: line: 141 columns'),
    ('docs/a.md', 'One is\nbehind it.\n', 'docs/a.md:2: word: "behind", write after'),
    ('docs/a.md', 'A thing of\nits own.\n', 'docs/a.md:1: word: "of its own", write separate'),
    ('docs/a.md', 'A [link over\nlines](x.md) and\none behind it.\n', 'docs/a.md:3: word: "behind"'),
    ('include/x.hpp', f'{CODE}\n// {TEN}\n// {TEN}\n// {TEN} end.\n', 'include/x.hpp:2: sentence: 31 words'),
    ('include/x.hpp', f'/* {TEN}\n * {TEN}\n * {TEN} end. */\n', 'include/x.hpp:1: sentence: 31 words'),
    ('include/x.hpp', f'/// Short.\n/// {LONG}.\n{CODE}\n', 'include/x.hpp:2: sentence: 31 words'),
    ('include/x.hpp', f'{CODE}   // {TEN}{TEN}\n' + ' ' * len(CODE) + f'   // {TEN} end\n', 'include/x.hpp:1: sentence: 31 words'),
    ('include/x.hpp', f'{CODE}   // it comes behind\n', 'include/x.hpp:1: word: "behind"'),
    ('include/x.hpp', f'{CODE}   // ' + 'w' * 120 + '\n', 'columns'),
    ('include/x.hpp', f'//     m{CODE}      it comes\n//     f{CODE}       behind the rule\n', 'include/x.hpp:2: word: "behind"'),
    ('include/x.hpp', f'//     auto a = f();   // it comes behind\n', 'include/x.hpp:1: word: "behind"'),
    ('tools/x', f'#!/bin/sh\n# {LONG}\n', 'tools/x:2: sentence: 31 words'),
    ('tools/x.py', f'def f():\n    """Short\n    {LONG}"""\n', 'tools/x.py:2: sentence: 32 words'),
    ('include/x.hpp', f'static_assert(b, "{TEN}"\n    "{TEN}" // why\n "{TEN} end");\n', 'include/x.hpp:1: error: 31 words'),
    ('include/x.hpp', f'throw error("{TEN}" + name + " {TEN}" + to_text(b) + " {TEN}");\n', 'include/x.hpp:1: error: 32 words'),
]
CLEAN = [
    ('docs/a.md', f'```cpp\n{LONG} behind\n```\n\n    {LONG} behind\n\nText `{LONG} behind`.\n'),
    ('docs/a.md', f'{TEN}{TEN}. {TEN}\n{TEN}! {TEN}\n{TEN}\n\n{TEN}{TEN}:\n\n* {TEN}\n* {TEN}\n'),
    ('docs/a.md', '[' + 'w' * 80 + '](' + 'w' * 80 + ')\n\n[ref]: http://' + 'w' * 140 + '\n'),
    ('docs/a.md', '| ' + 'w' * 141 + ' |\n'),
    ('docs/a.md', 'A rank lags behind.\n'),
    ('docs/a.md', f'<!-- made by tools/x -->\n{LONG}\n<!-- end -->\n'),
    ('docs/a.md', 'is ' * 25 + ' a = b + c * d - e / f ≤ g, pow(x, y, z) [n, m, 64].\n'),
    ('docs/a.txt', f'{LONG} behind'),
    ('include/x.hpp', f'// SPDX-License-Identifier: {LONG}\n//     f(behind) = {CODE}\n//     m = f();   // behind();\n// auto x = f(behind, y);\n// \\f[ {LONG} \\f]\n'),
    ('include/x.hpp', f'// {TEN}{TEN}\n\n// {TEN}{TEN}\n//\n// {TEN}{TEN}\n{CODE}   // {TEN}\n{CODE}   // {TEN}\n'),
    ('include/x.hpp', f'// * {TEN}{TEN}\n// * {TEN}{TEN}\n/// {TEN}{TEN}\n/// \\throws {TEN}{TEN}\n/// Source: {TEN}\n'),
    ('include/x.hpp', f'auto url = "http://behind";   int million = 1\'000\'000;   char quote = \'"\'; // {TEN}\n'),
    ('include/x.hpp', f'static_assert(b, "{TEN}{TEN}. {TEN}{TEN}"); f("{TEN}{TEN}", "{TEN}{TEN}");\n'),
    ('include/x.hpp', '#include <a/' + 'w' * 141 + '>\n'),
    ('tools/x.py', 'TEXT = \'\'\'# ' + LONG + '\'\'\'\nPAGE = """\n# ' + LONG + '\n"""\nNAME = "a # ' + 'w' * 141 + '"\n'),
    ('tools/x', f'# {LONG}\n'),
]
for name, text, said in FAULTS:   # the gate finds what is in its roots
    expect(f'{name} with {text!r}', 1, said, run({name: text}, name, '--errors'))
    expect(f'gate, {name} with {text!r}', 1, '0 allowed', run({name: text}, '--all'))
for name, text in CLEAN:
    expect(f'{name} with {text!r}', 0, '0 sentence, 0 line, 0 word, 0 error', run({name: text}))

# A file must have exactly the allowed number of faults of each kind.
TWO = {'docs/a.md': 'One behind. Two behind.\n', 'include/b.hpp': f'// {LONG}\n'}
ALLOWED = 'docs/a.md word=2\ninclude/b.hpp sentence=1\n'
expect('met', 0, '0 error in', run({**TWO, 'tools/prose_allowed.txt': ALLOWED}))
expect('exceeded', 1, 'docs/a.md: 2 faults of kind word, 1 allowed', run({**TWO, 'tools/prose_allowed.txt': ALLOWED.replace('2', '1')}))
expect('too large', 1, 'run tools/check_prose --write', run({**TWO, 'tools/prose_allowed.txt': ALLOWED.replace('2', '3')}))
expect('too large by a file', 1, 'docs/gone.md: 0 faults', run({**TWO, 'tools/prose_allowed.txt': ALLOWED + 'docs/gone.md line=1\n'}))
expect('other limit', 0, '0 error in', run({'docs/a.md': f'{LONG}.'}, '--limit', '31'))
for root in ('tests', 'bench'):
    expect(root, 1, f'{root}/x.cpp:1: sentence', run({f'{root}/x.cpp': f'// {LONG}\n'}))
expect('more roots', 1, 'tools/x:1: sentence', run({'tools/x': f'# {LONG}\n'}, '--all'))
expect('errors only when asked', 0, '0 error', run({'include/x.hpp': f'f("{LONG}");\n'}, 'include/x.hpp'))
for name, before, options, status, after in [
        ('lowered', ALLOWED.replace('2', '7') + 'docs/gone.md line=1\n', (), 0, ALLOWED),
        ('merged', '<<<<<<< a\n=======\n' + ALLOWED + '>>>>>>> b\n', (), 0, ALLOWED),
        ('not raised', 'docs/a.md word=1\n', (), 1, 'docs/a.md word=1\n'),
        ('raised', '', ('--raise',), 0, ALLOWED)]:
    result = run({**TWO, 'tools/prose_allowed.txt': before}, '--write', *options)
    written = ''.join(line for line in result[2].splitlines(True) if not line.startswith('#'))
    if result[0] != status or written != after:
        FAILURES.append(f'{name}: status {result[0]}, written:\n{result[2]}{result[1]}')

counts = run({**TWO, 'include/xgrad/core/c.hpp': f'/// Five words are in here.\nf("{LONG}");\n'}, '--counts')
for row in ('documents                         2       2     2        2     0     0      0      2       0',
            'comments                          2      18    31       31     1     1      0      0       1',
            'include/xgrad/core                1       5     5        5     0     0      0      0       1'):
    expect('counts', 0, row, counts)
expect('a list that cannot be read', 1, 'write `pattern -> words`', run({'tools/prose_words.txt': 'behind\n'}))
print('\n'.join(FAILURES) or f'{len(FAULTS)} faults found, {len(CLEAN)} clean texts')
sys.exit(bool(FAILURES))
