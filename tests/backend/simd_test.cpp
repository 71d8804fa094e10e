// SPDX-License-Identifier: MIT
// Batches: arithmetic, comparisons, memory access up to the last byte of a page, reductions, conversions.
#include <xgrad/backend/simd.hpp>
#include <xgrad/core/math.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#if defined(__unix__) || defined(__APPLE__)
#    include <sys/mman.h>
#    include <unistd.h>
#    define XGRAD_TEST_PAGES 1
#endif

using namespace xgrad;

namespace {

template<class T>
std::vector<T> some_values() {
    std::vector<T> v;
    for (std::size_t i = 0; i < simd::width<T>; ++i) v.push_back(static_cast<T>(static_cast<int>(i * 7 % 11) - 5));
    return v;
}

#if defined(XGRAD_TEST_PAGES)
/// Two pages of which the second cannot be touched; end() is the first forbidden byte, begin() follows a forbidden page as well.
class fenced_page {
public:
    fenced_page() : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
        base_ = static_cast<char*>(mmap(nullptr, 3 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        mprotect(base_, page_, PROT_NONE);
        mprotect(base_ + 2 * page_, page_, PROT_NONE);
    }
    ~fenced_page() { munmap(base_, 3 * page_); }
    fenced_page(fenced_page const&) = delete;
    fenced_page& operator=(fenced_page const&) = delete;
    char* begin() const { return base_ + page_; }
    char* end() const { return base_ + 2 * page_; }

private:
    std::size_t page_;
    char* base_;
};
#endif

}   // namespace

TEST_CASE_TEMPLATE("arithmetic and comparisons", T, float, double, std::int32_t, std::int64_t) {
    using V = simd::batch<T>;
    static_assert(V::size == simd::width<T> && V::size * sizeof(T) == simd::register_bytes);
    auto const x = some_values<T>();
    V const a = simd::load(x.data()), b(T(2));
    V c = a;
    c += b;
    c *= b;
    c -= V(1);
    int wrong = 0;   // one CHECK for all: each costs the compiler more than what it checks
    for (std::size_t i = 0; i < V::size; ++i) {
        wrong += !((a + b)[i] == x[i] + 2);
        wrong += !((a - b)[i] == x[i] - 2);
        wrong += !((a * b)[i] == x[i] * 2);
        wrong += !((a / b)[i] == x[i] / 2);
        wrong += !((-a)[i] == -x[i]);
        wrong += !(c[i] == (x[i] + 2) * 2 - 1);
        wrong += !((a < b)[i] == (x[i] < 2));
        wrong += !((a >= b)[i] == (x[i] >= 2));
        wrong += !((a == b)[i] == (x[i] == 2));
        wrong += !(((a < b) | (a == b))[i] == (x[i] <= 2));
        wrong += !((!(a < b))[i] == !(x[i] < 2));
        wrong += !(math::greater(a, b)[i] == T(x[i] > 2));
        wrong += !(math::where(math::less(a, b), a, b)[i] == (x[i] < 2 ? x[i] : T(2)));
        wrong += !(math::max(a, b)[i] == (x[i] > 2 ? x[i] : T(2)));
        wrong += !(math::min(a, b)[i] == (x[i] < 2 ? x[i] : T(2)));
        wrong += !(math::abs(a)[i] == (x[i] < 0 ? -x[i] : x[i]));
        wrong += !(math::fma(a, b, a)[i] == x[i] * 3);
        wrong += !(math::sign(a)[i] == T((x[i] > 0) - (x[i] < 0)));
        wrong += !(simd::iota<V>()[i] == static_cast<T>(i));
        wrong += !(simd::broadcast<V>(T(7))[i] == T(7));
    }
    CHECK(wrong == 0);
}

TEST_CASE("integers keep all their bits") {
    simd::batch<std::int32_t> const a(2147483647), b(7);
    CHECK((a / b)[0] == 306783378);
    CHECK((a % b)[0] == 1);
    simd::batch<std::int64_t> const c(std::int64_t(3037000499)), d(std::int64_t(3037000499));
    CHECK((c * d)[0] == 9223372030926249001);
}

TEST_CASE_TEMPLATE("the sign of zero, NaN and inf survive", T, float, double) {
    using V = simd::batch<T>;
    T const inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
    CHECK(std::signbit(V(T(-0.0))[0]));
    CHECK(std::signbit((-V(T(0)))[0]));
    CHECK(std::isnan(math::max(V(0), V(nan))[0]));
    CHECK(math::max(V(nan), V(0))[0] == 0);
    CHECK(std::isnan(math::min(V(0), V(nan))[0]));
    CHECK(math::where(V(1), V(2), V(nan))[0] == 2);
    CHECK(math::where(V(0), V(inf), V(3))[0] == 3);
    CHECK(math::where(V(nan), V(1), V(2))[0] == 1);
    CHECK(math::equal(V(nan), V(nan))[0] == 0);
    CHECK(math::not_equal(V(nan), V(nan))[0] == 1);
    CHECK(std::isnan(math::sign(V(nan))[0]));
    CHECK(math::abs(V(-inf))[0] == inf);
    CHECK(math::copysign(V(3), V(T(-0.0)))[0] == -3);
}

TEST_CASE_TEMPLATE("reductions", T, float, double, std::int32_t, std::int64_t) {
    auto const x = some_values<T>();
    T sum = 0, top = x[0], low = x[0];
    for (T v : x) {
        sum += v;
        top = v > top ? v : top;
        low = v < low ? v : low;
    }
    CHECK(simd::sum(simd::load(x.data())) == sum);
    CHECK(simd::max(simd::load(x.data())) == top);
    CHECK(simd::min(simd::load(x.data())) == low);
}

TEST_CASE_TEMPLATE(
    "sums of as many batches as there are lanes are sum() of each, to the bit", T, float, double, std::int32_t, std::int64_t) {
    constexpr std::size_t n = simd::width<T>;
    simd::batch<T> rows[n];
    for (std::size_t r = 0; r < n; ++r) {
        T lanes[n];
        for (std::size_t i = 0; i < n; ++i) lanes[i] = static_cast<T>(static_cast<double>((r * 37 + i * 101) % 89) * 1.3 - 40.7);
        rows[r] = simd::load(lanes);
    }
    simd::batch<T> const all = simd::sums(rows);
    for (std::size_t r = 0; r < n; ++r) CHECK(all[r] == simd::sum(rows[r]));
}

TEST_CASE("fused multiply-add rounds once where the machine has it") {
#if defined(__FMA__)
    double const tiny = 0x1p-30;
    CHECK(fma(simd::batch<double>(1 + tiny), simd::batch<double>(1 - tiny), simd::batch<double>(-1.0))[0] == -0x1p-60);
    CHECK(fma(simd::batch<float>(1 + 0x1p-13f), simd::batch<float>(1 - 0x1p-13f), simd::batch<float>(-1.0f))[0] == -0x1p-26f);
#endif
}

TEST_CASE_TEMPLATE("partial access", T, float, double, std::int32_t, std::int64_t) {
    auto const x = some_values<T>();
    for (std::size_t n = 0; n <= simd::width<T>; ++n) {
        auto const v = simd::load_partial(x.data(), n, T(9));
        std::vector<T> out(simd::width<T>, T(3));
        simd::store_partial(out.data(), simd::load(x.data()), n);
        for (std::size_t i = 0; i < simd::width<T>; ++i) {
            CHECK(v[i] == (i < n ? x[i] : T(9)));
            CHECK(out[i] == (i < n ? x[i] : T(3)));
        }
    }
}

#if defined(XGRAD_TEST_PAGES)
TEST_CASE_TEMPLATE("partial access does not touch what lies behind", T, float, double, std::int32_t, std::int64_t) {
    fenced_page page;
    for (std::size_t n = 0; n <= simd::width<T>; ++n) {
        T* const p = reinterpret_cast<T*>(page.end()) - n;
        for (std::size_t i = 0; i < n; ++i) p[i] = static_cast<T>(i + 1);
        auto const v = simd::load_partial(p, n);
        for (std::size_t i = 0; i < simd::width<T>; ++i) CHECK(v[i] == (i < n ? static_cast<T>(i + 1) : T(0)));
        simd::store_partial(p, v + v, n);
        for (std::size_t i = 0; i < n; ++i) CHECK(p[i] == static_cast<T>(2 * (i + 1)));
        bool truth[64] = {};
        simd::store_partial_as(truth, v, n);
        CHECK(simd::load_partial_as<T>(truth, n)[0] == T(n > 0));
    }
}
#endif

TEST_CASE_TEMPLATE("conversions", T, float, double, std::int32_t, std::int64_t) {
    using V = simd::batch<T>;
    bool b[64];
    std::int32_t i32[64];
    std::int64_t i64[64];
    float f32[64];
    double f64[64];
    for (int i = 0; i < 64; ++i) {
        b[i] = i % 3 == 0;
        i32[i] = i - 20;
        i64[i] = 20 - i;
        f32[i] = static_cast<float>(i) * 1.75f - 30.0f;
        f64[i] = static_cast<double>(i) * -1.75 + 30.0;
    }
    bool bb[64];
    std::int32_t bi32[64];
    std::int64_t bi64[64];
    float bf32[64];
    double bf64[64];
    V const x = simd::load_as<T>(f32);
    simd::store_as(bb, simd::load_as<T>(i32));
    simd::store_as(bi32, x);
    simd::store_as(bi64, x);
    simd::store_as(bf32, x);
    simd::store_as(bf64, x);
    int wrong = 0;   // one CHECK for all: each costs the compiler more than what it checks
    for (std::size_t i = 0; i < V::size; ++i) {
        wrong += !(simd::load_as<T>(b)[i] == T(b[i]));
        wrong += !(simd::load_as<T>(i32)[i] == static_cast<T>(i32[i]));
        wrong += !(simd::load_as<T>(i64)[i] == static_cast<T>(i64[i]));
        wrong += !(simd::load_as<T>(f32)[i] == static_cast<T>(f32[i]));
        wrong += !(simd::load_as<T>(f64)[i] == static_cast<T>(f64[i]));
        wrong += !(bb[i] == (i32[i] != 0));
        wrong += !(bi32[i] == static_cast<std::int32_t>(x[i]));
        wrong += !(bi64[i] == static_cast<std::int64_t>(x[i]));
        wrong += !(bf32[i] == static_cast<float>(x[i]));
        wrong += !(bf64[i] == static_cast<double>(x[i]));
    }
    CHECK(wrong == 0);
    std::int8_t i8[64];
    std::int16_t i16[64];
    std::uint8_t u8[64];
    std::uint16_t u16[64];
    std::uint32_t u32[64];
    std::uint64_t u64[64];
    for (std::size_t i = 0; i < 64; ++i) {
        u64[i] = (i * 0x9e3779b97f4a7c15u) ^ (i % 3 == 0 ? 0 : ~std::uint64_t{0});
        u32[i] = static_cast<std::uint32_t>(u64[i] >> 20);
        u16[i] = static_cast<std::uint16_t>(u64[i] >> 40);
        u8[i] = static_cast<std::uint8_t>(u64[i] >> 50);
        i16[i] = static_cast<std::int16_t>(u16[i]);
        i8[i] = static_cast<std::int8_t>(u8[i]);
    }
    for (std::size_t first = 0; first < 32; ++first)   // also what is not aligned
        for (std::size_t i = 0; i < V::size && first + i < 64; ++i) {
            if (first + V::size > 64) break;
            wrong += !(simd::load_as<T>(i8 + first)[i] == static_cast<T>(i8[first + i]));
            wrong += !(simd::load_as<T>(i16 + first)[i] == static_cast<T>(i16[first + i]));
            wrong += !(simd::load_as<T>(u8 + first)[i] == static_cast<T>(u8[first + i]));
            wrong += !(simd::load_as<T>(u16 + first)[i] == static_cast<T>(u16[first + i]));
            wrong += !(simd::load_as<T>(u32 + first)[i] == static_cast<T>(u32[first + i]));
            wrong += !(simd::load_as<T>(u64 + first)[i] == static_cast<T>(u64[first + i]));
        }
    CHECK(wrong == 0);
    CHECK(simd::load_partial_as<T>(u8 + 5, 1, T(7))[0] == static_cast<T>(u8[5]));
    auto const part = simd::load_partial_as<T>(i32, 1, T(5));
    CHECK(part[0] == static_cast<T>(-20));
    CHECK(part[V::size - 1] == T(5));
}

TEST_CASE("prefetch takes any address") {
    simd::prefetch(nullptr);
    simd::prefetch_write(reinterpret_cast<void const*>(16));
}
