// SPDX-License-Identifier: MIT
// The loops of a linear-chain conditional random field, for one row of a batch: forward, backward, best path.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/sequences/log_loops.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail::crf_loops {
using namespace log_loops;

/// The transitions as exp(transition − the largest of its column). Sums over tags are sums of products then, which do not
/// compute an exponential for each pair of tags. A sum that comes near to underflow is computed again in the logarithmic scale.
template<class T>
struct chain {
    std::int64_t tags, width;   // width: tags up to whole registers
    T const* transitions;       // [tags, tags]
    T *factors, *shifts;        // [tags, width], [width]
    static constexpr T tiny = sizeof(T) == 4 ? T(1e-25) : T(1e-280);

    chain(T const* given, std::int64_t n, rows_of_scratch<T>& memory)
        : tags(n), width(padded<T>(n)), transitions(given), factors(memory.take(n * width)), shifts(memory.take(n)) {
        using V = simd::batch<T>;
        constexpr auto w = static_cast<std::int64_t>(simd::width<T>);
        for (std::int64_t j = 0; j < n; j += w) {
            V most(minus_infinity<T>);
            for (std::int64_t i = 0; i < n; ++i) most = simd::max(lanes_from(given + i * n, j, n, minus_infinity<T>), most);
            most = simd::select(most == V(minus_infinity<T>), V(T(0)), most);
            simd::store(shifts + j, most);
            for (std::int64_t i = 0; i < n; ++i)
                simd::store(factors + i * width + j, simd::exp(lanes_from(given + i * n, j, n, minus_infinity<T>) - most));
        }
    }
    /// Bytes of scratch memory for n tags.
    template<class N>
    static constexpr N elements(N const& n, N const& padding) {
        return n * (n + padding) + n + padding;
    }
    /// log Σ exp(before + transitions[·, to]).
    XGRAD_COLD T exact_to(T const* before, std::int64_t to) const {
        T most = minus_infinity<T>, sum = 0;
        for (std::int64_t i = 0; i < tags; ++i) most = math::max(before[i] + transitions[i * tags + to], most);
        T const shift = finite_shift(most);
        for (std::int64_t i = 0; i < tags; ++i) sum += math::exp(before[i] + transitions[i * tags + to] - shift);
        return shift + math::log(sum);
    }
    /// log Σ exp(transitions[from, ·] + after).
    XGRAD_COLD T exact_from(T const* after, std::int64_t from) const {
        T most = minus_infinity<T>, sum = 0;
        T const* const row = transitions + from * tags;
        for (std::int64_t j = 0; j < tags; ++j) most = math::max(row[j] + after[j], most);
        T const shift = finite_shift(most);
        for (std::int64_t j = 0; j < tags; ++j) sum += math::exp(row[j] + after[j] - shift);
        return shift + math::log(sum);
    }
    /// next = input + log Σ exp(before + transitions), all [tags]. `weights` is memory for [tags]: it becomes exp(before − its largest).
    void forward(T const* before, T const* input, T* next, T* weights) const {
        using V = simd::batch<T>;
        constexpr auto w = static_cast<std::int64_t>(simd::width<T>);
        T const shift = finite_shift(largest(before, tags));
        exponentials(before, tags, shift, weights);
        for (std::int64_t j = 0; j < tags; j += w) {
            V sums[4]{V(T(0)), V(T(0)), V(T(0)), V(T(0))};
            std::int64_t i = 0;
            for (; i + 4 <= tags; i += 4)
                for (int k = 0; k < 4; ++k) sums[k] = simd::fma(V(weights[i + k]), simd::load(factors + (i + k) * width + j), sums[k]);
            for (; i < tags; ++i) sums[0] = simd::fma(V(weights[i]), simd::load(factors + i * width + j), sums[0]);
            V const sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
            std::size_t const n = lanes_at<T>(j, tags);
            store_lanes(next, j, tags, lanes_from(input, j, tags, T(0)) + (simd::load(shifts + j) + V(shift)) + simd::log(sum));
            for (std::size_t k = 0; k < n; ++k)
                if (!(sum[k] >= tiny)) {
                    std::int64_t const to = j + static_cast<std::int64_t>(k);
                    next[to] = input[to] + exact_to(before, to);
                }
        }
    }
    /// before = log Σ exp(transitions + after), all [tags]. `weights`: memory for [tags].
    void backward(T const* after, T* before, T* weights) const {
        using V = simd::batch<T>;
        constexpr auto w = static_cast<std::int64_t>(simd::width<T>);
        for (std::int64_t j = 0; j < tags; j += w)
            simd::store(weights + j, lanes_from(after, j, tags, minus_infinity<T>) + simd::load(shifts + j));
        T const shift = finite_shift(largest(weights, tags));
        exponentials(weights, tags, shift, weights);
        for (std::int64_t i = 0; i < tags; ++i) {
            V sum(T(0));
            for (std::int64_t j = 0; j < tags; j += w) sum = simd::fma(simd::load(factors + i * width + j), simd::load(weights + j), sum);
            T const total = simd::sum(sum);
            before[i] = total >= tiny ? shift + math::log(total) : exact_from(after, i);
        }
    }
};

/// alpha [time, tags]: log of the sum over all paths up to each tag, of the first n time steps.
template<class T>
void forward_row(chain<T> const& c, T const* inputs, std::int64_t n, T* alpha, T* weights) {
    for (std::int64_t j = 0; j < c.tags && n > 0; ++j) alpha[j] = inputs[j];
    for (std::int64_t t = 1; t < n; ++t) c.forward(alpha + (t - 1) * c.tags, inputs + t * c.tags, alpha + t * c.tags, weights);
}
template<class T, class I>
T score_of_path(chain<T> const& c, T const* inputs, I const* path, std::int64_t n) {
    T score = 0;
    for (std::int64_t t = 0; t < n; ++t) {
        score += inputs[t * c.tags + static_cast<std::int64_t>(path[t])];
        if (t > 0) score += c.transitions[static_cast<std::int64_t>(path[t - 1]) * c.tags + static_cast<std::int64_t>(path[t])];
    }
    return score;
}
/// Memory of backward_row: pairs [tags, width], and rows of [tags].
template<class T>
struct backward_memory {
    T *pairs, *weights, *after, *beta, *next, *slopes;
    backward_memory(chain<T> const& c, rows_of_scratch<T>& memory)
        : pairs(memory.take(c.tags * c.width)), weights(memory.take(c.tags)), after(memory.take(c.tags)), beta(memory.take(c.tags)),
          next(memory.take(c.tags)), slopes(memory.take(c.tags)) {}
};
/// The gradients of g times the log-likelihood of a path: of the inputs [time, tags] and of the transitions [tags, tags].
template<class T, class I>
void backward_row(chain<T> const& c, T const* inputs, I const* path, std::int64_t n, std::int64_t time, T const* alpha, T g, T* of_inputs,
    T* of_transitions, backward_memory<T> const& m) {
    using V = simd::batch<T>;
    constexpr auto w = static_cast<std::int64_t>(simd::width<T>);
    std::int64_t const k = c.tags;
    for (std::int64_t i = 0; i < k * k; ++i) of_transitions[i] = T(0);
    for (std::int64_t i = n * k; i < time * k; ++i) of_inputs[i] = T(0);
    if (n == 0) return;
    for (std::int64_t i = 0; i < k * c.width; ++i) m.pairs[i] = T(0);
    T const norm = log_of_sum(alpha + (n - 1) * k, k);
    T *beta = m.beta, *next = m.next;
    for (std::int64_t j = 0; j < k; ++j) beta[j] = T(0);
    for (std::int64_t t = n - 1; t >= 0; --t) {
        T const* const here = alpha + t * k;
        for (std::int64_t j = 0; j < k; j += w) {
            V const marginal = simd::exp(lanes_from(here, j, k, minus_infinity<T>) + lanes_from(beta, j, k, T(0)) - V(norm));
            store_lanes(of_inputs + t * k, j, k, V(-g) * marginal);
        }
        of_inputs[t * k + static_cast<std::int64_t>(path[t])] += g;
        if (t == 0) break;
        T const* const before = alpha + (t - 1) * k;
        T const shift = finite_shift(largest(before, k));
        exponentials(before, k, shift, m.weights);
        for (std::int64_t j = 0; j < k; j += w) {   // probabilities of pairs are weights · factors · slopes
            V const after = lanes_from(inputs + t * k, j, k, minus_infinity<T>) + lanes_from(beta, j, k, T(0));
            store_lanes(m.after, j, k, after);
            simd::store(m.slopes + j, simd::exp(after + (simd::load(c.shifts + j) + V(shift - norm))));
        }
        for (std::int64_t j = 0; j < k; ++j) {
            if (m.slopes[j] <= T(1) / chain<T>::tiny) continue;   // else the sum of weights · factors is near to underflow
            m.slopes[j] = T(0);
            for (std::int64_t i = 0; i < k; ++i)
                of_transitions[i * k + j] += math::exp(before[i] + c.transitions[i * k + j] + m.after[j] - norm);
        }
        for (std::int64_t i = 0; i < k; ++i) {
            V const weight(m.weights[i]);
            T* const pairs = m.pairs + i * c.width;
            for (std::int64_t j = 0; j < k; j += w)
                simd::store(pairs + j, simd::fma(weight, simd::load(m.slopes + j), simd::load(pairs + j)));
        }
        c.backward(m.after, next, m.weights);
        T* const done = beta;
        beta = next;
        next = done;
        of_transitions[static_cast<std::int64_t>(path[t - 1]) * k + static_cast<std::int64_t>(path[t])] -= T(1);
    }
    for (std::int64_t i = 0; i < k; ++i)
        for (std::int64_t j = 0; j < k; ++j)
            of_transitions[i * k + j] = -g * (of_transitions[i * k + j] + m.pairs[i * c.width + j] * c.factors[i * c.width + j]);
}
/// The path of the highest score and this score. Of equal ones the first tag is taken. `from`: memory [time, tags], `best` and
/// `next`: [tags].
template<class T, class I>
T best_path(T const* inputs, T const* transitions, std::int64_t n, std::int64_t time, std::int64_t k, I* path, T* best, T* next, T* from) {
    using V = simd::batch<T>;
    constexpr auto w = static_cast<std::int64_t>(simd::width<T>);
    for (std::int64_t t = n; t < time; ++t) path[t] = I(0);
    if (n == 0) return T(0);
    std::int64_t const width = padded<T>(k);
    for (std::int64_t j = 0; j < k; ++j) best[j] = inputs[j];
    for (std::int64_t t = 1; t < n; ++t) {
        for (std::int64_t j = 0; j < k; j += w) {
            V most = V(best[0]) + lanes_from(transitions, j, k, T(0)), at(T(0));
            for (std::int64_t i = 1; i < k; ++i) {
                V const score = V(best[i]) + lanes_from(transitions + i * k, j, k, T(0));
                auto const better = score > most;
                most = simd::select(better, score, most);
                at = simd::select(better, V(static_cast<T>(i)), at);
            }
            store_lanes(next, j, k, most + lanes_from(inputs + t * k, j, k, T(0)));
            simd::store(from + t * width + j, at);
        }
        T* const done = best;
        best = next;
        next = done;
    }
    std::int64_t last = 0;
    for (std::int64_t j = 1; j < k; ++j)
        if (best[j] > best[last]) last = j;
    T const score = best[last];
    for (std::int64_t t = n - 1; t >= 0; --t) {
        path[t] = static_cast<I>(last);
        if (t > 0) last = static_cast<std::int64_t>(from[t * width + last]);
    }
    return score;
}

}   // namespace detail::crf_loops
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
