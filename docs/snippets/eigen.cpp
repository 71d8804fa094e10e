// SPDX-License-Identifier: MIT
// Matrices of Eigen, as docs/concepts.md shows them.
#include <xgrad/eigen.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

int main() {
    // [eigen]
    using rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    rows const in = rows::Random(64, 4);
    Eigen::MatrixXf const columns = in.transpose();
    xg::function f{xg::softmax<1>(x)};
    rows const a = xg::to_eigen(f(x = in));                       // a copy
    auto const same = xg::as_eigen(f(x = columns.transpose()));   // an Eigen::Map of the function's memory, until its next call
    rows mine(64, 4);
    f.into(mine)(x = in);                                         // written where it is wanted
    // [/eigen]
    return mine == a && (a - same).norm() == 0 ? 0 : 1;
}
