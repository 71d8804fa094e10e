#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples/convolutional_net in PyTorch: convolutional_net.py [--full]. The channels are last, which is faster here."""
import sys
import time

from common import batches, fashion, one_cycle, start, torch

F = torch.nn.functional


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.ModuleList([torch.nn.Conv2d(1, 24, 3, padding=1, bias=False), torch.nn.Conv2d(24, 48, 3, padding=1, bias=False)])
        self.norm = torch.nn.ModuleList([torch.nn.BatchNorm2d(24, eps=1e-3), torch.nn.BatchNorm2d(48, eps=1e-3)])
        self.hidden, self.out = torch.nn.Linear(7 * 7 * 48, 128), torch.nn.Linear(128, 10)

    def forward(self, x):
        if self.training:   # each picture is flipped or not
            x = torch.where(torch.rand(len(x), 1, 1, 1) < 0.5, x.flip(3), x)
        for conv, norm in zip(self.conv, self.norm):
            x = F.max_pool2d(F.relu(norm(conv(x))), 2)
        x = F.relu(self.hidden(F.dropout(x.flatten(1), 0.1, self.training)))
        return self.out(F.dropout(x, 0.1, self.training))


full = '--full' in sys.argv
images, labels = fashion('train', None if full else 6000)
test, wanted = fashion('t10k', None if full else 2000)
images, test = (x.view(-1, 1, 28, 28).to(memory_format=torch.channels_last) for x in (images, test))
epochs, size = 5 if full else 1, 64
net = start(Net()).to(memory_format=torch.channels_last)
adam = torch.optim.Adam(net.parameters())
rate = one_cycle(adam, 5e-3, len(images) // size * epochs)
for epoch in range(1, epochs + 1):
    begin, total, count = time.monotonic(), 0.0, 0
    for rows in batches(len(images), size):
        loss = F.cross_entropy(net(images[rows]), labels[rows])
        adam.zero_grad()
        loss.backward()
        adam.step()
        rate.step()
        total, count = total + loss.item(), count + 1
    seconds = time.monotonic() - begin
    net.eval()
    with torch.inference_mode():
        right = sum((net(test[k:k + 500]).argmax(1) == wanted[k:k + 500]).sum().item() for k in range(0, len(test), 500))
    net.train()
    print(f'epoch {epoch}   loss {total / count:.4f}   test accuracy {right / len(test):.4f}   {seconds:.1f} s', flush=True)
