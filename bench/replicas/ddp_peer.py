#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The network and the batches of sync_step_bench in PyTorch's DistributedDataParallel: processes of one thread each, gloo, CPU.

    python3 -m venv build/venv_torch && build/venv_torch/bin/pip install torch==2.13.0 numpy
    build/venv_torch/bin/python bench/replicas/ddp_peer.py --json peer.json

Prints, for each batch, the time of a step in ms: of one process without DDP, of one with it, and of two. The times are medians over
rounds, which alternate. Adam is used in its fastest form; for CPUs only the fused one exists."""
import argparse
import datetime
import json
import os
import statistics
import sys
import tempfile
import time

for name in ('OMP_NUM_THREADS', 'MKL_NUM_THREADS'):
    os.environ[name] = '1'
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel

WARM = 3


def network():
    torch.manual_seed(1)
    layers = [torch.nn.Linear(784, 1024), torch.nn.ReLU(), torch.nn.Linear(1024, 200), torch.nn.ReLU(), torch.nn.Linear(200, 10)]
    return torch.nn.Sequential(*layers)


def batch(rows, worker):
    i = torch.arange(rows * 784, dtype=torch.int64)
    images = ((i * 7919 + worker * 104729) % 1000).to(torch.float32) / 1000
    return images.reshape(rows, 784), (torch.arange(rows) * 31 + worker * 7) % 10


class Side:
    def __init__(self, rows, worker, distributed):
        self.x, self.y = batch(rows, worker)
        self.model = DistributedDataParallel(network(), gradient_as_bucket_view=True) if distributed else network()
        self.rule = torch.optim.Adam(self.model.parameters(), lr=1e-3, fused=True)

    def step(self):
        self.rule.zero_grad(set_to_none=False)   # memory stays where it is
        loss = torch.nn.functional.cross_entropy(self.model(self.x), self.y)
        loss.backward()
        self.rule.step()
        return loss

    def sample(self, steps):
        """Seconds of a step."""
        for _ in range(WARM):
            self.step()
        start = time.perf_counter()
        for _ in range(steps):
            self.step()
        return (time.perf_counter() - start) / steps


def steps_for(side, seconds):
    return max(4, int(seconds / side.sample(4)))


def run(rank, world, folder, options):
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    dist.init_process_group('gloo', init_method=f'file://{folder}/meet', rank=rank, world_size=world, timeout=datetime.timedelta(seconds=120))
    results = {}
    for rows in options.batch:
        side = Side(rows, rank, True)
        plain = Side(rows, rank, False) if world == 1 else None
        steps = torch.tensor([steps_for(side, options.sample)])
        dist.broadcast(steps, 0)
        times = {'ddp': [], 'plain': []}
        for k in range(options.rounds):
            for name in (('ddp', 'plain') if k % 2 == 0 else ('plain', 'ddp')):
                if name == 'ddp':
                    dist.barrier()
                    times['ddp'].append(side.sample(int(steps)))
                elif plain is not None:
                    times['plain'].append(plain.sample(int(steps)))
        results[str(rows)] = {name: 1e3 * statistics.median(t) for name, t in times.items() if t}
    if rank == 0:
        with open(f'{folder}/result', 'w', encoding='utf-8') as file:
            json.dump(results, file)
    dist.destroy_process_group()


def measure(world, options):
    with tempfile.TemporaryDirectory() as folder:
        mp.spawn(run, args=(world, folder, options), nprocs=world)
        with open(f'{folder}/result', encoding='utf-8') as file:
            return json.load(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--rounds', type=int, default=11)
    parser.add_argument('--sample', type=float, default=.25, help='seconds of a sample')
    parser.add_argument('--batch', type=int, action='append', help='rows of a batch; 32, 128 and 512 without it')
    parser.add_argument('--json')
    options = parser.parse_args()
    options.batch = options.batch or [32, 128, 512]
    one, two = measure(1, options), measure(2, options)
    results = {rows: {'train': one[rows]['plain'], 'one_worker': one[rows]['ddp'], 'two_workers': two[rows]['ddp']} for rows in one}
    print(f'### PyTorch {torch.__version__}, a step in ms\n\n| rows of a batch | no DDP | DDP, 1 process | 2 processes |\n|---|---|---|---|')
    for rows, r in results.items():
        print(f"| {rows} | {r['train']:.3f} | {r['one_worker']:.3f} | {r['two_workers']:.3f} |")
    if options.json:
        with open(options.json, 'w', encoding='utf-8') as file:
            json.dump(results, file, indent=1)
    return 0


if __name__ == '__main__':
    sys.exit(main())
