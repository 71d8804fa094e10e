// SPDX-License-Identifier: MIT
// The loops of connectionist temporal classification, for one row of a batch: forward, backward.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/sequences/log_loops.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail::ctc_loops {
using namespace log_loops;

/// log(exp(a) + exp(b) + exp(c)), minus infinity if all are.
template<class T>
XGRAD_INLINE simd::batch<T> log_of_three(simd::batch<T> a, simd::batch<T> b, simd::batch<T> c) {
    using V = simd::batch<T>;
    V const low = simd::min(a, b), high = simd::max(a, b), most = simd::max(high, c), middle = simd::min(high, c);
    V const shift = simd::select(most == V(minus_infinity<T>), V(T(0)), most);
    return most + simd::log(V(T(1)) + simd::exp(low - shift) + simd::exp(middle - shift));
}
/// The states of a row: a blank, then each label and a blank. A path goes to the next state, or from a label to another one.
template<class T>
struct states {
    std::int64_t labels, count, most;   // most: states of the longest row of the batch
    T *emitted, *skips, *first, *second, *third;
    static constexpr std::int64_t elements_each = 10,
                                  elements_more = 160;   // of scratch memory: for each label of the longest row, and more

    states(std::int64_t longest, rows_of_scratch<T>& memory) : labels(0), count(1), most(2 * longest + 1) {
        emitted = memory.take(most);
        skips = memory.take(most + 2);
        first = memory.take(most + 4 + most_padding);
        second = memory.take(most + 4 + most_padding);
        third = memory.take(most);
    }
    template<class I>
    void begin(I const* label, std::int64_t n) {
        labels = n;
        count = 2 * n + 1;
        std::int64_t const all = padded<T>(most + 2);
        for (std::int64_t s = 0; s < all; ++s) skips[s] = minus_infinity<T>;
        for (std::int64_t i = 1; i < n; ++i)
            if (label[i] != label[i - 1]) skips[2 * i + 1] = T(0);
    }
    /// The logarithms of the probabilities of the states in a time step.
    template<class I>
    void emit(T const* logits, I const* label, std::int64_t blank, T norm) {
        T const of_blank = logits[blank] - norm;
        emitted[0] = of_blank;
        for (std::int64_t i = 0; i < labels; ++i) {
            emitted[2 * i + 1] = logits[static_cast<std::int64_t>(label[i])] - norm;
            emitted[2 * i + 2] = of_blank;
        }
    }
};
/// alpha [time, most states] of the first n time steps, norms [time], and the logarithm of the probability of the labels.
template<class T, class I>
T forward_row(
    states<T> const& given, T const* logits, std::int64_t n, std::int64_t classes, I const* label, std::int64_t blank, T* alpha, T* norms) {
    using V = simd::batch<T>;
    constexpr auto w = static_cast<std::int64_t>(simd::width<T>);
    states<T> s = given;
    if (n == 0) return s.labels == 0 ? T(0) : minus_infinity<T>;
    T *before = s.first + 2, *next = s.second + 2;
    for (T* const row : {before, next})
        for (std::int64_t i = -2; i < padded<T>(s.count); ++i) row[i] = minus_infinity<T>;
    for (std::int64_t t = 0; t < n; ++t) {
        norms[t] = log_of_sum(logits + t * classes, classes);
        s.emit(logits + t * classes, label, blank, norms[t]);
        T* const row = alpha + t * s.most;
        if (t == 0) {
            before[0] = s.emitted[0];
            if (s.count > 1) before[1] = s.emitted[1];
            for (std::int64_t i = 0; i < s.count; ++i) row[i] = before[i];
            continue;
        }
        for (std::int64_t i = 0; i < s.count; i += w) {
            V const sum =
                log_of_three(simd::load(before + i), simd::load(before + i - 1), simd::load(before + i - 2) + simd::load(s.skips + i));
            V const a = sum + lanes_from(s.emitted, i, s.count, minus_infinity<T>);
            simd::store(next + i, a);
            store_lanes(row, i, s.count, a);
        }
        T* const done = before;
        before = next;
        next = done;
    }
    T const a = before[s.count - 1], b = s.count > 1 ? before[s.count - 2] : minus_infinity<T>;
    T const most = math::max(b, a), shift = finite_shift(most);
    return shift + math::log(math::exp(a - shift) + math::exp(b - shift));
}
/// The gradient of g times the loss, [time, classes].
template<class T, class I>
void backward_row(states<T> const& given, T const* logits, std::int64_t n, std::int64_t time, std::int64_t classes, I const* label,
    std::int64_t blank, T const* alpha, T const* norms, T log_probability, T g, T* slopes) {
    using V = simd::batch<T>;
    constexpr auto w = static_cast<std::int64_t>(simd::width<T>);
    states<T> s = given;
    std::int64_t const steps = log_probability == minus_infinity<T> ? 0 : n;   // no path: no gradient
    for (std::int64_t i = steps * classes; i < time * classes; ++i) slopes[i] = T(0);
    T *after = s.first, *beta = s.second;   // after: beta of the next time step with what that time step emits, then minus infinity
    for (std::int64_t i = 0; i < s.count + 2 + w; ++i) after[i] = minus_infinity<T>;
    for (std::int64_t t = steps - 1; t >= 0; --t) {
        T const* const here = alpha + t * s.most;
        s.emit(logits + t * classes, label, blank, norms[t]);
        for (std::int64_t i = 0; i < s.count; i += w) {
            V b;
            if (t == steps - 1)
                b = simd::select(simd::iota<V>() + V(static_cast<T>(i)) >= V(static_cast<T>(s.count - 2)), V(T(0)), V(minus_infinity<T>));
            else
                b = log_of_three(simd::load(after + i), simd::load(after + i + 1),
                    simd::load(after + i + 2) + lanes_from(s.skips, i + 2, s.most + 2, minus_infinity<T>));
            simd::store(s.third + i, simd::exp(lanes_from(here, i, s.count, minus_infinity<T>) + b - V(log_probability)));
            simd::store(beta + i, b + lanes_from(s.emitted, i, s.count, minus_infinity<T>));
        }
        for (std::int64_t i = s.count; i < s.count + 2 + w; ++i) beta[i] = minus_infinity<T>;
        T* const done = after;
        after = beta;
        beta = done;
        T* const slope = slopes + t * classes;
        for (std::int64_t c = 0; c < classes; c += w)
            store_lanes(slope, c, classes, V(g) * simd::exp(lanes_from(logits + t * classes, c, classes, T(0)) - V(norms[t])));
        T of_blank = s.third[0];
        for (std::int64_t i = 0; i < s.labels; ++i) {
            slope[static_cast<std::int64_t>(label[i])] -= g * s.third[2 * i + 1];
            of_blank += s.third[2 * i + 2];
        }
        slope[blank] -= g * of_blank;
    }
}

}   // namespace detail::ctc_loops
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
