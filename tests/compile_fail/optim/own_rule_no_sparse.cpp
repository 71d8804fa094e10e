// SPDX-License-Identifier: MIT
// expect-error: xgrad: this update rule has no `sparse`, for rows that are not in a sparse gradient
// A truth value for sparse.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto w = xg::variable<"w", float, 3>;
struct my_rule {
    static constexpr std::string_view name = "my";
    static constexpr std::array<std::string_view, 1> slots{"m"};
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
    static constexpr bool sparse = true;
#else
    static constexpr auto sparse = xg::sparse_semantics::lazy;
#endif
};
auto train() { return xg::minimize(xg::sum(xg::square(w)), my_rule{}); }
