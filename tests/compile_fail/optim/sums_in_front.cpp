// SPDX-License-Identifier: MIT
// expect-error: xgrad: a reduction per::optimizer of this update rule precedes others, or has a stage
// A sum over all variables before one over a row.
#include <xgrad/optim/rule.hpp>

struct greedy {
    static constexpr std::string_view name = "greedy";
    static constexpr std::array<xgrad::slot_info, 0> slots{};
#ifdef XGRAD_EXPECT_ERROR
    static constexpr std::array reductions{xgrad::reduction_info(xgrad::per::optimizer), xgrad::reduction_info(xgrad::per::row)};
#else
    static constexpr std::array reductions{xgrad::reduction_info(xgrad::per::row), xgrad::reduction_info(xgrad::per::optimizer)};
#endif
    static constexpr auto sparse = xgrad::sparse_semantics::exact;
    template<class T>
    struct scalars {};
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {};
    }
    template<class T>
    scalars<T> prepare(std::int64_t, double const*, double const*) const {
        return {};
    }
    template<class T, class V>
    static void terms(scalars<T> const&, V, V grad, V const*, V* term) {
        term[0] = grad;
    }
    template<class T, class V>
    static void optimizer_terms(scalars<T> const&, V, V grad, V const*, V* term) {
        term[0] = grad;
    }
    template<class T, class V>
    static void update(scalars<T> const&, V&, V, V*, V const*) {}
};
static_assert(xgrad::explain_rule<greedy>());
