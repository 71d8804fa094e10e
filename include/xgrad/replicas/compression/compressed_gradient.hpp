// SPDX-License-Identifier: MIT
// A worker's gradient that is sent in compressed form.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/compression/compression.hpp>
#include <xgrad/replicas/sync/worker_lane.hpp>

#include <algorithm>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN
namespace detail {

template<class Compression>
inline constexpr bool compresses = !std::is_same_v<Compression, no_compression>;

/// A gradient, and the residuals that its compressed messages have left.
template<class Compression>
class compressed_gradient : public given_gradient {
    compressor<float, Compression> in_float_;
    compressor<double, Compression> in_double_;
    std::uint64_t bytes_ = 0;   // of the message being passed

    template<class T>
    auto& sender() {
        if constexpr (std::is_same_v<T, float>) return in_float_;
        else return in_double_;
    }

    template<class T>
    static void decode(std::span<std::byte const> sent, std::span<T> all) {
        std::fill(all.begin(), all.end(), T(0));
        decode_add<Compression, T>(sent, all);
    }

public:
    /// Prepares for dense gradients of n elements. Throws like the constructor of compressor.
    template<class T>
    void make_sender(Compression const& compression, std::int64_t n) {
        if constexpr (compresses<Compression>) sender<T>() = compressor<T, Compression>(compression, static_cast<std::size_t>(n));
    }
    /// Compresses the dense sum, and replaces it by the decoded message.
    template<class T>
    void compress([[maybe_unused]] std::int64_t n) {
        if constexpr (compresses<Compression>) {
            std::span<T> const all(of<T>().dense.values.data(), static_cast<std::size_t>(n));
            decode<T>(sender<T>().encode(all), all);
        }
    }
    /// Writes that message, or reads one into the dense sum.
    template<class T, class Pass>
    void pass(Pass const& pass, std::int64_t n) {
        if constexpr (!Pass::reads) bytes_ = sender<T>().last().size();
        pass(bytes_);
        auto const bytes = static_cast<std::size_t>(bytes_);
        if constexpr (Pass::reads) decode<T>({pass.message.take(bytes), bytes}, {of<T>().dense.values.data(), static_cast<std::size_t>(n)});
        else pass(sender<T>().last().data(), bytes);
    }
    /// Reads or writes the residuals.
    template<class Pass>
    void pass_left(Pass const& pass) {
        in_float_.pass_left(pass);
        in_double_.pass_left(pass);
    }
    /// Discards the last message and its gradient.
    template<class T>
    void take_back() {
        if constexpr (compresses<Compression>) sender<T>().take_back();
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
