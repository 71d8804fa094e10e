// SPDX-License-Identifier: MIT
// expect-error: xgrad: this update rule has `powers`, `power_names` or `init_powers`, which are not read
// A scalar of the optimizer that is counted and not declared.
#include <xgrad/optim/rule.hpp>

struct counting_powers {
    static constexpr std::string_view name = "counting_powers";
#ifdef XGRAD_EXPECT_ERROR
    static constexpr std::array<xgrad::slot_info, 0> slots{};
    static constexpr int powers = 1;
#else
    static constexpr std::array slots{xgrad::slot_info("power", xgrad::per::optimizer)};
#endif
    static constexpr auto sparse = xgrad::sparse_semantics::lazy;
    void advance_powers(double* p, std::int64_t) const { p[0] *= 0.9; }
    template<class T>
    struct scalars {};
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {};
    }
    template<class T, class V>
    static void update(scalars<T> const&, V&, V, V*) {}
};
static_assert(xgrad::explain_rule<counting_powers>());
