// SPDX-License-Identifier: MIT
// Eigen's vectors, matrices, maps and tensors as inputs, results and memory for results.
#include <support/message_of.hpp>

#include <xgrad/eigen.hpp>
#include <xgrad/eigen_tensor.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto v = xg::input<"v", float, batch>;
constexpr auto t = xg::input<"t", double, batch, 3, 2>;
using matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using tensor = Eigen::Tensor<double, 3, Eigen::RowMajor>;

matrix rows(Eigen::Index n, Eigen::Index m) {
    matrix a(n, m);
    for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index j = 0; j < m; ++j) a(i, j) = static_cast<float>(10 * i + j);
    return a;
}
}

TEST_CASE("matrices that lie row by row") {
    matrix const a = rows(3, 4);
    xg::function f{x * 2_c};
    CHECK(xg::as_eigen(f(x = a)) == 2.0f * a);
    matrix const copy = xg::to_eigen(f(x = a));
    CHECK(copy == 2.0f * a);
    Eigen::MatrixXf const columns = a.transpose();   // column by column: its transpose is stored row by row
    CHECK(xg::as_eigen(f(x = columns.transpose())) == 2.0f * a);
    std::vector<float> const memory(a.data(), a.data() + a.size());
    CHECK(xg::as_eigen(f(x = Eigen::Map<matrix const>(memory.data(), 3, 4))) == 2.0f * a);
    CHECK(xg::as_eigen(f(x = a.topRows(2))) == 2.0f * a.topRows(2));
    CHECK(xg::as_eigen(f(x = Eigen::Matrix<float, 2, 4, Eigen::RowMajor>(a.topRows(2)))) == 2.0f * a.topRows(2));
    // one row of a block has no gap
    matrix const wide = rows(3, 9);
    CHECK(xg::as_eigen(f(x = wide.block(1, 2, 1, 4))) == 2.0f * wide.block(1, 2, 1, 4));
    CHECK(test::message_of<xg::binding_error>([&] { f(x = wide.leftCols(4)); }) ==
          "xgrad: input \"x\": the array is not contiguous and row-major; copy it to a row-major container first (xt::eval, or an explicit "
          "copy)");
    CHECK(test::message_of<xg::shape_error>([&] { f(x = wide); }) == "xgrad: input \"x\": axis 1 must have extent 4, the array has 9");
    Eigen::Map<matrix const, 0, Eigen::OuterStride<>> const strided(wide.data(), 3, 4, Eigen::OuterStride<>(9));
    CHECK(test::message_of<xg::binding_error>([&] { f(x = strided); }).find("is not contiguous") != std::string::npos);
}

TEST_CASE("an Eigen::Ref with a name, which may own a copy") {
    Eigen::MatrixXf const columns = rows(300, 4);
    Eigen::Ref<matrix const> const turned(columns);
    auto const kept = x = turned;
    CHECK(xg::function{xg::sum(x)}(kept) == columns.sum());
    matrix a = rows(3, 4);
    CHECK(xg::as_eigen(xg::function{x * 2_c}(x = Eigen::Ref<matrix>(a))) == 2.0f * a);
}

TEST_CASE("vectors") {
    Eigen::VectorXf const a = rows(1, 5).row(0);
    xg::function f{v + 1_c};
    CHECK(xg::as_eigen(f(v = a)) == (a.array() + 1).matrix());
    CHECK(xg::to_eigen(f(v = a.head(3))) == (a.head(3).array() + 1).matrix());
    Eigen::RowVectorXf const lying = a;
    CHECK(xg::as_eigen(f(v = lying)) == (a.array() + 1).matrix());
}

TEST_CASE("tensors") {
    tensor a(2, 3, 2);
    for (int i = 0; i < 12; ++i) a.data()[i] = i;
    xg::function f{t + 1_c};
    auto const result = xg::as_eigen_tensor(f(t = a));
    CHECK(result.dimension(1) == 3);
    CHECK(result(1, 2, 0) == a(1, 2, 0) + 1);
    tensor const copy = xg::to_eigen_tensor(f(t = a));
    CHECK(copy(1, 1, 1) == a(1, 1, 1) + 1);
    CHECK(xg::as_eigen_tensor(f(t = Eigen::TensorMap<tensor const>(a.data(), 1, 3, 2)))(0, 2, 1) == 6);
}

TEST_CASE("results in memory of Eigen") {
    matrix const a = rows(3, 4);
    matrix out(3, 4), wide(3, 9);
    xg::function f{x * 2_c};
    f.into(out)(x = a);
    CHECK(out == 2.0f * a);
    out.setZero();
    f.into(Eigen::Map<matrix>(out.data(), 3, 4))(x = a);
    CHECK(out == 2.0f * a);
    Eigen::MatrixXf columns(4, 3);
    auto turned = columns.transpose();
    f.into(turned)(x = a);
    CHECK(columns == 2.0f * a.transpose());
    auto part = wide.leftCols(4);
    CHECK(test::message_of<xg::binding_error>([&] { f.into(part)(x = a); }) ==
          "xgrad: into(...): array 1 is not contiguous and row-major; results are written row by row, without gaps");
    tensor values(2, 3, 2), there(2, 3, 2);
    values.setConstant(3);
    xg::function{t + 1_c}.into(there)(t = values);
    CHECK(there(1, 2, 1) == 4);
    xg::function{t + 2_c}.into(xg::as_eigen_tensor(xg::array(there.data(), 2, 3, 2)))(t = values);   // a view needs no name
    CHECK(there(1, 2, 1) == 5);
    Eigen::VectorXf sums(3);
    xg::function{xg::sum<1>(x)}.into(sums)(x = a);
    CHECK(sums == a.rowwise().sum());
}

TEST_CASE("variables as matrices") {
    constexpr auto w = xg::variable<"w", float, 3, 2>;
    auto vars = xg::variables(w);
    xg::as_eigen(vars.value(w)).setConstant(2);
    vars.assign(w, rows(3, 2));
    xg::as_eigen(vars.value(w)) *= 2;
    CHECK(xg::to_eigen(vars.value(w)) == 2.0f * rows(3, 2));
}
