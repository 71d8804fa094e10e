// SPDX-License-Identifier: MIT
// Remembers the counters of a trainer, to detect later whether it has changed.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/train/trainer.hpp>

#include <algorithm>
#include <span>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Global step and scalars of a trainer at the time of `take`.
class centre_mark {
    std::int64_t step_ = 0;
    std::vector<double> powers_;

    template<class P>
    static std::span<double const> powers_of(trainer<P> const& t) {
        auto const& powers = t.optimizer().powers;
        return {powers.at, static_cast<std::size_t>(powers.count)};
    }

public:
    template<class P>
    void take(trainer<P> const& t) {
        auto const powers = powers_of(t);
        step_ = t.global_step();
        powers_.assign(powers.begin(), powers.end());
    }
    /// True if the trainer has not been restored, reset or trained since `take`.
    template<class P>
    bool fits(trainer<P> const& t) const {
        return step_ == t.global_step() && std::ranges::equal(powers_, powers_of(t));
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
