// SPDX-License-Identifier: MIT
// expect-error: xgrad: this operation has no derive\(\.\.\.\), but a function of a similar name
// A variable below it would not move.
#include <xgrad/core/operations/row_function.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct copy_op : xg::row_op {
    static constexpr std::string_view name = "copy";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) { return v[0]; }
    static void row(std::span<float const> a, std::span<float> y) {
        for (std::size_t i = 0; i < y.size(); ++i) y[i] = a[i];
    }
#ifdef XGRAD_EXPECT_ERROR
    static constexpr void backward(xg::derivation& d) { d.out[0] = d.gradient; }
#else
    static constexpr void derive(xg::derivation& d) { d.out[0] = d.gradient; }
#endif
};
constexpr auto z = xg::row_function<copy_op>{}(x);
