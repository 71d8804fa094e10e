// SPDX-License-Identifier: MIT
// expect-error: xgrad: a member of this update rule owns memory, like std::string, but a rule is copied in each step, which must not allocate
// A rule that keeps a text.
#include <xgrad/optim/rule.hpp>

#include <string>

struct named {
    static constexpr std::string_view name = "named";
    static constexpr std::array<std::string_view, 1> slots{"mean"};
    static constexpr auto sparse = xgrad::sparse_semantics::lazy;
#ifdef XGRAD_EXPECT_ERROR
    std::string label;
#else
    char const* label = "";
#endif
    template<class T>
    struct scalars {};
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {};
    }
    template<class T, class V>
    static void update(scalars<T> const&, V&, V, V*) {}
};
static_assert(xgrad::explain_rule<named>());
