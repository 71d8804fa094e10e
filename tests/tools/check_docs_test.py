#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/check_docs accepts what is right and finds each kind of mistake, in a temporary tree."""
import pathlib
import subprocess
import sys
import tempfile

CHECKER = pathlib.Path(sys.argv[1]) / 'tools/check_docs'
SNIPPET = '''// SPDX-License-Identifier: MIT
int f();
namespace n {
    // [call]
    int g() {
        return f();
    }
    // [/call]
}
'''
README = '# Title\n\n```cpp\nint g() {\n    return f();\n}\n```\n\n```sh\nanything\n```\n\n[here](#title), [there](docs/other.md#a-heading)\n'
PROGRAM = '// SPDX-License-Identifier: MIT\n\n// [one]\nint a;\n// [/one]\n\n// [two]\nint b;\n// [/two]\n'
TUTORIAL = '```cpp\nint a;\n```\n\n```cpp\nint b;\n```\n'
OTHER = '## A heading\n\nText.\n'
FOLDER_MAP = '# core\n\n[shape](shape.hpp), [tests](../../tests), [heading](../../docs/other.md#a-heading)\n'


HOW_TO = '// SPDX-License-Identifier: MIT\n// prints: sum [0-9]+\n\nint c;\n'
SCRIPT = '# SPDX-License-Identifier: MIT\nimport torch\n'
PAGE = '# To do it\n\n```cpp\nint c;\n```\n\n```text\nsum 3\n```\n\n```csv\na,b\n1,2\n```\n\n```python\nimport torch\n```\n\n[up](../other.md)\n'


def run(snippet=SNIPPET, readme=README, other=OTHER, tutorial=None, how_to=None, index=None, folder_map=FOLDER_MAP):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / 'docs/snippets').mkdir(parents=True)
        (root / 'docs/snippets/a.cpp').write_text(snippet)
        (root / 'README.md').write_text(readme)
        (root / 'docs/other.md').write_text(other)
        (root / 'include/core').mkdir(parents=True)
        (root / 'tests/core').mkdir(parents=True)
        (root / 'include/core/shape.hpp').write_text('')
        (root / 'include/core/README.md').write_text(folder_map)
        if tutorial is not None:
            (root / 'docs/tutorial.md').write_text(tutorial)
            (root / 'docs/snippets/tutorial.cpp').write_text(PROGRAM)
        if index is not None:
            (root / 'docs/README.md').write_text(index)
        if how_to is not None:
            (root / 'docs/how_to').mkdir()
            (root / 'docs/how_to/sums.md').write_text(how_to)
            (root / 'docs/snippets/how_to').mkdir()
            for file, text in (('sums.cpp', HOW_TO), ('rows.csv', 'a,b\n1,2\n3,4\n'), ('net.py', SCRIPT)):
                (root / 'docs/snippets/how_to' / file).write_text(text)
        result = subprocess.run([sys.executable, str(CHECKER), '--root', folder], capture_output=True, text=True)
        return result.returncode, result.stdout + result.stderr


def expect(what, said, **files):
    code, output = run(**files)
    if (code == 0) == bool(said) or said not in output:
        sys.exit(f'{what}: exit status {code}, expected to read "{said}" in:\n{output}')


expect('what is right', '')
expect('a changed block', 'no region of a file', readme=README.replace('f();', 'h();'))
expect('a changed snippet', 'README.md:3', snippet=SNIPPET.replace('return f()', 'return f() + 1'))
expect('a plan of nothing', 'none of tests/inspect/expected', readme=README + '```\nsteps      3\n```\n')
expect('a region that nobody shows', 'stands in no document', snippet=SNIPPET + '// [more]\nint h();\n// [/more]\n')
expect('a region without an end', 'has no end', snippet=SNIPPET.replace('    // [/call]\n', ''))
expect('a project that is not built', 'README.md:15: this line is not in tests/consume', readme=README + '```cmake\nFetchContent_Declare(xgrad)\n```\n')
expect('a block without an end', 'has no end', readme=README + '```cpp\n')
expect('a heading two levels below', 'README.md:14: this heading is more than one level', readme=README + '### Deep\n')
expect('a table', '', readme=README + '| a | b |\n|---|---:|\n| `x|y` | \\| |\n')
expect('a table without a header', 'README.md:14: this table has no header', readme=README + '|---|---|\n| a | b |\n')
expect('a table that begins in another one', 'README.md:16: this row has another', readme=README + '| a | b |\n|---|---|\n| a\n| a | b |\n')
expect('a link to nothing', 'docs/none.md is not there', readme=README + '[x](docs/none.md)\n')
expect('an anchor of its own name', '', readme=README + '[x](docs/other.md#here)\n', other=OTHER + '| Head |\n|---|\n| <a id="here"></a>Cell. |\n')
expect('an anchor to nothing', 'no heading or anchor for #b', readme=README + '[x](docs/other.md#b)\n')
expect('a header that was moved', 'include/core/README.md:3: arrays/shape.hpp is not there', folder_map=FOLDER_MAP.replace('shape.hpp', 'arrays/shape.hpp'))
expect('an anchor to nothing in a folder', 'no heading or anchor for #c', folder_map=FOLDER_MAP.replace('#a-heading', '#c'))
expect('a tutorial that is a program', '', tutorial=TUTORIAL)
expect('blocks in another order', '"int b;" stands where tutorial.cpp has "int a;"', tutorial='```cpp\nint b;\n```\n\n```cpp\nint a;\n```\n')
expect('a block twice', 'stands where tutorial.cpp has "None"', tutorial=TUTORIAL + TUTORIAL[:len(TUTORIAL) // 2])
expect('a page with a whole program, its output, rows and a script', '', how_to=PAGE)
expect('another output', 'no block ```text shows what sums.cpp prints: sum [0-9]+', how_to=PAGE.replace('sum 3', 'sum of 3'))
expect('a program that nobody shows', 'snippets/how_to/sums.cpp: this program stands in no document', how_to='# Nothing\n')
expect('other rows', 'docs/how_to/sums.md:11: this block is no file', how_to=PAGE.replace('1,2', '1,3'))
expect('another script', 'sums.md:16: this block is no file', how_to=PAGE.replace('import torch', 'import jax'))
expect('a dead link of a page in a folder', 'sums.md:20: ../none.md is not there', how_to=PAGE.replace('other.md', 'none.md'))
expect('an index of all documents', '', index='[other](other.md#a-heading)\n')
expect('a document that the index does not link', 'docs/other.md: docs/README.md does not link it', index='[up](../README.md)\n')
print('the checker finds what it should')
