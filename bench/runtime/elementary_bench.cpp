// SPDX-License-Identifier: MIT
// Elementary functions on batches compared with those of xsimd: nanoseconds for each element, and the largest error in ULP.
//
// The frame's table has the times of 4096 elements; "xgrad" is backend/simd_*.hpp, "hand-written" is the installed xsimd.
// The lines below a row have the largest errors on samples compared with long double, and special values that differ from the C
// library's. Without xsimd there is nothing to compare.
#include "frame.hpp"

#include <xgrad/backend/simd.hpp>
#include <xgrad/backend/simd_elementary.hpp>
#include <xgrad/backend/xsimd_batch.hpp>
#include <xgrad/ops/special/erfc.hpp>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#if XGRAD_USE_XSIMD && !defined(XSIMD_NO_SUPPORTED_ARCHITECTURE)
namespace {
namespace simd = xgrad::simd;
using real = long double;

template<class T>
double ulps(T got, real want) {
    T const rounded = static_cast<T>(want);
    if ((std::isnan(got) && std::isnan(rounded)) || got == rounded) return 0;
    if (!std::isfinite(got) || !std::isfinite(rounded)) return INFINITY;
    int exponent = 0;
    std::frexp(rounded, &exponent);
    T const unit = std::max(std::ldexp(T(1), exponent - std::numeric_limits<T>::digits), std::numeric_limits<T>::denorm_min());
    return static_cast<double>(std::fabs(static_cast<real>(got) - want) / static_cast<real>(unit));
}

/// Numbers of all exponents and signs: random bits that are finite.
template<class T>
std::vector<T> all_sizes(std::size_t n, std::uint64_t seed) {
    using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    std::mt19937_64 engine(seed);
    std::vector<T> r;
    while (r.size() < n)
        if (T const x = std::bit_cast<T>(static_cast<bits>(engine())); std::isfinite(x)) r.push_back(x);
    return r;
}
template<class T>
std::vector<T> between(double low, double high, std::size_t n, std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> dist(low, high);
    std::vector<T> r(n);
    for (T& x : r) x = static_cast<T>(dist(engine));
    return r;
}

/// A function of both sides, the numbers of which it is timed, and of which errors are taken besides numbers of all sizes.
template<class Ours, class Theirs, class Exact>
struct function {
    char const* name;
    Ours ours;
    Theirs theirs;
    Exact exact;
    double low, high;
};
template<class Ours, class Theirs, class Exact>
function(char const*, Ours, Theirs, Exact, double, double) -> function<Ours, Theirs, Exact>;   // clang 16 deduces no aggregates

/// The frame flushes denormals to zero, which would count as errors.
struct with_denormals {
    std::fenv_t before{};
    with_denormals() {
        std::fegetenv(&before);
        std::fesetenv(FE_DFL_ENV);
    }
    ~with_denormals() { std::fesetenv(&before); }
    with_denormals(with_denormals const&) = delete;
    with_denormals& operator=(with_denormals const&) = delete;
};

template<class T, class F, class G>
void errors(F const& f, G const& apply, std::vector<T> const& x, std::vector<T> const& y, double& worst, double& at) {
    constexpr std::size_t W = simd::width<T>;
    T r[W];
    for (std::size_t i = 0; i + W <= x.size(); i += W) {
        simd::store(r, apply(simd::load(&x[i]), simd::load(&y[i])));
        for (std::size_t k = 0; k < W; ++k)
            if (double const u = ulps(r[k], f.exact(static_cast<real>(x[i + k]), static_cast<real>(y[i + k]))); u > worst) {
                worst = u;
                at = static_cast<double>(x[i + k]);
            }
    }
}

template<class T, class F>
void compare(bench::suite& suite, F const& f) {
    constexpr std::size_t W = simd::width<T>, n = 4096, samples = 1 << 19;
    std::string const name = std::string(f.name) + (sizeof(T) == 4 ? " float" : " double");
    if (!suite.wanted(name)) return;
    auto const ours = [&](auto a, auto b) { return f.ours(a, b); };
    auto const theirs = [&](auto a, auto b) { return simd::from_xsimd(f.theirs(simd::to_xsimd(a), simd::to_xsimd(b))); };
    auto const x = between<T>(f.low, f.high, n, 1), y = between<T>(-3, 3, n, 2);
    std::vector<T> out(n);
    auto const loop = [&](auto const& g) {
        return [&] {
            for (std::size_t i = 0; i < n; i += W) simd::store(&out[i], g(simd::load(&x[i]), simd::load(&y[i])));
            bench::keep(out);
        };
    };
    suite.row(name, loop(ours), loop(theirs));
    if (suite.results().empty() || suite.results().back().name != name) return;   // --list
    with_denormals const mode;
    auto const& timed = suite.results().back();
    double error[2] = {0, 0}, near[2] = {0, 0}, at[2] = {0, 0}, unused = 0;
    auto const wide = all_sizes<T>(samples, 3), wide_y = between<T>(-3, 3, samples, 4), close = between<T>(f.low, f.high, samples, 5);
    errors(f, ours, wide, wide_y, error[0], at[0]);
    errors(f, theirs, wide, wide_y, error[1], at[1]);
    errors(f, ours, close, wide_y, near[0], unused);
    errors(f, theirs, close, wide_y, near[1], unused);
    std::printf("    ns/element %.2f, xsimd %.2f; ULP on [%g, %g] %.2f, xsimd %.2f; on all numbers %.3g (at %g), xsimd %.3g (at %g)\n",
        timed.xgrad.median() * 1e9 / n, timed.hand.median() * 1e9 / n, f.low, f.high, near[0], near[1], error[0], at[0], error[1], at[1]);
    using limits = std::numeric_limits<T>;
    for (T const v : {T(0), T(-0.0), limits::infinity(), -limits::infinity(), limits::quiet_NaN(), T(1), T(-1), limits::denorm_min(),
             limits::min(), limits::max(), limits::lowest()}) {
        T const want = static_cast<T>(f.exact(static_cast<real>(v), real(2)));
        T const got[] = {ours(simd::batch<T>(v), simd::batch<T>(T(2)))[0], theirs(simd::batch<T>(v), simd::batch<T>(T(2)))[0]};
        for (int side = 0; side < 2; ++side)
            if (!(ulps(got[side], static_cast<real>(want)) <= 4) || (!std::isnan(want) && std::signbit(got[side]) != std::signbit(want)))
                std::printf("    %s: of %g it is %g, not %g\n", side == 0 ? "xgrad" : "xsimd", static_cast<double>(v),
                    static_cast<double>(got[side]), static_cast<double>(want));
    }
}
template<class F>
void compare_both(bench::suite& suite, F const& f) {
    if constexpr (simd::has_xsimd<float>) compare<float>(suite, f);
    if constexpr (simd::has_xsimd<double>) compare<double>(suite, f);
}

#    define XGRAD_BENCH_FUNCTION(name, low, high) \
        compare_both(suite, function{#name, [](auto a, auto) { return simd::name(a); }, [](auto a, auto) { return xsimd::name(a); }, \
                                [](real a, real) { return std::name(a); }, low, high})
}

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "4096 elements, next to xsimd");
    XGRAD_BENCH_FUNCTION(exp, -10, 10);
    XGRAD_BENCH_FUNCTION(expm1, -1, 1);
    XGRAD_BENCH_FUNCTION(log, 0.01, 10);
    XGRAD_BENCH_FUNCTION(log1p, -0.5, 1);
    XGRAD_BENCH_FUNCTION(tanh, -3, 3);
    compare_both(suite, function{"sigmoid", [](auto a, auto) { return simd::sigmoid(a); },
                            [](auto a, auto) { return decltype(a)(1) / (decltype(a)(1) + xsimd::exp(-a)); },
                            [](real a, real) { return 1 / (1 + std::exp(-a)); }, -8, 8});
    XGRAD_BENCH_FUNCTION(erf, -3, 3);
    compare_both(suite, function{"erfc", [](auto a, auto) { return xgrad::op::erfc::value(a); },
                            [](auto a, auto) { return xsimd::erfc(a); }, [](real a, real) { return std::erfc(a); }, -3, 3});
    XGRAD_BENCH_FUNCTION(sin, -3, 3);
    XGRAD_BENCH_FUNCTION(cos, -3, 3);
    // These are xsimd's with corrected edges.
    XGRAD_BENCH_FUNCTION(tan, -1.5, 1.5);
    XGRAD_BENCH_FUNCTION(exp2, -10, 10);
    XGRAD_BENCH_FUNCTION(log2, 0.01, 10);
    XGRAD_BENCH_FUNCTION(log10, 0.01, 10);
    XGRAD_BENCH_FUNCTION(cbrt, -10, 10);
    XGRAD_BENCH_FUNCTION(atan, -3, 3);
    compare_both(suite, function{"pow", [](auto a, auto b) { return simd::pow(a, b); }, [](auto a, auto b) { return xsimd::pow(a, b); },
                            [](real a, real b) { return std::pow(a, b); }, 0.01, 10});
    return suite.finish();
}
#else
int main() {
    std::puts("xsimd is not used (XGRAD_USE_XSIMD)");
    return 0;
}
#endif
