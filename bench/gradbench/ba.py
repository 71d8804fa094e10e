# SPDX-License-Identifier: MIT
import glob
import os
import re

FUNCTIONS = {'primal': 'objective', 'gradient': 'jacobian'}


def cases(suite, Numbers):
    files = glob.glob(os.path.join(suite, 'evals', 'ba', 'data', 'ba*.txt'))
    for path in sorted(files, key=lambda path: int(re.search(r'ba(\d+)_', path).group(1)))[:14]:
        with open(path) as file:
            n, m, p, *numbers = file.read().split()
        numbers = [float(x) for x in numbers]
        yield os.path.basename(path)[:-4], {
            'n': int(n), 'm': int(m), 'p': int(p), 'cam': numbers[:11], 'x': numbers[11:14], 'w': numbers[14], 'feat': numbers[15:17]}
