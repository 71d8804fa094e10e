// SPDX-License-Identifier: MIT
// The parts of a buffer that have been written, as regions. Adjacent regions are merged.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/verify/sizes.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// Second layer of the verifier: the written parts of each buffer.
class plan_regions : protected plan_sizes {
    struct piece {
        memory_region at;
        int next;   // next piece of the same buffer, or -1
    };
    sequence<piece> pieces_;
    sequence<int> first_piece_;      // of each buffer
    sequence<extent_id> elements_;   // of each buffer: number of elements that have been written

    static constexpr void remove(memory_region& r, int d) {
        --r.rank;
        for (; d < r.rank; ++d) {
            r.extent[d] = r.extent[d + 1];
            r.stride[d] = r.stride[d + 1];
        }
    }
    static constexpr bool same(memory_region const& a, memory_region const& b) {
        if (a.offset != b.offset || a.rank != b.rank || a.offset < 0) return false;
        for (int d = 0; d < a.rank; ++d)
            if (a.extent[d] != b.extent[d] || a.stride[d] != b.stride[d] || a.extent[d] < 0 || a.stride[d] < 0) return false;
        return true;
    }
    static constexpr int find_stride(memory_region const& r, extent_id stride) {
        for (int d = 0; d < r.rank; ++d)
            if (r.stride[d] == stride) return d;
        return -1;
    }
    // Appends `b` to `a` if it begins where `a` ends along one dimension and all other dimensions agree.
    constexpr bool join(memory_region& a, memory_region const& b) {
        int odd_a = -1, odd_b = -1, differ = 0;
        for (int d = 0; d < a.rank; ++d) {
            int const k = find_stride(b, a.stride[d]);
            if (k >= 0 && a.extent[d] == b.extent[k]) continue;
            ++differ;
            odd_a = d;
            odd_b = k;
        }
        for (int k = 0; k < b.rank; ++k)
            if (find_stride(a, b.stride[k]) < 0) {
                ++differ;
                odd_b = k;
            }
        if (differ > 1) return false;
        if (differ == 0)   // two equal regions: adjacent along a dimension that both have, or along a new one
            for (int d = 0; d < a.rank; ++d)
                if (b.offset >= 0 && add(a.offset, multiply(a.extent[d], a.stride[d])) == b.offset) {
                    a.extent[d] = add(a.extent[d], a.extent[d]);
                    normalize(a, true);
                    return true;
                }
        extent_id const stride = odd_a >= 0 ? a.stride[odd_a] : odd_b >= 0 ? b.stride[odd_b] : one_extent;
        extent_id const one = odd_a >= 0 ? a.extent[odd_a] : one_extent, two = odd_b >= 0 ? b.extent[odd_b] : one_extent;
        if (stride <= 0 || add(a.offset, multiply(one, stride)) != b.offset || b.offset < 0) return false;
        if (odd_a < 0) {
            if (a.rank == max_rank) return false;
            odd_a = a.rank++;
            a.stride[odd_a] = stride;
        }
        a.extent[odd_a] = add(one, two);
        normalize(a, true);
        return true;
    }

protected:
    constexpr plan_regions(table_view const& table, plan_view const& plan)
        : plan_sizes(table, plan), first_piece_(plan.buffer_count, -1), elements_(plan.buffer_count, zero_extent) {}

    /// The number of elements of a buffer. A buffer that holds one block at a time counts all elements that pass through it.
    constexpr extent_id all_of(int buffer) {
        plan_buffer const& b = p.buffers[buffer];
        return b.passing ? size_of_shape(t.dims(b.node)) : id(b.size);
    }
    /// Removes extents of 1 and repetitions, merges dimensions whose strides continue each other,
    /// and sorts dimensions by the numbers of their strides.
    constexpr void normalize(memory_region& r, bool writes) {
        for (int d = 0; d < r.rank; ++d) r.empty = r.empty || r.extent[d] == zero_extent;
        for (int d = r.rank; d-- > 0;) {
            if (r.extent[d] != one_extent && r.stride[d] != zero_extent) continue;
            if (r.extent[d] != one_extent && !r.empty) {
                if (writes && !dominates(r.extent[d], one_extent)) r.conditional = true;
                r.repeated[r.repeats++] = r.extent[d];
            }
            remove(r, d);
        }
        for (bool changed = r.rank > 1; changed;) {
            changed = false;
            for (int a = 0; a < r.rank && !changed; ++a) {
                extent_id const next_stride = multiply(r.stride[a], r.extent[a]);
                for (int b = 0; b < r.rank && !changed && next_stride >= 0; ++b)
                    if (extent_id const both = multiply(r.extent[a], r.extent[b]); b != a && r.stride[b] == next_stride && both >= 0) {
                        r.extent[a] = both;
                        remove(r, b);
                        changed = true;
                    }
            }
        }
        for (int a = 1; a < r.rank; ++a)
            for (int b = a; b > 0 && r.stride[b] < r.stride[b - 1]; --b) {
                extent_id const e = r.extent[b], s = r.stride[b];
                r.extent[b] = r.extent[b - 1];
                r.stride[b] = r.stride[b - 1];
                r.extent[b - 1] = e;
                r.stride[b - 1] = s;
            }
    }
    static constexpr bool is_whole(memory_region const& r, extent_id size) {
        if (r.offset != zero_extent || size < 0) return false;
        return r.rank == 0 ? size == one_extent : r.rank == 1 && r.stride[0] == one_extent && r.extent[0] == size;
    }
    /// Whether `small` is contained in `large`: the same dimensions or shorter ones, starting at an element of `large`.
    constexpr bool contains(memory_region const& large, memory_region const& small) {
        if (small.empty || same(large, small)) return true;
        if (small.offset < 0) return false;
        extent_id begin[max_rank]{};   // along each dimension of `large`
        extent_id const from = add(small.offset, large.offset, -1);
        if (from < 0 || !dominates(from, zero_extent)) return false;
        if (large.rank == 1 && large.stride[0] == one_extent) {
            memory_region r = small;
            r.offset = from;
            return lies_within(r, large.extent[0]);
        }
        if (from != zero_extent) {   // whole steps along one dimension
            wide_extent const d = pool.values.at[from];
            bool found = false;
            for (int k = 0; k < large.rank && !found; ++k) {
                if (large.stride[k] < 0) return false;
                wide_extent const s = pool.values.at[large.stride[k]];
                if (s.count > 0 || s.constant < 1) {
                    found = from == large.stride[k];
                    if (found) begin[k] = one_extent;
                    continue;
                }
                wide_extent times = d;
                found = divide(times, s.constant) && is_shorter(large, small, k, times);
                if (found) begin[k] = id_of(times);
            }
            if (!found) return false;
        }
        int matched = 0;
        for (int k = 0; k < large.rank; ++k) {
            int const d = find_stride(small, large.stride[k]);
            matched += d >= 0;
            if (!dominates(large.extent[k], add(begin[k], d >= 0 ? small.extent[d] : one_extent))) return false;
        }
        return matched == small.rank;
    }
    /// Adds a written region. Returns false if some of it has been written before.
    constexpr bool write(int buffer, memory_region const& r) {
        if (r.empty) return true;
        extent_id count = one_extent;
        for (int d = 0; d < r.rank; ++d) count = multiply(count, r.extent[d]);
        extent_id& all = elements_.at[buffer];
        all = add(all, count);
        if (all >= 0 && !dominates(all_of(buffer), all)) return false;   // some elements twice
        memory_region whole = r;
        for (bool joined = true; joined;) {
            joined = false;
            for (int* at = &first_piece_.at[buffer]; *at >= 0; at = &pieces_.at[*at].next) {
                memory_region other = pieces_.at[*at].at;
                if (contains(other, whole) || is_known(buffer, other)) return false;
                if (!join(other, whole)) {
                    other = pieces_.at[*at].at;
                    if (!join(whole, other)) continue;
                } else whole = other;
                *at = pieces_.at[*at].next;
                joined = true;
                break;
            }
        }
        pieces_.push({whole, first_piece_.at[buffer]});
        first_piece_.at[buffer] = pieces_.count - 1;
        return true;
    }
    constexpr bool is_written(int buffer, memory_region const& r) {
        if (r.empty) return true;
        extent_id const size = all_of(buffer);
        if (size == zero_extent) return true;
        for (int k = first_piece_.at[buffer]; k >= 0; k = pieces_.at[k].next) {
            memory_region const piece = pieces_.at[k].at;
            if (is_whole(piece, size) || contains(piece, r)) return true;   // whether r is within the buffer is checked elsewhere
        }
        return false;
    }
    constexpr bool is_touched(int buffer) const { return first_piece_.at[buffer] >= 0; }

private:
    constexpr bool is_known(int buffer, memory_region const& r) { return is_whole(r, all_of(buffer)); }
    static constexpr bool divide(wide_extent& e, std::int64_t n) {   // without a remainder
        bool exact = e.constant % n == 0;
        e.constant /= n;
        for (int i = 0; i < e.count; ++i) {
            exact = exact && e.terms[i].coefficient % n == 0;
            e.terms[i].coefficient /= n;
        }
        return exact;
    }
    constexpr bool is_shorter(memory_region const& large, memory_region const& small, int k, wide_extent const& times) {
        int const d = find_stride(small, large.stride[k]);
        return dominates(large.extent[k], add(id_of(times), d >= 0 ? small.extent[d] : one_extent));
    }
};

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
