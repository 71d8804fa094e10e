// SPDX-License-Identifier: MIT
// expect-error: xgrad: the stages of this rule's reductions do not begin with 0 or 1, or do not increase by one
// A reduction before those that it reads.
#include <xgrad/optim/rule.hpp>

struct hasty {
    static constexpr std::string_view name = "hasty";
    static constexpr std::array<xgrad::slot_info, 0> slots{};
    static constexpr xgrad::reduction_info first{xgrad::per::row}, second{xgrad::per::variable, 1};
#ifdef XGRAD_EXPECT_ERROR
    static constexpr std::array reductions{second, first};
#else
    static constexpr std::array reductions{first, second};
#endif
    static constexpr auto sparse = xgrad::sparse_semantics::exact;
    template<class T>
    struct scalars {};
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {};
    }
    template<class T, class V>
    static void terms(scalars<T> const&, V, V grad, V const*, V const*, V* term) {
        term[0] = term[1] = grad;
    }
    template<class T, class V>
    static void update(scalars<T> const&, V&, V, V*, V const*) {}
};
static_assert(xgrad::explain_rule<hasty>());
