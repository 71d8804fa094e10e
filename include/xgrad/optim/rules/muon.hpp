// SPDX-License-Identifier: MIT
// Muon: momentum with an orthogonalized matrix as step.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/meta/libm.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <array>
#include <utility>

XGRAD_NAMESPACE_BEGIN

/// m ← m + (1 − β)·(g − m); X = g + β·(m − g); X ← X / max(‖X‖, ε); `iterations` times A = X·Xᵀ and X ← a·X + (b·A + c·A²)·X;
/// θ ← θ − η·λ·θ; θ ← θ − η·√max(1, n/k)·X.
/// The iterations bring all singular values near 1. Without use_nesterov, X = m at first. ‖X‖ is the Frobenius norm.
/// The variable [n, k] has n outputs and k inputs, as in PyTorch. With outputs_in_columns, as for matmul(x, w), n/k becomes k/n. With
/// match_rms_adamw the last assignment is θ ← θ − 0.2·η·√max(n, k)·X. For n > k rows A is Xᵀ·X, with the same result.
/// Products are in float or double; PyTorch's are in bfloat16. `flops` does not count them.
/// Source: Jordan 2024, kellerjordan.github.io/posts/muon, with η = 0.02 and λ = 0; torch.optim.Muon; match_rms_adamw: Liu et al. 2025,
/// arXiv 2502.16982.
/// Sparse: refused, like variables without exactly two axes. Give them another rule: `minimize(loss, param_group(muon{}, w1, w2),
/// adamw{})`.
/// Use: hidden layers of transformers and deep networks, with adamw for embeddings, biases and the last layer; match_rms_adamw takes the
/// η and λ of adamw.
struct muon {
    static constexpr std::string_view name = "muon", tf_name = "Muon";
    hyper learning_rate{1e-3}, momentum{0.95}, weight_decay{0.1}, a{3.4445}, b{-4.775}, c{2.0315}, epsilon{1e-7};
    std::int64_t iterations = 5;
    bool use_nesterov = true, match_rms_adamw = false, outputs_in_columns = false;

    static constexpr bool moves_matrices = true;
    static constexpr std::array<slot_info, 1> slots{slot_info("momentum")};
    static constexpr int flops = 10;
    static constexpr sparse_semantics sparse = sparse_semantics::exact;

    auto hypers() const {
        return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more),
            hyper_info("momentum", momentum, allow::below_one), hyper_info("weight_decay", weight_decay, allow::zero_or_more),
            hyper_info("a", a, allow::finite), hyper_info("b", b, allow::finite), hyper_info("c", c, allow::finite),
            hyper_info("epsilon", epsilon, allow::positive),
            hyper_info("iterations", static_cast<double>(iterations), allow::at_least_one)};
    }

    template<class T>
    struct scalars {
        T momentum, rest, kept, rate;   // rest: 1 − momentum, kept: 1 − rate · decay
        T a, b, c, epsilon;
        std::int64_t iterations;
        bool nesterov, match_rms_adamw, outputs_in_columns;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        double const rate = learning_rate(step), beta = momentum(step);
        return {static_cast<T>(beta), static_cast<T>(1 - beta), static_cast<T>(1 - rate * weight_decay(step)), static_cast<T>(rate),
            static_cast<T>(a(step)), static_cast<T>(b(step)), static_cast<T>(c(step)), static_cast<T>(epsilon(step)), iterations,
            use_nesterov, match_rms_adamw, outputs_in_columns};
    }
    template<class T, class V>
    XGRAD_INLINE static V matrix_of(scalars<T> const& s, V, V grad, V* slot) {
        slot[0] = slot[0] + V(s.rest) * (grad - slot[0]);
        return s.nesterov ? grad + V(s.momentum) * (slot[0] - grad) : slot[0];
    }
    /// Space for a second matrix, for A and for b·A + c·A².
    template<class T>
    static constexpr std::size_t workspace(std::int64_t rows, std::int64_t columns) {
        std::int64_t const n = rows < columns ? rows : columns;
        return static_cast<std::size_t>(rows * columns + 2 * n * n) * sizeof(T);
    }
    template<class T>
    static T const* transform(scalars<T> const& s, kernels::matrix_work<T> const& work) {
        std::int64_t const rows = work.rows, columns = work.columns;
        bool const tall = rows > columns;
        std::int64_t const n = tall ? columns : rows;
        T *x = work.matrix, *next = static_cast<T*>(work.workspace), *const square = next + rows * columns, *const sum = square + n * n;
        T const norm = static_cast<T>(kernels::norm_of(x, rows * columns)),
                inverse = T(1) / (norm < s.epsilon ? s.epsilon : norm);   // NaN stays NaN
        for (std::int64_t i = 0; i < rows * columns; ++i) x[i] *= inverse;
        auto const height = static_cast<double>(rows), width = static_cast<double>(columns);
        double const ratio = s.outputs_in_columns ? width / height : height / width;
        auto const shape =
            static_cast<T>(s.match_rms_adamw ? 0.2 * libm::sqrt(tall ? height : width) : libm::sqrt(ratio > 1 ? ratio : 1.0));
        for (std::int64_t k = 1; k <= s.iterations; ++k) {
            T const by = k == s.iterations ? shape : T(1);
            if (tall) work.template multiply_symmetric<true, false>(square, x, x, n, rows);
            else work.template multiply_symmetric<false, true>(square, x, x, n, columns);
            work.template multiply_and_add_symmetric<false, false>(sum, s.c, square, square, s.b, square, n, n);
            if (tall) work.template multiply_and_add<false, false>(next, by, x, sum, by * s.a, x, rows, columns, n);
            else work.template multiply_and_add<false, false>(next, by, sum, x, by * s.a, x, rows, columns, n);
            std::swap(x, next);
        }
        return x;
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V orthogonal, V*) {
        param = V(s.kept) * param - V(s.rate) * orthogonal;
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
