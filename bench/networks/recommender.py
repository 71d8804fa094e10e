#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples/recommender in PyTorch, with the same people and items."""
from common import Mt19937, batches, np, start, torch

ITEMS, TASTES, WIDTH, LONGEST, WRONG, EPOCHS = 3000, 30, 24, 20, 64, 4


def people(count, seed):
    """The draws of struct people, in their order."""
    raw = Mt19937(seed).raw(count, 3 + 3 * (LONGEST + 1)).astype(np.uint64)
    liked, length = (raw[:, :2] % TASTES).astype(np.int64), (2 + raw[:, 2] % (LONGEST - 1)).astype(np.int64)
    parts = raw[:, 3:].reshape(count, LONGEST + 1, 3)
    uniform = (parts[:, :, 0].astype(np.float64) + parts[:, :, 1].astype(np.float64) * 2.0**32) / 2.0**64
    rank = np.power(ITEMS // TASTES, uniform).astype(np.int64) - 1
    items = rank * TASTES + np.take_along_axis(liked, (parts[:, :, 2] % 2).astype(np.int64), 1)
    items[:, :LONGEST][np.arange(LONGEST) >= length[:, None]] = -1
    return torch.from_numpy(items[:, :LONGEST]), torch.from_numpy(items[:, LONGEST])


class Recommender(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = torch.nn.Embedding(ITEMS, WIDTH, sparse=True)
        self.offered = torch.nn.Embedding(ITEMS, WIDTH, sparse=True)
        self.person = torch.nn.Linear(WIDTH, WIDTH)

    def people(self, history):
        there = (history >= 0).to(torch.float32)
        bag = (self.seen(history.clamp(min=0)) * there[:, :, None]).sum(1)
        return self.person(bag / there.sum(1, keepdim=True).sqrt())


def log_count(ids):
    return torch.log(WRONG * torch.log1p(1 / (ids.to(torch.float32) + 1)) / np.log1p(float(ITEMS)))


def ndcg(lists, nexts):
    places = torch.log2(torch.arange(10) + 2.0)
    return ((lists == nexts[:, None]) / places).sum(1).mean().item()


histories, nexts = people(80000, 1)
fresh, wanted = people(2000, 2)
net = start(Recommender())
rules = [torch.optim.SparseAdam([net.seen.weight, net.offered.weight], lr=3e-3), torch.optim.Adam(net.person.parameters(), lr=3e-3)]
for epoch in range(1, EPOCHS + 1):
    total, count = 0.0, 0
    for rows in batches(len(histories), 100):
        wrong = (torch.exp(torch.rand(WRONG, dtype=torch.float64) * np.log1p(float(ITEMS))).floor() - 1).clamp(max=ITEMS - 1).long()
        right, person = nexts[rows], net.people(histories[rows])
        right_logit = (person * net.offered(right)).sum(1) - log_count(right)
        wrong_logits = person @ net.offered(wrong).T - log_count(wrong)
        wrong_logits = wrong_logits.masked_fill(right[:, None] == wrong, -1e9)
        loss = (torch.logsumexp(torch.cat([right_logit[:, None], wrong_logits], 1), 1) - right_logit).mean()
        for rule in rules:
            rule.zero_grad()
        loss.backward()
        for rule in rules:
            rule.step()
        total, count = total + loss.item(), count + 1
    with torch.inference_mode():
        lists = torch.topk(net.people(fresh) @ net.offered.weight.T, 10).indices
    print(f'epoch {epoch:2}   loss {total / count:.4f}   NDCG@10 of new people {ndcg(lists, wanted):.4f}', flush=True)
print(f'NDCG@10 of a list of the most popular items: {ndcg(torch.arange(10)[None], wanted):.4f}')
