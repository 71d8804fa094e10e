// SPDX-License-Identifier: MIT
// Draws rows with given weights, such as equally many of each class.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/data/negative_sampling.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

XGRAD_NAMESPACE_BEGIN

/// Draws row numbers 0 ... n−1 with chances proportional to their weights (PyTorch's WeightedRandomSampler):
///
///     xg::weighted_sampler rows(xg::balanced_weights(labels), 1);
///     std::vector<std::int64_t> chosen(64);
///     rows.sample(chosen);
///
/// One seed gives one series of draws, equal on all machines.
class weighted_sampler {
    std::vector<double> weights_;
    unigram_sampler with_replacement_;
    detail::uniform_stream stream_;
    std::int64_t positive_ = 0;

public:
    /// Takes a vector, array or span of weights. Throws value_error if it is empty, a weight is negative or not finite, or all are 0.
    template<std::ranges::contiguous_range Weights>
        requires std::is_arithmetic_v<std::ranges::range_value_t<Weights>>
    explicit weighted_sampler(Weights const& weights, std::uint64_t seed = 0)
        : with_replacement_(weights, 1.0, seed), stream_("weighted_sampler", seed) {
        for (auto const w : weights) {
            weights_.push_back(static_cast<double>(w));
            positive_ += w > 0;
        }
    }
    /// The chance of a row in a draw with replacement.
    double probability(std::int64_t row) const { return with_replacement_.probability(row); }
    /// The number of rows whose weight is above 0.
    std::int64_t rows() const { return positive_; }
    /// Fills `ids`, a vector, array or span of int32 or int64. A row may be drawn several times.
    template<SampledIds Ids>
    void sample(Ids&& ids) {
        with_replacement_.sample(ids);
    }
    /// Fills `ids` with different rows, in the order in which they are drawn: the chance of a row is its share of the weights that are
    /// left. Throws value_error if `ids` has more places than rows have a weight above 0. Time grows with the number of rows.
    /// Source: Efraimidis and Spirakis 2006.
    template<SampledIds Ids>
    void sample_without_replacement(Ids&& ids) {
        using Id = std::ranges::range_value_t<Ids>;
        detail::check_id_range<Id>("weighted_sampler", static_cast<std::int64_t>(weights_.size()));
        auto const wanted = static_cast<std::int64_t>(std::ranges::size(ids));
        if (wanted > positive_)
            raise_parts<value_error>({"xgrad: weighted_sampler: ", wanted, " different rows are wanted, and ", positive_,
                " have a weight above 0; take fewer, or sample with replacement"});
        std::vector<std::pair<double, std::int64_t>> waits;   // of an exponential clock for each row: the first ones are drawn
        waits.reserve(static_cast<std::size_t>(positive_));
        for (std::size_t k = 0; k < weights_.size(); ++k)
            if (weights_[k] > 0) waits.emplace_back(-std::log1p(-stream_.next()) / weights_[k], static_cast<std::int64_t>(k));
        std::partial_sort(waits.begin(), waits.begin() + wanted, waits.end());
        for (std::size_t k = 0; Id & id : ids) id = static_cast<Id>(waits[k++].second);
    }
};

/// A weight for each row with which all classes are drawn equally often: 1 / (rows of its class). Labels are integers, such as a vector of
/// int32. `class_weights` gives the same numbers for each class.
template<std::ranges::contiguous_range Labels>
    requires std::is_integral_v<std::ranges::range_value_t<Labels>>
std::vector<double> balanced_weights(Labels const& labels) {
    std::vector<std::int64_t> counts;
    for (auto const label : labels) {
        if (label < 0)
            raise_parts<value_error>({"xgrad: balanced_weights: a label is ", static_cast<std::int64_t>(label), "; labels begin at 0"});
        if (static_cast<std::size_t>(label) >= counts.size()) counts.resize(static_cast<std::size_t>(label) + 1);
        ++counts[static_cast<std::size_t>(label)];
    }
    std::vector<double> r;
    for (auto const label : labels) r.push_back(1 / static_cast<double>(counts[static_cast<std::size_t>(label)]));
    return r;
}
/// A weight for each class, for a loss: rows / (classes · rows of the class), as scikit-learn's class_weight="balanced". A class without
/// rows has the weight 0. Throws value_error for a label outside of 0 ... classes−1.
template<std::ranges::contiguous_range Labels>
    requires std::is_integral_v<std::ranges::range_value_t<Labels>>
std::vector<float> class_weights(Labels const& labels, std::int64_t classes) {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(std::max<std::int64_t>(classes, 0)));
    for (auto const label : labels) {
        if (label < 0 || static_cast<std::int64_t>(label) >= classes)
            raise_parts<value_error>(
                {"xgrad: class_weights: a label is ", static_cast<std::int64_t>(label), ", outside of the ", classes, " classes"});
        ++counts[static_cast<std::size_t>(label)];
    }
    std::vector<float> r;
    for (std::int64_t const n : counts)
        r.push_back(n == 0 ? 0.F
                           : static_cast<float>(
                                 static_cast<double>(std::ranges::size(labels)) / (static_cast<double>(classes) * static_cast<double>(n))));
    return r;
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
