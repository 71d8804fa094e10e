#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rows of networks_bench, sequences_bench, attention_bench and pictures_bench in PyTorch, on one thread of a CPU.

    python3 -m venv build/venv_torch && build/venv_torch/bin/pip install torch numpy
    bench/runtime/against_torch --bench build/native/bench/runtime --python build/venv_torch/bin/python

It reads requests from its standard input as served.hpp has them, and `load PATH ROW` in place of `save`. The answer to `memory ROW` is
the largest number of bytes that PyTorch's allocator held during a call, beyond those before it. `--compile` wraps the networks in
torch.compile, except the recurrent ones, which it does not compile. Pictures are in the order
that is faster here, with the channels last; `--channels-first` is PyTorch's usual one."""
import argparse
import json
import os
import statistics
import sys
import time

for name in ('OMP_NUM_THREADS', 'MKL_NUM_THREADS'):
    os.environ[name] = '1'
import numpy
import torch
import torch.nn.functional as F
from torch import nn


def numbers(seed, *shape):
    """The array that numbers() of served.hpp makes."""
    i = numpy.arange(numpy.prod(shape), dtype=numpy.int64)
    return torch.from_numpy((((i * 7919 + seed * 104729) % 1000).astype(numpy.float32) / numpy.float32(1000) - numpy.float32(0.5)).reshape(shape))


def checksum(a):
    a = a.detach().double().reshape(-1)
    return float((a * (1 + torch.arange(a.numel()) % 7)).sum())


def read_variables(path):
    """The float tensors of a safetensors file."""
    with open(path, 'rb') as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), 'little')))
        data = file.read()
    found = {}
    for name, what in header.items():
        if name != '__metadata__' and what['dtype'] == 'F32':
            begin, end = what['data_offsets']
            found[name] = numpy.frombuffer(data[begin:end], dtype=numpy.float32).reshape(what['shape'])
    return found


class Cnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.ModuleList([nn.Conv2d(1, 24, 3, padding=1, bias=False), nn.Conv2d(24, 48, 3, padding=1, bias=False)])
        self.norm = nn.ModuleList([nn.BatchNorm2d(24), nn.BatchNorm2d(48)])
        self.hidden, self.out = nn.Linear(7 * 7 * 48, 128), nn.Linear(128, 10)

    def forward(self, x):
        for conv, norm in zip(self.conv, self.norm):
            x = F.max_pool2d(F.relu(norm(conv(x))), 2)
        return self.out(F.relu(self.hidden(x.flatten(1))))

    def load(self, v):
        for k, part in enumerate(('first', 'second')):
            set_conv(self.conv[k], v, part + 'conv' if part + 'conv/w' in v else part + '/conv')
            set_norm(self.norm[k], v, part + 'norm' if part + 'norm/gamma' in v else part + '/norm')
        w = v['hidden/w'].reshape(7, 7, 48, 128).transpose(2, 0, 1, 3).reshape(-1, 128)   # flattened with the channels last
        set_to(self.hidden.weight, w.T)
        set_to(self.hidden.bias, v['hidden/b'])
        set_dense(self.out, v, 'out')


class ResNet(nn.Module):
    def __init__(self):
        super().__init__()
        convs, norms, self.project, self.project_norm = [nn.Conv2d(3, 16, 3, padding=1, bias=False)], [nn.BatchNorm2d(16)], nn.ModuleDict(), nn.ModuleDict()
        width = 16
        for i in range(1, 10):
            filters = 16 << ((i - 1) // 3)
            stride = filters // width
            convs += [nn.Conv2d(width, filters, 3, stride, 1, bias=False), nn.Conv2d(filters, filters, 3, padding=1, bias=False)]
            norms += [nn.BatchNorm2d(filters), nn.BatchNorm2d(filters)]
            if stride > 1:
                self.project[str(i)] = nn.Conv2d(width, filters, 1, stride, bias=False)
                self.project_norm[str(i)] = nn.BatchNorm2d(filters)
            width = filters
        self.conv, self.norm, self.out = nn.ModuleList(convs), nn.ModuleList(norms), nn.Linear(64, 10)

    def forward(self, x):
        x = F.relu(self.norm[0](self.conv[0](x)))
        for i in range(1, 10):
            y = F.relu(self.norm[2 * i - 1](self.conv[2 * i - 1](x)))
            y = self.norm[2 * i](self.conv[2 * i](y))
            if str(i) in self.project:
                x = self.project_norm[str(i)](self.project[str(i)](x))
            x = F.relu(y + x)
        return self.out(x.mean((2, 3)))

    def load(self, v):
        for k, (conv, norm) in enumerate(zip(self.conv, self.norm)):
            set_conv(conv, v, f'conv{k}')
            set_norm(norm, v, f'norm{k}')
        for k in self.project:
            set_conv(self.project[k], v, f'project{k}')
            set_norm(self.project_norm[k], v, f'project_norm{k}')
        set_dense(self.out, v, 'out')


class Recurrent(nn.Module):
    def __init__(self, kind, units):
        super().__init__()
        self.rnn = kind(units, units, batch_first=True)
        if kind is nn.LSTM:   # its second bias is one that xgrad does not have
            self.rnn.bias_hh_l0.data.zero_()
            self.rnn.bias_hh_l0.requires_grad_(False)

    def forward(self, x):
        return self.rnn(x)[0][:, -1]

    def load(self, v):
        def gates(a):   # Keras' GRU has z, r, h; PyTorch r, z, n
            a = a.T
            if a.shape[0] != 3 * self.rnn.hidden_size:
                return a
            z, r, h = numpy.split(a, 3)
            return numpy.concatenate([r, z, h])
        set_to(self.rnn.weight_ih_l0, gates(v['rnn/w']))
        set_to(self.rnn.weight_hh_l0, gates(v['rnn/u']))
        set_to(self.rnn.bias_ih_l0, gates(v['rnn/b']))
        if 'rnn/recurrent_b' in v:
            set_to(self.rnn.bias_hh_l0, gates(v['rnn/recurrent_b']))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(128, 4, 512, dropout=0, batch_first=True, norm_first=True)

    def forward(self, x):
        return self.layer(x)

    def load(self, v):
        attention, name = self.layer.self_attn, 'block/self_attention/'
        set_to(attention.in_proj_weight, numpy.concatenate([v[name + part + '/kernel'].reshape(128, 128).T for part in ('query', 'key', 'value')]))
        set_to(attention.in_proj_bias, numpy.concatenate([v[name + part + '/bias'] for part in ('query', 'key', 'value')]))
        set_to(attention.out_proj.weight, v[name + 'attention_output/kernel'].reshape(128, 128).T)
        set_to(attention.out_proj.bias, v[name + 'attention_output/bias'])
        set_dense(self.layer.linear1, v, 'block/feedforward_intermediate')
        set_dense(self.layer.linear2, v, 'block/feedforward_output')
        for norm, part in ((self.layer.norm1, 'self_attention'), (self.layer.norm2, 'feedforward')):
            set_to(norm.weight, v[f'block/{part}/norm/gamma'])
            set_to(norm.bias, v[f'block/{part}/norm/beta'])


def set_to(parameter, array):
    with torch.no_grad():
        parameter.copy_(torch.from_numpy(numpy.array(array, order='C')))


def set_conv(conv, v, name):
    set_to(conv.weight, v[name + '/w'].transpose(3, 2, 0, 1))


def set_dense(linear, v, name):
    set_to(linear.weight, v[name + '/w'].T)
    set_to(linear.bias, v[name + '/b'])


def set_norm(norm, v, name):
    for to, part in ((norm.weight, 'gamma'), (norm.bias, 'beta'), (norm.running_mean, 'moving_mean'), (norm.running_var, 'moving_variance')):
        set_to(to, v[f'{name}/{part}'])


class Net:
    """The two rows of a network: a step of training, and inference of one example."""

    def __init__(self, name, rule_name, model, rule, x, target, options, compiles=True):
        self.plain, self.x, self.target, self.one = model, x, target, x[:1]
        if not options.channels_first and x.dim() == 4:
            self.plain = model.to(memory_format=torch.channels_last)
            self.x = x.contiguous(memory_format=torch.channels_last)
            self.one = self.x[:1].contiguous(memory_format=torch.channels_last)
        self.model = torch.compile(self.plain) if options.compile and compiles else self.plain
        self.rule = rule([p for p in self.plain.parameters() if p.requires_grad])
        ROWS[f'{name}, {rule_name}, batch {len(x)}'] = (self.step, self.load)
        ROWS[f'{name}, inference, batch 1'] = (self.infer, self.load)

    def load(self, path):
        self.plain.load(read_variables(path))

    def step(self):
        if not self.plain.training:
            self.plain.train()
        self.rule.zero_grad()
        y = self.model(self.x)
        loss = F.cross_entropy(y, self.target) if self.target.dtype == torch.int64 else F.mse_loss(y, self.target)
        loss.backward()
        self.rule.step()
        return float(loss.detach())

    def infer(self):
        if self.plain.training:
            self.plain.eval()
        with torch.inference_mode():
            return self.model(self.one)


ROWS = {}


def attention(length):
    q, k, v, w = (numbers(seed, 8, 4, length, 64) for seed in (1, 2, 3, 4))
    a, b, c = (t.clone().requires_grad_() for t in (q, k, v))

    def forward():
        with torch.inference_mode():
            return float(F.scaled_dot_product_attention(q, k, v).reshape(-1)[77])

    def both():
        y = F.scaled_dot_product_attention(a, b, c)
        return sum(float(t.detach().reshape(-1)[77]) for t in (y, *torch.autograd.grad(y, (a, b, c), w)))
    ROWS[f'attention {length}x64, 4 heads, batch 8, forward'] = (forward, None)
    ROWS[f'attention {length}x64, 4 heads, batch 8, forward and backward'] = (both, None)


def normalization(name, rows, features, function):
    x, g = numbers(1, rows, features).requires_grad_(), numbers(2, rows, features)
    gamma, beta = numbers(3, features).requires_grad_(), numbers(4, features).requires_grad_()

    def call():
        y = function(x, gamma, beta)
        dx, dgamma, dbeta = torch.autograd.grad(y, (x, gamma, beta), g)
        return float(y.detach().reshape(-1)[77]) + float(dx.reshape(-1)[77]) + float(dgamma[7]) + float(dbeta[7])
    ROWS[name] = (call, None)


def picture_rows(name, channels, function, options):
    """Forward, and forward and backward, of a function of pictures with the channels last."""
    def as_pictures(a):
        a = a.permute(0, 3, 1, 2)
        return a.contiguous() if options.channels_first else a
    x = as_pictures(numbers(1, 32, 32, 32, channels))
    y = function(x)
    g = as_pictures(numbers(2, 32, y.shape[2], y.shape[3], channels))
    with_gradient = x.clone(memory_format=torch.preserve_format).requires_grad_()

    def element(a):   # number 77 with the channels last
        at = 77 // channels
        return float(a.detach()[0, 77 % channels, at // a.shape[3], at % a.shape[3]])

    def forward():
        with torch.inference_mode():
            return element(function(x))

    def both():
        y = function(with_gradient)
        return element(y) + element(torch.autograd.grad(y, with_gradient, g)[0])
    title = f'{name}, 32x32x{channels}, batch 32'
    ROWS[title + ', forward'] = (forward, None)
    ROWS[title + ', forward and backward'] = (both, None)


def make_rows(options):
    def adam(p):
        return torch.optim.Adam(p, lr=1e-3, fused=True)
    classes = torch.arange(64) * 31 % 10

    def pictures(batch, height, channels):
        return numbers(1, batch, height, height, channels).permute(0, 3, 1, 2).contiguous()
    Net('CNN 28x28x1', 'Adam', Cnn(), adam, pictures(64, 28, 1), classes, options)
    Net('ResNet-20 32x32x3', 'momentum', ResNet(), lambda p: torch.optim.SGD(p, lr=0.01, momentum=0.9, fused=True), pictures(32, 32, 3), classes[:32], options)
    for units in (64, 256):
        for kind in (nn.LSTM, nn.GRU):
            Net(f'{kind.__name__} {units}, 32 time steps', 'Adam', Recurrent(kind, units), adam, numbers(1, 16, 32, units), numbers(2, 16, units), options, False)
    Net('transformer block 64x128, 4 heads', 'AdamW', Block(), lambda p: torch.optim.AdamW(p, lr=1e-3, fused=True), numbers(1, 8, 64, 128), numbers(2, 8, 64, 128), options)
    for length in (64, 256, 1024):
        attention(length)
    normalization('layer norm 512x256, forward and backward', 512, 256, lambda x, gamma, beta: F.layer_norm(x, (256,), gamma, beta, 1e-5))
    normalization('batch norm, relu 8192x32, forward and backward', 8192, 32,
                  lambda x, gamma, beta: F.relu(F.batch_norm(x, None, None, gamma, beta, True, 0.1, 1e-5)))
    picture_rows('average pool 2', 16, lambda x: F.avg_pool2d(x, 2), options)
    picture_rows('average pool 3, stride 1', 16, lambda x: F.avg_pool2d(x, 3, 1, 1, count_include_pad=False), options)
    picture_rows('adaptive average pool 4', 16, lambda x: F.adaptive_avg_pool2d(x, 4), options)
    picture_rows('max pool 2', 16, lambda x: F.max_pool2d(x, 2), options)
    for channels in (3, 16):
        picture_rows('bilinear to 64x64', channels, lambda x: F.interpolate(x, size=(64, 64), mode='bilinear'), options)
    picture_rows('bilinear to 20x20', 16, lambda x: F.interpolate(x, size=(20, 20), mode='bilinear'), options)
    picture_rows('nearest to 64x64', 16, lambda x: F.interpolate(x, size=(64, 64), mode='nearest'), options)
    picture_rows('bicubic to 64x64', 16, lambda x: F.interpolate(x, size=(64, 64), mode='bicubic'), options)


def seconds_of(call, seconds):
    """As time() of served.hpp: processor time of a call."""
    start = time.process_time()
    call()
    calls = max(1, int(2e-4 / max(time.process_time() - start, 1e-7)))
    samples, now = [], time.process_time()
    end = now + seconds
    while now < end or len(samples) < 3:
        for _ in range(calls):
            call()
        then = time.process_time()
        samples.append((then - now) / calls)
        now = then
    return statistics.median(samples)


def peak_memory(call):
    call()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)   # the profiler says much about devices that are not there
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True) as profile:
        call()
    os.dup2(kept, 2)
    os.close(kept)
    os.close(nowhere)
    held = largest = 0
    events = sorted((e for e in profile.profiler.kineto_results.events() if e.name() == '[memory]'), key=lambda e: e.start_ns())
    for event in events:
        held += event.nbytes()
        largest = max(largest, held)
    return largest


def answer(line):
    request, _, rest = line.partition(' ')
    if request == 'list':
        return '\t'.join(ROWS)
    argument, _, row = rest.partition(' ') if request in ('load', 'time') else ('', '', rest)
    call, load = ROWS[row]
    if request == 'load':
        if load:
            load(argument)
        return 'ok'
    if request == 'value':
        result = call()
        return repr(result if isinstance(result, float) else checksum(result))
    return str(seconds_of(call, float(argument)) if request == 'time' else peak_memory(call))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--compile', action='store_true')
    parser.add_argument('--channels-first', action='store_true')
    options = parser.parse_args()
    if hasattr(os, 'sched_setaffinity'):   # the core of the other side
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.manual_seed(1)
    make_rows(options)
    for line in sys.stdin:
        print(answer(line.strip()), flush=True)
    return 0


if __name__ == '__main__':
    sys.exit(main())
