// SPDX-License-Identifier: MIT
// expect-error: xgrad::concat<axis>\(\.\.\.\): more than 32 operands are given
// 33 operands.
#include <xgrad/ops/ops.hpp>

#include <utility>

namespace xg = xgrad;

constexpr auto b = xg::variable<"b", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
template<std::size_t... I>
constexpr auto join(std::index_sequence<I...>) {
    return xg::concat<0>((static_cast<void>(I), b)...);
}
constexpr auto z = join(std::make_index_sequence<33>());
#else
template<std::size_t... I>
constexpr auto join(std::index_sequence<I...>) {
    return xg::concat<0>((static_cast<void>(I), b)...);
}
constexpr auto z = join(std::make_index_sequence<32>());
#endif
