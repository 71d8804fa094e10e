// SPDX-License-Identifier: MIT
// expect-error: xgrad: this update rule has reductions, but lacks a function for them
// A rule that reduces what it does not name.
#include <xgrad/optim/rule.hpp>

struct wordless {
    static constexpr std::string_view name = "wordless";
    static constexpr std::array<xgrad::slot_info, 0> slots{};
#ifdef XGRAD_EXPECT_ERROR
    static constexpr std::array reductions{xgrad::reduction_info(xgrad::per::variable)};
#else
    static constexpr std::array<xgrad::reduction_info, 0> reductions{};
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
static_assert(xgrad::explain_rule<wordless>());
