// SPDX-License-Identifier: MIT
// expect-error: xgrad: a kernel_op with reports_indices has no member `indices`
// A kernel that reports indices without saying which operand holds them.
#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

struct pick_op : xg::kernel_op {
    static constexpr std::string_view name = "pick";
    static constexpr bool reports_indices = true;
#ifndef XGRAD_EXPECT_ERROR
    static constexpr xg::index_bound indices{.operand = 1, .of = 0, .axis = 0};
#endif
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) {
        return {v[0].type, v[1].dims, xg::fault::none};
    }
    static void run(xg::kernel_part const&, auto...) {}
};
inline constexpr xg::kernel_function<pick_op> pick{};
constexpr auto y = pick(xg::input<"table", float, 3>, xg::input<"ids", std::int32_t, 4>);
