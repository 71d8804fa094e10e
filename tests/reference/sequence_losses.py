#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CTC losses by TensorFlow, and conditional random fields by all paths and by JAX, written to sequence_losses.txt in this folder.

Made with TensorFlow 2.21 (`pip install tensorflow`), JAX 0.10.2 and NumPy (`pip install jax`), in double; TensorFlow's CTC loss is in
float. One run with an argument `tensorflow` or `jax` computes the cases of that tool. A line is `quantity numbers...`.
`ctc.*` has losses and the gradients of their sum times weights; `crf.*` and `wide.*` have log-likelihoods and gradients, and best paths.
"""
import itertools
import os
import sys

import numpy as np


def numbers(seed, scale, *shape):
    return np.round(np.random.default_rng(seed).uniform(-scale, scale, shape), 3)


LABELS = np.array([[1, 2, 2, 3], [4, 1, 0, 0], [2, 0, 0, 0], [3, 3, 3, 0], [1, 1, 0, 0]])
LABEL_LENGTHS = np.array([4, 2, 0, 3, 2])
TURNS = np.array([8, 5, 3, 8, 3])


def ctc():
    import tensorflow as tf
    result = {}
    logits = numbers(1, 3, 5, 8, 6)
    weights = numbers(2, 1, 5)
    put(result, 'ctc', logits=logits, weights=weights)
    for name, blank, labels in (('first', 0, LABELS), ('last', 5, np.maximum(LABELS - 1, 0))):
        x = tf.constant(logits, tf.float32)
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = tf.nn.ctc_loss(tf.constant(labels, tf.int32), x, tf.constant(LABEL_LENGTHS, tf.int32), tf.constant(TURNS, tf.int32),
                                  logits_time_major=False, blank_index=blank)
            total = tf.reduce_sum(loss * weights.astype(np.float32))
        put(result, 'ctc', **{name: loss, name + '.slope': tape.gradient(total, x)})
        for merge in (True, False):
            x = tf.transpose(tf.constant(logits, tf.float32), (1, 0, 2))
            (decoded, ), score = tf.nn.ctc_greedy_decoder(x, tf.constant(TURNS, tf.int32), merge_repeated=merge, blank_index=blank)
            dense = tf.sparse.to_dense(decoded, default_value=-1).numpy()
            dense = np.pad(dense, ((0, 0), (0, 8 - dense.shape[1])), constant_values=-1)
            put(result, 'ctc', **{f'{name}.decoded{int(merge)}': dense, name + '.score': score})
    return result


def score(inputs, transitions, path):
    return sum(inputs[t, k] for t, k in enumerate(path)) + sum(transitions[a, b] for a, b in zip(path, path[1:]))


def crf():
    import jax
    jax.config.update('jax_enable_x64', True)
    import jax.numpy as jnp
    result = {}

    def forward(inputs, transitions, n):
        a = inputs[0]
        for t in range(1, n):
            a = inputs[t] + jax.nn.logsumexp(a[:, None] + transitions, axis=0)
        return jax.nn.logsumexp(a)

    def run(name, inputs, transitions, tags, lengths, all_paths):
        weights = numbers(9, 1, len(lengths))

        def likelihoods(inputs, transitions):
            rows = []
            for b, n in enumerate(lengths):
                if n == 0:
                    rows.append(jnp.zeros(()))
                    continue
                if all_paths:
                    paths = itertools.product(range(inputs.shape[2]), repeat=int(n))
                    norm = jax.nn.logsumexp(jnp.stack([score(inputs[b], transitions, p) for p in paths]))
                else:
                    norm = forward(inputs[b], transitions, n)
                rows.append(score(inputs[b], transitions, [int(k) for k in tags[b, :n]]) - norm)
            return jnp.stack(rows)

        slopes = jax.grad(lambda i, m: jnp.sum(likelihoods(i, m) * weights), (0, 1))(jnp.asarray(inputs), jnp.asarray(transitions))
        best, scores = np.zeros(tags.shape), []
        for b, n in enumerate(lengths):
            if n == 0:
                scores.append(0.0)
                continue
            a, back = inputs[b, 0], []
            for t in range(1, n):
                step = a[:, None] + transitions
                back.append(step.argmax(0))
                a = inputs[b, t] + step.max(0)
            if all_paths:
                paths = list(itertools.product(range(inputs.shape[2]), repeat=int(n)))
                assert np.isclose(a.max(), max(score(inputs[b], transitions, p) for p in paths))
            k = int(a.argmax())
            scores.append(a.max())
            for t in range(n - 1, -1, -1):
                best[b, t] = k
                k = int(back[t - 1][k]) if t > 0 else k
        put(result, name, inputs=inputs, transitions=transitions, tags=tags, lengths=lengths, weights=weights,
            y=likelihoods(inputs, transitions), of_inputs=slopes[0], of_transitions=slopes[1], best=best, scores=scores)

    run('crf', numbers(3, 2, 4, 4, 3), numbers(4, 1, 3, 3), np.array([[0, 2, 1, 1], [2, 2, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]]),
        np.array([4, 2, 1, 0]), True)
    k = 17   # forbidden transitions, and tags that only improbable ones reach
    transitions = numbers(5, 2, k, k)
    transitions[:, 3] = -1e4
    transitions[5, 3] = -300
    transitions[:, 9] -= 500
    transitions[7, :] += 250
    inputs = numbers(6, 60, 2, 4, k)
    inputs[:, 1, 3] += 600
    run('wide', inputs, transitions, np.array([[5, 3, 16, 0], [7, 9, 4, 0]]), np.array([4, 3]), False)
    return result


def put(result, case, **quantities):
    for name, value in quantities.items():
        value = value.numpy() if hasattr(value, 'numpy') else np.asarray(value)
        result[f'{case}.{name}'] = np.asarray(value, dtype=np.float64).reshape(-1)


def main():
    result = {'tensorflow': ctc, 'jax': crf}[sys.argv[1]]()
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'sequence_losses.txt')
    lines = open(path, encoding='utf-8').read().splitlines() if os.path.exists(path) else []
    kept = [line for line in lines if line.split()[0] not in result]
    kept += [' '.join([name, *(f'{n:.10g}' for n in value)]) for name, value in result.items()]
    with open(path, 'w', encoding='utf-8') as file:
        file.write('\n'.join(sorted(kept)) + '\n')


if __name__ == '__main__':
    main()
