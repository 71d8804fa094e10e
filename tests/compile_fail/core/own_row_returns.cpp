// SPDX-License-Identifier: MIT
// expect-error: xgrad: row\(\.\.\.\) of this row_op has another form
// A result that is not read.
#include <xgrad/ops/ops.hpp>

#include <algorithm>
#include <span>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct my_op : xg::row_op {
    static constexpr std::string_view name = "my";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) { return v[0]; }
#ifdef XGRAD_EXPECT_ERROR
    static float row(std::span<float const> a, std::span<float>) { return a[0]; }
#else
    static void row(std::span<float const> a, std::span<float> r) { std::copy(a.begin(), a.end(), r.begin()); }
#endif
};
inline constexpr xg::row_function<my_op> my{};
constexpr auto z = my(x);
