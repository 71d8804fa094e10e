#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Metrics of scikit-learn, written to metrics.txt in this folder.

Made with scikit-learn 1.9.1 and NumPy 2.4.6. A line is `case numbers...`.
Two classes: 60 rows r with the label (r^2 + 3 r) mod 7 < 3 and probabilities (37 r + 11) mod 64 / 64, predicted above a threshold. Case
`ties` has the probabilities (37 r + 11) mod 16 / 15: many are equal, some are 0 and 1.
Six classes: 45 rows of numbers ((29 r + 13) mod 96 + 1) (c + 1) mod 97 / 8 with the label (3 r + floor(r / 5)) mod 5. So class 5 never
occurs. No two numbers of a row are equal.
The mean is of the probabilities with weights r mod 4.
"""
import os

import numpy as np
from sklearn import metrics

R = np.arange(60)
LABELS = ((R * R + 3 * R) % 7 < 3).astype(int)
PLAIN = ((37 * R + 11) % 64) / 64
TIES = ((37 * R + 11) % 16) / 15
ROWS = np.array([[(((29 * r + 13) % 96 + 1) * (c + 1) % 97) / 8 for c in range(6)] for r in range(45)])
CLASSES = np.array([(3 * r + r // 5) % 5 for r in range(45)])

if __name__ == "__main__":
    assert all(len(set(row)) == 6 for row in ROWS.tolist())
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "metrics.txt"), "w") as out:
        def write(name, *numbers):
            out.write(name + "".join(f" {float(n)!r}" for n in numbers) + "\n")

        write("mean", np.average(PLAIN, weights=R % 4))
        for name, p in (("plain", PLAIN), ("ties", TIES)):
            write(f"{name}/roc_auc", metrics.roc_auc_score(LABELS, p))
            for kind in (np.float32, np.float64):
                write(f"{name}/log_loss/{np.dtype(kind).name}", metrics.log_loss(LABELS, p.astype(kind)))
            for threshold in (0.25, 0.5, 2):
                guess = p > threshold
                write(f"{name}/accuracy/{threshold}", metrics.accuracy_score(LABELS, guess))
                write(f"{name}/scores/{threshold}", *metrics.precision_recall_fscore_support(LABELS, guess, average="binary", zero_division=0)[:3])
        guess = ROWS.argmax(axis=1)
        write("classes/accuracy", metrics.accuracy_score(CLASSES, guess))
        for k in (1, 2, 3, 5):
            write(f"classes/top/{k}", metrics.top_k_accuracy_score(CLASSES, ROWS, k=k, labels=range(6)))
        write("classes/confusion", *metrics.confusion_matrix(CLASSES, guess, labels=range(6)).ravel())
        each = metrics.precision_recall_fscore_support(CLASSES, guess, labels=range(6), zero_division=0)[:3]
        for c in range(6):
            write(f"classes/scores/{c}", *(of[c] for of in each))
        write("classes/macro", *metrics.precision_recall_fscore_support(CLASSES, guess, labels=range(6), average="macro", zero_division=0)[:3])
