// SPDX-License-Identifier: MIT
// expect-error: xgrad: hypers\(\) of this update rule has another form
// A list that cannot be asked of a constant rule: nothing would be checked.
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
    auto hypers() { return std::array{xgrad::hyper_info("rate", 1.0, xgrad::allow::positive)}; }
#else
    auto hypers() const { return std::array{xgrad::hyper_info("rate", 1.0, xgrad::allow::positive)}; }
#endif
};
static_assert(xgrad::explain_rule<descent>());
