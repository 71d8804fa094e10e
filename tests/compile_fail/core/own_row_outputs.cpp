// SPDX-License-Identifier: MIT
// expect-error: xgrad: the number of outputs of this operation is not a constant from 1 to 32
// The number of outputs could change.
#include <xgrad/ops/ops.hpp>

#include <algorithm>
#include <span>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct my_op : xg::row_op {
    static constexpr std::string_view name = "my";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) { return v[0]; }
    static void row(std::span<float const> a, std::span<float> r) { std::copy(a.begin(), a.end(), r.begin()); }
#ifdef XGRAD_EXPECT_ERROR
    static inline int outputs = 1;
#else
    static constexpr int outputs = 1;
#endif
};
inline constexpr xg::row_function<my_op> my{};
constexpr auto z = my(x);
