// SPDX-License-Identifier: MIT
// Loops that differ in numbers alone, of which no short one gains, are one kernel in a translation unit.
#include <xgrad/xgrad.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;

template<int N>
constexpr auto chain() {
    constexpr auto x = xg::input<"x", double, N>;
    return xg::outputs(xg::sum(xg::exp(xg::tanh(x))), xg::log_sum_exp(x));
}
template<int N, int D>
constexpr auto distances() {   // rows of D inside lanes
    constexpr auto x = xg::input<"x", double, N, D>;
    constexpr auto m = xg::input<"m", double, 5, D>;
    return xg::outputs(xg::sum(xg::log_sum_exp<1>(xg::sum<2>(xg::square(xg::expand_dims<1>(x) - m)))));
}
constexpr int step_of(auto const& plan, bool lanes) {   // the first nest with or without rows inside lanes
    int s = 0;
    while (plan.steps[s].kind != xg::planner::step_kind::nest || (plan.steps[s].lane >= 0) != lanes) ++s;
    return s;
}
template<auto A, auto B, bool Lanes = false>
constexpr bool share() {
    using P = xg::program<std::remove_const_t<decltype(A)>>;
    using Q = xg::program<std::remove_const_t<decltype(B)>>;
    return std::is_same_v<xg::detail::step_kernel<P, step_of(P::plan, Lanes)>, xg::detail::step_kernel<Q, step_of(Q::plan, Lanes)>>;
}
static_assert(share<chain<65>(), chain<4000>()>());
static_assert(share<chain<65>(), chain<100>()>());
static_assert(!share<chain<64>(), chain<65>()>());
static_assert(!share<chain<10>(), chain<11>()>());
static_assert(share<distances<1000, 10>(), distances<300, 12>(), true>());
static_assert(!share<distances<1000, 3>(), distances<1000, 4>(), true>());
}
