#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Layers of transformers by Keras and PyTorch, written to transformer.txt in this folder.

Made with PyTorch 2.14 (`pip install torch`), then with Keras 3.15 (`pip install keras tensorflow-cpu`), in double. Run it with each:
each run replaces its own lines. A line is `quantity numbers...`. Inputs and variables are those of test::numbers in
tests/support/tensor.hpp, with the seeds below; gammas are 1 + number / 4. `layer` is y, `layer.x` the gradient of sum(w * y).
"""
import os

import numpy as np

from attention import numbers

HERE = os.path.dirname(os.path.abspath(__file__))
X, MEMORY, W = numbers((2, 5, 6), seed=1), numbers((2, 4, 6), seed=2), numbers((2, 5, 6), seed=3)


def attention_variables(seed, heads=2, key_heads=2, width=3, values=3, features=6):
    """Kernels and biases in the order of the layer: query, key, value, output."""
    shapes = [(features, heads, width), (heads * width,), (features, key_heads, width), (key_heads * width,),
              (features, key_heads, values), (key_heads * values,), (heads, values, features), (features,)]
    return [numbers(s, seed=seed + i) for i, s in enumerate(shapes)]


def keras_lines():
    os.environ['KERAS_BACKEND'] = 'tensorflow'
    import keras
    import tensorflow as tf

    def case(name, layer, arrays, variables, **options):
        tensors = [tf.constant(a) for a in arrays]
        layer(*tensors, **options)
        for v, a in zip(layer.weights, variables):
            v.assign(a.reshape(v.shape))
        with tf.GradientTape() as tape:
            tape.watch(tensors)
            y = layer(*tensors, **options)
            loss = tf.reduce_sum(W * y)
        wanted = tensors + list(layer.weights)
        gradients = tape.gradient(loss, wanted)
        return [(name, y)] + [(f'{name}.{n}', g) for n, g in zip(['x', 'memory'][:len(tensors)] + [v.path.split('/', 1)[1] for v in layer.weights], gradients)]

    mask = numbers((2, 5, 4), seed=4) > -0.4
    lines = case('multi_head', keras.layers.MultiHeadAttention(2, 3, value_dim=4, dtype='float64'), [X, MEMORY],
                 attention_variables(10, values=4), attention_mask=mask)
    lines += case('grouped', keras.layers.GroupQueryAttention(3, 4, 2, use_bias=False, dtype='float64'), [X, X],
                  [v for v in attention_variables(20, heads=4) if v.ndim == 3], use_causal_mask=True)
    return lines


def torch_lines():
    import torch

    def load(layer, parts, norms):
        t = torch.tensor
        for attention, seed in parts:
            q, qb, k, kb, v, vb, o, ob = attention_variables(seed)
            attention.in_proj_weight.data = t(np.concatenate([m.reshape(6, 6).T for m in (q, k, v)]))
            attention.in_proj_bias.data = t(np.concatenate([qb, kb, vb]))
            attention.out_proj.weight.data, attention.out_proj.bias.data = t(o.reshape(6, 6).T.copy()), t(ob)
        layer.linear1.weight.data, layer.linear1.bias.data = t(numbers((6, 8), seed=50).T.copy()), t(numbers((8,), seed=51))
        layer.linear2.weight.data, layer.linear2.bias.data = t(numbers((8, 6), seed=52).T.copy()), t(numbers((6,), seed=53))
        for i, norm in enumerate(norms):
            norm.weight.data, norm.bias.data = t(1 + numbers((6,), seed=60 + 2 * i) / 4), t(numbers((6,), seed=61 + 2 * i))

    def case(name, layer, arrays, **options):
        tensors = [torch.tensor(a, requires_grad=True) for a in arrays]
        y = layer(*tensors, **options)
        gradients = torch.autograd.grad((torch.tensor(W) * y).sum(), tensors + [layer.linear1.weight])
        named = zip(['x', 'memory'][:len(tensors)] + ['w'], gradients)
        return [(name, y.detach())] + [(f'{name}.{n}', g.T if n == 'w' else g) for n, g in named]

    lines = []
    padding = torch.arange(5)[None, :] >= torch.tensor([5, 3])[:, None]
    encoder = torch.nn.TransformerEncoderLayer(6, 2, 8, 0, 'relu', batch_first=True).double()
    load(encoder, [(encoder.self_attn, 30)], [encoder.norm1, encoder.norm2])
    lines += case('encoder_relu', encoder, [X], src_key_padding_mask=padding)
    decoder = torch.nn.TransformerDecoderLayer(6, 2, 8, 0, 'gelu', batch_first=True, norm_first=True).double()
    load(decoder, [(decoder.self_attn, 30), (decoder.multihead_attn, 40)], [decoder.norm1, decoder.norm2, decoder.norm3])
    lines += case('decoder_gelu', decoder, [X, MEMORY], tgt_mask=~torch.ones(5, 5).tril().bool(), tgt_is_causal=True)
    return lines


def main():
    try:
        lines = torch_lines()
    except ImportError:
        lines = keras_lines()
    path = os.path.join(HERE, 'transformer.txt')
    made = {name: [f'{e:.9g}' for e in np.asarray(x).ravel()] for name, x in lines}
    if os.path.exists(path):
        with open(path, encoding='utf-8') as known:
            for line in known:
                name, *numbers_ = line.split()
                made.setdefault(name, numbers_)
    with open(path, 'w', encoding='utf-8') as out:
        for name in sorted(made):
            out.write(name + ' ' + ' '.join(made[name]) + '\n')


if __name__ == '__main__':
    main()
