// SPDX-License-Identifier: MIT
// expect-error: xgrad: the array bound to this input has another element type, and nothing is converted silently
// char for std::int8_t.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

#include <vector>

namespace xg = xgrad;

constexpr auto z = xg::input<"z", std::int8_t, 4>;
#ifdef XGRAD_EXPECT_ERROR
using element = char;
#else
using element = signed char;
#endif
float run(std::vector<element> const& c) { return xg::function{xg::sum(xg::cast<float>(z))}(z = c); }
