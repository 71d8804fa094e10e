// SPDX-License-Identifier: MIT
// expect-error: xgrad: an operation's gradient has another element type than its operand, or no matching shape: gradient_of_operation<\.\.\.>
// A derivative with the extents of the operand in another order: as many elements, which is not enough.
#include <xgrad/xgrad.hpp>

#include <vector>

namespace xg = xgrad;

struct turned_op : xg::kernel_op {
    static constexpr std::string_view name = "turned";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) {
        return {v[0].type, {2, {v[0].dims.extents[1], v[0].dims.extents[0]}}, xg::fault::none};
    }
    static void run(xg::kernel_part const& part, xg::tensor_view<float const, 2> x, xg::tensor_view<float, 2> y) {
        for (std::int64_t i = part.first; i < part.last; ++i)
            for (std::int64_t j = 0; j < 3; ++j) y(i, j) = x(j, i);
    }
    static constexpr void derive(xg::derivation& d) {
#ifdef XGRAD_EXPECT_ERROR
        d.out[0] = d.gradient;
#else
        d.out[0] = xg::transpose(d.gradient);
#endif
    }
};
inline constexpr xg::kernel_function<turned_op> turned{};

constexpr auto x = xg::input<"x", float, 3, 2>;
float run(std::vector<float> const& a) { return xg::function{xg::sum(xg::gradient_of(xg::sum(turned(x)), x))}(x = xg::array(a.data(), 3, 2)); }
