// SPDX-License-Identifier: MIT
// Sums of many floats, which xgrad takes in blocks that continue in double, next to hand-written loops that add floats in order.
#include "frame.hpp"
#include "hand/data.hpp"

#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstring>
#include <string>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using floats = hand::buffer<float>;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim places{"places"};

floats numbers(std::int64_t n, std::uint64_t seed) {
    floats v(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) v[i] = static_cast<float>(hand::uniform(seed, 0, static_cast<std::uint64_t>(i))) - 0.5f;
    return v;
}

/// The root of the mean squared error of x w and its gradient.
[[gnu::noinline]] float root_by_hand(float const* x, float const* t, float const* w, float* gradient, std::int64_t n) {
    constexpr int k = 100;
    float sum = 0;
    for (int j = 0; j < k; ++j) gradient[j] = 0;
    for (std::int64_t i = 0; i < n; ++i, x += k) {
        float lane[20]{};
        for (int j = 0; j < k; j += 20)
            for (int l = 0; l < 20; ++l) lane[l] += x[j + l] * w[j + l];
        float d = -t[i];
        for (float const l : lane) d += l;
        sum += d * d;
        for (int j = 0; j < k; ++j) gradient[j] += d * x[j];
    }
    float const root = std::sqrt(sum / static_cast<float>(n)), scale = 1 / (root * static_cast<float>(n));
    for (int j = 0; j < k; ++j) gradient[j] *= scale;
    return root;
}
void root_row(bench::suite& suite, std::int64_t n, std::string const& size) {
    std::string const name = "regression " + size + " x 100 in float, root, value and gradient";
    if (!suite.wanted(name)) return;
    constexpr auto x = xg::input<"x", float, batch, 100>;
    constexpr auto t = xg::input<"t", float, batch, 1>;
    constexpr auto w = xg::input<"w", float, 100, 1>;
    constexpr auto loss = xg::sqrt(xg::mean(xg::square(xg::matmul(x, w) - t)));
    floats const a = numbers(n * 100, 1), b = numbers(n, 2), c = numbers(100, 3);
    floats gradient(100);
    float* const g = gradient;
    float const *const pa = a, *const pb = b, *const pc = c;
    xg::function f{xg::outputs(loss, xg::gradient_of(loss, w))};
    auto const ours = [&] { return f(x = xg::array(pa, n, 100), t = xg::array(pb, n, 1), w = xg::array(pc, 100, 1)); };
    auto const theirs = [&] { return root_by_hand(pa, pb, pc, g, n); };
    suite.agree(name, "the value", static_cast<double>(std::get<0>(ours())), static_cast<double>(theirs()), 1e-3);
    suite.row(
        name, [&] { bench::keep(ours()); }, [&] { bench::keep(theirs()); });
}

[[gnu::noinline]] void scatter_by_hand(float const* g, std::int32_t const* ids, float* out, std::int64_t n, std::int64_t rows) {
    std::memset(out, 0, static_cast<std::size_t>(rows) * sizeof(float));
    for (std::int64_t i = 0; i < n; ++i) out[ids[i]] += g[i];
}
void scatter_row(bench::suite& suite, std::int64_t n, std::int64_t rows, std::string const& what) {
    std::string const name = "dense sums of " + what + " rows of one number";
    if (!suite.wanted(name)) return;
    constexpr auto g = xg::input<"g", float, batch, 1>;
    constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
    constexpr auto table = xg::input<"table", float, places, 1>;
    constexpr auto loss = xg::sum(xg::gather(table * 2_c, ids) * g);
    floats const values = numbers(n, 1), all = numbers(rows, 2);
    hand::buffer<std::int32_t> which(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i)
        which[i] = static_cast<std::int32_t>(hand::uniform(3, 0, static_cast<std::uint64_t>(i)) * static_cast<double>(rows));
    floats result(static_cast<std::size_t>(rows));
    float* const out = result;
    float const *const pv = values, *const pt = all;
    std::int32_t const* const pi = which;
    xg::function f{xg::gradient_of(loss, table)};
    suite.row(
        name, [&] { bench::keep(f(g = xg::array(pv, n, 1), ids = xg::array(pi, n), table = xg::array(pt, rows, 1))); },
        [&] {
            scatter_by_hand(pv, pi, out, n, rows);
            bench::keep(out[0]);
        });
}

template<int Columns>
[[gnu::noinline]] void columns_by_hand(float const* x, float* out, std::int64_t n) {
    for (int c = 0; c < Columns; c += 64) {
        float sum[64]{};
        for (std::int64_t i = 0; i < n; ++i)
            for (int j = 0; j < 64; ++j) sum[j] += x[i * Columns + c + j];
        std::memcpy(out + c, sum, sizeof(sum));
    }
}
template<int Columns>
void column_row(bench::suite& suite, std::int64_t n) {
    std::string const name = "sums of the columns of " + std::to_string(n) + " x " + std::to_string(Columns);
    if (!suite.wanted(name)) return;
    constexpr auto x = xg::input<"x", float, batch, Columns>;
    floats const a = numbers(n * Columns, 1);
    floats result(Columns);
    float* const out = result;
    float const* const pa = a;
    xg::function f{xg::sum<0>(x)};
    suite.row(
        name, [&] { bench::keep(f(x = xg::array(pa, n, Columns))); },
        [&] {
            columns_by_hand<Columns>(pa, out, n);
            bench::keep(out[0]);
        });
}

/// xᵀ y of tall matrices, added in order.
template<int M, int N>
[[gnu::noinline]] void deep_by_hand(float const* x, float const* y, float* out, std::int64_t k) {
    std::memset(out, 0, sizeof(float) * M * N);
    for (std::int64_t i = 0; i < k; ++i)
        for (int r = 0; r < M; ++r)
            for (int c = 0; c < N; ++c) out[r * N + c] += x[i * M + r] * y[i * N + c];
}
template<int M, int N>
void deep_row(bench::suite& suite, std::int64_t k) {
    std::string const name =
        "[" + std::to_string(M) + ", " + std::to_string(k) + "] times [" + std::to_string(k) + ", " + std::to_string(N) + "]";
    if (!suite.wanted(name)) return;
    constexpr auto x = xg::input<"x", float, batch, M>;
    constexpr auto y = xg::input<"y", float, batch, N>;
    floats const a = numbers(k * M, 1), b = numbers(k * N, 2);
    floats result(M * N);
    float* const out = result;
    float const *const pa = a, *const pb = b;
    xg::function f{xg::matmul<true, false>(x, y)};
    suite.row(
        name, [&] { bench::keep(f(x = xg::array(pa, k, M), y = xg::array(pb, k, N))); },
        [&] {
            deep_by_hand<M, N>(pa, pb, out, k);
            bench::keep(out[0]);
        });
}
}

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "Long sums of floats");
    root_row(suite, 1000, "1k");
    root_row(suite, 10'000, "10k");
    root_row(suite, 100'000, "100k");
    scatter_row(suite, 1000, 1000, "1000 of 1000");
    scatter_row(suite, 8192, 1000, "8192 of 1000");
    scatter_row(suite, 8192, 100'000, "8192 of 100k");
    scatter_row(suite, 65536, 100'000, "65536 of 100k");
    scatter_row(suite, 8192, 1'000'000, "8192 of 1M");
    column_row<256>(suite, 1000);
    column_row<256>(suite, 16384);
    column_row<64>(suite, 65536);
    deep_row<64, 40>(suite, 20'000);
    deep_row<64, 40>(suite, 100'000);
    deep_row<100, 10>(suite, 40'000);
    return suite.finish();
}
