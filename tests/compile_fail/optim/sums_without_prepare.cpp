// SPDX-License-Identifier: MIT
// expect-error: xgrad: this update rule has reductions per::optimizer, but lacks a function for them
// A rule that asks for sums over all variables and has nothing that takes them.
#include <xgrad/optim/rule.hpp>

struct deaf {
    static constexpr std::string_view name = "deaf";
    static constexpr std::array<xgrad::slot_info, 0> slots{};
    static constexpr std::array reductions{xgrad::reduction_info(xgrad::per::optimizer)};
    static constexpr auto sparse = xgrad::sparse_semantics::exact;
    template<class T>
    struct scalars {};
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {};
    }
#ifndef XGRAD_EXPECT_ERROR
    template<class T>
    scalars<T> prepare(std::int64_t, double const*, double const*) const {
        return {};
    }
#endif
    template<class T, class V>
    static void optimizer_terms(scalars<T> const&, V, V grad, V const*, V* term) {
        term[0] = grad;
    }
    template<class T, class V>
    static void update(scalars<T> const&, V&, V, V*) {}
};
static_assert(xgrad::explain_rule<deaf>());
