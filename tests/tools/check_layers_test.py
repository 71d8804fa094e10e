# SPDX-License-Identifier: MIT
"""tools/check_layers on a temporary tree: it accepts a good one and finds each kind of fault."""
import os
import subprocess
import sys
import tempfile

REPOSITORY = sys.argv[1]
LICENCE = '// SPDX-License-Identifier: MIT\n'
BEGIN, END = '#include <xgrad/config/macros_begin.hpp>\n', '#include <xgrad/config/macros_end.hpp>\n'
HEAD = LICENCE + '// A header.\n#pragma once\n' + BEGIN   # END follows where a tree is written
GOOD = {
    'all.hpp': HEAD + ''.join(f'#include <xgrad/{name}>\n' for name in ('xgrad.hpp', 'plan/fusion.hpp', 'plan/verify.hpp', 'io/file.hpp', 'optim/rule.hpp',
                                                                      'replicas/sync.hpp')),
    'xgrad.hpp': HEAD + '#include <xgrad/plan/plan.hpp>\n#include <xgrad/ops/op.hpp>\n#include <xgrad/ops/bodies.hpp>\n',
    'config/config.hpp': LICENCE + '#pragma once\n',
    'config/macros_begin.hpp': LICENCE,
    'config/macros_end.hpp': LICENCE,
    'core/shape.hpp': HEAD + '#include <xgrad/config/config.hpp>\n\n#include <array>\n',
    'ops/op.hpp': HEAD + '#include <xgrad/core/shape.hpp>\n',
    'grad/kept.hpp': HEAD + '#include <xgrad/ops/op.hpp>\n',
    'ops/bodies.hpp': HEAD + '#include <xgrad/grad/kept.hpp>\n',   # layers.txt allows this one
    'plan/plan.hpp': HEAD + '#include <xgrad/core/shape.hpp>\n',
    'plan/fusion.hpp': HEAD + '#include <xgrad/plan/plan.hpp>\n',
    'plan/verify/kinds.hpp': HEAD + '#include <xgrad/plan/plan.hpp>\n',
    'plan/verify.hpp': HEAD + '#include <xgrad/plan/verify/kinds.hpp>\n',
    'backend/xtensor.hpp': HEAD + '#include <xtensor/xtensor.hpp>\n',
    'optim/rule.hpp': HEAD,
    'io/file.hpp': HEAD + '#include <fcntl.h>\n',
    'replicas/sync.hpp': HEAD,
}


def check(files, *options):
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = os.path.join(root, 'include', 'xgrad', name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'w', encoding='utf-8') as handle:
                handle.write(text + END if BEGIN in text else text)
        run = subprocess.run(
            [sys.executable, os.path.join(REPOSITORY, 'tools', 'check_layers'), '--root', root, '--rules',
             os.path.join(REPOSITORY, 'tools', 'layers.txt'), *options], capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr


FAULTS = [
    ('plan/plan.hpp', '#include <xgrad/ops/op.hpp>', 'plan may not include xgrad/ops/op.hpp'),
    ('ops/other.hpp', '#include <xgrad/grad/kept.hpp>', 'ops may not include xgrad/grad/kept.hpp'),
    ('plan/verify/kinds.hpp', '#include <xgrad/plan/fusion.hpp>', 'plan/verify/kinds may not include xgrad/plan/fusion.hpp'),
    ('plan/verify.hpp', '#include <xgrad/plan/fusion.hpp>', 'plan/verify may not include xgrad/plan/fusion.hpp'),
    ('optim/rule.hpp', '#include <xgrad/plan/plan.hpp>', 'optim may not include xgrad/plan/plan.hpp'),
    ('io/file.hpp', '#include <xgrad/replicas/sync.hpp>', 'io may not include xgrad/replicas/sync.hpp'),
    ('replicas/sync.hpp', '#include <xgrad/io/file.hpp>', 'replicas may not include xgrad/io/file.hpp'),
    ('core/shape.hpp', '#include "dtype.hpp"', 'write <xgrad/room/file.hpp>'),
    ('core/shape.hpp', '#include <xgrad/xgrad.hpp>', 'umbrella'),
    ('core/shape.hpp', '#include <xgrad/core/absent.hpp>', 'does not exist'),
    ('ops/op.hpp', '  #  include <xtensor/xarray.hpp>', 'ops may not include <xtensor/xarray.hpp>'),
    ('ops/op.hpp', '#include <xsimd/xsimd.hpp>', 'may not include <xsimd/xsimd.hpp>'),
    ('ops/op.hpp', '#include <mpi.h>', 'may not include <mpi.h>'),
    ('ops/op.hpp', '#include <cblas.h>', 'may not include <cblas.h>'),
    ('ops/op.hpp', '#include <unistd.h>', 'may not include <unistd.h>'),
    ('io/alone.hpp', '', 'include/xgrad/io/alone.hpp: all.hpp does not reach it'),
    ('core/shape.hpp', '#include <cmath>', 'include/xgrad/core/shape.hpp: <cmath> would be in xgrad.hpp'),
    ('core/shape.hpp', '#include <xgrad/core/shape.hpp>', 'include cycle'),
    ('core/shape.hpp', '\n' * 400, 'lines, at most 400'),
    ('strange/file.hpp', '', 'strange has no row'),
]

failed = 0
status, output = check(GOOD)
if status != 0:
    failed += 1
    print('a good tree was refused:\n' + output)
for name, line, expected in FAULTS:
    files = dict(GOOD)
    files[name] = files.get(name, HEAD) + line + '\n'
    status, output = check(files)
    if status == 0 or expected not in output:
        failed += 1
        print(f'{name} with {line.strip()!r}: expected "{expected}", exit status {status}:\n{output}')
many = {f'io/file_{k}.hpp': HEAD for k in range(8)}   # with file.hpp they are nine
many['io/file.hpp'] = HEAD + ''.join(f'#include <xgrad/{name}>\n' for name in many)
MAP = '# io\n\n' + ''.join(f'[x]({name[3:]})\n' for name in many) + """
May include: every folder except `inspect`, `optim`, `train`, `transport`, `replicas`,
`nn`, `data`, `metrics`.

May be included by: programs only.
"""
ABOVE = '# plan\n\n[a](plan.hpp) [b](fusion.hpp) [c](verify.hpp) [d](verify/kinds.hpp)\n\nMay include: `graph`, `core`, `meta`, `config`.\n\n'
USERS = 'May be included by: `inspect`, `run`, `compile`, `exec`, `train`, `replicas`, `io`.\n'
MAPS = [
    ({}, 'more than 8 headers'),
    ({'io/README.md': MAP}, ''),
    ({'io/README.md': MAP.replace('file_3.hpp', 'file_4.hpp')}, 'include/xgrad/io/README.md: has no link to file_3.hpp'),
    ({'io/README.md': MAP.replace('`nn`, ', '')}, '"May include:" is not what layers.txt says: '),
    ({'io/README.md': MAP.replace('programs only', '`nn`')}, '"May be included by:" is not what layers.txt says: no folder'),
    ({'io/README.md': MAP, 'plan/README.md': ABOVE + USERS}, ''),
    ({'io/README.md': MAP, 'plan/README.md': ABOVE}, 'include/xgrad/plan/README.md: "May be included by:" is not'),
    ({'io/README.md': MAP, 'plan/README.md': ABOVE.replace('verify/kinds.hpp', 'verify') + USERS}, 'has no link to verify/kinds.hpp'),
    ({'io/README.md': MAP, 'plan/README.md': ABOVE.replace('verify/kinds.hpp', 'verify') + USERS, 'plan/verify/README.md': '[kinds](kinds.hpp)\n'}, ''),
]
for more, expected in MAPS:
    status, output = check({**GOOD, **many, **more})
    if (expected or '0 against the rules') not in output or (status == 0) == bool(expected):
        failed += 1
        print(f'READMEs {sorted(more)}: expected "{expected}":\n{output}')
HIDES = 'tools/check_layers --write'
ALONE = [
    ('core/shape.hpp', '#pragma once\n', 'licence'),
    ('core/shape.hpp', HEAD.replace('#pragma once', ''), 'pragma'),
    ('core/shape.hpp', HEAD.replace(BEGIN, ''), HIDES),
    ('core/shape.hpp', HEAD.replace(BEGIN, '#include <array>\n' + BEGIN), HIDES),
    ('core/shape.hpp', HEAD + END, HIDES),
    ('core/shape.hpp', HEAD.replace(BEGIN, '') + END, HIDES),
]
for name, text, expected in ALONE:
    status, output = check({**GOOD, name: text})
    if status == 0 or expected not in output:
        failed += 1
        print(f'{name}: expected "{expected}":\n{output}')
for name, text, expected in ALONE[2:]:   # what is missing can be written
    status, output = check({**GOOD, name: text}, '--write')
    if status != 0:
        failed += 1
        print(f'{name}, --write: exit status {status}:\n{output}')
print(f'{len(FAULTS) + len(MAPS) + 2 * len(ALONE) + 1} trees, {failed} judged wrongly')
sys.exit(failed > 0)
