// SPDX-License-Identifier: MIT
// expect-error: xgrad: a constant function is called
// a member of an object that is const.
#include <xgrad/xgrad.hpp>

#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
struct model {
    xg::function<xg::expression_list<decltype(xg::sum(x))>> f{xg::sum(x)};
    float run(std::vector<float> const& a) const { return f(x = a); }
};
#else
struct model {
    mutable xg::function<xg::expression_list<decltype(xg::sum(x))>> f{xg::sum(x)};
    float run(std::vector<float> const& a) const { return f(x = a); }
};
#endif
