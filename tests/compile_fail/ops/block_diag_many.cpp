// SPDX-License-Identifier: MIT
// expect-error: xgrad::block_diag\(a, b...\): more than 32 operands
// 33 matrices.
#include <xgrad/ops/blocks.hpp>

#include <utility>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
template<std::size_t... K>
constexpr auto along(std::index_sequence<K...>) {
    return xg::block_diag((static_cast<void>(K), x)...);
}

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = along(std::make_index_sequence<33>{});
#else
constexpr auto z = along(std::make_index_sequence<3>{});
#endif
