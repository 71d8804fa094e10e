// SPDX-License-Identifier: MIT
// How much the signs of AddSign and PowerSign count: from 1 to 0, as functions of the step.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>
#include <xgrad/meta/libm.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numbers>

XGRAD_NAMESPACE_BEGIN

// Formulas: TensorFlow 1.15, contrib.opt.get_*_decay_fn. All with t ≤ D; behind D they stay as they are there.

/// (D − t) / D.
struct linear_sign_decay {
    double decay_steps;
    double operator()(std::int64_t step) const {
        double const t = std::min(static_cast<double>(step), decay_steps);
        return (decay_steps - t) / decay_steps;
    }
};

/// ½ (1 + cos(2π periods t / D)); 0 from zero_after periods on.
struct cosine_sign_decay {
    double decay_steps;
    double num_periods = 0.5, zero_after = std::numeric_limits<double>::infinity();
    double operator()(std::int64_t step) const {
        double const turns = num_periods * std::min(static_cast<double>(step), decay_steps) / decay_steps;
        return turns >= zero_after ? 0.0 : 0.5 * (1.0 + libm::cos(2.0 * std::numbers::pi * turns));
    }
};

/// ½ (1 + cos(π f)), f = periods t / D without its whole part: each period begins at 1; 0 from zero_after periods on.
struct restart_sign_decay {
    double decay_steps;
    double num_periods = 1.0, zero_after = std::numeric_limits<double>::infinity();
    double operator()(std::int64_t step) const {
        double const turns = num_periods * std::min(static_cast<double>(step), decay_steps) / decay_steps;
        return turns >= zero_after ? 0.0 : 0.5 * (1.0 + libm::cos(std::numbers::pi * (turns - libm::floor(turns))));
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
