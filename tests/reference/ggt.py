#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Steps of tf.contrib.opt.GGTOptimizer, written to ggt.txt in this folder.

The class itself needs TensorFlow 1.15, because no later version has contrib. So `step` is its _apply_dense and _finish with the same
operations in the same order, run by TensorFlow 2.21 in float64. b52 is case B52 of docs/tf_cases.md, whose numbers agree to the last
digit. A line is `case step quantity numbers...`; quantities are the variables var0 and var1, of two elements each, which begin with 1, 2
and 3, 4. The gradient of var0 in step k is, except for b52,
  ((7 i + 5 k + 3) mod 16 - 8) / 16, i = 0, 1, and that of var1 the same with i = 2, 3.
"""
import os

import numpy as np
import tensorflow as tf

CASES = {
    'b52': dict(lr=0.001, window=3),
    'rolls': dict(lr=0.05, window=3, beta1=0.5, svd_eps=1e-4, sigma_eps=1e-3),
    'wide': dict(lr=0.01, window=6),
    'inside': dict(lr=0.05, window=3, beta1=0.75, eps=0.5),
}


class GGT:
    def __init__(self, size, lr, window, beta1=0.9, eps=1e-4, svd_eps=1e-6, sigma_eps=1e-2):
        self.lr, self.window, self.beta1, self.eps, self.svd_eps, self.sigma_eps = lr, window, beta1, eps, svd_eps, sigma_eps
        self.global_step = tf.Variable(0., dtype=tf.float64)
        self.moment1 = tf.Variable(tf.zeros([size], tf.float64))
        self.grad_buffer = tf.Variable(tf.zeros([window, size], tf.float64))

    def step(self, flat_vars, flat_grad):
        self.global_step.assign_add(1.)
        self.moment1.assign(self.beta1 * self.moment1 + (1. - self.beta1) * flat_grad)
        row = tf.math.floormod(tf.cast(self.global_step - 1., tf.int32), self.window)
        self.grad_buffer.scatter_nd_update([[row]], [self.moment1])
        denom = tf.sqrt(tf.minimum(self.global_step, tf.cast(self.window, tf.float64)))
        moment1_2d = tf.expand_dims(self.moment1, -1)
        m = tf.transpose(tf.divide(self.grad_buffer, denom))
        mm = tf.matmul(m, m, transpose_a=True)
        damping = tf.cast(tf.eye(self.window), tf.float64) * self.svd_eps
        sigma, u, _ = tf.linalg.svd(mm + damping)
        sigma_sqrt = tf.sqrt(sigma)
        sigma_sqrt_min = tf.reduce_min(sigma_sqrt)
        sigma_sqrt_inv = tf.divide(tf.cast(1.0, tf.float64), tf.pow(sigma_sqrt + self.sigma_eps, 3))

        def inside(diagonal):
            return tf.matmul(m, tf.matmul(u, tf.matmul(tf.linalg.diag(diagonal), tf.matmul(
                u, tf.matmul(m, moment1_2d, transpose_a=True), transpose_a=True))))

        head = inside(sigma_sqrt_inv)
        tail = moment1_2d - inside(tf.divide(tf.cast(1.0, tf.float64), sigma))
        scaled_tail = tf.divide(tail, sigma_sqrt_min)
        new_step = head + scaled_tail if sigma_sqrt_min > self.eps else head
        flat_vars.assign_sub(self.lr * tf.reshape(new_step, [-1]))


if __name__ == '__main__':
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'ggt.txt'), 'w') as out:
        for name, how in CASES.items():
            theta = tf.Variable(np.array([1., 2., 3., 4.]))
            rule = GGT(4, **how)
            for k in range(1, 4 if name == 'b52' else 9):
                if name == 'b52':
                    g = [0.1, 0.1, 0.01, 0.01]
                else:
                    g = [((7 * i + 5 * k + 3) % 16 - 8) / 16 for i in range(4)]
                rule.step(theta, tf.constant(g, tf.float64))
                for quantity, values in (('var0', theta[:2]), ('var1', theta[2:])):
                    out.write(f'{name} {k} {quantity} ' + ' '.join(repr(float(v)) for v in values) + '\n')
