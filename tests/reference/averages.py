# SPDX-License-Identifier: MIT
"""Ten steps of gradient descent with moving averages of the weights after each update, as TensorFlow computes them in float32.

    python averages.py > averages.txt

GradientDescentOptimizer subtracts learning_rate * gradient. ExponentialMovingAverage.apply, run with a control dependency on the
optimizer's operation, does for each variable (python/training/moving_averages.py, assign_moving_average without zero_debias)

    average -= (average - variable) * (1 - decay)

with the variable as the optimizer has left it; the average begins as the variable's initial value. With num_updates the decay is
min(decay, (1 + num_updates) / (10 + num_updates)), here with the number of steps before this one.

A line for each step: gradient (3 numbers), variable, average with decay 0.9, average with num_updates.
"""
import numpy as np

F = np.float32
RATE, DECAY, STEPS = F(0.1), 0.9, 10


def gradient(step):
    return np.array([np.sin(step + 1.0), np.cos(2.0 * step), 1.0 / (step + 3.0)]).astype(F)


def main():
    variable = np.array([1.0, -2.0, 0.3], F)
    average, warm = variable.copy(), variable.copy()
    for step in range(STEPS):
        g = gradient(step)
        variable = variable - RATE * g
        average = average - (average - variable) * F(1.0 - DECAY)
        decay = np.minimum(F(DECAY), (F(1) + F(step)) / (F(10) + F(step)))
        warm = warm - (warm - variable) * (F(1) - decay)
        print(*[f"{x:.9g}" for part in (g, variable, average, warm) for x in part])


if __name__ == "__main__":
    main()
