// SPDX-License-Identifier: MIT
// Adam that moves only the rows that occur in a sparse gradient.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/rules/adam.hpp>

XGRAD_NAMESPACE_BEGIN

/// The formula of adam.
/// Source: TensorFlow contrib's LazyAdamOptimizer; torch.optim.SparseAdam.
/// Sparse: m, v and θ change only on rows that occur; α counts the steps of the trainer, not those of a row.
/// Use: large tables.
struct lazy_adam {
    static constexpr std::string_view name = "lazy_adam", tf_name = "Adam";
    hyper learning_rate{1e-3}, beta1{0.9}, beta2{0.999}, epsilon{1e-8};

    static constexpr auto slots = detail::adam_slots;
    double slot_init(int slot) const { return detail::adam_slot_init(slot, beta1, beta2); }
    static constexpr int flops = 12;
    static constexpr sparse_semantics sparse = sparse_semantics::lazy;

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
