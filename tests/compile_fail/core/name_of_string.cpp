// SPDX-License-Identifier: MIT
// expect-error: xgrad: a name is not text in quotes, but it is part of a type
// a name that is known while running.
#include <xgrad/ops/ops.hpp>

#include <string>

namespace xg = xgrad;
using namespace xg::literals;


#ifdef XGRAD_EXPECT_ERROR
auto make(std::string name) { return xg::input<name, float, 4>; }
#else
auto make(std::string) { return xg::input<"name", float, 4>; }
#endif
