// SPDX-License-Identifier: MIT
// expect-error: xgrad: this kernel_op has derivative\(\.\.\.\), which only elementwise_op and composite_op have
// The gradient in the form of an element-wise operation: none would pass.
#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

struct doubled_op : xg::kernel_op {
    static constexpr std::string_view name = "doubled";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) { return v[0]; }
    static void run(xg::kernel_part const& part, xg::tensor_view<float const, 1> x, xg::tensor_view<float, 1> y) {
        for (std::int64_t i = part.first; i < part.last; ++i) y[i] = x[i] + x[i];
    }
#ifdef XGRAD_EXPECT_ERROR
    static constexpr xg::symbol derivative(xg::symbol, xg::symbol, xg::symbol g) { return g + g; }
#else
    static constexpr void derive(xg::derivation& d) { d.out[0] = d.gradient + d.gradient; }
#endif
};
constexpr auto y = xg::kernel_function<doubled_op>{}(xg::input<"x", float, 5>);
