// SPDX-License-Identifier: MIT
// expect-error: xgrad: infer\(\.\.\.\) of this operation returns an extent with too many named dimensions in a sum, product or quotient
// A product of four named dimensions.
#include <xgrad/ops/ops.hpp>

#include <algorithm>
#include <span>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim a{"a"};
inline constexpr xg::dim b{"b"};
inline constexpr xg::dim c{"c"};
inline constexpr xg::dim d{"d"};
constexpr auto x = xg::input<"x", float, a, b, c, d>;
struct my_op : xg::row_op {
    static constexpr std::string_view name = "my";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) {
        xg::value_info r = v[0];
#ifdef XGRAD_EXPECT_ERROR
        for (int k = 0; k < 3; ++k) r.dims.extents[3] = r.dims.extents[3] * r.dims.extents[k];
#else
        for (int k = 0; k < 2; ++k) r.dims.extents[3] = r.dims.extents[3] * r.dims.extents[k];
#endif
        return r;
    }
    static void row(std::span<float const> p, std::span<float> q) { std::fill(q.begin(), q.end(), p[0]); }
};
inline constexpr xg::row_function<my_op> my{};
constexpr auto z = my(x);
