// SPDX-License-Identifier: MIT
// expect-error: xgrad: no function moves a slot of this update rule
// A number for each row that no body moves.
#include <xgrad/optim/rule.hpp>

struct forgetful {
    static constexpr std::string_view name = "forgetful";
#ifdef XGRAD_EXPECT_ERROR
    static constexpr std::array slots{xgrad::slot_info("accumulator", xgrad::per::row)};
#else
    static constexpr std::array slots{xgrad::slot_info("accumulator", xgrad::per::element)};
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
};
static_assert(xgrad::explain_rule<forgetful>());
