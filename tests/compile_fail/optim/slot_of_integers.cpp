// SPDX-License-Identifier: MIT
// expect-error: xgrad: a slot of this update rule is no floating type, or one per::optimizer is not double or not after the others
// A slot that counts in integers.
#include <xgrad/optim/rule.hpp>

struct counting {
    static constexpr std::string_view name = "counting";
#ifdef XGRAD_EXPECT_ERROR
    static constexpr std::array slots{xgrad::slot_info("steps", xgrad::dtype::int32)};
#else
    static constexpr std::array slots{xgrad::slot_info("steps", xgrad::dtype::float64)};
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
static_assert(xgrad::explain_rule<counting>());
