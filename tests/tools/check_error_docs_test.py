#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/check_error_docs: the table and its anchors, that anchors stay, and that a sentence without a case is found.

check_error_docs_test.py <repository>"""
import pathlib
import re
import subprocess
import sys
import tempfile

CHECKER = pathlib.Path(sys.argv[1]) / 'tools/check_error_docs'
HEADER = 'static_assert(a, "xgrad: one is wrong");\n// static_assert(b, "xgrad: a comment");\nstatic_assert(c<1>, "xgrad: two" " is < one");\n'
FOOT = '#ifdef XGRAD_EXPECT_ERROR\nauto y = f(1);\n#else\nauto y = f(2);\n#endif\n'
FILES = {'docs/errors.md': '# Errors\n\n<!-- made by tools/check_error_docs --write -->\n<!-- end -->\n\nEnd.\n',
         'include/xgrad/ops/x.hpp': HEADER,
         'tests/compile_fail/ops/both.cpp': '// expect-error: xgrad: \n' + FOOT,
         'tests/compile_fail/ops/one.cpp': '// expect-error: one is wrong\n' + FOOT,
         'tests/compile_fail/harness/none.cpp': '// expect-error: xgrad: two\n' + FOOT}


def expect(what, condition, shown=''):
    if not condition:
        sys.exit(f'{what}:\n{shown}')


def run(root, *arguments):
    result = subprocess.run([sys.executable, CHECKER, '--root', root, *arguments], capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


def anchors(root):
    """Anchor → sentence."""
    return dict(re.findall(r'^\| <a id="(\w+)"></a>(.*?) \[#\]', (root / 'docs/errors.md').read_text(encoding='utf-8'), re.M))


with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)

    def write(name, text):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding='utf-8')

    for file in FILES.items():
        write(*file)
    code, output = run(root)
    expect('a document without its table', code == 1 and 'not what the headers say' in output, output)
    code, output = run(root, '--write')
    expect('the table is written', code == 0 and '2 sentences' in output, output)
    document = (root / 'docs/errors.md').read_text(encoding='utf-8')
    expect('a row', '| <a id="one"></a>xgrad: one is wrong [#](#one) | `` auto y = f(1) `` | `` auto y = f(2) `` |\n' in document, document)
    expect('the text around it stays', document.startswith('# Errors\n\n<!--') and document.endswith('<!-- end -->\n\nEnd.\n'), document)
    expect('a case of one sentence alone gives the anchor', anchors(root) == {'one': 'xgrad: one is wrong', 'both': 'xgrad: two is &lt; one'}, document)
    expect('what is written is accepted', run(root)[0] == 0, run(root)[1])

    # Cases that would be taken first do not change the anchors that links may use.
    write('tests/compile_fail/ops/a_new_one.cpp', '// expect-error: one is wrong\n' + FOOT)
    write('tests/compile_fail/ops/a_new_two.cpp', '// expect-error: two is\n' + FOOT)
    expect('new cases', run(root, '--write')[0] == 0 and set(anchors(root)) == {'one', 'both'}, anchors(root))
    # The same case with another sentence keeps its anchor.
    write('include/xgrad/ops/x.hpp', HEADER.replace('one is wrong', 'one is wrong here'))
    run(root, '--write')
    expect('a sentence in other words', anchors(root) == {'one': 'xgrad: one is wrong here', 'both': 'xgrad: two is &lt; one'}, anchors(root))
    # Without its case a sentence has another anchor.
    (root / 'tests/compile_fail/ops/both.cpp').unlink()
    run(root, '--write')
    expect('a case that is gone', anchors(root).get('a_new_two') == 'xgrad: two is &lt; one', anchors(root))
    # Two sentences of one case.
    for name in ('one', 'a_new_one', 'a_new_two'):
        (root / f'tests/compile_fail/ops/{name}.cpp').unlink()
    write('tests/compile_fail/ops/both.cpp', '// expect-error: xgrad: \n' + FOOT)
    run(root, '--write')
    expect('each has an anchor', len(anchors(root)) == 2 and 'both' in anchors(root), anchors(root))
    expect('accepted', run(root)[0] == 0, run(root)[1])

    write('include/xgrad/ops/x.hpp', HEADER + 'static_assert(d, "other: three");\n')
    code, output = run(root, '--write')
    expect('a sentence without a case', code == 1 and 'no case of tests/compile_fail expects: other: three' in output, output)
print('tools/check_error_docs makes what it says')
