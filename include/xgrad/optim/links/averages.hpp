// SPDX-License-Identifier: MIT
// Transforms for chain(...) that average the new values. They come after the rule.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/error.hpp>
#include <xgrad/optim/body_parts.hpp>
#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/rule.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// a ← a + (θ − a) · weight.
template<class T, class V>
XGRAD_INLINE void move_average(one_scalar<T> const& s, V param, V& average) {
    average = average + (param - average) * V(s.value);
}
}   // namespace detail

/// Starts averages that have not begun. In a lazy chain these are the rows that no gradient has reached; they are NaN
/// and get the values.
/// Call it before an evaluation: `begin_averages(train.slot(w, "average"), train.value(w))`.
/// \throws shape_error if the sizes differ.
template<class Averages, class Values>
void begin_averages(Averages&& averages, Values const& values) {
    auto* const a = averages.data();
    auto const* const v = values.data();
    auto const n = static_cast<std::uint64_t>(averages.size()), given = static_cast<std::uint64_t>(values.size());
    if (n != given) raise_parts<shape_error>({"begin_averages: ", n, " averages of ", given, " values"});
    for (std::uint64_t i = 0; i < n; ++i)
        if (a[i] != a[i]) a[i] = static_cast<std::remove_reference_t<decltype(a[i])>>(v[i]);
}

/// Exponential moving average of the new values: a ← a − (1 − d)(a − θ), in the slot "average" (TensorFlow's
/// ExponentialMovingAverage).
/// The average begins as the parameter before its first step. Copy it for evaluation: `train.slot(w, "average")`.
///
/// * `num_updates`: d is min(decay, (1 + n) / (10 + n)), where n is the number of steps including this one.
///   TensorFlow's MovingAverageOptimizer does this with num_updates = global_step. Otherwise d is `decay`.
/// * `zero_debias`: 1 − d becomes (1 − d) / (1 − dⁿ) in step n. This is the average that begins at 0, divided by
///   1 − dⁿ. After the first step a is θ.
///
/// Sparse: averages every row, like TensorFlow. `lazy{chain(...)}` averages the rows that occur, each from its value
/// before its first step. Rows without a step are NaN (see begin_averages).
struct ema {
    static constexpr std::string_view name = "ema";
    static constexpr bool is_transform = true, behind = true;
    hyper decay{0.999};
    bool num_updates = false, zero_debias = false;

    static constexpr std::array<slot_info, 2> slots{slot_info("average"), slot_info("average_power", per::optimizer)};
    double slot_init(int slot) const { return slot == 1 ? 1 : std::numeric_limits<double>::quiet_NaN(); }
    static constexpr int flops = 4;
    static constexpr sparse_semantics sparse = sparse_semantics::exact;
    auto hypers() const { return std::array{hyper_info("decay", decay, allow::up_to_one)}; }
    void advance_powers(double* p, std::int64_t step) const { p[0] *= decay_at(step); }
    template<class T>
    using scalars = one_scalar<T>;
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* p) const {
        double const d = decay_at(step);
        return {static_cast<T>(zero_debias && d < 1 ? (1 - d) / (1 - d * p[0]) : 1 - d)};
    }
    template<class T, class V>
    XGRAD_INLINE static void begin(one_scalar<T> const&, V param, V* slot) {
        slot[0] = detail::begun(slot[0], param);
    }
    template<class T, class V>
    XGRAD_INLINE static void update(one_scalar<T> const& s, V& param, V&, V* slot) {
        detail::move_average(s, param, slot[0]);
    }

private:
    double decay_at(std::int64_t step) const {
        double const n = static_cast<double>(step + 1), d = decay(step);
        return num_updates ? std::min(d, (1 + n) / (10 + n)) : d;
    }
};

/// The mean of the values after step `start` and after every `every` further steps, in the slot "average". Before
/// `start` it is the value itself.
/// With every = 1 this is Polyak and Ruppert's average. With a larger one it is stochastic weight averaging (Izmailov
/// and others 2018, arXiv 1803.05407).
/// Sparse: like ema.
struct polyak_average {
    static constexpr std::string_view name = "polyak_average";
    static constexpr bool is_transform = true, behind = true;
    std::int64_t start = 0, every = 1;

    static constexpr std::array<slot_info, 1> slots{slot_info("average")};
    double slot_init(int) const { return std::numeric_limits<double>::quiet_NaN(); }
    static constexpr int flops = 4;
    static constexpr sparse_semantics sparse = sparse_semantics::exact;
    auto hypers() const {
        return std::array{hyper_info("start", static_cast<double>(start), allow::zero_or_more),
            hyper_info("every", static_cast<double>(every), allow::at_least_one)};
    }
    template<class T>
    using scalars = one_scalar<T>;
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        std::int64_t const since = step - start;
        if (since <= 0) return {T(1)};
        return {since % every == 0 ? static_cast<T>(1.0 / (1.0 + static_cast<double>(since / every))) : T(0)};
    }
    template<class T, class V>
    XGRAD_INLINE static void begin(one_scalar<T> const&, V param, V* slot) {
        slot[0] = detail::begun(slot[0], param);
    }
    template<class T, class V>
    XGRAD_INLINE static void update(one_scalar<T> const& s, V& param, V&, V* slot) {
        detail::move_average(s, param, slot[0]);
    }
};

/// A number of steps, from an integer. Other types, such as a rule, are rejected with one message.
class step_period {
    std::int64_t steps_;

public:
    template<class N>
        requires std::is_integral_v<N>
    constexpr step_period(N steps) : steps_(static_cast<std::int64_t>(steps)) {}
    template<class T>
        requires(!std::is_integral_v<T> && !std::is_same_v<T, step_period>)
    constexpr step_period(T const&) : steps_(1) {
        static_assert(sizeof(T) == 0,
            "xgrad::lookahead: the period is not a number of steps, but a rule or trainer; write it after the rule in a chain: "
            "chain(adam{}, lookahead{.period = 5})");
    }
    constexpr operator std::int64_t() const { return steps_; }
};

/// Every `period` steps the slow weights s move towards the parameter, and the parameter is set to them: s ← s + alpha
/// (θ − s), θ ← s.
/// The slot "slow" holds s. It begins as the parameter before its first step.
/// Source: Zhang, Lucas, Hinton, Ba 2019, arXiv 1907.08610.
/// Sparse: every row. `lazy{chain(...)}` moves the rows that occur.
struct lookahead {
    static constexpr std::string_view name = "lookahead";
    static constexpr bool is_transform = true, behind = true;
    step_period period = 5;
    hyper alpha{0.5};

    static constexpr std::array<slot_info, 1> slots{slot_info("slow")};
    double slot_init(int) const { return std::numeric_limits<double>::quiet_NaN(); }
    static constexpr int flops = 5;
    static constexpr sparse_semantics sparse = sparse_semantics::exact;
    auto hypers() const {
        return std::array{
            hyper_info("period", static_cast<double>(period), allow::at_least_one), hyper_info("alpha", alpha, allow::up_to_one)};
    }
    template<class T>
    struct scalars {
        T alpha, meets;   // meets: 1 in a step that updates the slow weights, else 0
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {static_cast<T>(alpha(step)), (step + 1) % period == 0 ? T(1) : T(0)};
    }
    template<class T, class V>
    XGRAD_INLINE static void begin(scalars<T> const&, V param, V* slot) {
        slot[0] = detail::begun(slot[0], param);
    }
    template<class T, class V>
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V&, V* slot) {
        V const now(s.meets), slow = slot[0] + (param - slot[0]) * V(s.alpha);
        slot[0] = math::where(now, slow, slot[0]);
        param = math::where(now, slow, param);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
