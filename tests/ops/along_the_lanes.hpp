// SPDX-License-Identifier: MIT
// A program in whose loops the lanes of SIMD are examples, and its sums written out.
#pragma once

#include <support/tensor.hpp>

#include <cmath>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};

// Rows of 5 elements and a value for each row put the batch into the lanes, and sums over it give up factors that do not vary: m and q.
constexpr auto z = xg::input<"z", float, batch, 5>;
constexpr auto m = xg::input<"m", float, 7, 5>;
constexpr auto q = xg::input<"q", float, 7, 5>;
constexpr auto pair = xg::expand_dims<1>(z) - m;
constexpr auto share = xg::expand_dims<2>(xg::softmax<1>(-xg::sum<2>(xg::square(pair)))) * pair;

struct along_the_lanes {
    static constexpr std::int64_t examples = 61;
    test::tensor<float> of_z = test::numbers<float>({examples, 5}), of_m = test::numbers<float>({7, 5}, -1, 1, 2),
                        of_q = test::numbers<float>({7, 5}, 0.5, 2, 3);
    /// The sum over the examples of f(q, share) at [i, j] of [7, 5].
    template<class F>
    double sum(std::int64_t i, std::int64_t j, F f) const {
        double total = 0;
        for (std::int64_t n = 0; n < examples; ++n) {
            double weights = 0, own = 0;
            for (std::int64_t k = 0; k < 7; ++k) {
                double far = 0;
                for (std::int64_t l = 0; l < 5; ++l) far += std::pow(of_z[n * 5 + l] - of_m[k * 5 + l], 2);
                weights += std::exp(-far);
                if (k == i) own = std::exp(-far);
            }
            total += f(of_q[i * 5 + j], own / weights * (of_z[n * 5 + j] - of_m[i * 5 + j]));
        }
        return total;
    }
    template<class R, class F>
    void compare(R const& r, F f) const {
        for (std::int64_t i = 0; i < 7; ++i)
            for (std::int64_t j = 0; j < 5; ++j) CHECK(r(i, j) == doctest::Approx(sum(i, j, f)).epsilon(1e-4));
    }
};
}
