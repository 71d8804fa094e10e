// SPDX-License-Identifier: MIT
// expect-error: xgrad::map<body>\(x\.\.\.\): the body is not one type between < and >, or x is missing
// The body as an argument.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::map(twice{}, x);
#else
constexpr auto z = xg::map<twice>(x);
#endif
