// SPDX-License-Identifier: MIT
// What is kept for the gradient of layers, and its memory.
#include <support/tensor.hpp>

#include <xgrad/inspect/cost.hpp>
#include <xgrad/inspect/describe.hpp>

namespace {
namespace xg = xgrad;
struct tanh_layer : xg::region {
    static constexpr auto value(auto h, auto m) { return xg::tanh(xg::matmul(h, m)); }
};
}

TEST_CASE("the backward pass of a kept product has no forward product; recompute has one. What is the next carry is kept once") {
    constexpr auto v = xg::input<"v", float, 20, 64, 64>;
    constexpr auto start = xg::input<"start", float, 32, 64>;
    using kept = decltype(xg::function{xg::gradient_of(xg::sum(xg::layers<20, tanh_layer>(start, v)), v)});
    using again = decltype(xg::function{xg::gradient_of(xg::sum(xg::layers<20, xg::recompute<tanh_layer>>(start, v)), v)});
    auto products = [](std::string const& text) {
        int n = 0;
        for (std::size_t at = 0; (at = text.find("matmul", at)) != std::string::npos; ++at) ++n;
        return n;
    };
    CHECK(products(xg::describe<kept>()) == 3);
    CHECK(products(xg::describe<again>()) == 4);
    constexpr std::int64_t row = 32 * 64 * 4;
    static_assert(xg::cost_of<kept>.arena_bytes() - xg::cost_of<again>.arena_bytes() <= row);
    static_assert(
        xg::cost_of<kept>.arena_bytes() < 20 * 64 * 64 * 4 + 30 * row);   // the gradients, the history, and what an iteration needs
}
