// SPDX-License-Identifier: MIT
// The program of docs/how_to/your_arrays.md.
// prints: 0[.]95 0[.]95 0[.]95 0[.]95 0[.]95
#include <xgrad/eigen.hpp>
#include <xgrad/xgrad.hpp>

#include <cstdio>
#include <span>
#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 2>;
constexpr auto p = xg::softmax<1>(x);   // [batch, 2]

int main() {
    xg::function f{p};
    std::vector<float> const numbers{0, 1, 0, 2, 0, 3};
    float const* const pointer = numbers.data();
    Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows(3, 2);
    rows << 0, 1, 0, 2, 0, 3;
    Eigen::MatrixXf const columns = rows.transpose();   // Eigen's default: column by column

    // In: nothing is copied.
    f(x = xg::array(numbers, 3, 2));   // a vector, or std::span, with its extents
    f(x = xg::array(pointer, 3, 2));   // a pointer with extents
    f(x = rows);                       // a row-major matrix of Eigen

    // Out: written into your own memory.
    std::vector<float> mine(6);
    f.into(mine)(x = rows);

    // Out: a view of the function's memory, valid until the next call of f.
    auto const view = f(x = columns.transpose());   // in: the transpose of a column-major matrix
    std::vector<float> const copy(view.begin(), view.end());
    auto const map = xg::as_eigen(view);               // an Eigen::Map of the same memory
    Eigen::MatrixXf const kept = xg::to_eigen(view);   // a copy
    std::printf("%.2f %.2f %.2f %.2f %.2f\n", view(2, 1), copy[5], map(2, 1), kept(2, 1), mine[5]);
}
