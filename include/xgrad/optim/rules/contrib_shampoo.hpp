// SPDX-License-Identifier: MIT
// Shampoo as in TensorFlow's contrib, with an average of gradients between the roots.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/numerics/two_sided.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// ḡ ← γ·ḡ + v·g with γ = gradient_decay, v = gradient_weight; L ← δ·L + w·g·gᵀ; R ← δ·R + w·gᵀ·g with δ = matrix_decay,
/// w = matrix_weight; θ ← θ − η·(L/n + ε·I)^(−1/4)·ḡ·(R/k + ε·I)^(−1/4) of a variable [n, k]. Each `update_every`-th step takes the roots.
/// Steps between use the last ones, or I before the first. The matrices are in double and take 16·(n² + k²) bytes. `flops` omits products.
/// Source: TensorFlow 1.15's tf.contrib.opt.ShampooOptimizer, for matrices up to its max_matrix_size. It calls γ, v, δ, w gbar_decay,
/// gbar_weight, mat_gbar_decay and mat_gbar_weight. update_every is its svd_interval. Its precond_update_interval is 1, its alpha 1/2.
/// Sparse: refused, as are variables of other than two axes: they get another rule, `minimize(loss, param_group(contrib_shampoo{}, w1,
/// w2), adam{})`.
/// Use: models trained by contrib's optimizer; gradients with noise, by gradient_decay = 0.9 and gradient_weight = 0.1; else shampoo.
struct contrib_shampoo {
    static constexpr std::string_view name = "contrib_shampoo", tf_name = "Shampoo";
    hyper learning_rate{1.0}, gradient_decay{0.0}, gradient_weight{1.0}, matrix_decay{1.0}, matrix_weight{1.0}, epsilon{1e-4};
    std::int64_t update_every = 1;

    static constexpr bool moves_matrices = true;
    static constexpr std::array<slot_info, 5> slots{slot_info("average"), slot_info("left", dtype::float64, per::row_pair),
        slot_info("right", dtype::float64, per::column_pair), slot_info("left_root", dtype::float64, per::row_pair),
        slot_info("right_root", dtype::float64, per::column_pair)};
    static constexpr int flops = 6;
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more),
            hyper_info("gradient_decay", gradient_decay, allow::up_to_one),
            hyper_info("gradient_weight", gradient_weight, allow::zero_or_more), hyper_info("matrix_decay", matrix_decay, allow::up_to_one),
            hyper_info("matrix_weight", matrix_weight, allow::zero_or_more), hyper_info("epsilon", epsilon, allow::positive),
            hyper_info("update_every", static_cast<double>(update_every), allow::at_least_one)};
    }

    template<class T>
    struct scalars {
        T rate, decay, weight;   // of the average
        double epsilon, matrix_decay, matrix_weight;
        bool roots, identities;   // whether roots are taken now; whether none have been taken yet
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(learning_rate(step)), static_cast<T>(gradient_decay(step)), static_cast<T>(gradient_weight(step)),
            epsilon(step), matrix_decay(step), matrix_weight(step), (step + 1) % update_every == 0, step + 1 < update_every};
    }
    template<class T, class V>
    XGRAD_INLINE static V matrix_of(scalars<T> const& s, V, V grad, V* slot) {
        slot[0] = V(s.decay) * slot[0] + V(s.weight) * grad;
        return grad;
    }
    /// The matrix and a product in double, and what a root needs.
    template<class T>
    static constexpr std::size_t workspace(std::int64_t rows, std::int64_t columns) {
        return detail::two_sided<T>::workspace(rows, columns);
    }
    template<class T>
    static T const* transform(scalars<T> const& s, kernels::matrix_work<T> const& work) {
        detail::two_sided<T> const sides{work};
        auto const* const average = static_cast<T const*>(work.slots[0]);
        sides.read(work.matrix);
        sides.accumulate(s.matrix_weight, s.matrix_decay);
        if (s.identities) return average;
        // (A/n + ε·I)^(−1/4) is n^(1/4)·(A + n·ε·I)^(−1/4)
        auto const take_root = [&](int root, int of, std::int64_t n) {
            auto const axis = static_cast<double>(n);
            detail::inverse_fourth_root(work, sides.matrix(root), sides.matrix(of), axis * s.epsilon, n, sides.rest);
            double const by = libm::sqrt(libm::sqrt(axis));
            for (std::int64_t i = 0; i < n * n; ++i) sides.matrix(root)[i] *= by;
        };
        if (s.roots) {
            take_root(3, 1, sides.rows);
            take_root(4, 2, sides.columns);
        }
        sides.read(average);
        return sides.precondition();
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V preconditioned, V*) {
        param = param - V(s.rate) * preconditioned;
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
