// SPDX-License-Identifier: MIT
// Products of stacks of small matrices next to hand-written register tiles, and linear algebra next to a hand-written Cholesky
// factorization and, where it is installed, Eigen.
#include "hand/matrices.hpp"
#include "hand/positions.hpp"
#include "operations.hpp"

#include <xgrad/all.hpp>

#include <complex>
#if __has_include(<Eigen/Dense>) && !defined(XGRAD_BENCH_NO_EIGEN)
#    include <Eigen/Dense>
#    define XGRAD_BENCH_EIGEN 1
#else
#    define XGRAD_BENCH_EIGEN 0
#endif

namespace {
namespace xg = xgrad;
using bench::operation;
using bench::read;
using floats = hand::buffer<float>;

std::string square(int n) { return std::to_string(n) + " x " + std::to_string(n); }

template<int N>
void products(bench::suite& suite) {
    constexpr int count = 64, size = count * N * N;
    constexpr auto a = xg::input<"a", float, count, N, N>;
    constexpr auto b = xg::input<"b", float, count, N, N>;
    constexpr auto w = xg::input<"w", float, count, N, N>;
    floats const x = bench::numbers(size, 1), y = bench::numbers(size, 2), z = bench::numbers(size, 3);
    floats c(size), ga(size), gb(size);
    xg::function f{xg::einsum<"bij,bjk->bik">(a, b)};
    operation(
        suite, "einsum bij,bjk->bik, 64 of " + square(N), 1e-4, c,
        [&] { return f(a = xg::array(read(x), count, N, N), b = xg::array(read(y), count, N, N)); },
        [&] { hand::products<N>(x, y, c, count); });
    constexpr auto loss = xg::sum(xg::einsum<"bij,bjk->bik">(a, b) * w);
    xg::function g{xg::outputs(loss, xg::gradient_of(loss, a), xg::gradient_of(loss, b))};
    operation(
        suite, "einsum bij,bjk->bik, 64 of " + square(N) + ": weighted sum and gradients", 1e-4, gb,
        [&] { return g(a = xg::array(read(x), count, N, N), b = xg::array(read(y), count, N, N), w = xg::array(read(z), count, N, N)); },
        [&] {
            hand::products<N>(x, y, c, count);
            bench::keep(hand::dot(c, z, size));
            hand::product_gradients<N>(x, y, z, ga, gb, count);
        },
        [](auto const& r) -> auto const& { return std::get<2>(r); });
}
void scores(bench::suite& suite) {
    constexpr int count = 16, n = 64, depth = 32;
    constexpr auto q = xg::input<"q", float, count, n, depth>;
    constexpr auto k = xg::input<"k", float, count, n, depth>;
    floats const x = bench::numbers(count * n * depth, 1), y = bench::numbers(count * n * depth, 2);
    floats c(count * n * n);
    xg::function f{xg::einsum<"bqd,bkd->bqk">(q, k)};
    operation(
        suite, "einsum bqd,bkd->bqk, 16 of 64 x 32", 1e-4, c,
        [&] { return f(q = xg::array(read(x), count, n, depth), k = xg::array(read(y), count, n, depth)); },
        [&] { hand::products_of_rows<n, n, depth>(x, y, c, count); });
}

/// Symmetric positive definite matrices, as many as have 4096 rows together, at most 64.
template<int N>
constexpr int stack = 4096 / N > 64 ? 64 : 4096 / N;
template<int N>
floats definite() {
    floats a(stack<N> * N * N);
    for (int p = 0; p < stack<N>; ++p)
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < N; ++j)
                a[(p * N + i) * N + j] =
                    float(hand::uniform(7, std::uint64_t(i + j), std::uint64_t(i * j + p)) - 0.5) + (i == j ? float(N) : 0);
    return a;
}
template<int N>
void factors(bench::suite& suite) {
    constexpr int count = stack<N>;
    constexpr auto a = xg::input<"a", float, count, N, N>;
    floats const x = definite<N>();
    floats l(x.size());
    xg::function f{xg::cholesky(a)};
    operation(
        suite, "cholesky, " + std::to_string(count) + " of " + square(N), 1e-4, l, [&] { return f(a = xg::array(read(x), count, N, N)); },
        [&] { hand::cholesky<N>(x, l, count); });
}
#if XGRAD_BENCH_EIGEN
template<int N>
using matrix = Eigen::Matrix<float, N, N, Eigen::RowMajor>;
template<int N>
using held = std::conditional_t<(N > 32), Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>, matrix<N>>;
template<int N>
void linear_algebra(bench::suite& suite) {
    constexpr int count = stack<N>;
    constexpr auto a = xg::input<"a", float, count, N, N>;
    constexpr auto b = xg::input<"b", float, count, N, 1>;
    floats const x = definite<N>(), y = bench::numbers(count * N, 2);
    floats l(x.size()), v(count * N);
    std::string const what = std::to_string(count) + " of " + square(N) + ", Eigen";
    using map = Eigen::Map<held<N> const>;
    using out = Eigen::Map<held<N>>;
    {
        xg::function f{xg::cholesky(a)};
        Eigen::LLT<held<N>> llt(N);
        operation(
            suite, "cholesky, " + what, 1e-4, l, [&] { return f(a = xg::array(read(x), count, N, N)); },
            [&] {
                for (int p = 0; p < count; ++p) {
                    llt.compute(map(x.data() + p * N * N, N, N));
                    out to(l.data() + p * N * N, N, N);
                    to.setZero();
                    to.template triangularView<Eigen::Lower>() = llt.matrixLLT();
                }
            });
    }
    {
        xg::function f{xg::solve(a, b)};
        Eigen::PartialPivLU<held<N>> lu(N);
        using vector = Eigen::Matrix<float, N, 1>;
        operation(
            suite, "solve, " + what, 1e-4, v, [&] { return f(a = xg::array(read(x), count, N, N), b = xg::array(read(y), count, N, 1)); },
            [&] {
                for (int p = 0; p < count; ++p) {
                    lu.compute(map(x.data() + p * N * N, N, N));
                    Eigen::Map<vector>(v.data() + p * N).noalias() = lu.solve(Eigen::Map<vector const>(y.data() + p * N));
                }
            });
    }
    {
        xg::function f{xg::inverse(a)};
        Eigen::PartialPivLU<held<N>> lu(N);
        operation(
            suite, "inverse, " + what, 1e-4, l, [&] { return f(a = xg::array(read(x), count, N, N)); },
            [&] {
                for (int p = 0; p < count; ++p) {
                    lu.compute(map(x.data() + p * N * N, N, N));
                    out(l.data() + p * N * N, N, N).noalias() = lu.inverse();
                }
            });
    }
}
template<int N>
void decompositions(bench::suite& suite) {
    constexpr int count = stack<N>;
    constexpr auto a = xg::input<"a", float, count, N, N>;
    floats const x = definite<N>();
    floats r(x.size()), q(x.size()), values(count * N);
    std::string const what = std::to_string(count) + " of " + square(N) + ", Eigen";
    using map = Eigen::Map<held<N> const>;
    using out = Eigen::Map<held<N>>;
    {
        auto const [eq, er] = xg::qr(a);
        xg::function f{xg::outputs(eq, er)};
        Eigen::HouseholderQR<held<N>> householder(N, N);
        operation(
            suite, "qr, " + what, 1e-4, q, [&] { return f(a = xg::array(read(x), count, N, N)); },
            [&] {
                for (int p = 0; p < count; ++p) {
                    householder.compute(map(x.data() + p * N * N, N, N));
                    out(q.data() + p * N * N, N, N) = householder.householderQ();
                    out to(r.data() + p * N * N, N, N);
                    to.setZero();
                    to.template triangularView<Eigen::Upper>() = householder.matrixQR();
                }
            });
    }
    if constexpr (N <= 32) {
        auto const [ev, em] = xg::eigh(a);
        xg::function f{xg::outputs(ev, em)};
        Eigen::SelfAdjointEigenSolver<held<N>> solver(N);
        operation(
            suite, "eigh, " + what, 1e-3, values, [&] { return f(a = xg::array(read(x), count, N, N)); },
            [&] {
                for (int p = 0; p < count; ++p) {
                    solver.compute(map(x.data() + p * N * N, N, N));
                    Eigen::Map<Eigen::Matrix<float, N, 1>>(values.data() + p * N) = solver.eigenvalues();
                    out(q.data() + p * N * N, N, N) = solver.eigenvectors();
                }
            });
    }
}
#endif
template<int N>
void transforms(bench::suite& suite) {
    constexpr int rows = 16;
    constexpr auto re = xg::input<"re", float, rows, N>;
    constexpr auto im = xg::input<"im", float, rows, N>;
    floats const x = bench::numbers(rows * N, 1), y = bench::numbers(rows * N, 2);
    floats u(rows * N), v(rows * N);
    static hand::fourier<N> hand;
    auto const z = xg::fft(xg::complex(re, im));
    xg::function f{xg::outputs(xg::real(z), xg::imag(z))};
    operation(
        suite, "fft, 16 of " + std::to_string(N) + " complex numbers", 1e-3, u,
        [&] { return f(re = xg::array(read(x), rows, N), im = xg::array(read(y), rows, N)); },
        [&] {
            for (int i = 0; i < rows; ++i) hand.run(read(x) + i * N, read(y) + i * N, u.data() + i * N, v.data() + i * N);
        });
}
}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "Small matrices and transforms");
    scores(suite);
    products<8>(suite);
    products<16>(suite);
    products<32>(suite);
    products<64>(suite);
    factors<8>(suite);
    factors<16>(suite);
    factors<64>(suite);
    factors<256>(suite);
#if XGRAD_BENCH_EIGEN
    linear_algebra<8>(suite);
    linear_algebra<16>(suite);
    linear_algebra<64>(suite);
    linear_algebra<256>(suite);
    decompositions<8>(suite);
    decompositions<32>(suite);
    decompositions<64>(suite);
#endif
    transforms<256>(suite);
    transforms<1024>(suite);
    transforms<4096>(suite);
    return suite.finish();
}
