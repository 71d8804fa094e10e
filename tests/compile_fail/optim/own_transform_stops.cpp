// SPDX-License-Identifier: MIT
// expect-error: xgrad: stops\(\.\.\.\) of this transform has another form
// stops is a member of each object.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto w = xg::variable<"w", float, 3>;
struct half {
    static constexpr std::string_view name = "half";
    static constexpr bool is_transform = true;
    static constexpr std::array<std::string_view, 0> slots{};
    static constexpr auto sparse = xg::sparse_semantics::lazy;
    template<class T>
    struct scalars {
        T rate;
    };
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {T(0.1)};
    }
    template<class T, class V>
    static void update(scalars<T> const& s, V&, V& grad, V*) {
        grad = V(s.rate) * grad;
    }
#ifdef XGRAD_EXPECT_ERROR
    bool stops() const { return false; }
#else
    template<class T>
    static bool stops(scalars<T> const&) {
        return false;
    }
#endif
};
auto train() { return xg::minimize(xg::sum(xg::square(w)), xg::chain(half{}, xg::adam{})); }
