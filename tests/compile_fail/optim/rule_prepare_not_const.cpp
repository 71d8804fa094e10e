// SPDX-License-Identifier: MIT
// expect-error: xgrad: prepare\(\.\.\.\) of this update rule is missing or has another form
// A trainer prepares a constant rule.
#include <xgrad/optim/rule.hpp>

struct incomplete {
    static constexpr std::string_view name = "incomplete";
    static constexpr std::array<std::string_view, 0> slots{};
    static constexpr auto sparse = xgrad::sparse_semantics::lazy;
    template<class T>
    struct scalars {};
    template<class T>
#ifdef XGRAD_EXPECT_ERROR
    scalars<T> prepare(std::int64_t, double const*) {
#else
    scalars<T> prepare(std::int64_t, double const*) const {
#endif
        return {};
    }
    template<class T, class V>
    static void update(scalars<T> const&, V&, V, V*) {}
};
static_assert(xgrad::explain_rule<incomplete>());
