// SPDX-License-Identifier: MIT
// expect-error: xgrad: this update rule has more than eight slots
// A rule with more slots than the store has places for.
#include <xgrad/optim/rule.hpp>

struct hoarder {
    static constexpr std::string_view name = "hoarder";
#ifdef XGRAD_EXPECT_ERROR
    static constexpr std::array<std::string_view, 9> slots{"a", "b", "c", "d", "e", "f", "g", "h", "i"};
#else
    static constexpr std::array<std::string_view, 8> slots{"a", "b", "c", "d", "e", "f", "g", "h"};
#endif
    static constexpr auto sparse = xgrad::sparse_semantics::lazy;
    template<class T>
    struct scalars {};
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {};
    }
    template<class T, class V>
    static void update(scalars<T> const&, V&, V, V*) {}
};
static_assert(xgrad::explain_rule<hoarder>());
