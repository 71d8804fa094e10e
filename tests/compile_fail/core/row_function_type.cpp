// SPDX-License-Identifier: MIT
// expect-error: xgrad: an operand of this operation on rows has an element type that it does not take
// Floats only, by its own rule.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

struct running_sum_op : xg::row_op {
    static constexpr std::string_view name = "running_sum";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) {
        return {v[0].type, v[0].dims, v[0].type == xg::dtype::float32 ? xg::fault::none : xg::fault::dtypes};
    }
    static void row(std::span<float const>, std::span<float>);
};
inline constexpr xg::row_function<running_sum_op> running_sum{};
constexpr auto n = xg::input<"n", std::int32_t, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = running_sum(n);
#else
constexpr auto z = running_sum(xg::cast<float>(n));
#endif
