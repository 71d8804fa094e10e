// SPDX-License-Identifier: MIT
// A growing array for constant evaluation. Compilers bound the statements of one evaluation (clang: a million) and run each slowly: std::vector
// spends five to ten on every access, a raw pointer none. So elements are reached through the pointer, `v.at[i]`. It also serves where a header would
// instantiate std::vector, some milliseconds for each element type, in every program that includes it.
#pragma once

#include <xgrad/config/config.hpp>

#include <cstddef>
#include <new>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// `bytes` of them in memory of `room`, in place of memory from new[]: one function for all sequences of plain data.
XGRAD_COLD inline void* moved_to(std::size_t room, void* from, std::size_t bytes) {
    void* const to = ::operator new[](room);
    if (bytes != 0) __builtin_memcpy(to, from, bytes);
    ::operator delete[](from);
    return to;
}
}   // namespace detail

/// Asks for elements that are all zero: `sequence<int> heads(64, zeros)`.
inline constexpr struct zeros_type {
    explicit constexpr zeros_type(int) {}   // an element may be written {}
} zeros{0};

/// Elements are plain data or strings: they are copied when the array grows, and whoever pushes gives them their value.
template<class T>
struct sequence {
    T* at = nullptr;
    int count = 0;
    int room = 0;

    constexpr sequence() = default;
    constexpr explicit sequence(int n) : at(new T[static_cast<unsigned>(n > 0 ? n : 1)]), room(n > 0 ? n : 1) {}
    constexpr sequence(int n, T const& value) : sequence(n) {
        for (T* p = at; count < n; ++count) p[count] = value;
    }
    /// All elements zero: in a constant evaluation one statement, however many there are.
    constexpr sequence(int n, zeros_type) : at(new T[static_cast<unsigned>(n > 0 ? n : 1)]()), count(n), room(n > 0 ? n : 1) {}
    constexpr sequence(sequence const& o) : sequence(o.count) {
        for (T *p = at, *q = o.at; count < o.count; ++count) p[count] = q[count];
    }
    constexpr sequence& operator=(sequence const&) = delete;
    constexpr ~sequence() { delete[] at; }

    constexpr void push(T const& value) {
        if (count == room) grow();
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
    constexpr T& operator[](int i) const { return at[i]; }   // where nothing is counted; constant evaluation takes at[i]
    constexpr T* begin() const { return at; }
    constexpr T* end() const { return at + count; }

private:
    constexpr void grow() {
        int const wider = room < 16 ? 64 : 4 * room;
        if constexpr (__is_trivially_copyable(T) && alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__)
            if (!__builtin_is_constant_evaluated()) {
                at = static_cast<T*>(
                    detail::moved_to(static_cast<std::size_t>(wider) * sizeof(T), at, static_cast<std::size_t>(count) * sizeof(T)));
                room = wider;
                return;
            }
        T* const moved = new T[static_cast<unsigned>(wider)];
        for (int i = 0; i < count; ++i) moved[i] = at[i];
        delete[] at;
        at = moved;
        room = wider;
    }
};

XGRAD_NAMESPACE_END
