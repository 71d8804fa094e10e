// SPDX-License-Identifier: MIT
// What fewer bits in memory cost: a net learns the same with float and with 16 bits in slots and weights.
#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 8>;
constexpr auto y = xg::input<"y", float, batch>;

/// A net of 8, 32 and 1 with weights of W in memory.
template<class W>
struct net {
    static constexpr auto w1 = xg::variable<"w1", W, 8, 32>;
    static constexpr auto b1 = xg::variable<"b1", W, 32>;
    static constexpr auto w2 = xg::variable<"w2", W, 32, 1>;
    static constexpr auto loss = xg::mean(xg::square(xg::squeeze<1>(xg::matmul(xg::tanh(xg::matmul(x, w1) + b1), w2)) - y));
};

/// The mean loss of the last 500 of 10000 steps of 32 rows, whose target is a wave through the inputs.
template<class W, class Rule>
double trained(char const* what, Rule const& rule) {
    auto train = xg::minimize(net<W>::loss, rule);
    train.initialize(xg::glorot_uniform{.seed = 1});
    std::uint64_t random = 1;
    std::vector<float> in(32 * 8), out(32);
    double total = 0;
    for (int step = 0; step < 10000; ++step) {
        for (float& value : in) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            value = static_cast<float>(random >> 40) / 8388608 - 1;
        }
        for (std::size_t r = 0; r < 32; ++r) out[r] = std::sin(2 * in[8 * r] + in[8 * r + 1]) + in[8 * r + 2] * in[8 * r + 3];
        double const loss{train(x = xg::array(in.data(), 32, 8), y = out)};
        if (step >= 9500) total += loss / 500;
    }
    std::printf("%-52s %4d %12.5f\n", what, xg::bytes_per_parameter<Rule, W>, total);
    return total;
}

}   // namespace

int main() {
    std::printf("%-52s %4s %12s\n", "Adam, rate 1e-3", "B", "loss");
    xg::adam const rule{.learning_rate = 1e-3};
    double const full = trained<float>("float", rule);
    xg::adam quicker = rule;   // of v in 16 bits what is smaller than 2^-9 of it is lost
    quicker.beta2 = 0.99;
    double const shorter = trained<float>("float, beta2 0.99", quicker);
    double const slots = trained<float>("float, slots of bfloat16, beta2 0.99", xg::store_slots<xg::bfloat16>(quicker));
    double const coarse = trained<float>("float, slots of bfloat16", xg::store_slots<xg::bfloat16>(rule));
    double const nearest = trained<xg::bfloat16>("bfloat16", rule);
    double const random = trained<xg::bfloat16>("bfloat16, rounded at random", xg::stochastic_rounding(rule));
    double const rest = trained<xg::bfloat16>("bfloat16, rest of bfloat16", xg::master_weights<xg::bfloat16, xg::bfloat16>(rule));
    double const master = trained<xg::bfloat16>("bfloat16, rest of float", xg::master_weights<xg::bfloat16>(rule));
    bool const kept = slots < 1.5 * shorter && random < 1.5 * full && rest < 1.5 * full && master < 1.5 * full;
    return kept && coarse > slots && nearest > 10 * full ? 0 : 1;
}
