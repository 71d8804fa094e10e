// SPDX-License-Identifier: MIT
// expect-error: xgrad: absent_row, with which an exact rule moves rows that do not occur, needs a rule without reductions whose slots are per::element
// Scalars of their own for rows that do not occur, of a rule that sums over all rows.
#include <xgrad/optim/rule.hpp>

struct two_faced {
    static constexpr std::string_view name = "two_faced";
    static constexpr std::array<xgrad::slot_info, 0> slots{};
    static constexpr std::array reductions{xgrad::reduction_info(xgrad::per::variable)};
#ifdef XGRAD_EXPECT_ERROR
    template<class S>
    static S absent_row(S s) {
        return s;
    }
#else
    // none
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
};
static_assert(xgrad::explain_rule<two_faced>());
