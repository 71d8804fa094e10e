// SPDX-License-Identifier: MIT
// Isotonic regression of rows.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/row_function.hpp>
#include <xgrad/ops/exponential.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Each element of a row in place of the mean of its block. The numbers of the blocks rise from 0.
struct block_means : row_op {
    static constexpr std::string_view name = "block_means";
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) {
        value_info r = v[0];
        if (!is_floating(r.type) || v[1].type != dtype::int32) r.wrong = fault::dtypes;
        return r;
    }
    template<class T>
    static void row(std::span<T const> x, std::span<std::int32_t const> blocks, std::span<T> y) {
        std::size_t const n = x.size();
        for (std::size_t first = 0, last = 0; first < n; first = last) {
            double sum = 0;
            for (; last < n && blocks[last] == blocks[first]; ++last) sum += static_cast<double>(x[last]);
            T const mean = static_cast<T>(sum / static_cast<double>(last - first));
            for (std::size_t k = first; k < last; ++k) y[k] = mean;
        }
    }
    static constexpr void derive(derivation& d) { d.out[0] = apply<block_means>(d.gradient, d.operands[1]); }
};
/// Blocks whose means are out of order are joined (pool adjacent violators). While it runs, ids[b] is where block b begins,
/// and y[b] its mean.
template<bool Decreasing>
struct isotonic_regression : row_op {
    static constexpr std::string_view name = Decreasing ? "isotonic_regression_decreasing" : "isotonic_regression";
    static constexpr int outputs = 2;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int output) {
        value_info r = v[0];
        if (!is_floating(r.type)) r.wrong = fault::not_floating;
        if (output == 1) r.type = dtype::int32;
        return r;
    }
    template<class T>
    static void row(std::span<T const> x, std::span<T> y, std::span<std::int32_t> ids) {
        std::size_t const n = x.size();
        std::size_t blocks = 0;
        auto const begin = [&](std::size_t b) { return b < blocks ? static_cast<std::size_t>(ids[b]) : n; };
        for (std::size_t k = 0; k < n; ++k) {
            y[blocks] = x[k];
            ids[blocks++] = static_cast<std::int32_t>(k);
            for (; blocks > 1 && (Decreasing ? y[blocks - 2] < y[blocks - 1] : y[blocks - 2] > y[blocks - 1]); --blocks) {
                auto const here = static_cast<double>(k + 1 - begin(blocks - 1)),
                           before = static_cast<double>(begin(blocks - 1) - begin(blocks - 2));
                double const sum = before * static_cast<double>(y[blocks - 2]) + here * static_cast<double>(y[blocks - 1]);
                y[blocks - 2] = static_cast<T>(sum / (before + here));
            }
        }
        for (std::size_t b = blocks, last = n; b-- > 0;) {
            std::size_t const first = begin(b);
            double sum = 0;
            for (std::size_t k = first; k < last; ++k) sum += static_cast<double>(x[k]);
            T const mean = last - first == 1 ? x[first] : static_cast<T>(sum / static_cast<double>(last - first));
            for (std::size_t k = first; k < last; ++k) y[k] = mean, ids[k] = static_cast<std::int32_t>(b);
            last = first;
        }
    }
    static constexpr void derive(derivation& d) {
        if (d.gradients[0].exists()) d.out[0] = apply<block_means>(d.gradients[0], d.output(1));
    }
};
}

/// The nearest rows that do not rise, by least squares over the last axis, and the blocks of equal elements, as a tuple: `auto const [y,
/// blocks] = isotonic_regression(x)` (TensorFlow's isotonic_regression). `isotonic_regression<false>(x)` gives rows that do not fall.
/// Blocks are int32 numbers from 0. Equal neighbours stay apart, and NaN is a separate block. x is float or double.
/// Gradient: of x, the mean of g over the block of each element.
template<bool Decreasing = true, class A>
constexpr auto isotonic_regression(A const& x) {
    return row_function<op::isotonic_regression<Decreasing>>{}(x);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
