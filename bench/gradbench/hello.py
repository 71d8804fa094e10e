# SPDX-License-Identifier: MIT
FUNCTIONS = {'primal': 'square', 'gradient': 'double'}


def cases(suite, Numbers):
    for x in (1.0, 2.0, 8.0, 128.0):
        yield f'x={x:g}', x


def golden(function, x):
    return x * x if function == 'square' else 2 * x
