// SPDX-License-Identifier: MIT
// expect-error: xgrad: f\.into\(array\): the array has another element type than the result, and nothing is converted silently
// doubles for a result of floats.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch>;
constexpr auto both = xg::outputs(xg::exp(x), xg::sum(x), xg::sqrt(x));

#ifdef XGRAD_EXPECT_ERROR
float run(std::vector<float> const& a, std::vector<float>& e, std::vector<double>& r) { return xg::function{both}.into(e, r)(x = a); }
#else
float run(std::vector<float> const& a, std::vector<float>& e, std::vector<float>& r) { return xg::function{both}.into(e, r)(x = a); }
#endif
