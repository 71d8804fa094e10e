// SPDX-License-Identifier: MIT
// expect-error: xgrad: a reduction of this update rule is per::element, or per::optimizer without being a sum or a mean
// A sum over one element.
#include <xgrad/optim/rule.hpp>

struct pointless {
    static constexpr std::string_view name = "pointless";
    static constexpr std::array<xgrad::slot_info, 0> slots{};
#ifdef XGRAD_EXPECT_ERROR
    static constexpr std::array reductions{xgrad::reduction_info(xgrad::per::element)};
#else
    static constexpr std::array reductions{xgrad::reduction_info(xgrad::per::row)};
#endif
    static constexpr auto sparse = xgrad::sparse_semantics::exact;
    template<class T>
    struct scalars {};
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {};
    }
    template<class T, class V>
    static void terms(scalars<T> const&, V, V grad, V const*, V* term) {
        term[0] = grad;
    }
    template<class T, class V>
    static void update(scalars<T> const&, V&, V, V*, V const*) {}
};
static_assert(xgrad::explain_rule<pointless>());
