// SPDX-License-Identifier: MIT
// expect-error: xgrad: optimizer_terms\(\.\.\.\) of this rule returns something
// A term is returned.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto w = xg::variable<"w", float, 3>;
struct my_rule {
    static constexpr std::string_view name = "my";
    static constexpr std::array<std::string_view, 0> slots{};
    static constexpr std::array reductions{xg::reduction_info(xg::per::optimizer)};
    static constexpr auto sparse = xg::sparse_semantics::lazy;
    template<class T>
    struct scalars {
        T rate;
    };
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {T(0.1)};
    }
    template<class T>
    scalars<T> prepare(std::int64_t, double const*, double const* reduced) const {
        return {T(reduced[0])};
    }
    template<class T, class V>
    static void update(scalars<T> const& s, V& param, V grad, V*) {
        param = param - V(s.rate) * grad;
    }
#ifdef XGRAD_EXPECT_ERROR
    template<class T, class V>
    static V optimizer_terms(scalars<T> const&, V, V grad, V const*, V*) {
        return grad;
    }
#else
    template<class T, class V>
    static void optimizer_terms(scalars<T> const&, V, V grad, V const*, V* term) {
        term[0] = grad;
    }
#endif
};
auto train() { return xg::minimize(xg::sum(xg::square(w)), my_rule{}); }
