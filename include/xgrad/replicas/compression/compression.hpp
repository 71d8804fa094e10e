// SPDX-License-Identifier: MIT
// Compression of gradients with error feedback: policies for the messages, and the residual that they leave.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/aligned_buffer.hpp>
#include <xgrad/core/error.hpp>
#include <xgrad/core/arrays/half.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN

/// Sends all elements unchanged.
struct no_compression {
    static constexpr std::string_view name = "no_compression";
    static constexpr std::size_t bytes(std::size_t n, std::size_t element) { return n * element; }
    void check(std::size_t) const {}

    template<class T>
    std::size_t encode(std::span<T const> x, std::byte* to, std::span<std::uint32_t>) const {
        if (!x.empty()) std::memcpy(to, x.data(), x.size_bytes());
        return x.size_bytes();
    }
    /// Calls f(i, value) for each element that was sent.
    template<class T, class F>
    static void decode(std::span<std::byte const> from, std::size_t n, F const& f) {
        for (std::size_t i = 0; i < n; ++i) {
            T x;
            std::memcpy(&x, from.data() + i * sizeof x, sizeof x);
            f(i, x);
        }
    }
};
/// Sends the elements of largest magnitude, a share `fraction` of all and at least one. Among equal ones the first are taken.
/// (Aji, Heafield, 2017, arXiv 1704.05021; Lin et al., 2018, arXiv 1712.01887.)
///
///     message of k elements:   k indices of 4 bytes, ascending | k values
struct top_k_compression {
    static constexpr std::string_view name = "top_k_compression";
    double fraction = 0.01;

    std::size_t count(std::size_t n) const {
        // .07 · 100 is a little more than 7 in double: fraction and product are each rounded by up to half of 2^-52.
        double const exact = fraction * static_cast<double>(n) * (1 - 2 * std::numeric_limits<double>::epsilon());
        return std::min(n, std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(exact))));
    }
    std::size_t bytes(std::size_t n, std::size_t element) const { return count(n) * (element + 4); }
    void check(std::size_t n) const {
        if (!(fraction > 0 && fraction <= 1))
            raise<value_error>("xgrad: top_k_compression: fraction is outside of (0, 1]; write a number such as 0.01");
        if (n > std::numeric_limits<std::uint32_t>::max())
            raise_parts<value_error>(
                {"xgrad: top_k_compression: a gradient has ", static_cast<std::int64_t>(n), " elements, more than four bytes count"});
    }
    template<class T>
    std::size_t encode(std::span<T const> x, std::byte* to, std::span<std::uint32_t> order) const {
        using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
        // Compares bits without the sign. NaN is larger than all numbers.
        auto const size = [&](std::uint32_t i) { return static_cast<bits>(std::bit_cast<bits>(x[i]) << 1); };
        std::size_t const k = count(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
        auto const end = order.begin() + static_cast<std::ptrdiff_t>(k);
        if (k < x.size())
            std::nth_element(order.begin(), end, order.end(),
                [&](std::uint32_t a, std::uint32_t b) { return size(a) != size(b) ? size(a) > size(b) : a < b; });
        std::sort(order.begin(), end);
        for (std::size_t i = 0; i < k; ++i) {
            std::memcpy(to + 4 * i, &order[i], 4);
            std::memcpy(to + 4 * k + sizeof(T) * i, &x[order[i]], sizeof(T));
        }
        return k * (4 + sizeof(T));
    }
    template<class T, class F>
    static void decode(std::span<std::byte const> from, std::size_t, F const& f) {
        std::size_t const k = from.size() / (4 + sizeof(T));
        for (std::size_t i = 0; i < k; ++i) {
            std::uint32_t at;
            T x;
            std::memcpy(&at, from.data() + 4 * i, 4);
            std::memcpy(&x, from.data() + 4 * k + sizeof(T) * i, sizeof(T));
            f(static_cast<std::size_t>(at), x);
        }
    }
};
/// Rounds each element to bfloat16: two bytes. Finite elements are clamped to the largest finite bfloat16.
struct bfloat16_compression {
    static constexpr std::string_view name = "bfloat16_compression";
    static constexpr std::size_t bytes(std::size_t n, std::size_t) { return n * 2; }
    void check(std::size_t) const {}

    template<class T>
    std::size_t encode(std::span<T const> x, std::byte* to, std::span<std::uint32_t>) const {
        T const most = T(0x1.fep127f);   // the largest finite bfloat16
        for (std::size_t i = 0; i < x.size(); ++i) {
            bfloat16 const h(static_cast<float>(std::isfinite(x[i]) ? std::clamp(x[i], -most, most) : x[i]));
            std::memcpy(to + 2 * i, &h, 2);
        }
        return 2 * x.size();
    }
    template<class T, class F>
    static void decode(std::span<std::byte const> from, std::size_t n, F const& f) {
        for (std::size_t i = 0; i < n; ++i) {
            bfloat16 h;
            std::memcpy(&h, from.data() + 2 * i, 2);
            f(i, static_cast<T>(static_cast<float>(h)));
        }
    }
};
/// Sends the signs, one bit each, and s, the mean magnitude of the elements. Each element becomes s or −s.
/// (Bernstein et al., 2018, arXiv 1802.04434; with error feedback, as here: Karimireddy et al., 2019, arXiv 1901.09847.)
/// If any element is infinite or NaN, so is s, and with it everything that is sent.
///
///     message:   s | ⌈n / 8⌉ bytes of sign bits, lowest bit first, 1 for negative
struct sign_compression {
    static constexpr std::string_view name = "sign_compression";
    static constexpr std::size_t bytes(std::size_t n, std::size_t element) { return element + (n + 7) / 8; }
    void check(std::size_t) const {}

    template<class T>
    std::size_t encode(std::span<T const> x, std::byte* to, std::span<std::uint32_t>) const {
        double sum = 0;
        for (T const e : x) sum += std::abs(static_cast<double>(e));
        T const scale = x.empty() ? T(0) : static_cast<T>(sum / static_cast<double>(x.size()));
        std::memcpy(to, &scale, sizeof scale);
        std::byte* const signs = to + sizeof scale;
        for (std::size_t i = 0; i < x.size(); i += 8) {
            unsigned eight = 0;
            for (std::size_t b = 0; b < 8 && i + b < x.size(); ++b) eight |= static_cast<unsigned>(std::signbit(x[i + b])) << b;
            signs[i / 8] = static_cast<std::byte>(eight);
        }
        return bytes(x.size(), sizeof scale);
    }
    template<class T, class F>
    static void decode(std::span<std::byte const> from, std::size_t n, F const& f) {
        T scale;
        std::memcpy(&scale, from.data(), sizeof scale);
        std::byte const* const signs = from.data() + sizeof scale;
        for (std::size_t i = 0; i < n; ++i) f(i, (std::to_integer<unsigned>(signs[i / 8]) >> i % 8 & 1) != 0 ? -scale : scale);
    }
};

/// Adds an encoded message to the `to.size()` elements of `to`. The encoded gradient must have had the same number of elements.
template<class Policy, class T>
void decode_add(std::span<std::byte const> sent, std::span<T> to) {
    Policy::template decode<T>(sent, to.size(), [&](std::size_t i, T x) { to[i] += x; });
}

/// The sender's state for one gradient of n elements of T, float or double.
/// With error feedback: what a message could not carry is added to the next one. So the sum of all messages plus the residual equals the
/// sum of all gradients, up to rounding.
/// Infinities and NaN are sent once and leave no residual.
template<class T, class Policy>
class compressor {
    Policy policy_;
    aligned_buffer<T> residual_, before_;   // after the last message, and before it
    aligned_buffer<std::byte> message_;
    aligned_buffer<std::uint32_t> order_;
    std::size_t size_ = 0, sent_ = 0;

public:
    compressor() = default;
    /// Throws value_error if the policy is invalid or cannot count n elements, std::bad_alloc.
    compressor(Policy const& policy, std::size_t n) : policy_(policy), size_(n) {
        policy_.check(n);
        residual_.grow_to(n);
        before_.grow_to(n);
        message_.grow_to(policy_.bytes(n, sizeof(T)));
        if constexpr (std::is_same_v<Policy, top_k_compression>) order_.grow_to(n);
        std::fill_n(residual_.data(), n, T(0));
        std::fill_n(before_.data(), n, T(0));
    }
    /// Encodes x plus the residual. The message is valid until the next call. Throws shape_error if x has another size.
    std::span<std::byte const> encode(std::span<T const> x) {
        if (x.size() != size_)
            raise_parts<shape_error>({"xgrad: compressor.encode(x): x has ", static_cast<std::int64_t>(x.size()), " elements and not ",
                static_cast<std::int64_t>(size_)});
        residual_.swap(before_);
        T const* const before = before_.data();
        T* const all = residual_.data();
        for (std::size_t i = 0; i < size_; ++i) all[i] = before[i] + x[i];
        sent_ = policy_.template encode<T>(std::span<T const>(all, size_), message_.data(), {order_.data(), order_.size()});
        std::span<std::byte const> const sent = last();
        Policy::template decode<T>(sent, size_, [&](std::size_t i, T value) {
            T const left = all[i] - value;
            all[i] = std::isfinite(left) ? left : T(0);
        });
        return sent;
    }
    /// The last message.
    std::span<std::byte const> last() const { return {message_.data(), sent_}; }
    /// Undoes the last message, which was not used: restores the residual from before it. The x of that message is dropped.
    void take_back() {
        if (size_ > 0) std::memcpy(residual_.data(), before_.data(), size_ * sizeof(T));
    }
    /// Reads or writes the residual, and the one from before the last message, for checkpoints.
    template<class Pass>
    void pass_left(Pass const& pass) {
        pass(residual_.data(), size_ * sizeof(T));
        pass(before_.data(), size_ * sizeof(T));
    }
    /// What the messages so far have not carried.
    std::span<T const> residual() const { return {residual_.data(), size_}; }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
