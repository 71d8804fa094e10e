// SPDX-License-Identifier: MIT
// Adam in TensorFlow's form.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/meta/libm.hpp>
#include <xgrad/optim/body_parts.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// The `scalars` of rules that add ε before the bias correction, as TensorFlow's Adam does: alpha = η √(1 − β₂ᵗ) / (1 − β₁ᵗ).
/// They are computed in double and rounded once.
/// TensorFlow computes them in the dtype of the variable from float32 powers. For a float variable its 1 − β₂ and
/// 1 − β₂ᵗ are off by 1e-5. These errors nearly cancel in the step (7e-6 at worst).
template<class T>
struct adam_scalars {
    T alpha, one_minus_beta1, one_minus_beta2, epsilon;
};

namespace detail {
template<class T>
adam_scalars<T> make_adam_scalars(double rate, double beta1, double beta2, double epsilon, double const* powers) {
    return {static_cast<T>(rate * libm::sqrt(1.0 - powers[1]) / (1.0 - powers[0])), static_cast<T>(1.0 - beta1),
        static_cast<T>(1.0 - beta2), static_cast<T>(epsilon)};
}
template<class T, class V>
XGRAD_INLINE void adam_update(adam_scalars<T> const& s, V& param, V grad, V* slot) {
    move_moments(s, grad, slot);
    param = param - slot[0] * V(s.alpha) / (math::sqrt(slot[1]) + V(s.epsilon));
}
/// The powers belong to the optimizer. Before step t they are βᵗ.
inline constexpr std::array<slot_info, 4> adam_slots{
    slot_info("m"), slot_info("v"), slot_info("beta1_power", per::optimizer), slot_info("beta2_power", per::optimizer)};
inline double adam_slot_init(int slot, hyper const& beta1, hyper const& beta2) { return slot == 2 ? beta1(0) : slot == 3 ? beta2(0) : 0.0; }
inline void advance_betas(double* p, std::int64_t step, hyper const& beta1, hyper const& beta2) {
    p[0] *= beta1(step);
    p[1] *= beta2(step);
}
}   // namespace detail

/// α = η √(1 − β₂ᵗ) / (1 − β₁ᵗ); m ← m + (g − m)(1 − β₁); v ← v + (g² − v)(1 − β₂); θ ← θ − m·α / (√v + ε). The powers
/// βᵗ are kept in double and belong to the optimizer, not to a variable. Before step t they are βᵗ.
/// Source: Kingma, Ba 2015, arXiv 1412.6980, end of section 2; TensorFlow's AdamOptimizer: ε is outside the root and
/// after the bias correction. Keras' Adam has ε = 1e-7.
/// Sparse: exact: m and v of every row decay as if the gradient were dense with zero rows, and every row moves;
/// lazy_adam moves only the rows that occur.
/// Use: the first rule to try.
struct adam {
    static constexpr std::string_view name = "adam", tf_name = "Adam";
    hyper learning_rate{1e-3}, beta1{0.9}, beta2{0.999}, epsilon{1e-8};

    static constexpr auto slots = detail::adam_slots;
    double slot_init(int slot) const { return detail::adam_slot_init(slot, beta1, beta2); }
    static constexpr int flops = 12;
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    void advance_powers(double* p, std::int64_t step = 0) const { detail::advance_betas(p, step, beta1, beta2); }
    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("beta1", beta1, allow::below_one),
            hyper_info("beta2", beta2, allow::below_one), hyper_info("epsilon", epsilon, allow::zero_or_more)};
    }

    template<class T>
    using scalars = adam_scalars<T>;
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* p) const {
        return detail::make_adam_scalars<T>(learning_rate(step), beta1(step), beta2(step), epsilon(step), p);
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        detail::adam_update(s, param, grad, slot);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
