// SPDX-License-Identifier: MIT
// expect-error: xgrad: a body that takes gradients reads an outer call or loop that draws random numbers
// A loop whose body differentiates, and reads a call that drops elements.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
constexpr auto rows = xg::input<"rows", float, 3, 4>;

struct noisy : xg::region {
    static constexpr auto value(auto h) { return xg::dropout<"noise">(h, 0.5_c); }
};
constexpr auto dropped = xg::call<noisy>(x);
struct slopes : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto row) { return xg::gradient_of(xg::sum(xg::square(row) * dropped), row); }
    static constexpr auto of_all() { return xg::map<slopes>(rows); }
#else
    static constexpr auto value(auto row) { return xg::gradient_of(xg::sum(xg::square(row)), row); }
    static constexpr auto of_all() { return xg::map<slopes>(rows) * dropped; }
#endif
};
constexpr auto z = slopes::of_all();
