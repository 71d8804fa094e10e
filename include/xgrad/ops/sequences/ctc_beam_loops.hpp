// SPDX-License-Identifier: MIT
// Prefix beam search for one row of connectionist temporal classification.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/sequences/log_loops.hpp>

#include <algorithm>
#include <cmath>

XGRAD_NAMESPACE_BEGIN
namespace detail::ctc_beams {

using log_loops::minus_infinity;

/// log(exp(a) + exp(b)). NaN if one of them is NaN.
template<class T>
T add_logs(T a, T b) {
    T const high = b > a ? b : a, low = b > a ? a : b;
    return high == minus_infinity<T> ? low : high + std::log1p(std::exp(low - high));
}

/// A sequence of labels, as the last node of its path in the tree of all sequences, and its probabilities (logarithms).
template<class T>
struct beam {
    std::int32_t node, label;   // label: the last one, −1 of the empty sequence
    T blank, last;              // of the paths whose last class is the blank, and of those whose last class is the label
    T all() const { return add_logs(blank, last); }
};
/// A beam of the next time step: beam `from` as it is (label −1), or with one more label.
template<class T>
struct candidate {
    T score;
    std::int32_t from, label, order;
    // Of equal scores the earlier candidate is better. A score of NaN is the worst.
    bool better_than(candidate const& other) const {
        bool const more = score > other.score || (score == score && other.score != other.score);
        bool const less = other.score > score || (other.score == other.score && score != score);
        return more || (!less && order < other.order);
    }
};
/// A sequence has one node, also while it is no beam: beams that begin with it can still be there.
struct node {
    std::int32_t parent, label, beam;   // beam: its number among the beams, or −1
    std::int32_t child, sibling;        // the last child, and the child before this; −1 where it is missing
};

/// Bytes of scratch memory for `width` beams and up to `time` steps are bytes_each * time + bytes_more(width, classes).
template<class T>
constexpr std::int64_t bytes_of_beam = 2 * sizeof(beam<T>) + sizeof(candidate<T>) + 2 * sizeof(T) + sizeof(node);
constexpr std::int64_t bytes_of_step(std::int64_t width) { return width * static_cast<std::int64_t>(sizeof(node)); }
constexpr std::int64_t bytes_of_row(std::int64_t width, std::int64_t classes) {
    return width * bytes_of_beam<double> + classes * 16 + static_cast<std::int64_t>(sizeof(node)) + 512;
}

template<class T>
struct search {
    std::int64_t classes, blank, width;
    beam<T>*now, *next;
    candidate<T>* best;   // a heap whose first is the worst
    T *all, *stays;       // of each beam: the probability now, and of paths that keep it and end with its label
    node* tree;
    T* chances;            // log probabilities of the classes
    std::int32_t* taken;   // a class that extends a beam to another beam holds the number of the former
    std::int64_t count = 0, nodes = 0, kept = 0;

    search(std::int64_t class_count, std::int64_t blank_class, std::int64_t beams, std::byte* memory)
        : classes(class_count), blank(blank_class), width(beams) {
        auto const take = [&]<class U>(U*& p, std::int64_t n) {
            p = reinterpret_cast<U*>(memory);
            memory += (static_cast<std::size_t>(n) * sizeof(U) + 63) / 64 * 64;
        };
        take(now, width), take(next, width), take(best, width), take(all, width), take(stays, width);
        take(chances, log_loops::padded<T>(classes)), take(taken, classes), take(tree, 0);
    }

    void offer(T score, std::int64_t from, std::int64_t label, std::int64_t order) {
        candidate<T> const c{score, static_cast<std::int32_t>(from), static_cast<std::int32_t>(label), static_cast<std::int32_t>(order)};
        auto const worse = [](candidate<T> const& a, candidate<T> const& b) { return a.better_than(b); };
        if (kept == width) {
            if (!c.better_than(best[0])) return;
            std::pop_heap(best, best + kept--, worse);
        }
        best[kept++] = c;
        std::push_heap(best, best + kept, worse);
    }
    std::int32_t number_of_parent(beam<T> const& b) const { return b.label < 0 ? -1 : tree[tree[b.node].parent].beam; }

    /// The node of a sequence with one more label.
    std::int32_t child(std::int32_t of, std::int32_t label) {
        for (std::int32_t at = tree[of].child; at >= 0; at = tree[at].sibling)
            if (tree[at].label == label) return at;
        auto const made = static_cast<std::int32_t>(nodes++);
        tree[made] = {of, label, -1, -1, tree[of].child};
        tree[of].child = made;
        return made;
    }
    /// One time step with these logits.
    void step(T const* logits) {
        T const norm = log_loops::log_of_sum(logits, classes);
        for (std::int64_t c = 0; c < classes; ++c) chances[c] = logits[c] - norm;
        kept = 0;
        for (std::int64_t i = 0; i < count; ++i) all[i] = now[i].all();
        for (std::int64_t i = 0; i < count; ++i) {
            beam<T> const& b = now[i];
            T last = minus_infinity<T>;
            if (b.label >= 0) {
                last = b.last;
                if (std::int32_t const p = number_of_parent(b); p >= 0)
                    last = add_logs(last, now[p].label == b.label ? now[p].blank : all[p]);
                last += chances[b.label];
            }
            stays[i] = last;
            offer(add_logs(all[i] + chances[blank], last), i, -1, i);
        }
        for (std::int64_t c = 0; c < classes; ++c) taken[c] = -1;
        for (std::int64_t i = 0; i < count; ++i) {
            for (std::int32_t at = tree[now[i].node].child; at >= 0; at = tree[at].sibling)
                if (tree[at].beam >= 0) taken[tree[at].label] = static_cast<std::int32_t>(i);
            for (std::int64_t c = 0; c < classes; ++c) {
                T const score = (c == now[i].label ? now[i].blank : all[i]) + chances[c];
                if (c != blank && taken[c] != i && score > minus_infinity<T>) offer(score, i, c, width + i * classes + c);
            }
        }
        for (std::int64_t k = 0; k < kept; ++k) {
            auto const [score, from, label, order] = best[k];
            beam<T> const& b = now[from];
            if (label < 0) next[k] = {b.node, b.label, all[from] + chances[blank], stays[from]};
            else next[k] = {child(b.node, label), label, minus_infinity<T>, score};
        }
        for (std::int64_t i = 0; i < count; ++i) tree[now[i].node].beam = -1;
        for (std::int64_t k = 0; k < kept; ++k) tree[next[k].node].beam = static_cast<std::int32_t>(k);
        std::swap(now, next);
        count = kept;
    }
    /// All steps of a row. The beams are then in the order of their probabilities.
    void run(T const* logits, std::int64_t steps) {
        tree[0] = {-1, -1, 0, -1, -1};
        now[0] = {0, -1, T(0), minus_infinity<T>};
        count = nodes = 1;
        for (std::int64_t t = 0; t < steps; ++t) step(logits + t * classes);
        std::sort(now, now + count, [](beam<T> const& a, beam<T> const& b) {
            T const x = a.all(), y = b.all();
            return x > y || (x == y && a.node < b.node);
        });
    }
    /// The labels of beam k, −1 after the last of them; returns their number.
    std::int64_t labels(std::int64_t k, std::int32_t* to, std::int64_t room) const {
        std::int64_t n = 0;
        if (k < count)
            for (std::int32_t at = now[k].node; tree[at].parent >= 0; at = tree[at].parent) to[n++] = tree[at].label;
        std::reverse(to, to + n);
        std::fill(to + n, to + room, std::int32_t(-1));
        return n;
    }
};

}   // namespace detail::ctc_beams
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
