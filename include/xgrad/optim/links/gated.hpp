// SPDX-License-Identifier: MIT
// Transforms for chain(...) that stop the later links in some steps: multi_steps, skip_nonfinite and freeze.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/body_parts.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

XGRAD_NAMESPACE_BEGIN

/// Micro-batches: the later links run once every `steps` steps and see the mean of these gradients (optax.MultiSteps).
/// Between, nothing moves.
///
///     minimize(loss, chain(multi_steps{4}, clip_by_global_norm(1), adam{}))
///
/// The later links and their schedules count only the steps in which they run. The slot "gradient_sum" holds the sum so
/// far.
/// Sparse: the mean is dense, because any row may have had a gradient. So lazy{} does not accept it.
struct multi_steps {
    static constexpr std::string_view name = "multi_steps";
    static constexpr bool is_transform = true, in_front = true, keeps_gradients = true;
    std::int64_t steps = 1;

    static constexpr std::array<slot_info, 1> slots{slot_info("gradient_sum")};
    static constexpr int flops = 2;
    static constexpr sparse_semantics sparse = sparse_semantics::exact;
    auto hypers() const { return std::array{hyper_info("steps", static_cast<double>(steps), allow::at_least_one)}; }
    std::int64_t step_behind(std::int64_t step, double const*) const { return step / steps; }

    template<class T>
    struct scalars {
        T weight;
        bool last;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(1.0 / static_cast<double>(steps)), (step + 1) % steps == 0};
    }
    template<class T>
    XGRAD_INLINE static bool stops(scalars<T> const& s) {
        return !s.last;
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V&, V& grad, V* slot) {
        V const sum = slot[0] + grad;
        slot[0] = s.last ? V(T(0)) : sum;
        grad = sum * V(s.weight);
    }
};

/// Skips a step if a gradient is infinite or NaN, or if its square is, because norms would be too. Gradients of all
/// groups with this transform are checked.
/// In a skipped step the later links do nothing; they and their schedules do not count it. The scalar "applied_steps"
/// counts the other steps. The trainer's global step counts all.
/// Source: optax.apply_if_finite; TensorFlow's MixedPrecisionLossScaleOptimizer.
struct skip_nonfinite {
    static constexpr std::string_view name = "skip_nonfinite";
    static constexpr bool is_transform = true, in_front = true, scales_gradients = true, only_looks = true;
    static constexpr std::array<slot_info, 1> slots{slot_info("applied_steps", per::optimizer)};
    static constexpr std::array<reduction_info, 1> reductions{reduction_info(per::optimizer, "gradients that are not finite")};
    static constexpr int flops = 2;
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;
    void advance_powers(double* p, std::int64_t, double const* reduced) const { p[0] += reduced[0] == 0 ? 1 : 0; }
    std::int64_t step_behind(std::int64_t, double const* p) const { return static_cast<std::int64_t>(p[0]); }

    template<class T>
    struct scalars {
        bool finite;
    };
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {true};
    }
    template<class T>
    scalars<T> prepare(std::int64_t, double const*, double const* reduced) const {
        return {reduced[0] == 0};
    }
    template<class T>
    XGRAD_INLINE static bool stops(scalars<T> const& s) {
        return !s.finite;
    }
    template<class T, class V>
    XGRAD_INLINE static void optimizer_terms(scalars<T> const&, V, V grad, V const*, V* term) {
        term[0] = detail::where_finite(grad * grad, V(T(0)), V(T(1)));
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const&, V&, V&, V*) {}
};

/// Freezes a group: in steps in which `frozen` is not 0 the later links do nothing. Variables and slots stay. The step
/// of the links and their schedules does not count such steps.
///
///     minimize(loss, param_group<"base/*">(chain(freeze{}, adam{})), adam{})
///
/// Change it between steps, `train.rule<0>().get<freeze>().frozen = 0`, or give a function of the step:
/// `freeze{piecewise_constant({999}, {1.0, 0.0})}` begins to train in step 1000. The scalar "applied_steps" counts the
/// other steps.
struct freeze {
    static constexpr std::string_view name = "freeze";
    static constexpr bool is_transform = true, in_front = true, scales_gradients = true;
    hyper frozen{1};

    static constexpr std::array<slot_info, 1> slots{slot_info("applied_steps", per::optimizer)};
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;
    auto hypers() const { return std::array{hyper_info("frozen", frozen, allow::finite)}; }
    void advance_powers(double* p, std::int64_t step) const { p[0] += frozen(step) == 0 ? 1 : 0; }
    std::int64_t step_behind(std::int64_t, double const* p) const { return static_cast<std::int64_t>(p[0]); }

    template<class T>
    struct scalars {
        bool frozen;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {frozen(step) != 0};
    }
    template<class T>
    XGRAD_INLINE static bool stops(scalars<T> const& s) {
        return s.frozen;
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const&, V&, V&, V*) {}
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
