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

/// Operands of the step: what the loop reads, final carries, stacked outputs, summed outputs.
/// From the first iteration on, carries are stored in the memory of the final carries.
class region_turns {
    region_shape const& s_;
    step_arguments const& a_;
    runner& body_;
    std::byte* from_[max_operands]{};                         // inputs of the body
    std::byte const* result_[max_operands + max_outputs]{};   // its outputs: carries, then live outputs
    std::int64_t turn_ = 0, ended_ = 0, count_ = 0;

    operand_argument const& operand(int k) const { return a_.operands[k]; }
    operand_argument const& carry(int k) const { return a_.operands[s_.operands() + k]; }
    operand_argument const& output(int k) const { return a_.operands[s_.operands() + s_.carries + k]; }   // stacked, summed
    bool is_live(int k) const { return (s_.live >> k & 1) != 0; }
    static std::size_t bytes(operand_argument const& s, dtype type) { return static_cast<std::size_t>(s.inner) * size_of(type); }
    static void copy(std::byte* to, std::byte const* from, std::size_t n) {
        if (n > 0) std::memcpy(to, from, n);
    }
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
        for (int k = s_.stacked; k < s_.stacked + s_.summed; ++k) {
            if (!is_live(k) || !is_long(s_.result[k], count_)) continue;
            auto* const sums = reinterpret_cast<float*>(output(k).data);
            std::int64_t const n = output(k).inner;
            for (std::int64_t i = 0; i < n; ++i) {
                totals[i] = (first ? 0 : totals[i]) + static_cast<double>(sums[i]);
                sums[i] = last ? static_cast<float>(totals[i]) : 0;
            }
            totals += n;
        }
    }

public:
    static std::size_t scratch(step_arguments const& a, region_shape const& s) {
        std::size_t n = 0;
        for (int k = s.stacked; k < s.stacked + s.summed; ++k)
            if ((s.live >> k & 1) != 0 && is_long(s.result[k], a.extent[0]))
                n += static_cast<std::size_t>(a.operands[s.operands() + s.carries + k].inner) * sizeof(double);
        return n;
    }
    region_turns(step_arguments const& a, region_shape const& s) : s_(s), a_(a), body_(**a.bodies) {
        for (int k = 0; k < s.carries; ++k) copy(carry(k).data, operand(k).data, bytes(carry(k), s.operand[k]));
        int n = s.carries;
        for (int k = 0; k < s.carries; ++k) result_[k] = static_cast<std::byte const*>(body_.output(k));
        for (int k = 0; k < s.stacked + s.summed; ++k) {
            if (!is_live(k)) continue;
            if (k < s.emitted || k >= s.stacked) result_[n] = static_cast<std::byte const*>(body_.output(n)), ++n;
            if (k >= s.stacked && output(k).inner > 0) std::memset(output(k).data, 0, bytes(output(k), s.result[k]));
        }
        body_.random = *a.random;
        count_ = s.control > 0 ? control_of(a, s) : a.extent[0];
    }
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
    void begin(std::int64_t number) {
        turn_ = s_.backwards ? count_ - 1 - number : number;
        for (int i = 0; i < body_.plan().input_count; ++i) {
            int const k = s_.operand_of_input[i];
            operand_argument const& o = k < s_.carries ? carry(k) : operand(k);
            bool const slice = k >= s_.carries && k < s_.carries + s_.slices;
            from_[i] = o.data + (slice ? turn_ * static_cast<std::int64_t>(bytes(o, s_.operand[k])) : 0);
        }
        for (int i = 0; i < s_.carries; ++i) {   // their values before this iteration
            int const k = s_.emitted + i;
            if (is_live(k)) keep(k, carry(i).data);
        }
        body_.random.iteration = iteration_of(a_, turn_);
        body_.point_inputs(from_);
    }
    bool run() const { return body_.run_all(); }
    void end() {
        int n = s_.carries;
        for (int k = 0; k < s_.stacked + s_.summed; ++k) {
            if (!is_live(k) || (k >= s_.emitted && k < s_.stacked)) continue;
            std::byte const* x = result_[n++];
            if (k < s_.stacked) keep(k, x);
            else visit_floating(s_.result[k], [&]<class T>(std::type_identity<T>) { add<T>(output(k).data, x, output(k).inner); });
        }
        for (int k = 0; k < s_.carries; ++k) copy(carry(k).data, result_[k], bytes(carry(k), s_.operand[k]));
        if (++ended_ % kernels::terms_in_float == 0) move_sums(ended_ == kernels::terms_in_float, false);
    }
    /// Call after the last iteration.
    void finish() const { move_sums(false, true); }

private:
    void keep(int k, std::byte const* x) {
        std::size_t const n = bytes(output(k), s_.result[k]);
        copy(output(k).data + static_cast<std::size_t>(turn_) * n, x, n);
    }
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
