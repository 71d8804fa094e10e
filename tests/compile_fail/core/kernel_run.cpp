// SPDX-License-Identifier: MIT
// expect-error: xgrad: run\(\.\.\.\) of this kernel_op has another form
// An operand that is taken to be written.
#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

struct turned_op : xg::kernel_op {
    static constexpr std::string_view name = "turned";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) { return v[0]; }
#ifdef XGRAD_EXPECT_ERROR
    static void run(xg::kernel_part const&, xg::tensor_view<float, 1> x, xg::tensor_view<float, 1> y) {
#else
    static void run(xg::kernel_part const&, xg::tensor_view<float const, 1> x, xg::tensor_view<float, 1> y) {
#endif
        for (std::int64_t i = 0; i < x.size(); ++i) y[x.size() - 1 - i] = x[i];
    }
    static constexpr xg::extent turns(xg::kernel_operands const&) { return xg::static_extent(1); }
};
constexpr auto y = xg::kernel_function<turned_op>{}(xg::input<"x", float, 5>);
