# SPDX-License-Identifier: MIT
FUNCTIONS = {'primal': 'primal', 'gradient': 'gradient'}


def cases(suite, Numbers):
    numbers = Numbers()
    for size in range(5, 12):
        yield f'{size}', {'A': numbers.uniform(size * size), 'ell': size}
