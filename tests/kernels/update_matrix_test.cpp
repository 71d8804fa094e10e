// SPDX-License-Identifier: MIT
// The products of a rule that moves matrices: those that are symmetric are the whole ones.
#include <xgrad/kernels/updates/update_matrix.hpp>

#include <doctest/doctest.h>

#include <support/tested_types.hpp>

#include <cstddef>
#include <vector>

using namespace xgrad;

namespace {
/// Small whole numbers, so that products are exact.
template<class T>
std::vector<T> numbers(std::int64_t n, int seed) {
    std::vector<T> v(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < v.size(); ++i)
        v[i] = static_cast<T>(static_cast<int>((i * 7 + static_cast<std::size_t>(seed) * 5 + i * i) % 11) - 5);
    return v;
}
template<class T>
struct workplace {
    std::vector<T> scratch;
    kernels::matrix_work<T> work;
    workplace(std::int64_t n, std::int64_t k)
        : scratch(static_cast<std::size_t>(kernels::matmul_scratch<T>(n, n, k))), work{n, n, nullptr, nullptr, nullptr, scratch.data()} {}
};

template<class T, bool TransA, bool TransB>
void check(std::int64_t n, std::int64_t k, std::vector<T> const& a, std::vector<T> const& b) {
    workplace<T> const place(n, k);
    auto const size = static_cast<std::size_t>(n * n);
    std::vector<T> whole(size), half(size, T(99));
    place.work.template multiply<TransA, TransB>(whole.data(), a.data(), b.data(), n, n, k);
    place.work.template multiply_symmetric<TransA, TransB>(half.data(), a.data(), b.data(), n, k);
    INFO(n << " rows, sums of " << k);
    CHECK(half == whole);
    // in place of what is added
    std::vector<T> sum = half, expected(size);
    place.work.template multiply_and_add_symmetric<TransA, TransB>(sum.data(), T(2), a.data(), b.data(), T(3), sum.data(), n, k);
    for (std::size_t i = 0; i < size; ++i) expected[i] = T(5) * whole[i];
    CHECK(sum == expected);
}
}   // namespace

TEST_CASE_TEMPLATE("symmetric products", T, XGRAD_TESTED_TYPES) {
    for (std::int64_t n : {1, 2, 7, 8, 9, 16, 17, 31, 32, 33, 40, 70}) {
        for (std::int64_t k : {1, 5, 20}) {
            auto const x = numbers<T>(n * k, static_cast<int>(n));
            check<T, false, true>(n, k, x, x);
            check<T, true, false>(n, k, x, x);
        }
        auto const x = numbers<T>(n, 3);
        std::vector<T> symmetric(static_cast<std::size_t>(n * n));
        for (std::size_t i = 0; i < symmetric.size(); ++i)
            symmetric[i] = x[i / static_cast<std::size_t>(n)] + x[i % static_cast<std::size_t>(n)];
        check<T, false, false>(n, n, symmetric, symmetric);
    }
}
