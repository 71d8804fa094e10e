// SPDX-License-Identifier: MIT
// expect-error: xgrad: row\(\.\.\.\) of this row_op has another form
// A row that is taken to be written.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

struct running_sum_op : xg::row_op {
    static constexpr std::string_view name = "running_sum";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) { return v[0]; }
#ifdef XGRAD_EXPECT_ERROR
    static void row(std::span<float>, std::span<float>);
#else
    static void row(std::span<float const>, std::span<float>);
#endif
};
[[maybe_unused]] constexpr auto y = xg::row_function<running_sum_op>{}(xg::input<"x", float, 4>);
