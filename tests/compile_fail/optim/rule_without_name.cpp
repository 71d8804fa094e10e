// SPDX-License-Identifier: MIT
// expect-error: xgrad: this update rule has no constant name, or an empty one, which errors and checkpoints need
// A rule with an empty name.
#include <xgrad/optim/rule.hpp>

struct unnamed {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr std::string_view name = "";
#else
    static constexpr std::string_view name = "unnamed";
#endif
    static constexpr std::array<std::string_view, 1> slots{"mean"};
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
static_assert(xgrad::explain_rule<unnamed>());
