// SPDX-License-Identifier: MIT
// expect-error: xgrad::chain\(links\.\.\.\): two links are rules, and each would move the variables
// A transform that does not say that it is one.
#include <xgrad/optim/optim.hpp>

struct shrink {
    static constexpr std::string_view name = "shrink";
#ifdef XGRAD_EXPECT_ERROR
    static constexpr bool in_front = true;
#else
    static constexpr bool is_transform = true, in_front = true;
#endif
    static constexpr std::array<xgrad::slot_info, 0> slots{};
    static constexpr auto sparse = xgrad::sparse_semantics::lazy;
    template<class T>
    struct scalars {};
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {};
    }
    template<class T, class V>
    static void update(scalars<T> const&, V&, V& gradient, V*) {
        gradient = xgrad::math::sign(gradient);
    }
};
auto const rule = xgrad::chain(shrink{}, xgrad::adam{});
