// SPDX-License-Identifier: MIT
// expect-error: xgrad: the operands of this operation on rows have different axes before the last, or a last axis that it does not take
// A batch and a vector.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;

struct nearest_op : xg::row_op {
    static constexpr std::string_view name = "nearest";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) { return v[0]; }
    static void row(std::span<float const>, std::span<float const>, std::span<float>);
};
inline constexpr xg::row_function<nearest_op> nearest{};

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = nearest(x, xg::input<"v", float, 4>);
#else
constexpr auto z = nearest(x, xg::input<"v", float, batch, 4>);
#endif
