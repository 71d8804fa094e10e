// SPDX-License-Identifier: MIT
// expect-error: xgrad: derive\(\.\.\.\) of this operation sets a gradient d\.out\[i\] that does not depend on the gradients of the outputs
// The gradient of the output is not used.
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
    static constexpr void derive(xg::derivation& d) { d.out[0] = d.operands[0]; }
#else
    static constexpr void derive(xg::derivation& d) { d.out[0] = d.gradient; }
#endif
};
inline constexpr xg::row_function<my_op> my{};
constexpr auto z = my(x);
