// SPDX-License-Identifier: MIT
// expect-error: xgrad: the type of this array does not show that it is contiguous and row-major
// The same for assign.
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
constexpr auto b = xg::variable<"b", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
void set(xg::variables<decltype(xg::relu(b))>& owner, MatrixXf const& a) { owner.assign(b, a); }
#else
void set(xg::variables<decltype(xg::relu(b))>& owner, MatrixXf const& a) { owner.assign(b, xg::array(a.data(), 4)); }
#endif
