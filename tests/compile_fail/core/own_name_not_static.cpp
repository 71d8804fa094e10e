// SPDX-License-Identifier: MIT
// expect-error: xgrad: this operation has no constant name, or its name is not public
// The name is a member of each object.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct my_op : xg::elementwise_op {
    static auto value(auto a) { return a * a; }
#ifdef XGRAD_EXPECT_ERROR
    std::string_view name = "my";
#else
    static constexpr std::string_view name = "my";
#endif
};
inline constexpr xg::elementwise<my_op> my{};
constexpr auto z = my(x);
