# SPDX-License-Identifier: MIT
"""Beam search of CTC: ctc_beam_search.txt. Needs tensorflow-cpu and numpy. tests/ops/ctc_beam_search_test.cpp reads it.

The sequences are TensorFlow's. The log probabilities are those of the search below, written as in the paper. TensorFlow's differ by up to
0.03 where a sequence leaves the beams and comes back.

    python3 ctc_beam_search.py > ctc_beam_search.txt
"""
import numpy as np
import tensorflow as tf

BATCH, TIME, CLASSES, PATHS = 6, 12, 5, 3
STEPS = [12, 7, 1, 2, 12, 9]


def logits(scale):
    i = np.arange(BATCH * TIME * CLASSES, dtype=np.float64)
    return (scale * np.sin(i * i % 1009 * 0.7 + i)).reshape(BATCH, TIME, CLASSES)


def search(x, width):
    """The log probabilities of the best sequences, and all of them by their sequences."""
    beams = {(): (0.0, -np.inf)}   # of paths that end with a blank, and with the last label
    for row in x:
        chance, following = row - np.log(np.exp(row).sum()), {}

        def add(sequence, blank, last):
            before = following.get(sequence, (-np.inf, -np.inf))
            following[sequence] = (np.logaddexp(before[0], blank), np.logaddexp(before[1], last))

        for sequence, (blank, last) in beams.items():
            whole = np.logaddexp(blank, last)
            add(sequence, whole + chance[-1], last + chance[sequence[-1]] if sequence else -np.inf)
            for c in range(CLASSES - 1):
                add((*sequence, c), -np.inf, (blank if sequence and sequence[-1] == c else whole) + chance[c])
        beams = dict(sorted(following.items(), key=lambda item: -np.logaddexp(*item[1]))[:width])
    return {sequence: np.logaddexp(*both) for sequence, both in beams.items()}


def line(name, values):
    print(name, *(repr(float(v)) for v in np.asarray(values, np.float64).ravel()))


for scale in (1, 4):
    for beams in (3, 8, 60):
        x = tf.constant(logits(scale).transpose(1, 0, 2), tf.float32)
        paths, of_tensorflow = tf.nn.ctc_beam_search_decoder(x, tf.constant(STEPS, tf.int32), beam_width=beams, top_paths=PATHS)
        found = np.full((BATCH, PATHS, TIME), -1.0)
        for k, path in enumerate(paths):
            dense = tf.sparse.to_dense(path, default_value=-1).numpy()
            found[:, k, :dense.shape[1]] = dense
        name = f'scale{scale}.beams{beams}'
        line(name + '.labels', found)
        log_probability = np.zeros((BATCH, PATHS))
        for b in range(BATCH):
            all_of_row = search(logits(scale)[b, :STEPS[b]], beams)
            for k in range(PATHS):
                log_probability[b, k] = all_of_row[tuple(int(c) for c in found[b, k] if c >= 0)]
        assert np.all(log_probability <= of_tensorflow + 1e-5) and np.all(log_probability > of_tensorflow - 0.05)
        line(name + '.log_probability', log_probability)
