// SPDX-License-Identifier: MIT
// expect-error: xgrad: an operand of this operation on rows has no axis
// A number has no row.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

struct running_sum_op : xg::row_op {
    static constexpr std::string_view name = "running_sum";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) { return v[0]; }
    static void row(std::span<float const>, std::span<float>);
};
inline constexpr xg::row_function<running_sum_op> running_sum{};
constexpr auto rate = xg::input<"rate", float>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = running_sum(rate);
#else
constexpr auto z = running_sum(xg::expand_dims<0>(rate));
#endif
