// SPDX-License-Identifier: MIT
// Samplers of wrong classes: their shares, the same draws from one seed, what is refused.
#include <support/message_of.hpp>

#include <xgrad/data/negative_sampling.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace xg = xgrad;

namespace {

/// The shares of 200,000 draws are within five standard deviations of the probabilities, and these add up to 1.
template<class Id, class Sampler>
void check_shares(Sampler sampler, std::size_t classes) {
    std::vector<Id> ids(200'000);
    sampler.sample(std::span(ids).first(70'001));   // in two calls
    sampler.sample(std::span(ids).subspan(70'001));
    std::vector<int> counts(classes);
    for (Id const id : ids) {
        REQUIRE(id >= 0);
        REQUIRE(static_cast<std::size_t>(id) < classes);
        ++counts[static_cast<std::size_t>(id)];
    }
    double sum = 0, n = static_cast<double>(ids.size());
    for (std::size_t k = 0; k < classes; ++k) {
        INFO("class ", k);
        double const p = sampler.probability(static_cast<std::int64_t>(k));
        sum += p;
        CHECK(std::abs(counts[k] - n * p) <= 5 * std::sqrt(n * p * (1 - p)));
    }
    CHECK(sum == doctest::Approx(1).epsilon(1e-12));
    CHECK(sampler.probability(-1) == 0);
    CHECK(sampler.probability(static_cast<std::int64_t>(classes)) == 0);
}

}   // namespace

TEST_CASE("log-uniform and unigram draws have their shares") {
    check_shares<std::int32_t>(xg::log_uniform_sampler(50, 7), 50);
    check_shares<std::int64_t>(xg::log_uniform_sampler(1), 1);
    // TensorFlow: P(k) = (log(k + 2) - log(k + 1)) / log(range_max + 1)
    CHECK(xg::log_uniform_sampler(1000).probability(4) == doctest::Approx(std::log(6.0 / 5) / std::log(1001)).epsilon(1e-14));
    std::vector<int> const counts{3, 0, 100, 1, 0, 7, 7, 1000};
    check_shares<std::int32_t>(xg::unigram_sampler(counts, 0.75, 3), 8);
    check_shares<std::int64_t>(xg::unigram_sampler(counts, 0.0), 8);   // all that occur alike
    check_shares<std::int64_t>(xg::unigram_sampler(std::vector<double>{0, 2}), 2);
    CHECK(xg::unigram_sampler(std::span(counts)).probability(2) ==
          doctest::Approx(std::pow(100, .75) / (std::pow(3, .75) + std::pow(100, .75) + 1 + 2 * std::pow(7, .75) + std::pow(1000, .75))));
}
TEST_CASE("one seed, one series of draws") {
    std::vector<std::int64_t> a(1000), b(1000), c(1000);
    xg::log_uniform_sampler(90, 5).sample(a);
    xg::log_uniform_sampler(90, 5).sample(std::span(b));
    xg::log_uniform_sampler(90, 6).sample(std::span(c));
    CHECK(a == b);
    CHECK(a != c);
}
TEST_CASE("samplers refuse what they cannot draw from") {
    auto const unigram = [](std::vector<double> const& counts) {
        return test::message_of<xg::value_error>([&] { xg::unigram_sampler const never(counts); });
    };
    CHECK(unigram({1, -1}) == "xgrad: unigram_sampler: count 1 is negative or not finite");
    CHECK(unigram({std::nan("")}) == "xgrad: unigram_sampler: count 0 is negative or not finite");
    CHECK(unigram({0, 0}) == "xgrad: unigram_sampler: the counts are empty, all 0, or too large for this power");
    CHECK(unigram({}) == "xgrad: unigram_sampler: the counts are empty, all 0, or too large for this power");
    CHECK(test::message_of<xg::value_error>([] { xg::log_uniform_sampler const never(0); }) ==
          "xgrad: log_uniform_sampler: the range is 0; there must be at least one class");
    std::vector<std::int32_t> ids(3);
    xg::log_uniform_sampler many(std::int64_t{1} << 40);
    CHECK(test::message_of<xg::value_error>([&] { many.sample(std::span(ids)); }) ==
          "xgrad: log_uniform_sampler: there are 1099511627776 classes; int32 cannot name them all, write std::int64_t");
}
