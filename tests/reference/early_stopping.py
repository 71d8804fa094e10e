#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Keras' EarlyStopping on short series of a metric, written to early_stopping.txt in this folder.

Made with Keras 3 of tensorflow-cpu. A line is
`patience min_delta higher_is_better baseline start_from_epoch | stopped_epoch best_epoch best | values...`;
a baseline of nan means no baseline, a stopped_epoch of -1 means that it did not stop.
"""
import itertools
import os

from keras.callbacks import EarlyStopping

SERIES = [
    [1.0, 0.8, 0.79, 0.81, 0.78, 0.9, 0.9, 0.9, 0.9],
    [0.1, 0.2, 0.3, 0.3, 0.35, 0.34, 0.33, 0.36, 0.1, 0.1, 0.1],
    [1.0, 1.0, 1.0, 1.0],
    [3.0, float("nan"), 2.0, float("nan"), float("nan"), float("nan"), 1.0],
]


class Model:
    stop_training = False

    def get_weights(self):
        return []

    def set_weights(self, weights):
        pass


if __name__ == "__main__":
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "early_stopping.txt"), "w") as out:
        for values, patience, delta, higher, baseline, start in itertools.product(
                SERIES, (0, 1, 3), (0, 0.05), (0, 1), (None, 0.5), (0, 2)):
            callback = EarlyStopping("loss", patience=patience, min_delta=delta, mode="max" if higher else "min",
                                     baseline=baseline, start_from_epoch=start)
            model = Model()
            callback.set_model(model)
            callback.on_train_begin()
            stopped = -1
            for epoch, value in enumerate(values):
                callback.on_epoch_end(epoch, {"loss": value})
                if model.stop_training:
                    stopped = epoch
                    break
            if callback.best != callback.best:
                continue  # Keras takes a first value of NaN for the best one
            seen = callback.best is not None
            out.write(f"{patience} {delta} {higher} {'nan' if baseline is None else baseline} {start} | {stopped} "
                      f"{callback.best_epoch if seen else -1} {callback.best if seen else 'nan'} | " + " ".join(map(repr, values)) + "\n")
