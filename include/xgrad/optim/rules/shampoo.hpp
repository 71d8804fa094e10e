// SPDX-License-Identifier: MIT
// Shampoo: gradients multiplied by inverse roots of two matrices.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/numerics/two_sided.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// d = (1 − β)·g + β·m + λ·θ; L ← δ·L + w·d·dᵀ; R ← δ·R + w·dᵀ·d; m ← (L + ε·I)^(−1/4)·d·(R + ε·I)^(−1/4); θ ← θ − η·m,
/// with δ = matrix_decay and w = matrix_weight. In the first step d is g + λ·θ.
/// The roots are computed in each `update_every`-th step and kept for the steps between. Before the first time they are
/// 0, so nothing moves.
/// L, R and the roots are in double, also for a float variable, and take 16·(n² + k²) bytes for a variable [n, k]. A
/// step that computes roots has about a hundred products of matrices [n, n] and [k, k]. `flops` does not count them.
/// Source: Gupta, Koren, Singer 2018, arXiv 1802.09568; pytorch_optimizer.Shampoo, whose matrices begin at ε·I. δ and w
/// are mat_gbar_decay and mat_gbar_weight of TensorFlow contrib's ShampooOptimizer, which is contrib_shampoo.
/// Sparse: refused, like variables without exactly two axes. Give them another rule: `minimize(loss,
/// param_group(shampoo{}, w1, w2), adam{})`.
/// Use: matrices of up to some hundred rows and columns whose curvature depends on direction, as in calibration of
/// small networks; fewer, but more expensive steps than adagrad.
struct shampoo {
    static constexpr std::string_view name = "shampoo", tf_name = "Shampoo";
    hyper learning_rate{1e-3}, momentum{0.0}, weight_decay{0.0}, epsilon{1e-6}, matrix_decay{1.0}, matrix_weight{1.0};
    std::int64_t update_every = 1;

    static constexpr bool moves_matrices = true;
    static constexpr std::array<slot_info, 5> slots{slot_info("momentum"), slot_info("left", dtype::float64, per::row_pair),
        slot_info("right", dtype::float64, per::column_pair), slot_info("left_root", dtype::float64, per::row_pair),
        slot_info("right_root", dtype::float64, per::column_pair)};
    static constexpr int flops = 8;
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more),
            hyper_info("momentum", momentum, allow::below_one), hyper_info("weight_decay", weight_decay, allow::zero_or_more),
            hyper_info("epsilon", epsilon, allow::positive), hyper_info("matrix_decay", matrix_decay, allow::up_to_one),
            hyper_info("matrix_weight", matrix_weight, allow::zero_or_more),
            hyper_info("update_every", static_cast<double>(update_every), allow::at_least_one)};
    }

    template<class T>
    struct scalars {
        T rate, momentum, rest, decay;   // rest: 1 − momentum
        double epsilon, matrix_decay, matrix_weight;
        bool roots;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        double const beta = step == 0 ? 0.0 : momentum(step);   // the momentum begins as the first gradient
        return {static_cast<T>(learning_rate(step)), static_cast<T>(beta), static_cast<T>(1 - beta), static_cast<T>(weight_decay(step)),
            epsilon(step), matrix_decay(step), matrix_weight(step), (step + 1) % update_every == 0};
    }
    template<class T, class V>
    XGRAD_INLINE static V matrix_of(scalars<T> const& s, V param, V grad, V* slot) {
        return V(s.rest) * grad + V(s.momentum) * slot[0] + V(s.decay) * param;
    }
    /// Space for the matrix and a product in double, and for a root.
    template<class T>
    static constexpr std::size_t workspace(std::int64_t rows, std::int64_t columns) {
        return detail::two_sided<T>::workspace(rows, columns);
    }
    template<class T>
    static T const* transform(scalars<T> const& s, kernels::matrix_work<T> const& work) {
        detail::two_sided<T> const sides{work};
        sides.read(work.matrix);
        sides.accumulate(s.matrix_weight, s.matrix_decay);
        if (s.roots) {
            detail::inverse_fourth_root(work, sides.matrix(3), sides.matrix(1), s.epsilon, sides.rows, sides.rest);
            detail::inverse_fourth_root(work, sides.matrix(4), sides.matrix(2), s.epsilon, sides.columns, sides.rest);
        }
        return sides.precondition();
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V preconditioned, V* slot) {
        slot[0] = preconditioned;
        param = param - V(s.rate) * preconditioned;
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
