// SPDX-License-Identifier: MIT
// expect-error: xgrad: infer\(\.\.\.\) of this operation is missing or has another form
// infer without the number of the output.
#include <xgrad/ops/ops.hpp>

#include <algorithm>
#include <span>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct my_op : xg::row_op {
    static constexpr std::string_view name = "my";
    static void row(std::span<float const> a, std::span<float> r) { std::copy(a.begin(), a.end(), r.begin()); }
    static constexpr void derive(xg::derivation& d) { d.out[0] = d.gradient; }
#ifdef XGRAD_EXPECT_ERROR
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&) { return v[0]; }
#else
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) { return v[0]; }
#endif
};
inline constexpr xg::row_function<my_op> my{};
constexpr auto z = my(x);
