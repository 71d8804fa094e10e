// SPDX-License-Identifier: MIT
// expect-error: xgrad: two slots of this update rule have one name, or a slot has an empty name
// Two slots with one name.
#include <xgrad/optim/rule.hpp>

struct twins {
    static constexpr std::string_view name = "twins";
#ifdef XGRAD_EXPECT_ERROR
    static constexpr std::array<std::string_view, 2> slots{"mean", "mean"};
#else
    static constexpr std::array<std::string_view, 2> slots{"mean", "square"};
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
static_assert(xgrad::explain_rule<twins>());
