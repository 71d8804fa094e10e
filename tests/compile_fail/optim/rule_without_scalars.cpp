// SPDX-License-Identifier: MIT
// expect-error: xgrad: this update rule has no scalars<T>
// A struct that is no template.
#include <xgrad/optim/rule.hpp>

struct incomplete {
    static constexpr std::string_view name = "incomplete";
    static constexpr std::array<std::string_view, 0> slots{};
    static constexpr auto sparse = xgrad::sparse_semantics::lazy;
#ifdef XGRAD_EXPECT_ERROR
    struct scalars {};
    template<class T>
    scalars prepare(std::int64_t, double const*) const {
        return {};
    }
    template<class T, class V>
    static void update(scalars const&, V&, V, V*) {}
#else
    template<class T>
    struct scalars {};
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {};
    }
    template<class T, class V>
    static void update(scalars<T> const&, V&, V, V*) {}
#endif
};
static_assert(xgrad::explain_rule<incomplete>());
