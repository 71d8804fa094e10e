// SPDX-License-Identifier: MIT
// expect-error: xgrad: the type of this array does not show that it is contiguous and row-major
// A row of a matrix that is stored column by column has gaps.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

// The interface of Eigen, as far as binding looks at it.
template<bool Vector, int Inner>
struct eigen_like {
    enum { IsVectorAtCompileTime = Vector, InnerStrideAtCompileTime = Inner };
    float const* data() const;
    long size() const;
};
using VectorXf = eigen_like<true, 1>;
using MatrixXf = eigen_like<false, 1>;   // column by column
using RowOfMatrix = eigen_like<true, -1>;
constexpr auto x = xg::input<"x", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
float run(RowOfMatrix const& a) { return xg::function{xg::sum(x)}(x = a); }
#else
float run(float const* a) { return xg::function{xg::sum(x)}(x = xg::array(a, 4)); }
#endif
