#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Normalization by PyTorch in double, written to normalization_torch.txt in this folder.

Made with PyTorch 2 (`pip install torch numpy`). The operands are those of normalization.txt, which normalization.py writes. PyTorch has
the channels second; arrays are transposed for it and back. A line is `quantity numbers...`, with gradients as in normalization.py.
"""
import os

import numpy as np
import torch
import torch.nn.functional as F

HERE = os.path.dirname(os.path.abspath(__file__))


def read(file):
    with open(os.path.join(HERE, file), encoding='utf-8') as lines:
        return {words[0]: np.array([float(w) for w in words[1:]]) for words in map(str.split, lines)}


def main():
    table = read('normalization.txt')
    shape = (3, 2, 2, 4)
    x, w = (table[name].reshape(shape) for name in ('x', 'w'))
    lines = []

    def add(name, f, operands, weight=w):
        given = {key: torch.tensor(value, requires_grad=True) for key, value in operands.items()}
        y = f(**given)
        lines.append((name, y))
        total = (y * torch.tensor(weight)).sum()
        lines.extend((f'{name}.{key}', g) for key, g in zip(given, torch.autograd.grad(total, list(given.values()))))

    first = lambda a: a.permute(0, 3, 1, 2)
    last = lambda a: a.permute(0, 2, 3, 1)
    operands = {'x': x, 'scale': table['scale'], 'offset': table['offset']}
    add('layer', lambda x, scale, offset: F.layer_norm(x, (4,), scale, offset, 1e-5), operands)
    wide = {'x': x, 'scale': table['w'][:8].reshape(2, 4), 'offset': table['w'][8:16].reshape(2, 4)}
    add('layer_of_two', lambda x, scale, offset: F.layer_norm(x, (2, 4), scale, offset, 1e-5), wide)
    add('group', lambda x, scale, offset: last(F.group_norm(first(x), 2, scale, offset, 1e-5)), operands)
    add('instance', lambda x, scale, offset: last(F.instance_norm(first(x), None, None, scale, offset, True, 0, 1e-5)), operands)
    add('rms', lambda x, scale: F.rms_norm(x, (4,), scale, 1e-5), {'x': x, 'scale': table['scale']})
    add('batch', lambda x, scale, offset: last(F.batch_norm(first(x), None, None, scale, offset, True, 0, 1e-5)), operands)
    add('lrn', lambda x: last(F.local_response_norm(first(x), 3, 0.5, 0.75, 2)), {'x': x})
    add('prelu', lambda x, scale: last(F.prelu(first(x), scale)), {'x': x, 'scale': table['scale']})
    kernel = table['kernel'].reshape(6, 4)
    add('weight', lambda v, g: torch._weight_norm(v, g, 1), {'v': kernel, 'g': table['scale'].reshape(1, 4)}, table['w'][:24].reshape(6, 4))
    three = table['kernel'].reshape(2, 3, 4)
    a, b = table['x'][:6].reshape(3, 2), table['x'][6:18].reshape(3, 4)
    add('bilinear', lambda a, b, w: F.bilinear(a, b, w.permute(1, 0, 2)), {'a': a, 'b': b, 'w': three}, table['w'][:9].reshape(3, 3))

    norm = torch.nn.BatchNorm2d(4, dtype=torch.float64)
    with torch.no_grad():
        norm.weight.copy_(torch.tensor(table['scale']))
        norm.bias.copy_(torch.tensor(table['offset']))
    norm(first(torch.tensor(x)))
    norm(first(torch.tensor(table['next'].reshape(shape))))
    lines.extend([('moving_mean', norm.running_mean), ('moving_variance', norm.running_var)])
    norm.eval()
    lines.append(('evaluated', last(norm(first(torch.tensor(x))))))

    with open(os.path.join(HERE, 'normalization_torch.txt'), 'w', encoding='utf-8') as file:
        for name, numbers in lines:
            file.write(' '.join([name, *('%.16g' % n for n in numbers.detach().numpy().ravel())]) + '\n')


if __name__ == '__main__':
    main()
