// SPDX-License-Identifier: MIT
// The iterations of a loop at run time: what each iteration of its body reads, and where its results are stored.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/simd.hpp>
#include <xgrad/compile/region_program.hpp>
#include <xgrad/kernels/long_sums.hpp>
#include <xgrad/run/runner.hpp>

#include <cstring>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The number that selects a branch, or the number of iterations.
inline std::int64_t control_of(step_arguments const& a, region_shape const& s) {
    std::byte const* const at = a.operands[s.operands() - 1].data;
    switch (s.control_type) {
    case dtype::boolean: return *reinterpret_cast<bool const*>(at);
    case dtype::int32: return *reinterpret_cast<std::int32_t const*>(at);
    default: return *reinterpret_cast<std::int64_t const*>(at);
    }
}
/// The position of an iteration for random numbers. It is the same in the loop and in its gradient. Loops of any length
/// that are in a loop count as if they had 2^20 iterations.
inline std::uint32_t iteration_of(step_arguments const& a, std::int64_t turn) {
    std::int64_t const length = a.extent[0] > 0 ? a.extent[0] : std::int64_t{1} << 20;
    return static_cast<std::uint32_t>(a.random->iteration * length + turn);
}

/// An address of a body that moves from iteration to iteration, such as a row of a sequence.
struct moving_address {
    std::byte** at;
    std::byte* base;
    std::int64_t step;
    void move_to(std::int64_t turn) const { *at = base + turn * step; }
};
/// A copy after each iteration. Either end may move.
struct turn_copy {
    std::byte *to, *from;
    std::int64_t to_step, from_step;
    std::size_t bytes;
    void run(std::int64_t turn) const {
        std::byte* const y = to + turn * to_step;
        std::byte const* const x = from + turn * from_step;
        switch (bytes) {   // small sizes without a call
        case 0: return;
        case 4: return static_cast<void>(std::memcpy(y, x, 4));
        case 8: return static_cast<void>(std::memcpy(y, x, 8));
        case 16: return static_cast<void>(std::memcpy(y, x, 16));
        case 32: return static_cast<void>(std::memcpy(y, x, 32));
        default: std::memcpy(y, x, bytes);
        }
    }
};
/// A short list in place.
template<class T, int Most>
struct turn_list {
    T at[Most];
    int count = 0;
    void push(T const& x) { at[count++] = x; }
    T const* begin() const { return at; }
    T const* end() const { return at + count; }
};

/// Operands of the step: what the loop reads, final carries, stacked outputs, summed outputs.
/// * From the first iteration on, carries are stored in the memory of the final carries.
/// * Stacked results are written to their rows by the body, if they are whole buffers there; else they are copied.
class region_turns {
    static constexpr int most_moving = 3 * max_operands, most_results = max_operands + max_outputs;
    struct turn_sum {
        int output;
        std::byte const* from;
    };
    region_shape const& s_;
    step_arguments const& a_;
    runner& body_;
    turn_list<moving_address, most_moving> moving_;
    turn_list<turn_copy, max_operands> history_;   // before an iteration
    turn_list<turn_copy, most_results> copies_;    // after it: stacked results, then carries
    turn_list<turn_sum, max_outputs> sums_;
    std::int64_t turn_ = 0, ended_ = 0, count_ = 0;

    operand_argument const& operand(int k) const { return a_.operands[k]; }
    operand_argument const& carry(int k) const { return a_.operands[s_.operands() + k]; }
    operand_argument const& output(int k) const { return a_.operands[s_.operands() + s_.carries + k]; }   // stacked, summed
    bool is_live(int k) const { return (s_.live >> k & 1) != 0; }
    static std::size_t bytes(operand_argument const& s, dtype type) { return static_cast<std::size_t>(s.inner) * size_of(type); }
    template<class T>
    static void add(std::byte* to, std::byte const* from, std::int64_t n) {
        T* y = reinterpret_cast<T*>(to);
        T const* x = reinterpret_cast<T const*>(from);
        std::int64_t i = 0;
        constexpr auto width = static_cast<std::int64_t>(simd::width<T>);
        for (; i + width <= n; i += width) simd::store_as(y + i, simd::load_as<T>(y + i) + simd::load_as<T>(x + i));
        for (; i < n; ++i) y[i] += x[i];
    }
    // Sums over more iterations than a float can accumulate terms are moved to doubles.
    // The doubles of all such sums are stored one after the other.
    static constexpr bool is_long(dtype type, std::int64_t turns) { return type == dtype::float32 && turns > kernels::terms_in_float; }
    void move_sums(bool first, bool last) const {
        auto* totals = static_cast<double*>(a_.scratch);
        for (turn_sum const& sum : sums_) {
            if (!is_long(s_.result[sum.output], count_)) continue;
            auto* const sums = reinterpret_cast<float*>(output(sum.output).data);
            std::int64_t const n = output(sum.output).inner;
            for (std::int64_t i = 0; i < n; ++i) {
                totals[i] = (first ? 0 : totals[i]) + static_cast<double>(sums[i]);
                sums[i] = last ? static_cast<float>(totals[i]) : 0;
            }
            totals += n;
        }
    }
    void point_inputs() {
        body_.each_use_of_inputs([&](int input, std::byte*& at, std::int64_t bytes_in) {
            int const k = s_.operand_of_input[input];
            operand_argument const& o = k < s_.carries ? carry(k) : operand(k);
            at = o.data + bytes_in;
            bool const slice = k >= s_.carries && k < s_.carries + s_.slices;
            if (slice && moving_.count < most_moving) moving_.push({&at, at, static_cast<std::int64_t>(bytes(o, s_.operand[k]))});
            all_moving_ = all_moving_ && (!slice || moving_.count < most_moving);
        });
    }
    // Slices that did not fit into the list.
    void point_slices() {
        body_.each_use_of_inputs([&](int input, std::byte*& at, std::int64_t bytes_in) {
            int const k = s_.operand_of_input[input];
            if (k >= s_.carries && k < s_.carries + s_.slices)
                at = operand(k).data + bytes_in + turn_ * static_cast<std::int64_t>(bytes(operand(k), s_.operand[k]));
        });
    }
    void place_results() {
        int n = s_.carries;
        for (int k = 0; k < s_.stacked + s_.summed; ++k) {
            if (!is_live(k)) continue;
            if (k >= s_.emitted && k < s_.stacked) {
                auto const size = static_cast<std::int64_t>(bytes(output(k), s_.result[k]));
                history_.push({output(k).data, carry(k - s_.emitted).data, size, 0, static_cast<std::size_t>(size)});
                continue;
            }
            auto* const made = static_cast<std::byte*>(const_cast<void*>(body_.output(n++)));
            std::size_t const size = bytes(output(k), s_.result[k]);
            if (k < s_.stacked) copies_.push({output(k).data, made, static_cast<std::int64_t>(size), 0, size});
            else {
                sums_.push({k, made});
                if (size > 0) std::memset(output(k).data, 0, size);
            }
        }
        for (int k = 0; k < s_.carries; ++k)
            copies_.push(
                {carry(k).data, static_cast<std::byte*>(const_cast<void*>(body_.output(k))), 0, 0, bytes(carry(k), s_.operand[k])});
    }
    bool all_moving_ = true;

public:
    static std::size_t scratch(step_arguments const& a, region_shape const& s) {
        std::size_t n = 0;
        for (int k = s.stacked; k < s.stacked + s.summed; ++k)
            if ((s.live >> k & 1) != 0 && is_long(s.result[k], a.extent[0]))
                n += static_cast<std::size_t>(a.operands[s.operands() + s.carries + k].inner) * sizeof(double);
        return n;
    }
    region_turns(step_arguments const& a, region_shape const& s) : s_(s), a_(a), body_(**a.bodies) {
        for (int k = 0; k < s.carries; ++k)
            if (std::size_t const n = bytes(carry(k), s.operand[k]); n > 0) std::memcpy(carry(k).data, operand(k).data, n);
        body_.random = *a.random;
        count_ = s.control > 0 ? control_of(a, s) : a.extent[0];
        point_inputs();
        place_results();
    }
    region_turns(region_turns const&) = delete;
    std::int64_t count() const { return count_; }
    /// Whether the number of iterations fits into the stacked values. If not, the call ends.
    bool fits() const {
        if (count_ >= 0 && count_ <= a_.extent[0]) return true;
        *a_.fault = {s_.name, count_, a_.extent[0]};
        return false;
    }
    /// Rows after the last iteration are zeros.
    void clear_rest() const {
        for (int k = 0; k < s_.emitted; ++k)
            if (std::size_t const n = bytes(output(k), s_.result[k]); is_live(k) && n > 0 && count_ < a_.extent[0])
                std::memset(output(k).data + static_cast<std::size_t>(count_) * n, 0, static_cast<std::size_t>(a_.extent[0] - count_) * n);
    }
    /// Sets the inputs of the iteration, and its position in time.
    XGRAD_INLINE void begin(std::int64_t number) {
        turn_ = s_.backwards ? count_ - 1 - number : number;
        for (moving_address const& m : moving_) m.move_to(turn_);
        if (!all_moving_) point_slices();
        for (turn_copy const& c : history_) c.run(turn_);
        body_.random.iteration = iteration_of(a_, turn_);
    }
    XGRAD_INLINE bool run() const { return body_.run_all(); }
    XGRAD_INLINE void end() {
        for (turn_sum const& sum : sums_)
            visit_floating(s_.result[sum.output],
                [&]<class T>(std::type_identity<T>) { add<T>(output(sum.output).data, sum.from, output(sum.output).inner); });
        for (turn_copy const& c : copies_) c.run(turn_);
        if (sums_.count > 0 && ++ended_ % kernels::terms_in_float == 0) move_sums(ended_ == kernels::terms_in_float, false);
    }
    /// Call after the last iteration.
    void finish() const { move_sums(false, true); }
};

/// Runs all iterations of a loop. Returns false if an index or the number of iterations was out of range.
XGRAD_NOINLINE inline bool run_turns(step_arguments const& a, region_shape const& s) {
    region_turns turns(a, s);
    if (!turns.fits()) return false;
    turns.clear_rest();
    for (std::int64_t n = 0, count = turns.count(); n < count; ++n) {
        turns.begin(n);
        if (!turns.run()) return false;
        turns.end();
    }
    turns.finish();
    return true;
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
