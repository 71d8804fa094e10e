// SPDX-License-Identifier: MIT
// Schedules made of other schedules, and schedules of tools other than TensorFlow.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/schedules/schedules.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

XGRAD_NAMESPACE_BEGIN

/// Warm-up: a straight line from `from` to the first value of `then`, over `steps` steps. Then `then`, which counts
/// from there:
/// `warmup(cosine_decay{.learning_rate = 1e-3, .decay_steps = 9000}, 1000)`. EasyRec's cosine_decay_with_warmup is this
/// schedule; its hold phase is `hold` inside.
template<StepFunction Schedule>
struct warmup {
    Schedule then;
    double steps;
    double from = 0;
    double operator()(std::int64_t step) const {
        double const t = static_cast<double>(step);
        if (!(steps >= 0)) return detail::no_rate;
        if (t >= steps) return then(step - static_cast<std::int64_t>(steps));
        return from + (then(0) - from) * t / steps;
    }
};
namespace detail {
struct misplaced_schedule {   // replaces a schedule that was given after the steps
    constexpr double operator()(std::int64_t) const { return 0; }
};
}
template<>
struct warmup<detail::misplaced_schedule> : detail::misplaced_schedule {
    template<class... A>
    constexpr warmup(A const&...) {
        static_assert(sizeof...(A) > 3, "xgrad::warmup(schedule, steps): the arguments are not a schedule and a number of steps; write "
                                        "warmup(cosine_decay{...}, 1000)");
    }
};
template<class N, class S, class... M>
    requires std::is_arithmetic_v<N>
warmup(N, S, M...) -> warmup<detail::misplaced_schedule>;
template<class N>
    requires std::is_arithmetic_v<N>
warmup(N) -> warmup<detail::misplaced_schedule>;
template<class S, class... N>
warmup(S, N...) -> warmup<S>;

/// Holds the first value of `then` for `steps` steps. Then `then`, which counts from there. EasyRec's
/// hold_base_rate_steps of cosine_decay_with_warmup is
/// `warmup(hold(cosine_decay{.learning_rate = 1e-3, .decay_steps = 8000}, 1000), 1000)`.
template<StepFunction Schedule>
struct hold {
    Schedule then;
    std::int64_t steps;
    double operator()(std::int64_t step) const { return steps < 0 ? detail::no_rate : then(step > steps ? step - steps : 0); }
};
template<class S, class N>
hold(S, N) -> hold<S>;

/// `first` before step `boundary`; then `second`, which counts from there (optax.join_schedules).
template<StepFunction First, StepFunction Second>
struct joined_schedules {
    First first;
    Second second;
    std::int64_t boundary;
    double operator()(std::int64_t step) const { return step < boundary ? first(step) : second(step - boundary); }
};
template<class F, class S, class N>
joined_schedules(F, S, N) -> joined_schedules<F, S>;

/// One cycle: half a cosine from peak / div up to peak over warm_part of the steps, another down to
/// peak / div / final_div. It then stays there.
/// Source: Smith and Topin 2018, arXiv 1708.07120; optax.cosine_onecycle_schedule. PyTorch's OneCycleLR reaches the
/// peak one step earlier.
struct one_cycle {
    double peak, steps;
    double warm_part = 0.3, div = 25, final_div = 1e4;
    double operator()(std::int64_t step) const {
        if (!(steps > 0)) return detail::no_rate;
        double const t = static_cast<double>(step), warm = libm::floor(warm_part * steps);
        if (t < warm) return between(peak / div, peak, t / warm);
        return between(peak, peak / div / final_div, std::min(1.0, (t - warm) / (steps - warm)));
    }

private:
    static double between(double a, double b, double part) { return a + (b - a) * 0.5 * (1.0 - libm::cos(std::numbers::pi * part)); }
};

/// η · min((t + 1) / W^1.5, (t + 1)^−½) · √W: a straight line up to η at step W − 1, then down with the inverse root of
/// the step.
/// Source: Vaswani and others 2017, section 5.3, with η = d^−½ · W^−½. EasyRec's transformer_policy has η · d^−½ · W^−½
/// for the rate here.
struct inverse_sqrt_decay {
    double learning_rate, warmup_steps = 1;
    double operator()(std::int64_t step) const {
        if (!(warmup_steps > 0)) return detail::no_rate;
        double const t = static_cast<double>(step) + 1;
        return learning_rate * std::min(t / warmup_steps, libm::sqrt(warmup_steps / t));
    }
};

/// A straight line from `burnin_rate` to η over burnin_steps, then exponential_decay that counts from there. The rate
/// is never below min_rate.
/// If `burnin_rate` is 0, the first part is constant at η (EasyRec's exponential_decay_with_burnin).
struct exponential_decay_with_burnin {
    double learning_rate, decay_steps, decay_rate;
    double burnin_steps = 0, burnin_rate = 0, min_rate = 0;
    bool staircase = true;
    double operator()(std::int64_t step) const {
        double const t = static_cast<double>(step);
        double rate = burnin_rate == 0 ? learning_rate : burnin_rate + (learning_rate - burnin_rate) * t / burnin_steps;
        if (t >= burnin_steps)
            rate = exponential_decay{learning_rate, decay_steps, decay_rate, staircase}(step - static_cast<std::int64_t>(burnin_steps));
        return std::max(rate, min_rate);
    }
};

/// √(η / (1 + t)^γ), the standard deviation of noise to add to gradients; see normal_like.
/// Source: Neelakantan and others 2015, arXiv 1511.06807; optax.add_noise.
struct annealed_noise {
    double eta = 0.01, gamma = 0.55;
    double operator()(std::int64_t step) const { return libm::sqrt(eta / libm::pow(static_cast<double>(step) + 1, gamma)); }
};

/// A learning rate that is multiplied by `factor` when an observed number stops falling, such as a validation loss. The
/// object is yours and must outlive the trainer.
///
///     xg::reduce_on_plateau plateau{.learning_rate = 0.1};
///     auto train = xg::minimize(loss, xg::adam{.learning_rate = plateau.schedule()});
///     for (...) plateau.observe(validation_loss);
///     save(train, path, {}, plateau);   // adds the tensor "reduce_on_plateau/state"; restore(train, path, plateau) reads it
///
/// The rate falls if more than `patience` observations in sequence are not below best · (1 − threshold). This is
/// PyTorch's ReduceLROnPlateau with mode min and threshold_mode rel. After a reduction, the next `cooldown`
/// observations do not count towards `patience`.
/// Give several of them different labels: `reduce_on_plateau{.label = "rate of the tables"}`.
struct reduce_on_plateau {
    double learning_rate = 1e-3, factor = 0.1;
    int patience = 10;
    double threshold = 1e-4;
    int cooldown = 0;
    double min_rate = 0;
    // State: what has been observed.
    double best = std::numeric_limits<double>::infinity();
    int bad = 0, resting = 0;
    std::string_view label = "reduce_on_plateau";

    // Members for checkpoints: names and numbers to save and to restore.
    static constexpr std::string_view saved_as = "state", broken = "is not a state of reduce_on_plateau";
    std::string_view name() const { return label; }
    std::array<std::int64_t, 4> numbers() const {
        return {std::bit_cast<std::int64_t>(learning_rate), std::bit_cast<std::int64_t>(best), bad, resting};
    }
    reduce_on_plateau blank() const { return *this; }
    /// Replaces the state. Returns false, without a change, if the numbers are not valid.
    bool assign(std::span<std::int64_t const> numbers) {
        if (numbers.size() != 4) return false;
        double const rate = std::bit_cast<double>(numbers[0]), least = std::bit_cast<double>(numbers[1]);
        constexpr std::int64_t most = std::numeric_limits<int>::max();
        if (!(rate >= 0 && rate <= std::numeric_limits<double>::max()) || least != least || numbers[2] < 0 || numbers[2] > most ||
            numbers[3] < 0 || numbers[3] > most)
            return false;
        learning_rate = rate;
        best = least;
        bad = static_cast<int>(numbers[2]);
        resting = static_cast<int>(numbers[3]);
        return true;
    }

    /// \throws value_error for NaN.
    void observe(double value) {
        if (value != value) raise<value_error>("xgrad: reduce_on_plateau: the number that was observed is NaN");
        if (value < best * (1 - threshold)) {
            best = value;
            bad = 0;
        } else ++bad;
        if (resting > 0) {
            --resting;
            bad = 0;
        }
        if (bad <= patience) return;
        learning_rate = std::max(learning_rate * factor, min_rate);
        resting = cooldown;
        bad = 0;
    }
    struct rate_now {
        reduce_on_plateau const* plateau;
        double operator()(std::int64_t) const { return plateau->learning_rate; }
    };
    rate_now schedule() const& { return {this}; }
    rate_now schedule() && = delete;
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
