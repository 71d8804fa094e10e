// SPDX-License-Identifier: MIT
// expect-error: xgrad: f\.into\(array\): the array has no name, so the results would end with it
// A vector that is not read.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch>;
constexpr auto both = xg::outputs(xg::exp(x), xg::sum(x), xg::sqrt(x));

#ifdef XGRAD_EXPECT_ERROR
float run(std::vector<float> const& a, std::vector<float>& e) { return xg::function{both}.into(e, std::vector<float>(9))(x = a); }
#else
float run(std::vector<float> const& a, std::vector<float>& e, std::vector<float>& r) { return xg::function{both}.into(e, r)(x = a); }
#endif
