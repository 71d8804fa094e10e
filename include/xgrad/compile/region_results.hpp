// SPDX-License-Identifier: MIT
// Large results of a body, which each iteration writes where they are wanted. Small ones are copied: that takes less time.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/compile/region_program.hpp>
#include <xgrad/run/runner.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Scratch memory of a loop, which is handed out piece by piece.
struct turn_memory {
    std::byte* next;
    static constexpr std::size_t padded(std::size_t bytes) { return (bytes + 63) / 64 * 64; }
    std::byte* bytes(std::size_t count) {
        std::byte* const from = next;
        next += padded(count);
        return from;
    }
};
/// A short list in memory for `most` elements.
template<class T>
struct turn_list {
    T* at;
    int count = 0;
    turn_list(turn_memory& memory, int most) : at(reinterpret_cast<T*>(memory.bytes(bytes(most)))) {}
    static constexpr std::size_t bytes(int most) { return static_cast<std::size_t>(most) * sizeof(T); }
    void push(T const& x) { at[count++] = x; }
    T const* begin() const { return at; }
    T const* end() const { return at + count; }
};
/// Where a body writes a result: always the same memory, or memory that is set for each iteration.
struct result_place {
    std::byte* base;        // without `placed`
    std::ptrdiff_t bytes;   // with `placed`: from its first byte
    int placed;             // number of the memory in placed_results, or -1
};
/// The memory of large results. Results that are one buffer of the body share it.
class placed_results {
    struct memory {
        int array;   // of the runner
        std::size_t bytes;
        std::byte* row;   // of iteration 0
        std::int64_t step;
        std::byte* last;   // in place of the row in the last iteration; or null
        bool alternates;   // between `row` and `last`
        std::byte* at;
    };
    runner& body_;
    turn_list<memory> list_;

    int number_of(int array) const {
        for (int i = 0; i < list_.count; ++i)
            if (list_.at[i].array == array) return i;
        return -1;
    }
    std::byte* output(int k) const { return static_cast<std::byte*>(const_cast<void*>(body_.output(k))); }
    // Only a result that fills a separate memory, and has no place yet.
    void place(int k, memory m) {
        if (m.bytes <= most_copied || (m.array = body_.array_of_result(k)) < 0) return;
        if (number_of(m.array) < 0 && output(k) == body_.memory_of_array(m.array)) list_.push(m);
    }

public:
    static constexpr std::size_t most_copied = 64;

    placed_results(runner& body, turn_memory& room, int most) : body_(body), list_(room, most) { body.take_back_results(); }
    static constexpr std::size_t bytes(int most) { return turn_memory::padded(turn_list<memory>::bytes(most)); }
    placed_results(placed_results const&) = delete;
    /// Output k of the body is written to row + iteration * step; in the last iteration to `last`, if that is given.
    void in_rows(int k, std::size_t bytes, std::byte* row, std::int64_t step, std::byte* last = nullptr) {
        place(k, {-1, bytes, row, step, last, false, nullptr});
    }
    /// Output k of the body is written to `one` and to `other` in turn; in the last iteration to `other`. The body's own
    /// memory would not do: the next iteration may use it for something else, while it reads the output.
    void in_turn(int k, std::size_t bytes, std::byte* one, std::byte* other) { place(k, {-1, bytes, one, 0, other, true, nullptr}); }

    /// Where output k of the body is after an iteration. Call it when all results are placed, before the first iteration.
    result_place place_of(int k) const {
        int const array = body_.array_of_result(k), placed = array < 0 ? -1 : number_of(array);
        if (placed < 0) return {output(k), 0, -1};
        return {nullptr, output(k) - body_.memory_of_array(array), placed};
    }
    /// Whether it is the whole memory of a placed result.
    bool is_whole(result_place const& p, std::size_t bytes) const {
        return p.placed >= 0 && p.bytes == 0 && list_.at[p.placed].bytes == bytes;
    }
    /// Whether it is written to these rows itself.
    bool is_row(result_place const& p, std::byte* row) const {
        return p.placed >= 0 && p.bytes == 0 && !list_.at[p.placed].alternates && list_.at[p.placed].row == row;
    }
    std::byte* at(result_place const& p) const { return p.placed < 0 ? p.base : list_.at[p.placed].at + p.bytes; }
    /// Iteration `turn` begins; `left` come after it.
    void begin(std::int64_t turn, std::int64_t left) {
        for (int i = 0; i < list_.count; ++i) {
            memory& m = list_.at[i];
            if (m.alternates) m.at = left % 2 == 0 ? m.last : m.row;
            else m.at = m.last != nullptr && left == 0 ? m.last : m.row + turn * m.step;
            body_.place_result(m.array, m.at);
        }
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
