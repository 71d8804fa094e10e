// SPDX-License-Identifier: MIT
// Learning-rate schedules: plain functions of the step. Any hyper-parameter can use them.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>
#include <xgrad/core/error.hpp>
#include <xgrad/core/random.hpp>
#include <xgrad/meta/libm.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>

XGRAD_NAMESPACE_BEGIN

// Formulas are those of TensorFlow 1.15, tf.train.*_decay. t is the step before the increment, D is decay_steps, η is
// learning_rate, r is decay_rate.
// Values are computed in double. Steps are counts without a unit; the result has the unit of `learning_rate`.

namespace detail {
/// The value of a schedule whose number of steps is not positive. All rules reject it.
inline constexpr double no_rate = std::numeric_limits<double>::quiet_NaN();
}

/// η · r^(t / D); staircase: r^⌊t / D⌋. In all schedules D must be positive, else the rate is NaN and rules reject it.
struct exponential_decay {
    double learning_rate, decay_steps, decay_rate;
    bool staircase = false;
    double operator()(std::int64_t step) const {
        if (!(decay_steps > 0)) return detail::no_rate;
        double const p = static_cast<double>(step) / decay_steps;
        return learning_rate * libm::pow(decay_rate, staircase ? libm::floor(p) : p);
    }
};

/// η · exp(−r · t / D); staircase: ⌊t / D⌋.
struct natural_exp_decay {
    double learning_rate, decay_steps, decay_rate;
    bool staircase = false;
    double operator()(std::int64_t step) const {
        if (!(decay_steps > 0)) return detail::no_rate;
        double const p = static_cast<double>(step) / decay_steps;
        return learning_rate * libm::exp(-decay_rate * (staircase ? libm::floor(p) : p));
    }
};

/// η / (1 + r · t / D); staircase: ⌊t / D⌋.
struct inverse_time_decay {
    double learning_rate, decay_steps, decay_rate;
    bool staircase = false;
    double operator()(std::int64_t step) const {
        if (!(decay_steps > 0)) return detail::no_rate;
        double const p = static_cast<double>(step) / decay_steps;
        return learning_rate / (1.0 + decay_rate * (staircase ? libm::floor(p) : p));
    }
};

/// (η − end) (1 − t / D)^power + end with t ≤ D. With `cycle`, D grows to the next multiple of D, so the value at
/// t = kD is `end`.
struct polynomial_decay {
    double learning_rate, decay_steps;
    double end_learning_rate = 1e-4, power = 1.0;
    bool cycle = false;
    double operator()(std::int64_t step) const {
        if (!(decay_steps > 0)) return detail::no_rate;
        double t = static_cast<double>(step), d = decay_steps;
        if (cycle) d *= step == 0 ? 1.0 : libm::ceil(t / decay_steps);
        else t = std::min(t, d);
        return (learning_rate - end_learning_rate) * libm::pow(1.0 - t / d, power) + end_learning_rate;
    }
};

/// values[0] up to and including boundaries[0], values[i] in (boundaries[i−1], boundaries[i]], the last value after the
/// last boundary.
/// At most seven boundaries: `piecewise_constant({1000, 2000}, {0.1, 0.05, 0.01})`.
/// \throws value_error if the boundaries do not increase.
class piecewise_constant {
public:
    static constexpr std::size_t capacity = 7;

    template<std::size_t B, std::size_t V>
    piecewise_constant(std::int64_t const (&boundaries)[B], double const (&values)[V]) : count_(B) {
        static_assert(V == B + 1,
            "xgrad::piecewise_constant(boundaries, values): the number of values is wrong; write one more value than boundaries");
        static_assert(B <= capacity,
            "xgrad::piecewise_constant(boundaries, values): more than seven boundaries are given; write a function of the step for "
            "more");
        for (std::size_t i = 0; i < B; ++i) {
            if (i > 0 && boundaries[i] <= boundaries[i - 1]) {
                raise<value_error>("piecewise_constant: boundaries must increase, found " + std::to_string(boundaries[i]) + " after " +
                                   std::to_string(boundaries[i - 1]));
            }
            boundaries_[i] = boundaries[i];
        }
        std::copy(values, values + V, values_.begin());
    }
    double operator()(std::int64_t step) const {
        std::size_t i = 0;
        while (i < count_ && step > boundaries_[i]) ++i;
        return values_[i];
    }

private:
    std::size_t count_;
    std::array<std::int64_t, capacity> boundaries_{};
    std::array<double, capacity + 1> values_{};
};

/// values[0] before boundaries[0], values[i] from boundaries[i−1] on: piecewise_constant with intervals closed on the
/// left (EasyRec's manual_stepping).
/// \throws value_error if the boundaries do not increase.
template<std::size_t B, std::size_t V>
piecewise_constant manual_stepping(std::int64_t const (&boundaries)[B], double const (&values)[V]) {
    std::int64_t last[B];
    for (std::size_t i = 0; i < B; ++i) last[i] = boundaries[i] - 1;
    return piecewise_constant(last, values);
}

/// η ((1 − α) ½ (1 + cos(π t / D)) + α) with t ≤ D.
struct cosine_decay {
    double learning_rate, decay_steps;
    double alpha = 0.0;
    double operator()(std::int64_t step) const {
        if (!(decay_steps > 0)) return detail::no_rate;
        double const t = std::min(static_cast<double>(step), decay_steps) / decay_steps;
        return learning_rate * ((1.0 - alpha) * 0.5 * (1.0 + libm::cos(std::numbers::pi * t)) + alpha);
    }
};

/// Cosine decay with warm restarts (Loshchilov, Hutter 2017): period i lasts D₁ t_mul^i steps and starts from η m_mul^i.
struct cosine_decay_restarts {
    double learning_rate, first_decay_steps;
    double t_mul = 2.0, m_mul = 1.0, alpha = 0.0;
    double operator()(std::int64_t step) const {
        if (!(first_decay_steps > 0)) return detail::no_rate;
        double f = static_cast<double>(step) / first_decay_steps, i;
        if (t_mul == 1.0) {
            i = libm::floor(f);
            f -= i;
        } else {
            // the period by logarithm; corrected if rounding at a restart gave the period before or after
            auto const start = [this](double n) { return (1.0 - libm::pow(t_mul, n)) / (1.0 - t_mul); };
            double const f_up = f + 1e-12 * (1.0 + f);
            i = libm::floor(libm::log(1.0 - f * (1.0 - t_mul)) / libm::log(t_mul));
            if (f_up >= start(i + 1.0)) i += 1.0;
            else if (f_up < start(i)) i -= 1.0;
            f = std::max(0.0, f - start(i)) / libm::pow(t_mul, i);
        }
        double const cosine = 0.5 * libm::pow(m_mul, i) * (1.0 + libm::cos(std::numbers::pi * f));
        return learning_rate * ((1.0 - alpha) * cosine + alpha);
    }
};

/// η ((α + (D − t) / D) ½ (1 + cos(2π periods t / D)) + β) with t ≤ D (Bello et al. 2017).
struct linear_cosine_decay {
    double learning_rate, decay_steps;
    double num_periods = 0.5, alpha = 0.0, beta = 0.001;
    double operator()(std::int64_t step) const {
        if (!(decay_steps > 0)) return detail::no_rate;
        double const t = std::min(static_cast<double>(step), decay_steps) / decay_steps;
        double const cosine = 0.5 * (1.0 + libm::cos(std::numbers::pi * 2.0 * num_periods * t));
        return learning_rate * ((alpha + 1.0 - t) * cosine + beta);
    }
};

/// η ((α + (D − t) / D + n) ½ (1 + cos(2π periods t / D)) + β) with t ≤ D (Bello et al. 2017).
/// The noise n is normal with variance initial_variance / (1 + t)^variance_decay. It depends only on seed and step
/// (Philox), so each call for a step gives the same value.
struct noisy_linear_cosine_decay {
    double learning_rate, decay_steps;
    double initial_variance = 1.0, variance_decay = 0.55;
    double num_periods = 0.5, alpha = 0.0, beta = 0.001;
    std::uint64_t seed = 0;
    double operator()(std::int64_t step) const {
        if (!(decay_steps > 0)) return detail::no_rate;
        auto const t = static_cast<std::uint64_t>(step);
        random_key const key{seed, hash_name("noisy_linear_cosine_decay"), t};
        double const deviation =
            libm::sqrt(initial_variance / libm::pow(1.0 + std::min(static_cast<double>(step), decay_steps), variance_decay));
        double const noise = deviation * standard_normal(philox(philox_counter_of(t, 0), philox_key_of(key)));
        return linear_cosine_decay{learning_rate, decay_steps, num_periods, alpha + noise, beta}(step);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
