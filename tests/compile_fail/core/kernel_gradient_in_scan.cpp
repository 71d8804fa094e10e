// SPDX-License-Identifier: MIT
// expect-error[g++]: xgrad: in the body of a scan an operation's gradient has another element type than its operand, or no matching shape: gradient_in_scan<\.\.\.>
// expect-error[clang]: \{"row_sums"\}.*xgrad: in the body of a scan an operation's gradient has another element type than its operand, or no matching shape
// more errors: clang has no program then
// The same in the body of a loop.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

struct row_sums_op : xg::kernel_op {
    static constexpr std::string_view name = "row_sums";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) {
        xg::value_info r = v[0];
        r.dims.rank = 1;
        return r;
    }
    static void run(xg::kernel_part const& part, xg::tensor_view<float const, 2> x, xg::tensor_view<float, 1> sums) {
        for (std::int64_t i = part.first; i < part.last; ++i) sums[i] = x(i, 0) + x(i, 1);
    }
    static constexpr void derive(xg::derivation& d) {
#ifdef XGRAD_EXPECT_ERROR
        d.out[0] = d.gradient;
#else
        d.out[0] = d.operands[0] - d.operands[0] + xg::expand_dims<-1>(d.gradient);
#endif
    }
};
inline constexpr xg::kernel_function<row_sums_op> row_sums{};

struct body : xg::region {
    static constexpr auto value(auto total, auto rows) { return xg::carry(total + row_sums(rows)); }
};
constexpr auto x = xg::input<"x", float, 5, 3, 2>;
constexpr auto total = xg::scan<body>(xg::carry(xg::broadcast_to<3>(xg::constant<float, 0>)), x);
void run() { xg::function f{xg::gradient_of(xg::sum(std::get<0>(total)), x)}; }
