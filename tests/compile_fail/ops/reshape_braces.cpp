// SPDX-License-Identifier: MIT
// expect-error: xgrad::reshape\(x\): the new shape is not in angle brackets
// a shape in braces.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto w = xg::variable<"w", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::reshape(w, {3, 4});
#else
constexpr auto z = xg::reshape<3, 4>(w);
#endif
