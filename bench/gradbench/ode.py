# SPDX-License-Identifier: MIT
FUNCTIONS = {'primal': 'primal', 'gradient': 'gradient'}


def cases(suite, Numbers):
    numbers = Numbers()
    for n, s in sorted(((n, s) for n in (1000, 10000, 100000) for s in (1, 10, 100)), key=lambda case: case[0] * case[1]):
        yield f'n={n},s={s}', {'x': numbers.uniform(n), 's': s}


def checks(suite, Numbers):
    # The gradients of the suite's sizes are all below 1e-300. Of four elements the method makes no error.
    numbers = Numbers(7)
    for n, s in ((1, 3), (2, 1), (4, 5)):
        yield f'n={n},s={s}', {'x': [1 + v for v in numbers.uniform(n)], 's': s}
