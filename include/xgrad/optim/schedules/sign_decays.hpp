// SPDX-License-Identifier: MIT
// The weight of the signs in AddSign and PowerSign: functions of the step from 1 to 0.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>
#include <xgrad/meta/libm.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numbers>

XGRAD_NAMESPACE_BEGIN

// Formulas are those of TensorFlow 1.15, contrib.opt.get_*_decay_fn. t is at most D: after D the value does not change.

/// (D − t) / D.
struct linear_sign_decay {
    double decay_steps;
    double operator()(std::int64_t step) const {
        double const t = std::min(static_cast<double>(step), decay_steps);
        return (decay_steps - t) / decay_steps;
    }
};

/// ½ (1 + cos(2π periods t / D)); 0 after zero_after periods.
struct cosine_sign_decay {
    double decay_steps;
    double num_periods = 0.5, zero_after = std::numeric_limits<double>::infinity();
    double operator()(std::int64_t step) const {
        double const turns = num_periods * std::min(static_cast<double>(step), decay_steps) / decay_steps;
        return turns >= zero_after ? 0.0 : 0.5 * (1.0 + libm::cos(2.0 * std::numbers::pi * turns));
    }
};

/// ½ (1 + cos(π f)), where f is the fractional part of periods t / D: each period begins at 1. 0 after zero_after
/// periods.
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
