// SPDX-License-Identifier: MIT
// expect-error: xgrad: advance_variable\(\.\.\.\) of this rule does not move slots
// A slot as a constant.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto w = xg::variable<"w", float, 3>;
struct my_rule {
    static constexpr std::string_view name = "my";
    static constexpr std::array slots{xg::slot_info("seen", xg::per::variable)};
    static constexpr std::array reductions{xg::reduction_info(xg::per::variable)};
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
    static void update(scalars<T> const& s, V& param, V grad, V* slot, V const*) {
        param = param - V(s.rate) * slot[0] * grad;
    }
    template<class T, class V>
    static void terms(scalars<T> const&, V, V grad, V const*, V* term) {
        term[0] = grad;
    }
#ifdef XGRAD_EXPECT_ERROR
    template<class T>
    static T advance_variable(scalars<T> const&, T const* slot, T const* reduced) {
        return slot[0] + reduced[0];
    }
#else
    template<class T>
    static void advance_variable(scalars<T> const&, T* slot, T const* reduced) {
        slot[0] = reduced[0];
    }
#endif
};
auto train() { return xg::minimize(xg::sum(xg::square(w)), my_rule{}); }
