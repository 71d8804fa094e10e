#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Outputs and gradients of recurrent layers by Keras, PyTorch and JAX, written to recurrent.txt in this folder.

Made with TensorFlow 2.21 and Keras 3 (`pip install tensorflow`), PyTorch 2.14 (`pip install torch`) and JAX 0.10.2 (`pip install jax`), in
double. One run with an argument `keras`, `torch` or `jax` computes the cases of that tool: `recurrent.py keras`, and so on. The file has
the lines of all three. A line is `quantity numbers...`. The loss is the sum of all outputs times weights, and of the last states times
weights where a case has them. Rows of different lengths have masks in Keras, and packed sequences in PyTorch.
"""
import os
import sys

import numpy as np

BATCH, TIME, FEATURES, UNITS = 3, 5, 4, 3
LENGTHS = np.array([5, 2, 0])


def numbers(case, what, *shape):
    """Numbers of a part of a case, the same in each run."""
    seed = sum(ord(c) * 31**i for i, c in enumerate(case + '/' + what)) % 2**32
    return np.round(np.random.default_rng(seed).uniform(-1, 1, shape), 4)


def keras_cases():
    import tensorflow as tf
    keras = tf.keras
    keras.backend.set_floatx('float64')
    result = {}
    mask = np.arange(TIME)[None, :] < LENGTHS[:, None]

    def run(case, make, lengths, sequences, states=0):
        x = tf.constant(numbers(case, 'x', BATCH, TIME, FEATURES))
        initial = [tf.constant(numbers(case, f'start{k}', BATCH, UNITS)) for k in range(states)]
        layer = make(return_sequences=sequences, return_state=states > 0)
        arguments = {'mask': tf.constant(mask)} if lengths else {}
        layer(x, **arguments)
        layer.set_weights([numbers(case, f'v{k}', *v.shape) for k, v in enumerate(layer.trainable_variables)])
        v = [w.value if hasattr(w, 'value') else w for w in layer.trainable_variables]
        with tf.GradientTape() as tape:
            tape.watch([x, *initial])
            out = layer(x, **arguments, **({'initial_state': initial} if states else {}))
            y, after = (out[0], out[1:]) if states else (out, [])
            if lengths and sequences:
                y = y * mask[:, :, None]
            loss = tf.reduce_sum(y * numbers(case, 'g', *y.shape))
            for k, s in enumerate(after):
                loss += tf.reduce_sum(s * numbers(case, f'gs{k}', *s.shape))
        slopes = tape.gradient(loss, [x, *initial, *v])
        v, of_v = list(v), list(slopes[1 + states:])
        if case == 'gru':   # both biases of Keras are one matrix
            v[2:], of_v[2:] = [v[2][0], v[2][1]], [of_v[2][0], of_v[2][1]]
        put(result, case, x=x, y=y, dx=slopes[0])
        put(result, case, **{f'start{k}': s for k, s in enumerate(initial)})
        put(result, case, **{f'state{k}': s for k, s in enumerate(after)})
        put(result, case, **{f'dstart{k}': s for k, s in enumerate(slopes[1:1 + states])})
        put(result, case, **{f'v{k}': s for k, s in enumerate(v)})
        put(result, case, **{f'd{k}': s for k, s in enumerate(of_v)})
        put(result, case, g=numbers(case, 'g', *y.shape))
        put(result, case, **{f'gs{k}': numbers(case, f'gs{k}', *s.shape) for k, s in enumerate(after)})

    layers = keras.layers
    run('rnn_tanh', lambda **k: layers.SimpleRNN(UNITS, **k), False, True)
    run('rnn_relu', lambda **k: layers.SimpleRNN(UNITS, activation='relu', **k), True, False)
    run('lstm', lambda **k: layers.LSTM(UNITS, **k), True, True, 2)
    run('gru', lambda **k: layers.GRU(UNITS, **k), True, True, 1)
    run('gru_before', lambda **k: layers.GRU(UNITS, reset_after=False, **k), True, True)
    run('two', lambda **k: layers.Bidirectional(layers.SimpleRNN(UNITS, **{n: v for n, v in k.items() if v})), True, True)
    return result


def transposed(a):
    return a.T if a.ndim == 2 else a


def torch_cases():
    import torch
    torch.set_default_dtype(torch.float64)
    result = {}

    def run(case, module, lengths):
        x = torch.tensor(numbers(case, 'x', BATCH, TIME, FEATURES), requires_grad=True)
        for n, p in module.named_parameters():
            p.data = torch.tensor(numbers(case, n, *p.shape))
        n = np.maximum(LENGTHS, 1)   # a packed sequence has no row of length 0
        if lengths:
            packed = torch.nn.utils.rnn.pack_padded_sequence(x, torch.tensor(n), batch_first=True, enforce_sorted=False)
            y, state = module(packed)
            y, _ = torch.nn.utils.rnn.pad_packed_sequence(y, batch_first=True, total_length=TIME)
        else:
            y, state = module(x)
        states = [] if lengths else list(state)   # of one layer, [1, batch, units]
        loss = (y * torch.tensor(numbers(case, 'g', *y.shape))).sum()
        for k, s in enumerate(states):
            loss = loss + (s * torch.tensor(numbers(case, f'gs{k}', *s.shape))).sum()
        loss.backward()
        put(result, case, x=x, y=y, dx=x.grad, g=numbers(case, 'g', *y.shape))
        put(result, case, **{f'state{k}': s for k, s in enumerate(states)})
        put(result, case, **{f'gs{k}': numbers(case, f'gs{k}', *s.shape) for k, s in enumerate(states)})
        p = dict(module.named_parameters())
        ours = []   # w, u, b and p of each layer and direction
        for end in sorted(n[len('weight_ih'):] for n in p if n.startswith('weight_ih')):
            ours += [(a.data, a.grad) for a in (p['weight_ih' + end], p['weight_hh' + end])]
            ours.append((p['bias_ih' + end].data + p['bias_hh' + end].data, p['bias_ih' + end].grad))
            if 'weight_hr' + end in p:
                ours.append((p['weight_hr' + end].data, p['weight_hr' + end].grad))
        put(result, case, **{f'v{k}': transposed(a) for k, (a, _) in enumerate(ours)})
        put(result, case, **{f'd{k}': transposed(g) for k, (_, g) in enumerate(ours)})

    run('projected', torch.nn.LSTM(FEATURES, UNITS, batch_first=True, proj_size=2), False)
    run('stack', torch.nn.LSTM(FEATURES, UNITS, num_layers=2, bidirectional=True, batch_first=True), True)
    return result


def jax_cases():
    import jax
    jax.config.update('jax_enable_x64', True)
    import jax.numpy as jnp
    result = {}
    case = 'peepholes'
    x = numbers(case, 'x', BATCH, TIME, FEATURES)
    v = [numbers(case, 'w', FEATURES, 4 * UNITS), numbers(case, 'u', UNITS, 4 * UNITS), numbers(case, 'b', 4 * UNITS),
         numbers(case, 'p', 3, UNITS)]
    g = numbers(case, 'g', BATCH, TIME, UNITS)

    def outputs(x, v):
        w, u, b, p = v
        h = c = jnp.zeros((BATCH, UNITS))
        ys = []
        for t in reversed(range(TIME)):   # backwards
            i, f, n, o = jnp.split(x[:, t] @ w + h @ u + b, 4, axis=1)
            c = jax.nn.sigmoid(f + p[1] * c) * c + jax.nn.sigmoid(i + p[0] * c) * jnp.tanh(n)
            h = jax.nn.sigmoid(o + p[2] * c) * jnp.tanh(c)
            ys.append(h)
        return jnp.stack(ys[::-1], 1)

    slopes = jax.grad(lambda x, v: jnp.sum(outputs(x, v) * g), (0, 1))(x, v)
    put(result, case, x=x, y=outputs(x, v), dx=slopes[0], g=g)
    put(result, case, **{f'v{k}': a for k, a in enumerate(v)})
    put(result, case, **{f'd{k}': a for k, a in enumerate(slopes[1])})
    return result


def put(result, case, **quantities):
    for name, value in quantities.items():
        value = value.detach().numpy() if hasattr(value, 'detach') else np.asarray(value)
        result[f'{case}.{name}'] = np.asarray(value, dtype=np.float64).reshape(-1)


def main():
    tool = sys.argv[1]
    result = {'keras': keras_cases, 'torch': torch_cases, 'jax': jax_cases}[tool]()
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'recurrent.txt')
    lines = open(path, encoding='utf-8').read().splitlines() if os.path.exists(path) else []
    kept = [line for line in lines if line.split()[0] not in result]
    kept += [' '.join([name, *(f'{n:.10g}' for n in value)]) for name, value in result.items()]
    with open(path, 'w', encoding='utf-8') as file:
        file.write('\n'.join(sorted(kept)) + '\n')


if __name__ == '__main__':
    main()
