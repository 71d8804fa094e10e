# SPDX-License-Identifier: MIT
FUNCTIONS = {'primal': 'objective', 'gradient': 'jacobian'}


def cases(suite, Numbers):
    for d, k in sorted(((d, k) for d in (2, 10, 20, 32, 64) for k in (5, 10, 25, 50, 100)), key=lambda s: s[0] * s[1]):
        n, numbers = 1000, Numbers(31337, modern=True)
        given = {'d': d, 'k': k, 'n': n, 'm': 0, 'gamma': 1.0}
        given['x'] = numbers.normal(n, d)
        given['alpha'] = numbers.normal(k)
        given['mu'] = numbers.uniform(k, d)
        given['q'] = numbers.normal(k, d)
        given['l'] = numbers.normal(k, d * (d - 1) // 2)
        yield f'd={d},k={k},n={n}', given
