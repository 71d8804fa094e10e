// SPDX-License-Identifier: MIT
// A function whose results are also written into the caller's memory: the same bits, and nothing next to them changes.
#pragma once

#include <doctest/doctest.h>

#include <xgrad/exec/function.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>

namespace test {

/// `both_ways f{xg::function{y}}` is called like the function, and returns the same.
/// - An array begins one element after the start of an allocation, so it is not aligned to a SIMD batch. That element must not change.
/// - An array ends with its allocation, so only AddressSanitizer finds a write after it.
template<class F>
class both_ways {
    F f_;

    template<class V>
    static constexpr bool is_array = !std::is_arithmetic_v<V>;
    template<class T>
    struct copies {   // not std::vector: bool
        std::size_t size;
        std::unique_ptr<T[]> own, there;
        template<class V>
        explicit copies(V const& result) : size(static_cast<std::size_t>(result.size())), own(new T[size]), there(new T[size + 1]) {
            std::copy(result.begin(), result.end(), own.get());
            std::memset(static_cast<void*>(there.get()), 1, (size + 1) * sizeof(T));
        }
        std::span<T> part() const { return {there.get() + 1, size}; }
        bool same_bits() const {
            unsigned char const* const before = reinterpret_cast<unsigned char const*>(there.get());
            return std::all_of(before, before + sizeof(T), [](unsigned char c) { return c == 1; }) &&
                   std::memcmp(own.get(), there.get() + 1, size * sizeof(T)) == 0;
        }
    };
    template<class V>
    static auto kept(V const& result) {
        if constexpr (is_array<V>) return std::tuple<copies<typename V::value_type>>(result);
        else return std::tuple<>{};
    }

public:
    explicit both_ways(F&& f) : f_(std::move(f)) {}

    template<class... B>
    auto operator()(B const&... bindings) {
        auto const as_tuple = []<class R>(R const& r) {
            if constexpr (requires { std::tuple_size<R>::value; }) return r;
            else return std::tuple(r);
        };
        auto const results = std::apply([](auto const&... r) { return std::tuple_cat(kept(r)...); }, as_tuple(f_(bindings...)));
        std::apply(
            [&](auto const&... r) {
                f_.into(r.part()...)(bindings...);
                bool const same = (r.same_bits() && ...);
                CHECK_MESSAGE(same, "results in the caller's memory are other ones");
            },
            results);
        return f_(bindings...);
    }
};

}   // namespace test
