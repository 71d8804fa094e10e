// SPDX-License-Identifier: MIT
// Loss scaling, as the first link of chain(...): the gradient of the loss starts as the scale. Each gradient is divided
// by it where the rule reads it.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/body_parts.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <algorithm>
#include <array>
#include <limits>

XGRAD_NAMESPACE_BEGIN
namespace allow {
inline constexpr hyper_range loss_scale{1, std::numeric_limits<float>::max(), false, false, "a float of at least 1"};
}

/// A fixed loss scale: `minimize(loss, chain(fixed_loss_scale{1024}, adam{}))`.
/// The gradient of the loss starts as `scale` instead of 1. Small gradients then do not vanish if one is rounded to 16
/// bits on its way. The later links see g · (1/scale). Gradients are not checked for infinities or NaN.
/// It must be the first link of the chain of every group of minimize, with the same number.
/// Source: Micikevicius et al. 2018, arXiv 1710.03740; TensorFlow's MixedPrecisionLossScaleOptimizer with a
/// FixedLossScale.
struct fixed_loss_scale {
    static constexpr std::string_view name = "fixed_loss_scale";
    static constexpr bool is_transform = true, in_front = true, scales_gradients = true;
    double scale = 1;

    static constexpr std::array<slot_info, 0> slots{};
    static constexpr int flops = 1;
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;
    auto hypers() const { return std::array{hyper_info("scale", scale, allow::loss_scale)}; }
    float loss_scale_at(double const*) const { return static_cast<float>(scale); }

    template<class T>
    using scalars = one_scalar<T>;
    template<class T>
    scalars<T> prepare(std::int64_t, double const* p) const {
        return {T(1) / static_cast<T>(loss_scale_at(p))};
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V&, V& grad, V*) {
        grad = grad * V(s.value);
    }
};

/// A loss scale S that adapts itself. It must be the first link of the chain of every group of minimize, with the same
/// numbers.
///
/// * If a gradient of any group is infinite or NaN, the later links do nothing in this step (like skip_nonfinite), and
///   S ← max(S/multiplier, 1).
/// * After `period` steps without that, S ← S · multiplier, unless the product is infinite.
///
/// Scalars:
///
/// * "loss_scale" is S.
/// * "good_steps" counts steps with finite gradients. It restarts after `period` of them and after each skipped step.
/// * "applied_steps" counts all steps that were not skipped. The later links see it as their step. The trainer's global
///   step counts all steps.
///
/// Source: TensorFlow's DynamicLossScale, with the same defaults; S is a float, as there.
struct dynamic_loss_scale {
    static constexpr std::string_view name = "dynamic_loss_scale";
    static constexpr bool is_transform = true, in_front = true, scales_gradients = true, only_looks = true;
    double initial = 32768;
    std::int64_t period = 2000;
    double multiplier = 2;

    static constexpr std::array<slot_info, 3> slots{
        slot_info("loss_scale", per::optimizer), slot_info("good_steps", per::optimizer), slot_info("applied_steps", per::optimizer)};
    static constexpr std::array<reduction_info, 1> reductions{reduction_info(per::optimizer, "scaled gradients that are not finite")};
    static constexpr int flops = 3;
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;
    auto hypers() const {
        return std::array{hyper_info("initial", initial, allow::loss_scale),
            hyper_info("period", static_cast<double>(period), allow::at_least_one),
            hyper_info("multiplier", multiplier, allow::at_least_one)};
    }
    double slot_init(int slot) const { return slot == 0 ? static_cast<double>(static_cast<float>(initial)) : 0; }
    float loss_scale_at(double const* p) const { return static_cast<float>(p[0]); }
    std::int64_t step_behind(std::int64_t, double const* p) const { return static_cast<std::int64_t>(p[2]); }
    void advance_powers(double* p, std::int64_t, double const* reduced) const {
        float const scale = loss_scale_at(p), by = static_cast<float>(multiplier);
        bool const finite = reduced[0] == 0, grows = finite && p[1] + 1 >= static_cast<double>(period);
        if (!finite) p[0] = static_cast<double>(std::max(scale / by, 1.0f));
        else if (grows && __builtin_isfinite(scale * by)) p[0] = static_cast<double>(scale * by);
        p[1] = finite && !grows ? p[1] + 1 : 0;
        p[2] += finite ? 1 : 0;
    }

    template<class T>
    struct scalars {
        T unscale;
        bool finite;
    };
    template<class T>
    scalars<T> prepare(std::int64_t, double const* p) const {
        return {T(1) / static_cast<T>(loss_scale_at(p)), true};
    }
    template<class T>
    scalars<T> prepare(std::int64_t, double const* p, double const* reduced) const {
        return {T(1) / static_cast<T>(loss_scale_at(p)), reduced[0] == 0};
    }
    template<class T>
    XGRAD_INLINE static bool stops(scalars<T> const& s) {
        return !s.finite;
    }
    template<class T, class V>
    XGRAD_INLINE static void optimizer_terms(scalars<T> const&, V, V grad, V const*, V* term) {
        term[0] = detail::where_finite(grad, V(T(0)), V(T(1)));
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V&, V& grad, V*) {
        grad = grad * V(s.unscale);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
