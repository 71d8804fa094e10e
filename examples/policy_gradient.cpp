// SPDX-License-Identifier: MIT
// A policy gradient (REINFORCE, Williams 1992) learns to balance a pole on a cart, which this program simulates.
// `policy_gradient predict` plays with the saved policy.
#include <support/plot.hpp>
#include <support/progress.hpp>

#include <xgrad/io/checkpoint.hpp>
#include <xgrad/xgrad.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <numeric>
#include <random>
#include <string>
#include <vector>
namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim steps{"steps"};   // of all episodes in a batch
constexpr auto state = xg::input<"state", float, steps, 4>;
constexpr auto action = xg::input<"action", std::int32_t, steps>;
constexpr auto advantage = xg::input<"advantage", float, steps>;

constexpr auto hidden = xg::tanh(xg::nn::dense<"hidden", 32>(state));
constexpr auto logits = xg::nn::dense<"out", 2>(hidden);
constexpr auto chosen = xg::sparse_softmax_cross_entropy(logits, action);   // -log of the probability of the action
constexpr auto entropy = -xg::sum<1>(xg::softmax<1>(logits) * xg::log_softmax<1>(logits));
constexpr auto loss = xg::mean(advantage * chosen) - 0.01_c * xg::mean(entropy);

/// A cart of 1 kg with a pole of 0.1 kg and 1 m. It is pushed to the left or right with 10 N, 50 times a second
/// (Barto, Sutton, Anderson 1983).
struct cart_with_pole {
    std::array<float, 4> s{};   // place, speed, angle, angular speed
    void push(int right) {
        float const force = right ? 10.0f : -10.0f, sine = std::sin(s[2]), cosine = std::cos(s[2]);
        float const a = (force + 0.05f * s[3] * s[3] * sine) / 1.1f;
        float const turn = (9.8f * sine - cosine * a) / (0.5f * (4.0f / 3 - 0.1f * cosine * cosine / 1.1f));
        float const speed_up = a - 0.05f * turn * cosine / 1.1f;
        for (auto [k, change] : {std::pair{0, s[1]}, {1, speed_up}, {2, s[3]}, {3, turn}}) s[static_cast<std::size_t>(k)] += 0.02f * change;
    }
    bool stands() const { return std::abs(s[0]) < 2.4f && std::abs(s[2]) < 0.2095f; }
};

constexpr std::size_t longest = 500, episodes = 16;
struct experience {
    std::vector<float> states, advantages;
    std::vector<std::int32_t> actions;
    std::vector<std::size_t> lengths;
};

/// Plays some episodes with the actions of the policy. The advantage of a step is the discounted sum of what comes after it.
template<class Policy>
experience play(Policy& policy, std::mt19937& random) {
    experience e;
    std::uniform_real_distribution<float> start(-0.05f, 0.05f), uniform;
    for (std::size_t k = 0; k < episodes; ++k) {
        cart_with_pole cart;
        for (float& v : cart.s) v = start(random);
        std::size_t length = 0;
        for (; length < longest && cart.stands(); ++length) {
            float const right = policy(state = xg::array(cart.s.data(), 1, 4))(0, 1);
            e.states.insert(e.states.end(), cart.s.begin(), cart.s.end());
            e.actions.push_back(uniform(random) < right);
            cart.push(e.actions.back());
        }
        e.lengths.push_back(length);
        float rest = 0;
        std::vector<float> returns(length);
        for (std::size_t t = length; t-- > 0;) returns[t] = rest = 1 + 0.99f * rest;
        e.advantages.insert(e.advantages.end(), returns.begin(), returns.end());
    }
    auto const n = static_cast<float>(e.advantages.size());
    float const mean = std::accumulate(e.advantages.begin(), e.advantages.end(), 0.0f) / n;
    float squares = 0;
    for (float& a : e.advantages) a -= mean, squares += a * a;
    for (float& a : e.advantages) a /= std::sqrt(squares / n) + 1e-6f;
    return e;
}

int main(int count, char** arguments) try {
    auto train = xg::minimize(loss, xg::chain(xg::clip_by_global_norm(1), xg::adam{.learning_rate = 0.01}));
    train.initialize(xg::glorot_uniform{.seed = 2});
    xg::function policy{xg::softmax<1>(logits), train};
    std::mt19937 random(4);
    if (count > 1 && arguments[1] == std::string("predict")) {
        xg::restore(train, count > 2 ? arguments[2] : "policy_gradient.safetensors", xg::variables_only);
        for (std::size_t const length : play(policy, random).lengths) std::printf("the pole stands %zu steps\n", length);
        return 0;
    }
    examples::plot_line curve;
    examples::progress_bar bar(episodes * longest, 0, true);
    double best = 0;
    for (int round = 1; round <= 120 && best < 475; ++round) {
        experience const e = play(policy, random);
        float const now = train(state = xg::array(e.states, e.actions.size(), 4), action = e.actions, advantage = e.advantages);
        double const mean = static_cast<double>(e.actions.size()) / episodes;
        if (mean > best) best = mean, xg::save(train, "policy_gradient.safetensors");
        curve.points.emplace_back(round, mean);
        bar.update(e.actions.size(), "policy_gradient", static_cast<double>(now));
        if (round % 10 != 0 && best < 475) continue;
        bar.clear();
        std::printf("round %3d  the pole stands %5.1f steps\n", round, mean);
    }
    bar.clear();
    std::printf("best mean of %zu episodes: %.1f of %zu steps; its policy is in policy_gradient.safetensors\n", episodes, best, longest);
    examples::report_svg(
        "policy_gradient.svg", {.title = "Mean steps that the pole stands", .x_label = "round", .y_label = "steps", .lines = {curve}});
    return best > 400 ? 0 : 1;
} catch (std::exception const& e) {
    std::fprintf(stderr, "policy_gradient: %s\n", e.what());
    return 1;
}
