// SPDX-License-Identifier: MIT
// expect-error: xgrad: this operation has attributes and is used without them
// A composite that would run with zeros for its attributes.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct power_op : xg::composite_op {
    struct attributes {
        std::int64_t degree;
    };
    static constexpr std::string_view name = "power";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&) { return v[0]; }
    static constexpr xg::symbol expand(xg::symbol_table&, xg::symbol const* a, int, xg::attributes const& given) {
        xg::symbol r = a[0];
        for (std::int64_t k = 1; k < given.as<attributes>().degree; ++k) r = r * a[0];
        return r;
    }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::apply<power_op>(x);
#else
constexpr auto z = xg::apply<xg::with<power_op, power_op::attributes{2}>>(x);
#endif
