// SPDX-License-Identifier: MIT
// expect-error: xgrad: a symbol is given to a function that needs its shape at compile time
// A function whose axes are those of a type, inside a derivative.
#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

struct turned_op : xg::kernel_op {
    static constexpr std::string_view name = "turned";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) { return v[0]; }
    static void run(xg::kernel_part const&, xg::tensor_view<float const, 1> x, xg::tensor_view<float, 1> y) {
        for (std::int64_t i = 0; i < x.size(); ++i) y[x.size() - 1 - i] = x[i];
    }
    static constexpr void derive(xg::derivation& d) {
#ifdef XGRAD_EXPECT_ERROR
        d.out[0] = xg::flip<0>(d.gradient);
#else
        d.out[0] = xg::apply<turned_op>(d.gradient);
#endif
    }
};
constexpr auto y = xg::kernel_function<turned_op>{}(xg::input<"x", float, 5>);
