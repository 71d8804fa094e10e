// SPDX-License-Identifier: MIT
// expect-error: xgrad: an operation has more than 32 operands
// A user's operation on 33 rows.
#include <xgrad/ops/ops.hpp>

#include <span>
#include <utility>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3>;
struct largest_op : xg::row_op {
    static constexpr std::string_view name = "largest";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) { return v[0]; }
    static void row(std::span<float const> first, auto... rest) {
        (void)first;
        ((void)rest, ...);
    }
};
inline constexpr xg::row_function<largest_op> largest{};

template<std::size_t... I>
constexpr auto of(std::index_sequence<I...>) {
    return largest((static_cast<void>(I), x)...);
}
#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = of(std::make_index_sequence<33>());
#else
constexpr auto y = of(std::make_index_sequence<32>());
#endif
