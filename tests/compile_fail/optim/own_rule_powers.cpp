// SPDX-License-Identifier: MIT
// expect-error: xgrad: advance_powers\(\.\.\.\) of this rule does not move slots
// Slots of the optimizer as constants.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto w = xg::variable<"w", float, 3>;
struct my_rule {
    static constexpr std::string_view name = "my";
    static constexpr std::array slots{xg::slot_info("p", xg::per::optimizer)};
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
    static void update(scalars<T> const& s, V& param, V grad, V*) {
        param = param - V(s.rate) * grad;
    }
#ifdef XGRAD_EXPECT_ERROR
    double advance_powers(double const* p, std::int64_t) const { return p[0] + 1; }
#else
    void advance_powers(double* p, std::int64_t) const { p[0] += 1; }
#endif
};
auto train() { return xg::minimize(xg::sum(xg::square(w)), my_rule{}); }
