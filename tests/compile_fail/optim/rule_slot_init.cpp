// SPDX-License-Identifier: MIT
// expect-error: xgrad: slot_init\(\.\.\.\) of this update rule has another form
// One value for all slots: they would begin with 0.
#include <xgrad/optim/rule.hpp>

struct descent {
    static constexpr std::string_view name = "descent";
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
#ifdef XGRAD_EXPECT_ERROR
    double slot_init() const { return 0.1; }
#else
    double slot_init(int) const { return 0.1; }
#endif
};
static_assert(xgrad::explain_rule<descent>());
