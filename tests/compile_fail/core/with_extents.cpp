// SPDX-License-Identifier: MIT
// expect-error: xgrad::with<op, \.\.\.>: an extent is neither an integer of at least 0 nor a named dimension
// An extent below 0 for an operation that takes extents alone.
#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

struct filled_op : xg::kernel_op {
    static constexpr std::string_view name = "filled";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const& a, int) {
        return {v[0].type, a.target(), xg::fault::none};
    }
    template<class T>
    static void run(xg::kernel_part const&, xg::tensor_view<T const, 1> x, xg::tensor_view<T, 2> y) {
        for (std::int64_t i = 0; i < y.size(); ++i) y.data()[i] = x.data()[0];
    }
    static constexpr void derive(xg::derivation&) {}
};
constexpr auto x = xg::input<"x", float, 1>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::kernel_function<xg::with<filled_op, -3, 4>>{}(x);
#else
constexpr auto z = xg::kernel_function<xg::with<filled_op, xg::static_extent(3), 4>>{}(x);
static_assert(xg::value_of<decltype(z)>.dims == xg::shape{2, {xg::static_extent(3), xg::static_extent(4)}});
#endif
