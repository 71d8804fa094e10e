// SPDX-License-Identifier: MIT
// Gradients in fewer bytes: what is sent, exactly, and what is left.
#include <support/message_of.hpp>

#include <xgrad/replicas/local/downpour.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace xg = xgrad;

namespace {
template<class T, class Policy>
std::vector<T> sent_by(xg::compressor<T, Policy>& sender, std::vector<T> const& x, std::size_t bytes) {
    auto const message = sender.encode(x);
    CHECK(message.size() == bytes);
    std::vector<T> to(x.size(), T(0));
    xg::decode_add<Policy, T>(message, to);
    return to;
}
template<class T>
std::vector<T> left_in(std::span<T const> x) {
    return {x.begin(), x.end()};
}
/// The sent part and the rest add up to the given numbers, exactly as far as sums of eighths are.
template<class T, class Policy>
void check_sums(Policy const& policy, double most) {
    for (std::size_t n : {0, 1, 7, 8, 9, 100}) {
        xg::compressor<T, Policy> sender(policy, n);
        std::vector<double> given(n), got(n);
        for (int step = 0; step < 40; ++step) {
            std::vector<T> x(n);
            for (std::size_t i = 0; i < n; ++i) {
                x[i] = static_cast<T>((static_cast<int>(i) * 5 + step * 3) % 17 - 8) / 8;
                given[i] += static_cast<double>(x[i]);
            }
            auto const message = sender.encode(x);
            CHECK(message.size() <= policy.bytes(n, sizeof(T)));
            std::vector<T> to(n, T(0));
            xg::decode_add<Policy, T>(message, to);
            for (std::size_t i = 0; i < n; ++i) got[i] += static_cast<double>(to[i]);
        }
        for (std::size_t i = 0; i < n; ++i) CHECK(std::abs(got[i] + static_cast<double>(sender.residual()[i]) - given[i]) <= most);
    }
}
}   // namespace

TEST_CASE("top k: the largest elements, of equal ones the first, and the others the next time") {
    xg::compressor<float, xg::top_k_compression> sender({.fraction = .4}, 5);
    using list = std::vector<float>;
    CHECK(sent_by(sender, {1, -3, 2, 2, 0}, 16) == list{0, -3, 2, 0, 0});
    CHECK(left_in(sender.residual()) == list{1, 0, 0, 2, 0});
    CHECK(sent_by(sender, {1, 1, 1, 0, 1}, 16) == list{2, 0, 0, 2, 0});
    CHECK(left_in(sender.residual()) == list{0, 1, 1, 0, 1});
    CHECK(sent_by(sender, {0, 0, 0, 0, std::numeric_limits<float>::quiet_NaN()}, 16)[1] == 1);   // and the NaN
    CHECK(sender.residual()[4] == 0);
    CHECK(xg::top_k_compression{.fraction = .01}.count(3) == 1);
    CHECK(xg::top_k_compression{.fraction = 1}.count(3) == 3);
    CHECK(xg::top_k_compression{.fraction = .5}.count(0) == 0);
    check_sums<float>(xg::top_k_compression{.fraction = .2}, 0);
    check_sums<double>(xg::top_k_compression{.fraction = 1}, 0);
}
TEST_CASE("top k: the share of the elements is that of the table, whatever rounding makes of the product") {
    for (int hundredths = 1; hundredths <= 100; ++hundredths)
        for (std::size_t n : {10u, 20u, 30u, 50u, 100u, 1000u, 123456789u}) {
            std::size_t const exact = (static_cast<std::size_t>(hundredths) * n + 99) / 100;
            CHECK(xg::top_k_compression{.fraction = hundredths / 100.}.count(n) == exact);
        }
    CHECK(xg::top_k_compression{.fraction = .07}.count(101) == 8);
}
TEST_CASE("what is no number is sent once, and blocks nothing") {
    float const inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    using list = std::vector<float>;
    xg::compressor<float, xg::top_k_compression> largest({.fraction = .5}, 4);
    auto const first = sent_by(largest, {nan, 1, inf, 3}, 16);
    CHECK(std::isnan(first[0]));
    CHECK(first[2] == inf);
    CHECK(left_in(largest.residual()) == list{0, 1, 0, 3});
    CHECK(sent_by(largest, {0, 0, 0, 0}, 16) == list{0, 1, 0, 3});
    xg::compressor<float, xg::top_k_compression> one({.fraction = .25}, 4);   // there are more of them than it sends
    sent_by(one, {nan, 1, -inf, 3}, 8);
    CHECK(sent_by(one, {0, 0, 0, 0}, 8)[2] == -inf);
    CHECK(sent_by(one, {0, 0, 0, 0}, 8)[3] == 3);
    for (float const odd : {nan, inf}) {
        xg::compressor<float, xg::sign_compression> signs({}, 3);
        for (float x : sent_by(signs, {1, odd, -1}, 5)) CHECK_FALSE(std::isfinite(x));
        CHECK(left_in(signs.residual()) == list{0, 0, 0});
        CHECK(sent_by(signs, {1, 1, -1}, 5) == list{1, 1, -1});
        xg::compressor<float, xg::bfloat16_compression> halves({}, 2);
        CHECK_FALSE(std::isfinite(sent_by(halves, {odd, 257}, 4)[0]));
        CHECK(left_in(halves.residual()) == list{0, 1});
    }
}
TEST_CASE("bfloat16: what is larger than its largest number is sent as that, and the rest later") {
    double const most = 0x1.fep127;
    xg::compressor<double, xg::bfloat16_compression> sender({}, 3);
    CHECK(sent_by(sender, {1.5 * most, -1e39, 1}, 6) == std::vector<double>{most, -most, 1});
    CHECK(left_in(sender.residual()) == std::vector<double>{.5 * most, most - 1e39, 0});
    xg::compressor<float, xg::bfloat16_compression> single({}, 1);
    CHECK(sent_by(single, {3.4e38f}, 2)[0] == static_cast<float>(most));
    CHECK(single.residual()[0] == 3.4e38f - static_cast<float>(most));
}
TEST_CASE("a message that was not used is taken back") {
    xg::compressor<float, xg::top_k_compression> sender({.fraction = .25}, 4);
    using list = std::vector<float>;
    sent_by(sender, {1, 2, 3, 4}, 8);
    sent_by(sender, {9, 9, 9, 9}, 8);
    sender.take_back();
    CHECK(left_in(sender.residual()) == list{1, 2, 3, 0});
    CHECK(sent_by(sender, {0, 0, 0, 0}, 8) == list{0, 0, 3, 0});
}
TEST_CASE("bfloat16: eight bits, and the rest the next time") {
    xg::compressor<double, xg::bfloat16_compression> sender({}, 3);
    using list = std::vector<double>;
    CHECK(sent_by(sender, {1, 257, -1025}, 6) == list{1, 256, -1024});
    CHECK(left_in(sender.residual()) == list{0, 1, -1});
    CHECK(sent_by(sender, {0, 0, -3}, 6) == list{0, 1, -4});
    CHECK(left_in(sender.residual()) == list{0, 0, 0});
    check_sums<float>(xg::bfloat16_compression{}, 0);
    check_sums<double>(xg::bfloat16_compression{}, 0);
}
TEST_CASE("signs with the mean of all without theirs") {
    xg::compressor<float, xg::sign_compression> sender({}, 9);
    using list = std::vector<float>;
    CHECK(sent_by(sender, {1, -1, 2, -2, 0, 0, 0, 0, -3}, 6) == list{1, -1, 1, -1, 1, 1, 1, 1, -1});
    CHECK(left_in(sender.residual()) == list{0, 0, 1, -1, -1, -1, -1, -1, -2});
    check_sums<float>(xg::sign_compression{}, 1e-4);
    check_sums<double>(xg::sign_compression{}, 1e-12);
}
TEST_CASE("nothing is left where all is sent as it is; what makes no sense is refused") {
    xg::compressor<float, xg::no_compression> sender({}, 3);
    CHECK(sent_by(sender, {1e-30f, 2, 3}, 12) == std::vector<float>{1e-30f, 2, 3});
    check_sums<double>(xg::no_compression{}, 0);
    CHECK(test::message_of<xg::shape_error>([&] { sender.encode(std::vector<float>(4)); }) ==
          "xgrad: compressor.encode(x): x has 4 elements and not 3");
    for (double fraction : {0., -1., 1.5, std::nan("")})
        CHECK(test::message_of<xg::value_error>([&] { xg::compressor<float, xg::top_k_compression>({.fraction = fraction}, 3); }) ==
              "xgrad: top_k_compression: fraction is outside of (0, 1]; write a number such as 0.01");
}
TEST_CASE("compressed gradients: what is not sent now comes later, with nothing lost between") {
    constexpr auto g = xg::input<"g", float, 4>;
    constexpr auto w = xg::variable<"w", float, 4>;
    auto train = xg::minimize<xg::gating::graph>(xg::sum(w * g), xg::gradient_descent{.learning_rate = 1.f});
    xg::downpour replicas(train, {.workers = 2}, xg::top_k_compression{.fraction = .25});
    typename decltype(replicas)::replay replay(replicas);
    std::vector<float> const first{1, 4, 2, 3}, zero(4);
    replay.compute(0, g = first);
    replay.step(0);
    CHECK(train.value(w)(1) == -4);
    CHECK(train.value(w)(3) == 0);
    replay.compute(1, g = zero);
    replay.step(1);   // has nothing left of the other's
    CHECK(train.value(w)(3) == 0);
    for (int k = 0; k < 3; ++k) {
        replay.compute(0, g = zero);
        replay.step(0);
    }
    for (std::int64_t i = 0; i < 4; ++i) CHECK(train.value(w)(i) == -first[static_cast<std::size_t>(i)]);
}
TEST_CASE("a gradient that is dropped leaves nothing behind, also with compression; what was left before stays") {
    constexpr auto g = xg::input<"g", float, 4>;
    constexpr auto w = xg::variable<"w", float, 4>;
    auto train = xg::minimize<xg::gating::graph>(xg::sum(w * g), xg::gradient_descent{.learning_rate = 1.f});
    xg::downpour replicas(train, {.workers = 2, .staleness = 0}, xg::top_k_compression{.fraction = .25});
    typename decltype(replicas)::replay replay(replicas);
    std::vector<float> const first{1, 4, 0, 0}, late{8, 9, 10, 11}, zero(4);
    replay.compute(1, g = first);
    CHECK(replay.step(1));   // 1 is left
    replay.compute(0, g = zero);
    CHECK_FALSE(replay.step(0));   // of before, but now it has the variables of now
    replay.compute(1, g = late);
    replay.compute(0, g = zero);
    CHECK(replay.step(0));
    CHECK_FALSE(replay.step(1));
    for (int k = 0; k < 4; ++k) {
        replay.compute(1, g = zero);
        CHECK(replay.step(1));
    }
    for (std::int64_t i = 0; i < 4; ++i) CHECK(train.value(w)(i) == -first[static_cast<std::size_t>(i)]);
    CHECK(replay.report().workers[1].dropped == 1);
}
