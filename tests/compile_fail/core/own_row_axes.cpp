// SPDX-License-Identifier: MIT
// expect-error: xgrad: infer\(\.\.\.\) of this row_op changes other axes of the first operand than the last
// One number for all rows.
#include <xgrad/core/operations/row_function.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3, 4>;
struct largest_op : xg::row_op {
    static constexpr std::string_view name = "largest";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) {
        xg::value_info r = v[0];
#ifdef XGRAD_EXPECT_ERROR
        r.dims.rank = 0;
#else
        --r.dims.rank;
#endif
        return r;
    }
    static void row(std::span<float const> a, std::span<float> y) {
        y[0] = a[0];
        for (float v : a) y[0] = v > y[0] ? v : y[0];
    }
};
constexpr auto z = xg::row_function<largest_op>{}(x);
