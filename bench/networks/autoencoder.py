#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples/autoencoder in PyTorch: autoencoder.py [--full]"""
import sys

from common import batches, fashion, start, torch

F = torch.nn.functional


class Autoencoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.seen, self.mean, self.log_variance = torch.nn.Linear(784, 256), torch.nn.Linear(256, 8), torch.nn.Linear(256, 8)
        self.drawn, self.pixels = torch.nn.Linear(8, 256), torch.nn.Linear(256, 784)

    def loss(self, x):
        seen = F.relu(self.seen(x))
        mean, log_variance = self.mean(seen), self.log_variance(seen)
        code = mean + torch.exp(0.5 * log_variance) * torch.randn_like(mean)
        logits = self.pixels(F.relu(self.drawn(code)))
        picture = F.binary_cross_entropy_with_logits(logits, x, reduction='none').sum(1)
        divergence = 0.5 * (mean.square() + log_variance.exp() - 1 - log_variance).sum(1)
        return (picture + divergence).mean()


full = '--full' in sys.argv
x, _ = fashion('train', None if full else 10000)
test, _ = fashion('t10k', 1000)
net = start(Autoencoder())
adam = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(1, (20 if full else 2) + 1):
    total, count = 0.0, 0
    for rows in batches(len(x), 100):
        loss = net.loss(x[rows])
        adam.zero_grad()
        loss.backward()
        adam.step()
        total, count = total + loss.item(), count + 1
    with torch.inference_mode():
        print(f'epoch {epoch:2}   loss of a picture {total / count:.2f}   of test pictures {net.loss(test).item():.2f}', flush=True)
