// SPDX-License-Identifier: MIT
// expect-error: xgrad: a slot of this update rule is no floating type, or one per::optimizer is not double or not after the others
// A slot of the optimizer before one of the variable.
#include <xgrad/optim/rule.hpp>

struct disordered {
    static constexpr std::string_view name = "disordered";
#ifdef XGRAD_EXPECT_ERROR
    static constexpr std::array slots{xgrad::slot_info("power", xgrad::per::optimizer), xgrad::slot_info("m")};
#else
    static constexpr std::array slots{xgrad::slot_info("m"), xgrad::slot_info("power", xgrad::per::optimizer)};
#endif
    static constexpr auto sparse = xgrad::sparse_semantics::exact;
    template<class T>
    struct scalars {};
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {};
    }
    template<class T, class V>
    static void update(scalars<T> const&, V&, V, V*) {}
    void advance_powers(double*, std::int64_t) const {}
};
static_assert(xgrad::explain_rule<disordered>());
