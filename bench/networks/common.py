# SPDX-License-Identifier: MIT
"""What the networks in PyTorch share: one thread, start values as in the examples, the rate of one_cycle, the data."""
import gzip
import math
import os

for name in ('OMP_NUM_THREADS', 'MKL_NUM_THREADS'):
    os.environ[name] = '1'
import numpy as np
import torch

torch.set_num_threads(1)
torch.manual_seed(1)


def start(module):
    """Glorot's uniform start for weights, orthogonal recurrent weights, biases of 0."""
    for name, value in module.named_parameters():
        if 'norm' in name:
            continue
        if value.dim() < 2:
            torch.nn.init.zeros_(value)
        elif 'weight_hh' in name:
            for part in value.data.chunk(3):
                torch.nn.init.orthogonal_(part)
        else:
            torch.nn.init.xavier_uniform_(value)
    return module


def one_cycle(optimizer, peak, steps, warm_part=0.3, div=25, final_div=1e4):
    def between(a, b, part):
        return a + (b - a) * 0.5 * (1 - math.cos(math.pi * part))

    def rate(step):
        warm = math.floor(warm_part * steps)
        if step < warm:
            return between(peak / div, peak, step / warm)
        return between(peak, peak / div / final_div, min(1, (step - warm) / (steps - warm)))

    for group in optimizer.param_groups:
        group['lr'] = 1.0
    return torch.optim.lr_scheduler.LambdaLR(optimizer, rate)


def batches(count, size):
    """The rows of each batch of an epoch."""
    return torch.randperm(count).split(size)


def fashion(part, count=None):
    folder = os.environ.get('FASHION_MNIST', '/usr/share/datasets/fashion-mnist')

    def read(name, header):
        with gzip.open(f'{folder}/{part}-{name}-ubyte.gz') as file:
            return np.frombuffer(file.read(), np.uint8, offset=header)

    images = read('images-idx3', 16).reshape(-1, 784).astype(np.float32) / np.float32(255)
    return torch.from_numpy(images[:count]), torch.from_numpy(read('labels-idx1', 8).astype(np.int64)[:count])


def licences():
    folder = '/usr/share/common-licenses'
    paths = sorted(entry.path for entry in os.scandir(folder) if entry.is_file(follow_symlinks=False))
    return ''.join(open(path, encoding='latin-1', newline='').read() for path in paths)


class Mt19937:
    """std::mt19937."""

    def __init__(self, seed):
        self.bits = np.random.RandomState(seed)

    def raw(self, *shape):
        return self.bits.randint(0, 2**32, size=shape, dtype=np.uint32)
