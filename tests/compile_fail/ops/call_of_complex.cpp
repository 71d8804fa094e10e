// SPDX-License-Identifier: MIT
// expect-error: xgrad: a body takes or gives complex numbers, which it cannot hold; pass real\(z\) and imag\(z\)
// A complex argument.
#include <xgrad/ops/complex/complex.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto z = xg::view_as_complex(xg::input<"z", float, 3, 2>);

#ifdef XGRAD_EXPECT_ERROR
struct squared : xg::region {
    static constexpr auto value(auto h) { return h * h; }
};
constexpr auto y = xg::call<squared>(z);
#else
struct squared : xg::region {
    static constexpr auto value(auto re, auto im) { return xg::view_as_real(xg::square(xg::complex(re, im))); }
};
constexpr auto y = xg::call<squared>(xg::real(z), xg::imag(z));
#endif
