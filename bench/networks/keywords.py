#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples/keywords in PyTorch, with sounds made in the same way by other random numbers."""
from common import np, one_cycle, start, torch

F = torch.nn.functional
SAMPLES, COMMANDS, ROWS, HEARD, STEPS = 4096, 8, 32, 512, 400


def say(random):
    which = int(random.integers(COMMANDS))
    pitch, speed, noise = random.uniform(500, 900), random.uniform(0.8, 1.2), random.uniform(0.1, 0.5)
    begin = int(random.uniform(0, 840))
    sound = noise * random.standard_normal(SAMPLES, dtype=np.float32)
    place = np.arange(int(2600 / speed)) * speed / 867
    part = place.astype(np.int64)
    within = place - part
    glide = np.where(which >> part & 1, within, 1 - within)
    phase = np.cumsum(2 * np.pi * pitch * (1 + 0.25 * part + 0.5 * glide) / 8000)
    sound[begin:begin + len(place)] += np.sin(np.pi * within) * (np.sin(phase) + 0.5 * np.sin(2 * phase))
    return sound, which


def sounds(random, count):
    made = [say(random) for _ in range(count)]
    return torch.from_numpy(np.stack([s for s, _ in made])), torch.tensor([w for _, w in made])


class Keywords(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.ModuleList([torch.nn.Conv1d(inputs, 32, 5, stride, bias=False) for inputs, stride in ((129, 1), (32, 2), (32, 2))])
        self.norm = torch.nn.ModuleList([torch.nn.BatchNorm1d(32, eps=1e-3) for _ in range(3)])
        self.out = torch.nn.Linear(8 * 32, COMMANDS)
        self.register_buffer('window', torch.hann_window(256))

    def forward(self, audio):
        x = torch.stft(audio, 256, 128, window=self.window, center=False, return_complex=True)
        x = torch.log(1e-3 + x.abs())   # [batch, 129 frequencies, 31 frames]
        for conv, norm in zip(self.conv, self.norm):
            stride = conv.stride[0]
            missing = max((-(-x.shape[2] // stride) - 1) * stride + 5 - x.shape[2], 0)
            x = F.relu(norm(conv(F.pad(x, (missing // 2, missing - missing // 2)))))
        return self.out(F.dropout(x.flatten(1), 0.2, self.training))


teacher, stranger = np.random.default_rng(1), np.random.default_rng(2)
others, wanted = sounds(stranger, HEARD)
net = start(Keywords())
adam = torch.optim.Adam(net.parameters())
rate = one_cycle(adam, 5e-3, STEPS)
for step in range(1, STEPS + 1):
    heard, commands = sounds(teacher, ROWS)
    loss = F.cross_entropy(net(heard), commands)
    adam.zero_grad()
    loss.backward()
    adam.step()
    rate.step()
    if step % 100 == 0:
        net.eval()
        with torch.inference_mode():
            accuracy = (net(others).argmax(1) == wanted).float().mean().item()
        net.train()
        print(f'step {step:3}   loss {loss.item():.4f}   accuracy for a stranger {accuracy:.4f}', flush=True)
