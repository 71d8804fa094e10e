// SPDX-License-Identifier: MIT
// Comparisons as operators are the operations of that name.
#include <xgrad/ops/ops.hpp>

#include <type_traits>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::input<"y", float, 4>;

template<class A, class B>
constexpr bool same(A, B) {
    return std::is_same_v<A, B>;
}
static_assert(same(x > y, xg::greater(x, y)));
static_assert(same(x >= 0_c, xg::greater_equal(x, 0_c)));
static_assert(same(0_c < x, xg::less(0_c, x)));
static_assert(same(y <= x, xg::less_equal(y, x)));
static_assert(xg::value_of<decltype(xg::select(x > 0_c, x, y))>.dims == xg::make_shape<batch, 4>());
static_assert(xg::value_of<decltype(x > y)>.type == xg::dtype::boolean);
