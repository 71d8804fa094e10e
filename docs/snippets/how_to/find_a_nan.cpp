// SPDX-License-Identifier: MIT
// The program of docs/how_to/find_a_nan.md.
// prints: has 1 of 1 elements that are NaN or infinite, after 4 steps.skipped to the end
#include <xgrad/xgrad.hpp>

#include <cstdio>
#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch>;
constexpr auto y = xg::input<"y", float, batch>;
constexpr auto w = xg::variable<"w", float>;
constexpr auto loss = xg::mean(xg::squared_error(w * xg::log(x), y));

int main() {
    std::vector<float> const good{1, 2, 3}, bad{1, 0, 3}, targets{0, 1, 2};   // the logarithm of 0

    auto train = xg::minimize(loss, xg::adam{.learning_rate = 0.1});
    train.check_finite();   // each step looks at all variables
    try {
        for (int step = 0; step < 10; ++step) train(x = step == 3 ? bad : good, y = targets);
    } catch (xg::value_error const& e) { std::puts(e.what()); }

    auto safe = xg::minimize(loss, xg::chain(xg::skip_nonfinite{}, xg::adam{.learning_rate = 0.1}));
    safe.check_finite();
    for (int step = 0; step < 10; ++step) safe(x = step == 3 ? bad : good, y = targets);   // step 3 moves nothing
    std::puts("skipped to the end");
}
