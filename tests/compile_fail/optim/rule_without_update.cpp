// SPDX-License-Identifier: MIT
// expect-error: xgrad: update\(\.\.\.\) of this update rule is missing or has another form
// A rule whose update body takes no slots.
#include <xgrad/optim/rule.hpp>

struct incomplete {
    static constexpr std::string_view name = "incomplete";
    static constexpr std::array<std::string_view, 0> slots{};
    static constexpr auto sparse = xgrad::sparse_semantics::lazy;
    template<class T>
    struct scalars {};
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {};
    }
    template<class T, class V>
#ifdef XGRAD_EXPECT_ERROR
    static void update(scalars<T> const&, V&, V) {}
#else
    static void update(scalars<T> const&, V&, V, V*) {}
#endif
};
static_assert(xgrad::explain_rule<incomplete>());
