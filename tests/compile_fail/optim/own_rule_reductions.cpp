// SPDX-License-Identifier: MIT
// expect-error: xgrad: `reductions` of this update rule is not a constant list
// One reduction that is no list.
#include <xgrad/xgrad.hpp>

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
    template<class T, class V>
    static void update(scalars<T> const& s, V& param, V grad, V*, V const*) {
        param = param - V(s.rate) * grad;
    }
    template<class T, class V>
    static void terms(scalars<T> const&, V, V grad, V const*, V* term) {
        term[0] = grad;
    }
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto reductions = xg::reduction_info(xg::per::row);
#else
    static constexpr std::array reductions{xg::reduction_info(xg::per::row)};
#endif
};
auto train() { return xg::minimize(xg::sum(xg::square(w)), my_rule{}); }
