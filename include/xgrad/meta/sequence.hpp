// SPDX-License-Identifier: MIT
// A growing array for constant evaluation.
// Compilers limit the statements of one evaluation (clang: a million) and run each slowly.
// std::vector uses five to ten per access, a raw pointer none. So elements are accessed through the pointer: `v.at[i]`.
// It is also used where a header would otherwise instantiate std::vector in every program that includes it: some milliseconds for each
// element type. For the same reason members do not call other members, which would be instantiated for each element type too.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <cstddef>
#include <new>

XGRAD_NAMESPACE_BEGIN

namespace detail {
// Functions for all sequences of plain data, in memory from new[]: move
// `count` elements to larger memory, `count` copies of one element, or a copy.
void* with_more_room(void* from, int count, int& room, std::size_t bytes);
void* filled_with(void const* element, int count, std::size_t bytes);
void* copy_of(void const* from, int count, std::size_t bytes);
constexpr int more_than(int room) { return room < 16 ? 64 : 4 * room; }
}   // namespace detail

/// Tag for elements that are all zero: `sequence<int> heads(64, zero_elements)`.
inline constexpr struct zero_elements_type {
    explicit constexpr zero_elements_type(int) {}   // so that an element may be written {}
} zero_elements{0};

/// Elements are plain data or strings. They are copied when the array grows. push() gives an element its value.
template<class T>
struct sequence {
    T* at = nullptr;
    int count = 0;
    int room = 0;

    constexpr sequence() = default;
    constexpr explicit sequence(int n) : at(new T[static_cast<unsigned>(n > 0 ? n : 1)]), room(n > 0 ? n : 1) {}
    constexpr sequence(int n, T const& value) : room(n > 0 ? n : 1) {
        if constexpr (is_plain)
            if (!__builtin_is_constant_evaluated()) {
                at = static_cast<T*>(detail::filled_with(&value, n, sizeof(T)));
                count = room = n;
                return;
            }
        at = new T[static_cast<unsigned>(room)];
        for (T* p = at; count < n; ++count) p[count] = value;
    }
    /// All elements are zero. In a constant evaluation this is one statement for any number of elements.
    constexpr sequence(int n, zero_elements_type) : at(new T[static_cast<unsigned>(n > 0 ? n : 1)]()), count(n), room(n > 0 ? n : 1) {}
    constexpr sequence(sequence const& o) : room(o.count > 0 ? o.count : 1) {
        if constexpr (is_plain)
            if (!__builtin_is_constant_evaluated()) {
                at = static_cast<T*>(detail::copy_of(o.at, o.count, sizeof(T)));
                count = room = o.count;
                return;
            }
        at = new T[static_cast<unsigned>(room)];
        for (T *p = at, *q = o.at; count < o.count; ++count) p[count] = q[count];
    }
    constexpr sequence& operator=(sequence const&) = delete;
    constexpr ~sequence() { delete[] at; }

    constexpr void push(T const& value) {
        bool grown = count != room;
        if constexpr (is_plain)
            if (!grown && !__builtin_is_constant_evaluated()) {
                at = static_cast<T*>(detail::with_more_room(at, count, room, sizeof(T)));
                grown = true;
            }
        if (!grown) {
            int const wider = detail::more_than(room);
            T* const moved = new T[static_cast<unsigned>(wider)];
            for (int i = 0; i < count; ++i) moved[i] = at[i];
            delete[] at;
            at = moved;
            room = wider;
        }
        at[count++] = value;
    }
    constexpr void clear() { count = 0; }
    constexpr void swap(sequence& o) {
        T* const p = at;
        int const n = count, m = room;
        at = o.at;
        count = o.count;
        room = o.room;
        o.at = p;
        o.count = n;
        o.room = m;
    }
    constexpr T& last() { return at[count - 1]; }
    // For code where statements do not count. Constant evaluation uses at[i].
    constexpr T& operator[](int i) const { return at[i]; }
    constexpr T* begin() const { return at; }
    constexpr T* end() const { return at + count; }

private:
    static constexpr bool is_plain = __is_trivially_copyable(T) && alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__;
};

#if XGRAD_COMPILED != 1
namespace detail {
XGRAD_COLD XGRAD_HOST void* with_more_room(void* from, int count, int& room, std::size_t bytes) {
    int const wider = more_than(room);
    void* const to = ::operator new[](static_cast<unsigned>(wider) * bytes);
    if (count != 0) __builtin_memcpy(to, from, static_cast<unsigned>(count) * bytes);
    ::operator delete[](from);
    room = wider;
    return to;
}
XGRAD_COLD XGRAD_HOST void* filled_with(void const* element, int count, std::size_t bytes) {
    std::size_t const all = static_cast<unsigned>(count) * bytes;
    auto* const first = static_cast<char*>(::operator new[](all));
    for (char* to = first; to != first + all; to += bytes) __builtin_memcpy(to, element, bytes);
    return first;
}
XGRAD_COLD XGRAD_HOST void* copy_of(void const* from, int count, std::size_t bytes) {
    std::size_t const all = static_cast<unsigned>(count) * bytes;
    void* const to = ::operator new[](all);
    if (count != 0) __builtin_memcpy(to, from, all);
    return to;
}
}   // namespace detail
#endif

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
