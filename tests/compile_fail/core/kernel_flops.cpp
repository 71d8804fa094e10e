// SPDX-License-Identifier: MIT
// expect-error: xgrad: flops of this operation has another form
// Flops as a function that returns a number: it would be unclear for which shapes.
#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

struct turned_op : xg::kernel_op {
    static constexpr std::string_view name = "turned";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) { return v[0]; }
    static void run(xg::kernel_part const&, xg::tensor_view<float const, 1> x, xg::tensor_view<float, 1> y) {
        for (std::int64_t i = 0; i < x.size(); ++i) y[x.size() - 1 - i] = x[i];
    }
#ifdef XGRAD_EXPECT_ERROR
    static constexpr std::int64_t flops(xg::kernel_operands const& v) { return v.count(); }
#else
    static constexpr xg::extent flops(xg::kernel_operands const& v) { return v.dims(0).size(); }
#endif
};
constexpr auto y = xg::kernel_function<turned_op>{}(xg::input<"x", float, 5>);
