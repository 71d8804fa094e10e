// SPDX-License-Identifier: MIT
// expect-error: xgrad: the bound Eigen::Ref has no name, and may hold a copy that no binding can keep
// A Ref of constant elements.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

// The interface of Eigen, as far as binding looks at it: Map is made of a pointer, Ref is not.
struct VectorXf {
    enum { IsVectorAtCompileTime = 1, InnerStrideAtCompileTime = 1 };
    using PlainObject = VectorXf;
    float const* data() const;
    long size() const;
};
struct Map : VectorXf {
    explicit Map(float const*, long = 0, long = 0);
};
struct Ref : VectorXf {
    explicit Ref(VectorXf const&);
};
constexpr auto x = xg::input<"x", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
float run(VectorXf const& a) { return xg::function{xg::sum(x)}(x = Ref(a)); }
#else
float run(VectorXf const& a) {
    Ref const all(a);
    return xg::function{xg::sum(x)}(x = all) + xg::function{xg::sum(x)}(x = Map(a.data()));
}
#endif
