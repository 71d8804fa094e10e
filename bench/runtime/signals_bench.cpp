// SPDX-License-Identifier: MIT
// Convolutions, correlations, cosine transforms, and systems of banded matrices, each next to a hand-written loop.
#include "hand/signals.hpp"
#include "operations.hpp"

#include <xgrad/all.hpp>

namespace {
namespace xg = xgrad;
using bench::operation;
using bench::read;
using floats = hand::buffer<float>;

template<int Rows, int N, int Taps>
void convolutions(bench::suite& suite) {
    constexpr auto x = xg::input<"x", float, Rows, N>;
    constexpr auto v = xg::input<"v", float, Taps>;
    floats const values = bench::numbers(Rows * N, 1), taps = bench::numbers(Taps, 2);
    floats inside(Rows * (N - Taps + 1)), all(Rows * (N + Taps - 1)), turned(Taps), padded(N + 2 * Taps);
    std::string const size = ", " + std::to_string(Rows) + " rows of " + std::to_string(N) + " by " + std::to_string(Taps);
    xg::function f{xg::correlate(x, v)};
    operation(
        suite, "correlate" + size, 1e-5, inside, [&] { return f(x = xg::array(read(values), Rows, N), v = xg::array(read(taps), Taps)); },
        [&] { hand::correlate_rows(values, taps, inside, Rows, N, Taps); });
    xg::function g{xg::convolve(x, v)};
    operation(
        suite, "convolve" + size, 1e-5, all, [&] { return g(x = xg::array(read(values), Rows, N), v = xg::array(read(taps), Taps)); },
        [&] { hand::convolve_rows(values, taps, all, turned, padded, Rows, N, Taps); });
}
template<int N>
void cosines(bench::suite& suite) {
    constexpr int rows = 16;
    constexpr auto x = xg::input<"x", float, rows, N>;
    floats const values = bench::numbers(rows * N, 1);
    floats y(rows * N);
    static hand::cosine<N> hand;
    xg::function f{xg::dct(x)};
    operation(
        suite, "dct, 16 of " + std::to_string(N) + " numbers", 1e-3, y, [&] { return f(x = xg::array(read(values), rows, N)); },
        [&] {
            for (int i = 0; i < rows; ++i) hand.run(read(values) + i * N, y.data() + i * N);
        });
}
template<int N>
void bands(bench::suite& suite) {
    constexpr int count = 64, width = 4;
    constexpr auto d = xg::input<"d", float, count, 3, N>;
    constexpr auto l = xg::input<"l", float, count, width, N>;
    constexpr auto b = xg::input<"b", float, count, N, 1>;
    floats const diagonals = bench::numbers(count * 3 * N, 1), right = bench::numbers(count * N, 2);
    floats lower = bench::numbers(count * width * N, 3), solid = bench::numbers(count * 3 * N, 1);
    for (int p = 0; p < count; ++p)
        for (int i = 0; i < N; ++i) {
            lower[p * width * N + i] = 2;
            solid[(p * 3 + 1) * N + i] = 2;
        }
    floats y(count * N), work(3 * N);
    std::string const size = ", 64 of " + std::to_string(N);
    xg::function f{xg::tridiagonal_solve(d, b)}, g{xg::tridiagonal_matmul(d, b)}, h{xg::banded_triangular_solve(l, b)};
    auto const call = [&](auto& of, floats const& which) {
        return of(d = xg::array(read(which), count, 3, N), b = xg::array(read(right), count, N, 1));
    };
    operation(
        suite, "tridiagonal_solve" + size, 1e-5, y, [&] { return call(f, solid); },
        [&] { hand::tridiagonal_systems(solid, right, y, work, count, N); });
    operation(
        suite, "tridiagonal_solve with pivots" + size, 1, y, [&] { return call(f, diagonals); },
        [&] { hand::tridiagonal_systems(diagonals, right, y, work, count, N); });
    operation(
        suite, "tridiagonal_matmul" + size, 1e-5, y, [&] { return call(g, diagonals); },
        [&] { hand::tridiagonal_products(diagonals, right, y, count, N); });
    operation(
        suite, "banded_triangular_solve, 4 bands" + size, 1e-5, y,
        [&] { return h(l = xg::array(read(lower), count, width, N), b = xg::array(read(right), count, N, 1)); },
        [&] { hand::banded_systems<width>(lower, right, y, count, N); });
}
}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "Signals and banded matrices");
    convolutions<16, 4096, 31>(suite);
    convolutions<64, 1000, 5>(suite);
    cosines<256>(suite);
    cosines<1024>(suite);
    bands<256>(suite);
    return suite.finish();
}
