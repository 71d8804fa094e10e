// SPDX-License-Identifier: MIT
// expect-error: xgrad: a kernel_op has more than 21 operands and outputs
// A kernel of 21 operands and an output.
#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/ops.hpp>

#include <utility>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3>;
struct total_op : xg::kernel_op {
    static constexpr std::string_view name = "total";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) { return v[0]; }
    static void run(xg::kernel_part const&, auto...) {}
};
inline constexpr xg::kernel_function<total_op> total{};

template<std::size_t... I>
constexpr auto of(std::index_sequence<I...>) {
    return total((static_cast<void>(I), x)...);
}
#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = of(std::make_index_sequence<21>());
#else
constexpr auto y = of(std::make_index_sequence<20>());
#endif
