// SPDX-License-Identifier: MIT
// The iterations of a loop at run time: what each iteration of its body reads, and where its results are stored.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/simd.hpp>
#include <xgrad/compile/region_results.hpp>
#include <xgrad/kernels/long_sums.hpp>

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
/// that are in a loop count as if they had 2^20 iterations. extent[1] and extent[2] are `before` and `in_all` of the region.
inline std::uint32_t iteration_of(step_arguments const& a, std::int64_t turn) {
    std::int64_t const length = a.extent[2] > 0 ? a.extent[2] : std::int64_t{1} << 20;
    return static_cast<std::uint32_t>(a.random->iteration * length + a.extent[1] + turn);
}

/// An address of a body that moves from iteration to iteration, such as a row of a sequence.
struct moving_address {
    std::byte** at;
    std::byte* base;
    std::int64_t step;
    void move_to(std::int64_t turn) const { *at = base + turn * step; }
};
/// Copies a small number of bytes without a call.
XGRAD_INLINE void copy_bytes(std::byte* y, std::byte const* x, std::size_t bytes) {
    switch (bytes) {
    case 0: return;
    case 4: return static_cast<void>(std::memcpy(y, x, 4));
    case 8: return static_cast<void>(std::memcpy(y, x, 8));
    case 16: return static_cast<void>(std::memcpy(y, x, 16));
    case 32: return static_cast<void>(std::memcpy(y, x, 32));
    default: std::memcpy(y, x, bytes);
    }
}

/// Operands of the step: what the loop reads, final carries, stacked outputs, summed outputs.
/// * Small carries are copied to the memory of the final carries after each iteration.
/// * A large carry stays where an iteration has written it, and the next iteration reads it there.
/// * Large stacked results are written to their rows by the body, if they are whole buffers there; else they are copied.
class region_turns {
    // From this number of iterations on, it is worth it to copy a right factor that would be read in place.
    static constexpr std::int64_t least_kept = 4;
    // A result that is copied to row `to` + iteration * step, or added to output `output`.
    struct result_use {
        result_place from;
        std::byte* to;
        std::int64_t step;
        std::size_t bytes;
        int output;
    };
    // A carry that is copied to its history, or that stays where it is, at `next`.
    struct carry_use {
        int carry, input;   // of the body; -1: it does not read the carry
        std::byte* to;
        std::int64_t step;
        std::size_t bytes;
        result_place next;
    };
    region_shape const& s_;
    step_arguments const& a_;
    runner& body_;
    int const most_moving_;
    turn_memory memory_;   // after that of long sums
    turn_list<moving_address> moving_;
    placed_results placed_;
    turn_list<carry_use> history_;    // before an iteration
    turn_list<result_use> copies_;    // after it: stacked results, then carries
    turn_list<carry_use> in_place_;   // carries that are not copied
    turn_list<result_use> sums_;
    turn_list<std::byte*> carry_at_;   // before an iteration
    turn_list<int> result_of_body_;
    std::int64_t turn_ = 0, ended_ = 0, count_ = 0;

    operand_argument const& operand(int k) const { return a_.operands[k]; }
    operand_argument const& carry(int k) const { return a_.operands[s_.operands() + k]; }
    operand_argument const& output(int k) const { return a_.operands[s_.operands() + s_.carries + k]; }   // stacked, summed
    bool is_live(int k) const { return s_.live.has(k); }
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
    static constexpr std::size_t padded(std::size_t bytes) { return turn_memory::padded(bytes); }
    // More uses of slices are found again in each iteration.
    static int most_moving(region_shape const& s) { return s.slices > 0 ? 96 + 3 * s.slices : 0; }
    static int most_placed(region_shape const& s) { return 2 * s.carries + s.emitted; }
    static int most_copies(region_shape const& s) { return s.carries + s.emitted; }
    static std::size_t bytes_of_lists(region_shape const& s) {
        return padded(turn_list<moving_address>::bytes(most_moving(s))) + placed_results::bytes(most_placed(s)) +
               2 * padded(turn_list<carry_use>::bytes(s.carries)) + padded(turn_list<result_use>::bytes(most_copies(s))) +
               padded(turn_list<result_use>::bytes(s.summed)) + padded(turn_list<std::byte*>::bytes(s.carries)) +
               padded(turn_list<int>::bytes(s.stacked + s.summed));
    }
    static bool needs_spare(region_shape const& s, int carry, std::size_t bytes) {
        return bytes > placed_results::most_copied && !s.live.has(s.emitted + carry);
    }
    static std::size_t bytes_of_sums(step_arguments const& a, region_shape const& s) {
        std::size_t n = 0;
        for (int k = s.stacked; k < s.stacked + s.summed; ++k)
            if (s.live.has(k) && is_long(s.result[k], a.extent[0]))
                n += static_cast<std::size_t>(a.operands[s.operands() + s.carries + k].inner) * sizeof(double);
        return padded(n);
    }
    // Sums over more iterations than a float can accumulate terms are moved to doubles.
    // The doubles of all such sums are stored one after the other.
    static constexpr bool is_long(dtype type, std::int64_t turns) { return type == dtype::float32 && turns > kernels::terms_in_float; }
    void move_sums(bool first, bool last) const {
        auto* totals = static_cast<double*>(a_.scratch);
        for (result_use const& sum : sums_) {
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
            if (slice && moving_.count < most_moving_) moving_.push({&at, at, static_cast<std::int64_t>(bytes(o, s_.operand[k]))});
            all_moving_ = all_moving_ && (!slice || moving_.count < most_moving_);
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
    int input_of_carry(int k) const {
        for (int i = 0; i < body_.plan().input_count; ++i)
            if (s_.operand_of_input[i] == k) return i;
        return -1;
    }
    // Chooses the memory of large results. A carry that is kept as history is written to the row of the next iteration.
    void place_large() {
        bool const in_place = s_.policy == region_policy::loop;
        for (int k = 0; in_place && k < s_.carries; ++k)
            if (int const h = s_.emitted + k; is_live(h)) {
                auto const size = static_cast<std::int64_t>(bytes(output(h), s_.result[h]));
                std::byte* const last = keeps_last(k) ? nullptr : carry(k).data;
                placed_.in_rows(k, static_cast<std::size_t>(size), row_after(output(h).data, size), size, last);
            }
        for (int k = 0; k < s_.emitted; ++k)
            if (std::size_t const size = bytes(output(k), s_.result[k]); is_live(k))
                placed_.in_rows(result_of_body_.at[k], size, output(k).data, static_cast<std::int64_t>(size));
        for (int k = 0; in_place && k < s_.carries; ++k)
            if (std::size_t const size = bytes(carry(k), s_.operand[k]); needs_spare(s_, k, size))
                placed_.in_turn(k, size, memory_.bytes(size), carry(k).data);
    }
    // The rows of the iterations, moved by one iteration.
    std::byte* row_after(std::byte* rows, std::int64_t size) const { return s_.backwards ? rows - size : rows + size; }
    void place_results() {
        for (int k = 0, n = s_.carries; k < s_.stacked + s_.summed; ++k)
            result_of_body_.at[k] = is_live(k) && (k < s_.emitted || k >= s_.stacked) ? n++ : -1;
        place_large();
        for (int k = 0; k < s_.stacked + s_.summed; ++k) {
            if (result_of_body_.at[k] < 0) continue;
            result_place const from = placed_.place_of(result_of_body_.at[k]);
            std::size_t const size = bytes(output(k), s_.result[k]);
            if (k >= s_.stacked) {
                sums_.push({from, nullptr, 0, size, k});
                if (size > 0) std::memset(output(k).data, 0, size);
            } else if (!placed_.is_row(from, output(k).data))
                copies_.push({from, output(k).data, static_cast<std::int64_t>(size), size, k});
        }
        for (int k = 0; k < s_.carries; ++k) place_carry(k, placed_.place_of(k), bytes(carry(k), s_.operand[k]));
    }
    void place_carry(int k, result_place const& next, std::size_t size) {
        bool const in_place = s_.policy == region_policy::loop && placed_.is_whole(next, size);
        carry_at_.at[k] = in_place && count_ > 0 ? operand(k).data : carry(k).data;
        if (carry_at_.at[k] == carry(k).data && size > 0) std::memcpy(carry(k).data, operand(k).data, size);
        if (int const h = s_.emitted + k; is_live(h)) {
            std::byte* const rows = output(h).data;
            auto const step = static_cast<std::int64_t>(size);
            if (!placed_.is_row(next, row_after(rows, step))) history_.push({k, -1, rows, step, size, next});
            else if (count_ > 0 && count_ <= a_.extent[0])
                std::memcpy(rows + (s_.backwards ? count_ - 1 : 0) * step, operand(k).data, size);
        }
        if (!in_place) copies_.push({next, carry(k).data, 0, size, -1});
        else if (count_ > 0) {
            in_place_.push({k, input_of_carry(k), nullptr, 0, size, next});
            body_.place_input(in_place_.at[in_place_.count - 1].input, carry_at_.at[k]);
        }
    }
    bool keeps_last(int k) const { return s_.keeps_last.has(k); }
    bool all_moving_ = true;

public:
    /// Scratch memory: the doubles of long sums, the lists above, a second memory for each large carry without history.
    static std::size_t scratch(step_arguments const& a, region_shape const& s) {
        std::size_t n = bytes_of_sums(a, s) + bytes_of_lists(s);
        for (int k = 0; s.policy == region_policy::loop && k < s.carries; ++k)
            if (std::size_t const size = bytes(a.operands[s.operands() + k], s.operand[k]); needs_spare(s, k, size)) n += padded(size);
        return n;
    }
    region_turns(step_arguments const& a, region_shape const& s)
        : s_(s), a_(a), body_(**a.bodies), most_moving_(most_moving(s)), memory_{static_cast<std::byte*>(a.scratch) + bytes_of_sums(a, s)},
          moving_(memory_, most_moving_), placed_(body_, memory_, most_placed(s)), history_(memory_, s.carries),
          copies_(memory_, most_copies(s)), in_place_(memory_, s.carries), sums_(memory_, s.summed), carry_at_(memory_, s.carries),
          result_of_body_(memory_, s.stacked + s.summed) {
        body_.random = *a.random;
        count_ = s.control > 0 ? control_of(a, s) : a.extent[0];
        point_inputs();
        place_results();
    }
    region_turns(region_turns const&) = delete;
    std::int64_t count() const { return count_; }
    std::int64_t turn() const { return turn_; }
    /// Whether the number of iterations fits into the stacked values. If not, the call ends.
    bool fits() const {
        if (count_ >= 0 && count_ <= a_.extent[0]) return true;
        *a_.fault = {s_.name, count_, a_.extent[0]};
        return false;
    }
    /// Rows after the last iteration are zeros. The gradient does not read them.
    void clear_rest() const {
        for (int k = 0; k < s_.emitted - s_.extra; ++k)
            if (std::size_t const n = bytes(output(k), s_.result[k]); is_live(k) && n > 0 && count_ < a_.extent[0])
                std::memset(output(k).data + static_cast<std::size_t>(count_) * n, 0, static_cast<std::size_t>(a_.extent[0] - count_) * n);
    }
    /// Sets the inputs of the iteration, and its position in time.
    XGRAD_INLINE void begin(std::int64_t number) {
        turn_ = s_.backwards ? count_ - 1 - number : number;
        if (number < 2) body_.use_panels(count_ < least_kept ? panel_use::alone : number == 0 ? panel_use::make : panel_use::reuse);
        for (moving_address const& m : moving_) m.move_to(turn_);
        if (!all_moving_) point_slices();
        placed_.begin(turn_, count_ - 1 - number);
        for (carry_use const& c : history_) copy_bytes(c.to + turn_ * c.step, carry_at_.at[c.carry], c.bytes);
        body_.random.iteration = iteration_of(a_, turn_);
    }
    XGRAD_INLINE bool run() const { return body_.run_all(); }
    XGRAD_INLINE void end() {
        for (result_use const& sum : sums_)
            visit_floating(s_.result[sum.output],
                [&]<class T>(std::type_identity<T>) { add<T>(output(sum.output).data, placed_.at(sum.from), output(sum.output).inner); });
        for (result_use const& c : copies_) copy_bytes(c.to + turn_ * c.step, placed_.at(c.from), c.bytes);
        for (carry_use const& c : in_place_) body_.place_input(c.input, carry_at_.at[c.carry] = placed_.at(c.next));
        if (sums_.count > 0 && ++ended_ % kernels::terms_in_float == 0) move_sums(ended_ == kernels::terms_in_float, false);
    }
    /// Call after the last iteration.
    void finish() const {
        move_sums(false, true);
        for (carry_use const& c : history_)
            if (keeps_last(c.carry)) std::memcpy(c.to + count_ * c.step, carry_at_.at[c.carry], c.bytes);
        for (carry_use const& c : in_place_)
            if (std::byte* const last = carry(c.carry).data; carry_at_.at[c.carry] != last)
                std::memcpy(last, carry_at_.at[c.carry], bytes(carry(c.carry), s_.operand[c.carry]));
    }
};

/// What runs after each iteration: the arguments of the loop, and the position of the iteration.
using after_turn = void (*)(step_arguments const& a, std::int64_t turn);
/// Runs all iterations of a loop. Returns false if an index or the number of iterations was out of range.
XGRAD_NOINLINE inline bool run_turns(step_arguments const& a, region_shape const& s, after_turn after) {
    region_turns turns(a, s);
    if (!turns.fits()) return false;
    turns.clear_rest();
    for (std::int64_t n = 0, count = turns.count(); n < count; ++n) {
        turns.begin(n);
        if (!turns.run()) return false;
        turns.end();
        if (after != nullptr) after(a, turns.turn());
    }
    turns.finish();
    return true;
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
