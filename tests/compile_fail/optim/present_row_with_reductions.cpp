// SPDX-License-Identifier: MIT
// expect-error: xgrad: present_row and every_row, the part of an exact rule that only rows that occur get, need a rule without reductions
// A part for rows that occur only, of a rule that sums over all rows.
#include <xgrad/optim/rule.hpp>

struct two_faced {
    static constexpr std::string_view name = "two_faced";
    static constexpr std::array<xgrad::slot_info, 0> slots{};
    static constexpr std::array reductions{xgrad::reduction_info(xgrad::per::variable)};
#ifdef XGRAD_EXPECT_ERROR
    template<class S>
    static S every_row(S s) {
        return s;
    }
#else
    // no such part
#endif
    static constexpr auto sparse = xgrad::sparse_semantics::exact;
    template<class T>
    struct scalars {};
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {};
    }
    template<class T, class V>
    static void terms(scalars<T> const&, V, V grad, V const*, V* term) {
        term[0] = grad;
    }
    template<class T, class V>
    static void update(scalars<T> const&, V&, V, V*, V const*) {}
    template<class T, class V>
    static void present_row(scalars<T> const&, V&) {}
};
static_assert(xgrad::explain_rule<two_faced>());
