// SPDX-License-Identifier: MIT
// Draws wrong classes, for losses that compare the right class with a few of them.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/error.hpp>
#include <xgrad/data/shuffle.hpp>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <ranges>
#include <string_view>
#include <type_traits>
#include <vector>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// A sequence of uniform numbers of 53 bits that depend only on seed and position.
class uniform_stream {
    random_key key_;
    std::uint64_t drawn_ = 0;
    random_words words_;

public:
    uniform_stream(std::string_view name, std::uint64_t seed) : key_{.seed = seed, .name_hash = hash_name(name)} {}
    double next() {
        constexpr std::uint64_t draws = random_words::count / 2;
        if (drawn_ % draws == 0) words_.fill(key_, drawn_ / draws);
        std::uint32_t const* const word = words_.bits + drawn_++ % draws * 2;
        return uniform01(word[0], word[1]);
    }
};
template<class Id>
void check_id_range(std::string_view sampler, std::int64_t range) {
    if (range > std::numeric_limits<Id>::max())
        raise_parts<value_error>({"xgrad: ", sampler, ": there are ", range, " classes; int32 cannot name them all, write std::int64_t"});
}
}   // namespace detail

/// What a sampler fills: contiguous std::int32_t or std::int64_t, such as a vector, an array, a span.
template<class R>
concept SampledIds =
    std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
    (std::same_as<std::ranges::range_reference_t<R>, std::int32_t&> || std::same_as<std::ranges::range_reference_t<R>, std::int64_t&>);

/// Draws classes 0 ... range−1 with P(k) = (log(k + 2) − log(k + 1)) / log(range + 1). The classes should be sorted by
/// decreasing frequency. A class may be drawn several times. Source: TensorFlow's
/// tf.random.log_uniform_candidate_sampler(unique=False).
class log_uniform_sampler {
    std::int64_t range_;
    detail::uniform_stream stream_;

public:
    /// Throws value_error for a range below 1.
    explicit log_uniform_sampler(std::int64_t range, std::uint64_t seed = 0) : range_(range), stream_("log_uniform_sampler", seed) {
        if (range < 1) raise_parts<value_error>({"xgrad: log_uniform_sampler: the range is ", range, "; there must be at least one class"});
    }
    double probability(std::int64_t id) const {
        if (id < 0 || id >= range_) return 0;
        return std::log1p(1 / (static_cast<double>(id) + 1)) / std::log1p(static_cast<double>(range_));
    }
    /// Fills `ids`, a vector, array or span of int32 or int64.
    template<SampledIds Ids>
    void sample(Ids&& ids) {
        using Id = std::ranges::range_value_t<Ids>;
        detail::check_id_range<Id>("log_uniform_sampler", range_);
        for (Id& id : ids) {
            double const drawn = std::floor(std::exp(stream_.next() * std::log1p(static_cast<double>(range_)))) - 1;
            id = static_cast<Id>(drawn < static_cast<double>(range_) ? drawn : static_cast<double>(range_ - 1));
        }
    }
};

/// Draws classes with P(k) ∝ counts[k]^power, in constant time per draw. A class may be drawn several times. The power
/// 0.75 is that of word2vec.
/// Source: Walker's alias method, by Vose 1991; Mikolov et al. 2013, arXiv 1310.4546.
class unigram_sampler {
    std::vector<double> probability_, threshold_;
    std::vector<std::int64_t> alias_;
    detail::uniform_stream stream_;

public:
    /// Takes a vector, array or span of counts. Throws value_error if it is empty, a count is negative or not finite,
    /// or all are 0.
    template<std::ranges::contiguous_range Counts>
        requires std::is_arithmetic_v<std::ranges::range_value_t<Counts>>
    explicit unigram_sampler(Counts const& counts, double power = 0.75, std::uint64_t seed = 0) : stream_("unigram_sampler", seed) {
        double sum = 0;
        for (auto const number : counts) {
            double const count = static_cast<double>(number);
            if (!(count >= 0) || !std::isfinite(count))
                raise_parts<value_error>(
                    {"xgrad: unigram_sampler: count ", static_cast<std::int64_t>(probability_.size()), " is negative or not finite"});
            probability_.push_back(count > 0 ? std::pow(count, power) : 0);
            sum += probability_.back();
        }
        if (!(sum > 0) || !std::isfinite(sum))
            raise_parts<value_error>({"xgrad: unigram_sampler: the counts are empty, all 0, or too large for this power"});
        std::size_t const n = probability_.size();
        std::vector<std::size_t> small, large;
        for (std::size_t k = 0; k < n; ++k) {
            probability_[k] /= sum;
            threshold_.push_back(probability_[k] * static_cast<double>(n));
            alias_.push_back(static_cast<std::int64_t>(k));
            (threshold_[k] < 1 ? small : large).push_back(k);
        }
        while (!small.empty() && !large.empty()) {
            std::size_t const s = small.back(), l = large.back();
            small.pop_back();
            alias_[s] = static_cast<std::int64_t>(l);
            threshold_[l] -= 1 - threshold_[s];
            if (threshold_[l] < 1) {
                large.pop_back();
                small.push_back(l);
            }
        }
        // Because of rounding, some classes with a threshold of nearly 1 are left. A class that never occurs must still
        // not be drawn.
        auto const most = std::max_element(probability_.begin(), probability_.end()) - probability_.begin();
        for (std::size_t const k : small)
            if (probability_[k] > 0) threshold_[k] = 1;
            else alias_[k] = static_cast<std::int64_t>(most);
        for (std::size_t const k : large) threshold_[k] = 1;
    }

    double probability(std::int64_t id) const {
        return id < 0 || static_cast<std::size_t>(id) >= probability_.size() ? 0 : probability_[static_cast<std::size_t>(id)];
    }
    /// Fills `ids`, a vector, array or span of int32 or int64.
    template<SampledIds Ids>
    void sample(Ids&& ids) {
        using Id = std::ranges::range_value_t<Ids>;
        detail::check_id_range<Id>("unigram_sampler", static_cast<std::int64_t>(threshold_.size()));
        for (Id& id : ids) {
            double const place = stream_.next() * static_cast<double>(threshold_.size());
            auto const k = static_cast<std::size_t>(place);
            id = static_cast<Id>(place - static_cast<double>(k) < threshold_[k] ? static_cast<std::int64_t>(k) : alias_[k]);
        }
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
