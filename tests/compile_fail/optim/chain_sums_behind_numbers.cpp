// SPDX-License-Identifier: MIT
// expect-error: xgrad::chain\(links\.\.\.\): a link with numbers per row, column or variable precedes a reduction over all variables, like
// A sum over all variables of what a number per row makes of gradients.
#include <xgrad/optim/optim.hpp>

struct slowed {
    static constexpr std::string_view name = "slowed";
    static constexpr bool is_transform = true;
    static constexpr std::array slots{xgrad::slot_info("count", xgrad::per::row)};
    static constexpr auto sparse = xgrad::sparse_semantics::lazy;
    template<class T>
    struct scalars {};
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {};
    }
    template<class T>
    static void advance_row(scalars<T> const&, T* slot, T const*) {
        slot[0] = slot[0] + T(1);
    }
    template<class T, class V>
    static void update(scalars<T> const&, V&, V& grad, V* slot) {
        grad = grad / slot[0];
    }
};
using namespace xgrad;
#ifdef XGRAD_EXPECT_ERROR
auto const rule = chain(slowed{}, clip_by_global_norm(1), adam{});
#else
auto const rule = chain(clip_by_global_norm(1), slowed{}, adam{});
#endif
