// SPDX-License-Identifier: MIT
// Samplers of wrong classes, of weighted rows, and of sequences by length: their shares, the same draws from one seed, what is refused.
#include <support/message_of.hpp>

#include <xgrad/data/length_batches.hpp>
#include <xgrad/data/negative_sampling.hpp>
#include <xgrad/data/weighted_sampler.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
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
TEST_CASE("rows are drawn by their weights, and classes equally often") {
    std::vector<float> const weights{1, 0, 3, 4};
    check_shares<std::int32_t>(xg::weighted_sampler(weights, 3), 4);
    std::vector<std::int32_t> const labels{0, 0, 0, 2, 0, 2, 0};
    std::vector<double> const balanced = xg::balanced_weights(labels);
    CHECK(balanced == std::vector<double>{.2, .2, .2, .5, .2, .5, .2});
    CHECK(xg::class_weights(labels, 3) == std::vector<float>{7.F / 15, 0, 7.F / 6});
    xg::weighted_sampler rows(weights, 5), again(weights, 5);
    std::vector<std::int64_t> two(2), other(2), all(3);
    int pairs[4]{};
    for (int i = 0; i < 20'000; ++i) {
        rows.sample_without_replacement(two);
        REQUIRE((two[0] != two[1] && two[0] != 1 && two[1] != 1));
        ++pairs[two[0]];
        if (two[0] == 3 && two[1] == 0) ++pairs[1];
    }
    CHECK(pairs[3] == doctest::Approx(10'000).epsilon(0.03));
    CHECK(pairs[1] == doctest::Approx(2'500).epsilon(0.08));   // 1 of the 4 that are left
    rows = xg::weighted_sampler(weights, 5);
    rows.sample_without_replacement(two);
    again.sample_without_replacement(other);
    CHECK(two == other);
    rows.sample_without_replacement(all);
    std::sort(all.begin(), all.end());
    CHECK(all == std::vector<std::int64_t>{0, 2, 3});
    std::vector<std::int64_t> four(4);
    CHECK(test::message_of<xg::value_error>([&] { rows.sample_without_replacement(four); }) ==
          "xgrad: weighted_sampler: 4 different rows are wanted, and 3 have a weight above 0; take fewer, or sample with replacement");
    CHECK(test::message_of<xg::value_error>([] {
        xg::balanced_weights(std::vector<int>{0, -1});
    }) == "xgrad: balanced_weights: a label is -1; labels begin at 0");
    CHECK(test::message_of<xg::value_error>([] {
        xg::class_weights(std::vector<int>{0, 3}, 3);
    }) == "xgrad: class_weights: a label is 3, outside of the 3 classes");
}
TEST_CASE("batches of near lengths have each sequence once, and little padding") {
    std::vector<std::vector<int>> texts;
    for (int i = 0; i < 203; ++i) texts.emplace_back(static_cast<std::size_t>(i * 37 % 50), i + 1);
    xg::length_batches all{{.size = 10, .window = 5, .seed = 4}, texts, -1};
    REQUIRE(all.count() == 21);
    std::vector<int> seen(texts.size());
    std::vector<std::int64_t> order;
    std::int64_t places = 0, used = 0;
    for (std::int64_t b = 0; b < all.count(); ++b) {
        auto const& batch = all.next();
        std::int64_t const longest = batch.values.shape(1);
        REQUIRE((batch.values.shape(0) == batch.lengths.shape(0) && batch.rows.size() == static_cast<std::size_t>(batch.lengths.size())));
        places += batch.values.size();
        bool right = false;
        for (std::int64_t k = 0; k < batch.lengths.size(); ++k) {
            auto const row = static_cast<std::size_t>(batch.rows[static_cast<std::size_t>(k)]);
            ++seen[row];
            order.push_back(static_cast<std::int64_t>(row));
            used += batch.lengths[k];
            REQUIRE(batch.lengths[k] == static_cast<std::int32_t>(texts[row].size()));
            for (std::int64_t c = 0; c < longest; ++c)
                REQUIRE(batch.values[k * longest + c] == (c < batch.lengths[k] ? static_cast<int>(row) + 1 : -1));
            right = right || batch.lengths[k] == longest;
        }
        CHECK(right);
    }
    CHECK(std::count(seen.begin(), seen.end(), 1) == 203);
    CHECK(places < used * 5 / 4);
    CHECK((all.epoch() == 1 && all.batch() == 0));
    auto const of_epoch = [&](std::int64_t epoch) {
        std::vector<std::int64_t> r;
        all.at(epoch);
        for (std::int64_t b = 0; b < 21; ++b)
            for (std::int64_t const row : all.next().rows) r.push_back(row);
        return r;
    };
    CHECK(of_epoch(1) != order);
    CHECK(of_epoch(0) == order);
    CHECK(xg::length_batches{{.size = 10, .drop_last = true}, texts}.count() == 20);
    xg::length_batches sorted{{.size = 10, .window = std::numeric_limits<std::int64_t>::max(), .shuffle = false}, texts};   // one window
    std::vector<std::size_t> lengths;
    for (int k = 0; k < 21; ++k)
        for (std::int64_t const row : sorted.next().rows) lengths.push_back(texts[static_cast<std::size_t>(row)].size());
    CHECK(std::is_sorted(lengths.begin(), lengths.end()));
    CHECK(test::message_of<xg::value_error>([&] {
        xg::length_batches{{.size = 0}, texts};
    }) == "xgrad: length_batches: the size is 0 and the window 50; both must be at least 1");
    CHECK(test::message_of<xg::value_error>([&] {
        xg::length_batches{{.size = 500, .drop_last = true}, texts};
    }) == "xgrad: length_batches: there would be no batch: there are 203 sequences, and the size is 500");
    CHECK(test::message_of<xg::value_error>([&] { all.at(0, 21); }) ==
          "xgrad: length_batches: there is no batch 21 of epoch 0: each epoch, from 0 on, has 21");
}
