// SPDX-License-Identifier: MIT
// expect-error: xgrad: there is no w.T\(\)
// as in PyTorch.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto w = xg::variable<"w", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = w.T();
#else
constexpr auto z = xg::transpose(w);
#endif
