// SPDX-License-Identifier: MIT
// expect-error: xgrad: no function moves a slot of this update rule
// Slots of the optimizer that are moved without the sums which the rule asks for.
#include <xgrad/optim/rule.hpp>

struct forgetful {
    static constexpr std::string_view name = "forgetful";
    static constexpr std::array slots{xgrad::slot_info("total", xgrad::per::optimizer)};
    static constexpr std::array reductions{xgrad::reduction_info(xgrad::per::optimizer)};
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
#ifdef XGRAD_EXPECT_ERROR
    void advance_powers(double* p, std::int64_t) const { p[0] += 1; }
#else
    void advance_powers(double* p, std::int64_t, double const* reduced) const { p[0] += reduced[0]; }
#endif
    template<class T, class V>
    static void optimizer_terms(scalars<T> const&, V, V grad, V const*, V* term) {
        term[0] = grad;
    }
    template<class T, class V>
    static void update(scalars<T> const&, V&, V, V*) {}
};
static_assert(xgrad::explain_rule<forgetful>());
