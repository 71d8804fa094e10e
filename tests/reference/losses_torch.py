#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Losses by PyTorch, written to losses_torch.txt in this folder.

Made with PyTorch 2.14 in double (`pip install torch`). The form is that of losses.txt. torchvision's sigmoid_focal_loss and losses of
lists, which PyTorch does not have, are written here: lists by loops over each pair or place.
"""
import math
import os

import numpy as np
import torch
import torch.nn.functional as F

ROWS, COLUMNS = 4, 7


def numbers(seed, low, high, shape=(ROWS, COLUMNS)):
    return torch.tensor(np.round(np.random.default_rng(seed).uniform(low, high, shape), 4))


def rows(x):
    return x / x.sum(-1, keepdim=True)


X, T, N = numbers(1, -3, 3), numbers(2, -3, 3), numbers(11, -3, 3)
P, Q = rows(numbers(3, 0.02, 1)), rows(numbers(4, 0.02, 1))
Z = (numbers(5, 0, 1) > 0.6).double()
C = torch.floor(numbers(6, 0, 5))
R = numbers(7, 0.1, 4)
W = torch.tensor(np.cos(np.arange(ROWS * COLUMNS)).reshape(ROWS, COLUMNS))
V = torch.tensor(np.cos(np.arange(ROWS) + 0.5))
L = torch.floor(numbers(12, 0, 4))                       # relevance of the elements of lists
MASK = numbers(13, 0, 1) > 0.25
MASK[3] = False
D = numbers(14, 0, 2)                                    # distances
M2, S2, Y2 = numbers(15, -2, 2, (ROWS, COLUMNS, 2)), numbers(16, 0.3, 2, (ROWS, COLUMNS, 2)), numbers(17, -2, 2, (ROWS, 2))


def torchvision_focal(x, z, alpha, gamma):
    p = torch.sigmoid(x)
    p_t = p * z + (1 - p) * (1 - z)
    return (alpha * z + (1 - alpha) * (1 - z)) * F.binary_cross_entropy_with_logits(x, z, reduction='none') * (1 - p_t)**gamma


def multilabel(x, z):
    targets = torch.full(z.shape, -1, dtype=torch.long)
    for i, row in enumerate(z):
        found = torch.nonzero(row).ravel()
        targets[i, :len(found)] = found
    return F.multilabel_margin_loss(x, targets, reduction='none')


def lists(f):
    """f of the scores and labels of each list, of the elements that count."""
    return lambda s, mask: torch.stack([f(s[i][mask[i]], L[i][mask[i]]) if mask[i].any() else s[i].sum() * 0 for i in range(ROWS)])


def pairs(term, weight=lambda s, l, i, k: 1):
    def run(s, l):
        total = s.sum() * 0
        for i in range(len(s)):
            for k in range(len(s)):
                if l[i] > l[k]:
                    total = total + weight(s, l, i, k) * term(s[i] - s[k])
        return total
    return run


def ranks(x):
    order = sorted(range(len(x)), key=lambda i: -float(x[i]))
    return [order.index(i) + 1 for i in range(len(x))]


def best(l):
    return sum((2**float(g) - 1) / math.log2(i + 2) for i, g in enumerate(sorted(l.tolist(), reverse=True)))


def delta(s, l, i, k):
    r = ranks(s)
    return abs(2**float(l[i]) - 2**float(l[k])) * abs(1 / math.log2(1 + r[i]) - 1 / math.log2(1 + r[k])) / best(l)


def list_mle(s, l):
    order = sorted(range(len(s)), key=lambda i: -float(l[i]))
    return sum(torch.logsumexp(s[order[i:]], 0) - s[order[i]] for i in range(len(s)))


def approx_ndcg(s, l):
    if best(l) == 0:
        return s.sum() * 0
    r = 0.5 + torch.sigmoid((s[None, :] - s[:, None]) / 0.5).sum(1)
    return -((2**l - 1) / torch.log2(1 + r)).sum() / best(l)


LISTS = {'pairwise_logistic': pairs(lambda d: F.softplus(-d)), 'pairwise_hinge': pairs(lambda d: F.relu(1 - d)),
         'lambda_rank': pairs(lambda d: F.softplus(-d), delta), 'ranking_softmax': lambda s, l: -(l * F.log_softmax(s, 0)).sum(),
         'list_net': lambda s, l: -(F.softmax(l, 0) * F.log_softmax(s, 0)).sum(), 'list_mle': list_mle, 'approx_ndcg': approx_ndcg}


def main():
    lines = [(n, v) for n, v in (('x', X), ('t', T), ('n', N), ('p', P), ('q', Q), ('z', Z), ('c', C), ('r', R), ('w', W), ('v', V), ('l', L),
                                 ('mask', MASK.double()), ('d', D), ('m2', M2), ('s2', S2), ('y2', Y2))]

    def add(name, f, x):
        x = x.clone().requires_grad_()
        y = f(x)
        weights = W if y.shape == (ROWS, COLUMNS) else V if y.shape == (ROWS,) else torch.ones(y.shape)
        (y * weights).sum().backward()
        lines.extend([(name, y.detach()), (name + '.slope', x.grad)])

    none = {'reduction': 'none'}
    normal = torch.distributions
    add('poisson_full', lambda x: F.poisson_nll_loss(x, C, False, True, eps=0, **none), R)
    add('gaussian_nll', lambda x: F.gaussian_nll_loss(x, T, R, **none), X)
    add('gaussian_nll_full.variance', lambda x: F.gaussian_nll_loss(X, T, x, True, **none), R)
    add('margin_ranking', lambda x: F.margin_ranking_loss(x, T, 2 * Z - 1, 0.3, **none), X)
    add('multilabel_margin', lambda x: multilabel(x, Z), X)
    add('multi_margin', lambda x: F.multi_margin_loss(x, torch.argmax(T, -1), **none), X)
    add('multilabel_soft_margin', lambda x: F.multilabel_soft_margin_loss(x, Z, **none), X)
    add('soft_margin', lambda x: F.soft_margin_loss(x, 2 * Z - 1, **none), X)
    add('triplet_margin', lambda x: F.triplet_margin_loss(x, T, N, 1.5, eps=0, **none), X)
    add('sigmoid_focal', lambda x: torchvision_focal(x, Q, 0.25, 2), X)
    add('kl_divergence_with_logits', lambda x: F.kl_div(F.log_softmax(x, -1), Q, **none).sum(-1), X)
    add('jensen_shannon', lambda x: 0.5 * (x * torch.log(2 * x / (x + Q)) + Q * torch.log(2 * Q / (x + Q))).sum(-1), P)
    add('contrastive', lambda x: Z * x**2 + (1 - Z) * F.relu(1.25 - x)**2, D)
    add('info_nce', lambda x: F.cross_entropy(x / 0.3, torch.arange(ROWS), **none), X)
    add('quantile', lambda x: torch.maximum(0.3 * (T - x), -0.7 * (T - x)), X)
    add('balanced', lambda x: 0.8 * Q * F.softplus(-x) + 0.2 * (1 - Q) * F.softplus(x), X)
    add('mixture', lambda x: -normal.MixtureSameFamily(normal.Categorical(logits=x), normal.Normal(T, R)).log_prob(Y2[:, 0]), X)
    add('mixture.means', lambda x: -normal.MixtureSameFamily(normal.Categorical(logits=X), normal.Normal(x, R)).log_prob(Y2[:, 0]), T)
    add('mixture.scales', lambda x: -normal.MixtureSameFamily(normal.Categorical(logits=X), normal.Normal(T, x)).log_prob(Y2[:, 0]), R)
    add('mixture_of_pairs', lambda x: -normal.MixtureSameFamily(
        normal.Categorical(logits=x), normal.Independent(normal.Normal(M2, S2), 1)).log_prob(Y2), X)
    for name, f in LISTS.items():
        add(name, lambda x: lists(f)(x, torch.ones_like(MASK)), X)
        add(name + '_masked', lambda x: lists(f)(x, MASK), X)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'losses_torch.txt')
    with open(path, 'w', encoding='utf-8') as file:
        for name, values in lines:
            file.write(' '.join([name, *(f'{float(n):.17g}' for n in np.ravel(values))]) + '\n')


if __name__ == '__main__':
    main()
