# SPDX-License-Identifier: MIT
FUNCTIONS = {'primal': 'cost', 'gradient': 'dir'}


def cases(suite, Numbers):
    numbers = Numbers()
    sizes = sorted(((k, n, d) for k in (10, 100, 1000) for n in (1000, 10000) for d in (8, 16)), key=lambda s: s[0] * s[1] * s[2])
    for k, n, d in sizes:
        points = numbers.uniform(n, d)
        yield f'k={k},n={n},d={d}', {'points': points, 'centroids': points[-k:]}
