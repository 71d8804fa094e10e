# SPDX-License-Identifier: MIT
import os

FUNCTIONS = {'primal': 'objective', 'gradient': 'jacobian'}
BITS = 14   # of a character of the suite's text


def read_text(suite, count):
    path = os.path.join(suite, 'evals', 'lstm', 'data', 'lstm_full.txt')
    if not os.path.exists(path):   # a checkout without the text: the letters do not matter
        return ('It was the best of times, it was the worst of times \u2014 ' * (count // 50 + 1))[:count]
    with open(path, encoding='utf8') as file:
        return file.read(count)


def cases(suite, Numbers):
    numbers, text = Numbers(), read_text(suite, 8192)
    for layers, count in sorted(((a, b) for a in (2, 4, 6) for b in (1024, 4096, 8192)), key=lambda s: s[0] * s[1]):
        yield f'l={layers},c={count}', {
            'state': numbers.uniform(2 * layers, BITS),
            'main_params': numbers.uniform(2 * layers, 4 * BITS),
            'extra_params': numbers.uniform(3, BITS),
            'sequence': [[float(bit) for bit in bin(ord(letter))[2:].zfill(BITS)] for letter in text[:count]]}
