// SPDX-License-Identifier: MIT
// expect-error: jvp, hvp and gauss_newton_vp take at most 127 xs
// More xs than an operation has operands.
#include <xgrad/grad/vector_products.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

template<int... I>
constexpr auto many(std::integer_sequence<int, I...>) {
    constexpr auto all = std::tuple(xg::variable<xg::numbered<"v", I>, float, 2>...);
    return xg::jvp(xg::tanh(xg::variable<"v0", float, 2>), all, all);
}

#ifdef XGRAD_EXPECT_ERROR
constexpr auto d = many(std::make_integer_sequence<int, 128>{});
#else
constexpr auto d = many(std::make_integer_sequence<int, 15>{});
#endif
