// SPDX-License-Identifier: MIT
// A large gradient in the caller's memory: written there by f.into(...), or copied from what f returns. Both are compared with a
// hand-written loop that writes it there.
#include "frame.hpp"
#include "hand/data.hpp"
#include "hand/vec.hpp"

#include <xgrad/xgrad.hpp>

#include <cstring>
#include <string>

namespace {
namespace xg = xgrad;
inline constexpr xg::dim elements{"elements"};
constexpr auto x = xg::input<"x", float, elements>;
constexpr auto y = xg::input<"y", float, elements>;
constexpr auto error = xg::sum(xg::square(x - y));
constexpr auto slope = xg::gradient_of(error, x);

/// The sum of (x - y)² and its gradient 2 (x - y).
[[gnu::noinline]] float by_hand(float const* a, float const* b, float* gradient, std::int64_t n) {
    using namespace hand;
    constexpr int U = 4, w = static_cast<int>(wf);
    vf sums[U]{};
    std::int64_t i = 0;
    for (; i + U * w <= n; i += U * w)
#pragma GCC unroll 8
        for (int j = 0; j < U; ++j) {
            vf const d = loadf(a + i + j * w) - loadf(b + i + j * w);
            sums[j] += d * d;
            store<vf>(gradient + i + j * w, d + d);
        }
    float sum = hsum((sums[0] + sums[1]) + (sums[2] + sums[3]));
    for (; i < n; ++i) {
        float const d = a[i] - b[i];
        sum += d * d;
        gradient[i] = d + d;
    }
    return sum;
}

void rows(bench::suite& suite, std::int64_t n, std::string const& size) {
    std::string const written = "gradient of " + size + " floats, into the caller's memory",
                      copied = "gradient of " + size + " floats, returned and copied";
    if (!suite.wanted(written) && !suite.wanted(copied)) return;
    hand::buffer<float> a(static_cast<std::size_t>(n)), b(static_cast<std::size_t>(n)), ours(static_cast<std::size_t>(n)),
        theirs(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) {
        a[i] = static_cast<float>(hand::uniform(1, 0, static_cast<std::uint64_t>(i))) - 0.5f;
        b[i] = static_cast<float>(hand::uniform(2, 0, static_cast<std::uint64_t>(i))) - 0.5f;
        ours[i] = theirs[i] = 0;
    }
    float const *const pa = a, *const pb = b;
    float *const po = ours, *const pt = theirs;
    xg::function f{xg::outputs(error, slope)};
    auto fill = f.into(xg::array(po, n));
    auto const arguments = [&](auto& call) { return call(x = xg::array(pa, n), y = xg::array(pb, n)); };
    auto const copy = [&] {
        auto const [value, gradient] = arguments(f);
        std::memcpy(po, gradient.data(), static_cast<std::size_t>(n) * sizeof(float));
        return value;
    };
    for (std::string const& name : {written, copied}) {
        double const value = static_cast<double>(name == written ? arguments(fill) : copy());
        suite.agree(name, "the value", value, static_cast<double>(by_hand(pa, pb, pt, n)), 1e-3);
        suite.agree(name, "elements that differ", std::memcmp(po, pt, static_cast<std::size_t>(n) * sizeof(float)) == 0 ? 0 : 1, 0, 0.5);
    }
    suite.row(
        written, [&] { bench::keep(arguments(fill)); }, [&] { bench::keep(by_hand(pa, pb, pt, n)); });
    suite.row(
        copied, [&] { bench::keep(copy()); }, [&] { bench::keep(by_hand(pa, pb, pt, n)); });
}
}

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "Results in the caller's memory");
    rows(suite, 10'000, "10k");
    rows(suite, 1'000'000, "1M");
    rows(suite, 16'000'000, "16M");
    return suite.finish();
}
