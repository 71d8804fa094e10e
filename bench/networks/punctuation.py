#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples/punctuation in PyTorch, with the same rows: punctuation.py [--full]"""
import re
import sys

from common import batches, licences, start, torch

LONGEST, VOCABULARY, TAGS = 32, 2048, 3


def number_of(word):
    value = none = 2166136261
    for c in word:
        if c.isascii() and c.isalnum():
            value = ((value ^ ord(c.lower())) * 16777619) & 0xFFFFFFFF
    return -1 if value == none else value % VOCABULARY


def read_text():
    pairs = [(number_of(w), 1 if w[-1] == ',' else 2 if w[-1] in '.;:' else 0) for w in re.split('[ \t\n\v\f\r]+', licences()) if w]
    pairs = [p for p in pairs if p[0] >= 0]
    known, fresh, k, row = [], [], 0, 0
    while k + LONGEST < len(pairs):
        length = 8 + row * 7 % (LONGEST - 7)
        cells = pairs[k:k + length] + [(0, 0)] * (LONGEST - length)
        (fresh if row % 10 == 9 else known).append(([w for w, _ in cells], [m for _, m in cells], length))
        k, row = k + length, row + 1
    return [[torch.tensor(column) for column in zip(*rows)] for rows in (known, fresh)]


class Tagger(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words = torch.nn.Embedding(VOCABULARY, 48)
        self.gru = torch.nn.GRU(48, 48, batch_first=True, bidirectional=True)
        self.scores = torch.nn.Linear(96, TAGS)
        self.transitions = torch.nn.Parameter(torch.zeros(TAGS, TAGS))

    def forward(self, words, count):
        x = torch.nn.functional.dropout(self.words(words), 0.3, self.training)
        packed = torch.nn.utils.rnn.pack_padded_sequence(x, count, batch_first=True, enforce_sorted=False)
        states, _ = torch.nn.utils.rnn.pad_packed_sequence(self.gru(packed)[0], batch_first=True, total_length=LONGEST)
        return self.scores(states)

    def loss(self, words, marks, count):
        scores, inside = self(words, count), (torch.arange(LONGEST) < count[:, None])
        path = (scores.gather(2, marks[:, :, None])[:, :, 0] * inside).sum(1)
        path = path + (self.transitions[marks[:, :-1], marks[:, 1:]] * inside[:, 1:]).sum(1)
        alpha = scores[:, 0]
        for t in range(1, LONGEST):
            further = torch.logsumexp(alpha[:, :, None] + self.transitions, 1) + scores[:, t]
            alpha = torch.where(inside[:, t, None], further, alpha)
        return (torch.logsumexp(alpha, 1) - path).mean()

    def decode(self, words, count):
        scores, back = self(words, count), []
        best = scores[:, 0]
        for t in range(1, LONGEST):
            further, which = (best[:, :, None] + self.transitions).max(1)
            inside = (t < count)[:, None]
            best = torch.where(inside, further + scores[:, t], best)
            back.append(torch.where(inside, which, torch.arange(TAGS)))
        tags = [best.argmax(1)]
        for which in reversed(back):
            tags.append(which.gather(1, tags[-1][:, None])[:, 0])
        return torch.stack(tags[::-1], 1)


known, fresh = read_text()
net = start(Tagger())
adam = torch.optim.Adam(net.parameters(), lr=3e-3)
for epoch in range(1, (30 if '--full' in sys.argv else 12) + 1):
    total, steps = 0.0, 0
    for rows in batches(len(known[2]), 32):
        loss = net.loss(*(column[rows] for column in known))
        adam.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5)
        adam.step()
        total, steps = total + loss.item(), steps + 1
    if epoch % 3 == 0:
        net.eval()
        with torch.inference_mode():
            words, marks, count = fresh
            found, inside = net.decode(words, count), torch.arange(LONGEST) < count[:, None]
        net.train()
        hits = ((marks != 0) & (found == marks) & inside).sum().item()
        f1 = 2 * hits / (((found != 0) & inside).sum() + ((marks != 0) & inside).sum()).item()
        print(f'epoch {epoch:2}   loss of a row {total / steps:.3f}   F1 of the marks in new rows {f1:.3f}', flush=True)
