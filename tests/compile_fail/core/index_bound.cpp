// SPDX-License-Identifier: MIT
// expect-error[g++]: xgrad: `indices` of an operation names an operand or axis that is missing or no integer: operation_with_wrong_indices<\.\.\.>
// expect-error[clang]: \{"pick"\}.*xgrad: `indices` of an operation names an operand or axis that is missing or no integer
// A bound that is not there.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

#include <span>

namespace xg = xgrad;
using namespace xg::literals;

struct pick_op : xg::row_op {
    static constexpr std::string_view name = "pick";
#ifdef XGRAD_EXPECT_ERROR
    static constexpr xg::index_bound indices{.operand = 0, .of = 1, .axis = -1};
#else
    static constexpr xg::index_bound indices{.operand = 1, .of = 0, .axis = -1};
#endif
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) {
        xg::value_info r = v[0];
        --r.dims.rank;
        return r;
    }
    static void row(std::span<float const> x, std::span<std::int32_t const> i, std::span<float> y) { y[0] = x[static_cast<std::size_t>(i[0])]; }
};
inline constexpr xg::row_function<pick_op> pick{};
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
auto run(float const* p, std::int32_t const* i) { return xg::function{pick(x, y)}(x = xg::array(p, 2, 4), y = xg::array(i, 2)); }
