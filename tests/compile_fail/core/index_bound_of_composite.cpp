// SPDX-License-Identifier: MIT
// expect-error: xgrad: a composite_op with `indices` has no derivative\(\.\.\.\), so no operation remains that checks these indices
// A composite that vanishes into its parts.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

struct pick_op : xg::composite_op {
    static constexpr std::string_view name = "pick";
    static constexpr xg::index_bound indices{.operand = 1, .of = 0, .axis = 0};
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&) { return {v[0].type, v[1].dims, xg::fault::none}; }
    static constexpr xg::symbol expand(xg::symbol_table&, xg::symbol const* x, int, xg::attributes const&) { return xg::gather(x[0], x[1]); }
#ifdef XGRAD_EXPECT_ERROR
#else
    static constexpr xg::symbols derivative(xg::symbol, xg::symbol, xg::symbol, xg::symbol g) { return {{g, {}}}; }
#endif
};
constexpr auto table = xg::input<"t", float, 5>;
constexpr auto y = xg::input<"y", std::int32_t, 3>;
constexpr auto z = xg::apply<pick_op>(table, y);
