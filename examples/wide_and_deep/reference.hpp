// SPDX-License-Identifier: MIT
// What TensorFlow 2.21 reaches with the same recipe (batch 40, 20 epochs), and how close a faithful implementation comes.
#pragma once

#include <array>

namespace examples::reference {

inline constexpr int seed = 1, batch = 40, epochs = 20;

/// Mean training loss of each epoch, seed 1, as tests/reference/wide_deep_trace.py --epochs prints it.
inline constexpr std::array<double, 20> losses = {0.329280, 0.311050, 0.301228, 0.294895, 0.290361, 0.287854, 0.284225, 0.281363, 0.279110,
    0.277184, 0.275332, 0.273811, 0.272633, 0.271255, 0.270017, 0.268812, 0.267797, 0.266709, 0.265875, 0.265115};
/// Test log loss after each epoch, the same.
inline constexpr std::array<double, 20> test_losses = {0.312146, 0.369825, 0.303057, 0.299880, 0.297235, 0.298630, 0.294133, 0.293634,
    0.292006, 0.291219, 0.289494, 0.289799, 0.289853, 0.288706, 0.287648, 0.286957, 0.286629, 0.286347, 0.285751, 0.285946};
inline constexpr double loss_tolerance = 1e-4;

struct figure {
    double seed1, tolerance;   // TensorFlow with seed 1; the distance that rounding alone explains
    double mean, sd;           // TensorFlow, seeds 1 to 5
    double bound;              // that the mean of five seeds has to reach
};
inline constexpr figure accuracy = {0.86960, 0.001, 0.8688, 0.0017, 0.867};
inline constexpr figure auc = {0.92210, 0.0003, 0.9225, 0.0004, 0.922};
inline constexpr figure log_loss = {0.28594, 0.0003, 0.2865, 0.0021, 0.289};
inline constexpr figure nonzero = {1653, 10, 1666, 7, 0};

inline constexpr double seconds = 9, seconds_bound = 3;   // 20 epochs on one core; TensorFlow's about, not a clean measurement

}   // namespace examples::reference
