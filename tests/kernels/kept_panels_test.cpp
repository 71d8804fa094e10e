// SPDX-License-Identifier: MIT
// Products with one right factor whose panels are copied once: the bits of products that copy nothing, from the copies alone.
#include <xgrad/kernels/products/matmul.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

using namespace xgrad;
using kernels::matmul;

namespace {

/// Runs three products with one B. Returns how many of them read copies, -1 where bits differ or memory after the scratch was written.
template<class T, bool TransA, bool TransB, std::int64_t N = -1, std::int64_t K = -1, std::int64_t M = -1>
int copies_read(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t gap) {
    std::mt19937 engine(static_cast<unsigned>(m * 10007 + n * 101 + k));
    std::uniform_int_distribution<int> dist(-50, 50);
    std::int64_t const lda = (TransA ? m : k) + gap, ldb = (TransB ? k : n) + gap;
    std::vector<T> b(static_cast<std::size_t>((TransB ? n : k) * ldb));
    for (T& x : b) x = static_cast<T>(dist(engine)) / 7;
    bool const keeps = kernels::keeps_panels<T>(m, n, k), copies = keeps && (TransB || !kernels::detail::is_near<T>(ldb, k));
    auto const size = static_cast<std::size_t>(keeps ? kernels::kept_panels_scratch<T>(m, n, k) : kernels::matmul_scratch<T>(m, n, k));
    std::vector<T> scratch(size + 1), alone(static_cast<std::size_t>(kernels::matmul_scratch<T>(m, n, k)));
    scratch.back() = 77;
    int read = 0;
    std::vector<T> const original = b;
    for (panel_use how : {panel_use::make, panel_use::reuse, panel_use::reuse}) {
        std::vector<T> a(static_cast<std::size_t>((TransA ? k : m) * lda)), c(static_cast<std::size_t>(m * n)), want = c;
        for (T& x : a) x = static_cast<T>(dist(engine)) / 3;
        if (how == panel_use::reuse && copies) {   // B is not read again
            for (T& x : b) x = std::is_floating_point_v<T> ? std::numeric_limits<T>::quiet_NaN() : static_cast<T>(99);
            ++read;
        }
        matmul<T, TransA, TransB, N, K, M>(
            a.data(), lda, b.data(), ldb, m, n, k, kernels::store_epilogue<T>{c.data(), n}, scratch.data(), how);
        matmul<T, TransA, TransB, N, K, M>(
            a.data(), lda, original.data(), ldb, m, n, k, kernels::store_epilogue<T>{want.data(), n}, alone.data());
        if (c != want || scratch.back() != 77) return -1;
    }
    return read;
}
template<class T, bool TransA, bool TransB>
int copies_read() {
    std::int64_t const w = static_cast<std::int64_t>(simd::width<T>);
    int read = 0;
    for (std::int64_t m : {0, 1, 2, 3, 7, 8, 9, 16, 37})
        for (std::int64_t n : {std::int64_t{1}, std::int64_t{2}, w, w + 1, 2 * w, 2 * w + 1, 3 * w, 4 * w, 7 * w + 2})
            for (std::int64_t k : {0, 1, 5, 64, 65, 130})
                for (std::int64_t gap : {0, 3, 1024}) {
                    int const one = copies_read<T, TransA, TransB>(m, n, k, gap);
                    if (one < 0) return -1;
                    read += one;
                }
    return read;
}
}

TEST_CASE("copies of panels give the bits of products that read the matrix itself") {
    CHECK(copies_read<float, false, false>() > 0);
    CHECK(copies_read<float, true, false>() > 0);
    CHECK(copies_read<float, false, true>() > 0);
    CHECK(copies_read<double, false, false>() > 0);
    CHECK(copies_read<double, false, true>() > 0);
    CHECK(copies_read<std::int32_t, false, true>() > 0);
}

TEST_CASE("static extents read the copies too, and sums in blocks do") {
    CHECK(copies_read<float, false, true, 40, 70, 16>(16, 40, 70, 0) == 2);
    CHECK(copies_read<float, false, true, 40, -1, 5>(5, 40, 300, 0) == 2);
    CHECK(copies_read<float, false, false, 256, 1024, -1>(16, 256, 1024, 0) == 2);
    CHECK(copies_read<float, false, true, 256, 1024, -1>(16, 256, 1024, 0) == 2);
    CHECK(copies_read<float, true, false, 33, -1, 20>(20, 33, 20000, 0) == 2);
    CHECK(copies_read<double, false, true, 9, 12, 40>(40, 9, 12, 2) == 2);
}

TEST_CASE("one or two rows, columns, and panels that are too long for a copy are read as without copies") {
    CHECK(copies_read<float, false, true, -1, -1, 1>(1, 40, 70, 0) == 0);
    CHECK(copies_read<float, false, false, -1, -1, 2>(2, 200, 70, 0) == 0);
    CHECK(copies_read<float, false, true>(2, 200, 70, 0) == 0);
    CHECK(copies_read<float, false, false, 1>(20, 1, 70, 0) == 0);
    CHECK(copies_read<float, false, true>(9, 5, kernels::detail::longest_panel + 1, 0) == 0);
}
