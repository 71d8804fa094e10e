// SPDX-License-Identifier: MIT
// expect-error: xgrad: an operation's gradient has another element type than its operand, or no matching shape: gradient_of_operation<\.\.\.>
// A sparse derivative: a value of the shape of the table's rows for each index.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

struct picked_op : xg::kernel_op {
    static constexpr std::string_view name = "picked";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) {
        return {v[0].type, {2, {v[1].dims.extents[0], v[0].dims.extents[1]}}, xg::fault::none};
    }
    static void run(xg::kernel_part const& part, xg::tensor_view<float const, 2> table, xg::tensor_view<std::int32_t const, 1> ids,
        xg::tensor_view<float, 2> y) {
        for (std::int64_t i = part.first; i < part.last; ++i)
            for (std::int64_t j = 0; j < 2; ++j) y(i, j) = ids[i] < 0 || ids[i] >= 3 ? 0.f : table(ids[i], j);
    }
    static constexpr void derive(xg::derivation& d) {
        d.values[0] = d.gradient;
#ifdef XGRAD_EXPECT_ERROR
        d.indices[0] = xg::expand_dims<-1>(d.operands[1]);
#else
        d.indices[0] = d.operands[1];
#endif
    }
};
inline constexpr xg::kernel_function<picked_op> picked{};

constexpr auto table = xg::variable<"table", float, 3, 2>;
constexpr auto ids = xg::input<"ids", std::int32_t, 4>;
auto make() { return xg::minimize(xg::sum(picked(table, ids)), xg::gradient_descent{}); }
