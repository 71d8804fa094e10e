# SPDX-License-Identifier: MIT
"""tools/check_layers on a temporary tree: it accepts a good one and finds each kind of fault."""
import os
import subprocess
import sys
import tempfile

REPOSITORY = sys.argv[1]
HEAD = '// SPDX-License-Identifier: MIT\n// A header.\n#pragma once\n'
GOOD = {
    'xgrad.hpp': HEAD + '#include <xgrad/plan/plan.hpp>\n#include <xgrad/ops/op.hpp>\n',
    'config/config.hpp': HEAD,
    'core/shape.hpp': HEAD + '#include <xgrad/config/config.hpp>\n\n#include <vector>\n',
    'ops/op.hpp': HEAD + '#include <xgrad/core/shape.hpp>\n',
    'plan/plan.hpp': HEAD + '#include <xgrad/core/shape.hpp>\n',
    'plan/fusion.hpp': HEAD + '#include <xgrad/plan/plan.hpp>\n',
    'plan/verify/kinds.hpp': HEAD + '#include <xgrad/plan/plan.hpp>\n',
    'plan/verify.hpp': HEAD + '#include <xgrad/plan/verify/kinds.hpp>\n',
    'backend/xtensor.hpp': HEAD + '#include <xtensor/xtensor.hpp>\n',
    'optim/rule.hpp': HEAD,
    'io/file.hpp': HEAD + '#include <fcntl.h>\n',
    'replicas/sync.hpp': HEAD,
}


def check(files):
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = os.path.join(root, 'include', 'xgrad', name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'w', encoding='utf-8') as handle:
                handle.write(text)
        run = subprocess.run(
            [sys.executable, os.path.join(REPOSITORY, 'tools', 'check_layers'), '--root', root, '--rules',
             os.path.join(REPOSITORY, 'tools', 'layers.txt')], capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr


FAULTS = [
    ('plan/plan.hpp', '#include <xgrad/ops/op.hpp>', 'plan may not include xgrad/ops/op.hpp'),
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
for name, text, expected in [('core/shape.hpp', '#pragma once\n', 'licence'), ('core/shape.hpp', HEAD.replace('#pragma once', ''), 'pragma')]:
    status, output = check({**GOOD, name: text})
    if status == 0 or expected not in output:
        failed += 1
        print(f'{name}: expected "{expected}":\n{output}')
print(f'{len(FAULTS) + 3} trees, {failed} judged wrongly')
sys.exit(failed > 0)
