// SPDX-License-Identifier: MIT
// expect-error: xgrad: this update rule has reductions, but lacks a function for them
// Terms of a later stage that do not take what the earlier one gives.
#include <xgrad/optim/rule.hpp>

struct blind {
    static constexpr std::string_view name = "blind";
    static constexpr std::array<xgrad::slot_info, 0> slots{};
    static constexpr std::array reductions{xgrad::reduction_info(xgrad::per::row), xgrad::reduction_info(xgrad::per::variable, 1)};
    static constexpr auto sparse = xgrad::sparse_semantics::exact;
    template<class T>
    struct scalars {};
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {};
    }
    template<class T, class V>
#ifdef XGRAD_EXPECT_ERROR
    static void terms(scalars<T> const&, V, V grad, V const*, V* term) {
#else
    static void terms(scalars<T> const&, V, V grad, V const*, V const*, V* term) {
#endif
        term[0] = term[1] = grad;
    }
    template<class T, class V>
    static void update(scalars<T> const&, V&, V, V*, V const*) {}
};
static_assert(xgrad::explain_rule<blind>());
