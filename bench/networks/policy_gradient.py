#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples/policy_gradient in PyTorch: policy_gradient.py [SEED]"""
import math
import random
import sys

from common import start, torch


class Cart:
    def __init__(self):
        self.s = [random.uniform(-0.05, 0.05) for _ in range(4)]

    def push(self, right):
        s = self.s
        force, sine, cosine = 10.0 if right else -10.0, math.sin(s[2]), math.cos(s[2])
        a = (force + 0.05 * s[3] * s[3] * sine) / 1.1
        turn = (9.8 * sine - cosine * a) / (0.5 * (4 / 3 - 0.1 * cosine * cosine / 1.1))
        speed_up = a - 0.05 * turn * cosine / 1.1
        for k, change in enumerate((s[1], speed_up, s[3], turn)):   # one after the other, from the speeds before
            s[k] += 0.02 * change

    def stands(self):
        return abs(self.s[0]) < 2.4 and abs(self.s[2]) < 0.2095


LONGEST, EPISODES = 500, 16
seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
random.seed(seed)
torch.manual_seed(seed)
net = start(torch.nn.Sequential(torch.nn.Linear(4, 32), torch.nn.Tanh(), torch.nn.Linear(32, 2)))
adam = torch.optim.Adam(net.parameters(), lr=0.01)


def play():
    states, actions, advantages = [], [], []
    for _ in range(EPISODES):
        cart, length = Cart(), 0
        while length < LONGEST and cart.stands():
            with torch.inference_mode():
                right = torch.softmax(net(torch.tensor([cart.s])), 1)[0, 1].item()
            states.append(list(cart.s))
            actions.append(int(random.random() < right))
            cart.push(actions[-1])
            length += 1
        rest, returns = 0.0, []
        for _ in range(length):
            rest = 1 + 0.99 * rest
            returns.append(rest)
        advantages += reversed(returns)
    a = torch.tensor(advantages)
    a -= a.mean()
    return torch.tensor(states), torch.tensor(actions), a / (a.square().mean().sqrt() + 1e-6)


best = 0
for turn in range(1, 121):
    states, actions, advantages = play()
    logits = net(states)
    logs = torch.log_softmax(logits, 1)
    entropy = -(logs.exp() * logs).sum(1)
    loss = -(advantages * logs.gather(1, actions[:, None])[:, 0]).mean() - 0.01 * entropy.mean()
    adam.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1)
    adam.step()
    mean = len(actions) / EPISODES
    best = max(best, mean)
    if turn % 10 == 0 or best >= 475:
        print(f'round {turn:3}  the pole stands {mean:5.1f} steps', flush=True)
    if best >= 475:
        break
print(f'best mean of {EPISODES} episodes: {best:.1f} of {LONGEST} steps')
