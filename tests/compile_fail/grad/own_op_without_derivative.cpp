// SPDX-License-Identifier: MIT
// expect-error: xgrad: a gradient reaches an operation without derivative
// The gradient would be none.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

struct first_op : xg::row_op {
    static constexpr std::string_view name = "first";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) {
        xg::value_info r = v[0];
        --r.dims.rank;
        return r;
    }
    static void row(std::span<float const> x, std::span<float> y) { y[0] = x[0]; }
#ifndef XGRAD_EXPECT_ERROR
    static constexpr void derive(xg::derivation&) {}   // none is meant
#endif
};
constexpr auto w = xg::variable<"w", float, 2, 4>;
constexpr auto g = xg::gradient_of(xg::sum(xg::row_function<first_op>{}(w)), w);
