// SPDX-License-Identifier: MIT
// expect-error: xgrad: a SIMD batch is used as a number, as in std::exp\(x\)
// more errors: what std::sqrt gives is no batch
// A function of the standard library.
#include <xgrad/xgrad.hpp>

#include <cmath>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto w = xg::variable<"w", float, 3>;
struct my_rule {
    static constexpr std::string_view name = "my";
    static constexpr std::array<std::string_view, 1> slots{"m"};
    static constexpr auto sparse = xg::sparse_semantics::lazy;
    template<class T>
    struct scalars {
        T rate;
    };
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {T(0.1)};
    }
#ifdef XGRAD_EXPECT_ERROR
    template<class T, class V>
    static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        param = param - V(s.rate) * grad / std::sqrt(slot[0]);
    }
#else
    template<class T, class V>
    static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        param = param - V(s.rate) * grad / xg::math::sqrt(slot[0]);
    }
#endif
};
auto train() { return xg::minimize(xg::sum(xg::square(w)), my_rule{}); }
