#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""einsum and other products by NumPy, written to products.txt in this folder.

Made with NumPy 2 in double (`pip install numpy`). A line is `call rank extents... numbers...`. Element i of operand k in
SHAPES is ((3 i i + 7 i + 5 k) mod 23 − 11) / 8. Sums of products of such numbers are exact.
"""
import os

import numpy as np

SHAPES = {
    'a': (2, 3, 5), 'b': (2, 4, 5), 'm': (3, 4), 'n': (4, 5), 's': (4, 4), 'v': (4,), 't': (3, 3, 4), 'h': (2, 3, 2, 4), 'g': (2, 5, 2, 4),
    'o': (2, 1, 3, 5), 'p': (4, 4, 5), 'c': (2, 5), 'd': (2, 4), 'e': (3, 5), 'r': (5, 4, 3), 'k': (3, 3, 3), 'x': (2, 3), 'z': (3,)}
EINSUMS = {
    'bqd,bkd->bqk': 'ab', 'bqd,bkd->kqb': 'ab', 'bqd,bkd': 'ab', 'bqd,bkd->dqb': 'ab', 'ij,jk->ik': 'mn', 'ij,jk->ki': 'mn', 'ij,ik->jk': 'mm',
    'ij,kj': 'ms', 'ji,jk': 'sn', 'ij,j->i': 'mv', 'i,ij->j': 'vn', 'i,i->': 'vv', 'i,j->ij': 'vz', 'i,j->ji': 'vz', 'ii': 's', 'ii->i': 's',
    'iij->ji': 't', 'iii->i': 'k', 'ij->': 'm', 'ij->j': 'm', 'ba': 'm', 'ij,ij->': 'mm', 'ij,ij->i': 'mm', 'ij,ji->i': 'ss',
    'bij,bj->bi': 'bc', 'bij,bi->bj': 'bd', '...qd,...kd->...qk': 'op', '...d,...d->...': 'ae', 'i...->...': 'a', '...d,d...': 'er',
    'ij,jk,kl->il': 'msn', 'i,ij,j->': 'vsv', 'ij,ij,jk->k': 'mmn', 'li,ij,jk,ka->al': 'mssn', 'abc,cd->abd': 'tn', 'abc,dca->bd': 'tr',
    'bqhd,bkhd->bhqk': 'hg', 'ij,kl->ijkl': 'mn', 'iij,jk->ki': 'tn', 'i,i,i->i': 'vvv'}
CALLS = {
    'tensordot<2>': lambda of: np.tensordot(of['x'], of['a']),
    'tensordot<1>': lambda of: np.tensordot(of['t'], of['n'], 1), 'tensordot<0>': lambda of: np.tensordot(of['v'], of['m'], 0),
    'tensordot<axes>': lambda of: np.tensordot(of['t'], of['r'], ((2, -3), (1, 2))), 'dot(m,n)': lambda of: np.dot(of['m'], of['n']),
    'dot(v,v)': lambda of: np.dot(of['v'], of['v']), 'dot(m,v)': lambda of: np.dot(of['m'], of['v']), 'dot(t,b)': lambda of: np.dot(of['t'], of['b']),
    'inner(t,m)': lambda of: np.inner(of['t'], of['m']), 'outer(m,x)': lambda of: np.outer(of['m'], of['x']),
    'vdot(e,e)': lambda of: np.vdot(of['e'], of['e']), 'vdot(m,u)': lambda of: np.vdot(of['m'], of['m'].T.reshape(2, 6)),
    'kron(m,x)': lambda of: np.kron(of['m'], of['x']), 'kron(v,x)': lambda of: np.kron(of['v'], of['x']), 'kron(k,x)': lambda of: np.kron(of['k'], of['x']),
    'cross(x,z)': lambda of: np.cross(of['x'], of['z']), 'cross(k,x)': lambda of: np.cross(of['k'][:, :2], of['x']),
    'matvec(b,c)': lambda of: np.einsum('bij,bj->bi', of['b'], of['c']), 'matvec(m,d)': lambda of: np.einsum('ij,bj->bi', of['m'], of['d'])}


def main():
    of = {}
    for k, (name, shape) in enumerate(SHAPES.items()):
        i = np.arange(np.prod(shape))
        of[name] = (((3 * i * i + 7 * i + 5 * k) % 23 - 11) / 8).reshape(shape)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'products.txt')
    results = {call: np.einsum(call, *(of[x] for x in names)) for call, names in EINSUMS.items()}
    results.update({call: f(of) for call, f in CALLS.items()})
    with open(path, 'w', encoding='utf-8') as file:
        for call, y in results.items():
            y = np.asarray(y)
            file.write(' '.join([call, str(y.ndim), *map(str, y.shape), *(repr(float(n)) for n in y.ravel())]) + '\n')


if __name__ == '__main__':
    main()
