// SPDX-License-Identifier: MIT
// Adam in PyTorch's form.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/rules/adam.hpp>

XGRAD_NAMESPACE_BEGIN

/// The `scalars` of rules that add ε after the bias correction, as PyTorch's Adam does:
/// η·m̂ / (√v̂ + ε) = m·rate / (√v·root + ε).
template<class T>
struct debiased_scalars {
    T rate, one_minus_beta1, one_minus_beta2, root, epsilon;
    template<class Rule>
    static debiased_scalars of(Rule const& r, std::int64_t step, double const* powers) {
        return {static_cast<T>(r.learning_rate(step) / (1.0 - powers[0])), static_cast<T>(1.0 - r.beta1(step)),
            static_cast<T>(1.0 - r.beta2(step)), static_cast<T>(1.0 / libm::sqrt(1.0 - powers[1])), static_cast<T>(r.epsilon(step))};
    }
};

namespace detail {
/// m̂ / (√second̂ + ε)·η.
template<class T, class V>
XGRAD_INLINE V debiased_step(debiased_scalars<T> const& s, V first, V second) {
    return first * V(s.rate) / (math::sqrt(second) * V(s.root) + V(s.epsilon));
}
}   // namespace detail

/// m ← m + (g − m)(1 − β₁); v ← v + (g² − v)(1 − β₂); θ ← θ − η·m̂ / (√v̂ + ε) with m̂ = m / (1 − β₁ᵗ),
/// v̂ = v / (1 − β₂ᵗ).
/// Source: Kingma, Ba 2015, arXiv 1412.6980, algorithm 1; torch.optim.Adam, optax.adam. PyTorch's weight_decay is l2 in
/// the gradient: add it to the loss. torch.optim.SparseAdam is lazy_adam.
/// Sparse: as if dense; `lazy` moves the rows that occur.
/// Use: programs ported from PyTorch or JAX; it differs from adam only in ε.
struct pytorch_adam {
    static constexpr std::string_view name = "pytorch_adam", tf_name = "Adam";
    hyper learning_rate{1e-3}, beta1{0.9}, beta2{0.999}, epsilon{1e-8};

    static constexpr auto slots = detail::adam_slots;
    static constexpr int flops = 13;
    double slot_init(int slot) const { return detail::adam_slot_init(slot, beta1, beta2); }
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("beta1", beta1, allow::below_one),
            hyper_info("beta2", beta2, allow::below_one), hyper_info("epsilon", epsilon, allow::zero_or_more)};
    }
    void advance_powers(double* p, std::int64_t step = 0) const { detail::advance_betas(p, step, beta1, beta2); }

    template<class T>
    using scalars = debiased_scalars<T>;
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* p) const {
        return scalars<T>::of(*this, step, p);
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        detail::move_moments(s, grad, slot);
        param = param - detail::debiased_step(s, slot[0], slot[1]);
    }
};

/// m and v as in pytorch_adam; v̂ ← max(v̂, v), not corrected; θ ← θ − η·m̂ / (√(v̂ / (1 − β₂ᵗ)) + ε). With
/// largest_of_corrected: v̂ ← max(v̂, v / (1 − β₂ᵗ)); θ ← θ − η·m̂ / (√v̂ + ε).
/// Source: Reddi, Kale, Kumar 2018; torch.optim.Adam with amsgrad=True; largest_of_corrected: optax.amsgrad.
/// Sparse: as if dense; `lazy` moves the rows that occur.
/// Use: like amsgrad.
struct pytorch_amsgrad {
    static constexpr std::string_view name = "pytorch_amsgrad", tf_name = "Adam";
    hyper learning_rate{1e-3}, beta1{0.9}, beta2{0.999}, epsilon{1e-8};
    bool largest_of_corrected = false;

    static constexpr std::array<slot_info, 5> slots{slot_info("m"), slot_info("v"), slot_info("vhat"),
        slot_info("beta1_power", per::optimizer), slot_info("beta2_power", per::optimizer)};
    static constexpr int flops = 14;
    double slot_init(int slot) const { return detail::adam_slot_init(slot - 1, beta1, beta2); }
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more), hyper_info("beta1", beta1, allow::below_one),
            hyper_info("beta2", beta2, allow::below_one), hyper_info("epsilon", epsilon, allow::zero_or_more)};
    }
    void advance_powers(double* p, std::int64_t step = 0) const { detail::advance_betas(p, step, beta1, beta2); }

    template<class T>
    struct scalars : debiased_scalars<T> {
        T correction;   // factor of v in the maximum
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* p) const {
        scalars<T> s{debiased_scalars<T>::of(*this, step, p), T(1)};
        if (largest_of_corrected) {
            s.correction = static_cast<T>(1.0 / (1.0 - p[1]));
            s.root = T(1);
        }
        return s;
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        detail::move_moments(s, grad, slot);
        slot[2] = math::max(slot[2], slot[1] * V(s.correction));
        param = param - detail::debiased_step<T>(s, slot[0], slot[2]);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
