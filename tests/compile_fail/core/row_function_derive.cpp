// SPDX-License-Identifier: MIT
// expect-error: xgrad: derive\(\.\.\.\) of this row_op has another form
// A derivative that returns its gradient: none would pass.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

struct halved_op : xg::row_op {
    static constexpr std::string_view name = "halved";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) { return v[0]; }
    static void row(std::span<float const>, std::span<float>);
#ifdef XGRAD_EXPECT_ERROR
    static constexpr xg::symbol derive(xg::derivation& d) { return d.gradient * 0.5_c; }
#else
    static constexpr void derive(xg::derivation& d) { d.out[0] = d.gradient * 0.5_c; }
#endif
};
inline constexpr xg::row_function<halved_op> halved{};
constexpr auto z = halved(xg::input<"x", float, 4>);
