#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Steps of tf.compat.v1.mixed_precision.MixedPrecisionLossScaleOptimizer around MomentumOptimizer, written to loss_scale.txt here.

Made with TensorFlow 2.21.0 (tensorflow-cpu) in graph mode, in float. A line is `case step quantity numbers...`; quantities are w, table,
momentum (the slot of w) and scale: the scale after the step, the number of good steps, the number of applied steps.
The loss is sum(w * g) + sum(table[ids] * g[:2]) with
  w[i] = (i - 1) / 2, table[i] = (3 i mod 4) / 4 - 0.5, ids = [2, 0], g[i] = (0.5 + i / 4) * size;
  in some steps of a case the last element of g is a bad number instead.
Case `overflow`: the gradients are finite, and some of them are not once they are scaled.
Case `bad`: some are infinite or NaN, and the scale falls to 1 and no further. TensorFlow divides it by 3 by multiplying by 1/3, so one of
its numbers is off by a bit.
Case `fixed`: a scale that is not a power of 2.
"""
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1
tf1.disable_eager_execution()
inf, nan = float("inf"), float("nan")
CASES = {   # name: (scale, learning rate, the sizes of the steps, in which the last element is something else)
    "overflow": (dict(initial_loss_scale=2.0**15, increment_period=3, multiplier=2.0), 1e-35,
                 [1e33, 3e34, 3e34, 3e34, 1e33, 2e33, 2.5e34, 1e34, 1e34, 1e34, 5e34, 2e33], {}),
    "bad": (dict(initial_loss_scale=5.0, increment_period=2, multiplier=3.0), 0.125,
            [1, 2, 1, 3, 1, 1, 2, 1, 0.5, 1, 1, 2], {2: inf, 3: nan, 4: -inf, 5: inf, 9: nan}),
    "fixed": (3.0, 0.3, [1, 0.7, 1.3, 0.9], {}),
}

if __name__ == "__main__":
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "loss_scale.txt"), "w") as out:
        for name, (scale, rate, sizes, bad) in CASES.items():
            with tf1.Graph().as_default(), tf1.Session() as session:
                g = tf1.placeholder(tf.float32, [3])
                w = tf1.get_variable("w", initializer=np.array([(i - 1) / 2 for i in range(3)], np.float32), use_resource=True)
                table = tf1.get_variable("table", initializer=np.array([(3 * i % 4) / 4 - 0.5 for i in range(4)], np.float32), use_resource=True)
                loss = tf.reduce_sum(w * g) + tf.reduce_sum(tf.gather(table, [2, 0]) * g[:2])
                dynamic = isinstance(scale, dict)
                how = tf1.mixed_precision.DynamicLossScale(**scale) if dynamic else tf1.mixed_precision.FixedLossScale(scale)
                inner = tf1.train.MomentumOptimizer(rate, 0.5)
                optimizer = tf1.train.experimental.MixedPrecisionLossScaleOptimizer(inner, how)
                steps = tf1.train.get_or_create_global_step()
                apply = optimizer.apply_gradients(optimizer.compute_gradients(loss, [w, table]), steps)
                session.run(tf1.global_variables_initializer())
                for step, size in enumerate(sizes):
                    at = np.array([(0.5 + i / 4) * size for i in range(3)], np.float32)
                    if step in bad:
                        at[2] = bad[step]
                    session.run(apply, {g: at})
                    good = session.run(how._num_good_steps) if dynamic else 0
                    values = {"w": session.run(w), "table": session.run(table), "momentum": session.run(inner.get_slot(w, "momentum")),
                              "scale": [session.run(how()), good, session.run(steps)]}
                    for quantity, list_ in values.items():
                        out.write(f"{name} {step} {quantity} " + " ".join(repr(float(v)) for v in list_) + "\n")
