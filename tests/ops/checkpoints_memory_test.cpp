// SPDX-License-Identifier: MIT
// The memory of loops with gradient_checkpoints, and how much they compute.
#include <support/tensor.hpp>

#include <xgrad/exec/function.hpp>
#include <xgrad/inspect/cost.hpp>
#include <xgrad/inspect/describe.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
constexpr auto h = xg::input<"h", float, 32, 64>;
constexpr auto w = xg::input<"w", float, 64, 64>;
struct cell : xg::region {
    static constexpr auto value(auto before) { return xg::carry(xg::tanh(xg::matmul(before, w))); }
};
template<class Body, int Length>
using gradient = decltype(xg::function{xg::gradient_of(xg::sum(std::get<0>(xg::scan<Body, Length>(xg::carry(h)))), w)});
template<class Body, int Length>
constexpr std::int64_t carries() {   // the memory, in carries
    return xg::cost_of<gradient<Body, Length>>.arena_bytes() / (32 * 64 * 4);
}
struct fading : xg::region {
    static constexpr auto value(auto before) { return xg::carry(before * 0.5_c); }
};
using gradient_of_start = decltype(xg::function{xg::gradient_of(xg::sum(std::get<0>(xg::scan<fading, 400>(xg::carry(h)))), h)});
template<int Every>
using every = xg::gradient_checkpoints<cell, Every>;
}

TEST_CASE("states are kept once, with the gradients of the products, and not at all if the gradient does not read them") {
    static_assert(carries<cell, 400>() <= 2 * 400 + 20);
    static_assert(xg::cost_of<gradient_of_start>.arena_bytes() <= 10 * 32 * 64 * 4);
}
TEST_CASE("with checkpoints at the root of the number of iterations, memory grows as that root") {
    static_assert(carries<cell, 400>() >= 400);
    static_assert(carries<every<20>, 400>() <= 2 * 20 + 20 + 20);
    static_assert(carries<every<30>, 900>() <= 2 * 30 + 30 + 20);
    static_assert(carries<every<30>, 910>() <= 2 * 30 + 30 + 2 * 10 + 20);
    std::int64_t const segments = carries<every<20>, 400>(), all = carries<cell, 400>(), more = carries<every<30>, 910>();
    MESSAGE(all << " carries without checkpoints, " << segments << " with, " << more << " for 910 iterations");
}
