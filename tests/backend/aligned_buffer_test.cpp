// SPDX-License-Identifier: MIT
// Alignment, padding, moves and failure of owned memory.
#include <xgrad/backend/aligned_buffer.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <limits>

using xgrad::aligned_buffer;

TEST_CASE("memory starts on a cache line, is zero, and can be read a batch beyond its end") {
    for (std::size_t size : {1, 15, 16, 17, 1000}) {
        aligned_buffer<float> buffer(size);
        CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64 == 0);
        CHECK(buffer.size() == size);
        float sum = 0;
        for (std::size_t i = 0; i < size + 16; ++i) sum += buffer.data()[i] == 0.0f ? 0.0f : 1.0f;
        CHECK(sum == 0.0f);
    }
}

TEST_CASE("large memory starts on a huge page, and is given back as it was taken") {
    constexpr std::size_t page = std::size_t{1} << 21;
    for (std::size_t size : {page - 128, page - 127, page, 3 * page + 5}) {
        aligned_buffer<char> buffer(size);
        bool const large = size + 64 > page - 64;   // with its padding, in whole cache lines
        CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % (large ? page : 64) == 0);
        buffer.grow_to(2 * size);
        CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % page == 0);
        std::memset(buffer.data(), 1, buffer.size());
        aligned_buffer<char> other(1);
        other = std::move(buffer);
        CHECK(other[2 * size - 1] == 1);
    }
}

TEST_CASE("moving leaves nothing behind") {
    aligned_buffer<double> a(8);
    a[3] = 5;
    double const* const p = a.data();
    aligned_buffer<double> b(std::move(a));
    CHECK(a.data() == nullptr);
    CHECK(a.empty());
    CHECK(b.data() == p);
    aligned_buffer<double> c(2);
    c = std::move(b);
    CHECK(c[3] == 5);
    CHECK(c.end() - c.begin() == 8);
    static_assert(!std::is_copy_constructible_v<aligned_buffer<double>>);
    static_assert(std::is_nothrow_move_constructible_v<aligned_buffer<double>>);
}

TEST_CASE("an empty buffer owns nothing") {
    aligned_buffer<int> buffer(0);
    CHECK(buffer.data() == nullptr);
    aligned_buffer<int> other(4, aligned_buffer<int>::uninitialized);
    other.swap(buffer);
    CHECK(other.empty());
    CHECK(buffer.size() == 4);
}

#if XGRAD_EXCEPTIONS
TEST_CASE("too much memory is bad_alloc") {
    std::size_t volatile all = std::numeric_limits<std::size_t>::max();   // volatile: compilers warn of what they can see
#    if !XGRAD_SANITIZED                                                  // the sanitizer ends the program where operator new would throw
    CHECK_THROWS_AS(aligned_buffer<double>(all / 32), std::bad_alloc);
#    endif
    CHECK_THROWS_AS(aligned_buffer<double>(all / 8), std::bad_alloc);
    CHECK_THROWS_AS(aligned_buffer<double>(all / 1), std::bad_alloc);
}
#endif
