# SPDX-License-Identifier: MIT
FUNCTIONS = {'primal': 'primal', 'gradient': 'gradient'}


def cases(suite, Numbers):
    numbers = Numbers()
    for n in (2500, 5000, 10000, 20000, 40000, 80000, 160000, 320000, 640000, 1280000):
        yield f'n={n}', {'x': numbers.uniform(n)}
