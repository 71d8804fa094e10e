# SPDX-License-Identifier: MIT
FUNCTIONS = {'primal': 'primal', 'gradient': 'gradient'}


def cases(suite, Numbers):
    numbers = Numbers()
    for n in (16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8196, 16392):
        yield f'n={n},m=128', {'x': numbers.uniform(128), 'n': n}
