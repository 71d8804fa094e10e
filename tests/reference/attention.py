#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scaled dot-product attention and rotary embeddings by PyTorch, written to attention.txt in this folder.

Made with PyTorch 2.14 in double (`pip install torch`). A line is `quantity numbers...`. Operands are those of test::numbers in
tests/support/tensor.hpp, so the file has results only: `case` is y, and `case.q`, `case.k`, `case.v`, `case.bias` are the gradients of
sum(w * y).
"""
import os

import numpy as np

from recipe import mix


def numbers(shape, low=-1.0, high=1.0, seed=1):
    """test::numbers of tests/support/tensor.hpp."""
    n = int(np.prod(shape))
    bits = mix(np.uint64(seed * 7919) + np.arange(n, dtype=np.uint64)) >> np.uint64(11)
    return (low + (high - low) * (bits.astype(np.float64) * 2.0**-53)).reshape(shape)


def main():
    import torch
    import torch.nn.functional as F
    from torch.nn.attention.bias import causal_lower_right

    lines = []
    q, k, v, w = numbers((2, 4, 5, 5), seed=1), numbers((2, 2, 9, 5), seed=2), numbers((2, 2, 9, 3), seed=3), numbers((2, 4, 5, 3), seed=4)
    bias = numbers((1, 4, 5, 9), seed=5)
    bias[0, 1, 2, 3:7] = -np.inf
    mask = numbers((2, 1, 5, 9), seed=6) > -0.3
    mask[1, 0, 3] = False
    lengths = torch.tensor([0, 6])

    def case(name, attn_mask=None, with_bias=False, **options):
        operands = {n: torch.tensor(x, requires_grad=True) for n, x in (('q', q), ('k', k), ('v', v))}
        if with_bias:
            operands['bias'] = torch.tensor(bias, requires_grad=True)
            attn_mask = operands['bias']
        y = F.scaled_dot_product_attention(operands['q'], operands['k'], operands['v'], attn_mask=attn_mask, enable_gqa=True, **options)
        lines.append((name, y.detach()))
        for n, g in zip(operands, torch.autograd.grad((torch.tensor(w) * y).sum(), operands.values())):
            lines.append((f'{name}.{n}', g))

    case('causal', is_causal=True)
    case('lower_right', attn_mask=torch.ones(5, 9).tril(4).bool())
    assert torch.equal(causal_lower_right(5, 9)._materialize(), torch.ones(5, 9).tril(4).bool())
    case('mask', attn_mask=torch.tensor(mask))
    case('bias', with_bias=True)
    case('lengths', attn_mask=(torch.arange(9)[None, :] < lengths[:, None])[:, None, None, :].expand(2, 1, 5, 9))
    case('scaled', scale=0.7)

    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, 'attention.txt'), 'w', encoding='utf-8') as out:
        for name, x in lines:
            out.write(name + ' ' + ' '.join(f'{e:.9g}' for e in np.asarray(x).ravel()) + '\n')


if __name__ == '__main__':
    main()
