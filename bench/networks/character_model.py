#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples/character_model in PyTorch, with the same text and the same batches: character_model.py gru|transformer [--full]"""
import math
import sys

from common import Mt19937, licences, np, one_cycle, start, torch

F = torch.nn.functional
LENGTH, SYMBOLS, WIDTH, HEADS, ROWS = 64, 96, 128, 4, 32
BLOCK = ROWS * LENGTH


class Gru(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.letters, self.out = torch.nn.Embedding(SYMBOLS, WIDTH), torch.nn.Linear(WIDTH, SYMBOLS)
        self.gru = torch.nn.GRU(WIDTH, WIDTH, batch_first=True)

    def forward(self, text):
        return self.out(self.gru(self.letters(text))[0])


def rotated(x):
    """Rotary embedding of [batch, heads, length, features] (Su et al. 2021), halves as in GPT-NeoX."""
    half = x.shape[-1] // 2
    angle = torch.arange(x.shape[-2])[:, None] * 10000.0 ** (-torch.arange(half) / half)
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()], -1)


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm_before, self.norm_between = torch.nn.LayerNorm(WIDTH), torch.nn.LayerNorm(WIDTH)
        self.query, self.key, self.value, self.back = (torch.nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.wide, self.narrow = torch.nn.Linear(WIDTH, 4 * WIDTH), torch.nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        y = self.norm_before(x)
        q, k, v = (f(y).unflatten(2, (HEADS, -1)).transpose(1, 2) for f in (self.query, self.key, self.value))
        y = F.scaled_dot_product_attention(rotated(q), rotated(k), v, is_causal=True)
        x = x + self.back(y.transpose(1, 2).flatten(2))
        return x + self.narrow(F.gelu(self.wide(self.norm_between(x))))


class Transformer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.letters, self.out = torch.nn.Embedding(SYMBOLS, WIDTH), torch.nn.Linear(WIDTH, SYMBOLS)
        self.blocks, self.norm = torch.nn.Sequential(Block(), Block()), torch.nn.LayerNorm(WIDTH)

    def forward(self, text):
        return self.out(self.norm(self.blocks(self.letters(text))))


codes = np.array([95 if c == '\n' else ord(c) - 32 for c in licences() if c == '\n' or ' ' <= c <= '~'])
steps = 1000 if '--full' in sys.argv else 100
net = start(Gru() if 'gru' in sys.argv else Transformer())
adam = torch.optim.Adam(net.parameters())
rate = one_cycle(adam, 4e-3, steps)
draws = Mt19937(2).raw(steps, ROWS, 2).astype(np.int64)


def loss_of(begins):
    rows = torch.from_numpy(codes[np.asarray(begins)[:, None] + np.arange(LENGTH + 1)])
    return F.cross_entropy(net(rows[:, :-1]).flatten(0, 1), rows[:, 1:].flatten())


mean = 0.0
for step in range(1, steps + 1):
    n = draws[step - 1, :, 0] % (len(codes) // BLOCK // 10 * 9)
    loss = loss_of((n // 9 * 10 + n % 9) * BLOCK + draws[step - 1, :, 1] % (BLOCK - LENGTH))
    adam.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1)
    adam.step()
    rate.step()
    mean += loss.item()
    if step % 100 == 0:
        print(f'step {step:4}   {mean / 100 / math.log(2):.3f} bits per character', flush=True)
        mean = 0.0
net.eval()
with torch.inference_mode():
    bits = [loss_of(np.arange(ROWS) * LENGTH + begin).item() / math.log(2) for begin in range(9 * BLOCK, len(codes) - BLOCK, 10 * BLOCK)]
print(f'{np.mean(bits):.3f} bits per character of text that it has not seen')
